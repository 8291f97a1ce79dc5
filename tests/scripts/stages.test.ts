/* The stages of an application: names, and what comes after what, as they are edited. */
import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import * as stages from "../../assets/scripts/editor/stages";

const READ = { name: "read", tasks: 40, duration_s: 8 };
const SORT = { name: "sort", tasks: 10, duration_s: 4, after: ["read"] };
const JOIN = { name: "join", tasks: 5, duration_s: 2, after: ["read", "sort"] };

test("a new stage is like the last, comes after it where stages do, and has a name of its own", () => {
  const first = { name: "stage1", tasks: 20, duration_s: 10 };
  deepEqual(stages.fresh([], first, true), first);
  deepEqual(stages.fresh([READ], first, true), { ...READ, name: "stage2", after: ["read"] });
  deepEqual(stages.fresh([READ], first, false), { ...READ, name: "stage2" });
  const two = [
    { name: "stage2", tasks: 1, duration_s: 1 },
    { tasks: 1, duration_s: 1, memory_mb: 512 },
  ];
  deepEqual(stages.fresh(two, first, true), { ...two[1], name: "stage3", after: ["stage2"] });
  deepEqual(stages.fresh([{ ...READ, name: "stage2" }], first, true).name, "stage3");
});

test("what comes after a stage follows its name, unless another bears the old or the new one", () => {
  const names = (all: ReturnType<typeof stages.moved>) => all.map(({ name, after }) => [name, after]);
  deepEqual(names(stages.renamed([READ, SORT, JOIN], 0, "load")), [
    ["load", undefined],
    ["sort", ["load"]],
    ["join", ["load", "sort"]],
  ]);
  deepEqual(names(stages.renamed([READ, SORT, JOIN], 1, "read")), [
    ["read", undefined],
    ["read", ["read"]],
    ["join", ["read", "sort"]],
  ]);
  // without a name it is stage1, and is called so
  deepEqual(names(stages.renamed([READ, SORT], 0, undefined)), [
    [undefined, undefined],
    ["sort", ["stage1"]],
  ]);
});

test("a stage that goes is no longer one to come after; one that moves keeps all it names", () => {
  const { after: _, ...alone } = SORT;
  deepEqual(stages.without([READ, SORT, JOIN], 0), [alone, { ...JOIN, after: ["sort"] }]);
  deepEqual(stages.moved([READ, SORT, JOIN], 2, -1), [READ, JOIN, SORT]);
  deepEqual(stages.moved([READ, SORT], 0, -1), [READ, SORT]);
  deepEqual(stages.moved([READ, SORT], 1, 1), [READ, SORT]);
  // stages without names have those by which others know them
  const [first, second] = [
    { tasks: 1, duration_s: 1 },
    { tasks: 2, duration_s: 1, after: ["stage1"] },
  ];
  deepEqual(stages.moved([first, second], 0, 1), [
    { ...second, name: "stage2" },
    { ...first, name: "stage1" },
  ]);
});
