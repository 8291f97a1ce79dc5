"""What must outlive a process: links and work, in SQLite or by DATABASE_URL. Nothing else imports sqlalchemy
or alembic.

May import: messages, monitoring, settings.
"""
