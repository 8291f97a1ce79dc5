/* Messages, and cells that a spreadsheet would take for formulas. */
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { inert, uninert } from "../../assets/scripts/page/clipboard";
import { msg } from "../../assets/scripts/page/messages";

test("a message is filled in once", () => {
  globalThis.gantryMessages = { "a.b": "{one} of {two}, {one}" };
  equal(msg("a.b", { one: "{two} $&", two: 3 }), "{two} $& of 3, {two} $&");
  equal(msg("a.b"), "{one} of {two}, {one}");
});

test("what a spreadsheet takes for a formula is inert and comes back", () => {
  const formulas = ["@a", "+a", "-a", "-1+1", "=HYPERLINK(1)", "\ta", "\ra"];
  const others = ["-5", "+1,000.5", "-1e3", "a=b", 7, -7.5];
  deepEqual(
    formulas.map(inert),
    formulas.map((cell) => `'${cell}`),
  );
  deepEqual(others.map(inert), others.map(String));
  deepEqual([...formulas, ...others].map(inert).map(uninert), [...formulas, ...others].map(String));
});
