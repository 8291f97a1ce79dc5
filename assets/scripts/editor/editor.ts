/* The editor begins, opens what others give it, and does what its buttons and keys say. */
import { callbacks, noUpdate, setProps } from "../dash/dash";
import { createElement, mantineFunctions } from "../dash/libraries";
import { at, h, hear, setText, the } from "../page/dom";
import { msg } from "../page/messages";
import { change, on, same, state } from "../page/state";
import * as run from "../run/run";
import * as study from "../what_if/study";
import * as drafts from "./draft";
import { type Draft, type Facts, facts, setFacts, tableOf, theDraft } from "./facts";
import { chooseFiles } from "./files";
import * as lines from "./lines";
import * as measured from "./measured";
import * as notes from "./notes";
import * as queues from "./queues";
import * as rowEdits from "./rows";
import * as table from "./table";
import { isObject } from "./values";

const MESSAGE_MS = 8000;
const MAX_OPEN = 12; // notes of a file that are shown at once
const NEEDED = ["nodes", "jobs"]; // lists that a run needs something in
const isMissing = (section: string) => drafts.list(theDraft(), section).length === 0;
let messageTimer: ReturnType<typeof setTimeout> | undefined;
let pristine = false;
const { promise: ready, resolve: begun } = Promise.withResolvers<void>();

/* The page is shown: this tab's draft, the last one of any tab, or the first preset comes into it. */
async function start(given: Facts) {
  setFacts(given);
  const kept = state().draft ?? (await drafts.recall());
  const first = kept ?? given.presets[0];
  pristine = !kept;
  if (state().draft) setProps("draft", { data: state().draft });
  else if (first) change({ draft: drafts.draftOf(first) });
  lines.forms();
  show();
  begun();
  return "false";
}

/* A whole draft from elsewhere on the page: a link, a recent run. The first one of a first visit is no
   step to undo. */
async function load(draft: Draft | null) {
  if (!draft?.scenario) return;
  await ready;
  if (!isObject(draft.scenario)) return say(msg("editor.not_a_scenario"), true);
  const name = String(draft.scenario.name || msg("editor.another_scenario"));
  if (pristine) change({ draft: drafts.draftOf(draft) });
  else commitWhole(draft, msg("editor.open", { name }));
  pristine = false;
}

/* What a file or a preset holds (webapp/panels/editor/files.py). */
export interface Opened extends drafts.Given {
  schedulers?: string[];
  scheduler?: string;
  study?: Parameters<typeof study.open>[0];
}

/* A draft from a file or a preset; schedulers stay as they are chosen, but that a configuration's own
   comes first, and a history brings its own. A study is run once its draft was. */
export function opened(given: Opened, name: string) {
  lines.closeForms();
  const { scenario, scheduler } = given;
  const chosen = scheduler ? [...new Set([scheduler, ...theDraft().schedulers])] : undefined;
  const schedulers = measured.opened(scenario, given.schedulers ?? chosen);
  commitWhole({ ...given, schedulers }, msg("editor.open", { name }));
  if (given.study) study.open(given.study);
}

/* One that is compared with another runs beside it at once; the other goes with the next preset. */
function preset(key: string) {
  const { presets } = facts();
  const of = (wanted?: string) => presets.find((one) => one.key === wanted);
  const chosen = of(key);
  if (!chosen) return;
  opened(chosen, chosen.title);
  say("");
  const { pinned, draft } = state();
  const beside = of(chosen.beside);
  if (beside && draft) {
    run.pinThis({ ...draft, scenario: beside.scenario });
    change({ pane: "result" });
    run.ask(draft, "run");
  } else if (pinned && presets.some((one) => same(of(one.beside)?.scenario, pinned.scenario))) {
    change({ pinned: null });
  }
  toMissing();
}

/* To the button that adds the nodes or the job that the draft still lacks; whether it lacks any. */
function toMissing() {
  const section = NEEDED.find(isMissing);
  if (section) lines.goTo(section);
  return section !== undefined;
}

/* The first nodes and the first job are as they come, without their form: on to what is still missing, and
   then to Run. One of another framework has its form at once. */
function add(section: string, { dataset: { framework = "" } }: HTMLElement) {
  const other = tableOf(section).frameworks[framework];
  if (other) return rowEdits.addLast(section, other.fresh);
  if (!NEEDED.includes(section) || !isMissing(section)) return rowEdits.addLast(section);
  rowEdits.add(section, 0, tableOf(section).begins);
  if (!toMissing()) the("run").focus();
}

function step(which: "undo" | "redo") {
  const label = drafts.step(which);
  if (!label) return;
  say(which === "undo" ? msg("editor.undone", { step: label }) : msg("editor.redone", { step: label }));
}

/* What stands around the lists. */
function show() {
  const { draft } = state();
  if (!draft || !at("editor")) return;
  const { past, future } = drafts.steps();
  const undone = past.at(-1);
  Object.assign(the("editor-undo"), {
    disabled: !undone,
    textContent: undone ? msg("editor.undo_count", { count: past.length }) : msg("editor.undo"),
    title: undone ? msg("editor.undo_last", { step: undone.label }) : msg("shared.nothing_to_undo"),
  });
  const redone = future.at(-1);
  Object.assign(the("editor-redo"), {
    disabled: !redone,
    textContent: redone ? msg("editor.redo_count", { count: future.length }) : msg("editor.redo"),
    title: redone ? msg("editor.redo_last", { step: redone.label }) : msg("shared.nothing_to_redo"),
  });
  for (const section of NEEDED)
    the(`editor-${section}-section`).toggleAttribute("data-missing", isMissing(section));
  const { assumed, scenario } = draft;
  const count = assumed.length;
  setText("editor-about", typeof scenario.x_about === "string" ? scenario.x_about : "");
  const room = the("editor-assumed-room", HTMLDetailsElement);
  room.hidden = count === 0;
  if (room.dataset.notes !== String(count)) room.open = count <= MAX_OPEN;
  room.dataset.notes = String(count);
  setText("editor-assumed-summary", count === 1 ? msg("editor.note") : msg("editor.notes", { count }));
  notes.show(assumed);
}

/* What happened, for some seconds; what went wrong, until it is closed or something else happens; what can
   be cancelled, until it is done. */
export function say(sentence: string, isWrong = false, cancel?: () => void) {
  if (!at("editor")) return;
  const isInTable = the("editor-table", HTMLDialogElement).open;
  const line = the(isInTable ? "editor-table-message" : "editor-message");
  clearTimeout(messageTimer);
  line.classList.toggle("editor-wrong", isWrong);
  line.setAttribute("role", isWrong ? "alert" : "status");
  if (!sentence) return line.replaceChildren();
  const onclick = cancel ?? (() => say(""));
  const words = cancel ? msg("editor.cancel") : msg("shared.close");
  line.replaceChildren(h("span", {}, sentence), h("button", { onclick }, words));
  if (!isWrong && !cancel) messageTimer = setTimeout(() => say(""), MESSAGE_MS);
}

const ACTIONS: Record<string, (section: string, button: HTMLElement) => void> = {
  undo: () => step("undo"),
  redo: () => step("redo"),
  open: () => chooseFiles(),
  table: (section) => table.open(section),
  add,
  below: (_, button) => queues.below(button),
  list: (_, button) => queues.list(button),
  duplicate: (section, button) => lines.openSoon(section, rowEdits.duplicate(section, lines.rowsOf(button))),
  delete(section, button) {
    const rows = lines.rowsOf(button);
    lines.closeForms();
    rowEdits.remove(section, rows);
  },
};

export const isText = (node: unknown) =>
  node instanceof HTMLElement &&
  (node.isContentEditable || node.matches("textarea, select, input:not([type=checkbox]):not([type=radio])"));

/* One step of the draft by another part of the page, such as a slider's value that is to be kept. */
export const commitWhole = (draft: drafts.Given, label: string) =>
  drafts.commit(drafts.draftOf(draft), label, { whole: true });

/* A scheduler in the list to choose from: its name, with its full text as a tooltip, and what it does. */
type Known = { titles: Record<string, [title: string, says: string]>; names: Record<string, string> };
function schedulerOption({ option: { value } }: { option: { value: string } }, { titles, names }: Known) {
  const [title, says] = titles[value.replace(/[(+].*/s, "")] ?? [value, ""];
  const name = createElement("strong", null, title);
  const code = createElement("code", { title: value }, names[value] ?? value);
  const about = createElement("span", null, says);
  return createElement("span", { className: "scheduler-option" }, name, " ", code, about);
}

export function listen() {
  hear("click", "#editor [data-action], #editor [data-preset]", (button) => {
    const { action = "", preset: key } = button.dataset;
    if (!state().draft) return;
    if (key) preset(key);
    else if (button.closest("#editor-table")) table.act(action);
    else ACTIONS[action]?.(button.closest<HTMLElement>("[data-section]")?.dataset.section ?? "", button);
  });

  document.addEventListener("keydown", (event) => {
    const isStep = (event.ctrlKey || event.metaKey) && /^[yz]$/i.test(event.key);
    if (!isStep || !state().draft || event.defaultPrevented || isText(event.target)) return;
    event.preventDefault();
    step(event.shiftKey || /y/i.test(event.key) ? "redo" : "undo");
  });

  on(["draft"], (_, before) => {
    if (before.draft) pristine = false;
    show();
  });

  callbacks({
    editorStart: start,
    editorLoad: (draft: Draft | null) => void load(draft),
    editorSchedulers: (draft: Draft | null, shown: string[]) =>
      draft && !same(draft.schedulers, shown) ? draft.schedulers : noUpdate(),
    editorChosen(names: unknown) {
      const { draft } = state();
      if (draft && Array.isArray(names)) change({ draft: { ...draft, schedulers: measured.first(names) } });
    },
  });

  mantineFunctions({ schedulerOption });
}
