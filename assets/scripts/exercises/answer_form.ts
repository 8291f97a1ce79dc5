/* The form of an exercise, made of its question's fields. */
import { h } from "../page/dom";
import { msg } from "../page/messages";

/* As engine/exercises/question.py has them; choices: none where a number is asked for. */
export interface Field {
  key: string;
  title: string;
  unit: string;
  low: number | null;
  high: number | null;
  step: number | null;
  value: string | number | null;
  help?: string;
  choices: { value: string; label: string; detail: string }[];
}
export type Answer = Record<string, string | number>;

const MAX_CARDS = 8; // choices beside each other; more are a menu
const LONG = 24; // letters of a choice that need more room

/* A number as people write it: with a point or a comma, of seconds also as a clock (1:16, 1:02:03). null for
   all else, as for 1,024, which may be meant either way. */
export function numberOf(text: string, unit: string) {
  const clock = unit === "s" && text.match(/^(?:(\d+):)?(\d+):([0-5]?\d(?:[.,]\d+)?)$/);
  const of = (part: string | undefined) => Number((part ?? "0").replace(",", "."));
  if (clock) return 3600 * of(clock[1]) + 60 * of(clock[2]) + of(clock[3]);
  if (/^[1-9]\d{0,2},\d{3}$/.test(text) || !/^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i.test(text))
    return null;
  return Number.isFinite(of(text)) ? of(text) : null;
}

const idOf = (key: string) => `exercise-field-${key}`;
const helpId = (key: string) => `${idOf(key)}-help`;
const helpOf = ({ key, help }: Field) => help && h("p", { class: "exercise-help", id: helpId(key) }, help);
const described = ({ key, help }: Field) => ({ "aria-describedby": help ? helpId(key) : null });

function cards(field: Field) {
  const { key, title, choices, value } = field;
  const card = (one: Field["choices"][number]) =>
    h(
      "label",
      { class: "exercise-card" },
      h("input", { type: "radio", name: key, value: one.value, checked: String(value) === one.value }),
      h("span", {}, one.label, one.detail ? h("small", {}, one.detail) : null),
    );
  const legend = h("legend", {}, title);
  const isLong = choices.some(({ label }) => label.length > LONG);
  const room = h("div", { class: "exercise-cards", "data-long": isLong }, ...choices.map(card));
  return h("fieldset", described(field), legend, helpOf(field), room);
}

function menu(field: Field) {
  const { key, title, choices, value } = field;
  const words = (one: Field["choices"][number]) => (one.detail ? `${one.label} (${one.detail})` : one.label);
  const options = choices.map((one) =>
    h("option", { value: one.value, selected: String(value) === one.value }, words(one)),
  );
  const none = value === null ? h("option", { value: "" }, msg("exercises.choose")) : null;
  const select = h("select", { name: key, id: idOf(key), ...described(field) }, none, ...options);
  return [h("label", { for: idOf(key) }, title), select];
}

/* A text, for a browser's field of numbers drops a comma without a word. low and high together: a slider too,
   which the number follows and leads. */
function number(field: Field) {
  const { key, title, unit, low, high, step, value } = field;
  const bounds = { min: low, max: high, step: step ?? "any" };
  const input = h("input", {
    ...described(field),
    id: idOf(key),
    name: key,
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    value: value ?? "",
    "aria-label": unit ? `${title} (${unit})` : title,
  });
  const label = h("label", { for: idOf(key) }, title);
  const parts = [label, input, unit ? h("span", { class: "exercise-unit" }, unit) : null];
  if (low === null || high === null) return parts;
  const slider = h("input", { ...bounds, type: "range", value: value ?? low, "aria-label": title });
  slider.addEventListener("input", () => {
    input.value = slider.value;
  });
  input.addEventListener("input", () => {
    const value = numberOf(input.value.trim(), unit);
    if (value !== null) slider.value = String(value);
  });
  return [...parts, slider, h("small", {}, msg("exercises.range", { low, high }))];
}

export function fieldElement(field: Field) {
  if (field.choices.length && field.choices.length <= MAX_CARDS) return cards(field);
  const parts = field.choices.length ? menu(field) : number(field);
  return h("div", { class: "exercise-field" }, ...parts, helpOf(field));
}

/* What the form says, with numbers as numbers; else a sentence, which is of the first field that has none. */
export function answerOf(form: HTMLFormElement, fields: Field[]): Answer | string {
  const answer: Answer = {};
  for (const { key, title, unit, choices } of fields) {
    const text = String(new FormData(form).get(key) ?? "").trim();
    const value = choices.length ? text : numberOf(text, unit);
    if (value === null) return msg("exercises.no_number", { title });
    if (value !== "") answer[key] = value;
  }
  return answer;
}

/* The same in words, for the list of what was tried. */
export function wordsOf(answer: Answer, fields: Field[]) {
  const words = fields.map(({ key, title, unit, choices }) => {
    const value = answer[key];
    if (value === undefined) return "";
    const chosen = choices.find((one) => one.value === value);
    return `${title} = ${chosen ? chosen.label : `${value} ${unit}`.trim()}`;
  });
  return words.filter(Boolean).join("; ");
}
