"""Gantry's engine: how a YARN cluster runs a batch of jobs under a scheduler. It knows nothing of
the web.

The public names stand in __init__.pyi. Each is loaded when it is first used, so that a small run waits for
nothing it does not need.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
