"""`make pictures`: the README's pictures, taken from the running dashboard with its own first example, and from an experiment of the papers."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser.chromium import launched, watch
from tests.browser.server import STARTUP_S, Server

HERE = Path(__file__).parent
CHART = "#lanes .rows .moving svg"
FOURTH_CHART = f"{CHART} >> nth=3"
EXPERIMENT = "/papers/omo/figure-13"
# name -> (width, height, colour scheme, path, what is there when it is drawn)
PICTURES = {
    "light": (1440, 900, "light", "/", FOURTH_CHART),
    "dark": (1920, 1080, "dark", "/", FOURTH_CHART),
    "1920": (1920, 1080, "light", "/", FOURTH_CHART),
    "1280": (1280, 800, "light", "/", FOURTH_CHART),
    "360": (360, 780, "light", "/", CHART),
    "papers": (1280, 1000, "light", EXPERIMENT, ".paper-picture .barlayer"),
}


def main() -> None:
    """Overwrites the pictures in this folder."""
    with tempfile.TemporaryDirectory() as data, launched("--hide-scrollbars") as browser:
        server = Server(Path(data))
        try:
            for name, (width, height, scheme, path, drawn) in PICTURES.items():
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB")
                page = context.new_page()
                complaints = watch(page)
                page.goto(server.url + path)
                page.wait_for_selector(drawn, timeout=STARTUP_S * 1000, state="attached")
                page.wait_for_timeout(1500)  # fonts and tables have settled
                page.screenshot(path=HERE / f"{name}.png")
                assert not complaints, complaints
                context.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
