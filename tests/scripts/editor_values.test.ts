/* What is typed or pasted into the editor's fields, as values. */
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { Field, Group } from "../../assets/scripts/editor/facts";
import { brief, cells, get, parse, placeholder, show } from "../../assets/scripts/editor/values";

test("numbers are read as people write them", () => {
  const written: [string, string, unknown][] = [
    ["1,024", "MB", 1024],
    ["1 048 576", "MB", 1048576],
    ["1.048.576", "MB", 1048576],
    ["1.024,5", "s", 1024.5],
    ["0,5", "s", 0.5],
    ["8 GB", "MB", 8192],
    ["2 min", "s", 120],
    ["20 s", "s", 20],
    ["250ms", "s", 0.25],
    ["80 %", "", 0.8],
    ["40%", "%", 40],
    ["1e3", "s", 1000],
    ["4h", "s", 14400],
    ["90 s", "s", 90],
    ["1h 30m", "s", 5400],
    ["1 h 30 min 5 s", "s", 5405],
    ["250 ms", "ms", 250],
    ["2 s", "ms", 2000],
    ["1 GB/s", "MB/s", 1024],
    ["1h 30", "s", "1h 30"],
    ["1h 2 apples", "s", "1h 2 apples"],
    ["12 apples", "MB", "12 apples"],
    ["1,2,3", "s", "1,2,3"],
    ["99999999999999999999", "", "99999999999999999999"],
    ["7 constructor", "s", "7 constructor"],
    ["-1.5", "", -1.5],
    ["", "s", undefined],
  ];
  for (const [text, unit, value] of written) equal(parse(text, { kind: "number", unit }), value);
});

test("durations are numbers or distributions", () => {
  const durations = [
    ["normal(30, 4)", { dist: "normal", mean: 30, sd: 4 }, "normal(30, 4)"],
    ["LogNormal( 30 ; 4 )", { dist: "lognormal", mean: 30, sd: 4 }, "lognormal(30, 4)"],
    ["uniform(10,30)", { dist: "uniform", low: 10, high: 30 }, "uniform(10, 30)"],
    ["exponential(2 min)", { dist: "exponential", mean: 120 }, "exponential(120)"],
    ["values(1, 2, 3, 4.5)", { values: [1, 2, 3, 4.5] }, "values(1, 2, 3, 4.5)"],
    ["0,5", 0.5, 0.5],
    ["normal(20", "normal(20", "normal(20"],
    ["normal(20)", "normal(20)", "normal(20)"],
    ["values(1, x)", "values(1, x)", "values(1, x)"],
    ["constructor(1)", "constructor(1)", "constructor(1)"],
  ];
  for (const [text, value, shown] of durations) {
    deepEqual(parse(text, { kind: "duration" }), value);
    equal(show(value, {}), shown);
  }
});

test("what is empty or the default is left out, and no limit is null", () => {
  const field = { kind: "whole", unit: "", default: 1, empty: "one", none: "no limit" } as const;
  deepEqual(
    ["", "1", "One", "No limit", "2"].map((text) => parse(text, field)),
    [...[undefined, undefined, undefined], ...[null, 2]],
  );
});

test("switches, choices and lists of numbers", () => {
  const isSwitch = { kind: "switch", default: false } as const;
  deepEqual(
    [true, "yes", "On", 1, false, "", null].map((typed) => parse(typed, isSwitch)),
    [...[true, true, true, true], ...[undefined, undefined, undefined]],
  );
  equal(parse("no", { kind: "switch", default: true }), false);
  deepEqual(parse(true, { kind: "switch", default: null }), {}); // an object that is given at all
  const choice = { kind: "choice", choices: ["fifo", "fair"], default: "fifo" } as const;
  deepEqual(
    ["Fair", "FIFO", "other"].map((typed) => parse(typed, { ...choice, choices: [...choice.choices] })),
    ["fair", undefined, "other"],
  );
  deepEqual(parse("1, 2.5", { kind: "numbers" }), [1, 2.5]);
  deepEqual(parse("0,5; 2", { kind: "numbers" }), [0.5, 2]);
  deepEqual(parse("0, 1 min", { kind: "numbers", unit: "s" }), [0, 60]);
  equal(parse("1, two", { kind: "numbers" }), "1, two");
});

test("whatever a file holds is shown", () => {
  equal(show(null, { none: "no limit" }), "no limit");
  deepEqual([show(null, {}), show(undefined, {}), show(0, {}), show(true, {})], [null, null, 0, "true"]);
  equal(show([1, 2.5], {}), "1, 2.5");
  equal(show({ dist: "uniform", low: 1 }, {}), "uniform(1, )");
  for (const dist of ["toString", "constructor", "__proto__", null, 7, {}])
    equal(show({ dist, mean: 1 }, {}), JSON.stringify({ dist, mean: 1 }));
});

test("what stands at a path, of whatever is given", () => {
  equal(get({ a: { b: 1 } }, "a.b"), 1);
  for (const value of [null, 7, "text", [], { a: null }, { a: [{ b: 1 }] }])
    equal(get(value, "a.b"), undefined);
});

test("an empty field shows what it stands for, unless its object is absent", () => {
  const field = (group: string, empty: string) => ({ group, empty }) as Field;
  const groups = [
    { path: "reduces", empty: "no reduces", required: false },
    { path: "am", empty: "that of the whole cluster", required: false },
    { path: "maps", empty: "", required: true },
  ] as Group[];
  const shown = (group: string, empty: string, entry: object) =>
    placeholder(field(group, empty), groups, entry, 4);
  equal(shown("", "job1, job2, …", {}), "job5");
  equal(shown("", "1024", {}), "1024");
  equal(shown("reduces", "1024", {}), "no reduces");
  equal(shown("reduces", "1024", { reduces: {} }), "1024");
  equal(shown("am", "1024", { am: null }), "–");
  equal(shown("maps", "1024", {}), "1024");
});

test("cells are read as a spreadsheet copies them", () => {
  deepEqual(cells('a\t\t1,5\r\n"b\tc"\t"d ""e""\nf"\n\n'), [
    ["a", "", "1,5"],
    ["b\tc", 'd "e"\nf'],
  ]);
});

test("a long list of values is shown in brief", () => {
  globalThis.gantryMessages = { "editor_values.values": "{count} values: {first}, …" };
  equal(brief("values(1, 2)"), "values(1, 2)");
  const long = `values(${[...Array(1200).keys()].join(", ")})`;
  equal(brief(long), "1,200 values: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …");
});
