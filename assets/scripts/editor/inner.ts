/* A list within a form, such as the outages, the users or a job's stages: a row of fields for each, and a
   button that adds one. */
import { h } from "../page/dom";
import { msg } from "../page/messages";
import * as checks from "./check";
import * as drafts from "./draft";
import { type Field, type Row, theDraft } from "./facts";
import * as lines from "./lines";
import * as stages from "./stages";
import * as values from "./values";

const MAX_ROWS = 100;

function itemsOf(form: lines.Form, { path }: Field): Row[] {
  const rows = lines.valueAt(form, path);
  return Array.isArray(rows) ? rows.map((item) => (values.isObject(item) ? item : {})) : [];
}
/* Whether the framework of its row has no such field of an item. */
const isForeign = (form: lines.Form, { path }: Field, inner: string) =>
  form.table !== undefined && drafts.isForeign(form.section, lines.ownerOf(form) ?? {}, `${path}.${inner}`);
const frameworkOf = (form: lines.Form) =>
  form.table && drafts.frameworkOf(form.section, lines.ownerOf(form) ?? {});
const oneOf = ({ title }: Field) => title.toLowerCase().replace(/s$/, "");
/* Whether its items name one another. */
const isLinked = ({ fields }: Field) => fields.some(({ kind }) => kind === "names");

function commit(form: lines.Form, { path }: Field, items: Row[], label: string, key: string | null = null) {
  const next = lines.withValue(form, theDraft(), path, items.length ? items : undefined);
  drafts.commit(next, label, { key });
}

/* A new one: the first user of a job who is not listed yet, with one job at a time. */
function user(items: Row[]) {
  const listed = items.map(({ name }) => name);
  const names = drafts.list(theDraft(), "jobs").map((job) => job.user || "default");
  const name = names.find((name) => !listed.includes(name)) ?? `user${items.length + 1}`;
  return { name, max_running_apps: 1 };
}

/* A new one has the first node's name, and begins a minute after the last. */
function outage(items: Row[]) {
  const [{ name, count } = {} as Row] = drafts.list(theDraft(), "nodes");
  const node = name || "node1";
  const ends = items.map((item) => item.back_s ?? item.lost_s);
  const last = Math.max(0, ...ends.filter((end) => typeof end === "number"));
  return { node: Number(count) > 1 ? `${node}-1` : node, lost_s: last + 60 };
}

/* A new one is like the last, or like the first of a new row of its framework. */
function stage(items: Row[], form: lines.Form, field: Field) {
  const first = frameworkOf(form)?.fresh[field.path];
  return stages.fresh(items, Array.isArray(first) ? first[0] : {}, !isForeign(form, field, "after"));
}

/* A new one has a name that none has. */
function pool(items: Row[]) {
  let number = items.length + 1;
  while (items.some(({ name }) => name === `pool${number}`)) number++;
  return { name: `pool${number}` };
}

const FRESH: Record<string, (items: Row[], form: lines.Form, field: Field) => Row> = {
  "cluster.outages": outage,
  users: user,
  pools: pool,
  stages: stage,
};

function add(form: lines.Form, field: Field) {
  const items = itemsOf(form, field);
  const fresh = FRESH[field.path]?.(items, form, field) ?? {};
  commit(form, field, [...items, fresh], msg("editor_inner.add_step", { name: oneOf(field) }));
}

/* A field of an item, or what it names of others; it is seen where the framework has it, or something stands
   in it. */
function input(form: lines.Form, field: Field, index: number, inner: Field) {
  const { label, show } = control(form, field, index, inner);
  const shown = (items: Row[]) => {
    show(items);
    if (inner.kind !== "names") label.hidden = false;
    if (isForeign(form, field, inner.path) && items[index]?.[inner.path] === undefined) label.hidden = true;
  };
  return { label, show: shown };
}

function control(form: lines.Form, field: Field, index: number, inner: Field) {
  const path = `${field.path}[${index}].${inner.path}`;
  const onfocus = () => lines.helpOf(form, { ...inner, path });
  const faultOf = () => checks.faultAt(form.section, lines.rowOf(form), path);
  const set = (value: unknown, key: string | null) => {
    const items = itemsOf(form, field);
    const { [inner.path]: _, ...rest } = items[index] ?? {};
    const next =
      isLinked(field) && inner.path === "name"
        ? stages.renamed(items, index, value)
        : items.with(index, value === undefined ? rest : { ...rest, [inner.path]: value });
    const what = `${oneOf(field)} ${inner.title}`.toLowerCase();
    commit(form, field, next, msg("shared.edit_step", { what }), key);
  };
  if (inner.kind === "names") {
    const choose = (names: string[]) => set(names.length ? names : undefined, null);
    const { label, show } = stages.choice(inner.title, path, onfocus, choose);
    return { label, show: (items: Row[]) => show(items, index, faultOf()) };
  }
  if (inner.kind === "choice") {
    const chosen = h("select", { class: "editor-input", "data-path": path, onfocus });
    const names = inner.choices.filter((name) => name !== inner.empty);
    chosen.append(new Option(inner.empty, ""), ...names.map((name) => new Option(name, name)));
    chosen.addEventListener("change", () => set(chosen.value || undefined, path));
    const { label, show } = lines.labelled(inner, chosen);
    return { label, show: (items: Row[]) => show(items[index]?.[inner.path], faultOf()) };
  }
  if (inner.kind === "switch") {
    const box = h("input", { ...lines.SWITCH, "data-path": path, onfocus });
    box.addEventListener("change", () => set(values.parse(box.checked, inner), path));
    const { label, show } = lines.labelled(inner, box);
    return { label, show: (items: Row[]) => show(items[index]?.[inner.path], faultOf()) };
  }
  const typed = h("input", { ...lines.TEXT, "data-path": path, onfocus });
  typed.placeholder = values.placeholder(inner, [], {}, index);
  // others name it once its name is whole
  const isWhole = isLinked(field) && inner.path === "name";
  typed.addEventListener(isWhole ? "change" : "input", () => set(values.parse(typed.value, inner), path));
  const { label, show } = lines.labelled(inner, typed);
  return { label, show: (items: Row[]) => show(items[index]?.[inner.path], faultOf()) };
}

function rowOf(form: lines.Form, field: Field, index: number) {
  const isNames = ({ kind }: Field) => Number(kind === "names");
  const fields = field.fields.toSorted((one, other) => isNames(one) - isNames(other));
  const words = frameworkOf(form)?.words ?? {};
  const inputs = fields.map((inner) =>
    input(form, field, index, { ...inner, ...words[`${field.path}.${inner.path}`] }),
  );
  const name = oneOf(field);
  const remove = () => {
    const items = itemsOf(form, field);
    const left = isLinked(field) ? stages.without(items, index) : items.toSpliced(index, 1);
    commit(form, field, left, msg("shared.delete_step", { what: name }));
  };
  const move = (by: number) => {
    commit(form, field, stages.moved(itemsOf(form, field), index, by), msg("editor_inner.move", { name }));
    // the focus stays with what is moved
    const [there, way] = [by < 0 ? node.previousElementSibling : node.nextElementSibling, by < 0 ? 0 : 1];
    there?.querySelectorAll<HTMLElement>(".editor-move")[way]?.focus();
  };
  const way = (words: string, title: string, by: number) =>
    lines.button(words, {
      class: "editor-button editor-move",
      title,
      "aria-label": title,
      onclick: () => move(by),
    });
  const ways = isLinked(field)
    ? [way("↑", msg("editor_inner.earlier", { name }), -1), way("↓", msg("editor_inner.later", { name }), 1)]
    : [];
  const title = msg("editor_inner.delete_this", { name });
  ways.push(lines.button(msg("shared.delete"), { title, onclick: remove }));
  const props = { class: "editor-inner-row", role: "group", "aria-label": `${name} ${index + 1}` };
  const bar = h("div", { class: "editor-bar editor-inner-ways" }, ...ways);
  const node = h("div", props, ...inputs.map(({ label }) => label), bar);
  return { node, show: (items: Row[]) => inputs.map(({ show }) => show(items)) };
}

/* The list, and what shows the draft in it. */
export function listOf(form: lines.Form, field: Field) {
  const rows: ReturnType<typeof rowOf>[] = [];
  const room = h("div", { class: "editor-inner-rows" });
  const more = { "data-path": field.path, onclick: () => add(form, field) };
  const adds = lines.button(msg("editor_inner.add", { name: oneOf(field) }), more);
  const fault = h("small", { class: "editor-error" });
  const drawn = h("div", { class: "editor-graph", role: "group", tabindex: 0 });
  let of = frameworkOf(form);
  const show = () => {
    const items = itemsOf(form, field);
    const shown = Math.min(items.length, MAX_ROWS);
    // another framework has other words
    if (of !== frameworkOf(form)) for (const { node } of rows.splice(0)) node.remove();
    of = frameworkOf(form);
    const isGraph = !isForeign(form, field, "after");
    drawn.setAttribute("aria-label", isGraph ? msg("editor_inner.graph") : msg("editor_inner.skyline"));
    while (rows.length > shown) rows.pop()?.node.remove();
    while (rows.length < shown) rows.push(rowOf(form, field, rows.length));
    room.append(...rows.map(({ node }) => node).filter((node) => !node.parentNode));
    for (const row of rows) row.show(items);
    const left = items.length - shown;
    room.dataset.more = left ? msg("editor_inner.more", { count: left.toLocaleString("en") }) : "";
    fault.textContent = checks.faultAt(form.section, lines.rowOf(form), field.path) ?? "";
  };
  const above = isLinked(field) ? [h("strong", {}, field.title), drawn] : [];
  return { node: h("div", { class: "editor-inner" }, ...above, room, adds, fault), show };
}
