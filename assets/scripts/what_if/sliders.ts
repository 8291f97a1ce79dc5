/* What if: the sliders. Each holds one number, or one choice, of the run they start from, the last that
   they did not make themselves; what they change together is shown by move.ts, and nothing of it is in the
   draft until it is applied. */
import { callbacks, noUpdate, setProps } from "../dash/dash";
import { mantineFunctions } from "../dash/libraries";
import { commitWhole } from "../editor/editor";
import { at, h, hear, setText, the, when } from "../page/dom";
import { msg } from "../page/messages";
import { laidOut } from "../page/mirror";
import { asked, change, on, type State, same, state } from "../page/state";
import type { Asked } from "../run/result";
import * as run from "../run/run";
import * as curve from "./curve";
import type { Axis, Base, Offered, Slider, Tunable } from "./facts";
import * as move from "./move";
import * as study from "./study";

type Value = Slider["value"];

const MAX_SLIDERS = 20;
const AGAIN_MS = 5000; // before a panel that did not come is asked for again
/* The run that others made last, with what the sliders stood at then. */
let start: { key: string; asked: Asked; stood: Map<string, Value> } | null = null;
let basis: Base | null = null;
let isInterested = false;
let tunables = new Map<string, Tunable>();

export const base = () => basis;
export const sliders = () => state().sliders;
export const find = (path: string | null) => sliders().find((slider) => slider.path === path);
export const active = () => find(state().slider);
export const standing = ({ path, present }: Axis) => find(path)?.value ?? present;
export const of = (path: string) => tunables.get(path);

/* Those that the run still has, each with what it turns. */
export type Usable = Slider & { tunable: Tunable };
export const usable = (): Usable[] =>
  sliders().flatMap((slider) => {
    const tunable = of(slider.path);
    return tunable ? [{ ...slider, tunable }] : [];
  });
export const changes = () =>
  usable().flatMap(({ path, value, tunable }) =>
    value !== null && value !== tunable.value ? [{ path, value }] : [],
  );
const isChanged = (path: string) => changes().some((change) => change.path === path);

function legal(path: string, value: Value) {
  const tunable = of(path);
  if (typeof value !== "number" || !tunable) return value;
  const { whole, low = -Infinity, high = Infinity } = tunable;
  return Math.min(Math.max(whole ? Math.round(value) : value, low), high);
}
const numberOf = (text: string) => (text.trim() === "" ? NaN : Number(text.replace(",", ".")));
const sliderOf = ({ path, value, first, last, step }: Slider): Slider => ({ path, value, first, last, step });

/* A range takes in what is typed beyond it. */
function widened(slider: Slider) {
  const { value, first, last } = slider;
  if (typeof value !== "number") return slider;
  return { ...slider, first: Math.min(first, value), last: Math.max(last, value) };
}
const put = (path: string, values: Partial<Slider>) =>
  change({
    slider: path,
    sliders: sliders().map((slider) => (slider.path === path ? widened({ ...slider, ...values }) : slider)),
  });

function begin(key: string, what: Asked) {
  start = { key, asked: what, stood: new Map(sliders().map(({ path, value }) => [path, value])) };
  want();
}

/* The panel is laid out, and what can be turned looked up, once somebody wants to know. */
export function look() {
  if (isInterested && at("whatif")) return;
  isInterested = true;
  want();
}

function want() {
  const room = at("tab-whatif");
  if (!room || !(isInterested || sliders().length)) return;
  if (at("whatif")) {
    if (start) setProps("whatif-wanted", { data: start.key });
  } else if (Date.now() - Number(room.dataset.asked ?? 0) > AGAIN_MS) {
    room.dataset.asked = String(Date.now());
    setProps("lay-out-whatif", { data: Date.now() });
  }
}

/* Dash says so before the panel is seen. */
function begun() {
  basis = null;
  when(
    () => at("whatif"),
    () => {
      laidOut("whatif");
      want();
    },
  );
  return "false";
}

/* Another run to start from: sliders go with it, those of what is gone go; the first leaves them as a link
   has them, and what was turned since stays so. */
function rebase(offered: Offered | null) {
  if (!offered) return;
  const { key, hint } = offered;
  const isFirst = !basis;
  basis = key && start?.key === key ? { ...offered, key, asked: start.asked } : null;
  tunables = new Map(offered.tunables.map((tunable) => [tunable.path, tunable]));
  const kept = usable().map(({ tunable, ...slider }) => {
    const { value, ...range } = sliderOf(tunable);
    const isTurned = start?.stood.has(slider.path) && start.stood.get(slider.path) !== slider.value;
    if (isFirst || isTurned) return widened(slider);
    const isBeyond = Number(value) <= slider.first || Number(value) >= slider.last;
    return widened({ ...slider, ...(isBeyond ? range : {}), value });
  });
  const { slider } = state();
  change({ sliders: kept, slider: kept.some(({ path }) => path === slider) ? slider : null });
  build();
  move.say(hint, !basis);
  study.based();
  curve.ask();
  if (changes().length) move.turned(true);
}

function add(path: string | null) {
  const tunable = of(path ?? "");
  if (!tunable) return noUpdate();
  if (find(path)) change({ slider: path });
  else if (sliders().length < MAX_SLIDERS)
    change({ slider: path, sliders: [...sliders(), sliderOf(tunable)] });
  rowOf(tunable.path)?.querySelector<HTMLElement>(".whatif-main")?.focus();
  return null;
}

/* A slider's number, and an end of its range; what is no legal one changes nothing. */
export function turn(path: string, value: Value, isResting = false) {
  const slider = find(path);
  const next = legal(path, value);
  if (!slider) return;
  if (!Number.isNaN(next)) put(path, { value: next });
  show(path);
  if (!Number.isNaN(next) && (next !== slider.value || isResting)) move.turned(isResting);
}

function turnEnd(path: string, text: string, end: string) {
  const slider = find(path);
  const number = legal(path, numberOf(text));
  if (!slider || typeof number !== "number") return;
  const { first, last } = end === "first" ? { ...slider, first: number } : { ...slider, last: number };
  if (first < last) put(path, { first, last });
  show(path);
}

function remove(path: string) {
  const isMoved = isChanged(path);
  const left = sliders().filter((slider) => slider.path !== path);
  change({ sliders: left, slider: left.at(-1)?.path ?? null });
  if (isMoved) move.turned(true);
  the("whatif-add").focus();
}

/* Into the draft, as one step that Undo takes back; then what is shown is what the sliders start from. */
async function apply() {
  const { draft } = state();
  const varied = draft && (await move.varied(asked(draft), changes()));
  if (!varied) return;
  const next = { ...draft, ...asked(varied) };
  commitWhole(next, msg("shared.apply", { change: varied.says }));
  const { pinned, result } = state();
  if (varied.left_out && !pinned && basis) run.pinThis(move.recorded(basis.asked));
  if (result && move.shows(next)) begin(result.key, asked(next));
  else run.ask(next, "run");
}

/* What the sliders and their curve are of, in a sentence; Apply as there is something to apply. */
function tell() {
  if (!at("whatif-of")) return;
  const { draft } = state();
  const isEdited = basis && draft && !same(asked(draft), basis.asked);
  const origin = isEdited ? msg("what_if.from_last_run_edited") : msg("what_if.from_last_run");
  setText("whatif-of", sliders().length ? origin : msg("what_if.add"));
  the("whatif-apply", HTMLButtonElement).disabled = !changes().length;
}

/* The rows, made anew; focus stays where it was. */
function build() {
  const rows = at("whatif-rows");
  if (!rows) return;
  const { activeElement } = document;
  const held = activeElement instanceof HTMLElement && activeElement.dataset.keep;
  rows.replaceChildren(...usable().map(row));
  the("whatif").classList.toggle("whatif-open", sliders().length > 0);
  showAll();
  tell();
  if (held) rows.querySelector<HTMLElement>(`[data-keep="${CSS.escape(held)}"]`)?.focus();
}

const rowOf = (path: string) => document.querySelector(`.whatif-row[data-path="${CSS.escape(path)}"]`);

function row({ path, tunable }: Usable, place: number) {
  const { title, label, help, choices } = tunable;
  const named = (act: string, words: string) => ({
    class: `whatif-${act}`,
    "data-act": act,
    "data-keep": path + words,
    "aria-label": msg("what_if.named", { action: words, parameter: title }),
    title: words,
  });
  const button = (text: string, act: string, words: string) => h("button", named(act, words), text);
  const field = (act: string, words: string) =>
    h("input", { type: "text", inputmode: "decimal", ...named(act, words) });
  const id = `whatif-main-${place}`;
  const main = { id, "data-keep": path };
  const choice = (text: string, index: number) => {
    const own = index ? { class: "whatif-choice" } : { class: "whatif-choice whatif-main", ...main };
    return h("button", { "data-act": "choice", ...own }, text);
  };
  const range = h("input", { type: "range", class: "whatif-main", ...main, "data-act": "range" });
  const down = [field("first", msg("what_if.lower_end")), button("−", "less", msg("what_if.less"))];
  const up = [button("+", "more", msg("what_if.more")), field("last", msg("what_if.upper_end"))];
  const turns = choices.length
    ? h("div", { class: "whatif-choices" }, ...choices.map(choice))
    : h("div", { class: "whatif-track" }, ...down, range, ...up);
  const name = h("label", { for: id, title: help }, label);
  const head = h("div", { class: "whatif-name" }, name, h("span", { class: "whatif-was" }));
  const value = choices.length ? h("span") : field("value", msg("what_if.value"));
  const reset = button(msg("what_if.reset"), "reset", msg("what_if.reset_title"));
  const props = { class: "whatif-row", role: "group", "data-path": path, "aria-label": title };
  return h("div", props, head, value, reset, button("×", "remove", msg("what_if.remove")), turns);
}

/* On the grid of the range, in decimals. */
function step(path: string, way: "stepUp" | "stepDown") {
  const main = rowOf(path)?.querySelector<HTMLInputElement>("input.whatif-main");
  main?.[way]();
  if (main) turn(path, Number(main.value));
}
/* What controls of a row do, with what stands in them. */
type Act = (path: string, text: string, act: string) => unknown;
const ACTS: Record<"click" | "input" | "change", Record<string, Act>> = {
  click: {
    less: (path) => step(path, "stepDown"),
    more: (path) => step(path, "stepUp"),
    remove,
    reset: (path) => turn(path, of(path)?.value ?? null, true),
    choice: (path, text) => turn(path, text, true),
  },
  input: { range: (path, text) => turn(path, Number(text)) },
  change: {
    range: () => move.rest(),
    value: (path, text) => turn(path, numberOf(text), true),
    first: turnEnd,
    last: turnEnd,
  },
};

/* A row as its slider stands. */
function show(path: string) {
  const [slider, tunable, made] = [find(path), of(path), rowOf(path)];
  if (!slider || !tunable || !made) return;
  const { value, first, last, step } = slider;
  const { text, unit } = tunable;
  const part = (name: string) => made.querySelector(`.whatif-${name}`);
  const was = isChanged(path) ? msg("what_if.instead", { value: text }) : value === null ? text : "";
  made.classList.toggle("whatif-active", state().slider === path && sliders().length > 1);
  Object.assign(part("was") ?? {}, { textContent: was });
  part("reset")?.toggleAttribute("disabled", !isChanged(path));
  for (const choice of made.querySelectorAll(".whatif-choice"))
    choice.setAttribute("aria-pressed", String(choice.textContent === value));
  const fields = { first, last, value: value ?? "" };
  for (const [name, now] of Object.entries(fields)) Object.assign(part(name) ?? {}, { value: now });
  const main = part("main");
  if (!(main instanceof HTMLInputElement)) return;
  Object.assign(main, { min: first, max: last, step, value: value ?? first });
  main.setAttribute("aria-valuetext", value === null ? text : `${value} ${unit}`.trim());
}
const showAll = () => sliders().map(({ path }) => show(path));

/* What the chooser's list shows: each word that is typed stands in the name or in the path, however either
   is parted; "slowstart" is also "slow start". */
type Choice = Record<"label" | "value", string>;
type Search = { options: { group: string; items: Choice[] }[]; search: string; limit: number };
function whatifFound({ options, search, limit }: Search) {
  const joined = (text: string) => text.toLowerCase().replace(/[\s_-]/g, "");
  const words = search.split(/\s+/).map(joined);
  let left = limit;
  const fits = ({ label, value }: Choice) =>
    words.every((word) => joined(label).includes(word) || joined(value).includes(word)) && left-- > 0;
  return options
    .map(({ group, items }) => ({ group, items: items.filter(fits) }))
    .filter(({ items }) => items.length > 0);
}

export function listen() {
  /* A run was asked for by somebody else: the sliders go back, and start from it once it is there. */
  on(["request"], ({ request }) => {
    if (!request || move.isOwn(request)) return;
    const back = (slider: Slider) => ({ ...slider, value: (of(slider.path) ?? slider).value });
    change({ sliders: sliders().map(back) });
    move.stop();
  });
  on(["result"], ({ result, request }) => {
    if (result && request && !move.isOwn(request)) begin(result.key, asked(request));
  });
  on(["drawer"], ({ drawer }) => drawer?.open && drawer.tab === "whatif" && look());
  on(["draft"], tell);
  on(["sliders", "slider"], (now, before) => {
    const paths = ({ sliders }: State) => sliders.map(({ path }) => path);
    if (same(paths(now), paths(before))) showAll();
    else build();
    tell();
  });

  hear("focusin", ".whatif-row", ({ dataset }) => change({ slider: dataset.path ?? null }));
  for (const kind of ["click", "input", "change"] as const)
    hear(kind, ".whatif-row [data-act]", (control) => {
      const { path = "" } = control.closest<HTMLElement>(".whatif-row")?.dataset ?? {};
      const { act = "" } = control.dataset;
      const text = control instanceof HTMLInputElement ? control.value : control.textContent;
      ACTS[kind][act]?.(path, text ?? "", act);
    });
  hear("click", "#whatif-apply", apply);
  hear("focusin", "#whatif-add", look);

  mantineFunctions({ whatifFound });
  callbacks({
    whatifBase: rebase,
    whatifAdd: add,
    whatifBegun: begun,
  });
}
