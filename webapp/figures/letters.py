"""Letters of pictures that are drawn without a browser."""

from __future__ import annotations

from functools import cache

from PIL import ImageFont


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own, of this height in px; it has the letters of English."""
    loaded = ImageFont.load_default(size)
    assert isinstance(loaded, ImageFont.FreeTypeFont)  # as Pillow's wheels have it
    return loaded
