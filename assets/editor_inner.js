/* A list within a form, such as the outages or the users: a row of fields for each, and a button that adds
   one. */
const { h, editor } = gantry;

const itemsOf = ({ path }) => {
  const rows_ = editor.get(gantry.state.draft.scenario, path);
  return Array.isArray(rows_) ? rows_.map((item) => (editor.isObject(item) ? item : {})) : [];
};
const oneOf = (field) => field.title.toLowerCase().replace(/s$/, "");
const placeOf = (field, index, inner) => `${field.path}[${index}].${inner.path}`;

function commit(field, items, label, key = null) {
  editor.commit(editor.withField(gantry.state.draft, field.path, items.length ? items : undefined), label, {
    key,
  });
}

function write(field, index, inner, text) {
  const items = itemsOf(field);
  const value = editor.parse(text, inner);
  const { [inner.path]: _, ...rest } = items[index];
  items[index] = value === undefined ? rest : { ...rest, [inner.path]: value };
  const what = `${oneOf(field)} ${inner.title}`.toLowerCase();
  commit(field, items, gantry.msg("shared.edit_step", { what }), placeOf(field, index, inner));
}

/* A new one: the first user of a job who is not listed yet, with one job at a time. */
function user(items) {
  const listed = items.map((item) => item.name);
  const names = editor.list(gantry.state.draft, "jobs").map((job) => job.user || "default");
  return {
    name: names.find((name) => !listed.includes(name)) || `user${items.length + 1}`,
    max_running_apps: 1,
  };
}

/* A new one has the first node's name, and begins a minute after the last. */
function outage(items) {
  const [node = {}] = editor.list(gantry.state.draft, "nodes");
  const name = node.name || "node1";
  const lost = Math.max(0, ...items.map((item) => item.back_s ?? item.lost_s).filter(Number.isFinite));
  return { node: node.count > 1 ? `${name}-1` : name, lost_s: lost + 60 };
}

const FRESH = { "cluster.outages": outage, users: user };

function add(field) {
  const items = itemsOf(field);
  commit(
    field,
    [...items, FRESH[field.path](items)],
    gantry.msg("editor_inner.add_step", { name: oneOf(field) }),
  );
}

function row(form, field, index) {
  const labels = field.fields.map((inner) => {
    const path = placeOf(field, index, inner);
    const hears = {
      oninput: ({ target }) => write(field, index, inner, target.value),
      onfocus: () => editor.helpOf(form, { ...inner, path }),
    };
    const control = h("input", {
      type: "text",
      class: "editor-input",
      autocomplete: "off",
      spellcheck: "false",
      "data-path": path,
      ...hears,
    });
    const value = h(
      "span",
      { class: "editor-value" },
      control,
      h("span", { class: "editor-unit" }, inner.unit),
    );
    return h(
      "label",
      { class: "editor-field" },
      h("span", { class: "editor-label" }, inner.title),
      value,
      h("small", { class: "editor-error" }),
    );
  });
  const gone = () =>
    commit(
      field,
      itemsOf(field).filter((_, place) => place !== index),
      gantry.msg("shared.delete_step", { what: oneOf(field) }),
    );
  const button = h(
    "button",
    {
      type: "button",
      class: "editor-button",
      title: gantry.msg("editor_inner.delete_this", { name: oneOf(field) }),
      onclick: gone,
    },
    gantry.msg("shared.delete"),
  );
  return h(
    "div",
    { class: "editor-inner-row", role: "group", "aria-label": `${oneOf(field)} ${index + 1}` },
    ...labels,
    button,
  );
}

editor.inner = {
  room(form, field) {
    const button = h(
      "button",
      { type: "button", class: "editor-button", "data-path": field.path, onclick: () => add(field) },
      gantry.msg("editor_inner.add", { name: oneOf(field) }),
    );
    return h("div", { class: "editor-inner" }, h("div", { class: "editor-inner-rows" }), button);
  },
  fill(form, field, room) {
    const items = itemsOf(field);
    const rows = room.firstChild;
    while (rows.children.length > items.length) rows.lastChild.remove();
    while (rows.children.length < items.length) rows.append(row(form, field, rows.children.length));
    items.forEach((item, index) =>
      field.fields.forEach((inner, along) => {
        const label = rows.children[index].children[along];
        const control = label.querySelector("input");
        const message = editor.faultAt(placeOf(field, index, inner)) || "";
        control.placeholder = inner.empty;
        if (document.activeElement !== control) control.value = editor.show(item[inner.path], inner) ?? "";
        control.setAttribute("aria-invalid", String(Boolean(message)));
        label.lastChild.textContent = message;
      }),
    );
  },
};
