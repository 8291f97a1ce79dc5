"""Links as 0.1 and 0.2 kept them, without a number of their tables: a database of theirs has this table
already.
"""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "1", None


def upgrade() -> None:
    """Make the table where there is none."""
    op.create_table(
        "links",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("title", sql.Text, nullable=False),
        sql.Column("scenario", sql.Text, nullable=False),
        sql.Column("schedulers", sql.Text, nullable=False),
        sql.Column("metrics", sql.Text, nullable=False),
        sql.Column("version", sql.String(40), nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        if_not_exists=True,
    )
