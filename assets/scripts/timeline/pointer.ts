/* What the pointer or the keyboard is at: a crosshair and a cursor through all charts, the container under
   it and its neighbours in the row, and what lies over the charts. */
import * as decision from "../decision/decision";
import { at, h, setText, the } from "../page/dom";
import { msg } from "../page/messages";
import { change, on, state, toggled, toggleHighlight } from "../page/state";
import { latest } from "../page/timing";
import * as charts from "./charts";
import type { Bar, Span } from "./drawing";
import { laneOf, type Place, placeOf } from "./gestures";
import * as lanes from "./lanes";

const NEAR_PX = 2;
const STILL_MS = 30;
const TIP_PX = 14;
const FRAME_PX = 6; // at least, of the frame around a bar

/* What the server finds at a place: a container, or a row that holds all of something. */
type Found = Partial<Bar> & { text?: string[]; group?: string; name?: string; waiting?: number };
type Container = Bar & { text: string[] };

let pointed: number | null = null; // ms under the pointer
let resting: number | null = null; // ms of the cursor while nobody points
let focus: Container | null = null; // reached by keyboard
let interval: Span | null = null; // as it is drawn over the charts
let still: ReturnType<typeof setTimeout> | undefined;
let moves = 0;

export const focused = () => focus;
const tip = () => the("tip");

function px({ painted }: lanes.PaintedLane, ms: number) {
  const { x0, x1 } = charts.currentWindow();
  return ((ms - x0) / (x1 - x0)) * painted.size.width;
}

function band(lane: lanes.PaintedLane, node: HTMLElement, span: Span | null) {
  const cut = (ms: number) => Math.min(Math.max(px(lane, ms), 0), lane.painted.size.width);
  const [left, right] = span ? [cut(span.x0), cut(span.x1)] : [0, 0];
  node.hidden = right - left < 1;
  Object.assign(node.style, { transform: `translateX(${left}px)`, width: `${right - left}px` });
}

function line(lane: lanes.PaintedLane, node: HTMLElement, ms: number | null) {
  const left = ms === null ? -1 : px(lane, ms);
  node.hidden = left < 0 || left > lane.painted.size.width;
  node.style.transform = `translateX(${left}px)`;
}

/* Everything over the charts to where it stands now. */
export function cover() {
  const { at: ms, playing } = state();
  const end = 2 * (charts.view().whole?.x1 ?? 0);
  const future = ms === null || playing === undefined ? null : { x0: ms, x1: end };
  for (const lane of lanes.painted()) {
    line(lane, lane.over.crosshair, pointed);
    line(lane, lane.over.cursor, resting);
    band(lane, lane.over.span, interval);
    band(lane, lane.over.future, future);
    mark(lane);
  }
}

/* A frame around the bar of the decided container, the one in focus or one that was found. */
function mark(lane: lanes.PaintedLane) {
  const frame = lane.over.mark;
  const { presenting, decision: shown, matches } = state();
  const bars = [...(presenting ? [] : [shown, focus]), matches?.[lane.place]];
  const { key } = charts.view();
  const bar = bars.find((bar) => bar?.index === lane.place && bar.row >= 0 && bar.key === key);
  frame.hidden = true;
  if (!bar) return;
  const { y0, y1 } = charts.currentRows();
  const { width, height } = lane.painted.size;
  const [left, right] = [px(lane, bar.start), px(lane, bar.end)];
  const edge = (row: number) => Math.min(Math.max(((row - y0) / (y1 - y0)) * height, 0), height);
  const [top, bottom] = [edge(bar.row), edge(bar.row + 1)];
  if (right < 0 || left > width) return;
  const start = Math.max(left, 0);
  const wide = Math.max(Math.min(right, width) - start, FRAME_PX);
  const high = Math.max(bottom - top, FRAME_PX);
  Object.assign(frame.style, {
    transform: `translate(${start}px, ${(top + bottom - high) / 2}px)`,
    width: `${wide}px`,
    height: `${high}px`,
  });
  frame.hidden = false;
}

function showTip([first = "", ...others]: string[], left: number, top: number) {
  tip().replaceChildren(h("strong", {}, first), ...others.map((text) => h("div", {}, text)));
  tip().hidden = false;
  const { width, height } = tip().getBoundingClientRect();
  const x = left + TIP_PX + width > window.innerWidth ? left - TIP_PX - width : left + TIP_PX;
  const y = top + TIP_PX + height > window.innerHeight ? top - TIP_PX - height : top + TIP_PX;
  const large = width / tip().offsetWidth; // while presenting
  tip().style.transform = `translate(${Math.max(4, x) / large}px, ${Math.max(4, y) / large}px)`;
}
const hideTip = () => at("tip")?.toggleAttribute("hidden", true);

function findAt({ place, painted }: lanes.PaintedLane, { ms, row, strip }: Place) {
  const { x0, x1, y0, y1 } = charts.edges();
  const { width, height } = painted.size;
  const near = { rows: (NEAR_PX * (y1 - y0)) / height, ms: (NEAR_PX * (x1 - x0)) / width };
  return charts.ask<Found>("at", { index: place, row, ms, strip, near });
}

/* Only the server knows what is there; one question at a time, the last place wins. */
const ask = latest(async (lane: lanes.PaintedLane, event: PointerEvent) => {
  const since = moves;
  const place = placeOf(lane, event);
  if (place.ms === null || (place.row === null && !place.strip)) return;
  const answer = await findAt(lane, place);
  if (moves !== since || pointed === null) return; // it is somewhere else, or drags the charts
  if (answer?.text) showTip(answer.text, event.clientX, event.clientY);
  else hideTip();
});

const groupAt = ({ row }: Place) => charts.ask<Found>("row", { row });

/* A click: on a name it highlights that row; in the chart it asks why what is there was placed, or what waits
   where nothing is; a row that holds all of something, and something then, is highlighted. */
export async function pick(lane: lanes.PaintedLane, place: Place) {
  if (place.isLabel) {
    const answer = await groupAt(place);
    return answer?.group && toggleHighlight(answer.group);
  }
  if (place.ms === null || place.row === null) return change({ highlight: null });
  const answer = await findAt(lane, place);
  const isFree = !state().decision && !state().highlight;
  if (answer?.waiting !== undefined && isFree)
    return decision.ask({ index: lane.place, waiting: answer.waiting }, true);
  if (answer?.group) return toggleHighlight(answer.group);
  if (answer?.container !== undefined)
    return decision.ask({ index: lane.place, container: answer.container }, true);
  return state().decision ? decision.close() : change({ highlight: null });
}

/* A row that holds all of a node or job shows its lanes instead, or the other way round. */
export async function turn(place: Place) {
  const name = (await groupAt(place))?.name;
  const { arranged } = state();
  if (name && arranged) change({ arranged: { ...arranged, opened: toggled(arranged.opened, name) } });
}

const focusIn = ({ place }: lanes.Lane) => (focus?.index === place ? focus.container : null);

/* By keyboard: the decision of the container in focus, else the first of what is looked at. */
export function enter(lane: lanes.Lane) {
  const container = focusIn(lane);
  const what = container === null ? { from: charts.currentWindow().x0 } : { container };
  if (charts.view().whole) decision.ask({ index: lane.place, ...what }, true);
}

/* null: on none. */
export function focusOn(container: Container | null) {
  focus = container;
  if (!container) return hideTip();
  const { index, start, row, text } = container;
  charts.reveal(start, row);
  rest(start);
  const lane = lanes.painted().find(({ place }) => place === index);
  if (!lane) return;
  const box = lane.plot.getBoundingClientRect();
  const { y0, y1 } = charts.currentRows();
  const left = box.left + (Math.max(0, px(lane, start)) / lane.painted.size.width) * box.width;
  showTip(text, left, box.top + ((row - y0) / (y1 - y0)) * box.height);
  setText("tip-says", text.join(", "));
}

/* The next container of the row (by 1), or the one before (by -1). */
export async function stepInRow(lane: lanes.Lane, by: number) {
  const question = { index: lane.place, container: focusIn(lane), by };
  const answer = await charts.ask<Container | { text?: never }>("next", question);
  if (answer?.text) focusOn(answer);
  else setText("tip-says", msg("pointer.no_more"));
}

/* Where the cursor stands while nobody points. */
export function rest(ms: number | null) {
  resting = ms;
  cover();
}

/* An interval over the charts, while it is drawn. */
export function showInterval(span: Span | null) {
  interval = span;
  cover();
}

function moved(event: PointerEvent) {
  const lane = laneOf(event);
  clearTimeout(still);
  moves += 1;
  if (!lane || event.pointerType === "touch") {
    if (pointed !== null) gone();
    return;
  }
  pointed = placeOf(lane, event).ms;
  cover();
  if (event.buttons) hideTip();
  else still = setTimeout(() => ask(lane, event), STILL_MS);
}
function gone() {
  pointed = null;
  hideTip();
  cover();
}

export function listen() {
  document.addEventListener("pointermove", moved);
  document.addEventListener("pointerleave", gone);
  document.addEventListener("focusout", ({ target }) => {
    if (target instanceof Element && target.matches(".chart")) hideTip();
  });
  document.addEventListener("scroll", hideTip, { passive: true, capture: true });
  on(["span"], ({ span }) => showInterval(span));
  on(["decision", "matches", "at", "playing"], cover);
  on(["result"], ({ result, span }, before) => {
    if (before.result && result?.key === before.result.key) return;
    focusOn(null);
    rest(null);
    change({ span: before.result ? null : span, matches: null });
  });
}
