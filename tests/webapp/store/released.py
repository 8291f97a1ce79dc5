"""Databases as released versions left them."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sql

DATA = Path(__file__).with_name("data")
IDS = {"0.1": "d7e1f394cf8139c3", "0.2": "7686ba526f1f3fc2"}  # of the one link in each


def left_by(version: str, url: str) -> str:
    """Make the tables and rows of a released version in an empty database; the id of its link."""
    engine = sql.create_engine(url)
    with engine.begin() as connection:
        for statement in (DATA / f"{version}-{engine.dialect.name}.sql").read_text("utf-8").split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    engine.dispose()
    return IDS[version]
