"""When a page last asked about a piece of work: what nobody follows ends."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "4", "3"


def upgrade() -> None:
    """works.followed; what was begun before counts as followed when it gave its last sign of life."""
    op.add_column("works", sql.Column("followed", sql.Float, nullable=False, server_default="0"))
    op.execute("UPDATE works SET followed = beat")
