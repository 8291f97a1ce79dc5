/* The exercise that is written: as its file has it, changed in steps that can be undone and kept in this
   browser, here and nowhere else. Each tab writes its own, and offers those of others. */

import { same } from "../../page/state";
import { keep, kept, keptNames } from "../../page/storage";
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

/* One that is written in this browser. writer: the page that wrote it last; shared: what was shared last of
   it; at: when it was written, ms. */
interface Sheet {
  draft: Draft;
  shared: object | null;
  writer: string;
  at: number;
}
/* What the tab keeps. known: of each of its sheets the writer it has seen. */
interface Tab {
  key: string;
  draft: Draft | null;
  shared: object | null;
  known: Record<string, string>;
}
interface Step {
  key: string;
  draft: Draft | null;
}
export interface Written {
  key: string;
  draft: Draft;
  at: number;
}

const TAB = "gantry-exercise";
const PAST = "gantry-exercise-past";
const SHEET = "gantry-exercise ";
const MAX_STEPS = 30;
const MERGE_MS = 1500;
const KEEP_MS = 250;
const NONE = { typed: "", at: 0 };
let page = "";
let key = "";
let draft: Draft | null = null;
let shared: object | null = null;
let known: Record<string, string> = {};
let past: Step[] = [];
let last = NONE;
let hear = () => {};

export const theDraft = () => {
  if (draft) return draft;
  throw new Error("no exercise is written");
};
export const hasDraft = () => draft !== null;
export const canUndo = () => past.length > 0;

const anyName = () => `${Date.now()} ${Math.random()}`;
const sheetOf = (of: string) => kept<Sheet>(SHEET + of);

const isChanged = () => past.some((step) => step.key === key && step.draft);

/* Where another page has written the same sheet since, as after a tab was duplicated, this one goes on as a
   sheet of its own. */
function keepSheet() {
  const there = sheetOf(key);
  if (there && same([there.draft, there.shared], [draft, shared])) return;
  if (there && there.writer !== page && there.writer !== known[key]) {
    const [old, own] = [key, anyName()];
    past = past.map((step) => (step.key === old ? { ...step, key: own } : step));
    key = own;
  }
  keep(SHEET + key, { draft, shared, writer: page, at: Date.now() });
  known = { ...known, [key]: page };
}

function keepNow() {
  if (draft && (isBegun(draft) || isChanged())) keepSheet();
  keep(TAB, { key, draft, shared, known }, () => sessionStorage);
  keep(PAST, past, () => sessionStorage);
}
const keepSoon = rested(keepNow, KEEP_MS);

function become(next: Draft | null) {
  draft = next;
  keepSoon();
  hear();
}

/* typed: what is typed; what follows within a moment under the same name is one step. */
export function edit(changes: Partial<Draft>, typed = "") {
  const now = Date.now();
  if (!typed || typed !== last.typed || now - last.at > MERGE_MS) remember();
  last = { typed, at: now };
  become({ ...theDraft(), ...changes });
}

export const editTask = (changes: Partial<Task>, typed = "") =>
  edit({ task: { ...(theDraft().task ?? { kind: "predict" }), ...changes } }, typed);

function remember(step: Step = { key, draft }) {
  past = [...past, step].slice(-MAX_STEPS);
}

/* What was shared last of what is written: kept with it, and forgotten with it. */
export const sharedLast = <T>() => shared as T | null;
export function keepShared(link: object | null) {
  shared = link;
  keepNow();
}

/* Another one, or none; the one before can be taken back, and is offered where one begins. */
export function begin(next: Draft | null) {
  keepNow();
  remember();
  [key, shared, last] = [anyName(), null, NONE];
  become(next);
}

export function undo() {
  const step = past.pop();
  if (step && step.key !== key) [key, shared] = [step.key, null];
  last = NONE;
  become(step?.draft ?? null);
}

/* What is written in this browser beside what this tab shows, the newest first. */
export const written = (): Written[] =>
  keptNames()
    .filter((name) => name.startsWith(SHEET) && name !== SHEET + key)
    .flatMap((name) => {
      const of = name.slice(SHEET.length);
      const sheet = sheetOf(of);
      const one = draftOf(sheet?.draft);
      return sheet && one ? [{ key: of, draft: one, at: sheet.at }] : [];
    })
    .sort((one, other) => other.at - one.at);

export function goOn(of: Written) {
  remember();
  const sheet = sheetOf(of.key);
  [key, shared, last] = [of.key, sheet?.shared ?? null, NONE];
  known = { ...known, [key]: sheet?.writer ?? "" };
  become(of.draft);
}

/* It can be taken back as what was there before. */
export function remove(of: Written) {
  remember({ key: of.key, draft: of.draft });
  keep(SHEET + of.key, null);
  keepSoon();
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

/* What was written before in this tab. */
export function open(listener: () => void) {
  hear = listener;
  const tab = kept<Tab>(TAB, () => sessionStorage);
  page = anyName();
  draft = draftOf(tab?.draft);
  [key, shared, known] = [tab?.key ?? anyName(), tab?.shared ?? null, tab?.known ?? {}];
  past = kept<Step[]>(PAST, () => sessionStorage) ?? [];
  last = NONE;
}

export function listen() {
  window.addEventListener("pagehide", () => draft && keepNow());
}
