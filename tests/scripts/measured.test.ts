/* What a cluster did, in a draft: when it can be shown, and what of it travels. */
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import {
  type Draft,
  type Facts,
  type Fault,
  type Outline,
  setFacts,
} from "../../assets/scripts/editor/facts";
import * as measured from "../../assets/scripts/editor/measured";
import { change, state } from "../../assets/scripts/page/state";
import { ofId } from "./page";

setFacts({ schedulers: ["fifo"] } as Facts);
const fault = { path: "measured.containers.job[0]" } as Fault;
const draft = (schedulers: string[], scenario = {}): Draft => ({ scenario, schedulers, assumed: [] });

test("a record travels whole until the server found it sound, then as what it is of", () => {
  const record = { of: "abc", containers: { job: [] } };
  const scenario = { name: "a", measured: record };
  measured.heard(scenario, { faults: [fault], unmeasured: null });
  equal(measured.light(scenario), scenario);
  measured.heard(scenario, { faults: [{ ...fault, path: "jobs[0].name" }], unmeasured: null });
  deepEqual(measured.light(scenario), { name: "a", measured: { of: "abc", checked: true } });
  const other = { name: "a", measured: { ...record } };
  equal(measured.light(other), other);
  for (const none of [{ name: "a" }, { measured: null }, { measured: "text" }, { measured: [] }])
    equal(measured.light(none), none);
});

test("what was measured stands first, and is there with a record alone", () => {
  const record = { measured: { of: "abc" } };
  deepEqual(measured.first(["fair", "measured", "drf"]), ["measured", "fair", "drf"]);
  deepEqual(measured.first(["fair"]), ["fair"]);
  deepEqual(measured.opened(record, ["fair"]), ["measured", "fair"]);
  deepEqual(measured.opened({}, ["measured", "fair"]), ["fair"]);
  deepEqual(measured.opened({}, ["measured"]), ["fifo"]);
  change({ draft: draft(["drf"]) });
  deepEqual(measured.opened(record), ["measured", "drf"]);
});

test("why it can't be shown is said to who asks for it", () => {
  const outline = { unmeasured: "the nodes are others" } as Outline;
  const wrong = (names: string[], of: Outline | null) => measured.wrong({ draft: draft(names), outline: of });
  equal(wrong(["measured"], outline), "The nodes are others.");
  equal(wrong(["fair"], outline), "");
  equal(wrong(["measured"], { ...outline, unmeasured: null }), "");
  equal(wrong(["measured"], null), "");
  equal(measured.wrong({ draft: null, outline }), "");
});

test("what was measured is added to the schedulers chosen by then", () => {
  interface Part {
    textContent: string;
    heard: { click?: (event: object) => void };
  }
  let parts: Part[] = [];
  const made = document.createElement.bind(document);
  const createElement = (tag: string) => {
    const element = made(tag);
    const append = (...childNodes: object[]) => Object.assign(element, { childNodes, textContent: "shown" });
    return Object.assign(element, { append });
  };
  Object.assign(document, { createElement });
  Object.assign(ofId("schedulers-measured"), {
    replaceChildren(...children: Part[]) {
      parts = children;
      this.textContent = "shown";
    },
    textContent: "",
  });
  measured.listen();
  const scenario = { measured: { of: "abc" } };
  change({ draft: draft(["fair"], scenario) });
  change({ draft: draft(["fair", "drf"], scenario) });
  parts.at(-1)?.heard.click?.({});
  deepEqual(state().draft?.schedulers, ["measured", "fair", "drf"]);
});
