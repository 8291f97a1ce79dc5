"""`python -m engine.compile_callees`: what the second process does; standard input is a pickle of a module, a
name in it, and the types of arguments.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
from importlib import import_module

from engine.jit import compilable
from engine.numba_linking import compile_callees_backwards, fast_lowering


def main(module: str, name: str, arguments: tuple) -> None:
    """Compiles what the compiled function of that name calls."""
    gc.disable()
    with fast_lowering():
        compile_callees_backwards(compilable(getattr(import_module(module), name).plain), arguments)


def _exit_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    request = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    main(*request)
