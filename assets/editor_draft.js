/* The draft, `gantry.state.draft`: {scenario, schedulers, assumed}, changed in steps that can be undone
   and kept over a reload, here and nowhere else. */
const { editor } = gantry;
const MERGE_MS = 1500;
const MAX_STEPS = 200;
const PAUSE_MS = 300;
const MAX_DRAFTS = 12; // of as many tabs, or of one that was reloaded so often
// sessionStorage: of this tab's draft; localStorage: of the one last changed in any tab
const KEY = "draft-key";
// another tab may have been copied from this one, so each page writes its own
const OWN = `draft ${Date.now()} ${Math.random()}`;
// the key of the draft this page began with: a page that goes away at once may name a draft of its own that
// it could not write any more
let from = "";
const PLACE = /^(cluster\.nodes|queues|jobs)\[(\d+)\](.*)$/;
let past = [];
let future = [];
let last = { key: null, at: 0 };

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function get(value, path) {
  for (const key of path.split(".")) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

/* A copy with this item; undefined removes it and the objects that it leaves empty. */
function put(owner, path, item) {
  const [key, ...rest] = Array.isArray(path) ? path : path.split(".");
  const copy = { ...(isObject(owner) ? owner : {}) };
  let inner = rest.length ? put(copy[key], rest, item) : item;
  if (rest.length && Object.keys(inner).length === 0) inner = undefined;
  if (inner === undefined) delete copy[key];
  else copy[key] = inner;
  return copy;
}

/* The rows of a table, of a draft that may hold anything in their place. */
function list(draft, table) {
  const rows = get(draft.scenario, editor.facts.tables[table].path);
  return Array.isArray(rows) ? rows.map((row) => (isObject(row) ? row : {})) : [];
}

/* A draft from what others give. */
function draftOf({ scenario, schedulers, assumed }) {
  const names = [
    schedulers,
    gantry.state.draft && gantry.state.draft.schedulers,
    editor.facts.schedulers,
  ].find(Array.isArray);
  return {
    scenario,
    schedulers: names.filter((name) => typeof name === "string"),
    assumed: Array.isArray(assumed) ? assumed : [],
  };
}

/* JSON paths of what was assumed: a scenario carries them along, so that a saved file has them too. */
const marksOf = (draft) =>
  Array.isArray(draft.scenario.x_ours)
    ? draft.scenario.x_ours.filter((mark) => typeof mark === "string")
    : [];
const withMarks = (draft, marks) => ({
  ...draft,
  scenario: put(draft.scenario, ["x_ours"], marks.length ? marks : undefined),
});
const isAssumed = (path) =>
  marksOf(gantry.state.draft).some((mark) => mark === path || path.startsWith(`${mark}.`));

/* The draft with other rows in a table. from[i] is the old index of row i, or null for a new one; marks
   move with their rows. */
function withRows(draft, table, rows, from) {
  const { path } = editor.facts.tables[table];
  const marks = marksOf(draft).flatMap((mark) => {
    const place = mark.match(PLACE);
    if (!place || place[1] !== path) return [mark];
    return from.flatMap((index, at) => (index === Number(place[2]) ? [`${path}[${at}]${place[3]}`] : []));
  });
  const kept = rows.length || table !== "queues" ? rows : undefined;
  return withMarks({ ...draft, scenario: put(draft.scenario, path, kept) }, marks);
}

/* The draft with changed cells: changes are {row, path, value}; a row beyond the end is added. What the
   user sets is no longer assumed. */
function withCells(draft, table, changes) {
  const { path } = editor.facts.tables[table];
  const before = list(draft, table);
  const rows = [...before];
  const set = new Set();
  for (const { row, path: cell, value } of changes) {
    while (rows.length <= row) rows.push({});
    rows[row] = put(rows[row], cell, value);
    for (let mark = cell; mark; mark = mark.slice(0, Math.max(0, mark.lastIndexOf("."))))
      set.add(`${path}[${row}].${mark}`);
  }
  const next = withMarks(
    { ...draft, scenario: put(draft.scenario, path, rows) },
    marksOf(draft).filter((mark) => !set.has(mark)),
  );
  const renamed =
    table === "queues" ? changes.filter((change) => change.path === "name" && before[change.row]) : [];
  return renamed.reduce((now, { row, value }) => withQueue(now, before[row].name, value), next);
}

/* A queue that is renamed takes its jobs and the queues below it along. */
function withQueue(draft, before, after) {
  const names = list(draft, "queues").map((queue) => queue.name);
  if (!before || !after || names.includes(before) || names.filter((name) => name === after).length > 1)
    return draft;
  const moved = (name) =>
    name === before
      ? after
      : typeof name === "string" && name.startsWith(`${before}.`)
        ? after + name.slice(before.length)
        : name;
  const change = (now, table, key) => {
    const rows = list(now, table);
    return rows.some((row) => moved(row[key]) !== row[key])
      ? withRows(
          now,
          table,
          rows.map((row) => (key in row ? { ...row, [key]: moved(row[key]) } : row)),
          [...rows.keys()],
        )
      : now;
  };
  return change(change(draft, "queues", "name"), "jobs", "queue");
}

const withField = (draft, path, value) =>
  withMarks(
    { ...draft, scenario: put(draft.scenario, path, value) },
    marksOf(draft).filter((mark) => mark !== path),
  );

/* One step. label: what Undo will name; key: steps of one key in quick succession, as typing makes them,
   are one; whole: it opens another draft. */
function commit(draft, label, { key = null, whole = false } = {}) {
  const before = gantry.state.draft;
  const kept = [past, future, last];
  const merged = key !== null && key === last.key && Date.now() - last.at < MERGE_MS;
  if (before && !merged) past = [...past.slice(1 - MAX_STEPS), { label, draft: before, whole }];
  [future, last] = [[], { key, at: Date.now() }];
  gantry.change({ draft });
  if (gantry.state.draft === before) [past, future, last] = kept;
}

/* One step back, or forth: the label of what was undone or done again; undefined when there is none.
   Schedulers are chosen beside the scenario: only a step that opened another draft brings its own back. */
function step(which) {
  const [from, to] = which === "undo" ? [past, future] : [future, past];
  const taken = from[from.length - 1];
  if (!taken) return undefined;
  const turned = [...to, { ...taken, draft: gantry.state.draft }];
  [past, future] = which === "undo" ? [past.slice(0, -1), turned] : [turned, future.slice(0, -1)];
  last = { key: null, at: 0 };
  gantry.change({
    draft: taken.whole ? taken.draft : { ...taken.draft, schedulers: gantry.state.draft.schedulers },
  });
  return taken.label;
}

/* The browser's database keeps draft and steps: it has room for a trace, and takes what a page that goes
   away still writes. */
const answer = (request) =>
  new Promise((resolve, reject) =>
    Object.assign(request, {
      onsuccess: () => resolve(request.result),
      onerror: () => reject(request.error),
    }),
  );
const open = async function () {
  const opening = indexedDB.open("gantry", 2);
  opening.onupgradeneeded = () =>
    opening.result.objectStoreNames.contains("drafts") || opening.result.createObjectStore("drafts");
  return answer(opening);
};
const database = open();
let opened = null;
database.then(
  (found) => {
    opened = found;
  },
  () => {},
);
const refused = () => editor.say(gantry.msg("editor_draft.stores_nothing"), true);

function write() {
  try {
    const writing = opened.transaction("drafts", "readwrite");
    const store = writing.objectStore("drafts");
    store.put({ draft: gantry.state.draft, past, future }, OWN).onerror = refused;
    writing.commit();
    for (const storage of [sessionStorage, localStorage]) storage.setItem(KEY, [OWN, from].join());
  } catch {
    refused();
  }
}

const writeSoon = gantry.rested(write, PAUSE_MS);

async function prune() {
  const store = (await database).transaction("drafts", "readwrite").objectStore("drafts");
  (await answer(store.getAllKeys())).slice(0, -MAX_DRAFTS).forEach((key) => store.delete(key));
}

/* This tab's draft with its steps, else the last one of any tab, else null. */
async function recalled() {
  try {
    const store = (await database).transaction("drafts").objectStore("drafts");
    const keys = [sessionStorage, localStorage].flatMap((storage) => (storage.getItem(KEY) || "").split(","));
    const found = await Promise.all(keys.map((key) => answer(store.get(key))));
    const place = found.findIndex((one) => one && one.draft && isObject(one.draft.scenario));
    from = keys[place] || "";
    return found[place] || null;
  } catch {
    return null;
  }
}
const before = recalled();

/* The draft shown, or, before the editor is there, the one this browser has kept; null on a first visit. */
gantry.readDraft = async () => gantry.state.draft || ((await before) || { draft: null }).draft;

/* After a reload: the draft and its steps, or null. */
async function recall() {
  const kept = await before;
  if (!kept) return null;
  prune();
  [past, future] = [kept.past, kept.future];
  return kept.draft;
}

gantry.on(["draft"], ({ draft }) => {
  gantry.put("draft", { data: draft });
  writeSoon();
});
window.addEventListener("pagehide", () => {
  if (!gantry.state.draft) return;
  editor.finish();
  write();
});

Object.assign(editor, {
  get,
  list,
  isObject,
  isAssumed,
  draftOf,
  withRows,
  withCells,
  withField,
  commit,
  step,
  recall,
  steps: () => ({ past, future }),
});
