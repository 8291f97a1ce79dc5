/* What the form is made of: fields that know their place in the exercise's file, by which what is wrong with
   it is shown at them. */
import { type Child, h } from "../../page/dom";
import { msg } from "../../page/messages";
import type { Choice } from "./offers";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
export interface Fault {
  path: string;
  message: string;
}

export const idOf = (place: string) => `author-${place.replace(/\W+/g, "-")}`;

/* A title above its control; help: below it; unit: behind it. */
export function field(place: string, title: string, control: Control, help = "", unit = "") {
  control.id = idOf(place);
  const about = help && h("small", { id: `${control.id}-help` }, help);
  if (about) control.setAttribute("aria-describedby", about.id);
  const line = unit ? h("div", { class: "author-line" }, control, h("span", {}, unit)) : control;
  return h(
    "div",
    { class: "author-field", "data-place": place },
    h("label", { for: control.id }, title),
    line,
    about || null,
  );
}

/* rows: 1 is a line. */
export function words(value: string, set: (value: string) => void, maxlength: number, rows = 1) {
  const control = rows > 1 ? h("textarea", { rows, maxlength }) : h("input", { type: "text", maxlength });
  control.value = value;
  control.addEventListener("input", () => set(control.value));
  return control;
}

/* What is no number is undefined. */
export function number(
  value: number | undefined,
  set: (value: number | undefined) => void,
  bounds: { min?: number; max?: number; step?: number | "any" } = {},
) {
  const control = h("input", {
    type: "number",
    inputmode: "decimal",
    autocomplete: "off",
    step: "any",
    ...bounds,
  });
  control.value = value === undefined ? "" : String(value);
  control.addEventListener("input", () => {
    const text = control.value.trim();
    set(text && Number.isFinite(Number(text)) ? Number(text) : undefined);
  });
  return control;
}

/* A value that is not among the choices stays one of them; "" is none yet. */
export function choice(value: string, choices: Choice[], set: (value: string) => void) {
  const isKnown = choices.some((one) => one.value === value);
  const own = isKnown ? [] : [{ value, label: value || msg("author.choose") }];
  const control = h(
    "select",
    {},
    ...[...own, ...choices].map((one) =>
      h("option", { value: one.value, selected: one.value === value }, one.label),
    ),
  );
  control.addEventListener("change", () => set(control.value));
  return control;
}

export function tick(checked: boolean, label: Child[], set: (checked: boolean) => void, disabled = false) {
  const control = h("input", { type: "checkbox", checked, disabled });
  control.addEventListener("change", () => set(control.checked));
  return h("label", { class: "author-tick" }, control, h("span", {}, ...label));
}

export const button = (title: string, onclick: () => unknown, more: object = {}) =>
  h("button", { class: "exercise-tool", onclick, ...more }, title);

/* The place of a fault on the form: its own, or the nearest around it. */
export function placeOf(room: ParentNode, path: string) {
  for (let at = path.replace("$", ""); at; at = at.replace(/(\.[^.[]*|\[\d+\]|^\w+)$/, "")) {
    const place = room.querySelector<HTMLElement>(`[data-place="${CSS.escape(at)}"]`);
    if (place) return place;
  }
  return room.querySelector<HTMLElement>('[data-place="scenario"]');
}

const controlOf = (place: HTMLElement) =>
  place.querySelector<HTMLElement>("input, select, textarea, button, a");

const helpOf = ({ id }: Element) => (document.getElementById(`${id}-help`) ? `${id}-help` : "");
const describe = (control: Element, ids: string) =>
  ids ? control.setAttribute("aria-describedby", ids) : control.removeAttribute("aria-describedby");

/* isShown(place): whether it is told at its field too. */
export function showFaults(room: HTMLElement, faults: Fault[], isShown: (place: HTMLElement) => boolean) {
  for (const old of room.querySelectorAll(".author-fault")) old.remove();
  for (const control of room.querySelectorAll("[aria-invalid]")) {
    control.removeAttribute("aria-invalid");
    describe(control, helpOf(control));
  }
  for (const { path, message } of faults) {
    const place = placeOf(room, path);
    if (!place || !isShown(place)) continue;
    const id = `${idOf(path)}-fault-${place.querySelectorAll(".author-fault").length}`;
    const said = h("p", { class: "author-fault", id }, message);
    if (!place.matches(".author-field")) {
      place.querySelector(":scope > h2, :scope > legend, :scope > label")?.after(said);
      if (!said.isConnected) place.append(said);
      continue;
    }
    place.append(said);
    const control = controlOf(place);
    if (!control) continue;
    control.setAttribute("aria-invalid", "true");
    describe(control, `${helpOf(control)} ${id}`.trim());
  }
}

/* To where it is mended. */
export function goTo(place: HTMLElement) {
  for (let fold = place.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true;
  const control = controlOf(place);
  place.scrollIntoView({ block: "center" });
  control?.focus({ preventScroll: true });
}

/* What a field is called. */
export const titleOf = (place: HTMLElement) =>
  place.querySelector("label, legend, h2, summary")?.textContent?.trim() ?? "";
