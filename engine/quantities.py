"""Times, memory, shares and counts as people read them: the only number formats of the page, of reports and
of the command line's sentences.

When something happens is told as a clock, as the time axes count it: "4:32", "1:02:03", "0:00.250"
(`moment`, `clock`); so is a makespan beside a chart, since one reads it off the axis. How long anything lasts
is told with its units: "850 ms", "42.5 s", "4 min 31.7 s", "2 h 5 min 12 s" (`duration`). That is to tenths
of a second below an hour; to the millisecond where that is the point (exact=True), such as a proved bound; to
three digits where it is an estimate (`rough_duration`). Shares are told in percent: "61.3 %" (`percent`).

Columns of tables that are sorted, copied or read by programs stay plain numbers, with the unit in the head
(`title_with_unit`, `display_unit`).
"""

from __future__ import annotations

import math

NO_VALUE = "–"  # stands where there is no number
MINUS = "−"
MILLISECONDS_BELOW_S = 10  # a clock shows milliseconds below this, unless they are 0
EXACT_MEMORY_BELOW_MB = 102_400
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS = 1000, 60_000, 3_600_000, 86_400_000
# Below which length to what a duration is rounded, and an estimate; longer ones to minutes, and to hours.
DURATION_STEPS_MS = ((SECOND_MS, 1), (MINUTE_MS, 100), (DAY_MS, SECOND_MS))
ROUGH_STEPS_MS = (
    (SECOND_MS, 1),
    (10 * SECOND_MS, 100),
    (10 * MINUTE_MS, SECOND_MS),
    (HOUR_MS, 10 * SECOND_MS),
    (2 * DAY_MS, MINUTE_MS),
)


def clock(seconds: float, digits: int | None = None) -> str:
    """When, in s: "4:41", "1:02:03", "0:00.250". digits: of parts of a second; without, three below
    MILLISECONDS_BELOW_S, else none.
    """
    if seconds < 0:
        return MINUS + clock(-seconds, digits)
    if digits is None:
        digits = 3 if seconds < MILLISECONDS_BELOW_S and round(1000 * seconds) % 1000 else 0
    whole, part = divmod(int(seconds * 10**digits + 0.5), 10**digits)
    hours, remainder = divmod(whole, 3600)
    text = (
        f"{hours:,}:{remainder // 60:02}:{remainder % 60:02}"
        if hours
        else f"{remainder // 60}:{remainder % 60:02}"
    )
    return f"{text}.{part:0{digits}}" if digits else text


def moment(ms: float) -> str:
    """When, to the millisecond: "4:41", "0:41.137"."""
    whole = round(ms)
    return _strip_zeros(clock(whole / 1000, 3)) if whole % 1000 else clock(whole / 1000, 0)


def duration(ms: float, exact: bool = False, signed: bool = False) -> str:
    """How long: "850 ms", "42.5 s", "4 min 32 s", "2 h 5 min 12 s", "3 d 4 h 5 min".

    exact: to the millisecond, however long. signed: with a + where it is above 0.
    """
    return _duration_text(ms, 1 if exact else _duration_step(ms), signed)


def _duration_step(ms: float) -> int:
    """To how many ms a duration is told."""
    return next((step for below, step in DURATION_STEPS_MS if abs(ms) < below - step / 2), MINUTE_MS)


def rough_duration(ms: float) -> str:
    """An estimate, to three digits or so: "9.4 s", "42 s", "2 min 12 s", "12 min 30 s", "2 h 10 min"."""
    step = next((step for below, step in ROUGH_STEPS_MS if abs(ms) < below - step / 2), HOUR_MS)
    return _duration_text(ms, step)


def _duration_text(ms: float, step: int, signed: bool = False) -> str:
    """In days, hours, minutes and seconds without those that are 0, to the nearest step."""
    rounded = int(abs(ms) / step + 0.5) * step
    sign = "" if not rounded else MINUS if ms < 0 else "+" if signed else ""
    if rounded < SECOND_MS:
        return f"{sign}{rounded} ms" if rounded else "0 s"
    counts = ((rounded // DAY_MS, "d"), (rounded // HOUR_MS % 24, "h"), (rounded // MINUTE_MS % 60, "min"))
    parts = [f"{count:,} {unit}" for count, unit in counts if count]
    if rounded % MINUTE_MS:
        parts.append(f"{_strip_zeros(f'{rounded % MINUTE_MS / 1000:.3f}')} s")
    return sign + " ".join(parts)


def memory(mb: float, exact: bool = False) -> str:
    """Memory: "512 MB", "1.5 GB", "12 TB"; 1 GB = 1024 MB as in YARN. exact: as it was entered, below 100 GB
    in MB unless it is a multiple of 128 MB.
    """
    exact = exact and abs(mb) < EXACT_MEMORY_BELOW_MB
    for unit, size in (("TB", 2**20), ("GB", 2**10)):
        if abs(mb) >= size and not (exact and mb % 128):
            return f"{number(round(mb / size, 3), exact=True) if exact else _one_decimal(mb / size)} {unit}"
    return f"{number(mb, exact=True) if exact else _one_decimal(mb)} MB"


def vcores(number: float) -> str:
    """Virtual cores: "1 vcore", "64 vcores"."""
    return count(number, "vcores")


def count(number: float, noun: str) -> str:
    """A number of things by their plural: "1 container", "1,234 containers"."""
    text = _one_decimal(number)
    plural = "es" if noun.endswith(("ches", "sses")) else "s"
    return f"{text} {noun.removesuffix(plural) if text == '1' else noun}"


def percent(share: float, signed: bool = False) -> str:
    """A share of 1: "61.3 %", "−4 %"; signed: with a + where it is above 0."""
    if not math.isfinite(share):
        return NO_VALUE if math.isnan(share) else f"{number(share)} %"
    text = _one_decimal(100 * abs(share))
    sign = "" if text == "0" else MINUS if share < 0 else "+" if signed else ""
    return f"{sign}{text} %"


def whole_percent(share: float, signed: bool = False) -> str:
    """As `percent`, to be read at a glance: "21 %", below a tenth "6.1 %"."""
    return percent(share if abs(share) < 0.1 else round(share, 2), signed)


def amount(value: float | None, unit: str) -> str:
    """A metric's value by its unit: "s", "share", "x", "MB", or a plural noun; a dash where there is none."""
    if value is None:
        return NO_VALUE
    formatters = {
        "s": lambda: duration(1000 * value),
        "share": lambda: percent(value),
        "x": lambda: f"{value:,.2f} x",
        "MB": lambda: memory(value),
    }
    return formatters[unit]() if unit in formatters else count(value, unit)


def estimate(mean: float, half: float, unit: str, is_difference: bool = False) -> str:
    """A mean and half of its interval: "6 min 52.4 s ± 14.2 s", "+3 pp ± 0.4 pp"; the mean alone where half
    is 0, for it is exact, or nan, for nobody knows. is_difference: with its sign, and of shares in percentage
    points.
    """
    if math.isnan(mean):
        return NO_VALUE
    sign = ("+" if mean > 0 else MINUS if mean < 0 else "") if is_difference else ""
    size = abs(mean) if is_difference else mean
    if math.isnan(half) or half == 0:
        text = sign + amount(size, unit)
    elif unit == "s":  # the mean is told as finely as its interval
        text = f"{sign}{_duration_text(1000 * size, _duration_step(1000 * half))} ± {duration(1000 * half)}"
    else:
        text = f"{sign}{amount(size, unit)} ± {amount(half, unit)}"
    return text.replace(" %", " pp") if is_difference and unit == "share" else text


def number(value: float | None, exact: bool = False) -> str:
    """A bare number, whole or to four significant digits: "301", "0.3125", "12,346", "1.2 × 10⁻⁷"; a dash
    where there is none. exact: as it was entered, to ten digits.
    """
    if value is None or math.isnan(value):
        return NO_VALUE
    sign, size = MINUS if value < 0 else "", abs(value)
    if math.isinf(size):
        return f"{sign}∞"
    if exact:
        return f"{sign}{size:,.10g}"
    if size < 1e9 and size == round(size):
        return f"{sign}{size:,.0f}"
    if 1e-4 <= size < 1e9:
        return sign + _strip_zeros(f"{size:,.{max(3 - math.floor(math.log10(size)), 0)}f}")
    mantissa, power = f"{size:.3e}".split("e")
    return f"{sign}{_strip_zeros(mantissa)} × 10{str(int(power)).translate(SUPERSCRIPTS)}"


def quantity(value: float | str | None, unit: str) -> str:
    """A number of any unit: times, shares and memory as `amount`, others as `number` with the unit behind it;
    words as they are.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or not math.isfinite(value) or not unit:
        text = number(value)
        return f"{text} {unit}" if unit and text != NO_VALUE else text
    if unit == "ms":
        return duration(value)
    if unit in ("s", "share", "MB") or (len(unit) > 2 and unit.isalpha() and value == 1):
        return amount(value, unit)
    return f"{number(value)} {unit}"


def title_with_unit(title: str, unit: str) -> str:
    """A title with its unit in brackets, unless it names that already, as "Maps finished" does."""
    return f"{title} ({unit})" if unit and unit not in title.lower().split() else title


def display_unit(unit: str) -> tuple[float, str]:
    """By what the numbers of a column or axis are multiplied, and the unit its title then names."""
    return {"ms": (0.001, "s"), "share": (100, "%")}.get(unit, (1, unit))


def _one_decimal(value: float) -> str:
    """Half rounds up, as assets/scripts/page/quantities.ts does."""
    tenths = int(10 * abs(value) + 0.5)
    text = f"{tenths // 10:,}" + (f".{tenths % 10}" if tenths % 10 else "")
    return MINUS + text if value < 0 and tenths else text


def _strip_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
