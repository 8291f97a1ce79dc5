/* What the scripts know of Dash: its names are where they are looked for, and what is put in their place does
   what it stands for. */
import { deepEqual, equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import * as connection from "../../assets/scripts/dash/connection";
import { callbacks, noUpdate, setProps, triggered } from "../../assets/scripts/dash/dash";
import * as libraries from "../../assets/scripts/dash/libraries";
import { type FakeElement, ofId, settled } from "./page";

test("callbacks are called by name, and what Dash gives is passed on", () => {
  const put: unknown[] = [];
  callbacks({ one: () => 1 });
  callbacks({ two: () => 2 });
  const { gantry = {} } = globalThis.dash_clientside;
  deepEqual([gantry.one?.(), gantry.two?.()], [1, 2]);
  Object.assign(globalThis.dash_clientside, {
    no_update: "none",
    set_props: (...given: unknown[]) => put.push(given),
    callback_context: { triggered: [{ prop_id: "a.data" }] },
  });
  setProps("a", { data: 1 });
  deepEqual([noUpdate(), triggered(), put], ["none", [{ prop_id: "a.data" }], [["a", { data: 1 }]]]);
});

test("where Dash has no answer the page says so, until there is one", async () => {
  globalThis.gantryMessages = { "connection.away": "The server is away." };
  let answer: () => Promise<Response> = async () => new Response();
  globalThis.fetch = () => answer();
  connection.listen();
  const told = async (address: string) => {
    await fetch(address).catch(() => {});
    return ofId("notice").textContent;
  };
  const failed = () => Promise.reject(new TypeError("no network"));
  answer = async () => new Response("", { status: 502 });
  equal(await told("/charts/draw"), "");
  equal(await told("/_dash-update-component"), "The server is away.");
  answer = async () => new Response();
  equal(await told("/_dash-update-component"), "");
  answer = failed;
  equal(await told("/_dash-update-component"), "The server is away.");
  await rejects(fetch("/_dash-update-component"));
  ofId("notice").textContent = "Something else.";
  answer = async () => new Response();
  equal(await told("/_dash-update-component"), "Something else.");
});

test("a library comes when the first of its kind is drawn, and its grids are found", async () => {
  const scripts: FakeElement[] = [];
  Object.assign(document.head, { append: (script: FakeElement) => scripts.push(script) });
  let draw = () => Promise.resolve<{ default: unknown }>({ default: null });
  const lazy = (load: typeof draw) => {
    draw = load;
    return "lazy";
  };
  const components = { Select: { dashChildrenUpdate: true } };
  Object.assign(globalThis, {
    React: { createElement: (...parts: unknown[]) => parts, lazy, Suspense: "suspense" },
    dash_mantine_components: components,
  });
  libraries.listen({ grid: "/dash_ag_grid.min.js", plotly: "/plotly.js" });
  deepEqual(components, { Select: {} });
  Object.assign(globalThis, { _dashPlotlyJSURL: "/the-whole.js" });
  equal(Reflect.get(globalThis, "_dashPlotlyJSURL"), "/plotly.js");

  const stand = globalThis.dash_ag_grid;
  const grid = stand.getApiAsync("jobs-grid");
  equal(scripts.length, 0);
  const drawn = draw();
  const real = { AgGrid: "the grid", getApiAsync: async (id: string) => ({ id }) };
  Object.assign(globalThis, { dash_ag_grid: real }); // as the library does
  scripts[0]?.heard.load?.({});
  await settled();
  equal(globalThis.dash_ag_grid, stand);
  scripts[1]?.heard.load?.({});
  deepEqual([await drawn, await grid], [{ default: "the grid" }, { id: "jobs-grid" }]);
  deepEqual(
    scripts.map(({ attributes }) => attributes.src),
    ["/dash_ag_grid.min.js", "/async-community.js"],
  );
});
