"""Numbers and flags as Hadoop's Configuration reads them, taken as the nearest that a field can hold.

In Hadoop  Configuration.getInt, getLong, getFloat, getDouble, getBoolean
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from engine.messages import msg
from engine.scenario.configuration.value_parsing import Codec, Taken, format_plain, quoted

BLANKS = "".join(map(chr, range(33)))  # String.trim
FLOAT = re.compile(
    r"[+-]?(?:NaN|Infinity|(?:[0-9]{1,60}(?:\.[0-9]{0,60})?|\.[0-9]{1,60})(?:[eE][+-]?[0-9]{1,5})?[fFdD]?)",
    re.ASCII,
)
WHOLE = re.compile(r"[+-]?[0-9]{1,19}|-?0[xX][0-9a-fA-F]{1,16}", re.ASCII)
AMOUNT = re.compile(r"([0-9]{1,18})([A-Za-z]*)", re.ASCII)
UNITS = {  # UnitsConversionUtil
    "": Fraction(1),
    **{unit: Fraction(1, 1000 ** (place + 1)) for place, unit in enumerate("munp")},
    **{unit: Fraction(1000 ** (place + 1)) for place, unit in enumerate("kMGTP")},
    **{f"{unit}i": Fraction(1024 ** (place + 1)) for place, unit in enumerate("KMGTP")},
}
MAX_FLOAT = 3.4028235677973366e38  # what rounds to more is infinite as a float
MAX_INT, MAX_LONG = 2**31 - 1, 2**63 - 1


def trim(text: str) -> str:
    """Without the blanks that Java's String.trim takes away."""
    return text.strip(BLANKS)


def java_float(text: str) -> float:
    """Float.parseFloat, NaN and infinities too. ValueError where Hadoop throws a NumberFormatException."""
    text = trim(text)
    if not FLOAT.fullmatch(text):
        raise ValueError(msg("scenario.value_parsing.must_be_number", quoted=quoted(text)))
    value = float(text.rstrip("fFdD")) if "N" not in text and "I" not in text else float(text)
    return math.copysign(math.inf, value) if abs(value) >= MAX_FLOAT else value


def java_int(text: str, largest: int = MAX_INT) -> int:
    """Integer.parseInt after a trim, also of 0x10. ValueError where Hadoop throws a NumberFormatException."""
    text = trim(text)
    value = int(text, 16 if "x" in text.lower() else 10) if WHOLE.fullmatch(text) else largest + 1
    if not -largest - 1 <= value <= largest:
        raise ValueError(msg("scenario.value_parsing.must_be_whole_number", quoted=quoted(text)))
    return value


def java_long(text: str) -> int:
    """Long.parseLong after a trim, as `java_int`."""
    return java_int(text, MAX_LONG)


def unit_amount(text: str, default_unit: str) -> int | None:
    """An amount such as 4Gi in the default unit, which it has without one; None where it is none."""
    match = AMOUNT.fullmatch(text)
    unit = UNITS.get(match[2] or default_unit) if match else None
    return int(int(match[1]) * unit / UNITS[default_unit]) if match and unit else None


def nearest(value: Any, low: float, high: float) -> Any:
    """The value, or the nearest from low to high, told; what is no number is 0 (a cast of NaN)."""
    if math.isnan(value):
        return Taken(low, msg("scenario.java_values.no_number", low=format_plain(low)))
    value += 0  # -0.0 becomes 0.0
    if value < low or value > high:
        near = type(value)(min(max(value, low), high))
        return Taken(near, msg("scenario.java_values.nearest", near=format_plain(near)))
    return value


def ints(low: int, high: int) -> Codec:
    """Ints from low to high."""
    return Codec(lambda text, size: nearest(java_int(text), low, high), format_plain)


def longs(low: int, high: int) -> Codec:
    """Longs from low to high as milliseconds, which may have fractions here."""
    return Codec(lambda text, size: nearest(float(java_long(text)), low, high), format_plain)


def floats(low: float, high: float) -> Codec:
    """Floats from low to high."""
    return Codec(lambda text, size: nearest(java_float(text), low, high), format_plain)


def flags(default: Any, meaning: Callable[[bool], Any] = bool) -> Codec:
    """True or false with what each means; anything else is the default, told (getBoolean)."""
    words = {"true": meaning(True), "false": meaning(False)}

    def parse(text: str, size: Any) -> Any:
        return words.get(
            trim(text).lower(),
            Taken(default, msg("scenario.java_values.neither", quoted=quoted(text))),
        )

    return Codec(parse, lambda value: format_plain(value == words["true"]))


def yes_or_no(default: str | None) -> Codec:
    """`flags` in the words of a field."""
    return flags(default, lambda flag: "yes" if flag else "no")
