"""A record's field is declared once; its place, memory, snapshot and description follow."""

from __future__ import annotations

import numpy as np

from engine import run_records
from engine.resource_types import MEMORY, VCORES
from engine.run_records import (
    AMOUNT,
    NUMBER,
    WORD,
    Amounts,
    Flags,
    Floats,
    Ints,
    Record,
    Size,
    Table,
    amount,
    amounts,
    array,
    given,
    laid_out,
    number,
)
from tests.documents import fields_table


class Counts(Record):
    """What happened."""

    total: int = number("", "so far", initial=3)
    mean_ms: float = number("ms", "of all")
    cluster_resource: Amounts = amount("of all nodes", initial=4)
    per_node: Ints = array(run_records.NODE, "", "of a node", initial=-1)


class Marks(Record):
    """What is marked."""

    is_marked: Flags = array(run_records.JOB, "", "1: it is")
    weight: Floats = array(Size(run_records.JOB, 2), "", "of a job, twice", when=run_records.RANKS)
    free_resource: Amounts = amounts(run_records.NODE, "of a node", initial=2)
    given: Ints = given(run_records.NODE, "", "known before")


@laid_out
class Both(Table, Counts, Marks):
    """All of them."""


def _both(*conditions: str) -> Both:
    sizes = {run_records.NODE: 5, run_records.JOB: 3}
    return Both.allocate(sizes, conditions, Both.given_arrays({"given": np.arange(4)}))


def test_every_field_has_its_type_size_and_first_value() -> None:
    table = _both(run_records.RANKS)
    assert (table.total, table.mean_ms) == (3, 0.0)
    assert table.per_node.tolist() == [-1] * 5 and table.per_node.dtype == np.int64
    assert table.is_marked.tolist() == [0] * 3 and table.is_marked.dtype == np.int8
    assert table.weight.tolist() == [0.0] * 6 and table.weight.dtype == np.float64
    assert table.given.tolist() == [0, 1, 2, 3]


def test_a_field_of_amounts_has_a_row_for_each_resource() -> None:
    table = _both()
    table.free_resource[MEMORY, 1], table.cluster_resource[VCORES, 0] = 7, 9
    assert table.free_resource.tolist() == [[2, 7, 2, 2, 2], [2] * 5]
    assert (table.free_memory[1], table.free_vcores[1]) == (7, 2)
    assert (table.cluster_memory, table.cluster_vcores) == (4, 9)
    table.free_vcores[4], table.cluster_memory = 3, 5
    assert (table.free_resource[VCORES, 4], table.cluster_resource[MEMORY, 0]) == (3, 5)


def test_what_only_some_runs_have_is_empty_in_others() -> None:
    assert len(_both().weight) == 0 and len(_both().is_marked) == 3


def test_the_table_says_where_each_number_and_array_is() -> None:
    table = _both(run_records.RANKS)
    words = table.block
    for name, place in Both.layout.places.items():
        value = getattr(table, name)
        if place.form == NUMBER:
            assert words[place.word : place.word + 1].view(place.kind)[0] == value
        elif place.form == AMOUNT:
            assert table.address + WORD * place.word == value.ctypes.data
        else:
            address, length = words[place.word : place.word + 2].tolist()
            assert (address + WORD * length * place.row, length) == (value.ctypes.data, value.shape[-1])
    assert table.address == words.ctypes.data


def test_one_copy_of_the_block_keeps_all_that_a_run_writes() -> None:
    table = _both(run_records.RANKS)
    kept = table.block.copy()
    table.total, table.mean_ms = 7, 0.5
    table.per_node[2], table.is_marked[1], table.weight[5] = 8, 1, 2.5
    table.block[:] = kept
    assert (table.total, table.mean_ms, table.per_node[2], table.is_marked[1], table.weight[5]) == (
        3,
        0,
        -1,
        0,
        0,
    )


def test_a_table_with_further_arrays_shares_its_numbers_and_its_own() -> None:
    table = _both()
    wider = table.extended({"mine": np.ones(2)})
    wider.total, wider.per_node[0] = 9, 4
    assert (table.total, table.per_node[0]) == (9, 4)
    assert wider.mine.tolist() == [1.0, 1.0] and not hasattr(table, "mine")  # type: ignore[attr-defined]


def test_a_field_says_what_it_is() -> None:
    field = Both.layout.fields["mean_ms"]
    assert (field.record, field.unit, field.meaning) == ("Counts", "ms", "of all")


def test_a_field_that_is_added_is_allocated_kept_and_documented() -> None:
    class Deadlines(Record):
        """What a change adds."""

        job_deadline: Ints = array(run_records.JOB, "ms", "after its arrival", initial=60_000)

    @laid_out
    class Wider(Table, Counts, Marks, Deadlines):
        """As Both, and what was added."""

    known = Wider.given_arrays({"given": np.arange(5)})
    table = Wider.allocate({run_records.NODE: 5, run_records.JOB: 3}, (), known)
    assert table.job_deadline.tolist() == [60_000] * 3
    kept = table.block.copy()
    table.job_deadline[1] = 5
    table.block[:] = kept
    assert table.job_deadline[1] == 60_000
    row = fields_table(Wider.layout.fields).splitlines()[-1]
    assert [cell.strip() for cell in row.strip("|").split("|")] == [
        "`job_deadline`",
        "int64",
        "job",
        "ms",
        "after its arrival",
    ]
