"""What the user composed: model, field types, validation, presets, and other tools' files.

May import: codes, errors, java_hash, messages, quantities.
"""
