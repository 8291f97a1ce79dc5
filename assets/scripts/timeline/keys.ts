/* Keys of the charts, as in Perfetto; single letters only while a chart has the focus, but for P. */
import { setProps } from "../dash/dash";
import * as decision from "../decision/decision";
import { at, closest, the } from "../page/dom";
import { change, state } from "../page/state";
import * as charts from "./charts";
import * as gestures from "./gestures";
import * as lanes from "./lanes";
import * as pointer from "./pointer";
import { togglePresenting } from "./present";

const nearer = () => charts.zoom(charts.STEP);
const farther = () => charts.zoom(1 / charts.STEP);
const back = () => charts.pan(-0.2);
const forth = () => charts.pan(0.2);
function nextColour() {
  const options = Array.from(the("colour-by", HTMLSelectElement).options);
  const choices = options.filter(({ hidden }) => !hidden).map(({ value }) => value);
  change({ colour: choices[(choices.indexOf(state().colour ?? "") + 1) % choices.length] ?? null });
}
const KEYS: Record<string, (lane: lanes.Lane) => unknown> = {
  w: nearer,
  "+": nearer,
  "=": nearer,
  s: farther,
  "-": farther,
  a: back,
  ArrowLeft: back,
  d: forth,
  ArrowRight: forth,
  e: () => charts.zoomRows(charts.STEP),
  q: () => charts.zoomRows(1 / charts.STEP),
  ArrowUp: () => charts.panRows(-0.2),
  ArrowDown: () => charts.panRows(0.2),
  0: () => charts.all(),
  Home: () => charts.all(),
  f: () => charts.fit(),
  c: nextColour,
  p: () => togglePresenting(),
  "/": () => the("view", HTMLDetailsElement).toggleAttribute("open", true), // the search is its first field
  "?": () => setProps("keys-dialog", { opened: true }),
  Enter: (lane) => pointer.enter(lane),
  ".": (lane) => pointer.stepInRow(lane, 1),
  ",": (lane) => pointer.stepInRow(lane, -1),
};
export const SHORTCUTS = "W A S D E Q F C P 0 . , / ? Enter ArrowUp ArrowDown ArrowLeft ArrowRight";

// where a letter may mean something else
const OWN_LETTERS = "dialog, [role=dialog], [role=grid], [role=treegrid]";
const isTyping = (node: Element) => node.matches("input, textarea, select, [contenteditable]");
const scrolls = (key: string) => ["ArrowUp", "ArrowDown"].includes(key) && !charts.view().rows;

/* The lane that has the focus or whose decision has it, or on which the pointer rests while nothing else
   has it. */
function laneOf(event: KeyboardEvent) {
  const { decision: shown } = state();
  const chart = closest(event, "#lanes .chart");
  if (chart) return lanes.around(chart);
  if (event.target === at("decision") && shown) return lanes.ofPlace(shown.index);
  const pointed = event.target === document.body && document.querySelector("#lanes .chart:hover");
  return pointed ? lanes.around(pointed) : undefined;
}

/* Dialogs may be there without being shown. */
const isInDialog = () =>
  [...document.querySelectorAll("[role=dialog]")].some((dialog) =>
    dialog.checkVisibility({ visibilityProperty: true }),
  );

/* Esc clears one thing after another: the presentation, the interval, the decision, the highlight. */
function clear(event: KeyboardEvent) {
  const { presenting, span, decision: shown, highlight } = state();
  if (!presenting && !span && !shown && !highlight) return;
  event.preventDefault();
  if (presenting) togglePresenting();
  else if (span) change({ span: null });
  else if (shown) decision.close();
  else change({ highlight: null });
}

function pressed(event: KeyboardEvent) {
  const { key, target } = event;
  if (event.defaultPrevented || !at("charts") || !(target instanceof Element)) return;
  if (key === "Escape" && !isInDialog() && !isTyping(target)) return clear(event);
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
  if (decision.stepByKey(event)) return;
  const lane = laneOf(event);
  if (!lane) {
    if (key.toLowerCase() === "p" && !target.closest(OWN_LETTERS)) togglePresenting();
    return;
  }
  if (event.shiftKey && ["ArrowLeft", "ArrowRight"].includes(key)) {
    event.preventDefault();
    return gestures.selectByKey(key === "ArrowRight");
  }
  const action = KEYS[key] ?? KEYS[key.toLowerCase()];
  if (!action || scrolls(key) || (key === "Enter" && !target.matches(".chart"))) return;
  event.preventDefault();
  action(lane);
}

export const listen = () => document.addEventListener("keydown", pressed);
