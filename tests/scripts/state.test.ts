/* The page's state: who hears of a change, and what is none. */
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { change, on, same, state, toggleHighlight } from "../../assets/scripts/page/state";

test("values are the same in whatever order their keys stand", () => {
  equal(same({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }), true);
  equal(same({ a: 1 }, { a: 1, b: null }), false);
  equal(same([1, 2], [2, 1]), false);
  equal(same([], {}), false);
  equal(same(null, {}), false);
  equal(same("1", 1), false);
});

test("listeners of what differs hear once, after all is set", () => {
  const heard: unknown[] = [];
  on(["colour", "folded"], (now, before) =>
    heard.push([before.colour, before.folded, now.colour, now.folded, now.coming]),
  );
  change({ colour: "job", folded: [2], coming: 3 });
  change({ colour: "job", folded: [2] });
  change({ coming: 4 });
  deepEqual(heard, [[null, [], "job", [2], 3]]);
});

test("what is highlighted once more is highlighted no longer", () => {
  for (const [picked, highlight] of [
    ["job:a", "job:a"],
    ["job:b", "job:b"],
    ["job:b", null],
  ] as const) {
    toggleHighlight(picked);
    equal(state().highlight, highlight);
  }
});
