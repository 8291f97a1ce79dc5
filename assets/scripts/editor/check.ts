/* What the server knows of the draft: its faults at their places, what sections hold, the lines and the
   queues (webapp/panels/editor/check.py). */
import { setProps } from "../dash/dash";
import { at, h, setText, the } from "../page/dom";
import { msg } from "../page/messages";
import { post } from "../page/server";
import { change, on, state } from "../page/state";
import type { Scenario } from "../run/result";
import * as drafts from "./draft";
import * as editor from "./editor";
import { type Fault, type Field, facts, type Note, type Outline, theDraft } from "./facts";
import * as lines from "./lines";
import * as measured from "./measured";

export type Checked = Outline & { faults: Fault[] };

const PAUSE_MS = 150;
const AGAIN_MS = 5000;
let timer: ReturnType<typeof setTimeout> | undefined;
let begun = 0;
let asked = 0;
let byPlace = new Map<string, string>(); // what is wrong

/* Asks at once, or while one types at every pause; only the newest answer counts. */
export function check(scenario: Scenario) {
  clearTimeout(timer);
  const ticket = ++asked;
  const isOld = () => ticket !== asked || !at("editor");
  async function ask() {
    begun = Date.now();
    try {
      const answer = await post(facts().addresses.check, measured.light(scenario));
      if (isOld()) return;
      if (answer.status === 413)
        // by a proxy
        return editor.say(msg("editor_check.not_checked", { reason: await answer.text() }), true);
      const checked: Checked = await answer.json();
      measured.heard(scenario, checked);
      if (isOld()) return;
      const { faults, ...outline } = checked;
      change({ faults, outline });
    } catch {
      if (ticket !== asked) return;
      editor.say(msg("editor_check.away"), true);
      timer = setTimeout(() => check(scenario), AGAIN_MS);
    }
  }
  timer = setTimeout(ask, Date.now() - begun > PAUSE_MS ? 0 : PAUSE_MS);
}

/* What is at a path within a row of a list, or within the scenario itself. */
const placeOf = (list: string, row: number | null, path: string) =>
  row === null ? path : `${list}[${row}].${path}`;
export const faultAt = (section: string, row: number | null, path: string) =>
  byPlace.get(placeOf(section, row, path));
export const isAssumed = (section: string, row: number | null, path: string) =>
  drafts.isAssumed(placeOf(facts().tables[section]?.path ?? "", row, path));

function errors(count: number) {
  if (count === 1) return msg("editor_check.error");
  return count ? msg("editor_check.errors", { count }) : msg("editor_check.no_errors");
}

function show() {
  const { faults, outline } = state();
  if (!faults || !outline || !at("editor")) return;
  byPlace = new Map(
    [...faults].reverse().map(({ section, row, field, message }) => [placeOf(section, row, field), message]),
  );
  const wrong = faults.filter(({ missing }) => !missing);
  for (const [section, text] of Object.entries(outline.summaries)) {
    setText(`editor-${section}-summary`, text);
    const count = wrong.filter((fault) => fault.section === section).length;
    const badge = { hidden: count === 0, textContent: count, title: errors(count) };
    Object.assign(the(`editor-${section}-faults`), badge);
  }
  const summary = the("editor-faults-summary");
  const lacks = faults.length > 0 && !wrong.length;
  if (lacks) delete summary.dataset.count;
  else summary.dataset.count = String(faults.length);
  const notes = !faults.length && outline.unrounded ? [outline.unrounded] : [];
  summary.toggleAttribute("data-noted", notes.length > 0);
  const listed = [...faults, ...notes];
  summary.tabIndex = listed.length ? 0 : -1;
  const [strong, more] = lacks ? [faults[0]?.sentence] : [errors(faults.length), listed[0]?.sentence];
  summary.replaceChildren(h("strong", {}, strong), h("span", {}, more));
  the("editor-faults").replaceChildren(...faults.map(item), ...notes.map((note) => h("li", {}, way(note))));
  if (!listed.length) summary.closest("details")?.removeAttribute("open");
}

const way = (note: Note) => h("button", { onclick: () => lines.go(note) }, note.sentence);

function item(fault: Fault) {
  const props = { class: "editor-drop", onclick: () => drop(fault) };
  return h("li", {}, way(fault), fault.unknown ? h("button", props, msg("editor_check.remove")) : null);
}

function drop({ section, row, path }: Fault) {
  const field = path.replace(/^[\w.]+\[\d+\]\./, "");
  const draft = theDraft();
  const cells = row === null ? [] : [{ row, path: field, value: undefined }];
  const next = cells.length
    ? drafts.withCells(draft, section, cells)
    : drafts.withField(draft, path, undefined);
  drafts.commit(next, msg("editor_check.remove_field", { field }));
}

/* Fault, name, unit and help of a field, for the line of help. */
export function sentences(field: Field, section: string, row: number | null) {
  const group = facts().tables[section]?.groups.find(({ path }) => path === field.group);
  const fault = faultAt(section, row, field.path);
  const title = `${group ? `${group.title} · ` : ""}${field.title}${field.unit ? ` (${field.unit})` : ""} `;
  const parts: (Node | string)[] = fault ? [h("span", { class: "editor-help-fault" }, `${fault}. `)] : [];
  const helps = [field.help];
  if (field.required) helps.push(msg("editor_check.required"));
  else if (field.default !== null && field.empty)
    helps.push(msg("editor_check.default", { value: field.empty }));
  if (group?.help && !group.required) helps.push(group.help);
  parts.push(h("strong", {}, title), helps.join(" "));
  const names = field.hadoop.length ? field.hadoop : (group?.hadoop ?? []);
  if (names.length) parts.push(` ${msg("editor_check.in_hadoop")} `, h("code", {}, names.join(", ")), ".");
  if (isAssumed(section, row, field.path)) parts.push(h("em", {}, ` ${ASSUMED}`));
  return parts;
}

export const ASSUMED = msg("editor_check.assumed");

export function listen() {
  on(["draft"], ({ draft }) => draft && check(draft.scenario));

  on(["faults", "outline"], ({ faults }) => {
    setProps("faults", { data: faults });
    show();
  });
}
