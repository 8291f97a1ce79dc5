/* A list as a table over the whole page, edited like a spreadsheet: copy, cut and paste, rows by keys. It
   is made once it is opened. */
import { setProps } from "../dash/dash";
import { type GridApi, type GridEvent, gridApi, gridFunctions } from "../dash/libraries";
import { inert, uninert } from "../page/clipboard";
import { hear, the } from "../page/dom";
import { msg } from "../page/messages";
import { on, state } from "../page/state";
import * as checks from "./check";
import * as drafts from "./draft";
import * as editor from "./editor";
import { type Cell, facts, tableOf, theDraft } from "./facts";
import * as rowEdits from "./rows";
import * as values from "./values";

const HINT = msg("editor_table.hint");
const KEYS: Record<string, string> = {
  Insert: "add",
  "ctrl+d": "duplicate",
  "ctrl+Delete": "delete",
  "ctrl+Backspace": "delete",
};
const CLEARS = ["Delete", "Backspace"];
let table = ""; // the list that is shown, and its grid
let api: GridApi | null = null;
let inCell = false; // Escape leaves an open cell before it leaves the table

/* A cell as the grid shows it; a head has no data. */
type Shown = Pick<GridEvent, "colDef" | "value"> & Partial<GridEvent>;

const dialog = () => the("editor-table", HTMLDialogElement);
const room = () => the("editor-table-room");
const grid = () => (api?.isDestroyed() ? null : api);
const rows = () => drafts.list(theDraft(), table);
const fieldOf = (path: string) => facts().tables[table]?.fields.find((field) => field.path === path);
const rowOf = ({ data }: Pick<Shown, "data">) => Number(data?.id);
const isEmpty = ({ value }: Pick<Shown, "value">) => value === null || value === undefined || value === "";
const isKnown = (shown: Shown) => table !== "" && rows()[rowOf(shown)] !== undefined;
const faultOf = (shown: Shown) => isKnown(shown) && checks.faultAt(table, rowOf(shown), shown.colDef.field);
const isAssumed = (shown: Shown) =>
  isKnown(shown) && checks.isAssumed(table, rowOf(shown), shown.colDef.field);
const nameOf = ({ ctrlKey, metaKey, key }: KeyboardEvent) =>
  ctrlKey || metaKey ? `ctrl+${key.length === 1 ? key.toLowerCase() : key}` : key;

/* A list within a row is changed in the row's form. */
const write = (cells: Cell[], label: string) => {
  const written = cells.filter(({ path }) => fieldOf(path)?.kind !== "rows");
  drafts.commit(drafts.withCells(theDraft(), table, written), label);
};
function cellOf(row: number, path: string, typed: unknown): Cell {
  return { row, path, value: values.parse(typed, fieldOf(path) ?? {}) };
}
function edit(cell: Cell) {
  const field = fieldOf(cell.path);
  if (field) write([cell], msg("shared.edit_step", { what: rowEdits.nameOf(table, field) }));
}

export async function open(section: string, row?: number, path = "name") {
  table = section;
  const { title, grid } = tableOf(section);
  the("editor-table-title").textContent = title;
  setProps("editor-table-room", { children: grid });
  dialog().showModal();
  api = await gridApi(`editor-${section}-grid`);
  api.setGridAriaProperty("label", title);
  api.addEventListener("cellValueChanged", ({ data, colDef, newValue }) =>
    edit(cellOf(rowOf({ data }), colDef.field, newValue)),
  );
  api.addEventListener("cellEditingStarted", started);
  api.addEventListener("cellEditingStopped", () => checks.check(theDraft().scenario));
  api.addEventListener("cellFocused", help);
  if (window.matchMedia("(pointer: coarse)").matches) api.setGridOption("singleClickEdit", true);
  show();
  if (row !== undefined) later(() => focus(row, path));
}

function show() {
  if (!table) return;
  const { fields } = tableOf(table);
  const rowData = rows().map((entry, index) => {
    const cells = fields.map((field) => [field.path, values.show(values.get(entry, field.path), field)]);
    return { id: String(index), ...Object.fromEntries(cells) };
  });
  setProps(`editor-${table}-grid`, { rowData });
  help();
}

function closed() {
  finish();
  [table, api] = ["", null];
  setProps("editor-table-room", { children: null });
}

/* The grid draws new rows in its own time. */
const later = (work: () => void) => setTimeout(work, 80);

function focus(row: number, column: string) {
  if (!api || row < 0 || row >= api.getDisplayedRowCount()) return;
  api.ensureIndexVisible(row);
  api.ensureColumnVisible(column);
  api.setFocusedCell(row, column);
}

/* Rows the tools work on: the checked ones, else the focused one. */
function chosen(api: GridApi) {
  const checked = api.getSelectedNodes().map(rowOf);
  const focused = api.getFocusedCell();
  const picked = checked.length ? checked : focused && !focused.rowPinned ? [focused.rowIndex] : [];
  return picked.filter((index) => index < rows().length).sort((one, other) => one - other);
}

export function act(action: string) {
  if (action === "close") return dialog().close();
  if (!api) return;
  finish();
  const picked = chosen(api);
  const [first, last] = [picked[0], picked.at(-1)];
  const isDelete = action === "delete";
  const column = (isDelete && api.getFocusedCell()?.column.getColId()) || "name";
  const none = isDelete ? msg("editor_table.pick_to_delete") : msg("editor_table.pick_to_duplicate");
  let next = last === undefined ? rows().length : last + 1;
  if (action === "add") rowEdits.add(table, next);
  else if (first === undefined) return editor.say(none);
  else if (action === "duplicate") rowEdits.duplicate(table, picked);
  else {
    rowEdits.remove(table, picked);
    next = Math.min(first, rows().length - 1);
  }
  api.deselectAll();
  later(() => focus(next, column));
}

/* The line below the table: the focused cell's help, as a spreadsheet's formula bar. */
function help() {
  const focused = grid()?.getFocusedCell();
  const field = focused && fieldOf(focused.column.getColId());
  const line = the("editor-table-help");
  if (!field || focused.rowIndex >= rows().length) return line.replaceChildren(HINT);
  line.replaceChildren(...checks.sentences(field, table, focused.rowIndex));
}

/* The cell that is open, as it will be when it is left; null without one. */
function halfTyped() {
  const cell = grid()?.getEditingCells()[0];
  const input = cell && room().querySelector<HTMLInputElement>(".ag-cell-inline-editing input");
  return input ? cellOf(cell.rowIndex, cell.column.getColId(), input.value) : null;
}

/* A drop-down that is clicked drops down at once; AG Grid does so for Enter only. */
function started({ event }: GridEvent) {
  if (!(event instanceof MouseEvent)) return;
  const closed = ".editor-grid .ag-cell-inline-editing .ag-picker-field-wrapper[aria-expanded=false]";
  const press = new MouseEvent("mousedown", { bubbles: true, cancelable: true });
  setTimeout(() => document.querySelector(closed)?.dispatchEvent(press));
}

/* The page goes away, or a button is pressed: what stands in an open cell counts. */
export function finish() {
  const cell = halfTyped();
  if (cell) edit(cell);
}

/* Where the keyboard is: a focused cell, unless one is being edited (or even then). */
function focused(even = false) {
  const node = document.activeElement;
  const cell = api && room().contains(node) && (even || !editor.isText(node)) && api.getFocusedCell();
  return api && cell ? { api, row: cell.rowIndex, column: cell.column.getColId() } : null;
}

const clear = (row: number, path: string, label: string) =>
  fieldOf(path) && write([{ row, path, value: undefined }], label);

function onCopy(event: ClipboardEvent) {
  const cell = focused();
  if (!cell || String(window.getSelection())) return;
  const onlySelected = cell.api.getSelectedNodes().length > 0;
  const text = cell.api.getDataAsCsv({
    columnSeparator: "\t",
    suppressQuotes: true,
    skipColumnHeaders: true,
    skipColumnGroupHeaders: true,
    processCellCallback: ({ value }: Shown) => inert(value ?? ""),
    columnKeys: onlySelected ? tableOf(table).fields.map(({ path }) => path) : [cell.column],
    rowPositions: onlySelected ? undefined : [{ rowIndex: cell.row, rowPinned: null }],
    onlySelected,
  });
  event.clipboardData?.setData("text/plain", text);
  event.preventDefault();
  if (event.type === "cut" && !onlySelected) clear(cell.row, cell.column, msg("editor_table.cut"));
}

/* A first line that holds titles of columns says where the cells go; without one they go from the focused
   cell on. */
function titled(cells: string[]) {
  const { fields, groups } = tableOf(table);
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  const names = fields.map((field) => {
    const group = groups.find(({ path }) => path === field.group);
    const heads = group ? [field.title, `${group.title} ${field.title}`] : [field.title];
    return [field.path, ...heads, ...heads.map((head) => head + field.unit)].map(plain);
  });
  const columns = cells.map((cell) => fields[names.findIndex((words) => words.includes(plain(cell)))]);
  const isCertain =
    columns.filter(Boolean).length >= 2 &&
    columns.every((field, index) => field || cells[index]?.trim() === "");
  return isCertain && new Set(columns).size === columns.length ? columns : null;
}

function onPaste(event: ClipboardEvent) {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const cell = focused(/[\t\n]/.test(text.trim()));
  if (!cell) return;
  event.preventDefault();
  cell.api.stopEditing(true);
  const { fields } = tableOf(table);
  let lines = values.cells(text);
  const heads = lines.length > 1 && lines[0] ? titled(lines[0]) : null;
  const first = fields.findIndex(({ path }) => path === cell.column);
  const targets = heads ?? fields.slice(Math.max(0, first));
  if (heads) lines = lines.slice(1);
  const changes = lines.flatMap((line, down) =>
    line.flatMap((typed, along) => {
      const path = targets[along]?.path;
      return path ? cellOf(cell.row + down, path, uninert(typed)) : [];
    }),
  );
  const beyond = lines.flatMap((line) => line.slice(targets.length)).filter((typed) => typed.trim()).length;
  if (!changes.length) return;
  const columns = Math.max(...lines.map((line) => line.length));
  const size = msg("editor_table.cells", { rows: lines.length, columns });
  write(changes, msg("editor_table.paste", { size }));
  const pasted = heads ? msg("editor_table.pasted_by_title", { size }) : msg("editor_table.pasted", { size });
  editor.say(beyond ? `${pasted} ${msg("editor_table.ignored", { count: beyond })}` : pasted);
}

function onKey(event: KeyboardEvent) {
  if (event.key === "Escape") inCell = Boolean(api?.getEditingCells().length);
  const cell = focused();
  const name = nameOf(event);
  const action = KEYS[name];
  if (!cell || event.defaultPrevented || !(action || CLEARS.includes(name))) return;
  event.preventDefault();
  if (action) act(action);
  else clear(cell.row, cell.column, msg("editor_table.clear"));
}

export function listen() {
  gridFunctions({
    editorShown(shown: Shown) {
      const field = fieldOf(shown.colDef.field);
      if (!field || !isEmpty(shown) || !isKnown(shown)) return values.brief(shown.value);
      const row = rowOf(shown);
      return values.placeholder(field, tableOf(table).groups, rows()[row], row);
    },
    editorIsEmpty: isEmpty,
    editorIsFault: (shown: Shown) => Boolean(faultOf(shown)),
    editorIsAssumed: isAssumed,
    editorTooltip: (shown: Shown) => faultOf(shown) || (isAssumed(shown) ? checks.ASSUMED : null),
    editorChoices({ colDef, value }: Shown) {
      const field = fieldOf(colDef.field);
      const choices: unknown[] =
        field?.kind === "queue" ? (state().outline?.queues ?? []) : ["", ...(field?.choices ?? [])];
      return { values: isEmpty({ value }) || choices.includes(value) ? choices : [value, ...choices] };
    },
    editorDialog: dialog, // a drop-down may be longer than its table
    editorTab: (move: { editing: boolean; nextCellPosition: unknown }) =>
      move.editing && move.nextCellPosition,
    editorOwnKey: ({ editing, event }: { editing: boolean; event: KeyboardEvent }) =>
      !editing && [...Object.keys(KEYS), ...CLEARS, "ctrl+z", "ctrl+y"].includes(nameOf(event)),
  });

  document.addEventListener("keydown", onKey, true);
  hear("cancel", "#editor-table", (_, event) => inCell && event.preventDefault(), { capture: true });
  hear("close", "#editor-table", closed, { capture: true });
  document.addEventListener("copy", onCopy);
  document.addEventListener("cut", onCopy);
  document.addEventListener("paste", onPaste);

  /* What is being typed is checked already. */
  document.addEventListener("input", () => {
    const cell = halfTyped();
    if (cell) checks.check(drafts.withCells(theDraft(), table, [cell]).scenario);
  });

  on(["draft"], show);

  on(["faults"], () => {
    grid()?.refreshCells({ force: true });
    if (grid()) help();
  });
}
