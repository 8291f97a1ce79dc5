"""Scripts of assets/ in a JavaScript engine without a browser: for what they compute, not for what they show.

There is no page: `document` and `window` take listeners and have nothing else, so that a script that needs
more of them fails by name. Time passes when a test says so.
"""

from __future__ import annotations

import atexit
import json
from typing import Any

from py_mini_racer import MiniRacer

from tests.conftest import ROOT
from webapp.http.bundle import FIRST_SCRIPTS, messages_script
from webapp.messages import script_messages

AROUND = """
globalThis.window = globalThis;
window.document = {};
window.location = { href: "http://gantry/", pathname: "/", search: "", hash: "" };
for (const target of [window, document]) {
  const heard = {};
  target.addEventListener = (kind, hear) => (heard[kind] ??= []).push(hear);
  target.dispatchEvent = (event) => (heard[event.type] || []).forEach((hear) => hear(event));
}
const timers = new Map();
let [clock, number] = [Date.UTC(2026, 0, 1), 0];
Date.now = () => clock;
window.setTimeout = function (work, ms, ...given) {
  timers.set(++number, { at: clock + (ms || 0), work: () => work(...given) });
  return number;
};
window.clearTimeout = (id) => void timers.delete(id);
window.requestAnimationFrame = (work) => setTimeout(work, 16);
window.cancelAnimationFrame = clearTimeout;
/* The next timer that is due until then; false when there is none. */
window.tick = function (until) {
  const [id, due] = [...timers].sort(([, a], [, b]) => a.at - b.at)[0] || [];
  if (!due || due.at > until) return (clock = until), false;
  timers.delete(id);
  clock = Math.max(clock, due.at);
  due.work();
  return true;
};
"""
SCRIPT = '(function (gantry) {{\n"use strict";\n{text}\n}})(window.gantry);'
ASKED = """
window.settled = null;
(async () => {{
  const found = ({script});
  return typeof found === "function" ? found(...{arguments}) : found;
}})().then(
  (value) => (settled = {{ value }}),
  (error) => (settled = {{ error: String(error && error.stack || error) }}),
);
"""


class Scripts:
    """These scripts, after those that every page begins with: Scripts("editor_values.js")."""

    def __init__(self, *names: str) -> None:
        self._engine = MiniRacer()
        # one that a failure's traceback holds would keep Python from ending
        atexit.register(self._engine.close)
        self._engine.eval(AROUND + messages_script(script_messages()))
        begin = [name for name in FIRST_SCRIPTS if name != "chart_size.js"]
        for name in (*begin, *names):
            self._engine.eval(SCRIPT.format(text=(ROOT / "assets" / name).read_text("utf-8")))

    def evaluate(self, script: str, *arguments: Any) -> Any:
        """The value of an expression, or of a function called with these; of a promise what it comes to. An
        error of the script is an AssertionError.
        """
        self._engine.eval(ASKED.format(script=script, arguments=json.dumps(arguments)))
        settled = json.loads(self._engine.eval("JSON.stringify(settled)"))
        assert settled is not None, f"it waits for something: {script}"
        assert "error" not in settled, settled["error"]
        return settled.get("value")

    def passes(self, ms: int) -> None:
        """So much time goes by; what was to be done in it is done, in order."""
        until = self._engine.eval("Date.now()") + ms
        while self._engine.eval(f"tick({until})"):
            pass
