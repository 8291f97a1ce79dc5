/* What the charts look at: zoom and pan within the run, and one question to the server once a hand rests. */

import { deepEqual, equal } from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import * as charts from "../../assets/scripts/timeline/charts";
import type { Drawing, Span } from "../../assets/scripts/timeline/drawing";
import { passes, settled } from "./page";

const whole = { x0: 0, x1: 100_000, rows: 8 };
let asked: { window: Span | null; answer: () => void }[] = [];
let runs = 0;

/* A run of 100 s on 8 rows is shown; the server answers when the test says so. */
beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.fetch = (address, how) =>
    new Promise((done) => {
      const { window } = JSON.parse(String(how?.body));
      const answer = () => done(Response.json(drawing(window)));
      if (String(address).endsWith("/draw")) asked.push({ window, answer });
    });
  runs += 1; // another result, of which all is looked at
  charts.show(drawing(null));
  await passes(100);
  for (const { answer } of asked) answer();
  await passes(100);
  asked = [];
});

const drawing = (window: Span | null): Drawing => ({
  key: String(runs),
  whole,
  looked: { ...(window ?? whole), y0: 0, y1: 8 },
  asked: {},
  hidden: 0,
  names: [],
  others: 0,
  absent: [],
  charts: {},
});
const looked = (act: () => void) => {
  act();
  return [charts.view().window, charts.view().rows];
};

test("a zoom keeps what is under the hand where it is", () => {
  deepEqual(
    looked(() => charts.zoom(0.5, 20_000)),
    [{ x0: 10_000, x1: 60_000 }, null],
  );
  deepEqual(
    looked(() => charts.zoom(0.5, 20_000)),
    [{ x0: 15_000, x1: 40_000 }, null],
  );
  deepEqual(
    looked(() => charts.zoomRows(0.5)),
    [
      { x0: 15_000, x1: 40_000 },
      { y0: 2, y1: 6 },
    ],
  );
});

test("no window is smaller than ten ms or a row, or larger than all", () => {
  deepEqual(
    looked(() => charts.zoom(1e-9, 50_000)),
    [{ x0: 50_000, x1: 50_010 }, null],
  );
  deepEqual(looked(() => charts.zoomRows(1e-9))[1], { y0: 4, y1: 5 });
  equal(looked(() => charts.zoom(1e9))[0], null);
  deepEqual(
    looked(() => charts.zoomRows(1e9)),
    [null, null],
  );
  deepEqual(
    looked(() => charts.zoom(1 / charts.STEP)),
    [null, null],
  );
});

test("a window never leaves the run", () => {
  deepEqual(
    looked(() => charts.zoom(0.5, 0)),
    [{ x0: 0, x1: 50_000 }, null],
  );
  deepEqual(
    looked(() => charts.pan(-0.2)),
    [{ x0: 0, x1: 50_000 }, null],
  );
  deepEqual(
    looked(() => charts.pan(0.2)),
    [{ x0: 10_000, x1: 60_000 }, null],
  );
  deepEqual(
    looked(() => charts.pan(5)),
    [{ x0: 50_000, x1: 100_000 }, null],
  );
  equal(looked(() => charts.panRows(1))[1], null); // all rows are seen
  deepEqual(looked(() => charts.zoomRows(0.25))[1], { y0: 3, y1: 5 });
  deepEqual(looked(() => charts.panRows(9))[1], { y0: 6, y1: 8 });
  deepEqual(
    looked(() => charts.all()),
    [null, null],
  );
});

test("what is revealed comes into the middle unless it is seen", () => {
  looked(() => charts.look({ x0: 10_000, x1: 30_000 }, { y0: 0, y1: 2 }));
  deepEqual(
    looked(() => charts.reveal(30_000, 1)),
    [
      { x0: 10_000, x1: 30_000 },
      { y0: 0, y1: 2 },
    ],
  );
  deepEqual(
    looked(() => charts.reveal(50_000, 4)),
    [
      { x0: 40_000, x1: 60_000 },
      { y0: 3.5, y1: 5.5 },
    ],
  );
  deepEqual(
    looked(() => charts.reveal(99_999, -1)),
    [
      { x0: 80_000, x1: 100_000 },
      { y0: 3.5, y1: 5.5 },
    ],
  );
});

test("many turns of a wheel ask once, and a late answer moves nothing", async () => {
  for (let turn = 0; turn < 12; turn++) {
    charts.zoom(0.9, 50_000, true);
    await passes(40);
  }
  equal(asked.length, 0);
  await passes(60);
  equal(asked.length, 1);
  const { window: first } = charts.view();
  charts.zoom(0.9, 50_000);
  await passes(60);
  equal(asked.length, 1); // one at a time
  const { window: reached } = charts.view();
  asked[0]?.answer();
  await passes(60);
  deepEqual(charts.view().window, reached);
  deepEqual(
    asked.map(({ window }) => window),
    [first, reached],
  );
});

test("while the hand holds the charts nothing is asked", async () => {
  charts.zoom(0.5);
  await passes(100);
  asked[0]?.answer();
  await settled();
  charts.hold(true);
  charts.pan(0.1);
  charts.pan(0.1);
  await passes(1000);
  equal(asked.length, 1);
  charts.hold(false);
  await passes(100);
  equal(asked.length, 2);
});
