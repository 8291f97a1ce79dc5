"""Names of the engine that only the dashboard needs; they may change with it. They stand in dashboard.pyi."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__package__, __file__)
