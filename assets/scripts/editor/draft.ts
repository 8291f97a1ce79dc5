/* The draft, `state().draft`: changed in steps that can be undone and kept over a reload, here and nowhere
   else. */
import { setProps } from "../dash/dash";
import { isEmbedded } from "../page/embed";
import { msg } from "../page/messages";
import { change, on, same, state } from "../page/state";
import { rested } from "../page/timing";
import type { Scenario } from "../run/result";
import * as editor from "./editor";
import { type Cell, type Draft, facts, type Row, tableOf, theDraft } from "./facts";
import * as table from "./table";
import { get, isObject } from "./values";

// draft: as it was before, or as it is done again
type Step = { label: string; draft: Draft; whole: boolean };
export type Kept = { draft: Draft; past: Step[]; future: Step[] };

const MERGE_MS = 1500;
const MAX_STEPS = 200;
const PAUSE_MS = 300;
const MAX_DRAFTS = 12; // of as many tabs, or of one that was reloaded so often
// sessionStorage: of this tab's draft; localStorage: of the one last changed in any tab
const KEY = "draft-key";
const PLACE = /^(cluster\.nodes|queues|jobs)\[(\d+)\](.*)$/;
const NONE = { key: null, at: 0 };
let past: Step[] = [];
let future: Step[] = [];
let last: { key: string | null; at: number } = NONE;
let shelf: ReturnType<typeof openShelf> | null = null;

/* A copy with this item; undefined removes it and the objects that it leaves empty. */
function put(owner: unknown, path: string, item: unknown) {
  const [key = "", ...rest] = path.split(".");
  const copy = isObject(owner) ? { ...owner } : {};
  if (rest.length) {
    const within = put(copy[key], rest.join("."), item);
    item = Object.keys(within).length ? within : undefined;
  }
  if (item === undefined) delete copy[key];
  else copy[key] = item;
  return copy;
}

/* The rows of a table, of a draft that may hold anything in their place. */
export function list({ scenario }: Draft, section: string): Row[] {
  const rows = get(scenario, tableOf(section).path);
  return Array.isArray(rows) ? rows.map((row) => (isObject(row) ? row : {})) : [];
}

/* A draft from what others give. */
export type Given = { scenario: Scenario; schedulers?: unknown; assumed?: unknown };
export function draftOf({ scenario, schedulers, assumed }: Given): Draft {
  const names = [schedulers, state().draft?.schedulers].find(Array.isArray) ?? facts().schedulers;
  return {
    scenario,
    schedulers: names.filter((name) => typeof name === "string"),
    assumed: Array.isArray(assumed) ? assumed : [],
  };
}

/* JSON paths of what was assumed: a scenario carries them along, so that a saved file has them too. */
const marksOf = ({ scenario: { x_ours: marks } }: Draft) =>
  Array.isArray(marks) ? marks.filter((mark) => typeof mark === "string") : [];
function withItem(draft: Draft, path: string, item: unknown, marks: string[]): Draft {
  const scenario = put(put(draft.scenario, path, item), "x_ours", marks.length ? marks : undefined);
  return { ...draft, scenario };
}
export const isAssumed = (path: string) =>
  marksOf(theDraft()).some((mark) => mark === path || path.startsWith(`${mark}.`));

/* The draft with other rows in a table. from[i] is the old index of row i, or null for a new one; marks
   move with their rows. */
export function withRows(draft: Draft, section: string, rows: Row[], from: (number | null)[]) {
  const { path } = tableOf(section);
  const marks = marksOf(draft).flatMap((mark) => {
    const [, list, row, rest] = mark.match(PLACE) ?? [];
    if (list !== path) return [mark];
    return from.flatMap((index, at) => (index === Number(row) ? [`${path}[${at}]${rest}`] : []));
  });
  const kept = rows.length || section !== "queues" ? rows : undefined;
  return withItem(draft, path, kept, marks);
}

/* The draft with changed cells; a row beyond the end is added. What the user sets is no longer assumed. */
export function withCells(draft: Draft, section: string, cells: Cell[]) {
  const { path } = tableOf(section);
  const before = list(draft, section);
  const rows = [...before];
  const set = new Set<string>();
  for (const { row, path: cell, value } of cells) {
    while (rows.length <= row) rows.push({});
    rows[row] = put(rows[row], cell, value);
    if (cell === "framework" && value !== before[row]?.framework)
      rows[row] = ofFramework(section, rows[row] ?? {}, value);
    // how many there are is one or the other
    if (cell === "executors.dynamic" && value) rows[row] = put(rows[row], "executors.count", undefined);
    for (let mark = cell; mark; mark = mark.slice(0, Math.max(0, mark.lastIndexOf("."))))
      set.add(`${path}[${row}].${mark}`);
  }
  const marks = marksOf(draft).filter((mark) => !set.has(mark));
  let next = withItem(draft, path, rows, marks);
  for (const { row, path: cell, value } of cells)
    if (section === "queues" && cell === "name") next = withQueue(next, before[row]?.name, value);
  return next;
}

/* A row of another framework: it keeps what both have, in the items of a list too, and has what a new one
   has. */
function ofFramework(section: string, row: Row, framework: unknown): Row {
  const { frameworks } = tableOf(section);
  if (framework !== undefined && !frameworks[String(framework)]) return row;
  const fresh = frameworkOf(section, row)?.fresh ?? {};
  const keeps = (path: string) => !isForeign(section, row, path);
  const kept = (owner: Row, within = "") =>
    Object.fromEntries(Object.entries(owner).filter(([key]) => keeps(within + key)));
  const both = kept(row);
  for (const [key, items] of Object.entries(both)) {
    if (!Array.isArray(items) || !Array.isArray(fresh[key])) continue;
    const { name: _, ...like } = fresh[key][0] ?? {};
    both[key] = items.map((item) => (isObject(item) ? { ...like, ...kept(item, `${key}.`) } : item));
  }
  return { ...fresh, ...both };
}

/* What a row is of. */
export function frameworkOf(section: string, { framework }: Row) {
  const { frameworks } = tableOf(section);
  return frameworks[String(framework)] ?? Object.values(frameworks)[0];
}

/* Whether its framework has no such field. */
export const isForeign = (section: string, row: Row, path: string) =>
  Boolean(frameworkOf(section, row)?.lacks.some((one) => path === one || path.startsWith(`${one}.`)));

/* A queue that is renamed takes its jobs and the queues below it along. */
function withQueue(draft: Draft, before: unknown, after: unknown) {
  const names = list(draft, "queues").map((queue) => queue.name);
  if (!before || !after || names.includes(before) || names.filter((name) => name === after).length > 1)
    return draft;
  const moved = (name: unknown) => {
    if (name === before) return after;
    const isBelow = typeof name === "string" && name.startsWith(`${before}.`);
    return isBelow ? `${after}${name.slice(`${before}`.length)}` : name;
  };
  const change = (now: Draft, section: string, key: string) => {
    const rows = list(now, section);
    const next = rows.map((row) => (moved(row[key]) === row[key] ? row : { ...row, [key]: moved(row[key]) }));
    return same(rows, next) ? now : withRows(now, section, next, [...rows.keys()]);
  };
  return change(change(draft, "queues", "name"), "jobs", "queue");
}

export function withField(draft: Draft, path: string, value: unknown) {
  const marks = marksOf(draft).filter((mark) => mark !== path);
  return withItem(draft, path, value, marks);
}

/* One step. label: what Undo will name; key: steps of one key in quick succession, as typing makes them,
   are one, and none where they end as they began; whole: it opens another draft. */
export function commit(draft: Draft, label: string, how: { key?: string | null; whole?: boolean } = {}) {
  const { key = null, whole = false } = how;
  const { draft: before } = state();
  if (same(before, draft)) return;
  const isMerged = key !== null && key === last.key && Date.now() - last.at < MERGE_MS;
  if (before && !isMerged) past = [...past.slice(1 - MAX_STEPS), { label, draft: before, whole }];
  [future, last] = [[], { key, at: Date.now() }];
  if (isMerged && same(past.at(-1)?.draft, draft)) [past, last] = [past.slice(0, -1), NONE];
  change({ draft });
}

/* One step back, or forth: the label of what was undone or done again; undefined when there is none.
   Schedulers are chosen beside the scenario: only a step that opened another draft brings its own back. */
export function step(which: "undo" | "redo") {
  const { draft } = state();
  const taken = (which === "undo" ? past : future).at(-1);
  if (!taken || !draft) return undefined;
  const turned = { ...taken, draft };
  if (which === "undo") [past, future] = [past.slice(0, -1), [...future, turned]];
  else [past, future] = [[...past, turned], future.slice(0, -1)];
  last = NONE;
  change({ draft: taken.whole ? taken.draft : { ...taken.draft, schedulers: draft.schedulers } });
  return taken.label;
}

const answer = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

type Stored = Pick<Storage, "getItem" | "setItem">;

/* Where this page keeps draft and steps: the browser's database has room for a trace, and takes what a
   page that goes away still writes. recalled: this tab's with its steps, else the last one of any tab,
   else null. */
export function openShelf(storages = (): Stored[] => [sessionStorage, localStorage]) {
  // another tab may have been copied from this one, so each page writes its own
  const own = `draft ${Date.now()} ${Math.random()}`;
  // the key of the draft this page began with: a page that goes away at once may name a draft of its own that
  // it could not write any more
  let from = "";
  let database: IDBDatabase | null = null;
  // where there is no database it throws, which is caught
  const drafts = (mode: IDBTransactionMode) => database!.transaction("drafts", mode).objectStore("drafts");

  function openDatabase() {
    const opening = indexedDB.open("gantry", 2);
    opening.onupgradeneeded = () =>
      opening.result.objectStoreNames.contains("drafts") || opening.result.createObjectStore("drafts");
    return new Promise<void>((resolve, reject) => {
      opening.onsuccess = () => {
        database = opening.result;
        // a page of a later version in another tab waits for it
        database.onversionchange = () => opening.result.close();
        resolve();
      };
      opening.onerror = () => reject(opening.error);
      // a page of an earlier version in another tab has it: this one begins without, and keeps its draft once
      // that is closed
      opening.onblocked = reject;
    });
  }

  async function recall(): Promise<Kept | null> {
    try {
      await openDatabase();
      const store = drafts("readonly");
      const keys = storages().flatMap((storage) => (storage.getItem(KEY) ?? "").split(","));
      const found = await Promise.all(keys.map((key) => answer<Kept | undefined>(store.get(key))));
      const place = found.findIndex((kept) => isObject(kept?.draft?.scenario));
      from = keys[place] ?? "";
      return found[place] ?? null;
    } catch {
      return null;
    }
  }

  /* refused(): it can't be kept. */
  function keep(kept: Kept, refused: () => void) {
    try {
      const store = drafts("readwrite");
      store.transaction.onabort = refused; // as where there is no room
      store.put(kept, own);
      store.transaction.commit();
      for (const storage of storages()) storage.setItem(KEY, [own, from].join());
    } catch {
      refused();
    }
  }

  async function prune() {
    const store = drafts("readwrite");
    for (const key of (await answer(store.getAllKeys())).slice(0, -MAX_DRAFTS)) store.delete(key);
  }
  return { recalled: recall(), keep, prune };
}

function write() {
  const { draft, readOnly } = state();
  if (draft && !readOnly && !isEmbedded())
    shelf?.keep({ draft, past, future }, () => editor.say(msg("editor_draft.stores_nothing"), true));
}

/* The draft shown, or, before the editor is there, the one this browser has kept; null on a first visit. */
export const readDraft = async () => state().draft ?? (await shelf?.recalled)?.draft ?? null;

/* After a reload: the draft and its steps, or null. */
export async function recall() {
  const kept = await shelf?.recalled;
  if (!kept) return null;
  shelf?.prune();
  ({ past, future } = kept);
  return kept.draft;
}

export const steps = () => ({ past, future });

export function listen() {
  shelf = openShelf();
  const writeSoon = rested(write, PAUSE_MS);

  on(["draft"], ({ draft }) => {
    setProps("draft", { data: draft });
    writeSoon();
  });
  on(["readOnly"], writeSoon);

  window.addEventListener("pagehide", () => {
    if (state().draft) table.finish();
    write();
  });
}
