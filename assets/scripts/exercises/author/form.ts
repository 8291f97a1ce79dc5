/* The form of an exercise: a part a subject, each drawn anew where what it offers has changed. */
import { type Child, h, the } from "../../page/dom";
import { msg } from "../../page/messages";
import { changeForm, openTicked } from "./change_form";
import { edit, theDraft } from "./draft";
import { button, field, words } from "./fields";
import { type Offers, offers, offersError } from "./offers";
import { taskForm, usualTask } from "./task_form";

const MAX_LINE = 300; // letters, as engine/exercises/model.py has them
const MAX_TEXT = 4000;
const MAX_HINTS = 20;
const FOCUSABLE = "input, select, textarea, button, summary, a";
const PARTS = ["scenario", "words", "task", "change", "hints"] as const;
type Part = (typeof PARTS)[number];

/* With the focus where it was. */
function fill(room: HTMLElement, ...content: Child[]) {
  const all = () => [...room.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const active = document.activeElement;
  const place = active instanceof HTMLElement ? all().indexOf(active) : -1;
  const caret = active instanceof HTMLInputElement && active.type === "search" ? active.selectionStart : null;
  room.replaceChildren(...content.filter((one) => one !== null && one !== undefined));
  if (place < 0) return;
  const next =
    (active?.id && room.querySelector<HTMLElement>(`#${active.id}`)) || all()[place] || all().at(-1);
  next?.focus({ preventScroll: true });
  if (caret !== null && next instanceof HTMLInputElement) next.setSelectionRange(caret, caret);
}

function scenario(found: Offers | null) {
  const error = offersError();
  if (!found) {
    const lines = (error || msg("author.running")).split("\n");
    return lines.map((line) => h("p", { class: error ? "author-error" : "quiet" }, line));
  }
  const { scenario, schedulers, address } = found;
  const open = address && h("a", { href: address }, msg("author.open_scenario"));
  return [
    h("p", {}, h("strong", {}, scenario.name || msg("shared.untitled")), `: ${scenario.says}`),
    h("p", {}, msg("author.under", { schedulers: schedulers.join(", ") })),
    h("p", { class: "quiet" }, open || null, open ? ". " : null, msg("author.bring_back")),
    error ? h("p", { class: "author-error" }, error) : null,
  ];
}

/* A field of the draft's own words. */
function written(
  key: "title" | "learn" | "text" | "explanation",
  title: string,
  help: string,
  letters = MAX_LINE,
  rows = 1,
) {
  const control = words(theDraft()[key], (value) => edit({ [key]: value }, key), letters, rows);
  return field(key, title, control, help);
}

function text() {
  return [
    written("title", msg("author.title"), ""),
    written("learn", msg("author.learn"), msg("author.learn_help")),
    written("text", msg("author.text"), msg("author.text_help"), MAX_TEXT, 6),
  ];
}

function hints() {
  const { hints } = theDraft();
  const turn = (next: string[]) => {
    edit({ hints: next });
    draw("hints");
  };
  const now = () => theDraft().hints;
  const without = (place: number) => now().filter((_, at) => at !== place);
  const moved = (from: number, to: number) => {
    const next = without(from);
    next.splice(to, 0, now()[from] ?? "");
    turn(next);
  };
  const row = (hint: string, place: number) => {
    const number = place + 1;
    const set = (value: string) =>
      edit({ hints: theDraft().hints.map((one, at) => (at === place ? value : one)) }, `hint-${place}`);
    const mark = (label: string, title: string) => ({ "aria-label": label, title });
    const up = mark(msg("author.hint_up", { number }), msg("author.up"));
    const down = mark(msg("author.hint_down", { number }), msg("author.down"));
    const away = { "aria-label": msg("author.hint_remove", { number }) };
    return h(
      "li",
      {},
      field(`hints[${place}]`, msg("author.hint", { number }), words(hint, set, MAX_LINE, 2)),
      h(
        "div",
        { class: "author-tools" },
        button("↑", () => moved(place, place - 1), { ...up, disabled: place === 0 }),
        button("↓", () => moved(place, place + 1), { ...down, disabled: place === hints.length - 1 }),
        button(msg("author.remove"), () => turn(without(place)), away),
      ),
    );
  };
  const add = () => {
    turn([...now(), ""]);
    the(`author-hints-${hints.length}-`).focus();
  };
  const more = button(msg("author.add_hint"), add, { disabled: hints.length >= MAX_HINTS });
  return [
    h("p", { class: "quiet" }, msg("author.hints_help")),
    h("ol", { class: "author-hints", "data-place": "hints" }, ...hints.map(row)),
    more,
    written("explanation", msg("author.explanation"), msg("author.explanation_help"), MAX_TEXT, 6),
  ];
}

const again = () => {
  draw("task");
  draw("change");
};
const waiting = () => [
  h("p", { class: "quiet" }, offersError() ? msg("author.mend_first") : msg("author.running")),
];

const CONTENT: Record<Part, (found: Offers | null) => Child[]> = {
  scenario,
  words: text,
  task: (found) => (found ? taskForm(found, again) : waiting()),
  change: (found) =>
    found ? [h("p", { class: "quiet" }, msg("author.change_help")), ...changeForm(found, again)] : waiting(),
  hints,
};

export function draw(part: Part) {
  fill(the(`author-part-${part}`), ...CONTENT[part](offers()));
  if (part === "task") the("author-section-change").hidden = theDraft().task?.kind !== "reach";
}

/* Another exercise, or another state of it. */
export function drawAll() {
  const found = offers();
  if (found) openTicked(found);
  for (const part of PARTS) draw(part);
}

/* What can be asked has come. */
export function drawOffered() {
  const found = offers();
  if (found && !theDraft().task) edit({ task: usualTask(found) });
  if (found) openTicked(found);
  for (const part of ["scenario", "task", "change"] as const) draw(part);
}

export function formElement() {
  const section = (part: Part, place: string, title: string) =>
    h(
      "section",
      {
        id: `author-section-${part}`,
        class: "author-part card",
        "data-place": place,
        "aria-labelledby": `author-title-${part}`,
      },
      h("h2", { id: `author-title-${part}` }, title),
      h("div", { id: `author-part-${part}` }),
    );
  return h(
    "div",
    { class: "author-form" },
    section("scenario", "scenario", msg("author.part_scenario")),
    section("words", "words", msg("author.part_words")),
    section("task", "task", msg("author.part_task")),
    section("change", "change", msg("author.part_change")),
    section("hints", "hints-and-explanation", msg("author.part_hints")),
  );
}
