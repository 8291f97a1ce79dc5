"""gantry-collect as one file, to be taken where a cluster is: its modules one after another, without the
imports between them.
"""

from __future__ import annotations

import ast
from pathlib import Path

# each uses those before it
MODULES = (
    "kept_fields",
    "anonymiser",
    "rest_client",
    "local_history",
    "archive_folder",
    "event_logs",
    "history_collector",
    "sampler",
    "metrics_sampler",
    "applications_sampler",
    "gantry_collect",
)
FILE = "gantry_collect.py"


def single_file_program() -> bytes:
    """The whole program: the docstring of the last part, every import of the standard library once, then the
    parts.
    """
    imports: set[str] = set()
    bodies = []
    for name in MODULES:
        text = Path(__file__).with_name(f"{name}.py").read_text("utf-8")
        lines, tree = text.splitlines(), ast.parse(text)
        docstring, begin = ast.get_docstring(tree, clean=False), tree.body[0].end_lineno
        for node in tree.body:
            if isinstance(node, ast.Import):
                imports.add(ast.unparse(node))
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                begin = node.end_lineno
        bodies.append("\n".join(lines[begin:]).strip("\n"))
    head = f'#!/usr/bin/env python3\n"""{docstring}"""\n\n' + "\n".join(sorted(imports))
    return ("\n\n\n".join([head, *bodies]) + "\n").encode()
