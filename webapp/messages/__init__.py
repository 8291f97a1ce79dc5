"""What the page says to people, by key: webapp/messages/en/ROOM.toml.

May import: settings.
"""

from pathlib import Path

from engine import load_messages

msg = load_messages(Path(__file__).parent)
