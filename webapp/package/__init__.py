"""Gantry: how a YARN cluster runs a batch of jobs under a scheduler.

Installed, this is `import gantry`: all of the engine's public names, each loaded when it is first used; in a
notebook what they give shows itself. In the sources it stands at webapp/package.

May import: __main__, client, commands, messages, notebook.
"""

from lazy_loader import attach

from engine import VERSION as __version__
from engine import __all__ as engine_names
from webapp.notebook import register

__getattr__, __dir__, __all__ = attach(
    __name__, submod_attrs={"engine": engine_names, "webapp.client": ["ApiError", "Client"]}
)
__all__ += ["__version__"]

register()
