/* A list within a form, such as the outages or the users: a row of fields for each, and a button that adds
   one. */
import { h } from "../page/dom";
import { msg } from "../page/messages";
import * as checks from "./check";
import * as drafts from "./draft";
import { type Field, type Row, theDraft } from "./facts";
import * as lines from "./lines";
import * as values from "./values";

const itemsOf = ({ path }: Field): Row[] => {
  const rows = values.get(theDraft().scenario, path);
  return Array.isArray(rows) ? rows.map((item) => (values.isObject(item) ? item : {})) : [];
};
const oneOf = ({ title }: Field) => title.toLowerCase().replace(/s$/, "");

function commit({ path }: Field, items: Row[], label: string, key: string | null = null) {
  drafts.commit(drafts.withField(theDraft(), path, items.length ? items : undefined), label, { key });
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

const FRESH: Record<string, (items: Row[]) => Row> = { "cluster.outages": outage, users: user };

function add(field: Field) {
  const items = itemsOf(field);
  const fresh = FRESH[field.path]?.(items) ?? {};
  commit(field, [...items, fresh], msg("editor_inner.add_step", { name: oneOf(field) }));
}

function rowOf(form: lines.Form, field: Field, index: number) {
  const inputs = field.fields.map((inner) => {
    const path = `${field.path}[${index}].${inner.path}`;
    const onfocus = () => lines.helpOf(form, { ...inner, path });
    const control = h("input", { ...lines.TEXT, "data-path": path, placeholder: inner.empty, onfocus });
    control.addEventListener("input", () => {
      const { [inner.path]: _, ...rest } = itemsOf(field)[index] ?? {};
      const value = values.parse(control.value, inner);
      const items = itemsOf(field).with(index, value === undefined ? rest : { ...rest, [inner.path]: value });
      const what = `${oneOf(field)} ${inner.title}`.toLowerCase();
      commit(field, items, msg("shared.edit_step", { what }), path);
    });
    const { label, show } = lines.labelled(inner, control);
    return { label, show: (item: Row) => show(item[inner.path], checks.faultAt(form.section, null, path)) };
  });
  const name = oneOf(field);
  const remove = () => {
    const left = itemsOf(field).filter((_, place) => place !== index);
    commit(field, left, msg("shared.delete_step", { what: name }));
  };
  const title = msg("editor_inner.delete_this", { name });
  const way = lines.button(msg("shared.delete"), { title, onclick: remove });
  const props = { class: "editor-inner-row", role: "group", "aria-label": `${name} ${index + 1}` };
  const node = h("div", props, ...inputs.map(({ label }) => label), way);
  return { node, show: (item: Row) => inputs.map(({ show }) => show(item)) };
}

/* The list, and what shows the draft in it. */
export function listOf(form: lines.Form, field: Field) {
  const rows: ReturnType<typeof rowOf>[] = [];
  const room = h("div", { class: "editor-inner-rows" });
  const more = { "data-path": field.path, onclick: () => add(field) };
  const adds = lines.button(msg("editor_inner.add", { name: oneOf(field) }), more);
  const show = () => {
    const items = itemsOf(field);
    while (rows.length > items.length) rows.pop()?.node.remove();
    while (rows.length < items.length) rows.push(rowOf(form, field, rows.length));
    room.append(...rows.map(({ node }) => node).filter((node) => !node.parentNode));
    for (const [index, item] of items.entries()) rows[index]?.show(item);
  };
  return { node: h("div", { class: "editor-inner" }, room, adds), show };
}
