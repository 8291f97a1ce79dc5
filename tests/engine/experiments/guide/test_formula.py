"""Mathematics in the guides is read, and gives what the papers print and what was worked by hand."""

from __future__ import annotations

import ast
import math

import pytest

from engine.dashboard import guide
from engine.experiments.guide.formula import PRIME, names, parsed, pieces

KNOWN = {"ceil": math.ceil, "exp": math.exp, "log": lambda base, x: math.log(x, base)}


def value(page: str, left: str, **given: object) -> float:
    """What a formula of a page gives for what stands on its left."""
    for line in guide(page).formula:
        for formula in pieces(line):
            if isinstance(formula, ast.Compare) and ast.unparse(formula.left) == left:
                code = compile(ast.Expression(formula.comparators[0]), page, "eval")
                return eval(code, {**KNOWN, **given})
    raise KeyError(left)


def test_words_and_mathematics_take_turns() -> None:
    words, formula, after = pieces("next is `argmax(j, t_fair - t_batch)` here")
    assert (words, after) == ("next is ", " here")
    assert ast.unparse(formula) == "argmax(j, t_fair - t_batch)"
    assert pieces("words alone") == ["words alone"]


def test_equality_is_one_sign_and_a_name_may_have_a_prime() -> None:
    assert ast.unparse(parsed("m' = x <= 1")) == f"m{PRIME} == x <= 1"
    assert names("`m' = 0` and `F_o(m') > max(0, A_o)`") == ["m'", "F_o", "A_o"]


def test_what_is_no_formula_is_refused() -> None:
    with pytest.raises(SyntaxError):
        parsed("1 +")


def test_lazy_start_and_batch_finish_give_omo_7() -> None:
    given = {"r": 2, "F_o": 0.4, "T_m": 20, "A_o": 8, "D": 2}
    given["T_s"] = value("lazy-start", "T_s", d=100, m=40, B=50, r=2)
    assert given["T_s"] == 40
    gaps = [value("lazy-start", "β(x)", x=x, **given) for x in (4, 3, 2)]
    assert gaps == pytest.approx([-6.67, 0, 6.67], abs=0.01)
    given = {"K": 3, "F_o": 0.5, "T_m": 20, "A_o": 10, "r": 2, f"m{PRIME}": 6}
    given["s"] = value("batch-finish", "s", **given)
    found = (value("batch-finish", "t_fair", **given), given["s"], value("batch-finish", "t_batch", **given))
    assert found == pytest.approx((56, 18.667, 31.111), abs=0.001)


@pytest.mark.parametrize("page", ["priority-fifo", "priority-fair", "priority-capacity"])
def test_the_score_gives_what_the_paper_prints(page: str) -> None:
    def score(place: int, run_time: float, waited: float, splits: float) -> float:
        times = {"T_r": lambda i: run_time, "T_w": lambda i: waited}
        return value(page, "p_t(i)", l=3, i=place, k_1=1, k_2=splits, **times)

    # J1, J2 and J3 at 10 s (DYNPRIO-4)
    assert score(2, 2, 4, 1) == 4
    assert score(3, 30, 0, 15) == pytest.approx(0.0667, abs=0.0001)
    assert score(1, 20, 7, 10) == pytest.approx(2.135)


def test_urgency_gives_haste_13() -> None:
    given = {"T_m": 31, "R_m": 0.25, "R_r": 0.25, "A_m": 20, "A_r": 5, "O_r": 5, "O_m": 2}
    given["U_m"] = value("haste", "U_m", **given)
    assert given["U_m"] == pytest.approx(0.806, abs=0.001)
    assert value("haste", "U_r", **given) == pytest.approx(0.728, abs=0.001)


def test_the_factor_of_alignment_follows_its_rule() -> None:
    assert [value("haste-a", "f", p=p) for p in (0.25, 0.5, 0.6)] == [0.75, 0.5, 0]


@pytest.mark.parametrize(("task", "reserves"), [(1, [32, 22, 16, 13]), (4, [52, 43, 37, 32])])
def test_the_reserve_gives_what_the_paper_prints(task: int, reserves: list[int]) -> None:
    found = [value("autoadmin", "R_R", C_R=64, AvgTC_R=task, AvgAMC_R=master) for master in (1, 2, 3, 4)]
    assert list(map(math.ceil, found)) == reserves


def test_annealing_gives_saf_5() -> None:
    measured = value("saf", "T_0", K=1000, p_i=0.5, i=None, sum=lambda i, one: 2 * one)
    assert measured == pytest.approx(301.03, abs=0.01)
    assert value("saf", "p", Δ=0.1, T=measured) == pytest.approx(0.99967, abs=0.00001)
    assert value("saf", "T_k", T_0=measured, α=0.9, k=10) == pytest.approx(104.96, abs=0.01)
