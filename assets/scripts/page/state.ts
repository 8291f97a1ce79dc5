/* The page's state: it lives here once. Others read `state()`, change it by `change` and hear of changes by
   `on`; the address, the browser's storage and the stores that callbacks of the server read are mirrors of
   it, written by page/mirror.ts. */
import type { DecisionShown } from "../decision/decision";
import type { Draft, Fault, Outline } from "../editor/facts";
import type { Asked, Opening, Pinned, Result, RunRequest } from "../run/result";
import type { Arranged, Bar, Legend, Rows, Span } from "../timeline/drawing";
import type { Slider, Study } from "../what_if/facts";

/* null: not there yet, or none. */
export class State {
  // run/run.ts
  base = ""; // where the server's routes begin
  request: RunRequest | null = null; // the newest that was asked for
  result: Result | null = null; // what is shown
  coming = 0; // charts that are asked for and not there yet
  pinned: Pinned | null = null;
  optimum: string | null = null; // the id of one that was found
  opens: Opening["opens"] = null; // what is looked at first
  asks: Opening["asks"] = null; // the decision that is opened first, until the server has answered

  // editor/draft.ts, editor/check.ts
  draft: Draft | null = null;
  faults: Fault[] | null = null;
  outline: Outline | null = null;
  unknown: string[] = []; // what is wrong with schedulers: page/mirror.ts

  // timeline/charts.ts: as it rests; while a hand moves it, charts.ts knows better
  window: Span | null = null; // null: all of it
  rows: Rows | null = null;
  drawn: string | null = null; // the key of the result whose charts are there
  legend: Legend | null = null;
  hidden = 0; // rows that a filter leaves out
  span: Span | null = null; // the selected interval: timeline/gestures.ts
  matches: Record<number, Bar> | null = null; // bars to mark, by place: timeline/search.ts, present.ts
  at: number | null = null; // ms, where Play stands, with whether it runs; undefined: nowhere yet
  playing: boolean | undefined;
  presenting = false;
  folded: number[] = []; // places whose charts are away
  gaps = false; // each number with how far it is above the best possible
  signals: { open?: boolean; all?: boolean } = {};

  // page/workbench.ts
  arranged: Arranged | null = null;
  colour: string | null = null;
  highlight: string | null = null; // "job:wc", "phase:map" ...
  job: { job: string; scheduler: number } | null = null;
  strips: string[] | null = null; // null: those there is room for
  columns: 1 | 2 = 2;
  dragSelects = false;
  rail = false;
  pane: string | null = null; // of a phone
  phone = false;
  drawer: Drawer | null = null;
  scheme: "light" | "dark" | null = null; // page/mirror.ts
  shared: { key: string; address: string } | null = null; // page/share.ts
  readOnly = ""; // the address of a link that opened read-only, until it is copied: run/run.ts, page/share.ts
  decision: DecisionShown | null = null; // decision/decision.ts

  // what_if/sliders.ts, study.ts
  sliders: Slider[] = [];
  slider: string | null = null; // the path of the one touched last
  study: Study | null = null;
  executors: { key: string; job: string; scheduler: number } | null = null; // what_if/executors.ts
}

export interface Drawer {
  tab: string;
  open: boolean;
  dock: "below" | "right";
  size: number; // px
  side: number; // px
  chosen: boolean; // whether somebody gave it its size
}

let current: Readonly<State> = new State();
type Hear = (now: State, before: State) => unknown;
const listeners: { keys: readonly (keyof State)[]; hear: Hear }[] = [];

export const state = () => current;

/* Merge these values; listeners of a key that differs hear once, after all are set. */
export function change(values: Partial<State>) {
  const before = current;
  const keys = Object.keys(values) as (keyof State)[]; // all that a State may have
  const changed = keys.filter((key) => !same(before[key], values[key]));
  if (!changed.length) return;
  current = { ...before, ...values };
  for (const { keys, hear } of listeners)
    if (keys.some((key) => changed.includes(key))) hear(current, before);
}

/* hear(now, before) after each change of one of these keys. */
export const on = (keys: readonly (keyof State)[], hear: Hear) => void listeners.push({ keys, hear });

/* Highlights this, or nothing where it is highlighted. */
export const toggleHighlight = (highlight: string) =>
  change({ highlight: highlight === current.highlight ? null : highlight });

/* The list without this, or with it at its end. */
export const toggled = <Item>(list: Item[], item: Item) =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/* Whether two JSON values say the same, in whatever order their keys stand. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => same(a[key], b[key]));
}

/* What a run is of, of a draft or whatever else holds it. */
export const asked = ({ scenario, schedulers }: Partial<Asked> & Pick<Asked, "scenario">): Asked => ({
  scenario,
  schedulers: schedulers ?? [],
});
