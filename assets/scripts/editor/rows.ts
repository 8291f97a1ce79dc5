/* What is done to the rows of a list, from lines and tables alike. */
import { msg } from "../page/messages";
import * as drafts from "./draft";
import { type Field, type FirstLast, facts, type Row, tableOf, theDraft } from "./facts";
import * as lines from "./lines";

const plural = (table: string, count: number) => {
  const name = tableOf(table).one;
  return count === 1 ? name : msg("editor_rows.rows", { count, name });
};

/* All of them from the first to the last. */
export const between = ([first, last]: FirstLast) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/* A new row at this place, of its name or of one like it that nobody bears. */
export function add(table: string, at: number, row = tableOf(table).fresh) {
  const name = typeof row.name === "string" ? { name: unused(table, row.name) } : {};
  insert(table, at, [{ ...row, ...name }], msg("editor_rows.add", { rows: plural(table, 1) }));
}

/* The same at the end; its form opens. */
export function addLast(table: string, row?: Row) {
  const at = drafts.list(theDraft(), table).length;
  add(table, at, row);
  lines.openSoon(table, at);
}

/* These rows once more, below the last of them; the place of the first copy. */
export function duplicate(table: string, picked: number[]) {
  const rows = drafts.list(theDraft(), table);
  const taken = new Set<unknown>();
  const copies = picked.map((index) => {
    const row = rows[index] ?? {};
    if (typeof row.name !== "string") return row;
    const name = unused(table, row.name, taken);
    taken.add(name);
    return { ...row, name };
  });
  const at = (picked.at(-1) ?? rows.length - 1) + 1;
  insert(table, at, copies, msg("editor_rows.duplicate", { rows: plural(table, picked.length) }), picked);
  return at;
}

export function remove(table: string, picked: number[]) {
  const removed = new Set(picked);
  const kept = [...drafts.list(theDraft(), table).entries()].filter(([index]) => !removed.has(index));
  const [rows, from] = [kept.map(([, row]) => row), kept.map(([index]) => index)];
  const label = msg("shared.delete_step", { what: plural(table, picked.length) });
  drafts.commit(drafts.withRows(theDraft(), table, rows, from), label);
}

/* wc, then wc_2, wc_3 …: a name nobody bears. */
function unused(table: string, wanted: string, also = new Set<unknown>()) {
  const names = new Set([...also, ...drafts.list(theDraft(), table).map(({ name }) => name)]);
  const stem = wanted.replace(/_\d+$/, "");
  let name = wanted;
  for (let number = 2; names.has(name); number++) name = `${stem}_${number}`;
  return name;
}

/* sources are the rows that the new ones are copies of, so that their marks come along. */
function insert(table: string, at: number, newRows: Row[], label: string, sources: number[] = []) {
  const rows = drafts.list(theDraft(), table);
  const from: (number | null)[] = [...rows.keys()];
  rows.splice(at, 0, ...newRows);
  from.splice(at, 0, ...newRows.map((_, index) => sources[index] ?? null));
  drafts.commit(drafts.withRows(theDraft(), table, rows, from), label);
}

/* "maps memory", as steps are named. */
export function nameOf(section: string, { group, title }: Field) {
  const heading = facts().tables[section]?.groups.find(({ path }) => path === group)?.title;
  const name = (heading ? `${heading} ${title}` : title).toLowerCase();
  return name.replace("applicationmaster", "ApplicationMaster");
}
