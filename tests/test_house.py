"""The house rules: who may import whom, and what no committed file may say."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter

import pytest

from engine import codes
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import Policy
from tests.conftest import ROOT
from tests.import_graph import CODE, OUTSIDE, SOURCES, STUBS, files, imports, module, short, tree

LAYERED = {
    "decision",
    "difference",
    "fair_shares",
    "fragmentation",
    "gallery",
    "guide",
    "model",
    "papers",
    "parameter_sweep",
    "prediction",
    "question",
    "questions",
    "replications",
    "schedulers",
    "signals",
    "slowstart",
}
PUBLIC = (*STUBS, "engine.quantities")  # what the page may import from: names, and how numbers are told
COMMANDS = ("engine.__main__", "engine.collect.gantry_collect")  # which the command gantry calls


def room(name: str) -> str:
    """The folder of engine or webapp a module stands in; a module at their root is a room of its own."""
    return ".".join(name.split(".")[:2])


@cache
def laws() -> dict[str, set[str]]:
    """What each room may import of its own side, as the docstring of its __init__.py says."""
    by_name = {}
    for side in ("engine", "webapp"):
        for path in sorted((ROOT / side).glob("*/__init__.py")):
            law = re.search(r"^May import: ([^.]*)\.$", ast.get_docstring(tree(path)) or "", re.MULTILINE)
            assert law, f"{short(path)} does not say what its folder may import"
            by_name[room(module(path))] = {f"{side}.{other}" for other in re.split(r",\s+", law[1])}
    return by_name


@cache
def texts() -> list[tuple[str, str]]:
    """Every text file of the project and what it says."""
    rows = []
    for path in files():
        try:
            rows.append((short(path), path.read_text("utf-8")))
        except UnicodeDecodeError:
            continue
    return rows


MAX_COLUMNS = 110  # of Python ruff holds it
# What can't be broken, or is written by others: code in documents and their generated parts, rows of tables,
# pictures, data in addresses.
RECORDED = r"/(?:vendor|messages|phrases|numbers)/|^assets/(?:gantry|tour)\.js$"
UNBREAKABLE = re.compile(
    r"^ *```.*?^ *```|<!-- generated: ([\w-]+) -->.*?<!-- end of generated: \1 -->|^ *(?:\||!\[|<img ).*?$"
    r"|^[^\n]*url\(\"data:.*?$",
    re.DOTALL | re.MULTILINE,
)


def none_of(wrong: Iterable[str]) -> None:
    """Fails with all that is wrong, a line each."""
    lines = list(wrong)
    assert not lines, "\n".join(["", *lines])


def test_imports_are_written_in_full() -> None:
    relative = re.compile(r"^[ \t]*from \.", re.MULTILINE)
    none_of(f"{short(path)}: a relative import" for path in CODE if relative.search(path.read_text("utf-8")))


def test_a_room_imports_what_its_law_says() -> None:
    wrong = []
    for path in SOURCES:
        own = room(module(path))
        allowed = {own, "engine", *laws().get(own, ()), *(PUBLIC if own.startswith("webapp") else ())}
        if own == "webapp.package":
            allowed |= set(map(room, COMMANDS))
        for name in sorted(imports(path)):
            other, side = room(name), name.split(".")[0]
            if own in laws() and side in ("engine", "webapp") and other not in allowed:
                wrong.append(f"{short(path)} imports {name}, which the law of {own} does not allow")
            if side == "tests":
                wrong.append(f"{short(path)} imports a test: {name}")
    none_of(wrong)


def test_imports_go_one_way() -> None:
    """No law allows a circle, and no modules import each other in one; what only types need may come from the
    table that a part's own record is laid out in.
    """
    tuple(TopologicalSorter(laws()).static_order())
    graph = {module(path): imports(path, for_types=False) - {module(path)} for path in SOURCES}
    tuple(TopologicalSorter(graph).static_order())


def test_what_reads_runs_never_simulates() -> None:
    what_runs = tuple(
        f"engine.simulation.{name}"
        for name in ("simulate", "policy_binding", "kernel", "hadoop", "applications")
    )
    reads = [path for folder in ("analysis", "output") for path in (ROOT / "engine" / folder).rglob("*.py")]
    assert len(reads) > 20
    none_of(
        f"{short(path)} imports {name}"
        for path in reads
        for name in imports(path)
        if name.startswith(what_runs)
    )


def test_an_application_is_asked_through_its_seam() -> None:
    applications, seam = "engine.simulation.applications", "engine.simulation.applications.seam"
    outside = [path for path in SOURCES if not module(path).startswith(applications)]
    assert any(seam in imports(path) for path in outside)
    none_of(
        f"{short(path)} imports {name}, not {seam}"
        for path in outside
        for name in sorted(imports(path))
        if name.startswith(applications) and name != seam
    )


def test_a_rule_of_hadoop_names_the_class_it_follows() -> None:
    a_class = re.compile(
        r"\b(?!FairScheduler\b|CapacityScheduler\b|ApplicationMasters?\b)[A-Z]\w*[a-z][A-Z]\w*"
    )
    rooms = ("engine.simulation.hadoop.", "engine.schedulers.hadoop.")
    rules = [path for path in SOURCES if module(path).startswith(rooms)]
    assert len(rules) > 20
    none_of(
        f"{short(path)} names no class of Hadoop"
        for path in rules
        if path.stem != "__init__" and not a_class.search(ast.get_docstring(tree(path)) or "")
    )


def test_no_test_s_file_is_imported() -> None:
    """What tests share stands in a module of its own beside them."""
    result = ((path, name) for path in CODE if path.is_relative_to(ROOT / "tests") for name in imports(path))
    none_of(
        f"{short(path)} imports {name}"
        for path, name in result
        if name.rpartition(".")[2].startswith("test_")
    )


def test_one_module_one_name() -> None:
    """Two modules share a name only where they are one thing in several layers, or papers' rooms of the same
    kind.
    """
    named: dict[str, list[str]] = {}
    for path in SOURCES:
        if path.stem not in ("__init__", "__main__") and "papers" not in path.parent.parts[:-1]:
            named.setdefault(path.stem, []).append(short(path))
    shared = {name: paths for name, paths in named.items() if len(paths) > 1}
    assert set(shared) <= LAYERED, (
        f"these modules share a name: {[paths for name, paths in shared.items() if name not in LAYERED]}"
    )


def test_the_page_uses_the_public_names_of_the_engine_only() -> None:
    page = [path for path in SOURCES if module(path).startswith("webapp")]
    assert len(page) > 100
    none_of(
        f"{short(path)} may import from {', '.join(PUBLIC)}, not from {name}"
        for path in page
        for name in sorted(imports(path))
        if name.startswith("engine.") and name not in PUBLIC
        if not (name in COMMANDS and room(module(path)) == "webapp.package")
    )


ROLES = ("order", "reduce_start", "admission")
POLICIES = sorted(
    path
    for role in ROLES
    for path in (ROOT / "engine" / "schedulers" / role).glob("*.py")
    if path.stem != "__init__"
)
TERMS = sorted(
    path
    for room in ("terms", "hadoop")
    for path in (ROOT / "engine" / "schedulers" / room).glob("*.py")
    if path.stem != "__init__"
)
INDEXES = sorted(
    path for path in (ROOT / "engine" / "schedulers" / "indexes").glob("*.py") if path.stem != "__init__"
)
SEEN = (
    "engine.java_hash",
    "engine.resource_types",
    "engine.schedulers.amounts",
    "engine.schedulers.view",
    "engine.schedulers.policy",
    "engine.schedulers.terms",
    "engine.schedulers.hadoop",
    *(f"engine.schedulers.{role}" for role in ROLES),
)
INDEX = "engine.schedulers.indexes"


def test_a_policy_knows_the_view_and_terms_alone() -> None:
    """And, of an order, its index; an index knows no policy."""
    allowed = (
        (POLICIES, (*SEEN, INDEX)),
        (TERMS, SEEN),
        (INDEXES, (*SEEN[1:7], INDEX)),
    )
    assert len(POLICIES) > 20 and len(TERMS) > 10 and len(INDEXES) > 5
    none_of(
        f"{short(path)} may import {', '.join(seen)}, not {name}"
        for paths, seen in allowed
        for path in paths
        for name in sorted(imports(path))
        if name.startswith("engine") and not name.startswith(seen)
    )


MAX_PARAMETERS = 7


def test_a_function_of_the_kernel_or_a_policy_has_few_parameters() -> None:
    """But for what the kernel calls of a policy, whose parameters name the fields that it reads."""
    policies = [policy for of_role in CATALOGUE.values() for policy in of_role.values()]
    bound = {
        (function.__code__.co_filename, function.__code__.co_firstlineno)
        for policy in policies
        for function in (policy.function, policy.preempt, policy.on_jobs, policy.index and policy.index.find)
        if function
    }
    none_of(
        f"{short(path)}:{node.lineno}: {node.name} has {len(node.args.args)} parameters"
        for path in SOURCES
        if module(path).startswith(("engine.simulation.", "engine.schedulers."))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef) and len(node.args.args) > MAX_PARAMETERS
        if (str(path), node.lineno) not in bound
    )


def test_every_policy_is_in_the_catalogue() -> None:
    wrong = []
    for path in POLICIES:
        values = vars(importlib.import_module(module(path))).values()
        own = [one for one in values if isinstance(one, Policy) and one.function.__module__ == module(path)]
        for policy in own:
            if CATALOGUE[policy.role].get(policy.name) is not policy:
                wrong.append(f"{policy.name} has no line in engine/schedulers/catalogue.py")
        if not own and not any(module(path) in imports(other) for other in POLICIES):
            wrong.append(f"{short(path)} defines no Policy, and no policy uses it")
    none_of(wrong)


BELONGS = {  # a package, and the files that may import it
    "numba": r"engine/numba_(linking|types)\.py",
    "dash": r"webapp/(?!figures/|runs/|jobs/|http/|url/|report/).*",
    "plotly": r"webapp/.*",
    "sqlalchemy": r"webapp/.*",
    "flask": r"webapp/.*",
    "optuna": r"engine/studies/proposals\.py",
    "ortools": r"engine/bounds/optimum/plan_(model|search)\.py",
}


def test_a_package_is_imported_where_it_belongs() -> None:
    used = {(path, name.split(".")[0]) for path in SOURCES for name in imports(path)}
    assert {package for _, package in used} >= set(BELONGS)
    misplaced = [
        (path, package) for path, package in used if not re.fullmatch(BELONGS.get(package, ".*"), short(path))
    ]
    none_of(sorted(f"{short(path)} may not import {package}" for path, package in misplaced))


def test_the_top_level_is_fixed() -> None:
    rooms = {"assets", "engine", "tests", "webapp"}
    files = {
        "LICENSE",
        "Makefile",
        "Procfile",
        "README.md",
        "package.json",
        "package-lock.json",
        "pyproject.toml",
        "requirements.txt",
        "requirements-test.txt",
        "requirements-spark.txt",
    }
    made = {"build", "dist", "bench.json", "node_modules"}
    names = {
        path.name
        for path in ROOT.iterdir()
        if not path.name.startswith(".") and not path.name.endswith(".egg-info")
    }
    assert names - made == rooms | files


def test_no_line_is_too_long() -> None:
    """Of scripts, style sheets, documents and settings; a sentence of a catalogue stands on one."""
    wrong = []
    for name, text in texts():
        if not re.search(r"\.(?:ts|js|css|md|toml)$", name) or re.search(RECORDED, name):
            continue
        breakable = UNBREAKABLE.sub(lambda found: "\n" * found[0].count("\n"), text)
        wrong += [
            f"{name}:{number}: {len(line)} columns"
            for number, line in enumerate(breakable.split("\n"), 1)
            if len(line) > MAX_COLUMNS
        ]
    none_of(wrong)


# Written so that the patterns do not match themselves.
@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a folder of one machine", r"(?<![\w.*])/(?:hom[e]|roo[t]|User[s]|wor[k])/\w|\b[A-Z]:\\\w"),
        (
            "a registry's or another server's host",
            r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|unpkg\.com|jsdelivr\.net|cdnjs\.|fonts\.g\w+\.com",
        ),
        ("something left undone", r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b"),
    ],
)
def test_no_file_names(what: str, pattern: str) -> None:
    assert len(texts()) > 500
    none_of(
        f"{name} names {what}: {result[0]}" for name, text in texts() for result in re.finditer(pattern, text)
    )


def test_the_lock_pins_everything_with_hashes() -> None:
    for name, least in (
        ("requirements.txt", 20),
        ("requirements-test.txt", 20),
        ("requirements-spark.txt", 2),
    ):
        pins = re.findall(
            r"^\S+==\S+(?: ;.*)? \\\n    --hash=sha256:", (ROOT / name).read_text(), re.MULTILINE
        )
        named = [line for line in (ROOT / name).read_text().splitlines() if line[:1].isalnum()]
        assert len(pins) == len(named) >= least
        assert "://" not in (ROOT / name).read_text()


def test_each_folder_of_tests_mirrors_a_source() -> None:
    own = {
        "bench",
        "browser",
        "faults",
        "fuzz",
        "hadoop",
        "load",
        "oracle",
        "phrases",
        "pictures",
        "scripts",
        "examples",
        "data",
    }
    for folder in (path for path in (ROOT / "tests").rglob("*") if path.is_dir()):
        parts = folder.relative_to(ROOT / "tests").parts
        if not (set(parts) & (own | OUTSIDE)):
            assert ROOT.joinpath(*parts).is_dir(), f"{short(folder)} mirrors no source"


CODES = ROOT / "engine" / "codes.py"
INFINITIES = {codes.INFINITE, 2**40, 2**63 - 1}  # written out, whatever for
REQUESTS = {"job", "jobs", "request", "requests"}
CODED = {"kind", "outcome"}  # what a literal number may not stand for


def test_codes_imports_nothing_of_the_project() -> None:
    assert not {name for name in imports(CODES) if name.startswith(("engine", "webapp"))}


def test_a_code_has_its_name() -> None:
    """Infinities, kinds of requests and outcomes are those of engine/codes.py: no literal stands in their
    place, and no module gives one of these names another number.
    """
    names = set(_numbers(tree(CODES)))
    assert len(names) > 60
    wrong = []
    for path in SOURCES:
        if path == CODES:
            continue
        module_tree = tree(path)
        wrong += [
            f"{short(path)}:{node.lineno} has a literal in place of a name of engine/codes.py: "
            f"{ast.unparse(node)}"
            for node in ast.walk(module_tree)
            if _is_infinity(node) or _is_request_arithmetic(node) or _is_compared_code(node)
        ]
        wrong += [
            f"{short(path)} defines {name}, which stands in engine/codes.py"
            for name in sorted(names & set(_numbers(module_tree)))
        ]
    none_of(wrong)


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("2**62", True),
        ("1 << 62", True),
        ("4611686018427387904", True),
        ("np.iinfo(np.int64).max", True),
        ("2**31", False),
        ("3 * job + kind", True),
        ("c.job[tasks] * 3", True),
        ("request % 3", True),
        ("int(requests[b]) // 3", True),
        ("3 * len(c.job)", False),
        ("x // 3", False),
        ("c.kind == 2", True),
        ("kind[i] != 0", True),
        ("1 == outcome", True),
        ("kind == MAP", False),
        ("kind < 0.5", False),
    ],
)
def test_what_counts_as_a_literal_code(text: str, is_wrong: bool) -> None:
    nodes = list(ast.walk(ast.parse(text)))
    assert (
        any(_is_infinity(n) or _is_request_arithmetic(n) or _is_compared_code(n) for n in nodes) == is_wrong
    )


def _numbers(module_tree: ast.Module) -> Iterable[str]:
    """The constants that a module gives numbers."""
    for node in module_tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value and _is_number(node.value):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.Tuple):
        return all(map(_is_number, value.elts))
    if isinstance(value, ast.BinOp):
        return _is_number(value.left) and _is_number(value.right)
    if isinstance(value, ast.UnaryOp):
        return _is_number(value.operand)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("range", "len")
    if isinstance(value, ast.Name):
        return value.id.isupper()
    return isinstance(value, ast.Constant) and isinstance(value.value, (int, float))


def _is_infinity(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return ast.unparse(node) in ("np.iinfo(np.int64).max", "sys.maxsize")
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Pow, ast.LShift)):
        base, power = node.left, node.right
        if not all(isinstance(part, ast.Constant) and isinstance(part.value, int) for part in (base, power)):
            return False
        value = base.value**power.value if isinstance(node.op, ast.Pow) else base.value << power.value
        return value in INFINITIES
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value in INFINITIES


def _is_request_arithmetic(node: ast.AST) -> bool:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Mult, ast.Mod, ast.FloorDiv)):
        return False
    sides = [node.left, node.right] if isinstance(node.op, ast.Mult) else [node.right, node.left]
    for three, other in (sides, sides[::-1]) if isinstance(node.op, ast.Mult) else (sides,):
        if isinstance(three, ast.Constant) and three.value == 3 and _named(other) & REQUESTS:
            return True
    return False


def _named(node: ast.AST) -> set[str]:
    """The names in an expression, but for those that are only counted."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        return set()
    own = (
        {node.id} if isinstance(node, ast.Name) else {node.attr} if isinstance(node, ast.Attribute) else set()
    )
    return own.union(*map(_named, ast.iter_child_nodes(node)))


def _is_compared_code(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare) or len(node.comparators) != 1:
        return False
    for literal, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
        while isinstance(other, ast.Subscript):
            other = other.value
        name = (
            other.id
            if isinstance(other, ast.Name)
            else other.attr
            if isinstance(other, ast.Attribute)
            else ""
        )
        if isinstance(literal, ast.Constant) and type(literal.value) is int and name in CODED:
            return True
    return False
