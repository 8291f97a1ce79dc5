/* What the server knows of the draft: its faults at their places, what sections hold, the lines and the
   queues (webapp/panels/editor/check.py). */
const { h, at, editor } = gantry;
const PAUSE_MS = 150;
const AGAIN_MS = 5000;
let timer = null;
let begun = 0;
let asked = 0;
let byPlace = new Map();

/* Asks at once, or while one types at every pause; only the newest answer counts. */
function check(scenario) {
  clearTimeout(timer);
  asked += 1;
  const ticket = asked;
  timer = setTimeout(
    async () => {
      begun = Date.now();
      try {
        const answer = await gantry.post(editor.facts.addresses.check, gantry.measured.light(scenario));
        if (ticket !== asked || !at("editor")) return;
        // by a proxy
        if (answer.status === 413)
          return editor.say(gantry.msg("editor_check.not_checked", { reason: await answer.text() }), true);
        const { faults, ...outline } = await answer.json();
        gantry.measured.heard(scenario, { faults, ...outline });
        if (ticket !== asked || !at("editor")) return;
        gantry.change({ faults, outline });
      } catch {
        if (ticket !== asked) return;
        editor.say(gantry.msg("editor_check.away"), true);
        timer = setTimeout(() => check(scenario), AGAIN_MS);
      }
    },
    Date.now() - begun > PAUSE_MS ? 0 : PAUSE_MS,
  );
}

const placeOf = (section, row, field) => (row === null ? field : `${section}[${row}].${field}`);
const errors = function (count) {
  if (count === 0) return gantry.msg("editor_check.no_errors");
  return count === 1 ? gantry.msg("editor_check.error") : gantry.msg("editor_check.errors", { count });
};

function show() {
  const { faults, outline } = gantry.state;
  if (!faults || !at("editor")) return;
  byPlace = new Map(
    [...faults].reverse().map((fault) => [placeOf(fault.section, fault.row, fault.field), fault.message]),
  );
  for (const [section, text] of Object.entries(outline.summaries)) {
    at(`editor-${section}-summary`).textContent = text;
    const badge = at(`editor-${section}-faults`);
    const count = faults.filter((fault) => fault.section === section).length;
    Object.assign(badge, { hidden: count === 0, textContent: count, title: errors(count) });
  }
  const summary = at("editor-faults-summary");
  summary.dataset.count = faults.length;
  summary.tabIndex = faults.length ? 0 : -1;
  summary.replaceChildren(
    h("strong", {}, errors(faults.length)),
    h("span", {}, faults.length ? faults[0].sentence : ""),
  );
  at("editor-faults").replaceChildren(...faults.map(item));
  summary.parentNode.open &&= faults.length > 0;
}

function item(fault) {
  const go = h("button", { type: "button", onclick: () => editor.go(fault) }, fault.sentence);
  return h(
    "li",
    {},
    go,
    fault.unknown
      ? h(
          "button",
          { type: "button", class: "editor-drop", onclick: () => drop(fault) },
          gantry.msg("editor_check.remove"),
        )
      : null,
  );
}

function drop({ section, row, path }) {
  const { draft } = gantry.state;
  const inner = path.replace(/^[\w.]+\[\d+\]\./, "");
  const next =
    row === null
      ? editor.withField(draft, path, undefined)
      : editor.withCells(draft, section, [{ row, path: inner, value: undefined }]);
  editor.commit(next, gantry.msg("editor_check.remove_field", { field: inner }));
}

/* Fault, name, unit and help of a field, for the line of help. */
function sentences(field, groups, place, path) {
  const group = groups.find((one) => one.path === field.group);
  const fault = byPlace.get(place);
  const parts = fault ? [h("span", { class: "editor-help-fault" }, `${fault}. `)] : [];
  parts.push(
    h(
      "strong",
      {},
      `${group ? `${group.title} · ` : ""}${field.title}${field.unit ? ` (${field.unit})` : ""} `,
    ),
  );
  const helps = [field.help];
  if (field.required) helps.push(gantry.msg("editor_check.required"));
  else if (field.default !== null && field.empty)
    helps.push(gantry.msg("editor_check.default", { value: field.empty }));
  if (group && group.help && !group.required) helps.push(group.help);
  parts.push(helps.join(" "));
  const names = field.hadoop.length ? field.hadoop : (group && group.hadoop) || [];
  if (names.length)
    parts.push(` ${gantry.msg("editor_check.in_hadoop")} `, h("code", {}, names.join(", ")), ".");
  if (editor.isAssumed(path)) parts.push(h("em", {}, ` ${editor.ASSUMED}`));
  return parts;
}

gantry.on(["draft"], ({ draft }) => check(draft.scenario));
gantry.on(["faults", "outline"], ({ faults }) => {
  gantry.put("faults", { data: faults });
  show();
});

Object.assign(editor, {
  ASSUMED: gantry.msg("editor_check.assumed"),
  check,
  sentences,
  placeOf,
  faultAt: (place) => byPlace.get(place),
});
