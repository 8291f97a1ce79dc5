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
interface Metric {
  key: string;
  title: string;
  better: "smaller" | "larger" | null;
  unit: string;
}
interface Facts {
  metrics: Metric[]; // that may be a goal
  measures: Metric[];
  trials: number[];
  seeds: number[];
  jitters: { value: number; title: string }[];
  most: { constraints: number };
  empty: string;
}
interface Constraint {
  metric: string;
  way: "most" | "least";
  text: string; // as it was typed
}

const KEPT = "gantry-best";
const REST_MS = 150;
const FREE: Constraint = { metric: "", way: "most", text: "" };
const form = {
  out: [] as string[], // sliders that stay where they are
  scheduler: "",
  goal: "makespan_s",
  second: "",
  constraints: [] as Constraint[],
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
  const { goal, second, constraints, trials, seeds, jitter } = form;
  const isVaried = (path: string) => varied.some((slider) => slider.path === path);
  return {
    key: base.key,
    vary: varied.map(({ path, first, last, step, tunable }) =>
      tunable.choices.length ? { path } : { path, low: first, high: last, step },
    ),
    objectives: [goal, second].filter(Boolean),
    constraints: constraints.filter(({ text }) => text.trim()),
    held: sliders.changes().filter(({ path }) => !isVaried(path)),
    scheduler: scheduler(),
    trials,
    seeds,
    jitter,
  };
}

/* The form. */
type Option = readonly [value: string | number, title: string | number];
const select = (name: string, label: string, options: Option[], now: string | number, more: object = {}) =>
  h(
    "select",
    { name, "aria-label": label, ...more },
    ...options.map(([value, title]) => h("option", { value, selected: value === now }, String(title))),
  );
const labelled = (title: string, ...fields: Child[]) => h("label", {}, h("span", {}, title), ...fields);
const group = (title: string, ...parts: Child[]) =>
  h(
    "div",
    { class: "best-group", role: "group", "aria-label": title },
    h("span", { class: "best-title", "aria-hidden": "true" }, title),
    h("div", {}, ...parts),
  );

const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 6 });
function box(slider: sliders.Usable) {
  const { path, tunable, first, last, step } = slider;
  const isSeed = path === "seed";
  const range = () =>
    msg("what_if_search.range", { first: number(first), last: number(last), step: number(step) });
  const checked = isIn(slider);
  return h(
    "label",
    { class: "best-box" },
    h("input", { type: "checkbox", name: "vary", value: path, checked, disabled: isSeed }),
    tunable.label,
    h("span", {}, isSeed ? msg("what_if_search.seed") : tunable.choices.join(", ") || range()),
  );
}
function varied({ empty }: Facts) {
  const boxes = sliders.usable().map(box);
  const all = names().map((name): Option => [name, run.displayName(name)]);
  const title = msg("what_if_search.scheduler");
  const any: Option = ["", msg("what_if_search.any_scheduler", { count: all.length })];
  return group(
    msg("what_if_search.search"),
    ...(boxes.length ? boxes : [h("p", { class: "help" }, empty)]),
    all.length > 1 ? labelled(title, select("scheduler", title, [any, ...all], scheduler())) : null,
  );
}

const goalOf = ({ key, title: metric, better }: Metric): Option => [
  key,
  better === "larger"
    ? msg("what_if_search.maximise", { metric })
    : msg("what_if_search.minimise", { metric }),
];
const secondOf = ({ key, title: metric, better }: Metric): Option => [
  key,
  better === "larger"
    ? msg("what_if_search.maximise_too", { metric })
    : msg("what_if_search.minimise_too", { metric }),
];
function goals({ metrics }: Facts) {
  const { goal, second } = form;
  const title = msg("what_if_search.goal");
  const others = metrics.filter(({ key }) => key !== goal).map(secondOf);
  const none: Option = ["", msg("what_if_search.nothing_else")];
  const also = msg("what_if_search.second_goal");
  return group(
    title,
    select("goal", title, metrics.map(goalOf), goal),
    labelled(msg("what_if_search.and"), select("second", also, [none, ...others], second)),
  );
}

function within({ measures, most }: Facts) {
  const row = ({ metric, way, text }: Constraint, index: number) => {
    const data = { "data-place": index };
    const place = index + 1;
    const none = index ? msg("what_if_search.no_other_constraint") : msg("what_if_search.no_constraint");
    const metrics = measures.map(({ key, title }): Option => [key, title]);
    const of = msg("what_if_search.constraint_metric", { place });
    const node = h("span", { class: "best-constraint" });
    node.append(select("of", of, [["", none], ...metrics], metric, data));
    const measure = measures.find(({ key }) => key === metric);
    if (!measure) return node;
    const { unit } = measure;
    const atMost: Option = ["most", msg("shared.at_most")];
    const atLeast: Option = ["least", msg("what_if_search.at_least")];
    const field = {
      ...data,
      name: "text",
      type: "text",
      autocomplete: "off",
      value: text,
      placeholder: unit === "s" ? "5 min" : unit === "%" ? "80 %" : "0",
      "aria-label": msg("what_if_search.constraint_number", { place, unit }),
    };
    const direction = msg("what_if_search.constraint_direction", { place });
    node.append(
      select("way", direction, [atMost, atLeast], way, data),
      h("input", field),
      h("span", {}, unit),
    );
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
  const base = sliders.base();
  const isStale = asked && base && asked.key !== base.key;
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
  way: (way, place) => constrained(place, { way: way === "least" ? way : "most" }),
  text: (text, place) => constrained(place, { text }),
  trials: (trials) => ({ trials: Number(trials) }),
  seeds: (seeds) => ({ seeds: Number(seeds) }),
  jitter: (jitter) => ({ jitter: Number(jitter) }),
};
function constrained(place: number, values: Partial<Constraint>) {
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
