"""What an owner types: `python -m webapp WHAT …` for what is not serving.

May import: messages, settings, store, url.
"""
