/* The exercise that is written: as its file has it, changed in steps that can be undone and kept in this
   browser, here and nowhere else. */
import { keep, kept } from "../../page/storage";
import { rested } from "../../page/timing";

/* As engine/exercises/model.py has them. */
export interface Change {
  path: string;
  low?: number | undefined;
  high?: number | undefined;
  step?: number | undefined;
  choices?: string[] | undefined;
}
export interface Condition {
  metric: string;
  at_most?: number | undefined;
  at_least?: number | undefined;
  scheduler?: number | undefined;
}
export interface Task {
  kind: string;
  ask?: string | undefined;
  scheduler?: number | undefined;
  container?: string | undefined;
  tolerance?: number | undefined;
  conditions?: Condition[] | undefined;
  cost?: { path: string | undefined; each: number }[];
  which?: string | undefined;
  quantity?: string | undefined;
  job?: string | undefined;
  request?: string | undefined;
  at_s?: number | undefined;
  term?: string | undefined;
}
export interface Draft {
  version: 1;
  title: string;
  learn: string;
  text: string;
  scenario: { name?: string };
  schedulers: string[];
  change: Change[];
  task: Task | null;
  hints: string[];
  explanation: string;
}

const DRAFT = "gantry-exercise";
const PAST = "gantry-exercise-past";
const SHARED = "gantry-exercise-shared";
const MAX_STEPS = 30;
const MERGE_MS = 1500;
const KEEP_MS = 250;
let draft: Draft | null = null;
let past: (Draft | null)[] = [];
let last = { key: "", at: 0 };
let hear = () => {};

export const theDraft = () => {
  if (draft) return draft;
  throw new Error("no exercise is written");
};
export const hasDraft = () => draft !== null;
export const canUndo = () => past.length > 0;

function keepNow() {
  keep(DRAFT, draft, () => sessionStorage);
  keep(DRAFT, draft);
  keep(PAST, past);
}
const keepSoon = rested(keepNow, KEEP_MS);

function become(next: Draft | null) {
  draft = next;
  keepSoon();
  hear();
}

/* key: of what is typed; what follows within a moment under the same key is one step. */
export function edit(changes: Partial<Draft>, key = "") {
  const now = Date.now();
  if (!key || key !== last.key || now - last.at > MERGE_MS) remember();
  last = { key, at: now };
  become({ ...theDraft(), ...changes });
}

export const editTask = (changes: Partial<Task>, key = "") =>
  edit({ task: { ...(theDraft().task ?? { kind: "predict" }), ...changes } }, key);

function remember() {
  past = [...past, draft].slice(-MAX_STEPS);
}

/* What was shared last of what is written: kept with it, and forgotten with it. */
export const sharedLast = <T>() => kept<T>(SHARED, () => sessionStorage) ?? kept<T>(SHARED);
export function keepShared(link: object | null) {
  keep(SHARED, link, () => sessionStorage);
  keep(SHARED, link);
}

/* Another one, or none; the one before can be taken back. */
export function begin(next: Draft | null) {
  remember();
  keepShared(null);
  last = { key: "", at: 0 };
  become(next);
}

export function undo() {
  last = { key: "", at: 0 };
  become(past.pop() ?? null);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" ? value : "");
const list = <T>(value: unknown, is: (one: unknown) => one is T) =>
  Array.isArray(value) ? value.filter(is) : [];
const isText = (one: unknown): one is string => typeof one === "string";
const isChange = (one: unknown): one is Change => isObject(one) && isText(one.path);
const isCondition = (one: unknown): one is Condition => isObject(one) && isText(one.metric);
const isCost = (one: unknown): one is { path: string; each: number } => isObject(one) && isText(one.path);

/* A condition of two limits as two of them. */
const oneSided = ({ at_most, at_least, ...rest }: Condition): Condition[] => [
  ...(at_least === undefined || at_least === null ? [] : [{ ...rest, at_least }]),
  ...(at_most === undefined || at_most === null ? [] : [{ ...rest, at_most }]),
];

function taskOf(task: unknown): Task | null {
  if (!isObject(task) || !isText(task.kind)) return null;
  const { conditions, cost, ...rest } = task;
  const lists = {
    ...(conditions === undefined ? {} : { conditions: list(conditions, isCondition).flatMap(oneSided) }),
    ...(cost === undefined ? {} : { cost: list(cost, isCost) }),
  };
  return { ...rest, ...lists, kind: task.kind };
}

/* An exercise from what a file, an address or this browser has; a scenario alone begins one. null: it is
   neither. */
export function draftOf(values: unknown): Draft | null {
  if (!isObject(values)) return null;
  const isScenario = isObject(values.cluster);
  const scenario = isScenario ? values : values.scenario;
  if (!isObject(scenario)) return null;
  const given = isScenario ? {} : values;
  const schedulers = list(given.schedulers, isText);
  return {
    version: 1,
    title: text(given.title),
    learn: text(given.learn),
    text: text(given.text),
    scenario,
    schedulers: schedulers.length ? schedulers : ["fair"],
    change: list(given.change, isChange),
    task: taskOf(given.task),
    hints: list(given.hints, isText),
    explanation: text(given.explanation),
  };
}

/* Has its author written anything? */
export const isBegun = ({ title, learn, text, hints, explanation }: Draft) =>
  [title, learn, text, explanation, ...hints].some((words) => words.trim());

/* As it is given out: what a kind of task has no use for is left out. */
export function exerciseOf({ change, task, ...words }: Draft) {
  const isReach = task?.kind === "reach";
  return { ...words, ...(isReach ? { change } : {}), ...(task ? { task } : {}) };
}

/* What was written before in this tab, else in another one. */
export function open(listener: () => void) {
  hear = listener;
  draft = draftOf(kept(DRAFT, () => sessionStorage) ?? kept(DRAFT));
  past = list(kept(PAST), (one): one is Draft | null => one === null || isObject(one));
  last = { key: "", at: 0 };
}

export function listen() {
  window.addEventListener("pagehide", () => draft && keepNow());
}
