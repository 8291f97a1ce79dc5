/* What if, studies: the pictures under the hand. A point of the curve sets its slider, a cell of the map
   both; arrow keys go from cell to cell. */
import { callbacks } from "../dash/dash";
import { at, h, hear, setText, the, when } from "../page/dom";
import { msg } from "../page/messages";
import { same, state } from "../page/state";
import * as curve from "./curve";
import { number } from "./search";
import * as sliders from "./sliders";

/* As webapp/panels/what_if/study_view.py sends them: of a map values of both axes, and a text a cell, y
   changing first. */
type Cells = { x: number[]; y: number[]; texts: string[] };
type Shown = { title: string; metric: string; files: string | null; cells?: Cells };
type Place = readonly [column: number, row: number];

let cells: Cells | null = null;
let cursor: Place = [0, 0];
const plot = (key: "curve" | "map") => curve.plotIn(`#study-${key}-graph`);

/* Where the sliders stand: a line over the curve, a frame around the cell. */
export function marked() {
  const { study } = state();
  if (!study) return;
  const { x, y } = study;
  if (!y) return curve.line(plot("curve"), sliders.standing(x));
  if (!cells || !placeGrid()) return;
  const [column, row] = [nearest(cells.x, sliders.standing(x)), nearest(cells.y, sliders.standing(y))];
  frame(cells, "study-here", [column, row]);
}
function nearest(values: number[], value: unknown) {
  const apart = values.map((other) => Math.abs(other - Number(value)));
  return apart.indexOf(Math.min(...apart));
}

/* The map has a room over it that takes the pointer and the keyboard: the drawing itself is hidden from
   who can't see it. */
function placeGrid() {
  const map = plot("map");
  const { x, y } = curve.axesOf(map) ?? {};
  if (!map?.clientWidth || !x || !y) return false;
  const grid = at("study-grid") ?? build(map);
  const outer = grid.offsetParent;
  if (!outer) return false;
  const [own, around] = [map.getBoundingClientRect(), outer.getBoundingClientRect()];
  const left = own.left - around.left - outer.clientLeft + x._offset;
  const top = own.top - around.top - outer.clientTop + y._offset;
  grid.style.cssText = `left: ${left}px; top: ${top}px; width: ${x._length}px; height: ${y._length}px`;
  return true;
}

function build(map: Element) {
  const says = { "aria-label": msg("what_if_study_view.map"), "aria-describedby": "study-cell" };
  const props = { id: "study-grid", class: "study-grid", tabindex: 0, role: "application", ...says };
  const grid = h("div", props, h("div", { class: "study-here" }), h("div", { class: "study-at" }));
  const cell = h("p", { id: "study-cell", class: "study-cell", role: "status" });
  map.closest(".picture")?.after(h("div", { class: "study-over" }, grid, cell));
  return grid;
}

function frame({ x, y }: Cells, name: string, [column, row]: Place) {
  const mark = document.querySelector<HTMLElement>(`#study-grid .${name}`);
  const [wide, high] = [100 / x.length, 100 / y.length];
  const [left, bottom] = [column * wide, row * high];
  if (mark) mark.style.cssText = `left: ${left}%; bottom: ${bottom}%; width: ${wide}%; height: ${high}%`;
}

const label = (path: string, value?: number) => `${sliders.of(path)?.label}: ${number(value)}`;
function look(cells: Cells, [column, row]: Place) {
  const { study } = state();
  const { x, y, texts } = cells;
  const within = (place: number, { length }: number[]) => Math.min(Math.max(place, 0), length - 1);
  const [across, up] = [within(column, x), within(row, y)];
  cursor = [across, up];
  frame(cells, "study-at", cursor);
  if (!study?.y) return;
  const where = [label(study.x.path, x[across]), label(study.y.path, y[up])];
  setText("study-cell", `${where.join(", ")}: ${texts[across * y.length + up]}`);
}
function under({ x, y }: Cells, { clientX, clientY }: MouseEvent): Place {
  const box = the("study-grid").getBoundingClientRect();
  const across = Math.floor(((clientX - box.left) / box.width) * x.length);
  return [across, Math.floor(((box.bottom - clientY) / box.height) * y.length)];
}
function set({ x, y }: Cells) {
  const { study } = state();
  const [column, row] = cursor;
  if (!study?.y) return;
  sliders.turn(study.y.path, y[row] ?? null);
  sliders.turn(study.x.path, x[column] ?? null, true);
}

const ARROWS: Record<string, Place> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
function press(cells: Cells, event: KeyboardEvent) {
  const by = ARROWS[event.key];
  const sets = event.key === "Enter" || event.key === " ";
  if (by) look(cells, [cursor[0] + by[0], cursor[1] + by[1]]);
  if (sets) set(cells);
  if (by || sets) event.preventDefault();
}

function studyDrawn(shown: Shown | null) {
  if (!shown) return;
  const { cells: next = null, title, files, metric } = shown;
  if (!cells || !same([cells.x, cells.y], [next?.x, next?.y])) cursor = [0, 0];
  cells = next;
  for (const key of ["curve", "map"]) setText(`study-${key}-head`, title);
  const where = the("study-files").dataset.at;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-study-file]"))
    if (files) link.href = `${where}${files}/${link.dataset.studyFile}?metric=${metric}`;
    else link.removeAttribute("href");
  const isDrawn = (key: "curve" | "map") => plot(key)?.clientWidth && curve.axesOf(plot(key));
  const follow = () => {
    curve.follow(plot("curve"), marked, () => state().study?.x);
    curve.follow(plot("map"), marked);
  };
  requestAnimationFrame(() => when(() => isDrawn("curve") || isDrawn("map"), follow));
}

export function listen() {
  const heard = <Kind extends keyof DocumentEventMap>(
    kind: Kind,
    work: (cells: Cells, event: DocumentEventMap[Kind]) => void,
  ) => hear(kind, "#study-grid", (_, event) => cells && state().study && work(cells, event));
  heard("pointermove", (cells, event) => look(cells, under(cells, event)));
  heard("click", (cells, event) => {
    look(cells, under(cells, event));
    set(cells);
  });
  heard("focusin", (cells) => look(cells, cursor));
  heard("keydown", press);
  callbacks({ studyDrawn });
}
