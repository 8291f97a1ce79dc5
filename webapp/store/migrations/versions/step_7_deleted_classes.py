"""Which classes were deleted before their time was over, so that no backup brings them back."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "7", "6"


def upgrade() -> None:
    """deleted_classes: the id alone, until the class would have been over."""
    op.create_table(
        "deleted_classes",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("expires", sql.DateTime(timezone=True), nullable=False),
    )
