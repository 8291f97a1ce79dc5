"""What an owner types: `python -m webapp WHAT …` for what is not serving.

May import: classroom, messages, settings, store, url.
"""
