/* What the charts show: one window of time and of rows for all of them. While a hand moves it, what is
   painted is moved; at rest the server draws it anew. */
import { post as send } from "../page/server";
import { change, on, state } from "../page/state";
import { latest } from "../page/timing";
import * as run from "../run/run";
import type { Drawing, Rows, Span } from "./drawing";
import * as lanes from "./lanes";
import * as pointer from "./pointer";
import * as ruler from "./ruler";
import * as signals from "./signals";

const SETTLED_MS = 60; // after the last turn of a wheel or move of fingers
const MIN_MS = 10;
const MIN_ROWS = 1;
const ALL = 0.9995;
export const STEP = 0.7;

/* window and rows are null for all of `whole`, which is null before anything is drawn; visibleRows: as far
   as all the rows there are were drawn. */
let current = {
  key: null as string | null, // of the result
  window: null as Span | null,
  rows: null as Rows | null,
  whole: null as Drawing["whole"] | null,
  visibleRows: null as Rows | null,
  isHeld: false,
};
const NOTHING = { x0: 0, x1: 0, rows: 1 };
let drawnFor = ""; // the request whose answer is painted
let settling: ReturnType<typeof setTimeout> | undefined;
let frame = 0;

export const view = (): Readonly<typeof current> => current;
const whole = () => current.whole ?? NOTHING;

function within(low: number, high: number, first: number, last: number, min: number, exact: number) {
  const width = Math.min(Math.max(high - low, min), last - first);
  if (width >= (last - first) * ALL) return null;
  const start = Math.min(Math.max(low, first), last - width);
  const cut = (value: number) => Math.round(value * exact) / exact;
  return [cut(start), cut(start + width)] as const;
}
export function inside(low: number, high: number): Span | null {
  const ends = within(low, high, whole().x0, whole().x1, MIN_MS, 1);
  return ends && { x0: ends[0], x1: ends[1] };
}
export function insideRows(low: number, high: number): Rows | null {
  const ends = within(low, high, 0, whole().rows, MIN_ROWS, 100);
  return ends && { y0: ends[0], y1: ends[1] };
}
const allRows = () => ({ y0: 0, y1: whole().rows });
export const currentWindow = (): Span => current.window ?? whole();
export const currentRows = () => current.rows ?? current.visibleRows ?? allRows();
export const edges = () => ({ ...currentWindow(), ...currentRows() });

/* Look at this; isMoving: more of the same is on its way. */
export function look(window: Span | null, rows: Rows | null, isMoving = false) {
  if (!current.whole) return;
  current = { ...current, window, rows };
  if (!frame) frame = requestAnimationFrame(moved);
  clearTimeout(settling);
  settling = setTimeout(settle, isMoving ? SETTLED_MS : 0);
}

function moved() {
  frame = 0;
  lanes.move();
  pointer.cover();
  ruler.follow();
  signals.move();
}

function settle() {
  if (current.isHeld) return;
  draw();
  change({ window: current.window, rows: current.rows });
}

/* While the hand holds the charts nothing is drawn anew; what is painted reaches half a window further on
   either side. */
export function hold(isHeld: boolean) {
  current = { ...current, isHeld };
  if (!isHeld) settle();
}

export const scaled = (low: number, high: number, factor: number, centre = (low + high) / 2) =>
  [centre - (centre - low) * factor, centre + (high - centre) * factor] as const;

export const shifted = (low: number, high: number, share: number) =>
  [low + (high - low) * share, high + (high - low) * share] as const;

export function zoom(factor: number, at?: number, isMoving = false) {
  const { x0, x1 } = currentWindow();
  look(inside(...scaled(x0, x1, factor, at)), current.rows, isMoving);
}
export function pan(share: number, isMoving = false) {
  const { x0, x1 } = currentWindow();
  look(inside(...shifted(x0, x1, share)), current.rows, isMoving);
}
export function zoomRows(factor: number, at?: number, isMoving = false) {
  const { y0, y1 } = current.rows ?? allRows();
  look(current.window, insideRows(...scaled(y0, y1, factor, at)), isMoving);
}
export function panRows(share: number) {
  const { window, rows } = current;
  if (rows) look(window, insideRows(...shifted(rows.y0, rows.y1, share)));
}
export const all = () => look(null, null);

const around = (low: number, high: number, at: number) =>
  [at - (high - low) / 2, at + (high - low) / 2] as const;

/* Pan until this time and row are in the window, with what came before in sight; a row below 0 is nowhere. */
export function reveal(ms: number, row = -1) {
  let { window, rows } = current;
  if (window && (ms < window.x0 || ms > window.x1)) window = inside(...around(window.x0, window.x1, ms));
  if (rows && row >= 0 && (row < rows.y0 || row + 1 > rows.y1))
    rows = insideRows(...around(rows.y0, rows.y1, row + 0.5));
  if (window !== current.window || rows !== current.rows) look(window, rows);
}

/* The selected span, the container in focus, what is highlighted; all of it where nothing is. */
export async function fit() {
  const { span, highlight } = state();
  const focus = pointer.focused();
  const near: Partial<Span & Rows> | null = span ?? (focus && { x0: focus.start, x1: focus.end });
  const extent = near ?? (highlight ? await ask<Partial<Span & Rows>>("extent") : null);
  const { x0, x1, y0, y1 } = extent ?? {};
  if (x0 === undefined || x1 === undefined || x1 <= x0) return all();
  const more = (x1 - x0) * 0.05;
  const rows = y0 === undefined || y1 === undefined ? current.rows : insideRows(y0, y1);
  look(inside(x0 - more, x1 + more), rows);
}

/* What to draw, as the server's View reads it (webapp/panels/timeline/viewport.py). */
export const looked = () => (current.window || current.rows ? { ...current.window, ...current.rows } : null);
export function viewRequest() {
  const { arranged: rows, highlight, colour, scheme } = state();
  const shown = { key: current.key, window: looked(), rows, highlight, colour };
  return { ...shown, dark: scheme === "dark", ...lanes.measure() };
}
export type ViewRequest = ReturnType<typeof viewRequest>;

/* The answer of one of the charts' routes, null where there is none. */
export async function post<Answer>(name: string, body: object): Promise<Answer | null> {
  try {
    const answer = await send(`${state().base}charts/${name}`, body);
    if (answer.status === 410) run.lost();
    if (answer.status >= 500) run.away();
    return answer.ok ? await answer.json() : null;
  } catch {
    run.away();
    return null;
  }
}

/* The same of what is looked at. */
export const ask = <Answer>(name: string, more = {}) => post<Answer>(name, { ...viewRequest(), ...more });

/* One request at a time, of what is looked at when it starts; what changes meanwhile is asked next. */
export const draw = latest(async () => {
  if (!current.key) return;
  const request = viewRequest();
  const text = JSON.stringify(request);
  if (text === drawnFor) return;
  const answer = await post<Drawing>("draw", request);
  if (!answer || answer.key !== current.key) return;
  drawnFor = text;
  show(answer);
});

/* A drawing has come, of this result or with another one: then `request` is what it was drawn for. */
export function show(drawing: Drawing, request?: ViewRequest) {
  const { key = null, asked, hidden, names, others, absent } = drawing;
  if (request) drawnFor = JSON.stringify({ ...request, key });
  if (key !== current.key) {
    const { x0, x1, y0, y1 } = asked;
    const window = x0 === undefined || x1 === undefined ? null : { x0, x1 };
    current = { ...current, key, window, rows: y0 === undefined || y1 === undefined ? null : { y0, y1 } };
  }
  current = { ...current, whole: drawing.whole };
  if (!current.rows) current.visibleRows = { y0: 0, y1: drawing.looked.y1 };
  lanes.put(drawing);
  const { window, rows } = current;
  change({ legend: { names, others, absent }, hidden, drawn: key, window, rows });
  moved();
}

/* What a slider shows while it moves: charts of a run that has no key. */
export function preview(drawing: Drawing) {
  drawnFor = "";
  current = { ...current, whole: drawing.whole };
  lanes.put(drawing);
  lanes.showFacts(drawing.facts ?? {});
  moved();
}

/* Away with what a slider showed. */
export function restore() {
  drawnFor = "";
  return draw();
}

export function listen() {
  on(["arranged"], () => {
    current = { ...current, rows: null };
    pointer.focusOn(null);
  });
  on(
    ["arranged", "highlight", "colour", "scheme", "strips", "folded", "phone", "columns", "presenting"],
    draw,
  );
}
