"""Long work in processes of its own, so that visitors never wait for the interpreter's lock: workers, who
keeps them alive, and Celery's on other machines.

May import: messages, monitoring, services, settings, store.
"""
