/* What if: the response curve of the slider touched last, and the line of its present value. */
import { callbacks, setProps } from "../dash/dash";
import { at, h, when } from "../page/dom";
import { on, same, state } from "../page/state";
import type { Slider } from "./facts";
import * as sliders from "./sliders";

/* A chart that plotly has begun to draw, as far as it is read here; offset and length in px. */
type PlotAxis = { _offset: number; _length: number; l2p(value: number): number };
interface Plot extends HTMLElement {
  _fullLayout?: { xaxis?: PlotAxis; yaxis?: PlotAxis };
  on(kind: string, hear: (event: { points: { x: unknown }[] }) => void): void;
}

let goal: unknown = null;
let last: object | null = null; // what the curve is of
export function plotIn(room: string) {
  const node = document.querySelector<Plot>(`${room} .js-plotly-plot`);
  return node && "on" in node ? node : null;
}

/* The axes of one that is drawn. */
export function axesOf(plot: Plot | null) {
  const { xaxis: x, yaxis: y } = plot?._fullLayout ?? {};
  return x && y ? { x, y } : null;
}

/* mark() now and whenever plotly draws it anew; a click on a point of the slider take() turns that. */
export function follow(plot: Plot | null, mark: () => void, take?: () => Pick<Slider, "path"> | undefined) {
  if (plot && !plot.dataset.followed) {
    plot.dataset.followed = "yes";
    plot.on("plotly_afterplot", mark);
    plot.on("plotly_click", ({ points: [point] }) => {
      const slider = take?.();
      if (point && slider) sliders.turn(slider.path, Number(point.x), true);
    });
  }
  mark();
}

/* What the curve should be of; the server is asked only when that is something else. A study stands in its
   place. */
export function ask() {
  const room = at("whatif-curve");
  if (!room) return;
  const next = wish();
  room.hidden = !next;
  if (!state().study && !same(next, last)) {
    last = next;
    setProps("whatif-curve-ask", { data: next });
  }
  markNow();
}

function wish() {
  const [slider, base] = [sliders.active(), sliders.base()];
  const tunable = slider && sliders.of(slider.path);
  if (!tunable || !base || tunable.choices.length) return null;
  const { path, first, last, step } = slider;
  const { whole, value: present } = tunable;
  const held = sliders.changes().filter((change) => change.path !== path);
  return { key: base.key, path, first, last, step, whole, present, held, goal };
}

/* The blue line of the slider's value, over a curve that is drawn for the value of the run. */
const markNow = () => line(plotIn("#whatif-card"), sliders.active()?.value);
export function line(plot: Plot | null, value: Slider["value"] | undefined) {
  const axes = axesOf(plot);
  const picture = plot?.closest(".picture");
  if (!axes || !picture || value === undefined) return;
  const { x, y } = axes;
  const made = picture.querySelector<HTMLElement>(".whatif-now");
  const mark = made ?? picture.appendChild(h("div", { class: "whatif-now" }));
  const left = typeof value === "number" ? x.l2p(value) : -1;
  mark.hidden = left < 0 || left > x._length;
  const along = `translateX(${x._offset + left}px)`;
  mark.style.cssText = `transform: ${along}; top: ${y._offset}px; height: ${y._length}px`;
}

export function listen() {
  on(["sliders", "slider", "study"], ask);
  const drawn = () => follow(plotIn("#whatif-card"), markNow, sliders.active);
  callbacks({
    whatifGoal: (bound: unknown) => {
      goal = bound;
      ask();
    },
    whatifDrawn: () => void requestAnimationFrame(() => when(() => plotIn("#whatif-card"), drawn)),
  });
}
