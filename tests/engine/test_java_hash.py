"""Hash codes and tables as Java has them: numbers of java.lang.String and java.util.HashMap, known from its
own documentation and arithmetic.
"""

from __future__ import annotations

import pytest

from engine.java_hash import listed_order, spread, table_size, text_code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", 0),
        ("a", 97),
        ("ab", 31 * 97 + 98),
        ("root", ((114 * 31 + 111) * 31 + 111) * 31 + 116),
        ("polygenelubricants", 2**31),
        ("\U0001f600", 31 * 0xD83D + 0xDE00),
    ],
)
def test_a_text_has_the_hash_code_of_a_java_string(text, code):
    assert text_code(text) == code % 2**32


def test_a_table_doubles_beyond_three_quarters():
    assert [table_size(count) for count in (0, 12, 13, 24, 25, 48, 49)] == [16, 16, 32, 32, 64, 64, 128]


def test_the_upper_half_of_a_code_counts():
    assert spread(0x12345678) == 0x12345678 ^ 0x1234


def test_names_are_listed_by_bucket_and_in_one_as_they_came() -> None:
    """a is 97 and b 98, of 16 buckets 1 and 2; both of the others are in the twelfth."""
    assert listed_order(["b", "a"]) == ["a", "b"]
    assert listed_order(["root.etl-2", "root.Mixed"]) == ["root.etl-2", "root.Mixed"]
