/* The lists as lines, and the form under the one that is open; the fields of the scenario itself have the
   same form. */
const { h, at, editor } = gantry;
const TITLE = "title";
const SETTINGS = "settings";

/* What a form is of: the fields, and the rows of a table they belong to (none for fields of the scenario). */
const fieldsOf = (section) =>
  section === TITLE
    ? editor.facts.title
    : section === SETTINGS
      ? editor.facts.settings
      : editor.facts.tables[section].fields;
const groupsOf = (section) => (editor.facts.tables[section] || { groups: [] }).groups;
const foldsOf = (section) => editor.facts.folds[section] || [];
const isIn = (fold, path) => fold.paths.some((one) => path === one || path.startsWith(`${one}.`));
const isTable = (section) => section in editor.facts.tables;
const ownerOf = ({ section, rows }) =>
  isTable(section) ? editor.list(gantry.state.draft, section)[rows[0]] : gantry.state.draft.scenario;
const placeIn = ({ section, rows }, path) => editor.placeOf(section, isTable(section) ? rows[0] : null, path);
const pathIn = ({ section, rows }, path) =>
  isTable(section) ? `${editor.facts.tables[section].path}[${rows[0]}].${path}` : path;

function write(form, field, text) {
  const { section, rows } = form;
  const value = editor.parse(text, field);
  const { draft } = gantry.state;
  const all = isTable(section)
    ? Array.from({ length: rows[1] - rows[0] + 1 }, (_, index) => ({
        row: rows[0] + index,
        path: field.path,
        value,
      }))
    : [];
  const next = isTable(section)
    ? editor.withCells(draft, section, all)
    : editor.withField(draft, field.path, value);
  editor.commit(
    kept(form, field, next),
    gantry.msg("shared.edit_step", { what: editor.nameOf(section, field) }),
    { key: `${section} ${rows} ${field.path}` },
  );
}

/* An object that a switch has put there stays when its last field is emptied. */
function kept(form, field, draft) {
  const isOn =
    form.inputs.some((one) => one.field.kind === "switch" && one.field.path === field.group) &&
    editor.get(gantry.state.draft.scenario, field.group);
  return isOn && !editor.get(draft.scenario, field.group) ? editor.withField(draft, field.group, {}) : draft;
}

function input(form, field) {
  if (field.kind === "rows") return editor.inner.room(form, field);
  if (field.kind === "switch") {
    const hears = {
      onchange: ({ target }) => write(form, field, target.checked),
      onfocus: () => help(form, field),
    };
    return h("input", { type: "checkbox", class: "editor-switch", "data-path": field.path, ...hears });
  }
  const chosen = field.kind === "choice" || field.kind === "queue";
  // A queue is renamed once its name is whole, for its jobs go along.
  const whole = chosen || (form.section === "queues" && field.path === "name");
  const hears = {
    [whole ? "onchange" : "oninput"]: ({ target }) => write(form, field, target.value),
    onblur: () => fill(form),
    onfocus: () => help(form, field),
  };
  const text = chosen ? {} : { type: "text", autocomplete: "off", spellcheck: "false" };
  return h(chosen ? "select" : "input", {
    class: "editor-input",
    "data-path": field.path,
    ...text,
    ...hears,
  });
}

/* What Hadoop's files call it; a long name breaks before a word of it. */
const broken = (names) =>
  names.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word, place) => (place ? [h("wbr"), word] : [word]));
const inHadoop = ({ hadoop }) =>
  hadoop.length ? h("code", { class: "editor-hadoop" }, ...broken(hadoop.join(" · "))) : "";

/* A form of all fields in their order, those of an object under its heading. */
function build(room, section, rows) {
  const form = {
    section,
    rows,
    inputs: [],
    folds: [],
    help: h("p", { class: "editor-help", role: "status" }),
  };
  const many = rows[1] > rows[0];
  const boxes = [];
  const folds = new Map();
  let last = null;
  for (const field of fieldsOf(section)) {
    if (many && field.path === "name") continue;
    const group = groupsOf(section).find((one) => one.path === field.group);
    const fold = foldsOf(section).find((one) => isIn(one, field.path));
    if (!fold && field.group !== last)
      boxes.push(
        group
          ? h(
              "fieldset",
              { class: `editor-form editor-group-${group.path}` },
              h("legend", {}, group.title, inHadoop(group)),
            )
          : h("div", { class: "editor-form" }),
      );
    last = fold ? last : field.group;
    if (fold && !folds.has(fold)) folds.set(fold, folded(form, fold));
    const control = input(form, field);
    const mark = h(
      "span",
      { class: "editor-mark", title: editor.ASSUMED },
      gantry.msg("styles.assumed"),
    );
    const fault = h("small", { class: "editor-error" });
    const head = h(
      "span",
      { class: "editor-label" },
      field.title,
      mark,
      isTable(section) ? inHadoop(field) : "",
    );
    const value = h(
      "span",
      { class: "editor-value" },
      control,
      h("span", { class: "editor-unit" }, field.unit),
    );
    const label = h(
      field.kind === "rows" ? "div" : "label",
      { class: `editor-field editor-field-${field.kind}` },
      head,
      value,
      fault,
    );
    (fold ? folds.get(fold).lastChild : boxes[boxes.length - 1]).append(label);
    form.inputs.push({ field, control, mark, fault, label });
  }
  room.replaceChildren(...boxes, ...folds.values(), ...(section === TITLE ? [] : [form.help]));
  room.form = form;
  fill(form);
  return form;
}

/* A part of a form that is closed until it is wanted. */
function folded(form, fold) {
  const summary = h("summary", {}, h("span", {}, fold.title), h("span", { class: "editor-fold-state" }));
  const node = h(
    "details",
    { class: "editor-fold" },
    summary,
    h("p", { class: "editor-fold-about" }, fold.about),
    h("div", { class: "editor-form" }),
  );
  form.folds.push({ fold, node, state: summary.lastChild, changed: false });
  return node;
}

/* A fold opens by itself once something in it is other than the default, and says so while it is closed. */
function unfolded({ inputs, folds }, owner) {
  for (const one of folds) {
    const mine = inputs.filter(({ field }) => isIn(one.fold, field.path));
    const changed = mine.some(({ field }) => editor.get(owner, field.path) !== undefined);
    if (changed && !one.changed) one.node.open = true;
    one.changed = changed;
    one.state.textContent = changed ? gantry.msg("editor_lines.changed") : "";
    one.node.classList.toggle(
      "editor-faulty",
      mine.some(({ label }) => label.querySelector("[aria-invalid=true]")),
    );
  }
}

/* The draft's values, but for the field one types into. */
function fill(form) {
  const owner = ownerOf(form);
  if (!owner) return;
  for (const { field, control, mark, fault, label } of form.inputs) {
    if (field.kind === "rows") {
      editor.inner.fill(form, field, control);
      continue;
    }
    const isOff =
      form.inputs.some((one) => one.field.kind === "switch" && one.field.path === field.group) &&
      editor.get(owner, field.group) == null;
    label.hidden = isOff;
    const shown = editor.show(editor.get(owner, field.path), field) ?? "";
    const empty = editor.placeholder(field, groupsOf(form.section), owner, form.rows[0]);
    if (field.kind === "switch") control.checked = Boolean(editor.get(owner, field.path) ?? field.default);
    else if (control.tagName === "SELECT") options(control, field, String(shown), empty);
    else control.placeholder = form.section === TITLE ? gantry.msg("shared.untitled_scenario") : empty;
    if (field.kind !== "switch" && document.activeElement !== control) control.value = shown;
    mark.hidden = !editor.isAssumed(pathIn(form, field.path));
    const message = editor.faultAt(placeIn(form, field.path)) || "";
    fault.textContent = message;
    control.setAttribute("aria-invalid", String(Boolean(message)));
  }
  unfolded(form, owner);
}

function options(control, field, shown, empty) {
  const known =
    field.kind === "queue"
      ? ((gantry.state.outline || {}).queues || []).filter((name) => name !== field.empty)
      : field.choices.filter((name) => name !== field.empty);
  const names = [...new Set(["", ...known, shown])];
  if (
    gantry.same(
      names,
      [...control.options].map((option) => option.value),
    )
  )
    return;
  control.replaceChildren(...names.map((name) => new Option(name || empty, name)));
  control.value = shown;
}

function help(form, field) {
  form.help.replaceChildren(
    ...editor.sentences(field, groupsOf(form.section), placeIn(form, field.path), pathIn(form, field.path)),
  );
}

/* One line: name, what stands at the right, its parts; the form is made once it is opened. */
function line(section, item, one) {
  const { rows, name, aside, parts, names } = one;
  const text = parts.map(([phase, words]) =>
    h("span", { class: phase && `editor-part editor-${phase}` }, words),
  );
  const faulty =
    rows !== null &&
    (gantry.state.faults || []).some(
      (fault) => fault.section === section && fault.row >= rows[0] && fault.row <= rows[1],
    );
  item.firstChild.replaceChildren(
    h("strong", {}, name),
    h("span", { class: "editor-aside" }, aside),
    h("span", { class: "editor-parts" }, ...text),
  );
  item.firstChild.title = names ? names.join(", ") : name;
  item.classList.toggle("editor-faulty", faulty);
  item.rows = rows;
  if (one.path) editor.queues.line(item, one);
  if (item.open) unfold(section, item);
}

/* The form of a line that is open: the one that is there, so that the focus stays, if it is of these rows. */
function unfold(section, { rows, lastChild: room }) {
  if (rows === null) return;
  if (room.form && gantry.same(room.form.rows, rows)) fill(room.form);
  else build(room, section, rows);
}

function fresh(section) {
  const button = (action, label) =>
    h("button", { type: "button", class: "editor-button", "data-action": action }, label);
  const below = section === "queues" ? [button("below", gantry.msg("editor_lines.add_below"))] : [];
  const tools = h(
    "div",
    { class: "editor-bar" },
    ...below,
    button("duplicate", gantry.msg("editor_lines.duplicate")),
    button("delete", gantry.msg("shared.delete")),
  );
  // one form of a list is open at a time
  const props = {
    class: "editor-line",
    name: `editor-${section}`,
    ontoggle: ({ target }) => target.open && unfold(section, target),
  };
  return h("details", props, h("summary"), tools, h("div", { class: "editor-under" }));
}

/* A line that is open stays the one of its rows, with the focus in it, where a new name has others come
   before it. */
function follow(section, room, lines) {
  const items = [...room.children];
  const place = items.findIndex((item) => item.open && item.rows);
  const wanted = place < 0 ? -1 : lines.findIndex(({ rows }) => rows && gantry.same(rows, items[place].rows));
  for (let from = place; wanted >= 0 && from < wanted; from++) room.prepend(fresh(section));
  for (let from = place; wanted >= 0 && from > wanted; from--) room.firstChild.remove();
}

function show() {
  const { outline, draft } = gantry.state;
  if (!outline || !draft || !at("editor")) return;
  for (const [section, lines] of Object.entries(outline.lines)) {
    const room = at(`editor-${section}`);
    follow(section, room, lines);
    while (room.children.length > lines.length) room.lastChild.remove();
    lines.forEach((one, index) =>
      line(section, room.children[index] || room.appendChild(fresh(section)), one),
    );
    const shown = lines.reduce((count, { rows }) => count + (rows ? rows[1] - rows[0] + 1 : 0), 0);
    const left = editor.list(draft, section).length - shown;
    room.dataset.more = left > 0 ? gantry.msg("editor_lines.more", { count: left.toLocaleString("en") }) : "";
  }
  refresh();
}

/* Forms that are open show the draft; one whose row is gone closes. */
function refresh() {
  if (!at("editor") || !gantry.state.draft) return;
  for (const room of document.querySelectorAll("#editor .editor-under, #editor-title, #editor-settings")) {
    if (!room.form) continue;
    if (ownerOf(room.form)) fill(room.form);
    else room.parentNode.open = false;
  }
}

/* The form of a row, opened, with the focus in a field; the line may still have to come from the server. */
function open(section, row, path = "name") {
  const item = [...at(`editor-${section}`).children].find(
    (one) => one.rows && one.rows[0] <= row && row <= one.rows[1],
  );
  at(`editor-${section}-section`).open = true;
  if (!item) return false;
  item.open = true;
  unfold(section, item);
  const control =
    item.lastChild.querySelector(`[data-path="${path}"]`) || item.lastChild.querySelector("[data-path]");
  reach(control);
  item.scrollIntoView({ block: "nearest" });
  return true;
}

/* The focus in a field, also in one that is folded. */
function reach(control) {
  const fold = control.closest(".editor-fold");
  if (fold) fold.open = true;
  control.focus();
}

/* To where a fault is: its field, its row in the table where there is no line of it, or its section. */
editor.go = function ({ section, row, field }) {
  if (section === SETTINGS || section === "") {
    const room = at(field === "name" || !field ? "editor-title" : "editor-settings");
    at("editor-settings-section").open ||= room.id === "editor-settings";
    reach(room.querySelector(`[data-path="${field}"]`) || room.querySelector("input"));
  } else if (row === null) {
    at(`editor-${section}-section`).open = true;
    at(`editor-${section}-add`).focus();
  } else if (!open(section, row, field)) editor.table.open(section, row, field);
};

/* After a row was added: its form, once the server has made its line, and the end of its name to type
   over. */
let awaited = null;
function named(control) {
  if (control.matches("input[data-path=name]"))
    control.setSelectionRange(control.value.lastIndexOf(".") + 1, control.value.length);
}
editor.openSoon = (section, row) => {
  awaited = [section, row];
};
editor.closeForms = () =>
  document.querySelectorAll(".editor-line[open]").forEach((item) => {
    item.open = false;
  });
editor.rowsOf = (button) => button.closest(".editor-line").rows;

Object.assign(editor, { helpOf: help, showLines: show });
editor.forms = function () {
  build(at("editor-title"), TITLE, [0, 0]);
  build(at("editor-settings"), SETTINGS, [0, 0]);
  show();
};
gantry.on(["draft"], refresh);
gantry.on(["outline", "faults"], () => {
  show();
  if (!awaited || !open(...awaited)) return;
  awaited = null;
  named(document.activeElement);
});
