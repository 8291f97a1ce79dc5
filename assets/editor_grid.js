/* The three tables: what their cells show, and what editing does to the draft. */
(function (compose) {
  "use strict";

  const MOST_ROWS = 9;
  const ROW = 30;
  const HINT = "Type into a cell, or open it with Enter; arrows move, Tab leaves the table. Copy, cut and paste work as in a spreadsheet.";
  const apis = {};
  const indices = {};
  const inputs = {};

  const grid = (table) => document.getElementById(`compose-${table}`);
  const room = (table) => document.getElementById(`compose-${table}-room`);
  const tableOf = (params) => params.context.table;
  const indexOf = (table, id) => indices[table].get(id);
  const fieldOf = (table, path) => inputs[table].get(path);

  function entryOf(params) {
    const table = tableOf(params);
    return compose.draft.list(compose.state.scenario, table)[indexOf(table, params.data.id)];
  }

  /* What stands greyed in an empty cell. Cells of an object that is absent stay bare, but for a short word such as "no limit". */
  function placeholder(params) {
    const table = tableOf(params);
    const field = fieldOf(table, params.colDef.field);
    if (field.group && compose.draft.get(entryOf(params), field.group) == null) {
      const group = compose.facts.tables[table].groups.find((one) => one.path === field.group);
      return group.required ? field.empty : group.empty.length <= 10 && group.empty ? group.empty : "–";
    }
    const numbered = field.empty.match(/^(\D+)1, /);
    return numbered ? `${numbered[1]}${indexOf(table, params.data.id) + 1}` : field.empty;
  }

  const isEmpty = (params) => params.value === null || params.value === undefined || params.value === "";
  const pathOf = (params) => `${compose.facts.tables[tableOf(params)].path}[${indexOf(tableOf(params), params.data.id)}].${params.colDef.field}`;

  /* Rows the grid still draws while they are being replaced have no index any more. */
  const known = (params) => params.data && compose.state && indices[tableOf(params)].has(params.data.id);

  window.dashAgGridFunctions = Object.assign(window.dashAgGridFunctions || {}, {
    composeShown: (params) => (!isEmpty(params) ? compose.values.brief(params.value) : known(params) ? placeholder(params) : params.colDef.context),
    composeIsEmpty: (params) => isEmpty(params),
    composeIsFault: (params) => Boolean(known(params) && compose.faultAt(pathOf(params))),
    composeIsOurs: (params) => Boolean(known(params) && compose.isOurs(pathOf(params))),
    composeTooltip: (params) => (known(params) ? compose.faultAt(pathOf(params)) || (compose.isOurs(pathOf(params)) ? compose.OURS : null) : null),
    composeChoices: (params) => ({ values: choices(params) }),
    composePage: () => document.body, // a drop-down may be longer than its table
    composeTab: (params) => (params.editing ? params.nextCellPosition : false),
    composeOwnKey: (params) => !params.editing && compose.isGridKey(params.event),
  });

  function choices(params) {
    const field = fieldOf(tableOf(params), params.colDef.field);
    const values = field.kind === "queue" ? leaves(compose.draft.list(compose.state.scenario, "queues")) : ["", ...field.choices];
    return isEmpty(params) || values.includes(params.value) ? values : [params.value, ...values];
  }

  /* Names jobs may be submitted to: listed queues and root.default that have none below them. */
  function leaves(queues) {
    const names = new Set(["root.default", ...queues.map((queue) => queue.name).filter((name) => typeof name === "string" && name.startsWith("root."))]);
    const parents = new Set([...names].map((name) => name.slice(0, name.lastIndexOf("."))));
    return [...names].filter((name) => !parents.has(name));
  }

  function rows(table) {
    const { fields } = compose.facts.tables[table];
    const ids = compose.state.ids[table];
    return compose.draft.list(compose.state.scenario, table).map((entry, index) => {
      const row = { id: ids[index] };
      for (const { path } of fields) row[path] = compose.values.show(compose.draft.get(entry, path));
      return row;
    });
  }

  function reindex(table) {
    indices[table] = new Map(compose.state.ids[table].map((id, index) => [id, index]));
    const { style } = room(table);
    style.setProperty("--compose-rows", `${Math.min(MOST_ROWS, Math.max(1, indices[table].size)) * ROW}px`);
    style.setProperty("--compose-all", `${Math.max(1, indices[table].size) * ROW}px`);
  }

  function fill(table) {
    reindex(table);
    window.dash_clientside.set_props(`compose-${table}`, { rowData: rows(table) });
  }

  /* One cell typed or chosen. A queue that is renamed takes its jobs and the queues below it along. */
  function edited(table, event) {
    const field = fieldOf(table, event.colDef.field);
    const row = indexOf(table, event.data.id);
    if (row === undefined) return;
    const value = compose.values.parse(event.newValue, field);
    let next = compose.draft.withCells(compose.state, table, [{ row, path: field.path, value }]);
    if (table === "queues" && field.path === "name") next = renamed(next, event.oldValue, value);
    event.data[field.path] = compose.values.show(value);
    compose.draft.commit(next, `edit ${compose.nameOf(table, field)}`, "grid");
    if (table === "queues") fill("jobs");
    event.api.refreshCells({ rowNodes: [event.node], force: true });
    help(table);
  }

  function renamed(state, before, after) {
    const names = compose.draft.list(state.scenario, "queues").map((queue) => queue.name);
    if (!before || !after || names.includes(before) || names.filter((name) => name === after).length > 1) return state;
    const moved = (name) => (name === before ? after : typeof name === "string" && name.startsWith(`${before}.`) ? after + name.slice(before.length) : name);
    const change = (table, key) => (now) => {
      const rows = compose.draft.list(now.scenario, table);
      const changes = rows.flatMap((entry, row) => (moved(entry[key]) === entry[key] ? [] : [{ row, path: key, value: moved(entry[key]) }]));
      return changes.length ? compose.draft.withCells(now, table, changes) : now;
    };
    return change("jobs", "queue")(change("queues", "name")(state));
  }

  /* Rows the tools work on: the checked ones, else the focused one. */
  function chosen(table) {
    const checked = apis[table].getSelectedNodes().map((node) => indexOf(table, node.data.id));
    const focused = apis[table].getFocusedCell();
    const rowsChosen = checked.length ? checked : focused && !focused.rowPinned ? [focused.rowIndex] : [];
    return rowsChosen.filter((index) => index !== undefined && index < indices[table].size).sort((one, other) => one - other);
  }

  const plural = (table, count) => (count === 1 ? compose.facts.tables[table].one : `${count} ${compose.facts.tables[table].one}s`);

  function add(table) {
    const entries = compose.draft.list(compose.state.scenario, table);
    const at = chosen(table).length ? chosen(table).pop() + 1 : entries.length;
    const { fresh } = compose.facts.tables[table];
    insert(table, new Map([[at, [{ ...fresh, ...(fresh.name ? { name: unused(table, fresh.name) } : {}) }]]]), `add ${plural(table, 1)}`);
  }

  function duplicate(table) {
    const entries = compose.draft.list(compose.state.scenario, table);
    const picked = chosen(table);
    if (!picked.length) return compose.say("Check a row, or put the focus on one, to duplicate it.");
    const taken = new Set();
    const copy = (entry) => {
      if (typeof entry.name !== "string") return entry;
      const name = unused(table, entry.name, taken);
      taken.add(name);
      return { ...entry, name };
    };
    return insert(table, new Map([[picked[picked.length - 1] + 1, picked.map((index) => copy(entries[index]))]]), `duplicate ${plural(table, picked.length)}`, picked);
  }

  /* wc, then wc_2, wc_3 …: a name nobody bears. */
  function unused(table, name, also = new Set()) {
    const names = new Set(compose.draft.list(compose.state.scenario, table).map((entry) => entry.name));
    const stem = name.replace(/_\d+$/, "");
    let found = name;
    for (let number = 2; names.has(found) || also.has(found); number += 1) found = `${stem}_${number}`;
    return found;
  }

  /* New entries at a place; sources are the rows they are copies of, so that their marks come along. */
  function insert(table, [[at, made]], label, sources = []) {
    const entries = [...compose.draft.list(compose.state.scenario, table)];
    const from = entries.map((_, index) => index);
    entries.splice(at, 0, ...made);
    from.splice(at, 0, ...made.map((_, index) => sources[index] ?? null));
    compose.draft.commit(compose.draft.withRows(compose.state, table, entries, from), label, "grid");
    fill(table);
    apis[table].deselectAll();
    later(() => focus(table, at, inputs[table].keys().next().value));
  }

  function remove(table) {
    const gone = new Set(chosen(table));
    if (!gone.size) return compose.say("Check a row, or put the focus on one, to delete it.");
    const entries = compose.draft.list(compose.state.scenario, table);
    const from = entries.map((_, index) => index).filter((index) => !gone.has(index));
    const column = apis[table].getFocusedCell()?.column.getColId();
    compose.draft.commit(compose.draft.withRows(compose.state, table, from.map((index) => entries[index]), from), `delete ${plural(table, gone.size)}`, "grid");
    fill(table);
    apis[table].deselectAll();
    const next = Math.min(Math.min(...gone), from.length - 1);
    if (next >= 0) later(() => focus(table, next, column || "name"));
    return undefined;
  }

  /* Several cells at once, as paste and cut make them. */
  function write(table, changes, label) {
    compose.draft.commit(compose.draft.withCells(compose.state, table, changes), label, "grid");
    fill(table);
    if (table === "queues") fill("jobs");
    later(() => help(table));
  }

  /* The grid draws new rows in its own time. */
  const later = (work) => setTimeout(work, 60);

  function focus(table, row, column) {
    const api = apis[table];
    if (!api || row >= api.getDisplayedRowCount()) return;
    api.ensureIndexVisible(row);
    api.ensureColumnVisible(column);
    api.setFocusedCell(row, column);
  }

  /* The line below a table: the focused cell's help, as a spreadsheet's formula bar. */
  function help(table) {
    const line = document.getElementById(`compose-${table}-help`);
    const focused = apis[table].getFocusedCell();
    const field = focused && fieldOf(table, focused.column.getColId());
    if (!field || focused.rowIndex >= indices[table].size) return line.replaceChildren(HINT);
    const group = compose.facts.tables[table].groups.find((one) => one.path === field.group);
    const path = `${compose.facts.tables[table].path}[${focused.rowIndex}].${field.path}`;
    return line.replaceChildren(...compose.sentences(field, group, path));
  }

  /* The draft as it will be when the cell that is open is left; null without one. */
  function halfTyped() {
    for (const table of live()) {
      const cell = apis[table].getEditingCells()[0];
      const input = cell && grid(table).querySelector(".ag-cell-inline-editing input");
      const field = input && fieldOf(table, cell.column.getColId());
      if (!field) continue;
      const change = { row: cell.rowIndex, path: field.path, value: compose.values.parse(input.value, field) };
      return { label: `edit ${compose.nameOf(table, field)}`, state: compose.draft.withCells(compose.state, table, [change]) };
    }
    return null;
  }

  /* A drop-down that is clicked drops down at once; AG Grid does so for Enter only. */
  function started(event) {
    typing();
    if (!(event.event instanceof MouseEvent)) return;
    setTimeout(() => {
      const picker = document.querySelector(".compose-grid .ag-cell-inline-editing .ag-picker-field-wrapper[aria-expanded=false]");
      if (picker) picker.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
    });
  }

  /* What is being typed is checked already. */
  function typing() {
    const next = halfTyped();
    if (next) compose.check(next.state.scenario);
  }

  /* The page goes away, or a button is pressed: what stands in an open cell counts. */
  function finish() {
    const next = halfTyped();
    if (next) compose.draft.commit(next.state, next.label, "grid");
  }

  /* The grids of a page that has just been shown. */
  async function attach() {
    await Promise.all(Object.keys(compose.facts.tables).map(async (table) => {
      const { fields, title } = compose.facts.tables[table];
      inputs[table] = new Map(fields.map((field) => [field.path, field]));
      indices[table] = new Map();
      const api = await window.dash_ag_grid.getApiAsync(`compose-${table}`);
      if (apis[table] === api) return;
      apis[table] = api;
      api.setGridAriaProperty("label", title);
      api.addEventListener("cellValueChanged", (event) => edited(table, event));
      api.addEventListener("cellEditingStarted", started);
      api.addEventListener("cellEditingStopped", () => compose.check(compose.state.scenario));
      api.addEventListener("cellFocused", () => help(table));
      if (window.matchMedia("(pointer: coarse)").matches) api.setGridOption("singleClickEdit", true);
    }));
  }

  document.addEventListener("input", typing);

  const live = () => Object.keys(apis).filter((table) => !apis[table].isDestroyed());
  compose.finish = finish;
  compose.grid = { apis, attach, fill, fieldOf, add, duplicate, delete: remove, write, focus, help, grid, room, live };
})((window.gantryCompose = window.gantryCompose || {}));
