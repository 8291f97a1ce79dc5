/* Times, shares and memory are told as the server tells them (tests/assets/test_quantities.py). */
import { equal } from "node:assert/strict";
import { test } from "node:test";
import { clock, memory, percent } from "../../assets/scripts/page/quantities";
import told from "./quantities.json";

test("clocks", () => {
  for (const { seconds, digits, text } of told.clock) equal(clock(1000 * seconds, digits), text);
});

test("percentages", () => {
  for (const { share, signed, text } of told.percent) equal(percent(share, signed), text);
});

test("memory", () => {
  for (const { mb, text } of told.memory) equal(memory(mb), text);
});
