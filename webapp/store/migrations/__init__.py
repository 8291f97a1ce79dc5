"""Steps from the tables of every released version to today's; Alembic keeps in the database which have been
taken.
"""
