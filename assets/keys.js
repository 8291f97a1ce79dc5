/* Keys of the charts, as in Perfetto; single letters only while a chart has the focus, but for P. */
const nearer = () => gantry.charts.zoom(gantry.charts.STEP);
const farther = () => gantry.charts.zoom(1 / gantry.charts.STEP);
const pan = (share) => () => gantry.charts.pan(share);
const nextColour = function () {
  const choices = [...document.querySelectorAll("#colour-by option")].map((option) => option.value);
  gantry.change({ colour: choices[(choices.indexOf(gantry.state.colour) + 1) % choices.length] });
};
const KEYS = {
  w: nearer,
  "+": nearer,
  "=": nearer,
  s: farther,
  "-": farther,
  a: pan(-0.2),
  ArrowLeft: pan(-0.2),
  d: pan(0.2),
  ArrowRight: pan(0.2),
  e: () => gantry.charts.zoomRows(gantry.charts.STEP),
  q: () => gantry.charts.zoomRows(1 / gantry.charts.STEP),
  ArrowUp: () => gantry.charts.panRows(-0.2),
  ArrowDown: () => gantry.charts.panRows(0.2),
  0: () => gantry.charts.all(),
  Home: () => gantry.charts.all(),
  f: () => gantry.charts.fit(),
  c: nextColour,
  p: () => gantry.present.turn(),
  "/": () => document.getElementById("find").focus(),
  "?": () => gantry.put("keys-dialog", { opened: true }),
  Enter: (one) => one && gantry.pointer.enter(one),
  ".": (one) => one && gantry.pointer.beside(one, 1),
  ",": (one) => one && gantry.pointer.beside(one, -1),
};
gantry.keyshortcuts = "W A S D E Q F C P 0 . , / ? Enter ArrowUp ArrowDown ArrowLeft ArrowRight";

// where a letter may mean something else
const OWN_LETTERS = "dialog, [role=dialog], [role=grid], [role=treegrid]";
const typing = (node) => node.matches("input, textarea, select, [contenteditable]");
const still = (key) => !["ArrowUp", "ArrowDown"].includes(key) || gantry.charts.view.rows; // else they scroll

/* The lane that has the focus or whose decision has it, or on which the pointer rests while nothing else
   has it. */
const lane = function (event) {
  const chart = event.target.closest && event.target.closest("#lanes .chart");
  if (chart) return gantry.lanes.at(chart);
  if (event.target.id === "decision" && gantry.state.decision)
    return gantry.lanes.of(gantry.state.decision.index);
  const pointed = event.target === document.body && document.querySelector("#lanes .chart:hover");
  return pointed ? gantry.lanes.at(pointed) : null;
};

/* Dialogs may be there without being shown. */
const inDialog = () =>
  [...document.querySelectorAll("[role=dialog]")].some((dialog) =>
    dialog.checkVisibility({ visibilityProperty: true }),
  );

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || !document.getElementById("charts")) return;
  if (event.key === "Escape" && !inDialog() && !typing(event.target)) return escape(event);
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (gantry.decision.key(event)) return;
  const one = lane(event);
  if (!one)
    return event.key.toLowerCase() === "p" && !event.target.closest(OWN_LETTERS)
      ? gantry.present.turn()
      : undefined;
  if (event.shiftKey && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    event.preventDefault();
    return gantry.hand.byKey(event);
  }
  const action = KEYS[event.key] || KEYS[event.key.toLowerCase()];
  if (!action || !still(event.key) || (event.key === "Enter" && !event.target.matches(".chart"))) return;
  event.preventDefault();
  action(one);
});

/* Esc clears one thing after another: the presentation, the interval, the decision, the highlight. */
const escape = function (event) {
  const { presenting, span, decision, highlight } = gantry.state;
  if (!presenting && !span && !decision && !highlight) return;
  event.preventDefault();
  if (presenting) gantry.present.turn();
  else if (span) gantry.change({ span: null });
  else if (decision) gantry.decision.close();
  else gantry.change({ highlight: null });
};
