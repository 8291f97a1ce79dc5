/* The draft: its steps, undone and done again; what a browser keeps of it for its tabs. */
import { deepEqual, equal } from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import * as drafts from "../../assets/scripts/editor/draft";
import { type Draft, setFacts, theDraft } from "../../assets/scripts/editor/facts";
import { change } from "../../assets/scripts/page/state";
import { passes, settled } from "./page";

const table = (path: string, frameworks = {}) => ({
  path,
  one: "",
  title: "",
  fresh: {},
  frameworks,
  fields: [],
  groups: [],
  grid: null,
});
const FRAMEWORKS = {
  mapreduce: { fresh: { maps: { count: 10 } }, lacks: ["executors", "stages"], words: {} },
  spark: {
    fresh: { framework: "spark", am: { vcores: 1 }, executors: { count: 4 }, stages: [{ tasks: 20 }] },
    lacks: ["maps", "reduces", "stages.vcores"],
    words: {},
  },
  demand: {
    fresh: { framework: "demand", stages: [{ name: "stage1", tasks: 4, vcores: 2 }] },
    lacks: ["maps", "reduces", "executors", "stages.after"],
    words: {},
  },
};
setFacts({
  presets: [],
  schedulers: ["fifo"],
  tables: { nodes: table("cluster.nodes"), queues: table("queues"), jobs: table("jobs", FRAMEWORKS) },
  title: [],
  settings: [],
  folds: {},
  addresses: { check: "", open: "", write: "", convert: "editor/convert", workload: "" },
  accept: "",
  max_bytes: 0,
});
const draft = (scenario: object, schedulers = ["fifo"]): Draft => ({
  scenario: { ...scenario },
  schedulers,
  assumed: [],
});
const named = (name: string) => draft({ name });
const name = () => theDraft().scenario.name;
const labels = () => {
  const { past, future } = drafts.steps();
  return [past.map(({ label }) => label), future.map(({ label }) => label)];
};
const type = (text: string, key = "name") => drafts.commit(named(text), text, { key });

/* A draft that nobody has changed. */
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_800_000_000_000 });
  change({ draft: named("any") });
  while (drafts.step("undo"));
  change({ draft: named("first") });
  drafts.commit(named("second"), "reset"); // there is nothing to do again
  drafts.step("undo");
});

test("steps are undone and done again, and another step ends what could be done again", () => {
  for (const text of ["a", "b", "c"]) drafts.commit(named(text), text);
  deepEqual(labels(), [["a", "b", "c"], []]);
  deepEqual([drafts.step("undo"), name(), drafts.step("undo"), name()], ["c", "b", "b", "a"]);
  deepEqual(labels(), [["a"], ["c", "b"]]);
  deepEqual([drafts.step("redo"), name()], ["b", "b"]);
  drafts.commit(named("d"), "d");
  deepEqual(labels(), [["a", "b", "d"], []]);
  equal(drafts.step("redo"), undefined);
  deepEqual(
    [1, 2, 3, 4].map(() => drafts.step("undo")),
    ["d", "b", "a", undefined],
  );
  equal(name(), "first");
});

test("what differs in nothing is no step", () => {
  drafts.commit(named("a"), "a");
  drafts.step("undo");
  drafts.commit(named("first"), "nothing");
  deepEqual(labels(), [[], ["a"]]);
});

test("schedulers stay as they are chosen, but with a step that opened another draft", () => {
  drafts.commit(draft({ name: "opened" }, ["fair"]), "open", { whole: true });
  drafts.commit(draft({ name: "edited" }, ["fair"]), "edit");
  change({ draft: { ...theDraft(), schedulers: ["drf"] } });
  const chosen = () => [name(), theDraft().schedulers];
  drafts.step("undo");
  deepEqual(chosen(), ["opened", ["drf"]]);
  drafts.step("undo");
  deepEqual(chosen(), ["first", ["fifo"]]);
  drafts.step("redo");
  deepEqual(chosen(), ["opened", ["drf"]]);
});

test("what is typed in quick succession is one step", async () => {
  type("a");
  await passes(1400);
  type("ab");
  await passes(1400);
  type("abc");
  deepEqual(labels()[0], ["a"]);
  await passes(1500);
  type("abcd");
  type("abcd, elsewhere", "x_about");
  type("abcde");
  deepEqual(labels()[0], ["a", "abcd", "abcd, elsewhere", "abcde"]);
  drafts.step("undo");
  type("abcdf");
  deepEqual(labels()[0], ["a", "abcd", "abcd, elsewhere", "abcdf"]);
  for (const _ of "1234") drafts.step("undo");
  equal(name(), "first");
});

test("what is typed and taken back at once is no step, and what follows is one of its own", () => {
  for (const text of ["a", "ab", "first"]) type(text);
  deepEqual(labels(), [[], []]);
  type("b");
  deepEqual(labels(), [["b"], []]);
  drafts.step("undo");
  equal(name(), "first");
});

test("so many steps are kept", () => {
  for (let count = 0; count < 250; count++) drafts.commit(named(`${count}`), `${count}`);
  deepEqual([drafts.steps().past.length, labels()[0]?.[0], labels()[0]?.at(-1)], [200, "50", "249"]);
  let steps = 0;
  while (drafts.step("undo")) steps++;
  deepEqual([steps, name(), drafts.steps().future.length], [200, "49", 200]);
});

test("a draft of whatever others give", () => {
  const { scenario } = named("a");
  deepEqual(drafts.draftOf({ scenario, schedulers: ["fair", 1], assumed: "no list" }), {
    ...{ scenario, assumed: [] },
    schedulers: ["fair"],
  });
  deepEqual(drafts.draftOf({ scenario, schedulers: null }).schedulers, ["fifo"]);
  change({ draft: draft({}, ["drf"]) });
  deepEqual(drafts.draftOf({ scenario }).schedulers, ["drf"]);
  change({ draft: null });
  deepEqual(drafts.draftOf({ scenario }).schedulers, ["fifo"]);
});

test("a field that is emptied takes the objects along that hold nothing else", () => {
  const before = draft({ cluster: { nodes: [], allocation: { memory: { minimum: 1 } } } });
  const path = "cluster.allocation.memory.minimum";
  deepEqual(drafts.withField(before, path, 2).scenario, {
    cluster: { nodes: [], allocation: { memory: { minimum: 2 } } },
  });
  deepEqual(drafts.withField(before, path, undefined).scenario, { cluster: { nodes: [] } });
  deepEqual(drafts.withField(draft({ cluster: "faulty" }), "cluster.speed", 1).scenario, {
    cluster: { speed: 1 },
  });
});

test("rows that are none stand as empty ones, and cells below the last add some", () => {
  const faulty = draft({ jobs: [{ name: "a" }, "faulty", null] });
  deepEqual(drafts.list(faulty, "jobs"), [{ name: "a" }, {}, {}]);
  deepEqual([drafts.list(draft({ jobs: {} }), "jobs"), drafts.list(draft({}), "nodes")], [[], []]);
  const cells = [
    { row: 0, path: "maps.memory_mb", value: 512 },
    { row: 2, path: "name", value: "c" },
  ];
  const next = drafts.withCells(draft({ jobs: [{ name: "a" }] }), "jobs", cells);
  deepEqual(next.scenario.jobs, [{ name: "a", maps: { memory_mb: 512 } }, {}, { name: "c" }]);
});

test("what is set is assumed no longer, and marks go where their rows go", () => {
  const x_ours = ["seed", "jobs[0].maps", "jobs[1].maps.memory_mb", "cluster.nodes[1].speed", 7];
  const before = draft({ x_ours, jobs: [{ name: "a" }, { name: "b" }], cluster: { nodes: [{}, {}] } });
  const marks = ({ scenario }: Draft) => scenario.x_ours;
  change({ draft: before });
  const paths = ["seed", "jobs[0].maps.memory_mb", "jobs[1].maps", "jobs[1].maps.memory_mb"];
  deepEqual(paths.map(drafts.isAssumed), [true, true, false, true]);
  deepEqual(marks(drafts.withField(before, "seed", 1)), x_ours.slice(1, 4));
  deepEqual(marks(drafts.withCells(before, "jobs", [{ row: 0, path: "maps.memory_mb", value: 1 }])), [
    "seed",
    ...x_ours.slice(2, 4),
  ]);
  const rows = drafts.list(before, "jobs");
  const moved = drafts.withRows(before, "jobs", [{}, ...rows, ...rows.slice(0, 1)], [null, 0, 1, 0]);
  deepEqual(marks(moved), [
    ...["seed", "jobs[1].maps", "jobs[3].maps", "jobs[2].maps.memory_mb"],
    "cluster.nodes[1].speed",
  ]);
  const none = drafts.withRows(draft({ x_ours: ["queues[0].weight"], queues: [{}] }), "queues", [], []);
  deepEqual(none.scenario, {});
});

test("a queue that is renamed takes its jobs and the queues below it along", () => {
  const of = (names: unknown[], queues: unknown[]) =>
    draft({ queues: names.map((name) => ({ name })), jobs: queues.map((queue) => ({ queue })) });
  const rename = (before: Draft, value: unknown) =>
    drafts.withCells(before, "queues", [{ row: 0, path: "name", value }]);
  const before = of(["prod", "prod.etl", "production"], ["prod", "prod.etl", "production", 7]);
  deepEqual(
    rename(before, "live"),
    of(["live", "live.etl", "production"], ["live", "live.etl", "production", 7]),
  );
  // one of two of a name, one that gets another's name, and one that loses its own leave the jobs
  const same = of(["prod", "prod"], ["prod"]);
  deepEqual(rename(same, "live"), of(["live", "prod"], ["prod"]));
  deepEqual(rename(of(["prod", "test"], ["prod"]), "test"), of(["test", "test"], ["prod"]));
  deepEqual(rename(of(["prod"], ["prod"]), undefined).scenario.jobs, [{ queue: "prod" }]);
});

/* The browser's database, as far as drafts are kept in it. */
let rows = new Map<string, unknown>();
let isFull = false;
function request<T>(result: T) {
  const asked = { result, onsuccess() {} };
  queueMicrotask(() => asked.onsuccess());
  return asked;
}
const objectStore = () => ({
  get: (key: string) => request(rows.get(key)),
  getAllKeys: () => request([...rows.keys()].sort()),
  put: (value: unknown, key: string) => isFull || rows.set(key, structuredClone(value)),
  delete: (key: string) => rows.delete(key),
  transaction: { onabort() {}, commit() {} },
});
const transaction = () => {
  const store = objectStore();
  if (isFull) queueMicrotask(() => store.transaction.onabort());
  return { objectStore: () => store };
};
const database = { transaction, onversionchange() {}, close() {} };
const indexedDB = { open: () => request(database) };
function storage(kept: Record<string, string> = {}) {
  return {
    kept,
    getItem: (key: string) => kept[key] ?? null,
    setItem(key: string, value: string) {
      kept[key] = value;
    },
  };
}

/* A page in a tab, once what was kept for it is there; local: what all tabs share. */
async function page(tab: ReturnType<typeof storage>, local: ReturnType<typeof storage>) {
  await passes(10); // names are of their time
  const shelf = drafts.openShelf(() => [tab, local]);
  const recalled = await shelf.recalled;
  let refusals = 0;
  return {
    shows: recalled?.draft.scenario.name,
    recalled,
    async keeps(name: string) {
      shelf.keep({ draft: named(name), past: [], future: [] }, () => refusals++);
      await settled();
      return refusals;
    },
    prune: shelf.prune,
  };
}
beforeEach(() => {
  rows = new Map();
  isFull = false;
  Object.assign(globalThis, { indexedDB });
});

test("a reload finds the draft of its tab, and its steps", async () => {
  const [tab, local] = [storage(), storage()];
  const first = await page(tab, local);
  equal(first.recalled, null);
  equal(await first.keeps("a"), 0);
  const steps = [{ label: "b", draft: named("a"), whole: false }];
  const shelf = drafts.openShelf(() => [tab, local]);
  await shelf.recalled;
  shelf.keep({ draft: named("b"), past: steps, future: steps }, () => {});
  deepEqual((await page(tab, local)).recalled, { draft: named("b"), past: steps, future: steps });
});

test("each of two tabs keeps its own, and a new one begins with what was changed last", async () => {
  const [tab, other, local] = [storage(), storage(), storage()];
  await (await page(tab, local)).keeps("one");
  await (await page(other, local)).keeps("two");
  deepEqual([(await page(tab, local)).shows, (await page(other, local)).shows], ["one", "two"]);
  equal((await page(storage(), local)).shows, "two");
  await (await page(tab, local)).keeps("one more");
  equal((await page(storage(), local)).shows, "one more");
  equal((await page(other, local)).shows, "two");
});

test("a tab that was copied leaves the draft of the other alone", async () => {
  const [tab, local] = [storage(), storage()];
  const first = await page(tab, local);
  await first.keeps("one");
  const copied = storage({ ...tab.kept });
  const copy = await page(copied, local);
  equal(copy.shows, "one");
  await copy.keeps("two");
  await first.keeps("still one");
  deepEqual([(await page(tab, local)).shows, (await page(copied, local)).shows], ["still one", "two"]);
});

test("a page that went away before it could write leaves what it began with", async () => {
  const [tab, local] = [storage(), storage()];
  await (await page(tab, local)).keeps("one");
  isFull = true;
  equal(await (await page(tab, local)).keeps("two"), 1);
  equal((await page(tab, local)).shows, "one");
});

test("so many drafts are kept, and the oldest go", async () => {
  const local = storage();
  for (let count = 0; count < 15; count++) await (await page(storage(), local)).keeps(`${count}`);
  const last = await page(storage(), local);
  equal(last.shows, "14");
  await last.prune();
  const names = [...rows.values()].map((kept) => (kept as drafts.Kept).draft.scenario.name);
  deepEqual(
    names,
    [...Array(12).keys()].map((count) => `${count + 3}`),
  );
});

test("a browser without a database, or without storage, keeps nothing and says so", async () => {
  const refuse = () => {
    throw new Error("not here");
  };
  const [tab, local] = [storage(), storage()];
  await (await page(tab, local)).keeps("one");
  const blocked = await page({ ...tab, getItem: refuse, setItem: refuse }, local);
  deepEqual([blocked.shows, await blocked.keeps("two")], [undefined, 1]);
  Object.assign(globalThis, { indexedDB: { open: refuse } });
  const bare = await page(tab, local);
  deepEqual([bare.shows, await bare.keeps("two")], [undefined, 1]);
});

test("a database that another tab holds is not waited for, and takes drafts once it is free", async () => {
  const held = { result: database, onsuccess() {}, onblocked() {} };
  const open = () => {
    queueMicrotask(() => held.onblocked());
    return held;
  };
  Object.assign(globalThis, { indexedDB: { open } });
  const [tab, local] = [storage(), storage()];
  const blocked = await page(tab, local);
  deepEqual([blocked.shows, await blocked.keeps("one")], [undefined, 1]);
  held.onsuccess();
  equal(await blocked.keeps("two"), 1);
  Object.assign(globalThis, { indexedDB });
  equal((await page(tab, local)).shows, "two");
});

test("a page of a later version gets the database from this one", async () => {
  let isClosed = false;
  const given = {
    transaction,
    onversionchange() {},
    close() {
      isClosed = true;
    },
  };
  Object.assign(globalThis, { indexedDB: { open: () => request(given) } });
  await page(storage(), storage());
  given.onversionchange();
  equal(isClosed, true);
});

test("what is no draft is not opened", async () => {
  const local = storage({ "draft-key": "a,b,c" });
  rows = new Map<string, unknown>([
    ["a", { draft: null }],
    ["b", { draft: { scenario: "text" } }],
    ["c", { draft: named("c"), past: [], future: [] }],
  ]);
  equal((await page(storage(), local)).shows, "c");
});

test("a job of another framework keeps what both have, and has what a new one has", () => {
  const jobs = () => drafts.list(theDraft(), "jobs");
  const set = (path: string, value: unknown) =>
    drafts.commit(drafts.withCells(theDraft(), "jobs", [{ row: 0, path, value }]), path);
  const job = { name: "etl", queue: "root.a", am: { vcores: 2 }, maps: { count: 3 } };
  change({ draft: draft({ jobs: [job] }) });
  set("framework", "spark");
  const { maps: _, ...both } = job;
  deepEqual(jobs(), [{ ...FRAMEWORKS.spark.fresh, ...both }]);
  set("executors.dynamic", {});
  deepEqual(jobs()[0]?.executors, { dynamic: {} });
  set("framework", undefined);
  deepEqual(jobs(), [{ ...FRAMEWORKS.mapreduce.fresh, ...both }]);
  set("framework", "tez"); // which is told as a fault
  deepEqual(jobs(), [{ ...FRAMEWORKS.mapreduce.fresh, ...both, framework: "tez" }]);
  for (const _ of [1, 2, 3, 4]) drafts.step("undo");
  deepEqual(jobs(), [job]);
});

test("stages of another framework keep what both have, and have what a stage of a new one has", () => {
  const stages = [{ name: "read", tasks: 40 }, { tasks: 5, after: ["read"] }, "what is none"];
  const set = (value: string) => drafts.withCells(theDraft(), "jobs", [{ row: 0, path: "framework", value }]);
  const stagesOf = (value: string) => drafts.list(set(value), "jobs")[0]?.stages;
  change({ draft: draft({ jobs: [{ framework: "spark", stages }] }) });
  const held = [{ name: "read", tasks: 40, vcores: 2 }, { tasks: 5, vcores: 2 }, "what is none"];
  deepEqual(stagesOf("demand"), held);
  change({ draft: set("demand") });
  deepEqual(stagesOf("spark"), [{ name: "read", tasks: 40 }, { tasks: 5 }, "what is none"]);
});
