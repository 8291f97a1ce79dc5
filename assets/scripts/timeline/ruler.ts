/* Above the charts, always in sight: the map of the whole run with a frame around what is looked at, and
   the ruler of its times; the charts' lines stand on its ticks. */
import { at, h, hear, the, whileDragged } from "../page/dom";
import { clock } from "../page/quantities";
import { same, state } from "../page/state";
import * as charts from "./charts";
import type { Span } from "./drawing";
import * as lanes from "./lanes";

const TICK_PX = 84;
const [SECOND, MINUTE, HOUR, DAY] = [1e3, 6e4, 36e5, 864e5]; // in ms
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR),
];
const GRID_PX = 240; // as far left of its plot a grid begins

/* What ticks were put for: the room they have, with px of a ms, and the times they reach to. */
let laid = { of: {}, step: 1, x0: 0, from: 0, until: 0 };
let picturedFor = ""; // what the map was asked for
// of the map, measured when the charts have another width: to ask for it while all moves would lay the page
// out twice
let mapped = { of: "", wide: 0, high: 0 };

const ruler = () => the("ruler");
const map = () => the("map");

/* Of parts of a second, that tell ticks so far apart from each other. */
const digitsOf = (step: number) => [0, 1, 2].find((digits) => step % 10 ** (3 - digits) === 0) ?? 3;
const stepOf = (min: number) =>
  STEPS.find((step) => step >= min) ?? DAY * 2 ** Math.ceil(Math.log2(min / DAY));

export function follow() {
  const [lane] = lanes.painted();
  if (!charts.view().whole || !lane || !at("ruler")) return;
  const { x0, x1 } = charts.currentWindow();
  const { width, room, columns } = lane.painted.size;
  const scale = width / (x1 - x0);
  const of = { scale, width, room, columns };
  if (!same(of, laid.of) || x0 < laid.from || x1 > laid.until) layTicks({ x0, x1 }, lane.painted.size, of);
  for (const ticks of ruler().querySelectorAll<HTMLElement>(".ticks"))
    ticks.style.transform = `translateX(${(laid.x0 - x0) * scale}px)`;
  const tick = laid.step * scale;
  const left = (((GRID_PX - x0 * scale) % tick) + tick) % tick;
  for (const grid of document.querySelectorAll<HTMLElement>(".grid")) {
    grid.style.transform = `translateX(${left}px)`;
    if (grid.dataset.tick === String(tick)) continue;
    grid.style.backgroundSize = `${tick}px 100%`;
    grid.dataset.tick = String(tick);
  }
  frame(`${width} ${room} ${columns}`);
}

/* Ticks of the window and of half as much on either side, so that a pan only moves them. */
function layTicks({ x0, x1 }: Span, { width, room, columns }: lanes.Size, of: { scale: number }) {
  const { scale } = of;
  const [step, beside] = [stepOf(TICK_PX / scale), (x1 - x0) / 2];
  laid = { of, step, x0, from: x0 - beside, until: x1 + beside };
  const texts: { left: number; text: string }[] = [];
  for (let ms = Math.max(Math.ceil(laid.from / step) * step, 0); ms <= laid.until; ms += step)
    texts.push({ left: (ms - x0) * scale, text: clock(ms, digitsOf(step)) });
  for (const [number, box] of [...ruler().querySelectorAll<HTMLElement>(":scope > *")].entries()) {
    box.hidden = number >= columns;
    Object.assign(box.style, { marginLeft: `${room}px`, width: `${width}px` });
    const ticks = box.firstElementChild ?? box.appendChild(h("div", { class: "ticks" }));
    while (ticks.children.length < texts.length) ticks.append(h("span"));
    ticks.querySelectorAll("span").forEach((span, place) => {
      const tick = texts[place];
      span.hidden = !tick;
      if (!tick) return;
      span.style.transform = `translateX(${tick.left}px)`;
      if (span.textContent !== tick.text) span.textContent = tick.text;
    });
  }
}

/* of: what the map's size goes by. */
function frame(of: string) {
  const { whole, window, rows, key } = charts.view();
  paintMap(key);
  const box = the("map-frame");
  box.hidden = !window && !rows;
  if (box.hidden || !whole) return;
  if (mapped.of !== of) mapped = { of, wide: map().clientWidth, high: map().clientHeight };
  const { x0, x1 } = charts.currentWindow();
  const { y0, y1 } = rows ?? { y0: 0, y1: whole.rows };
  const [across, down] = [mapped.wide / (whole.x1 - whole.x0), mapped.high / whole.rows];
  Object.assign(box.style, {
    transform: `translate(${(x0 - whole.x0) * across}px, ${y0 * down}px)`,
    width: `${(x1 - x0) * across}px`,
    height: `${(y1 - y0) * down}px`,
  });
}

async function paintMap(key: string | null) {
  const { arranged, highlight, colour, scheme } = state();
  const wish = JSON.stringify({ key, arranged, highlight, colour, scheme });
  if (wish === picturedFor || charts.view().isHeld) return;
  picturedFor = wish;
  const answer = await charts.ask<{ map?: string }>("map");
  if (answer?.map && wish === picturedFor) the("map-picture", HTMLImageElement).src = answer.map;
}

/* Where one presses becomes the middle of what is looked at, and stays under the pointer. */
function go(event: PointerEvent) {
  const { whole, window, rows } = charts.view();
  if (!whole) return;
  const box = map().getBoundingClientRect();
  const x = whole.x0 + ((event.clientX - box.left) / box.width) * (whole.x1 - whole.x0);
  const y = ((event.clientY - box.top) / box.height) * whole.rows;
  const half = window ? (window.x1 - window.x0) / 2 : (whole.x1 - whole.x0) / 8;
  const high = rows && (rows.y1 - rows.y0) / 2;
  const shown = high === null ? null : charts.insideRows(y - high, y + high);
  charts.look(charts.inside(x - half, x + half), shown, true);
}

export function listen() {
  hear("pointerdown", "#map", (map, event) => {
    if (!charts.view().whole) return;
    event.preventDefault();
    map.setPointerCapture(event.pointerId);
    charts.hold(true);
    go(event);
    whileDragged(map, go, () => charts.hold(false));
  });
}
