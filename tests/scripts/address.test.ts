/* The page as an address: what is looked at is written as it was read, and defaults are left out. */
import { deepEqual, equal } from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { mirrored, writeAddress } from "../../assets/scripts/page/mirror";
import { change, State, state } from "../../assets/scripts/page/state";
import { asItOpens, opening, type Seen } from "../../assets/scripts/page/workbench";
import type { Result, RunRequest } from "../../assets/scripts/run/result";
import { passes } from "./page";

const NOTHING: Seen = {
  window: null,
  rows: null,
  highlight: null,
  arranged: null,
  colour: "phase",
  folded: [],
  time: null,
  span: null,
  decision: null,
  drawer: null,
  study: null,
  executors: null,
  optimum: null,
  present: false,
};
const RESULT: Result = {
  key: "k1",
  schedulers: ["fifo"],
  display_names: {},
  name: "",
  whole: { x0: 0, x1: 100_000 },
  link: null,
  why: "run",
  random: false,
  pinned: null,
  optimum: null,
  address: "preset=a&s=fifo",
  differences: [],
  more_differences: 0,
  verdict: [],
  charts: [],
};
const REQUEST: RunRequest = {
  scenario: {},
  schedulers: ["fifo"],
  why: "run",
  pinned: undefined,
  optimum: null,
};
const decided = { key: "k1", index: 1, container: 7, row: 0, start: 0, end: 1, of: 9, picked: true };

let written: string[] = [];
Object.assign(globalThis, {
  history: { state: null, replaceState: (_state: unknown, _title: string, to: string) => written.push(to) },
});
const address = () => {
  writeAddress();
  return written.at(-1);
};
const opened = (seen: Partial<Seen>) => change({ ...new State(), ...opening({ ...NOTHING, ...seen }) });

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { innerWidth: 1200, innerHeight: 900 });
  written = [];
  opened({});
});

test("a page as it opens has no query", () => {
  equal(address(), "/");
  opened({ drawer: { tab: "compare", open: true, dock: "below", size: null } });
  equal(address(), "/");
});

test("what is looked at is written in a fixed order", () => {
  opened({
    arranged: { by: "node", sort: "name", find: "a b" },
    highlight: "job:x:y",
    colour: "queue",
    folded: [2, 0],
    time: 4000.4,
    span: { x0: 1000, x1: 2000 },
    drawer: { tab: "why", open: true, dock: "right", size: 400 },
    present: true,
  });
  change({
    window: { x0: 5, x1: 10 },
    rows: { y0: 1.5, y1: 3 },
    decision: decided,
    result: { ...RESULT, optimum: "0123456789abcdef" },
    executors: { key: "k1", job: "x:y", scheduler: 1 },
  });
  equal(
    address(),
    "/?preset=a&s=fifo&x0=5&x1=10&y0=1.5&y1=3&job=x:y&rows=node&sort=name&find=a+b&colour=queue&t=4000" +
      "&why=1:7&span=1000-2000&tab=why&drawer=400&dock=right&folded=2,0" +
      "&executors=1:x:y&optimum=0123456789abcdef&present=1",
  );
});

test("what an address shows is there once the result is", () => {
  const seen = {
    window: { x0: 5, x1: 10 },
    rows: { y0: 1, y1: 2 },
    decision: { place: 1, container: 7, waiting: null },
  };
  opened({ ...seen, drawer: { tab: null, open: true, dock: "below", size: null } });
  deepEqual(state().opens, { x0: 5, x1: 10, y0: 1, y1: 2 });
  deepEqual(state().asks, { place: 1, container: 7, waiting: null, beside: true });
  equal(state().drawer?.tab, "why");
  opened(seen);
  equal(state().asks?.beside, false); // the drawer is as it was left
  equal(state().drawer?.tab, "compare");
  equal(address(), "/?why=1:7"); // before its decision has come
  opened({ decision: { place: 0, container: -1, waiting: 12_000 } });
  equal(address(), "/?why=0:t12000");
});

test("the drawer is told where it is not as the room opens it", () => {
  const closed = { tab: null, open: false, dock: "below", size: null } as const;
  opened({ drawer: closed });
  equal(address(), "/?drawer=closed");
  Object.assign(globalThis, { innerHeight: 800 }); // where it is closed by itself
  equal(address(), "/");
  opened({ drawer: { ...closed, open: true } });
  equal(address(), "/?tab=compare");
  Object.assign(globalThis, { innerWidth: 1800 });
  opened({});
  const { drawer } = state();
  deepEqual([drawer?.open, drawer?.dock, drawer && asItOpens(drawer)], [true, "right", true]);
  equal(address(), "/");
});

test("of what was composed since there is no address, of what was shared its link", () => {
  const draft = { scenario: {}, schedulers: ["fifo"], assumed: [] };
  change({ result: RESULT, request: REQUEST, draft });
  equal(address(), "/?preset=a&s=fifo");
  change({ shared: { key: "k1", address: "r=abc" } });
  equal(address(), "/?r=abc");
  change({ draft: { ...draft, schedulers: ["fair"] } });
  equal(address(), "/");
  change({ request: { ...REQUEST, why: "whatif" } });
  equal(address(), "/?r=abc");
  change({ result: { ...RESULT, key: "k2" } });
  equal(address(), "/?preset=a&s=fifo");
});

test("a study goes with its sliders, where they stand and what is held", () => {
  const slider = { path: "a", value: 3, first: 1, last: 9, step: 1 };
  const choice = { path: "c", value: "memory", first: 0, last: 1, step: 1 };
  const other = { path: "n", value: null, first: 1, last: 4, step: 1 };
  const study = {
    seeds: 30,
    jitter: 0.2,
    values: 20,
    metric: "makespan_s",
    axes: 1,
    sliders: [slider, choice],
  };
  opened({ study });
  deepEqual([state().slider, state().sliders], ["a", study.sliders]);
  equal(address(), "/"); // it is not begun yet
  const { path, first, last, step } = slider;
  const asked = { key: "k1", seeds: 30, jitter: 0.2, values: 20, y: null };
  const held = [
    { path: "c", value: "memory" },
    { path: "gone", value: "x" },
    { path: "lost", value: 2 },
  ];
  change({
    study: { ...asked, x: { path, first, last, step, present: 2 }, held },
    sliders: [slider, choice, other],
  });
  equal(
    address(),
    "/?study=30,0.2,20,makespan_s,1;a,3,1,9,1;c,memory,0,1,1;gone,x,0,1,1;lost,2,2,2,1;n,,1,4,1".replaceAll(
      ";",
      "%3B",
    ),
  );
  change({ sliders: [] });
  equal(address()?.includes("a,2,1,9,1"), true); // it stands where the run has it
});

test("what a page was opened with stands until its first result", async () => {
  opened({ colour: "job" });
  mirrored();
  await passes(300);
  deepEqual(written, []);
});

test("changes are written once they rest, and while Play runs once a second", async () => {
  change({ colour: "job", result: { ...RESULT, address: "" } });
  mirrored();
  await passes(200);
  mirrored();
  await passes(200);
  deepEqual(written, []);
  await passes(100);
  deepEqual(written, ["/?colour=job"]);
  change({ playing: true });
  for (let tenth = 0; tenth < 25; tenth++) {
    change({ at: 100 * (tenth + 1) });
    mirrored();
    await passes(100);
  }
  equal(written.length, 3);
});
