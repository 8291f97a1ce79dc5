"""The names of the package, for those who check types."""

from engine import *  # noqa: F403
from engine import VERSION as __version__  # noqa: F401
from webapp.client import ApiError as ApiError
from webapp.client import Client as Client
