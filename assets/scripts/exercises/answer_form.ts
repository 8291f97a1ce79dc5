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
  choices: { value: string; label: string; detail: string }[];
}
export type Answer = Record<string, string | number>;

const MAX_CARDS = 8; // choices beside each other; more are a menu

function cards({ key, title, choices, value }: Field) {
  const card = (one: Field["choices"][number]) =>
    h(
      "label",
      { class: "exercise-card" },
      h("input", { type: "radio", name: key, value: one.value, checked: String(value) === one.value }),
      h("span", {}, one.label, one.detail ? h("small", {}, one.detail) : null),
    );
  const legend = h("legend", {}, title);
  return h("fieldset", {}, legend, h("div", { class: "exercise-cards" }, ...choices.map(card)));
}

function menu({ key, title, choices, value }: Field) {
  const words = (one: Field["choices"][number]) => (one.detail ? `${one.label} (${one.detail})` : one.label);
  const options = choices.map((one) =>
    h("option", { value: one.value, selected: String(value) === one.value }, words(one)),
  );
  const none = value === null ? h("option", { value: "" }, msg("exercises.choose")) : null;
  return h(
    "label",
    { class: "exercise-field" },
    h("span", {}, title),
    h("select", { name: key }, none, ...options),
  );
}

/* low and high together: a slider too, which the number follows and leads. */
function number({ key, title, unit, low, high, step, value }: Field) {
  const bounds = { min: low, max: high, step: step ?? "any" };
  const input = h("input", {
    ...bounds,
    name: key,
    type: "number",
    inputmode: "decimal",
    autocomplete: "off",
    value: value ?? "",
    "aria-label": unit ? `${title} (${unit})` : title,
  });
  const parts = [h("span", {}, title), input, unit ? h("span", { class: "exercise-unit" }, unit) : null];
  if (low === null || high === null) return h("label", { class: "exercise-field" }, ...parts);
  const slider = h("input", { ...bounds, type: "range", value: value ?? low, "aria-label": title });
  slider.addEventListener("input", () => {
    input.value = slider.value;
  });
  input.addEventListener("input", () => {
    slider.value = input.value;
  });
  const range = h("small", {}, msg("exercises.range", { low, high }));
  return h("div", { class: "exercise-field" }, ...parts, slider, range);
}

export const fieldElement = (field: Field) => {
  if (!field.choices.length) return number(field);
  return field.choices.length > MAX_CARDS ? menu(field) : cards(field);
};

/* What the form says: numbers as numbers, and nothing of what was left empty. */
export function answerOf(form: HTMLFormElement, fields: Field[]): Answer {
  const answer: Answer = {};
  for (const { key, choices } of fields) {
    const text = String(new FormData(form).get(key) ?? "").trim();
    if (!text) continue;
    const value = Number(text);
    answer[key] = choices.length || Number.isNaN(value) ? text : value;
  }
  return answer;
}

/* The same in words, for the list of what was tried. */
export function wordsOf(answer: Answer, fields: Field[]) {
  const words = fields.map(({ key, title, unit, choices }) => {
    const value = answer[key];
    if (value === undefined) return "";
    const chosen = choices.find((one) => one.value === value);
    return `${title}: ${chosen ? chosen.label : `${value} ${unit}`.trim()}`;
  });
  return words.filter(Boolean).join(", ");
}
