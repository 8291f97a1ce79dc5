/* The editor begins, opens what others give it, and does what its buttons and keys say. */
const { h, at, editor } = gantry;
const MESSAGE_MS = 8000;
const MAX_OPEN = 12; // notes of a file that are shown at once
let messageTimer = null;
let pristine = false;
const { promise: ready, resolve: begun } = Promise.withResolvers();

/* The page is shown: this tab's draft, the last one of any tab, or the first preset comes into it. */
async function start(facts) {
  editor.facts = facts;
  const kept = gantry.state.draft || (await editor.recall());
  pristine = !kept;
  if (gantry.state.draft) gantry.put("draft", { data: gantry.state.draft });
  else gantry.change({ draft: editor.draftOf(kept || facts.presets[0]) });
  editor.forms();
  show();
  begun();
  return "false";
}

/* A whole draft from elsewhere on the page: a link, a recent run. The first one of a first visit is no
   step to undo. */
async function load(draft) {
  if (!draft || !draft.scenario) return;
  await ready;
  if (!editor.isObject(draft.scenario)) return say(gantry.msg("editor.not_a_scenario"), true);
  if (pristine) gantry.change({ draft: editor.draftOf(draft) });
  else {
    const name = draft.scenario.name || gantry.msg("editor.another_scenario");
    editor.commit(editor.draftOf(draft), gantry.msg("editor.open", { name }), { whole: true });
  }
  pristine = false;
  return undefined;
}

/* A draft from a file or a preset; schedulers stay as they are chosen, but that a configuration's own
   comes first, and a history brings its own. A study is run once its draft was. */
editor.opened = function ({ scenario, assumed, scheduler, schedulers: own, study }, title) {
  editor.closeForms();
  const schedulers = gantry.measured.opened({
    scenario,
    schedulers: own || (scheduler && [...new Set([scheduler, ...gantry.state.draft.schedulers])]),
  });
  editor.commit(
    editor.draftOf({ scenario, assumed, schedulers }),
    gantry.msg("editor.open", { name: title }),
    { whole: true },
  );
  if (study) gantry.whatif.study.open(study);
};

function preset(key) {
  const chosen = editor.facts.presets.find((one) => one.key === key);
  editor.opened(chosen, chosen.title);
  say("");
}

function step(which) {
  const label = editor.step(which);
  if (!label) return;
  say(
    which === "undo"
      ? gantry.msg("editor.undone", { step: label })
      : gantry.msg("editor.redone", { step: label }),
  );
}

/* What stands around the lists. */
function show() {
  const { draft } = gantry.state;
  if (!draft || !at("editor")) return;
  const { past, future } = editor.steps();
  const undone = past[past.length - 1];
  Object.assign(at("editor-undo"), {
    disabled: !undone,
    textContent: undone ? gantry.msg("editor.undo_count", { count: past.length }) : gantry.msg("editor.undo"),
    title: undone
      ? gantry.msg("editor.undo_last", { step: undone.label })
      : gantry.msg("shared.nothing_to_undo"),
  });
  const redone = future[future.length - 1];
  Object.assign(at("editor-redo"), {
    disabled: !redone,
    textContent: redone
      ? gantry.msg("editor.redo_count", { count: future.length })
      : gantry.msg("editor.redo"),
    title: redone
      ? gantry.msg("editor.redo_last", { step: redone.label })
      : gantry.msg("shared.nothing_to_redo"),
  });
  at("editor-about").textContent = typeof draft.scenario.x_about === "string" ? draft.scenario.x_about : "";
  const { assumed } = draft;
  const room = at("editor-assumed-room");
  room.hidden = assumed.length === 0;
  if (room.dataset.notes !== String(assumed.length)) room.open = assumed.length <= MAX_OPEN;
  room.dataset.notes = assumed.length;
  at("editor-assumed-summary").textContent =
    assumed.length === 1 ? gantry.msg("editor.note") : gantry.msg("editor.notes", { count: assumed.length });
  at("editor-assumed").replaceChildren(...assumed.map((sentence) => h("li", {}, String(sentence))));
}

/* What happened, for some seconds; what went wrong, until it is closed or something else happens; what can
   be cancelled, until it is done. */
function say(sentence, wrong = false, cancel = null) {
  if (!at("editor")) return undefined;
  const line = at(at("editor-table").open ? "editor-table-message" : "editor-message");
  clearTimeout(messageTimer);
  line.classList.toggle("editor-wrong", wrong);
  line.setAttribute("role", wrong ? "alert" : "status");
  if (!sentence) return line.replaceChildren();
  line.replaceChildren(
    h("span", {}, sentence),
    h(
      "button",
      { type: "button", onclick: cancel || (() => say("")) },
      cancel ? gantry.msg("editor.cancel") : gantry.msg("editor.close"),
    ),
  );
  if (!wrong && !cancel) messageTimer = setTimeout(() => say(""), MESSAGE_MS);
  return undefined;
}

const chosen = ([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const ACTIONS = {
  undo: () => step("undo"),
  redo: () => step("redo"),
  open: () => editor.chooseFiles(),
  table: (section) => editor.table.open(section),
  add(section) {
    const place = editor.list(gantry.state.draft, section).length;
    editor.rows.add(section, place);
    editor.openSoon(section, place);
  },
  below: (_, button) => editor.queues.below(button),
  list: (_, button) => editor.queues.list(button),
  duplicate: (section, button) =>
    editor.openSoon(section, editor.rows.duplicate(section, chosen(editor.rowsOf(button)))),
  delete(section, button) {
    const rows = chosen(editor.rowsOf(button));
    editor.closeForms();
    editor.rows.remove(section, rows);
  },
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("#editor [data-action], #editor [data-preset]");
  if (!button || !gantry.state.draft) return;
  const { action } = button.dataset;
  if (button.dataset.preset) preset(button.dataset.preset);
  else if (button.closest("#editor-table")) editor.table.act(action);
  else if (ACTIONS[action])
    ACTIONS[action]((button.closest("[data-section]") || { dataset: {} }).dataset.section, button);
});

const isText = (node) =>
  node instanceof HTMLElement &&
  (node.isContentEditable || node.matches("textarea, select, input:not([type=checkbox]):not([type=radio])"));
document.addEventListener("keydown", (event) => {
  if (!gantry.state.draft || event.defaultPrevented) return;
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y") && !isText(event.target)) {
    event.preventDefault();
    step(key === "y" || event.shiftKey ? "redo" : "undo");
  }
});

gantry.on(["draft"], (_, before) => {
  if (before.draft) pristine = false;
  show();
});
gantry.callbacks({
  editorStart: start,
  editorLoad: (draft) => void load(draft),
  editorSchedulers: (draft, shown) =>
    draft && !gantry.same(draft.schedulers, shown) ? draft.schedulers : gantry.none(),
  editorChosen(names) {
    const { draft } = gantry.state;
    if (draft && Array.isArray(names))
      gantry.change({ draft: { ...draft, schedulers: gantry.measured.first(names) } });
  },
});

/* A scheduler in the list to choose from: its name, with its full text as a tooltip, and what it does. */
window.dashMantineFunctions = Object.assign(window.dashMantineFunctions || {}, {
  schedulerOption({ option }, known) {
    const { createElement } = window.React;
    const [title, says] = known.titles[option.value.split(/[(+]/)[0]] || [option.value, ""];
    return createElement(
      "span",
      { className: "scheduler-option" },
      createElement("strong", null, title),
      " ",
      createElement("code", { title: option.value }, known.names[option.value] || option.value),
      createElement("span", null, says),
    );
  },
});

/* One step of the draft by another part of the page, such as a slider's value that is to be kept. */
gantry.commit = (draft, label) => editor.commit(editor.draftOf(draft), label, { whole: true });
gantry.parseValue = (text, field) => editor.parse(text, { default: null, empty: "", ...field });
Object.assign(editor, { say, isText });
