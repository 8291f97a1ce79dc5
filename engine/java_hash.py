"""How java.util.HashMap lists what it holds, which decides wherever Hadoop goes through one: by buckets,
which follow from hashes and the size of its table.
"""

from collections.abc import Collection

WORD = 2**32
MIN_TABLE = 16


def table_size(count):
    """Of a map that has held so many; it grows once they are more than three quarters of it."""
    table = MIN_TABLE
    while 3 * table < 4 * count:
        table *= 2
    return table


def spread(code):
    """HashMap.hash: the upper half of a hash code counts in small tables too."""
    return code ^ (code >> 16)


def text_code(text: str) -> int:
    """String.hashCode, without its sign."""
    code, units = 0, text.encode("utf-16-be")
    for place in range(0, len(units), 2):
        code = (31 * code + 256 * units[place] + units[place + 1]) % WORD
    return code


def listed_order(names: Collection[str]) -> list[str]:
    """The order in which a java.util.HashSet or HashMap lists what was put into it one after another."""
    table = table_size(len(names))
    return sorted(names, key=lambda name: spread(text_code(name)) % table)
