"""Hostile input, much of it: `make fuzz`, or `python -m tests.fuzz`.

Each part tries so many inputs in a process of its own, counts its answers and tells what is wrong.

`hostile.py` makes them, `judged.py` looks at each answer, `routes.py`, `callbacks.py`, `addresses.py` and
`files.py` are what is asked, `guided.py` is atheris.
"""
