"""The files that commands read and write, and standard input and output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from engine.errors import GantryError, ScenarioError
from engine.messages import msg

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from types import FrameType

    from engine.scenario.formats.readers import ImportedScenario
    from engine.scenario.formats.time_window import Part
    from engine.scenario.model import Scenario

    SignalHandler = Callable[[int, FrameType | None], Any] | int | signal.Handlers | None  # of signal.signal

STANDARD = "-"
EXIT_OK, EXIT_UNSUCCESSFUL, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130  # exit codes


class CallError(GantryError):
    """A command or an option that does not exist, or a file that can't be read or written; one line a
    fault.
    """


def list_files(paths: list[str]) -> list[str]:
    """The paths, for a folder those of every file below it, as JobHistory keeps its own,
    yyyy/mm/dd/000000/job_….jhist. CallError where one is empty.
    """
    files = []
    for path in paths:
        if path == STANDARD or not os.path.isdir(path):
            files.append(path)
            continue
        contents = [
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if not name.startswith(".")
        ]
        if not contents:
            raise CallError(msg("commands.streams.no_file_in_folder", path=path))
        files += sorted(contents)
    return files


class LazyFile:
    """A file that is open from its first byte to its last, since thousands of them can't be at a time;
    CallError when it can't be read.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._open = ExitStack()
        self._stream: BinaryIO | None = None
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        if self._ended:
            return b""
        try:
            self._stream = self._stream or self._open.enter_context(open_input(self._path))
            data = self._stream.read(size)
        except OSError as error:
            raise CallError(
                msg("commands.streams.cant_be_read", path=self._path, system_reason=system_reason(error))
            ) from None
        if not data and size:
            self._ended = True
            self._open.close()
        return data


def split_pair(option: str, text: str, example: str) -> tuple[str, str]:
    """KEY=VALUE of an option; CallError where it is not that."""
    key, sign, value = text.partition("=")
    if not sign:
        wrong = msg("commands.streams.must_be_key_value", option=option, text=text[:80], example=example)
        raise CallError(wrong)
    return key.strip(), value


def split_pairs(option: str, texts: Sequence[str], example: str) -> dict[str, str]:
    """Every KEY=VALUE of an option that may be repeated; CallError where one is not that, or a key is there
    twice.
    """
    pairs: dict[str, str] = {}
    for key, value in (split_pair(option, text, example) for text in texts):
        if key in pairs:
            raise CallError(msg("commands.streams.given_twice", option=option, key=key[:80]))
        pairs[key] = value
    return pairs


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """A file, or standard input for -, to be read; CallError when that fails."""
    try:
        if path == STANDARD:
            yield sys.stdin.buffer
        else:
            with open(path, "rb") as stream:
                yield stream
    except IsADirectoryError:
        raise CallError(msg("commands.streams.is_a_directory", path=path)) from None
    except OSError as error:
        raise CallError(
            msg("commands.streams.cant_be_read", path=path, system_reason=system_reason(error))
        ) from None


def read_scenario(path: str) -> Scenario:
    """The scenario of a file, or of standard input for -. ScenarioError with all its faults; CallError where
    it can't be read, or is what convert makes a scenario of.
    """
    with open_input(path) as stream:
        return scenario_of(path, stream.read())


def scenario_of(path: str, data: bytes) -> Scenario:
    """As `read_scenario`, of what the file at `path` holds."""
    from engine.scenario.model import Scenario

    try:
        return Scenario.read(data)
    except ScenarioError:
        from engine.scenario.formats.json_stream import HEAD_BYTES  # what reads histories takes long to load
        from engine.scenario.formats.readers import convertible_title

        if title := convertible_title(data[:HEAD_BYTES], Path(path).name):
            makes = msg("commands.streams.makes_a_scenario", path=path, title=title)
            raise CallError(makes) from None
        raise


def check_folder(folder: Path) -> None:
    """CallError when no files can be put there, before a long run."""
    existing = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not existing.is_dir():
        raise CallError(msg("commands.streams.cant_be_written_not_folder", folder=folder, name=existing.name))
    if not os.access(existing, os.W_OK | os.X_OK):
        raise CallError(msg("commands.streams.cant_be_written_permission_denied", folder=folder))


def write(files: dict[Path, Iterable[str] | bytes]) -> None:
    """All files or none, of text in chunks or of bytes; CallError when one can't be written."""
    temporaries: dict[Path, Path] = {}
    try:
        for path, chunks in files.items():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except (FileExistsError, NotADirectoryError):
                check_folder(path.parent)  # which says what is no folder
                raise
            target = path.resolve()
            temporary = (
                target
                if target.exists() and not target.is_file()
                else target.with_name(f".{target.name}.{os.getpid()}")
            )
            with open(temporary, "wb") as stream:
                temporaries[target] = temporary
                stream.writelines(
                    [chunks] if isinstance(chunks, bytes) else (chunk.encode() for chunk in chunks)
                )
        for target, temporary in temporaries.items():
            temporary.replace(target)
    except OSError as error:
        raise CallError(
            msg("commands.streams.cant_be_written", path=path, system_reason=system_reason(error))
        ) from None
    finally:
        for target, temporary in temporaries.items():
            if temporary != target:
                temporary.unlink(missing_ok=True)


def replace_closed_streams() -> None:
    """Standard streams that who called has closed, which Python has none for: reading and writing fail as the
    system's own do, with OSError; what would be said on standard error is lost.
    """
    for name, mode, flags in (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))


def print_out(chunks: Iterable[str]) -> None:
    """To standard output: UTF-8 and \\n everywhere: the same bytes on every machine."""
    for chunk in chunks:
        sys.stdout.buffer.write(chunk.encode())


def json_lines(value: object) -> str:
    """JSON values as a command prints them."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def print_err(sentence: str) -> None:
    """To standard error, at once."""
    print(sentence, file=sys.stderr, flush=True)


def tell_assumptions(imported: ImportedScenario) -> None:
    """What the files do not say and is assumed, a line each, on standard error."""
    for sentence in imported.assumptions:
        print_err(f"assumed: {sentence}")


def system_reason(error: OSError) -> str:
    """The system's own words, as the end of a sentence."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


def read_inputs(paths: list[str], kind: str | None = None, part: Part | None = None) -> ImportedScenario:
    """The one scenario that files, folders and archives make. CallError where one can't be read; FormatError
    and so on where they make none, as `read_files` says.
    """
    from engine.scenario.formats.combined_files import read_files
    from engine.scenario.formats.time_window import ALL_JOBS

    title = "" if paths[0] == STANDARD else Path(paths[0]).resolve().name.partition(".")[0]
    files = ((Path(path).name, LazyFile(path)) for path in list_files(paths))
    named = {Path(path).name for path in paths if not os.path.isdir(path)}
    return read_files(files, kind, title, part=part or ALL_JOBS, named=named)


def load(*paths: str | os.PathLike[str]) -> ImportedScenario:
    """The scenario that files, folders and archives make together: a scenario's own JSON, a trace, a
    cluster's histories and its configuration; gzip or plain.

    `assumptions` of the answer says what they do not. GantryError, one sentence, where one can't be read or
    they make none.
    """
    return read_inputs([os.fspath(path) for path in paths])
