/* What if, studies: many runs of the curve of the slider touched last, or of it and a second one. What is
   chosen is a wish, whose price the server says. */
import { callbacks, setProps } from "../dash/dash";
import { at, hear, setText, the } from "../page/dom";
import { msg } from "../page/messages";
import { mirrored } from "../page/mirror";
import { percent } from "../page/quantities";
import { change, on, type State, same, state } from "../page/state";
import { rested } from "../page/timing";
import * as workbench from "../page/workbench";
import * as run from "../run/run";
import type { Axis, Slider, Study, StudyView } from "./facts";
import * as sliders from "./sliders";
import * as studyView from "./study_view";

const REST_MS = 120;
// as webapp/jobs/studies.py has them
const SEEDS = [1, 10, 30, 100];
const VALUES = [5, 10, 20, 50, 100];
const JITTERS = [0, 0.1, 0.2, 0.5];
const form = { seeds: 10, by: "", values: 20, jitter: 0, metric: "makespan_s" };
const sent: Record<string, unknown> = {}; // to stores, by their ids
let x: string | null = null; // the path of the first
let pending: StudyView | null = null; // begun once its run is there

const numeric = () => sliders.usable().filter(({ tunable }) => !tunable.choices.length);
const second = () => numeric().find(({ path }) => path === form.by);
function seconds() {
  const others = numeric().filter(({ path }) => path !== x || path === form.by);
  const none = { value: "", label: msg("shared.none") };
  return [none, ...others.map(({ path, tunable }) => ({ value: path, label: tunable.label }))];
}
const axis = ({ value, tunable, ...range }: sliders.Usable): Axis => ({ ...range, present: tunable.value });
const axes = ({ x, y }: Study) => (y ? [x, y] : [x]);

/* x is the slider touched last; while that is the second of the two, it stays the other. */
function first() {
  const { slider } = state();
  if (slider && slider !== form.by) x = slider;
  return numeric().find(({ path }) => path === x) ?? numeric().find(({ path }) => path === slider);
}

function wish(): Study | null {
  const [slider, base, other] = [first(), sliders.base(), second()];
  if (!slider || !base) return null;
  const y = other && other.path !== slider.path ? axis(other) : null;
  const held = sliders.changes().filter(({ path }) => path !== slider.path && path !== y?.path);
  const { seeds, jitter, values } = form;
  return { key: base.key, x: axis(slider), y, held, seeds, jitter, values };
}

function ask() {
  const study = wish();
  if (!study) return;
  change({ study });
  setProps("study-ask", { data: study });
  // what comes is seen in a low drawer too
  requestAnimationFrame(() => the("study-bar").scrollIntoView({ block: "start" }));
}
function close() {
  setProps("study-ask", { data: null });
  change({ study: null });
}

function send(id: string, data: unknown) {
  if (same(data, sent[id] ?? null)) return;
  sent[id] = data;
  setProps(id, { data });
}

/* The form, its price and the point that is looked at follow the sliders once these rest. */
const follow = rested(() => {
  if (!at("study-price")) return;
  const next = wish(); // which says what is x by now
  send("study-by", seconds());
  if (form.by && !second()) setProps("study-by", { value: "" });
  send("study-wish", next);
  const { study } = state();
  if (!study) return;
  const { seeds, jitter, values } = study;
  const isStale = next && !same({ ...next, seeds, jitter, values }, study);
  setText("study-stale", isStale ? msg("what_if_study.moved") : "");
  send("study-point", axes(study).map(sliders.standing));
  studyView.marked();
}, REST_MS);

function show({ study }: State) {
  const room = at("study");
  if (!room) return;
  room.hidden = !study;
  the("whatif-curve").classList.toggle("whatif-studied", Boolean(study));
  the("study-curve-room").hidden = Boolean(study?.y);
  the("study-map-room").hidden = !study?.y;
  for (const link of document.querySelectorAll("[data-study-file]")) link.removeAttribute("href");
  if (study) {
    measure();
    for (const key of ["curve", "map", "spread"]) setProps(`study-${key}-mount`, { value: "mounted" });
  } else setText("study-stale", "");
  sent["study-point"] = null;
}
const measure = () => setProps("study-room", { data: the("study").clientWidth });

/* Another run to start from: a study of the one before goes; one that an address or a file has is begun. */
export function based() {
  sent["study-wish"] = null;
  const { study } = state();
  const base = sliders.base();
  if (pending && base) begin(pending);
  else if (study && study.key !== base?.key) close();
  follow();
}

function begin({ seeds, jitter, values, metric, axes: count, sliders: given }: StudyView) {
  pending = null;
  const missing = given.find(({ path }) => !sliders.of(path));
  if (missing) return setText("study-says", msg("what_if_study.not_in_scenario", { path: missing.path }));
  const [one, other] = given;
  x = one?.path ?? null;
  Object.assign(form, { seeds, jitter, values, metric, by: (count === 2 && other?.path) || "" });
  const known = (own: Slider) => ({ ...own, value: own.value ?? sliders.of(own.path)?.value ?? null });
  change({ sliders: given.map(known), slider: x });
  offer("study-seeds", SEEDS, seeds, String);
  offer("study-values", VALUES, values, (count) => msg("what_if_study.at_most", { count }));
  offer("study-jitter", JITTERS, jitter, percent);
  setProps("study-by", { data: seconds(), value: form.by });
  setProps("whatif-metric", { value: metric });
  ask();
}

/* A choice, with one more where a link or a file has another than those that are offered. */
function offer(id: string, usual: number[], value: number, words: (value: number) => string) {
  const all = [...new Set([...usual, value])].sort((one, other) => one - other);
  const data = all.map((one) => ({ value: String(one), label: words(one) }));
  setProps(id, { data, value: String(value) });
}

/* What an address says of the study: see study_url.py. */
export function written() {
  const { study } = state();
  if (!study) return "";
  const { seeds, jitter, values } = study;
  const moved = axes(study).map((axis) => ({ ...axis, value: sliders.standing(axis) }));
  const held = study.held.map(({ path, value }) => {
    const [first, last] = typeof value === "number" ? [value, value] : [0, 1];
    return { first, last, step: 1, ...sliders.find(path), path, value };
  });
  const own = [...moved, ...held];
  const others = sliders.sliders().filter(({ path }) => !own.some((one) => one.path === path));
  const row = ({ path, value, first, last, step }: Slider) => [path, value ?? "", first, last, step];
  const rows = [[seeds, jitter, values, form.metric, moved.length], ...[...own, ...others].map(row)];
  return rows.map((words) => words.join(",")).join(";");
}

/* What an address has is begun once its run is there; its sliders stand at once. What a file has comes
   with a draft that is run first. */
export function opening(given: StudyView | null): Partial<State> {
  pending = given;
  return given ? { sliders: given.sliders, slider: given.sliders[0]?.path ?? null } : {};
}
export async function open(given: StudyView) {
  workbench.openTab("whatif");
  change({ pane: "result" });
  const { draft } = state();
  if (!draft || !(await run.ask(draft, "run"))) return;
  pending = given;
  // the same was shown already, and nobody hears of it again
  if (sliders.base()?.key === state().result?.key) begin(given);
  else sliders.look();
}

export function listen() {
  on(["sliders", "slider", "study"], follow);
  on(["study"], show);
  on(["drawer"], ({ study }) => study && at("study") && requestAnimationFrame(measure));
  hear("click", "#study-run", ask);
  hear("click", "#study-close", close);
  callbacks({
    studyChosen(seeds: string, by: string | null, values: string, jitter: string, metric: string) {
      const numbers = { seeds: Number(seeds), values: Number(values), jitter: Number(jitter) };
      Object.assign(form, { ...numbers, by: by ?? "", metric });
      follow();
      mirrored();
    },
  });
}
