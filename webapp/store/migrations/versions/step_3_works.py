"""What visitors asked to be computed, and how far it is: neither is lost with a cache or a process."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "3", "2"


def upgrade() -> None:
    """asked: tasks by their keys; works: the queue, with what has been done."""
    op.create_table(
        "asked",
        sql.Column("key", sql.String(64), primary_key=True),
        sql.Column("what", sql.Text, nullable=False),
        sql.Column("seen", sql.Float, nullable=False, index=True),
    )
    op.create_table(
        "works",
        sql.Column("id", sql.String(32), primary_key=True),
        sql.Column("kind", sql.String(20), nullable=False),
        sql.Column("what", sql.Text, nullable=False),
        sql.Column("visitor", sql.String(64), nullable=False, index=True),
        sql.Column("seconds", sql.Float, nullable=False),
        sql.Column("state", sql.String(12), nullable=False, index=True),
        sql.Column("done", sql.Integer, nullable=False),
        sql.Column("steps", sql.Integer, nullable=False),
        sql.Column("now", sql.Text, nullable=False),
        sql.Column("because", sql.Text, nullable=False),
        sql.Column("wanted", sql.Boolean, nullable=False),
        sql.Column("worker", sql.String(64), nullable=False),
        sql.Column("tries", sql.Integer, nullable=False),
        sql.Column("queued", sql.Float, nullable=False),
        sql.Column("began", sql.Float),
        sql.Column("beat", sql.Float, nullable=False, index=True),
    )
