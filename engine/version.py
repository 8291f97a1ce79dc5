"""The engine's version; the same scenario, scheduler and version give the same bytes. A test holds it to
pyproject.toml.
"""

VERSION = "0.2.0"
