"""Whether the golden files know a rule: with it switched off in Gantry, decisions differ."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hadoop.played import difference
from tests.hadoop.referee import golden
from tests.hadoop.scripts import asked_of


def differs_without(patches: dict[tuple[Any, str], Any], scheduler: str, feature: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Does any script of a feature end otherwise with these names of modules or classes patched? patches: (owner, name) -> what stands there instead."""
    asked = asked_of(scheduler, feature)
    assert not difference(asked[0], golden()[asked[0]["id"]], plain=True)
    for (owner, name), other in patches.items():
        monkeypatch.setattr(owner, name, other)
    return any(difference(script, golden()[script["id"]], plain=True) for script in asked)
