/* What if: the search for the best setting. The form is of the sliders there are; what is chosen is a
   wish, whose price the server says. What was asked last is kept for the tab, so that a reload shows it
   again or follows it on. */
import { callbacks, setProps } from "../dash/dash";
import { commitWhole } from "../editor/editor";
import * as measured from "../editor/measured";
import { at, type Child, h, hear, isField, setText, the } from "../page/dom";
import { msg } from "../page/messages";
import { change, on, same, state } from "../page/state";
import { keep, kept } from "../page/storage";
import { rested } from "../page/timing";
import type { Asked, Pinned } from "../run/result";
import * as run from "../run/run";
import * as sliders from "./sliders";

/* As webapp/panels/what_if/search_form.py tells it. */
type Metric = { key: string; title: string; better: "smaller" | "larger" | null; unit: string };
interface Facts {
  metrics: Metric[]; // that may be a goal
  measures: Metric[];
  trials: number[];
  seeds: number[];
  jitters: { value: number; title: string }[];
  most: { constraints: number };
  empty: string;
}
type Option = readonly [value: string | number, title: string | number];

const KEPT = "gantry-best";
const REST_MS = 150;
const FREE = { metric: "", way: "most", text: "" }; // as it was typed
const form = {
  out: [] as string[], // sliders that stay where they are
  scheduler: "",
  goal: "makespan_s",
  second: "",
  constraints: [] as (typeof FREE)[],
  trials: 50,
  seeds: 5,
  jitter: 0,
};
let facts: Facts | null = null;
let made = ""; // what the form was made for
let wished: Wish | null = null;
let asked: (Wish & { ended?: boolean }) | null = null;
let isRestored = false;
let looked = ""; // the key of the result that was looked up

const names = () => (sliders.base()?.asked.schedulers ?? []).filter((name) => name !== measured.NAME);
const scheduler = () => (names().includes(form.scheduler) ? form.scheduler : "");
const isIn = ({ path }: sliders.Usable) => path !== "seed" && !form.out.includes(path);

type Wish = NonNullable<ReturnType<typeof wish>>;
function wish() {
  const base = sliders.base();
  const varied = sliders.usable().filter(isIn);
  if (!facts || !base || (!varied.length && (names().length < 2 || scheduler()))) return null;
  const { goal, second, trials, seeds, jitter } = form;
  const vary = varied.map(({ path, first, last, step, tunable }) =>
    tunable.choices.length ? { path } : { path, low: first, high: last, step },
  );
  const objectives = [goal, second].filter(Boolean);
  const constraints = form.constraints.filter(({ text }) => text.trim());
  const held = sliders.changes().filter(({ path }) => !varied.some((slider) => slider.path === path));
  const what = { key: base.key, vary, objectives, constraints, held, scheduler: scheduler() };
  return { ...what, trials, seeds, jitter };
}

/* The form. */
function select(name: string, label: string, options: Option[], now: string | number, more = {}) {
  const all = options.map(([value, title]) => h("option", { value, selected: value === now }, String(title)));
  return h("select", { name, "aria-label": label, ...more }, ...all);
}
const labelled = (title: string, ...fields: Child[]) => h("label", {}, h("span", {}, title), ...fields);
function group(title: string, ...parts: Child[]) {
  const head = h("span", { class: "best-title", "aria-hidden": "true" }, title);
  const props = { class: "best-group", role: "group", "aria-label": title };
  return h("div", props, head, h("div", {}, ...parts));
}

export const number = (value = NaN) => value.toLocaleString("en", { maximumFractionDigits: 6 });
function box(slider: sliders.Usable) {
  const { path: value, tunable } = slider;
  const [first, last, step] = [number(slider.first), number(slider.last), number(slider.step)];
  const disabled = value === "seed";
  const says = tunable.choices.join(", ") || msg("what_if_search.range", { first, last, step });
  const input = h("input", { type: "checkbox", name: "vary", value, checked: isIn(slider), disabled });
  const aside = h("span", {}, disabled ? msg("what_if_search.seed") : says);
  return h("label", { class: "best-box" }, input, tunable.label, aside);
}
function varied({ empty }: Facts) {
  const boxes = sliders.usable().map(box);
  const parts: Child[] = boxes.length ? boxes : [h("p", { class: "help" }, empty)];
  const all = names().map((name): Option => [name, run.displayName(name)]);
  const title = msg("what_if_search.scheduler");
  const any: Option = ["", msg("what_if_search.any_scheduler", { count: all.length })];
  if (all.length > 1) parts.push(labelled(title, select("scheduler", title, [any, ...all], scheduler())));
  return group(msg("what_if_search.search"), ...parts);
}

function goalOf({ title: metric, better }: Metric) {
  if (better === "larger") return msg("what_if_search.maximise", { metric });
  return msg("what_if_search.minimise", { metric });
}
function secondOf({ title: metric, better }: Metric) {
  if (better === "larger") return msg("what_if_search.maximise_too", { metric });
  return msg("what_if_search.minimise_too", { metric });
}
function goals({ metrics }: Facts) {
  const { goal, second } = form;
  const title = msg("what_if_search.goal");
  const options = metrics.map((metric): Option => [metric.key, goalOf(metric)]);
  const others = metrics.map((metric): Option => [metric.key, secondOf(metric)]);
  const none: Option = ["", msg("what_if_search.nothing_else")];
  const offered = [none, ...others.filter(([key]) => key !== goal)];
  const also = select("second", msg("what_if_search.second_goal"), offered, second);
  return group(title, select("goal", title, options, goal), labelled(msg("what_if_search.and"), also));
}

function within({ measures, most }: Facts) {
  const metrics = measures.map(({ key, title }): Option => [key, title]);
  const ways: Option[] = [
    ["most", msg("shared.at_most")],
    ["least", msg("what_if_search.at_least")],
  ];
  const row = ({ metric, way, text: value }: typeof FREE, index: number) => {
    const [data, place] = [{ "data-place": index }, index + 1];
    const none = index ? msg("what_if_search.no_other_constraint") : msg("what_if_search.no_constraint");
    const of = msg("what_if_search.constraint_metric", { place });
    const chooser = select("of", of, [["", none], ...metrics], metric, data);
    const node = h("span", { class: "best-constraint" }, chooser);
    const { unit } = measures.find(({ key }) => key === metric) ?? {};
    if (unit === undefined) return node;
    const placeholder = unit === "s" ? "5 min" : unit === "%" ? "80 %" : "0";
    const label = msg("what_if_search.constraint_number", { place, unit });
    const text = { name: "text", type: "text", autocomplete: "off", value, placeholder, "aria-label": label };
    const direction = select("way", msg("what_if_search.constraint_direction", { place }), ways, way, data);
    node.append(direction, h("input", { ...data, ...text }), h("span", {}, unit));
    return node;
  };
  const rows = [...form.constraints, FREE].slice(0, most.constraints);
  return group(msg("what_if_search.where"), ...rows.map(row));
}

function effort({ trials, seeds, jitters }: Facts) {
  const choice = (name: "trials" | "seeds" | "jitter", title: string, options: Option[], label = title) =>
    labelled(title, select(name, label, options, form[name]));
  const counts = (values: number[]) => values.map((value): Option => [value, value]);
  const shares = jitters.map(({ value, title }): Option => [value, title]);
  return group(
    msg("what_if_search.effort"),
    choice("trials", msg("what_if_search.trials"), counts(trials)),
    choice("seeds", msg("what_if_search.seeds"), counts(seeds)),
    choice("jitter", msg("what_if_search.jitter"), shares, msg("what_if_search.jitter_title")),
    h("button", { type: "submit", class: "study-run", id: "best-run" }, msg("what_if_search.search")),
  );
}

/* Made anew where something else is to choose from; what has the focus keeps it. */
function build() {
  const room = at("best-form");
  if (!room || !facts) return;
  const { out, goal, second, constraints } = form;
  const metrics = constraints.map(({ metric }) => metric);
  const next = JSON.stringify([sliders.usable(), names(), out, form.scheduler, goal, second, metrics]);
  if (next === made && room.childElementCount) return;
  made = next;
  const { activeElement: held } = document;
  let selector = "";
  if (isField(held) && room.contains(held)) {
    const { place } = held.dataset;
    selector = `[name="${held.name}"]${place ? `[data-place="${place}"]` : ""}`;
    if (held.type === "checkbox") selector += `[value="${CSS.escape(held.value)}"]`;
  }
  room.replaceChildren(varied(facts), goals(facts), within(facts), effort(facts));
  if (selector) room.querySelector<HTMLElement>(selector)?.focus();
}

/* Form and price follow the sliders once these rest, while somebody looks. */
const follow = rested(() => {
  if (!at("best")?.hasAttribute("open")) return;
  look();
  build();
  const next = wish();
  the("best-run", HTMLButtonElement).disabled = !next;
  if (!same(next, wished)) {
    wished = next;
    setProps("best-wish", { data: next });
  }
  tellStale();
}, REST_MS);

/* What can be turned is looked up once somebody wants to know. */
function look() {
  const { result } = state();
  if (sliders.base() || !result || result.key === looked) return;
  looked = result.key;
  setProps("whatif-wanted", { data: looked });
}

function tellStale() {
  const { key } = sliders.base() ?? {};
  const isStale = asked && key && asked.key !== key;
  setText("best-stale", isStale ? msg("what_if_search.from_other_run") : "");
}

/* What was asked, for this tab. */
function ask(next: typeof asked) {
  remember(next);
  setProps("best-ask", { data: next });
}
function remember(next: typeof asked) {
  asked = next;
  keep(KEPT, next, () => sessionStorage);
}
function restore() {
  if (isRestored || !facts || !state().result || !at("best")) return;
  isRestored = true;
  asked = kept(KEPT, () => sessionStorage);
  if (!asked) return;
  the("best").toggleAttribute("open", true);
  setProps("best-ask", { data: asked });
}

/* What fields of the form change in it, by their names. */
type Take = (value: string, place: number, isChecked: boolean) => Partial<typeof form>;
const TAKES: Record<string, Take> = {
  vary: (path, _, isChecked) => ({
    out: isChecked ? form.out.filter((other) => other !== path) : [...form.out, path],
  }),
  scheduler: (scheduler) => ({ scheduler }),
  goal: (goal) => ({ goal, second: form.second === goal ? "" : form.second }),
  second: (second) => ({ second }),
  of: (metric, place) => {
    const isLarger = facts?.measures.find(({ key }) => key === metric)?.better === "larger";
    return constrained(place, { metric, text: "", way: isLarger ? "least" : "most" });
  },
  way: (way, place) => constrained(place, { way }),
  text: (text, place) => constrained(place, { text }),
  trials: (trials) => ({ trials: Number(trials) }),
  seeds: (seeds) => ({ seeds: Number(seeds) }),
  jitter: (jitter) => ({ jitter: Number(jitter) }),
};
function constrained(place: number, values: Partial<typeof FREE>) {
  const rows = [...form.constraints];
  rows[place] = { ...FREE, ...rows[place], ...values };
  return { constraints: rows.filter(({ metric }) => metric) };
}

export function listen() {
  document.addEventListener("input", ({ target }) => {
    if (!isField(target) || target.form?.id !== "best-form") return;
    const isChecked = target instanceof HTMLInputElement && target.checked;
    Object.assign(form, TAKES[target.name]?.(target.value, Number(target.dataset.place), isChecked));
    follow();
  });
  hear("submit", "#best-form", (_, event) => {
    event.preventDefault();
    const next = wish();
    if (!next) return;
    ask(next);
    // what comes is seen in a low drawer too
    requestAnimationFrame(() => the("best-bar").scrollIntoView({ block: "start" }));
  });
  hear("click", "[data-best-trial]", ({ dataset }) => {
    if (asked) setProps("best-open", { data: { asked, trial: Number(dataset.bestTrial), at: Date.now() } });
  });
  hear("click", "#best-close", () => {
    ask(null);
    the("best-run").focus();
  });
  hear("toggle", "#best", (best, { target }) => target === best && follow(), { capture: true });
  on(["sliders", "drawer"], follow);
  on(["result"], () => {
    restore();
    follow();
  });
  callbacks({
    bestFacts(next: Facts) {
      [facts, made, wished, isRestored, looked] = [next, "", null, false, ""];
      restore();
      follow();
      return "false";
    },
    /* One that was ended is not begun again by a reload: what it had found is shown. */
    bestFound(found: { ended: boolean } | null) {
      if (found) setProps("best-curve-mount", { value: "mounted" });
      if (found && asked) remember({ ...asked, ended: found.ended });
      if (at("best-stale")) tellStale();
    },
    /* The setting is the draft, as one step that Undo takes back, and runs; the present one is pinned beside
       it. */
    bestOpened(next: { draft: Asked; pinned: Pinned } | null) {
      if (!next) return;
      change({ pinned: next.pinned, pane: "result" });
      commitWhole({ ...state().draft, ...next.draft }, msg("what_if_search.open"));
      run.ask(next.draft, "run");
    },
  });
}
