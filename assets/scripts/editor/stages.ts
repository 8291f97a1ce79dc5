/* The stages of an application: a list whose items name earlier ones that they come after. */
import { h } from "../page/dom";
import { msg } from "../page/messages";
import { same } from "../page/state";
import type { Row } from "./facts";
import * as lines from "./lines";

export const nameOf = ({ name }: Row, index: number) => String(name || `stage${index + 1}`);
const afterOf = ({ after }: Row) => (Array.isArray(after) ? after.map(String) : []);

/* A stage without what it comes after, where that is none. */
function withAfter({ after: _, ...stage }: Row, after: string[]): Row {
  return after.length ? { ...stage, after } : stage;
}

/* Each with its name, as others call it wherever it comes to stand. */
const named = (stages: Row[]) =>
  stages.map((stage, index) => ({ ...stage, name: nameOf(stage, index) }) as Row);

/* A new one is like the last, and comes after it where stages do; first: one where there is none. */
export function fresh(stages: Row[], first: Row, isAfter: boolean): Row {
  const names = stages.map(nameOf);
  let number = stages.length + 1;
  while (names.includes(`stage${number}`)) number++;
  const like = { ...(stages.at(-1) ?? first), name: `stage${number}` };
  return withAfter(like, isAfter ? names.slice(-1) : []);
}

/* Those that come after it go along, unless a name is then of two. */
export function renamed(stages: Row[], index: number, name: unknown) {
  const names = stages.map(nameOf);
  const { name: _, ...unnamed } = stages[index] ?? {};
  const next = stages.with(index, name === undefined ? unnamed : { ...unnamed, name });
  const [before, after] = [names[index], nameOf(next[index] ?? {}, index)];
  const bearers = names.filter((one) => one === before || one === after);
  if (bearers.length > 1) return next;
  return next.map((stage) =>
    withAfter(
      stage,
      afterOf(stage).map((one) => (one === before ? after : one)),
    ),
  );
}

export function without(stages: Row[], index: number) {
  const all = named(stages);
  const [gone] = all.splice(index, 1);
  const names = all.map(nameOf);
  const isGone = (one: string) => one === gone?.name && !names.includes(one);
  return all.map((stage) =>
    withAfter(
      stage,
      afterOf(stage).filter((one) => !isGone(one)),
    ),
  );
}

/* by: 1 for later, -1 for earlier. */
export function moved(stages: Row[], index: number, by: number) {
  const all = named(stages);
  const [stage] = all.splice(index, 1);
  if (!stage || index + by < 0 || index + by > all.length) return stages;
  return all.toSpliced(index + by, 0, stage);
}

/* What a stage comes after: those chosen, each with a button that removes it, and a choice of the other
   earlier ones. choose: they are others now. */
export function choice(title: string, path: string, onfocus: () => void, choose: (after: string[]) => void) {
  const fault = h("small", { class: "editor-error" });
  const held = h("span", { class: "editor-value editor-chips" });
  const control = h("select", { class: "editor-input", "data-path": path, "aria-label": title, onfocus });
  const label = h("div", { class: "editor-field editor-field-names" });
  label.append(h("span", { class: "editor-label" }, title), held, fault);
  let after: string[] = [];
  let earlier: string[] = [];
  control.addEventListener("change", () => choose([...after, control.value]));

  function chip(name: string) {
    const drop = () => {
      choose(after.filter((one) => one !== name));
      control.focus();
    };
    const title = msg("editor_stages.not_after", { name });
    const kind = earlier.includes(name) ? "editor-button" : "editor-button editor-chip-wrong";
    return lines.button(`${name} ×`, { class: kind, title, "aria-label": title, onclick: drop });
  }

  const show = (stages: Row[], index: number, message = "") => {
    const before = [after, earlier];
    [after, earlier] = [afterOf(stages[index] ?? {}), stages.slice(0, index).map(nameOf)];
    fault.textContent = message;
    control.setAttribute("aria-invalid", String(message !== ""));
    label.hidden = !after.length && !earlier.length;
    if (same(before, [after, earlier])) return;
    const others = earlier.filter((name) => !after.includes(name));
    control.replaceChildren(
      new Option(msg("editor_stages.choose"), ""),
      ...others.map((name) => new Option(name, name)),
    );
    if (!control.parentNode) held.append(control);
    for (const old of held.querySelectorAll("button")) old.remove();
    control.before(...after.map(chip));
  };
  return { label, show };
}
