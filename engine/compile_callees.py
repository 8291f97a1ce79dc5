"""`python -m engine.compile_callees`: what the second process does; standard input is a pickle of a module, a name in it, and the types of arguments."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
from importlib import import_module

from engine.jit import twin
from engine.numba_linking import compile_callees_from_the_end, leaner_lowering


def main(module: str, name: str, arguments: tuple) -> None:
    """Compiles what the compiled function of that name calls."""
    gc.disable()
    with leaner_lowering():
        compile_callees_from_the_end(twin(getattr(import_module(module), name).plain), arguments)


def _ends_with_the_first() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    asked = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_ends_with_the_first, daemon=True).start()
    main(*asked)
