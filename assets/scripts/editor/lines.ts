/* The lists as lines, and the form under the one that is open; the fields of the scenario itself have the
   same form. */
import { at, h, the } from "../page/dom";
import { msg } from "../page/messages";
import { on, same, state } from "../page/state";
import * as checks from "./check";
import * as drafts from "./draft";
import type { Draft, Facts, Field, FirstLast, Group, Line, Note, Row, Table } from "./facts";
import { facts, theDraft } from "./facts";
import * as inner from "./inner";
import * as queues from "./queues";
import * as rowEdits from "./rows";
import * as table from "./table";
import * as values from "./values";

const TITLE = "title";
const SETTINGS = "settings";

/* A form: of rows of a table, or of fields of the scenario itself. */
export interface Form {
  section: string;
  table: Table | undefined;
  rows: FirstLast;
  inputs: { field: Field; label: HTMLElement; show: (owner: Row) => void }[];
  folds: { fold: Fold; node: HTMLDetailsElement; box: HTMLElement; says: HTMLElement }[];
  help: HTMLElement;
}
/* A line; room: of its form. */
export type Item = Record<"summary" | "room", HTMLElement> & { node: HTMLDetailsElement; line: Line | null };
type Fold = Facts["folds"][string][number];
type Control = HTMLInputElement | HTMLSelectElement;
const formsByRoom = new WeakMap<Element, Form>();
const itemsByNode = new WeakMap<Element, Item>();
let awaited: [section: string, row: number] | null = null;

export const ownerOf = ({ section, table, rows }: Form, draft = theDraft()): Row | undefined =>
  table ? drafts.list(draft, section)[rows[0]] : draft.scenario;
export const rowOf = ({ table, rows }: Form) => (table ? rows[0] : null);
const isIn = ({ paths }: Fold, { path }: Field) =>
  paths.some((one) => path === one || path.startsWith(`${one}.`));
const hasSwitch = ({ inputs }: Form, { group }: Field) =>
  inputs.some(({ field }) => field.kind === "switch" && field.path === group);
const itemsIn = (room: Element) => [...room.children].flatMap((node) => itemsByNode.get(node) ?? []);
const isSwitch = (control: Control): control is HTMLInputElement => control.type === "checkbox";

export const TEXT = { type: "text", class: "editor-input", autocomplete: "off", spellcheck: "false" };
export const SWITCH = { type: "checkbox", class: "editor-switch" };
export const button = (words: string, props: object) =>
  h("button", { class: "editor-button", ...props }, words);

function write(form: Form, field: Field, typed: string | boolean) {
  const { section, rows } = form;
  const { path, group } = field;
  let next = withValue(form, theDraft(), path, values.parse(typed, field));
  // an object that a switch has put there stays when its last field is emptied
  if (hasSwitch(form, field) && valueAt(form, group) && !values.get(ownerOf(form, next), group))
    next = withValue(form, next, group, {});
  const what = rowEdits.nameOf(section, field);
  drafts.commit(next, msg("shared.edit_step", { what }), { key: `${section} ${rows} ${path}` });
}

/* What a form's field holds, and a draft in which it holds another value. */
export const valueAt = (form: Form, path: string) => values.get(ownerOf(form), path);
export function withValue({ section, table, rows }: Form, draft: Draft, path: string, value: unknown) {
  if (!table) return drafts.withField(draft, path, value);
  const cells = rowEdits.between(rows).map((row) => ({ row, path, value }));
  return drafts.withCells(draft, section, cells);
}

/* A field's title, what its value stands in and the unit. show: the value, but not where one types, and what
   is wrong with it. */
export function labelled(field: Field, control: Control, ...marks: (Node | string)[]) {
  const fault = h("small", { class: "editor-error" });
  const title = h("span", { class: "editor-label" }, field.title, ...marks);
  const unit = h("span", { class: "editor-unit" }, field.unit);
  const held = h("span", { class: "editor-value" }, control, unit);
  const label = h("label", { class: `editor-field editor-field-${field.kind}` }, title, held, fault);
  const show = (value: unknown, message = "") => {
    if (isSwitch(control)) control.checked = Boolean(value ?? field.default);
    else if (document.activeElement !== control) control.value = String(values.show(value, field) ?? "");
    fault.textContent = message;
    control.setAttribute("aria-invalid", String(message !== ""));
  };
  return { label, show };
}

function input(form: Form, field: Field): Form["inputs"][number] {
  const { section, table, rows } = form;
  const { path, kind } = field;
  if (kind === "rows") {
    const { node, show } = inner.listOf(form, field);
    const value = h("span", { class: "editor-value" }, node);
    return { field, label: h("div", { class: "editor-field editor-field-rows" }, value), show };
  }
  const isSelect = kind === "choice" || kind === "queue";
  const props = { "data-path": path, onfocus: () => helpOf(form, field) };
  const control = isSelect
    ? h("select", { class: "editor-input", ...props })
    : h("input", { ...(kind === "switch" ? SWITCH : TEXT), ...props });
  // A queue is renamed once its name is whole, for its jobs go along.
  const isWhole = isSelect || isSwitch(control) || (section === "queues" && path === "name");
  control.addEventListener(isWhole ? "change" : "input", () =>
    write(form, field, isSwitch(control) ? control.checked : control.value),
  );
  control.addEventListener("blur", () => fill(form));
  const mark = h("span", { class: "editor-mark", title: checks.ASSUMED }, msg("styles.assumed"));
  const { label, show } = labelled(field, control, mark, table ? inHadoop(field) : "");
  return {
    field,
    label,
    show(owner) {
      const value = values.get(owner, path);
      const empty = values.placeholder(field, table?.groups ?? [], owner, rows[0]);
      if (control instanceof HTMLSelectElement) options(control, field, value, empty);
      else control.placeholder = section === TITLE ? msg("shared.untitled_scenario") : empty;
      show(value, checks.faultAt(section, rowOf(form), path));
      mark.hidden = !checks.isAssumed(section, rowOf(form), path);
    },
  };
}

function options(control: HTMLSelectElement, field: Field, value: unknown, empty: string) {
  const { kind, choices, empty: none } = field;
  const known = kind === "queue" ? (state().outline?.queues ?? []) : choices;
  const shown = String(values.show(value, field) ?? "");
  const names = [...new Set(["", ...known.filter((name) => name !== none), shown])];
  const before = [...control.options].map((option) => option.value);
  if (same(names, before)) return;
  control.replaceChildren(...names.map((name) => new Option(name || empty, name)));
  control.value = shown;
}

/* What Hadoop's files call it; a long name breaks before a word of it. */
const broken = (names: string) =>
  names.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word, place) => (place ? [h("wbr"), word] : [word]));
const inHadoop = ({ hadoop }: Field | Group) =>
  hadoop.length ? h("code", { class: "editor-hadoop" }, ...broken(hadoop.join(" · "))) : "";

/* A form of all fields in their order, those of an object under its heading. */
function build(room: Element, section: string, rows: FirstLast) {
  const table = facts().tables[section];
  const help = h("p", { class: "editor-help", role: "status" });
  const form: Form = { section, table, rows, inputs: [], folds: [], help };
  const boxes: HTMLElement[] = [];
  let last: string | null = null;
  const fields = table?.fields ?? (section === TITLE ? facts().title : facts().settings);
  const isFirst = ({ path }: Field) => Number(path === "framework"); // it says which others there are
  for (const field of fields.toSorted((one, other) => isFirst(other) - isFirst(one))) {
    if (rows[1] > rows[0] && field.path === "name") continue;
    const one = input(form, field);
    form.inputs.push(one);
    const fold = facts().folds[section]?.find((fold) => isIn(fold, field));
    if (!fold && field.group !== last && !hasSwitch(form, field)) {
      const group = table?.groups.find(({ path }) => path === field.group);
      const kind = group ? `editor-form editor-group-${group.path}` : "editor-form";
      const legend = group && h("legend", {}, group.title, inHadoop(group));
      boxes.push(h(group ? "fieldset" : "div", { class: kind }, legend));
      last = field.group;
    }
    const box = fold ? foldIn(form, fold).box : boxes.at(-1);
    box?.append(one.label);
  }
  const nodes = [...boxes, ...form.folds.map(({ node }) => node)];
  room.replaceChildren(...nodes, ...(section === TITLE ? [] : [help]));
  formsByRoom.set(room, form);
  fill(form);
}

/* A part of a form that is closed until it is wanted. */
function foldIn({ folds }: Form, fold: Fold) {
  const there = folds.find((one) => one.fold === fold);
  if (there) return there;
  const box = h("div", { class: "editor-form" });
  const says = h("span", { class: "editor-fold-state" });
  const summary = h("summary", {}, h("span", {}, fold.title), says);
  const about = h("p", { class: "editor-fold-about" }, fold.about);
  const made = { fold, box, says, node: h("details", { class: "editor-fold" }, summary, about, box) };
  folds.push(made);
  return made;
}

/* Whether a row has no such field, and none stands there: one that does is seen, as its fault is. */
function isAbsent({ section, table }: Form, { path }: Field, owner: Row) {
  const isNone = (of: string) => values.get(owner, of) === undefined;
  if (path === "executors.count" && isNone(path) && !isNone("executors.dynamic")) return true;
  return table && drafts.isForeign(section, owner, path) && isNone(path.split(".")[0] ?? "");
}

/* The draft's values, but for the field one types into. A fold opens by itself once something in it is other
   than the default, and says so while it is closed. */
function fill(form: Form) {
  const owner = ownerOf(form);
  if (!owner) return;
  for (const { field, label, show } of form.inputs) {
    const isOff = hasSwitch(form, field) && values.get(owner, field.group) == null;
    label.hidden = Boolean(isOff || isAbsent(form, field, owner));
    show(owner);
  }
  for (const { fold, node, says } of form.folds) {
    const mine = form.inputs.filter(({ field }) => isIn(fold, field));
    const isChanged = mine.some(({ field }) => values.get(owner, field.path) !== undefined);
    if (isChanged && !says.textContent) node.open = true;
    says.textContent = isChanged ? msg("editor_lines.changed") : "";
    node.classList.toggle("editor-faulty", node.querySelector("[aria-invalid=true]") !== null);
  }
}

export const helpOf = (form: Form, field: Field) =>
  form.help.replaceChildren(...checks.sentences(field, form.section, rowOf(form)));

/* One line: name, what stands at the right, its parts; the form is made once it is opened. */
function put(section: string, item: Item, line: Line) {
  const { rows, name, aside, parts, names } = line;
  const part = (phase: string, words: string) =>
    h("span", { class: phase && `editor-part editor-${phase}` }, words);
  const all = h("span", { class: "editor-parts" }, ...parts.map((one) => part(...one)));
  item.line = line;
  item.summary.replaceChildren(h("strong", {}, name), h("span", { class: "editor-aside" }, aside), all);
  item.summary.title = names ? names.join(", ") : name;
  const isFaulty = state().faults?.some((fault) => fault.section === section && isOf(line, fault.row));
  item.node.classList.toggle("editor-faulty", Boolean(isFaulty));
  if (line.path) queues.line(item, line);
  if (!rows) formsByRoom.delete(item.room);
  if (item.node.open) unfold(section, item);
}

/* The form of a line that is open: the one that is there, so that the focus stays, if it is of these rows. */
function unfold(section: string, { line, room }: Item) {
  if (!line?.rows) return;
  const form = formsByRoom.get(room);
  if (form && same(form.rows, line.rows)) fill(form);
  else build(room, section, line.rows);
  const graph = room.querySelector(".editor-graph");
  if (graph) graph.innerHTML = line.graph ?? "";
}

function fresh(section: string) {
  const tool = (action: string, words: string) => button(words, { "data-action": action });
  const below = section === "queues" ? tool("below", msg("editor_lines.add_below")) : null;
  const tools = h("div", { class: "editor-bar" }, below);
  tools.append(tool("duplicate", msg("editor_lines.duplicate")), tool("delete", msg("shared.delete")));
  const summary = h("summary");
  const room = h("div", { class: "editor-under" });
  // one form of a list is open at a time
  const node = h("details", { class: "editor-line", name: `editor-${section}` }, summary, tools, room);
  const item: Item = { node, summary, room, line: null };
  node.addEventListener("toggle", () => node.open && unfold(section, item));
  itemsByNode.set(node, item);
  return node;
}

/* A line that is open stays the one of its rows, with the focus in it, where a new name has others come
   before it. */
function follow(section: string, room: HTMLElement, lines: Line[]) {
  const items = itemsIn(room);
  const place = items.findIndex(({ node, line }) => node.open && line?.rows);
  const rows = items[place]?.line?.rows;
  const by = rows ? lines.findIndex((line) => same(line.rows, rows)) - place : 0;
  if (by < -place) return; // it is gone
  for (let more = by; more > 0; more--) room.prepend(fresh(section));
  for (let less = by; less < 0; less++) room.firstChild?.remove();
}

export function showLines() {
  const { outline, draft } = state();
  if (!outline || !draft || !at("editor")) return;
  for (const [section, lines] of Object.entries(outline.lines)) {
    const room = the(`editor-${section}`);
    follow(section, room, lines);
    while (room.children.length > lines.length) room.lastChild?.remove();
    while (room.children.length < lines.length) room.append(fresh(section));
    for (const [index, item] of itemsIn(room).entries()) if (lines[index]) put(section, item, lines[index]);
    const shown = lines.reduce((count, { rows }) => count + (rows ? rows[1] - rows[0] + 1 : 0), 0);
    const left = drafts.list(draft, section).length - shown;
    room.dataset.more = left > 0 ? msg("editor_lines.more", { count: left.toLocaleString("en") }) : "";
  }
  refresh();
}

/* Forms that are open show the draft; one whose row is gone closes. */
function refresh() {
  if (!at("editor") || !state().draft) return;
  for (const room of document.querySelectorAll("#editor .editor-under, #editor-title, #editor-settings")) {
    const form = formsByRoom.get(room);
    if (!form) continue;
    if (ownerOf(form)) fill(form);
    else closeLine(room);
  }
}
const closeLine = (node: Element) => node.closest(".editor-line")?.removeAttribute("open");

const isOf = ({ rows }: Line, row: number | null) =>
  rows !== null && row !== null && rows[0] <= row && row <= rows[1];
const openSection = (section: string) => the(`editor-${section}-section`).setAttribute("open", "");

/* The form of a row, opened, with the focus in a field; the line may still have to come from the server. */
function open(section: string, row: number, path = "name") {
  const item = itemsIn(the(`editor-${section}`)).find(({ line }) => line && isOf(line, row));
  openSection(section);
  if (!item) return false;
  item.node.open = true;
  unfold(section, item);
  reach(item.room, path);
  item.node.scrollIntoView({ block: "nearest" });
  return true;
}

/* The focus in a field, also in one that is folded, else in the first. */
function reach(room: HTMLElement, path: string) {
  const all = [...room.querySelectorAll<HTMLElement>("[data-path]")];
  const control = all.find(({ dataset }) => dataset.path === path) ?? all[0];
  control?.closest(".editor-fold")?.setAttribute("open", "");
  control?.focus();
}

/* To the button that adds to a list. */
export function goTo(section: string) {
  openSection(section);
  the(`editor-${section}-add`).focus();
}

/* To where a fault is: its field, its row in the table where there is no line of it, or its section. */
export function go({ section, row, field }: Note) {
  if (section === SETTINGS || section === "") {
    const isTitle = field === "name" || !field;
    if (!isTitle) openSection(SETTINGS);
    reach(the(isTitle ? "editor-title" : "editor-settings"), field);
  } else if (row === null) {
    goTo(section);
  } else if (!open(section, row, field)) table.open(section, row, field);
}

/* After a row was added: its form, once the server has made its line, and the end of its name to type
   over. */
export function openSoon(section: string, row: number) {
  awaited = [section, row];
}
export const closeForms = () => document.querySelectorAll(".editor-line[open]").forEach(closeLine);
export const lineOf = (button: Element) =>
  itemsByNode.get(button.closest(".editor-line") ?? button)?.line ?? null;
export const rowsOf = (button: Element) => rowEdits.between(lineOf(button)?.rows ?? [0, -1]);
export function forms() {
  for (const section of [TITLE, SETTINGS]) build(the(`editor-${section}`), section, [0, 0]);
  showLines();
}

export function listen() {
  on(["draft"], refresh);

  on(["outline", "faults"], () => {
    showLines();
    if (!awaited || !open(...awaited)) return;
    awaited = null;
    const name = document.activeElement;
    if (name instanceof HTMLInputElement && name.dataset.path === "name")
      name.setSelectionRange(name.value.lastIndexOf(".") + 1, name.value.length);
  });
}
