"""Whether the golden files know a rule: with it switched off in Gantry, decisions differ."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hadoop.gantry_decisions import difference
from tests.hadoop.referee import golden
from tests.hadoop.scripts import golden_scripts


def differs_without(
    patches: dict[tuple[Any, str], Any], scheduler: str, feature: str, monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Does any script of a feature end otherwise with these names of modules or classes patched? patches:
    (owner, name) -> what stands there instead.
    """
    scripts = golden_scripts(scheduler, feature)
    assert not difference(scripts[0], golden()[scripts[0]["id"]], plain=True)
    for (owner, name), replacement in patches.items():
        monkeypatch.setattr(owner, name, replacement)
    return any(difference(script, golden()[script["id"]], plain=True) for script in scripts)
