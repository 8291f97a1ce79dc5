/* Numbers of an answer, as people write them. */
import { equal } from "node:assert/strict";
import { test } from "node:test";
import { numberOf } from "../../assets/scripts/exercises/answer_form";

test("a number has a point or a comma, seconds may be a clock, and nothing is dropped", () => {
  const read: [string, string, number | null][] = [
    ["0.26", "", 0.26],
    ["0,26", "", 0.26],
    ["0,008", "GB", 0.008],
    [",5", "", 0.5],
    ["-3", "", -3],
    ["1e3", "", 1000],
    ["76", "s", 76],
    ["1:16", "s", 76],
    ["1:16,5", "s", 76.5],
    ["1:02:03", "s", 3723],
    ["1:16", "GB", null],
    ["1:76", "s", null],
    ["1,024", "MB", null], // may be meant either way
    ["1.024,5", "", null],
    ["", "s", null],
    ["twelve", "", null],
    ["1e999", "", null],
    ["0x10", "", null],
  ];
  for (const [text, unit, number] of read) equal(numberOf(text, unit), number, text);
});
