/* What is told of files that were opened, by heading. */
import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { sorted } from "../../assets/scripts/editor/notes";

const beside = { kind: "beside", text: "b" };
const told = (kind: string) => ({ kind, text: kind });

test("what matters most stands first, and what changes nothing aside", () => {
  const { groups, aside } = sorted([
    "a",
    beside,
    told("read"),
    told("default"),
    told("refused"),
    "c",
    told("not modelled"),
  ]);
  deepEqual(
    groups.map(({ texts }) => texts),
    [["refused"], ["not modelled"], ["a", "c"], ["read"]],
  );
  deepEqual(aside, ["b", "default"]);
});

test("no sentence is lost, whatever a draft that was kept has", () => {
  const { groups, aside } = sorted(["a", told("of a later version"), beside]);
  deepEqual(
    groups.map(({ texts }) => texts),
    [["a", "of a later version"]],
  );
  deepEqual(aside, ["b"]);
});
