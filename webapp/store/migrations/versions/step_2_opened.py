"""When a link was last opened, so that those nobody opens any more can expire."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "2", "1"


def upgrade() -> None:
    """A link of before counts as opened when it was made."""
    op.add_column("links", sql.Column("opened", sql.DateTime(timezone=True)))
    op.execute("UPDATE links SET opened = created")
