"""`make pictures`: the README's pictures, taken from the running dashboard with its own first example."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser.chromium import launched, watch
from tests.browser.server import STARTUP_S, Server

HERE = Path(__file__).parent
# name -> (width, height, colour scheme)
PICTURES = {
    "light": (1440, 900, "light"),
    "dark": (1920, 1080, "dark"),
    "1920": (1920, 1080, "light"),
    "1280": (1280, 800, "light"),
    "360": (360, 780, "light"),
}


def main() -> None:
    """Overwrites the pictures in this folder."""
    with tempfile.TemporaryDirectory() as data, launched("--hide-scrollbars") as browser:
        server = Server(Path(data))
        try:
            for name, (width, height, scheme) in PICTURES.items():
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB")
                page = context.new_page()
                complaints = watch(page)
                page.goto(server.url)
                page.wait_for_selector("#cards .js-plotly-plot >> nth=3", timeout=STARTUP_S * 1000)
                page.wait_for_timeout(1500)  # fonts and tables have settled
                page.screenshot(path=HERE / f"{name}.png")
                assert not complaints, complaints
                context.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
