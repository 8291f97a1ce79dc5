"""Exercises that were shared, and classes: who joined by a class's link, and how far each is."""

from __future__ import annotations

import sqlalchemy as sql
from alembic import op

revision, down_revision = "6", "5"


def upgrade() -> None:
    """exercises by the digest of their text; classes, their students, and a row for each exercise that a
    student has opened.
    """
    op.create_table(
        "exercises",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("exercise", sql.Text, nullable=False),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        sql.Column("opened", sql.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "classes",
        sql.Column("id", sql.String(16), primary_key=True),
        sql.Column("secret_hash", sql.String(64), nullable=False, unique=True),
        sql.Column("title", sql.Text, nullable=False),
        sql.Column("exercises", sql.Text, nullable=False),
        sql.Column("maker", sql.String(64), nullable=False, index=True),
        sql.Column("created", sql.DateTime(timezone=True), nullable=False),
        sql.Column("expires", sql.DateTime(timezone=True), nullable=False, index=True),
    )
    op.create_table(
        "students",
        sql.Column("class_id", sql.String(16), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("pseudonym", sql.String(64), nullable=False),
        sql.Column("name", sql.Text, nullable=False),
        sql.UniqueConstraint("class_id", "pseudonym"),
    )
    op.create_table(
        "answers",
        sql.Column("class_id", sql.String(16), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("exercise", sql.String(64), primary_key=True),
        sql.Column("tries", sql.Integer, nullable=False),
        sql.Column("hints", sql.Integer, nullable=False),
        sql.Column("solved_at_try", sql.Integer),
        sql.Column("shown", sql.Boolean, nullable=False),
        sql.Column("first_label", sql.Text, nullable=False),
        sql.Column("first_answer", sql.Text, nullable=False),
        sql.Column("last_label", sql.Text, nullable=False),
        sql.Column("changed", sql.DateTime(timezone=True), nullable=False),
    )
