/* Sliders: what a run offers them, the charts that follow one value at a time, and what rests. */
import { deepEqual, equal } from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { change, state } from "../../assets/scripts/page/state";
import type { Offered, Tunable } from "../../assets/scripts/what_if/facts";
import * as move from "../../assets/scripts/what_if/move";
import * as sliders from "../../assets/scripts/what_if/sliders";
import { passes } from "./page";

const NODES: Tunable = {
  path: "nodes",
  value: 2,
  first: 1,
  last: 8,
  step: 1,
  label: "Nodes",
  title: "Nodes",
  text: "2",
  unit: "",
  help: "",
  whole: true,
  low: 1,
  choices: [],
};
const OFFERED: Offered = { key: "k1", tunables: [NODES], hint: "", moving: true };
const SCENARIO = { name: "a", cluster: { nodes: 2 } };

let asked: { address: string; body: Record<string, unknown>; answer: (told: object) => Promise<void> }[] = [];
globalThis.fetch = (address, how) =>
  new Promise((done) => {
    const answer = (told: object) => {
      done(Response.json(told));
      return passes(10);
    };
    asked.push({ address: String(address), body: JSON.parse(String(how?.body)), answer });
  });
const { gantry = {} } = Object.assign(globalThis, {
  dash_clientside: { gantry: {}, no_update: "none", set_props() {}, callback_context: { triggered: [] } },
}).dash_clientside as { gantry: Record<string, (...given: unknown[]) => unknown> };
sliders.listen();

/* A run is shown, and a slider for its nodes is there. */
beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  for (let left = asked.shift(); left; left = asked.shift()) await left.answer({});
  move.stop();
  gantry.whatifBegun?.();
  change({ request: null, result: null, sliders: [], slider: null });
  change({
    request: { scenario: SCENARIO, schedulers: ["fifo"], why: "run", pinned: undefined, optimum: null },
    result: {
      key: "k1",
      schedulers: ["fifo"],
      display_names: {},
      name: "a",
      whole: { x0: 0, x1: 1000 },
      link: null,
      why: "run",
      random: false,
      pinned: null,
      optimum: null,
      address: "",
      differences: [],
      more_differences: 0,
      verdict: [],
      charts: [],
    },
  });
  gantry.whatifBase?.(OFFERED);
  gantry.whatifAdd?.("nodes");
  await passes(10);
  asked = [];
});

const standing = () => sliders.sliders().map(({ value, first, last }) => [value, first, last]);

test("a value is legal, and the range takes it in", () => {
  sliders.turn("nodes", 3.4);
  deepEqual(standing(), [[3, 1, 8]]);
  sliders.turn("nodes", 12);
  deepEqual(standing(), [[12, 1, 12]]);
  sliders.turn("nodes", -5);
  deepEqual(standing(), [[1, 1, 12]]);
  sliders.turn("nodes", NaN);
  deepEqual(standing(), [[1, 1, 12]]);
  deepEqual(sliders.changes(), [{ path: "nodes", value: 1 }]);
  sliders.turn("nodes", 2);
  deepEqual(sliders.changes(), []);
});

test("another run takes sliders along: those of what is gone go, those turned since stay", async () => {
  change({ sliders: [...sliders.sliders(), { path: "gone", value: 1, first: 0, last: 2, step: 1 }] });
  gantry.whatifBase?.({ ...OFFERED, tunables: [{ ...NODES, value: 20, first: 10, last: 30 }] });
  deepEqual(standing(), [[20, 10, 30]]); // the present value was beyond the range
  gantry.whatifBase?.({ ...OFFERED, tunables: [{ ...NODES, value: 12 }] });
  deepEqual(standing(), [[12, 10, 30]]);
  gantry.whatifBase?.({ ...OFFERED, key: null, tunables: [] });
  deepEqual([standing(), sliders.base(), state().slider], [[], null, null]);
});

test("one question is under way, the last value is asked next, and what rests is run", async () => {
  for (const value of [3, 4, 5]) sliders.turn("nodes", value);
  await passes(10);
  const [first] = asked;
  deepEqual([asked.length, first?.body.changes, first?.body.draw], [1, [{ path: "nodes", value: 3 }], true]);
  await first?.answer({ schedulers: ["fifo"] });
  deepEqual(asked[1]?.body.changes, [{ path: "nodes", value: 5 }]);
  await asked[1]?.answer({ schedulers: ["fifo"] });
  await passes(60);
  equal(asked.length, 2);
  await passes(40); // it rests
  const { rest, of } = asked[2]?.body ?? {};
  deepEqual([rest, of], [true, { scenario: SCENARIO, schedulers: ["fifo"] }]);
  const scenario = { name: "a", cluster: { nodes: 5 } };
  await asked[2]?.answer({ scenario, schedulers: ["fifo"], left_out: false, says: "Nodes 5 instead of 2" });
  const { request } = state();
  deepEqual([request?.why, request?.scenario, request?.base], ["whatif", scenario, "k1"]);
  deepEqual([asked[3]?.address, move.shows({ scenario, schedulers: ["fifo"] })], ["/jobs/run/start", true]);
  equal(sliders.base()?.key, "k1"); // the sliders still start from the run before
});

test("what can't be is said and not run, and what the server forgot is not either", async () => {
  sliders.turn("nodes", 3);
  await asked[0]?.answer({ because: "too many" });
  await passes(100);
  deepEqual([asked.length, state().request?.why], [1, "run"]);
  sliders.turn("nodes", 4);
  await passes(10);
  await asked[1]?.answer({ forgotten: true });
  await passes(1000);
  equal(asked.filter(({ body }) => body.rest).length, 0);
});

test("names are found however they are parted", () => {
  const options = [
    { group: "a", items: [{ label: "job: slow start", value: "jobs[0].slowstart" }] },
    { group: "b", items: [{ label: "Nodes, total", value: "cluster.nodes.total" }] },
  ];
  const found = (search: string, limit = 9) => {
    const known = globalThis.dashMantineFunctions?.whatifFound;
    const groups = known?.({ options, search, limit }) as typeof options;
    return groups.map(({ group }) => group);
  };
  deepEqual(found("slowstart"), ["a"]);
  deepEqual(found("Slow-start job"), ["a"]);
  deepEqual(found("nodes"), ["b"]);
  deepEqual(found(""), ["a", "b"]);
  deepEqual(found("", 1), ["a"]);
  deepEqual(found("nothing"), []);
});
