"""The notebooks among the documents: stored without outputs, and run cell by cell in a real kernel of an
environment in which Gantry is installed.
"""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.conftest import ROOT
from tests.webapp.package.installation import Installation
from webapp.documents import library

FOLDER = ROOT / "webapp" / "docs" / "notebooks"
HTML, TEXT, SVG = "text/html", "text/plain", "image/svg+xml"
CHART = '<svg viewBox="'
# of each cell of code: the kind of its output, and how often what stands in it
CELLS: dict[str, list[tuple[str, dict[str, int]]]] = {
    "compare-schedulers": [
        (HTML, {CHART: 1, "<td>5 min 11 s</td>": 3}),
        (HTML, {CHART: 3, "★ 4 min 52 s": 3}),
        (TEXT, {"310.919": 1, "wordcount": 4}),
        (TEXT, {"124": 3}),
        ("stdout", {"wordcount4": 1}),
    ],
    "bring-a-history": [
        ("stdout", {"capacity(resources=memory)+am-limit(limit=0.5)": 2}),
        (HTML, {CHART: 2, "<td>2 min 11 s</td>": 1}),
        (HTML, {"<p>": 3, "<details>": 1}),
        (TEXT, {"sleep-": 6}),
        (TEXT, {"makespan_s": 1}),
    ],
    "study-for-a-paper": [
        (HTML, {"<td>": 12, "★": 6, "<details>": 1}),
        (TEXT, {"129.949875": 1, "  10": 3}),
        ("stdout", {}),
        (SVG, {"<svg": 1}),
    ],
}


def test_the_notebooks_are_these() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CELLS)


@pytest.mark.parametrize("name", CELLS)
def test_each_cell_shows_what_it_says(
    name: str, installed_gantry: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", 4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    kernel = tmp_path / "kernels" / "installed" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    words = [str(installed_gantry.python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": words, "display_name": "installed", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv(
        "NUMBA_DISABLE_JIT", "1"
    )  # an installation has its own cache: nothing is compiled in it
    monkeypatch.delenv("PYTHONPATH", raising=False)
    folder = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, kernel_name="installed", resources=folder).execute()
    for cell, (kind, wanted) in zip(cells, CELLS[name], strict=True):
        assert not [output for output in cell.outputs if output.get("name") == "stderr"]
        shown = "".join(
            output.get("data", {}).get(kind, "") if kind != output.get("name") else output["text"]
            for output in cell.outputs
        )
        assert {text: shown.count(text) for text in wanted} == wanted, cell.source
    assert name != "study-for-a-paper" or len((tmp_path / "runs.csv").read_text().splitlines()) == 61


def test_help_shows_a_notebook_as_a_document() -> None:
    document = library().documents["notebooks/compare-schedulers"]
    assert document.title == "Compare schedulers"
    [first, *_] = [node.content for node in document.tree.children if node.type == "fence"]
    assert first.startswith("import gantry\n")
