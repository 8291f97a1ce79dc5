"""Finds the prose that tests assert: literals of several words that are compared with what the product says.

A literal is followed from where it is asserted to where it stands: through names, loops, parameters of a test
and of a helper. Data within prose are no words: numbers, paths, keys, names with digits, and what an f-string
fills in.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass, field

MIN_WORDS = 4
MAX_DEPTH = 6  # steps into a value that are followed
FILLED = "\ue000"  # stands for the n-th value that an f-string fills in, by its distance from here

EXPECTED_BY = {
    "get_by_alt_text",
    "get_by_label",
    "get_by_placeholder",
    "get_by_text",
    "get_by_title",
    "to_contain_text",
    "to_have_accessible_description",
    "to_have_accessible_name",
    "to_have_attribute",
    "to_have_js_property",
    "to_have_text",
    "to_have_title",
    "to_have_value",
}
HEARD_BY = "hears"  # of tests/faults: takes a regular expression
KEYWORDS = {"match": "regex", "has_text": "text", "has_not_text": "text"}
# its arguments too are compared
PASS_THROUGH = {
    "all",
    "any",
    "dict",
    "frozenset",
    "len",
    "list",
    "param",
    "repr",
    "set",
    "sorted",
    "str",
    "sum",
    "tuple",
    "unescape",
}
STRING_METHODS = {
    "casefold",
    "count",
    "encode",
    "endswith",
    "find",
    "format",
    "index",
    "isdisjoint",
    "issubset",
    "issuperset",
    "join",
    "lower",
    "lstrip",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "upper",
}
REGEX = {"compile", "findall", "finditer", "fullmatch", "match", "search"}

DATA = re.compile(rf"[\d_\[\]=<>\\@#$|(){{}}*~^+{FILLED}-\uf8ff]|\w[.,]\w|//|^[-/.]|/$")
CALL = r"[\w-]+\([^()]*=[^()]*\)"  # a scheduler with its parameters, which may have spaces
SPLIT = re.compile(rf"({CALL}(?:\+(?:{CALL}|[\w-]+))*|\s+|</?[a-zA-Z][^<>]*>|&[a-z]+;)")
TEXT = re.compile(r"\s+|<.*|&[a-z]+;", re.DOTALL)
QUOTED = re.compile(r"""^[(]*('.+'|".+"|“.+”|‘.+’)[).,:;?!…]*$""")
OPENING, CLOSING = "\"'“‘(", "\"'”’.,:;?!)…%"
# folders and files of tests that are told what themselves say
OWN_TOOLS = {
    "audit",
    "bench",
    "fuzz",
    "hadoop",
    "house",
    "load",
    "oracle",
    "phrases",
}
CODE = re.compile(
    r"=>|\bfunction\b|\(\)|</|;\s*$|^(SELECT|GET|POST|HTTP)\b|^(import|from \S+ import) ", re.MULTILINE
)


def units(text: str, regex: bool) -> list[tuple[str, str]]:
    """Of each character how it is written and what it stands for: "" where it is a regular expression's
    own.
    """
    if not regex:
        return [(char, char) for char in text]
    result = []
    for written in re.findall(r"\[\W\]|\\.|.", text, re.DOTALL):
        char = written.strip("[]")[-1] if len(written) == 3 else written[-1]
        plain = (
            len(written) == 3
            or (len(written) == 2 and not char.isalnum())
            or (len(written) == 1 and char not in "\\^$*+?[]{}|()")
        )
        result.append((written, char if plain else ""))
    return result


@dataclass
class Cut:
    """Prose cut into words, as a template with {} for its data, and its data, as written; before and after
    stand outside.
    """

    before: str
    template: str
    data: list[str]
    after: str

    @property
    def words(self) -> list[str]:
        return re.findall(r"[^\W\d_][\w'’/-]*", re.sub(r"<[^<>]*>|&\w+;", " ", self.template))

    @property
    def is_prose(self) -> bool:
        words = self.words
        return (
            len(words) >= MIN_WORDS
            and len({word for word in words if len(word) > 1 and not word.isupper()}) >= MIN_WORDS - 1
        )


def cut(text: str, regex: bool = False) -> Cut:
    parts = units(text, regex)
    plain = "".join(one or "\\" for _, one in parts)
    written = lambda low, high: "".join(one for one, _ in parts[low:high])
    start, end = len(plain) - len(plain.lstrip()), len(plain.rstrip())
    if regex and start < end and parts[start][0] == "^":
        start += 1
    if regex and start < end and parts[end - 1][0] == "$":
        end -= 1
    while leading := re.compile(r"\S+: ").match(plain, start, end):
        if not DATA.search(leading[0][:-2].strip(OPENING + CLOSING)):
            break
        start = leading.end()  # the place that a fault names is no part of the sentence
    template, data, at = "", [], start
    for token in SPLIT.split(plain[start:end]):
        quoted = QUOTED.search(token)
        core = quoted[1] if quoted else token.lstrip(OPENING).rstrip(CLOSING)
        if TEXT.fullmatch(token) or not core or not (quoted or DATA.search(core)):
            template += token
        else:
            low = token.index(core)
            high = (
                low + len(core) + (core.count("(") > core.count(")") and token[low + len(core) :][:1] == ")")
            )
            template += token[:low] + "{}" + token[high:]
            data.append(written(at + low, at + high))
        at += len(token)
    return Cut(written(0, start), template, data, written(end, len(parts)))


def text_of(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value
    return "".join(
        part.value if isinstance(part, ast.Constant) else chr(ord(FILLED) + place)
        for place, part in enumerate(node.values)
    )


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


# which part of a value: each (*), the n-th, one by its key ([]), pairs of a dictionary (items)
Part = tuple[str | int, ...]


@dataclass
class Scope:
    """What names are bound to here, and the scope around."""

    outer: Scope | None = None
    bound: dict[str, list[tuple[ast.expr, Part, Scope]]] = field(default_factory=lambda: defaultdict(list))
    # of each its function's name and its place in a call
    parameters: dict[str, tuple[str, int]] = field(default_factory=dict)

    def bind(self, target: ast.expr, value: ast.expr, path: Part, inside: Scope) -> None:
        if isinstance(target, ast.Name):
            self.bound[target.id].append((value, path, inside))
        elif isinstance(target, (ast.Tuple, ast.List)):
            for place, part in enumerate(target.elts):
                if not isinstance(part, ast.Starred):
                    self.bind(part, value, (*path, place), inside)


# Where an expression's value stands, of those whose value is that of one of their parts.
VALUE_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Await: ("value",),
    ast.BinOp: ("left", "right"),
    ast.IfExp: ("body", "orelse"),
    ast.NamedExpr: ("value",),
    ast.Starred: ("value",),
    ast.UnaryOp: ("operand",),
}
STEPS_INTO_DICT = {"items": 3, "values": 2}  # of a path; else one


def value_parts(node: ast.expr) -> list[ast.expr]:
    """The parts of an expression of which one, or all joined, are its value."""
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.Add, ast.Mod)):
        return []
    return [getattr(node, name) for name in VALUE_FIELDS.get(type(node), ())]


def subscript_steps(index: ast.expr) -> Part:
    """The step into a value that a subscript is; none for a slice, whose parts are those of the whole."""
    if isinstance(index, ast.Slice):
        return ()
    return (index.value,) if isinstance(index, ast.Constant) and isinstance(index.value, int) else ("[]",)


def bind_names(node: ast.AST, scope: Scope) -> Scope:
    """Binds what a statement or an expression gives names to, and the scope of its parts: a comprehension has
    its own.
    """
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        scope = Scope(scope)
        for part in node.generators:
            scope.bind(part.target, part.iter, ("*",), scope)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            scope.bind(target, node.value, (), scope)
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value:
        scope.bind(node.target, node.value, (), scope)
    elif isinstance(node, ast.For):
        scope.bind(node.target, node.iter, ("*",), scope)
    return scope


class Asserted:
    """The literals of test files that are asserted, each with how: as text or as a regular expression."""

    def __init__(self, trees: dict[str, ast.Module]) -> None:
        self.found: dict[str, dict[ast.AST, str]] = {name: {} for name in trees}
        self._calls: dict[str, list[tuple[str, ast.Call, Scope]]] = defaultdict(list)
        self._roots: list[tuple[str, ast.expr, str, Scope]] = []
        self._seen: set[tuple] = set()
        self._functions: list[str] = []  # the functions that are being walked
        self._returns: dict[str, list[tuple[str, ast.expr, Scope]]] = defaultdict(list)
        for name, tree in trees.items():
            self._file = name
            self._walk(tree, Scope())
        for name, root, how, scope in self._roots:
            self._file = name
            self._mark(root, (), how, scope)

    def _walk(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            self._walk_function(node, scope)
            return
        scope = bind_names(node, scope)
        if isinstance(node, ast.Return) and node.value:
            self._returns[self._functions[-1]].append((self._file, node.value, scope))
        elif isinstance(node, ast.Assert):
            self._roots.append((self._file, node.test, "text", scope))
        elif isinstance(node, ast.Call):
            self._call(node, scope)
        elif isinstance(node, ast.Subscript):
            self._roots.append((self._file, node.slice, "text", scope))
        for part in ast.iter_child_nodes(node):
            self._walk(part, scope)

    def _walk_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        inner = Scope(scope)
        arguments = [
            argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        ]
        name = ("." if arguments[:1] == ["self"] else "") + getattr(node, "name", "")
        if name and not name.startswith("test_"):
            given = [argument for argument in arguments if argument not in ("self", "cls")]
            inner.parameters = {argument: (name, index) for index, argument in enumerate(given)}
        for decorator in getattr(node, "decorator_list", ()):
            self._walk(decorator, scope)
            if isinstance(decorator, ast.Call) and getattr(decorator.func, "attr", "") == "parametrize":
                self._parametrized(decorator, inner, scope)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default:
                self._walk(default, scope)
        self._functions.append(name)
        for part in node.body if isinstance(node.body, list) else [node.body]:
            self._walk(part, inner)
        self._functions.pop()

    def _parametrized(self, decorator: ast.Call, inner: Scope, scope: Scope) -> None:
        names, values = (
            list(decorator.args)
            + [keyword.value for keyword in decorator.keywords if keyword.arg in ("argnames", "argvalues")]
        )[:2]
        argument_names = (
            [one.value for one in names.elts]
            if isinstance(names, (ast.Tuple, ast.List))
            else [one.strip() for one in names.value.split(",")]
        )
        for place, name in enumerate(argument_names):
            inner.bound[name].append((values, ("*", place) if len(argument_names) > 1 else ("*",), scope))

    def _call(self, node: ast.Call, scope: Scope) -> None:
        name = called(node)
        self._calls[key_of(node)].append((self._file, node, scope))
        if name in EXPECTED_BY or name == HEARD_BY:
            self._roots += [
                (self._file, one, "regex" if name == HEARD_BY else "text", scope) for one in node.args
            ]
        self._roots += [
            (self._file, one.value, KEYWORDS[one.arg], scope) for one in node.keywords if one.arg in KEYWORDS
        ]
        if name == "get_by_role":
            self._roots += [
                (self._file, one.value, "text", scope) for one in node.keywords if one.arg == "name"
            ]

    def _mark(self, node: ast.expr | None, path: Part, how: str, scope: Scope) -> None:
        """This part of what the expression gives is asserted."""
        if node is None or len(path) > MAX_DEPTH or (node, path, how) in self._seen:
            return
        self._seen.add((node, path, how))
        if is_text(node):
            self._mark_text(node, path, how, scope)
        elif isinstance(node, ast.Name):
            self._mark_name(node.id, path, how, scope)
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            self._mark_elements(node.elts, path, how, scope)
        elif isinstance(node, ast.Dict):
            self._mark_dict(node, path, how, scope)
        elif isinstance(node, ast.Compare):
            for part in (node.left, *node.comparators):
                self._mark(part, (), how, scope)
        elif isinstance(node, ast.Subscript):
            self._mark(node.value, (*subscript_steps(node.slice), *path), how, scope)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            inner = bind_names(node, scope)
            self._mark(node.elt, path[1:] if path[:1] == ("*",) else path, how, inner)
        elif isinstance(node, ast.Call):
            self._mark_call(node, path, how, scope)
        else:
            for part in value_parts(node):
                self._mark(part, path, how, scope)

    def _mark_text(self, node: ast.Constant | ast.JoinedStr, path: Part, how: str, scope: Scope) -> None:
        for part in node.values if isinstance(node, ast.JoinedStr) else ():
            if isinstance(part, ast.FormattedValue):
                self._mark(part.value, path, how, scope)
        if not path or path[0] == "[]":
            result = self.found[self._file]
            result[node] = "regex" if how == "regex" else result.get(node, how)

    def _mark_elements(self, elements: list[ast.expr], path: Part, how: str, scope: Scope) -> None:
        is_place = isinstance(path[0], int) if path else False
        for one in elements[path[0] : path[0] + 1] if is_place else elements:
            if isinstance(one, ast.Starred):
                self._mark(one.value, path, how, scope)
            else:
                self._mark(one, path[1:], how, scope)

    def _mark_dict(self, node: ast.Dict, path: Part, how: str, scope: Scope) -> None:
        step = path[0] if path else ""
        pairs = path[2:3] if step == "items" else ()
        keys, values = step in ("", "*") or pairs == (0,), step in ("", "[]", "values") or pairs == (1,)
        after = path[STEPS_INTO_DICT.get(step, 1) :]
        for part in (node.keys if keys else []) + (node.values if values else []):
            self._mark(part, after, how, scope)

    def _mark_call(self, node: ast.Call, path: Part, how: str, scope: Scope) -> None:
        name = called(node)
        if name in ("items", "values") and isinstance(node.func, ast.Attribute):
            self._mark(node.func.value, (name, *path), how, scope)
        elif name == "escape":
            self._mark(node.args[0], path, "text", scope)
        elif name in REGEX and isinstance(node.func, ast.Attribute):
            self._mark(node.args[0] if node.args else None, (), "regex", scope)
        elif name == "param":
            self._mark(ast.Tuple(node.args), path, how, scope)
        elif name in PASS_THROUGH:
            for part in node.args:
                self._mark(part, path, how, scope)
        elif name in STRING_METHODS and isinstance(node.func, ast.Attribute):
            for part in (node.func.value, *node.args):
                self._mark(part, (), how, scope)
        else:
            of_here = self._file
            for file, value, where in self._returns[key_of(node)]:
                if file == of_here:
                    self._mark(value, path, how, where)

    def _mark_name(self, name: str, path: Part, how: str, scope: Scope | None) -> None:
        while scope and name not in scope.bound and name not in scope.parameters:
            scope = scope.outer
        if not scope:
            return
        for value, inner, where in list(scope.bound.get(name, ())):
            self._mark(value, (*inner, *path), how, where)
        if name in scope.parameters and (scope.parameters[name], path, how) not in self._seen:
            self._seen.add((scope.parameters[name], path, how))
            function, place = scope.parameters[name]
            of_here = self._file
            for file, call, where in self._calls[function]:
                if file == of_here or not of_here.rpartition("/")[2].startswith("test_"):
                    self._file = file
                    keyword = [one.value for one in call.keywords if one.arg == name]
                    for part in keyword or call.args[place : place + 1]:
                        self._mark(part, path, how, where)
            self._file = of_here


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def key_of(node: ast.Call) -> str:
    """By what a call finds a function: its name, with a dot before it for a method."""
    return "." * isinstance(node.func, ast.Attribute) + called(node)


def prose(trees: dict[str, ast.Module]) -> dict[str, dict[ast.AST, str]]:
    """The prose that each file asserts, as text or as a regular expression.

    No prose of the product's are code, what the file also gives to the product, what a paper is quoted with,
    and what a tool of the tests' own says.
    """
    asserted = Asserted(trees).found
    prose_by_file = {}
    for name, tree in trees.items():
        if name.split("/")[1].removeprefix("test_").removesuffix(".py") in OWN_TOOLS:
            continue
        inside = {
            part
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr) or is_quoting(node)
            for part in ast.walk(node)
            if part is not node
        }
        given = {
            text_of(node)
            for node in ast.walk(tree)
            if is_text(node) and node not in asserted[name] and node not in inside
        }
        prose_by_file[name] = {
            node: how
            for node, how in asserted[name].items()
            if node not in inside
            and text_of(node) not in given
            and not CODE.search(text_of(node))
            and cut(text_of(node), how == "regex").is_prose
        }
    return prose_by_file


def is_quoting(node: ast.AST) -> bool:
    """Whether this is a test that reads a paper beside the clone."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(part, ast.Call) and called(part) == "shared" and "papers/" in ast.unparse(part)
        for part in ast.walk(node)
    )
