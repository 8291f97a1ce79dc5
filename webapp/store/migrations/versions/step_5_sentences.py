"""What the one who shares a result says of it, and whether its link opens without writing over anything."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "5", "4"


def upgrade() -> None:
    """links.sentence and links.read_only; a link of before says nothing and opens as it did."""
    op.add_column("links", sql.Column("sentence", sql.Text, nullable=False, server_default=""))
    op.add_column("links", sql.Column("read_only", sql.Boolean, nullable=False, server_default=sql.false()))
