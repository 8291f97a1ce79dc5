/* Queues as a tree: each line indented below its parent, with its part of the cluster drawn to scale where
   it begins, by weight or by capacity. */
const { h, at, editor } = gantry;
const BASES = ["weight", "capacity"];
const SAYS = {
  weight: gantry.msg("editor_queues.by_weight"),
  capacity: gantry.msg("editor_queues.by_capacity"),
};
let chosen = null;

/* What the bars show: what was clicked, else what the chosen schedulers go by. */
function basis() {
  if (chosen) return chosen;
  const names = (gantry.state.draft || { schedulers: [] }).schedulers.map((name) => name.split(/[(+]/)[0]);
  return names.some((name) => name.endsWith("capacity")) && !names.some((name) => /fair|drf/.test(name))
    ? "capacity"
    : "weight";
}

/* The cluster as a track from end to end: the part, and paler the most that the queue may have. */
function bar(drawn) {
  const values = drawn[basis()];
  if (!values) return h("span", { class: "queue-bar" });
  const [start, part, maximum] = values;
  const title =
    maximum < 1
      ? gantry.msg("editor_queues.share_with_limit", {
          part: values[3],
          basis: SAYS[basis()],
          limit: gantry.percent(maximum),
        })
      : gantry.msg("editor_queues.share", { part: values[3], basis: SAYS[basis()] });
  const style = Object.entries({
    begin: start,
    part,
    most: maximum,
    from: Math.max(0, Math.min(start, 1 - maximum)),
  })
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");
  const kind = maximum < 1 ? "queue-bar queue-limited" : "queue-bar";
  return h("span", { class: kind, style, title }, h("span"), h("span"));
}

/* A queue that stands in no list: its fields are the defaults until it does. */
function implied(item, path) {
  const text =
    path === "root" ? gantry.msg("editor_queues.cluster") : gantry.msg("editor_queues.not_listed", { path });
  item.lastChild.replaceChildren(
    h("p", { class: "editor-help" }, text),
    h(
      "button",
      { type: "button", class: "editor-button", "data-action": "list" },
      gantry.msg("editor_queues.list"),
    ),
  );
  item.lastChild.form = null;
}

/* A line of the tree, once it has its name and parts. */
function line(item, { rows, path, depth, bars }) {
  const summary = item.firstChild;
  const share = h("span", { class: "queue-share" }, bars[basis()] ? bars[basis()][3] : "");
  summary.querySelector(".editor-aside").before(share);
  summary.append(bar(bars));
  summary.title = path;
  Object.assign(item, { path });
  item.style.setProperty("--depth", depth);
  item.classList.add("queue-line");
  item.classList.toggle("queue-implied", rows === null);
  if (rows === null) implied(item, path);
}

function show() {
  for (const name of BASES) {
    const button = document.querySelector(`#editor-queues-basis [data-basis="${name}"]`);
    if (button) button.setAttribute("aria-pressed", String(basis() === name));
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#editor-queues-basis [data-basis]");
  if (!button) return;
  chosen = button.dataset.basis;
  editor.showLines();
  show();
});
gantry.on(["draft", "outline"], show);

/* A queue below another, and one that was only implied. */
const named = (button) => button.closest(".editor-line").path;
editor.queues = {
  line,
  below: (button) => editor.rows.addNamed("queues", `${named(button)}.queue`),
  list: (button) => editor.rows.addNamed("queues", named(button)),
};
if (at("editor")) show();
