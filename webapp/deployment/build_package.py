"""Lays engine/, webapp/ and assets/ into the one package that is installed, gantry: as top-level modules they
would meet others of these names. Hatchling calls it for a wheel.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "gantry"
FOLDERS = ("engine", "webapp", "assets")
OWN = "webapp/package"  # what of the package is its own: it stands at its top
# of a checkout alone; gantry.js and tour.js are built of assets/scripts
LEFT_OUT = ("assets/scripts", "webapp/deployment/build_package.py")
SOURCES = {".py", ".pyi"}


class BuildPackage(BuildHookInterface):
    """The hook that pyproject.toml names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Tells Hatchling which files go where; ValueError for an editable install."""
        if version == "editable":
            raise ValueError("Gantry can't be installed editable: in its folder, python -m engine runs it")
        self._renamed = TemporaryDirectory()
        root = Path(self.root)
        for place, path in packaged_files(root):
            source = path
            if path.suffix in SOURCES:
                source = Path(self._renamed.name, place)
                source.parent.mkdir(parents=True, exist_ok=True)
                source.write_bytes(within_package(path.read_bytes()))
            build_data["force_include"][str(source)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the renamed sources, which the wheel holds now."""
        self._renamed.cleanup()


def packaged_files(root: Path) -> Iterator[tuple[str, Path]]:
    """Where each file stands in the wheel, and the file."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_file() and "__pycache__" not in path.parts and not name.startswith(LEFT_OUT):
                yield f"{PACKAGE}/{name.removeprefix(f'{OWN}/')}", path


def within_package(source: bytes) -> bytes:
    """The source with imports of our folders' modules from within the package; ValueError for one that binds
    the folder's own name.
    """
    lines = source.split(b"\n")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_ours(alias.name):
                    raise ValueError(f"import {alias.name}: is to be written as from {alias.name} import …")
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_ours(node.module or ""):
            line, name = lines[node.lineno - 1], (node.module or "").encode()
            start = line.index(name, node.col_offset)
            lines[node.lineno - 1] = line[:start] + f"{PACKAGE}.".encode() + line[start:]
    return b"\n".join(lines)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in FOLDERS
