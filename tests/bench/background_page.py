"""`python -m tests.bench.background_page URL`: another visitor, who opens a page and zooms without a pause
until the process is ended.
"""

from __future__ import annotations

import sys

from tests.browser.chromium import launched

MAX_ZOOMS = 2_000  # zooms, so that it ends by itself

with launched() as browser:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(sys.argv[1])
    page.wait_for_selector("#lanes .rows .moving image", state="attached", timeout=60_000)
    page.locator("#lanes .chart").first.focus()
    for number in range(MAX_ZOOMS):
        page.keyboard.press("w" if number // 8 % 2 else "s")
        page.wait_for_timeout(150)
