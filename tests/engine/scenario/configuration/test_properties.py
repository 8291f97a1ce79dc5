"""Hadoop's Configuration: variables, final, include, attributes, names that stand twice."""

from __future__ import annotations

import pytest

from engine.errors import FormatError
from tests.engine.scenario.configuration.files import alone, notes, of_properties
from tests.phrases import phrase

BEAT = "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms"
CLASS = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler"
FIFO = f"<property><name>yarn.resourcemanager.scheduler.class</name><value>{CLASS}</value></property>"


def beat(*texts: str) -> tuple[int, list[str]]:
    made = alone(
        *(
            f"<configuration>{FIFO if not place else ''}\n{text}\n</configuration>".encode()
            for place, text in enumerate(texts)
        )
    )
    return made.scenario.cluster.heartbeat_ms, [note for note in notes(made) if "scheduler.class" not in note]


def prop(value: str, more: str = "", name: str = BEAT) -> str:
    return f"<property><name> {name} </name><value>{value}</value>{more}</property>"


def test_attributes_stand_for_elements() -> None:
    assert beat(f'<property name="{BEAT}" value="300"/>') == (300, [])


def test_blanks_around_a_name_count_in_an_attribute_alone() -> None:
    told = phrase("configuration.line_name_with_blanks", "1.xml", 2, BEAT)
    assert beat(f'<property name=" {BEAT} " value="300"/>') == (1000, [told])
    assert beat(f'<property name=" " value="300"><name> {BEAT} </name></property>') == (300, [])


def test_variables_are_filled_in() -> None:
    assert beat(prop("${a}00", name=BEAT) + "\n" + prop("${b}", name="a") + prop("3", name="b"))[0] == 300
    result = beat(prop("${a}00") + "\n" + prop("3", name="a"))
    assert result[1][0] == phrase("configuration.line_read_as", "1.xml", 2, BEAT, 300)


def test_variables_that_nothing_gives_and_circles() -> None:
    with pytest.raises(
        FormatError,
        match=phrase("configuration.line_must_be_whole_number", 2, r"yarn\S+", r"'\$\{a\}'") + "$",
    ):
        beat(prop("${a}"))
    assert beat(prop("${env.HOME}", name="a"))[1][0] == phrase(
        "configuration.line_holds_which_no_file", "1.xml", 2, "${env.HOME}"
    )
    assert (
        phrase("configuration.which_no_file_here_gives")
        in beat(prop("${b}", name="a") + prop("${a}", name="b"))[1][0]
    )
    doubling = "".join(prop(f"${{v{n + 1}}}" * 9, name=f"v{n}") for n in range(40))
    assert phrase("configuration.which_no_file_here_gives") in beat(doubling)[1][0]


def test_what_is_final_stays() -> None:
    result, notes = beat(prop("300", "<final>true</final>"), prop("400"))
    assert (result, notes[1]) == (
        300,
        phrase("configuration.line_not_read_final_in", "2.xml", 2, BEAT, "1.xml", 2),
    )


def test_only_the_word_true_is_final() -> None:
    assert beat(prop("300", "<final> true </final>"), prop("400"))[0] == 400


def test_properties_may_stand_deeper_and_have_a_prefix() -> None:
    assert beat(f"<group>{prop('300')}</group>") == (300, [])
    assert beat(f'<a:property xmlns:a="b">{prop("300")[10:-11]}</a:property>') == (300, [])


def test_the_last_counts() -> None:
    result, notes = beat(prop("300"), prop("400"))
    assert (result, notes) == (
        400,
        [phrase("configuration.line_stands_in_line_too", "2.xml", 2, BEAT, "1.xml", 2)],
    )


def test_what_stands_twice_alike_is_not_told() -> None:
    assert beat(prop("300"), prop(" 300 ")) == (300, [])


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            '<xi:include href="other.xml"/>',
            phrase("configuration.line_includes_which_not_read", "1.xml", 2, "'other.xml'"),
        ),
        ("<properties/>", phrase("configuration.line_no_and_not_read", "1.xml", 2)),
        (
            "<property><value>1</value></property>",
            phrase("configuration.line_property_without_name", "1.xml", 2),
        ),
        ("<property><name>a</name></property>", phrase("configuration.line_has_no_value_and", "1.xml", 2)),
    ],
)
def test_what_is_told(text: str, note: str) -> None:
    assert beat(text) == (1000, [note])


def test_too_many_notes_are_counted() -> None:
    made = alone(of_properties({f"a{n}": "b" for n in range(600)}))
    assert str(made.notes[-1]) == phrase("configuration.configuration_more_notes_left_out", 101)
