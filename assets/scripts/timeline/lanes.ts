/* The charts on the page: a lane a scheduler, as high as there is room for; what is painted in them is
   moved as a whole. */
import { h, hear, at as maybe, parsed, the, within } from "../page/dom";
import { msg } from "../page/messages";
import { change, on, same, state, toggled } from "../page/state";
import { rested } from "../page/timing";
import type { Chart } from "../run/result";
import * as charts from "./charts";
import type { Drawing, Facts, Rows, Span } from "./drawing";
import { SHORTCUTS } from "./keys";

const ROOM_PX = { wide: 96, narrow: 64 }; // for the names of rows
const NARROW_PX = 560;
const RIGHT_PX = 11; // of the rows, with the line at their left
const HEAD_PX = { usual: 24, phone: 32 };
const MIN_PX = 72; // of a lane's rows
const FINE_PX = 6.3; // of a row, whose bar then has 5
const LOW_PX = 22; // of a strip where rows would have less
const MAX_ROW_PX = 30;
const MAX_COMPARED_ROWS = 60; // more have thin bars in any arrangement
const LEGEND_PX = 48; // at most, as in workbench.css
const GAP_PX = 6; // above a strip and below a lane
// px of a strip; rows keep MIN_PX and `spare` before it is shown by itself
const STRIPS = [
  { key: "memory", px: 34, spare: 60, colours: false },
  { key: "vcores", px: 34, spare: 60, colours: false },
  { key: "capacity", px: 84, spare: 300, colours: true },
];
const APART = { page: 1800, lanes: 840 }; // px from which on they stand two and two
const APART_PX = 16; // between two beside each other

/* In px: of the rows, with room for their names; isApart: whether there is room for two columns. */
const USUAL = { width: 800, height: 240, room: 96, columns: 1, isApart: false };
export type Size = typeof USUAL & { strips: Record<string, number> };

/* What a lane shows: what was painted, how much of it is looked at, in which size. */
type Painted = { drawn: Span & Rows; looked: Span & Rows; size: Size };
export type Lane = ReturnType<typeof laneOf>;
export type PaintedLane = Lane & { painted: Painted };

let all: Lane[] = [];
let size: Size = { ...USUAL, strips: {} };
export const columns = () => size.columns;

const box = () => the("lanes");
const isPainted = (lane: Lane): lane is PaintedLane => lane.painted !== null;

/* The lanes that are not folded, and those of them in which something is painted. */
export const open = () => all.filter(({ node }) => !node.hasAttribute("data-folded"));
export const painted = () => open().filter(isPainted);
export const ofPlace = (place: number) => all.find((lane) => lane.place === place);
export const around = (node: Node) => all.find((lane) => lane.node.contains(node));
export const shownStrips = () => state().strips ?? Object.keys(size.strips);

/* Which runs have a lane: each that is equal to an earlier one stands there. */
export const distinctRuns = () => state().result?.charts.filter((chart) => chart.same === null) ?? [];

/* Whose charts are away: those that were folded; on a phone, which has room for one, and on a projector,
   which has it for two, all but the first of the others. */
export function folded(places = distinctRuns().map(({ place }) => place)) {
  const { folded: away, phone, presenting } = state();
  if (!phone && !presenting) return away;
  const unfolded = places.filter((place) => !away.includes(place));
  const shown = (unfolded.length ? unfolded : places).slice(0, phone ? 1 : 2);
  return places.filter((place) => !shown.includes(place));
}

/* How large the lanes are by the room there is now, as the server's View reads it. */
export function measure() {
  const { coming, presenting, phone, columns: wanted, strips: chosen } = state();
  const headPx = HEAD_PX[phone ? "phone" : "usual"];
  const every = distinctRuns().map(({ place }) => place);
  const places = coming ? Array.from({ length: coming }, (_, place) => place) : every;
  const away = folded(places);
  const shown = places.filter((place) => !away.includes(place));
  const { paddingLeft, paddingRight } = getComputedStyle(box());
  const wide = box().clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const { rows, whole } = charts.view();
  const count = rows ? Infinity : (whole?.rows ?? Infinity);
  // of those that are folded
  const headsOf = (columns: number) =>
    columns === 1 && !presenting && !phone ? (every.length - shown.length) * (headPx + GAP_PX) : 0;
  // a strip whose colours stand in the legend makes that so much higher at most
  const taller = LEGEND_PX - the("legends").clientHeight;
  /* What a lane's rows and strips share of the height, where lanes stand in so many columns. */
  const shareOf = (columns: number, isLow = false): { left: number; strips: Size["strips"] } => {
    const free = box().clientHeight - headsOf(columns);
    const lines = Math.max(1, Math.ceil(shown.length / columns));
    let left = Math.floor(free / lines) - headPx - GAP_PX;
    const strips: Size["strips"] = {};
    for (const { key, px: usual, spare, colours } of STRIPS) {
      const px = isLow ? Math.min(usual, LOW_PX) : usual;
      const lost = colours ? taller / lines : 0;
      if (chosen ? !chosen.includes(key) : left - lost - px - GAP_PX < MIN_PX + spare) continue;
      strips[key] = px;
      left -= px + GAP_PX;
    }
    const isTight = Object.keys(strips).length > 0 && left < FINE_PX * Math.min(count, MAX_COMPARED_ROWS);
    return isTight && !isLow ? shareOf(columns, true) : { left, strips };
  };
  const isApart = shown.length > 1 && wide >= APART.lanes;
  // below each other times compare at a glance, as long as bars are not too thin for it
  const isThin = () => shareOf(1).left < FINE_PX * Math.min(count, MAX_COMPARED_ROWS);
  const isWide = window.innerWidth >= APART.page;
  const columns = wanted !== 1 && isApart && (shown.length > 2 || isWide || isThin()) ? 2 : 1;
  const room = wide / columns < NARROW_PX ? ROOM_PX.narrow : ROOM_PX.wide;
  const { left, strips } = shareOf(columns);
  const height = Math.max(MIN_PX, Math.min(left, Math.max(count * MAX_ROW_PX, MIN_PX)));
  const across = Math.floor((wide - (columns - 1) * APART_PX) / columns) - room - RIGHT_PX;
  size = { width: Math.max(120, across), height, room, strips, columns, isApart };
  return { width: size.width, height, room, strips, charts: shown };
}

function build() {
  const every = distinctRuns();
  const names = JSON.stringify(every.map(({ place, name, pinned }) => [place, name, pinned]));
  if (box().dataset.of !== names) {
    box().dataset.of = names;
    all = every.map(laneOf);
    box().replaceChildren(...all.map(({ node }) => node));
  }
  every.forEach((chart, index) => {
    const lane = all[index];
    if (lane) showHead(lane, chart);
  });
}

/* A lane's parts, as webapp/panels/timeline/lane.py makes them. */
function laneOf({ place, lane }: Chart) {
  const node = parsed(lane ?? "");
  const part = (name: string, room = node) => within(room, `.${name}`);
  const [chart, rows] = [part("chart"), part("rows")];
  chart.setAttribute("aria-keyshortcuts", SHORTCUTS);
  const over = {
    future: part("future"),
    span: part("span"),
    crosshair: part("crosshair"),
    cursor: part("cursor"),
    mark: part("mark"),
  };
  const moved = { names: part("names", rows), moving: part("moving", rows), plot: part("plot", rows) };
  const parts = { node, head: part("lane-head"), chart, rows, ...moved, below: part("strips"), over };
  const strips: ReturnType<typeof stripOf>[] = [];
  return { place, ...parts, signals: part("signals"), strips, painted: null as Painted | null };
}

function showHead({ place, node, head }: Lane, chart: Chart) {
  const isAway = folded().includes(place);
  node.toggleAttribute("data-folded", isAway);
  head.replaceChildren(...within(parsed(chart.lane ?? ""), ".lane-head").childNodes);
  const fold = within(head, ".fold");
  fold.setAttribute("aria-expanded", String(!isAway));
  fold.title = isAway ? msg("lanes.unfold") : msg("lanes.fold");
  within(head, ".menu-entries").replaceChildren(...menuEntries(chart));
}

export function showFacts(facts: Facts) {
  for (const { place, head } of all)
    facts[place]?.forEach(([, text, beside, about], index) => {
      const [value, far] =
        head.querySelectorAll("dd")[index]?.querySelectorAll<HTMLElement>(":scope > *") ?? [];
      if (!value || !far) return;
      value.textContent = text;
      Object.assign(far, { textContent: beside, title: about });
      far.dataset.sign = beside;
    });
}

function menuEntries({ place, signals }: Chart) {
  const entries = [
    h("button", { "data-picture": "png", "data-place": place }, msg("lanes.png")),
    h("button", { "data-picture": "svg", "data-place": place }, msg("lanes.svg")),
  ];
  const runs = distinctRuns().length;
  if (runs > 1 && !state().phone) {
    const words = runs - folded().length === 1 ? msg("lanes.show_all") : msg("lanes.show_only");
    entries.push(h("button", { "data-only": place }, words));
  }
  if (signals) {
    const isOn = String(Boolean(state().signals.open));
    entries.push(h("button", { "data-signals": "open", "aria-pressed": isOn }, msg("lanes.signals")));
  }
  return entries;
}

/* Drawings of the server; those of lanes that are not there are left. */
export function put({ key, looked, charts: drawings }: Drawing) {
  for (const lane of all) {
    const drawing = drawings[lane.place];
    if (!drawing) continue;
    lane.painted = { drawn: drawing.drawn, looked, size };
    lane.moving.innerHTML = drawing.gantt;
    lane.names.innerHTML = drawing.names;
    lane.names.style.width = `${size.room}px`;
    lane.rows.style.height = `${size.height}px`;
    lane.head.querySelector(".sampled")?.toggleAttribute("hidden", drawing.exact);
    lane.chart.style.setProperty("--room", `${size.room}px`);
    Object.assign(lane.chart.dataset, { exact: drawing.exact, slices: drawing.slices });
    lane.strips = drawing.strips.map(stripOf);
    lane.below.replaceChildren(...lane.strips.map(({ node }) => node));
  }
  box().dataset.columns = String(size.columns);
  the("card-columns").hidden = !size.isApart;
  box().toggleAttribute("data-preview", !key);
  if (key) box().dataset.key = key;
}

/* A strip and what is moved of it. */
export function stripOf(html: string) {
  const node = parsed(html);
  return { node, moving: within(node, ".moving") };
}

/* How what was painted for one window stands in another. */
export function across(drawn: Span, looked: Span, width: number) {
  const { x0, x1 } = charts.currentWindow();
  const left = ((drawn.x0 - x0) * width) / (x1 - x0);
  return `translateX(${left}px) scaleX(${(looked.x1 - looked.x0) / (x1 - x0)})`;
}

/* Everything painted to where it belongs just now. */
export function move() {
  if (!charts.view().whole) return;
  const { x0, x1, y0, y1 } = charts.edges();
  const isOne = (ratio: number) => Math.abs(ratio - 1) < 1e-9;
  for (const lane of all.filter(isPainted)) {
    const { drawn, looked, size } = lane.painted;
    const along = across(drawn, looked, size.width);
    const tall = size.height / (y1 - y0);
    const taller = (tall * (looked.y1 - looked.y0)) / size.height;
    const isScaled = !isOne((looked.x1 - looked.x0) / (x1 - x0)) || !isOne(taller);
    lane.moving.style.transform = `${along} translateY(${(drawn.y0 - y0) * tall}px) scaleY(${taller})`;
    lane.node.toggleAttribute("data-scaled", isScaled);
    lane.names.style.transform = `translateY(${(looked.y0 - y0) * tall}px) scaleY(${taller})`;
    for (const { moving } of lane.strips) moving.style.transform = along;
  }
}

/* Whether every chart is drawn for just what is looked at, and as high as there is room. */
export function isSharp() {
  const [{ x0, x1, y0 }, { height }] = [charts.edges(), measure()];
  return open().every(({ node, painted }) => {
    if (!painted || node.hasAttribute("data-scaled")) return false;
    const { looked, size } = painted;
    const isOfRows = Math.abs(looked.y0 - y0) < 0.02; // they are told to a hundredth
    return looked.x0 === x0 && looked.x1 === x1 && isOfRows && size.height === height;
  });
}

/* Another size of the room: what is there is drawn for it. */
export const watchSize = () => new ResizeObserver(rested(() => charts.draw(), 120)).observe(box());

export function listen() {
  on(["result", "folded", "phone", "presenting"], () => maybe("lanes") && build());
  hear("click", "[data-fold]", ({ dataset }) => {
    change({ folded: toggled(state().folded, Number(dataset.fold)) });
  });
  hear("click", "[data-only]", ({ dataset }) => {
    const places = distinctRuns().map(({ place }) => place);
    const others = places.filter((place) => place !== Number(dataset.only));
    change({ folded: !state().phone && same([...state().folded].sort(), others) ? [] : others });
  });
}
