/* What is done to the rows of a list, from lines and tables alike. */
const { editor } = gantry;
const plural = function (table, count) {
  const name = editor.facts.tables[table].one;
  return count === 1 ? name : gantry.msg("editor_rows.rows", { count, name });
};

/* A new row at this place. */
function add(table, at) {
  const { fresh } = editor.facts.tables[table];
  insert(
    table,
    at,
    [{ ...fresh, ...(fresh.name ? { name: unused(table, fresh.name) } : {}) }],
    gantry.msg("editor_rows.add", { rows: plural(table, 1) }),
  );
}

/* A new row of this name, or of one like it that nobody bears, at the end; its form opens. */
function addNamed(table, wanted) {
  const at = editor.list(gantry.state.draft, table).length;
  insert(
    table,
    at,
    [{ name: unused(table, wanted) }],
    gantry.msg("editor_rows.add", { rows: plural(table, 1) }),
  );
  editor.openSoon(table, at);
}

/* These rows once more, below the last of them; the place of the first copy. */
function duplicate(table, picked) {
  const rows = editor.list(gantry.state.draft, table);
  const copiedNames = new Set();
  const copy = (row) => {
    if (typeof row.name !== "string") return row;
    const name = unused(table, row.name, copiedNames);
    copiedNames.add(name);
    return { ...row, name };
  };
  const at = picked[picked.length - 1] + 1;
  insert(
    table,
    at,
    picked.map((index) => copy(rows[index])),
    gantry.msg("editor_rows.duplicate", { rows: plural(table, picked.length) }),
    picked,
  );
  return at;
}

function remove(table, picked) {
  const removed = new Set(picked);
  const rows = editor.list(gantry.state.draft, table);
  const from = [...rows.keys()].filter((index) => !removed.has(index));
  editor.commit(
    editor.withRows(
      gantry.state.draft,
      table,
      from.map((index) => rows[index]),
      from,
    ),
    gantry.msg("shared.delete_step", { what: plural(table, removed.size) }),
  );
}

/* wc, then wc_2, wc_3 …: a name nobody bears. */
function unused(table, name, also = new Set()) {
  const names = new Set(editor.list(gantry.state.draft, table).map((row) => row.name));
  const stem = name.replace(/_\d+$/, "");
  let found = name;
  for (let number = 2; names.has(found) || also.has(found); number += 1) found = `${stem}_${number}`;
  return found;
}

/* sources are the rows that the new ones are copies of, so that their marks come along. */
function insert(table, at, newRows, label, sources = []) {
  const rows = editor.list(gantry.state.draft, table);
  const from = [...rows.keys()];
  rows.splice(at, 0, ...newRows);
  from.splice(at, 0, ...newRows.map((_, index) => sources[index] ?? null));
  editor.commit(editor.withRows(gantry.state.draft, table, rows, from), label);
}

/* "maps memory", as steps are named. */
editor.nameOf = function (section, field) {
  const group = (editor.facts.tables[section] || { groups: [] }).groups.find(
    (one) => one.path === field.group,
  );
  return (group ? `${group.title} ${field.title}` : field.title)
    .toLowerCase()
    .replace("applicationmaster", "ApplicationMaster");
};
editor.rows = { add, addNamed, duplicate, remove };
