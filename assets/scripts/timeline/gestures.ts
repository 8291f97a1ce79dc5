/* The hand on the charts: drag pans, Shift and drag selects an interval of time (a switch swaps the two),
   the wheel zooms with Ctrl, two fingers zoom. */
import { closest } from "../page/dom";
import { change, state } from "../page/state";
import { openTab } from "../page/workbench";
import * as charts from "./charts";
import * as lanes from "./lanes";
import * as pointer from "./pointer";

const MIN_PX = 4; // less is a click
const PINCH_PX = 24;
const STEP = 0.02; // of the window, by an arrow key

export type Place = ReturnType<typeof placeOf>;
type Press = ReturnType<typeof pressOf>;
let press: Press | null = null;
let pinched: ReturnType<typeof pinchOf> = null;
const fingers = new Map<number, PointerEvent>();

export function laneOf(event: Event) {
  const chart = closest(event, "#lanes .chart");
  return chart ? lanes.painted().find(({ node }) => node.contains(chart)) : undefined;
}

/* The time and row under the pointer, null where it is beside the rows; whether it is at a row's name. */
export function placeOf({ plot }: lanes.Lane, event: MouseEvent, clientX = event.clientX) {
  const box = plot.getBoundingClientRect();
  const across = (clientX - box.left) / box.width;
  const down = (event.clientY - box.top) / box.height;
  const { x0, x1, y0, y1 } = charts.edges();
  return {
    ms: across < 0 || across > 1 ? null : x0 + across * (x1 - x0),
    row: down < 0 || down > 1 ? null : y0 + down * (y1 - y0) - 0.5,
    isLabel: across < 0 && down >= 0 && down <= 1,
    strip: closest(event, ".strip")?.dataset.strip ?? null,
  };
}

function select(from: number, to: number, isDone: boolean) {
  const { whole } = charts.view();
  if (!whole) return;
  const inside = (ms: number) => Math.round(Math.min(Math.max(ms, whole.x0), whole.x1));
  const span = { x0: inside(Math.min(from, to)), x1: inside(Math.max(from, to)) };
  const interval = span.x1 > span.x0 ? span : null;
  pointer.showInterval(interval);
  if (!isDone) return;
  change({ span: interval });
  if (interval) openTab("span");
}

/* To where a drag selects; beyond the chart's edge the interval ends there. */
function endOf({ lane }: Press, event: PointerEvent) {
  const { x0, x1 } = charts.currentWindow();
  return placeOf(lane, event).ms ?? (event.clientX < lane.plot.getBoundingClientRect().left ? x0 : x1);
}

function down(event: PointerEvent) {
  const lane = laneOf(event);
  if (!lane || (event.button && event.pointerType === "mouse")) return;
  fingers.set(event.pointerId, event);
  if (fingers.size === 2) return pinch();
  if (closest(event, "button, a, summary")) return;
  [press, pinched] = [pressOf(lane, event), null];
  if (event.pointerType === "mouse") event.preventDefault();
  lane.chart.focus({ preventScroll: true });
}

/* A finger that may become a drag, with what was looked at as it came down. */
function pressOf(lane: lanes.PaintedLane, event: PointerEvent) {
  const { pointerId: id, clientX: x, clientY: y } = event;
  const { window, rows } = charts.view();
  const selects = event.shiftKey !== state().dragSelects;
  return { id, lane, x, y, at: placeOf(lane, event), selects, hasMoved: false, window, rows };
}

/* The two fingers: the first, the middle between them, how far they are apart. */
function twoFingers() {
  const [a, b] = [...fingers.values()];
  if (!a || !b) return null;
  const apart = Math.max(Math.abs(a.clientX - b.clientX), PINCH_PX);
  return { first: a, middle: (a.clientX + b.clientX) / 2, apart };
}

function pinchOf() {
  const two = twoFingers();
  const lane = two && laneOf(two.first);
  if (!lane) return null;
  return { apart: two.apart, at: placeOf(lane, two.first, two.middle), window: charts.currentWindow() };
}
function pinch() {
  [press, pinched] = [null, pinchOf()];
  charts.hold(true);
}

function move(event: PointerEvent) {
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
  if (pinched) spread(pinched);
  else if (press?.id === event.pointerId) drag(press, event);
}

function spread({ apart, at, window: { x0, x1 } }: NonNullable<typeof pinched>) {
  const two = twoFingers();
  if (!two) return;
  const edges = charts.scaled(x0, x1, apart / two.apart, at.ms ?? undefined);
  charts.look(charts.inside(...edges), charts.view().rows, true);
}

function drag(now: Press, event: PointerEvent) {
  const [across, along] = [event.clientX - now.x, event.clientY - now.y];
  if (!now.hasMoved) {
    if (Math.hypot(across, along) < MIN_PX) return;
    // the finger scrolls the page
    if (event.pointerType !== "mouse" && Math.abs(along) > Math.abs(across)) return release();
    now.hasMoved = true;
    now.lane.chart.setPointerCapture(now.id);
    charts.hold(!now.selects);
  }
  if (now.selects) {
    if (now.at.ms !== null) select(now.at.ms, endOf(now, event), false);
    return;
  }
  const box = now.lane.plot.getBoundingClientRect();
  const { window, rows } = now;
  charts.look(
    window && charts.inside(...charts.shifted(window.x0, window.x1, -across / box.width)),
    rows && charts.insideRows(...charts.shifted(rows.y0, rows.y1, -along / box.height)),
    true,
  );
}

function release() {
  [press, pinched] = [null, null];
  charts.hold(false);
}

function up(event: PointerEvent) {
  fingers.delete(event.pointerId);
  if (!pinched && press?.id !== event.pointerId) return;
  if (press && event.type === "pointerup") {
    const { lane, at, hasMoved, selects } = press;
    if (!hasMoved && selects) change({ span: null });
    else if (!hasMoved) pointer.pick(lane, at);
    else if (selects && at.ms !== null) select(at.ms, endOf(press, event), true);
  }
  release();
}

function wheel(event: WheelEvent) {
  const lane = laneOf(event);
  if (!lane || (!event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey)) return;
  event.preventDefault();
  // keys go on from here
  if (!document.activeElement?.closest(".chart, #decision")) lane.chart.focus({ preventScroll: true });
  const by = event.deltaY || event.deltaX;
  const step = Math.exp(Math.max(-0.5, Math.min(0.5, by / 400)));
  const { ms, row } = placeOf(lane, event);
  if (event.altKey) charts.zoomRows(step, row === null ? undefined : row + 0.5, true);
  else if (event.shiftKey) charts.pan(Math.sign(by) * 0.1, true);
  else charts.zoom(step, ms ?? undefined, true);
}

/* The interval by keyboard: Shift and the arrow keys. */
export function selectByKey(isForth: boolean) {
  const { x0, x1 } = charts.currentWindow();
  const middle = (x0 + x1) / 2;
  const { x0: first, x1: last } = state().span ?? { x0: middle, x1: middle };
  select(first, Math.max(last + (x1 - x0) * STEP * (isForth ? 1 : -1), first), true);
}

export function listen() {
  document.addEventListener("pointerdown", down);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", up);
  document.addEventListener("pointercancel", up);
  document.addEventListener("wheel", wheel, { passive: false });
  document.addEventListener("dblclick", (event) => {
    const lane = laneOf(event);
    const place = lane && placeOf(lane, event);
    if (place?.isLabel) pointer.turn(place);
    else if (place) charts.all();
  });
}
