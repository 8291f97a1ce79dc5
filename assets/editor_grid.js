/* The three tables: what their cells show, and what editing does to the draft. */
(function (editor) {
  "use strict";

  const MOST_ROWS = 9;
  const ROW = 30;
  const HINT = "Type into a cell, or open it with Enter; arrows move, Tab leaves the table. Copy, cut and paste work as in a spreadsheet.";
  const apis = {};
  const indices = {};
  const inputs = {};

  const grid = (table) => document.getElementById(`editor-${table}`);
  const room = (table) => document.getElementById(`editor-${table}-room`);
  const tableOf = (params) => params.context.table;
  const indexOf = (table, id) => indices[table].get(id);
  const fieldOf = (table, path) => inputs[table].get(path);

  function entryOf(params) {
    const table = tableOf(params);
    return editor.draft.list(editor.state.scenario, table)[indexOf(table, params.data.id)];
  }

  /* What stands greyed in an empty cell. Cells of an object that is absent stay bare, but for a short word such as "no limit". */
  function placeholder(params) {
    const table = tableOf(params);
    const field = fieldOf(table, params.colDef.field);
    if (field.group && editor.draft.get(entryOf(params), field.group) == null) {
      const group = editor.facts.tables[table].groups.find((one) => one.path === field.group);
      return group.required ? field.empty : group.empty.length <= 10 && group.empty ? group.empty : "–";
    }
    const numbered = field.empty.match(/^(\D+)1, /);
    return numbered ? `${numbered[1]}${indexOf(table, params.data.id) + 1}` : field.empty;
  }

  const isEmpty = (params) => params.value === null || params.value === undefined || params.value === "";
  const pathOf = (params) => `${editor.facts.tables[tableOf(params)].path}[${indexOf(tableOf(params), params.data.id)}].${params.colDef.field}`;

  /* Rows the grid still draws while they are being replaced have no index any more. */
  const known = (params) => params.data && editor.state && indices[tableOf(params)].has(params.data.id);

  window.dashAgGridFunctions = Object.assign(window.dashAgGridFunctions || {}, {
    editorShown: (params) => (!isEmpty(params) ? editor.values.brief(params.value) : known(params) ? placeholder(params) : params.colDef.context),
    editorIsEmpty: (params) => isEmpty(params),
    editorIsFault: (params) => Boolean(known(params) && editor.faultAt(pathOf(params))),
    editorIsOurs: (params) => Boolean(known(params) && editor.isOurs(pathOf(params))),
    editorTooltip: (params) => (known(params) ? editor.faultAt(pathOf(params)) || (editor.isOurs(pathOf(params)) ? editor.OURS : null) : null),
    editorChoices: (params) => ({ values: choices(params) }),
    editorPage: () => document.body, // a drop-down may be longer than its table
    editorTab: (params) => (params.editing ? params.nextCellPosition : false),
    editorOwnKey: (params) => !params.editing && editor.isGridKey(params.event),
  });

  function choices(params) {
    const field = fieldOf(tableOf(params), params.colDef.field);
    const values = field.kind === "queue" ? leaves(editor.draft.list(editor.state.scenario, "queues")) : ["", ...field.choices];
    return isEmpty(params) || values.includes(params.value) ? values : [params.value, ...values];
  }

  /* Names jobs may be submitted to: listed queues and root.default that have none below them. */
  function leaves(queues) {
    const names = new Set(["root.default", ...queues.map((queue) => queue.name).filter((name) => typeof name === "string" && name.startsWith("root."))]);
    const parents = new Set([...names].map((name) => name.slice(0, name.lastIndexOf("."))));
    return [...names].filter((name) => !parents.has(name));
  }

  function rows(table) {
    const { fields } = editor.facts.tables[table];
    const ids = editor.state.ids[table];
    return editor.draft.list(editor.state.scenario, table).map((entry, index) => {
      const row = { id: ids[index] };
      for (const { path } of fields) row[path] = editor.values.show(editor.draft.get(entry, path));
      return row;
    });
  }

  function reindex(table) {
    indices[table] = new Map(editor.state.ids[table].map((id, index) => [id, index]));
    const { style } = room(table);
    style.setProperty("--editor-rows", `${Math.min(MOST_ROWS, Math.max(1, indices[table].size)) * ROW}px`);
    style.setProperty("--editor-all", `${Math.max(1, indices[table].size) * ROW}px`);
  }

  function fill(table) {
    reindex(table);
    window.dash_clientside.set_props(`editor-${table}`, { rowData: rows(table) });
  }

  /* One cell typed or chosen. A queue that is renamed takes its jobs and the queues below it along. */
  function edited(table, event) {
    const field = fieldOf(table, event.colDef.field);
    const row = indexOf(table, event.data.id);
    if (row === undefined) return;
    const value = editor.values.parse(event.newValue, field);
    let next = editor.draft.withCells(editor.state, table, [{ row, path: field.path, value }]);
    if (table === "queues" && field.path === "name") next = renamed(next, event.oldValue, value);
    event.data[field.path] = editor.values.show(value);
    editor.draft.commit(next, `edit ${editor.nameOf(table, field)}`, "grid");
    if (table === "queues") fill("jobs");
    event.api.refreshCells({ rowNodes: [event.node], force: true });
    help(table);
  }

  function renamed(state, before, after) {
    const names = editor.draft.list(state.scenario, "queues").map((queue) => queue.name);
    if (!before || !after || names.includes(before) || names.filter((name) => name === after).length > 1) return state;
    const moved = (name) => (name === before ? after : typeof name === "string" && name.startsWith(`${before}.`) ? after + name.slice(before.length) : name);
    const change = (table, key) => (now) => {
      const rows = editor.draft.list(now.scenario, table);
      const changes = rows.flatMap((entry, row) => (moved(entry[key]) === entry[key] ? [] : [{ row, path: key, value: moved(entry[key]) }]));
      return changes.length ? editor.draft.withCells(now, table, changes) : now;
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

  const plural = (table, count) => (count === 1 ? editor.facts.tables[table].one : `${count} ${editor.facts.tables[table].one}s`);

  function add(table) {
    const entries = editor.draft.list(editor.state.scenario, table);
    const at = chosen(table).length ? chosen(table).pop() + 1 : entries.length;
    const { fresh } = editor.facts.tables[table];
    insert(table, new Map([[at, [{ ...fresh, ...(fresh.name ? { name: unused(table, fresh.name) } : {}) }]]]), `add ${plural(table, 1)}`);
  }

  function duplicate(table) {
    const entries = editor.draft.list(editor.state.scenario, table);
    const picked = chosen(table);
    if (!picked.length) return editor.say("Check a row, or put the focus on one, to duplicate it.");
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
    const names = new Set(editor.draft.list(editor.state.scenario, table).map((entry) => entry.name));
    const stem = name.replace(/_\d+$/, "");
    let found = name;
    for (let number = 2; names.has(found) || also.has(found); number += 1) found = `${stem}_${number}`;
    return found;
  }

  /* New entries at a place; sources are the rows they are copies of, so that their marks come along. */
  function insert(table, [[at, made]], label, sources = []) {
    const entries = [...editor.draft.list(editor.state.scenario, table)];
    const from = entries.map((_, index) => index);
    entries.splice(at, 0, ...made);
    from.splice(at, 0, ...made.map((_, index) => sources[index] ?? null));
    editor.draft.commit(editor.draft.withRows(editor.state, table, entries, from), label, "grid");
    fill(table);
    apis[table].deselectAll();
    later(() => focus(table, at, inputs[table].keys().next().value));
  }

  function remove(table) {
    const gone = new Set(chosen(table));
    if (!gone.size) return editor.say("Check a row, or put the focus on one, to delete it.");
    const entries = editor.draft.list(editor.state.scenario, table);
    const from = entries.map((_, index) => index).filter((index) => !gone.has(index));
    const column = apis[table].getFocusedCell()?.column.getColId();
    editor.draft.commit(editor.draft.withRows(editor.state, table, from.map((index) => entries[index]), from), `delete ${plural(table, gone.size)}`, "grid");
    fill(table);
    apis[table].deselectAll();
    const next = Math.min(Math.min(...gone), from.length - 1);
    if (next >= 0) later(() => focus(table, next, column || "name"));
    return undefined;
  }

  /* Several cells at once, as paste and cut make them. */
  function write(table, changes, label) {
    editor.draft.commit(editor.draft.withCells(editor.state, table, changes), label, "grid");
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
    const line = document.getElementById(`editor-${table}-help`);
    const focused = apis[table].getFocusedCell();
    const field = focused && fieldOf(table, focused.column.getColId());
    if (!field || focused.rowIndex >= indices[table].size) return line.replaceChildren(HINT);
    const group = editor.facts.tables[table].groups.find((one) => one.path === field.group);
    const path = `${editor.facts.tables[table].path}[${focused.rowIndex}].${field.path}`;
    return line.replaceChildren(...editor.sentences(field, group, path));
  }

  /* The draft as it will be when the cell that is open is left; null without one. */
  function halfTyped() {
    for (const table of live()) {
      const cell = apis[table].getEditingCells()[0];
      const input = cell && grid(table).querySelector(".ag-cell-inline-editing input");
      const field = input && fieldOf(table, cell.column.getColId());
      if (!field) continue;
      const change = { row: cell.rowIndex, path: field.path, value: editor.values.parse(input.value, field) };
      return { label: `edit ${editor.nameOf(table, field)}`, state: editor.draft.withCells(editor.state, table, [change]) };
    }
    return null;
  }

  /* A drop-down that is clicked drops down at once; AG Grid does so for Enter only. */
  function started(event) {
    typing();
    if (!(event.event instanceof MouseEvent)) return;
    setTimeout(() => {
      const picker = document.querySelector(".editor-grid .ag-cell-inline-editing .ag-picker-field-wrapper[aria-expanded=false]");
      if (picker) picker.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
    });
  }

  /* What is being typed is checked already. */
  function typing() {
    const next = halfTyped();
    if (next) editor.check(next.state.scenario);
  }

  /* The page goes away, or a button is pressed: what stands in an open cell counts. */
  function finish() {
    const next = halfTyped();
    if (next) editor.draft.commit(next.state, next.label, "grid");
  }

  /* The grids of a page that has just been shown. */
  async function attach() {
    await Promise.all(Object.keys(editor.facts.tables).map(async (table) => {
      const { fields, title } = editor.facts.tables[table];
      inputs[table] = new Map(fields.map((field) => [field.path, field]));
      indices[table] = new Map();
      const api = await window.dash_ag_grid.getApiAsync(`editor-${table}`);
      if (apis[table] === api) return;
      apis[table] = api;
      api.setGridAriaProperty("label", title);
      api.addEventListener("cellValueChanged", (event) => edited(table, event));
      api.addEventListener("cellEditingStarted", started);
      api.addEventListener("cellEditingStopped", () => editor.check(editor.state.scenario));
      api.addEventListener("cellFocused", () => help(table));
      if (window.matchMedia("(pointer: coarse)").matches) api.setGridOption("singleClickEdit", true);
    }));
  }

  document.addEventListener("input", typing);

  const live = () => Object.keys(apis).filter((table) => !apis[table].isDestroyed());
  editor.finish = finish;
  editor.grid = { apis, attach, fill, fieldOf, add, duplicate, delete: remove, write, focus, help, grid, room, live };
})((window.gantryEditor = window.gantryEditor || {}));
