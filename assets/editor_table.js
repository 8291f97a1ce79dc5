/* A list as a table over the whole page, edited like a spreadsheet: copy, cut and paste, rows by keys. It
   is made once it is opened. */
const { at, editor } = gantry;
const HINT = gantry.msg("editor_table.hint");
const KEYS = { Insert: "add", "ctrl+d": "duplicate", "ctrl+Delete": "delete", "ctrl+Backspace": "delete" };
let table = null; // the list that is shown, and its grid
let api = null;
let inCell = false; // Escape leaves an open cell before it leaves the table

const facts = () => editor.facts.tables[table];
const rows = () => editor.list(gantry.state.draft, table);
const fieldOf = (path) => facts().fields.find((field) => field.path === path);
const rowOf = (params) => Number(params.data.id);
const isEmpty = (params) => params.value === null || params.value === undefined || params.value === "";
const place = (params) => editor.placeOf(table, rowOf(params), params.colDef.field);
const isAssumed = (params) => editor.isAssumed(`${facts().path}[${rowOf(params)}].${params.colDef.field}`);
const known = (params) => Boolean(table && params.data && rows()[rowOf(params)]);
const nameOf = (event) =>
  event.ctrlKey || event.metaKey
    ? `ctrl+${event.key.length === 1 ? event.key.toLowerCase() : event.key}`
    : event.key;

window.dashAgGridFunctions = Object.assign(window.dashAgGridFunctions || {}, {
  editorShown(params) {
    if (!isEmpty(params) || !known(params)) return editor.brief(params.value);
    return editor.placeholder(
      fieldOf(params.colDef.field),
      facts().groups,
      rows()[rowOf(params)],
      rowOf(params),
    );
  },
  editorIsEmpty: isEmpty,
  editorIsFault: (params) => known(params) && Boolean(editor.faultAt(place(params))),
  editorIsAssumed: (params) => known(params) && isAssumed(params),
  editorTooltip: (params) =>
    known(params) ? editor.faultAt(place(params)) || (isAssumed(params) ? editor.ASSUMED : null) : null,
  editorChoices(params) {
    const field = fieldOf(params.colDef.field);
    const values = field.kind === "queue" ? gantry.state.outline.queues : ["", ...field.choices];
    return { values: isEmpty(params) || values.includes(params.value) ? values : [params.value, ...values] };
  },
  editorDialog: () => at("editor-table"), // a drop-down may be longer than its table
  editorTab: (params) => (params.editing ? params.nextCellPosition : false),
  editorOwnKey: ({ editing, event }) =>
    !editing &&
    (nameOf(event) in KEYS || ["Delete", "Backspace", "ctrl+z", "ctrl+y"].includes(nameOf(event))),
});

async function open(section, row, path = "name") {
  table = section;
  const { title, grid } = facts();
  at("editor-table-title").textContent = title;
  gantry.put("editor-table-room", { children: grid });
  at("editor-table").showModal();
  api = await window.dash_ag_grid.getApiAsync(`editor-${section}-grid`);
  api.setGridAriaProperty("label", title);
  api.addEventListener("cellValueChanged", edited);
  api.addEventListener("cellEditingStarted", started);
  api.addEventListener("cellEditingStopped", () => editor.check(gantry.state.draft.scenario));
  api.addEventListener("cellFocused", help);
  if (window.matchMedia("(pointer: coarse)").matches) api.setGridOption("singleClickEdit", true);
  show();
  if (row !== undefined) later(() => focus(row, path));
}

function show() {
  if (!table) return;
  const { fields } = facts();
  const shown = rows().map((entry, index) =>
    Object.fromEntries([
      ["id", String(index)],
      ...fields.map((field) => [field.path, editor.show(editor.get(entry, field.path), field)]),
    ]),
  );
  gantry.put(`editor-${table}-grid`, { rowData: shown });
  help();
}

function closed() {
  editor.finish();
  [table, api] = [null, null];
  gantry.put("editor-table-room", { children: null });
}

/* The grid draws new rows in its own time. */
const later = (work) => setTimeout(work, 80);

function focus(row, column) {
  if (!api || row >= api.getDisplayedRowCount()) return;
  api.ensureIndexVisible(row);
  api.ensureColumnVisible(column);
  api.setFocusedCell(row, column);
}

const write = (changes, label) => editor.commit(editor.withCells(gantry.state.draft, table, changes), label);

function edited(event) {
  const field = fieldOf(event.colDef.field);
  write(
    [{ row: rowOf(event), path: field.path, value: editor.parse(event.newValue, field) }],
    gantry.msg("shared.edit_step", { what: editor.nameOf(table, field) }),
  );
}

/* Rows the tools work on: the checked ones, else the focused one. */
function chosen() {
  const checked = api.getSelectedNodes().map((node) => Number(node.data.id));
  const focused = api.getFocusedCell();
  const picked = checked.length ? checked : focused && !focused.rowPinned ? [focused.rowIndex] : [];
  return picked.filter((index) => index < rows().length).sort((one, other) => one - other);
}

function act(action) {
  if (action === "close") return at("editor-table").close();
  editor.finish();
  const picked = chosen();
  const column =
    action === "delete" ? (api.getFocusedCell()?.column.getColId() ?? "name") : facts().fields[0].path;
  if (action !== "add" && !picked.length) {
    return editor.say(
      action === "delete"
        ? gantry.msg("editor_table.pick_to_delete")
        : gantry.msg("editor_table.pick_to_duplicate"),
    );
  }
  let next = picked.length ? picked[picked.length - 1] + 1 : rows().length;
  if (action === "add") editor.rows.add(table, next);
  else if (action === "duplicate") editor.rows.duplicate(table, picked);
  else {
    editor.rows.remove(table, picked);
    next = Math.min(picked[0], rows().length - 1);
  }
  api.deselectAll();
  return later(() => next >= 0 && focus(next, column));
}

/* The line below the table: the focused cell's help, as a spreadsheet's formula bar. */
function help() {
  const focused = api && !api.isDestroyed() && api.getFocusedCell();
  const field = focused && fieldOf(focused.column.getColId());
  if (!field || focused.rowIndex >= rows().length) return at("editor-table-help").replaceChildren(HINT);
  const path = `${facts().path}[${focused.rowIndex}].${field.path}`;
  return at("editor-table-help").replaceChildren(
    ...editor.sentences(field, facts().groups, editor.placeOf(table, focused.rowIndex, field.path), path),
  );
}

/* The cell that is open, as it will be when it is left; null without one. */
function halfTyped() {
  const cell = api && !api.isDestroyed() && api.getEditingCells()[0];
  const input = cell && at("editor-table-room").querySelector(".ag-cell-inline-editing input");
  const field = input && fieldOf(cell.column.getColId());
  return field ? { row: cell.rowIndex, path: field.path, value: editor.parse(input.value, field) } : null;
}

/* A drop-down that is clicked drops down at once; AG Grid does so for Enter only. */
function started(event) {
  if (!(event.event instanceof MouseEvent)) return;
  setTimeout(() => {
    const picker = document.querySelector(
      ".editor-grid .ag-cell-inline-editing .ag-picker-field-wrapper[aria-expanded=false]",
    );
    if (picker) picker.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
  });
}

/* The page goes away, or a button is pressed: what stands in an open cell counts. */
editor.finish = function () {
  const change = halfTyped();
  if (change)
    write([change], gantry.msg("shared.edit_step", { what: editor.nameOf(table, fieldOf(change.path)) }));
};

/* Where the keyboard is: a focused cell, unless one is being edited (or even then). */
function focused(even = false) {
  if (
    !api ||
    !at("editor-table-room").contains(document.activeElement) ||
    (editor.isText(document.activeElement) && !even)
  )
    return null;
  const cell = api.getFocusedCell();
  return cell && { row: cell.rowIndex, column: cell.column.getColId() };
}

const clear = ({ row, column }, label) =>
  fieldOf(column) && write([{ row, path: column, value: undefined }], label);

function onCopy(event) {
  const cell = focused();
  if (!cell || String(window.getSelection())) return;
  const checked = api.getSelectedNodes().length;
  const columnKeys = checked ? facts().fields.map((field) => field.path) : [cell.column];
  const rowPositions = checked ? undefined : [{ rowIndex: cell.row, rowPinned: null }];
  const form = {
    columnSeparator: "\t",
    suppressQuotes: true,
    skipColumnHeaders: true,
    skipColumnGroupHeaders: true,
    processCellCallback: ({ value }) => gantry.inert(value ?? ""),
  };
  event.clipboardData.setData(
    "text/plain",
    api.getDataAsCsv({ ...form, columnKeys, rowPositions, onlySelected: checked > 0 }),
  );
  event.preventDefault();
  if (event.type === "cut" && !checked) clear(cell, gantry.msg("editor_table.cut"));
}

/* A first line that holds titles of columns says where the cells go; without one they go from the focused
   cell on. */
function titled(cells) {
  const { fields, groups } = facts();
  const plain = (text) => text.toLowerCase().replace(/[^a-z]/g, "");
  const names = fields.map((field) => {
    const group = groups.find((one) => one.path === field.group);
    const heads = group ? [field.title, `${group.title} ${field.title}`] : [field.title];
    return [field, [field.path, ...heads, ...heads.map((head) => head + field.unit)].map(plain)];
  });
  const columns = cells.map((cell) => (names.find(([, words]) => words.includes(plain(cell))) || [null])[0]);
  const certain =
    columns.filter(Boolean).length >= 2 &&
    columns.every((field, index) => field || cells[index].trim() === "");
  return certain && new Set(columns).size === columns.length ? columns : null;
}

function onPaste(event) {
  const text = event.clipboardData.getData("text/plain");
  const cell = focused(/[\t\n]/.test(text.trim()));
  if (!cell) return;
  event.preventDefault();
  api.stopEditing(true);
  const { fields } = facts();
  let lines = editor.cells(text);
  const heads = lines.length > 1 ? titled(lines[0]) : null;
  const first = fields.findIndex((field) => field.path === cell.column);
  const targets = heads || fields.slice(Math.max(0, first));
  if (heads) lines = lines.slice(1);
  const change = (row, field, typed) => ({
    row,
    path: field.path,
    value: editor.parse(gantry.uninert(typed), field),
  });
  const changes = lines.flatMap((line, down) =>
    line
      .slice(0, targets.length)
      .flatMap((typed, along) => (targets[along] ? [change(cell.row + down, targets[along], typed)] : [])),
  );
  const beyond = lines
    .flatMap((line) => line.slice(targets.length))
    .filter((typed) => typed.trim() !== "").length;
  if (!changes.length) return;
  const columns = Math.max(...lines.map((line) => line.length));
  const size = gantry.msg("editor_table.cells", { rows: lines.length, columns });
  write(changes, gantry.msg("editor_table.paste", { size }));
  const pasted = heads
    ? gantry.msg("editor_table.pasted_by_title", { size })
    : gantry.msg("editor_table.pasted", { size });
  editor.say(beyond ? `${pasted} ${gantry.msg("editor_table.ignored", { count: beyond })}` : pasted);
}

function onKey(event) {
  if (event.key === "Escape") inCell = Boolean(api && api.getEditingCells().length);
  const cell = focused();
  const name = nameOf(event);
  if (!cell || event.defaultPrevented || !(name in KEYS || name === "Delete" || name === "Backspace")) return;
  event.preventDefault();
  if (KEYS[name]) act(KEYS[name]);
  else clear(cell, gantry.msg("editor_table.clear"));
}

document.addEventListener("keydown", onKey, true);
document.addEventListener(
  "cancel",
  (event) => event.target.id === "editor-table" && inCell && event.preventDefault(),
  true,
);
document.addEventListener("close", (event) => event.target.id === "editor-table" && closed(), true);
for (const kind of ["copy", "cut"]) document.addEventListener(kind, onCopy);
document.addEventListener("paste", onPaste);
/* What is being typed is checked already. */
document.addEventListener("input", () => {
  const change = halfTyped();
  if (change) editor.check(editor.withCells(gantry.state.draft, table, [change]).scenario);
});
gantry.on(["draft"], show);
gantry.on(["faults"], () => {
  if (!api || api.isDestroyed()) return;
  api.refreshCells({ force: true });
  help();
});
editor.table = { open, act };
