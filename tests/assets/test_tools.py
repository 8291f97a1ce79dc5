"""What many scripts need: formulas made inert, work that waits its turn."""

from __future__ import annotations

import pytest

from tests.scripts import Scripts


@pytest.fixture(scope="module")
def scripts() -> Scripts:
    return Scripts()


def test_what_a_spreadsheet_takes_for_a_formula_is_inert_and_comes_back(scripts: Scripts) -> None:
    cells = [
        "@a",
        "+a",
        "-a",
        "-1+1",
        "=HYPERLINK(1)",
        "\ta",
        "\ra",
        "-5",
        "+1,000.5",
        "-1e3",
        "a=b",
        7,
        -7.5,
    ]
    inert = [
        "'@a",
        "'+a",
        "'-a",
        "'-1+1",
        "'=HYPERLINK(1)",
        "'\ta",
        "'\ra",
        "-5",
        "+1,000.5",
        "-1e3",
        "a=b",
        "7",
        "-7.5",
    ]
    assert scripts.evaluate("(cells) => cells.map(gantry.inert)", cells) == inert
    assert scripts.evaluate("(cells) => cells.map(gantry.uninert)", inert) == [str(cell) for cell in cells]


def test_rested_work_is_done_once_nobody_has_asked_again(scripts: Scripts) -> None:
    scripts.evaluate(
        "() => { window.done = 0; window.work = gantry.rested(() => (done += 1), 300); work(); }"
    )
    scripts.passes(299)
    scripts.evaluate("work()")
    scripts.passes(299)
    assert scripts.evaluate("done") == 0
    scripts.passes(1)
    assert scripts.evaluate("done") == 1


def test_of_what_is_asked_for_meanwhile_the_last_alone_is_done(scripts: Scripts) -> None:
    scripts.evaluate(
        "() => { window.did = []; window.draw = gantry.latest(async (wish) => { did.push(wish); await "
        "gantry.wait(100); }); }"
    )
    scripts.evaluate("() => { for (const wish of [1, 2, 3]) draw(wish); }")
    assert scripts.evaluate("did") == [1]
    scripts.passes(100)
    assert scripts.evaluate("did") == [1, 3]
    scripts.passes(100)
    scripts.evaluate("() => void draw(4)")
    assert scripts.evaluate("did") == [1, 3, 4]


def test_a_message_is_filled_in_once(scripts: Scripts) -> None:
    scripts.evaluate("() => void (gantry.messages['a.b'] = '{one} of {two}, {one}')")
    assert scripts.evaluate("gantry.msg('a.b', { one: '{two} $&', two: 3 })") == "{two} $& of 3, {two} $&"
    assert scripts.evaluate("gantry.msg('a.b')") == "{one} of {two}, {one}"
