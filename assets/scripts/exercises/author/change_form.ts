/* What a student may change: the scenario's numbers and its schedulers, each ticked with its range or its
   choices; all else is locked. */
import { h } from "../../page/dom";
import { msg } from "../../page/messages";
import { type Change, edit, theDraft } from "./draft";
import { button, field, number, tick } from "./fields";
import type { Changeable, Offers } from "./offers";

const MANY = 12; // numbers, from which on one looks for them by their names

let sought = "";
const opened = new Set<string>(); // groups

/* Its range, or its choices: at first a scheduler beside the present one. */
function changeOf({ path, low, high, step, choices, value }: Changeable): Change {
  if (!choices.length) return { path, low, high, step };
  const others = choices.filter((one) => one.value !== value);
  return { path, choices: [String(value), ...others.slice(0, 1).map((one) => one.value)] };
}

const put = (place: number, changes: Partial<Change>, key = "") =>
  edit({ change: theDraft().change.map((one, at) => (at === place ? { ...one, ...changes } : one)) }, key);

function range(change: Change, place: number, { unit, title }: Changeable) {
  const where = `change[${place}]`;
  const one = (key: "low" | "high" | "step", label: string) => {
    const control = number(change[key], (value) => put(place, { [key]: value }, `${where}.${key}`));
    control.setAttribute("aria-label", `${title}: ${label}`);
    return field(`${where}.${key}`, label, control, "", unit);
  };
  return h(
    "div",
    { class: "author-row" },
    one("low", msg("author.low")),
    one("high", msg("author.high")),
    one("step", msg("author.step")),
  );
}

function words(change: Change, place: number, { choices, value, title }: Changeable, again: () => void) {
  const chosen = change.choices ?? [];
  const all = choices.map((one) => one.value);
  const ticks = choices.map((one) => {
    const set = (isTicked: boolean) => {
      put(place, { choices: all.filter((own) => (own === one.value ? isTicked : chosen.includes(own))) });
      again();
    };
    return tick(chosen.includes(one.value), [one.label], set, one.value === value);
  });
  const label = { "aria-label": title, role: "group" };
  return h("div", { class: "author-ticks", "data-place": `change[${place}].choices`, ...label }, ...ticks);
}

function row(one: Changeable, again: () => void) {
  const { change } = theDraft();
  const place = change.findIndex(({ path }) => path === one.path);
  const set = (isTicked: boolean) => {
    const others = theDraft().change.filter(({ path }) => path !== one.path);
    const task = theDraft().task;
    const cost = task?.cost?.filter(({ path }) => path !== one.path);
    edit({
      change: isTicked ? [...others, changeOf(one)] : others,
      ...(task && cost && !isTicked ? { task: { ...task, cost } } : {}),
    });
    again();
  };
  const present = h("small", {}, ` ${msg("author.now", { value: one.present })}`);
  const own = change[place];
  return h(
    "div",
    { class: "author-change", ...(own ? { "data-place": `change[${place}]` } : {}) },
    tick(own !== undefined, [one.title, present], set),
    own ? (one.choices.length ? words(own, place, one, again) : range(own, place, one)) : null,
  );
}

/* What was ticked and is no longer there. */
function lost(path: string, place: number, again: () => void) {
  const remove = () => {
    edit({ change: theDraft().change.filter((one) => one.path !== path) });
    again();
  };
  return h(
    "div",
    { class: "author-change", "data-place": `change[${place}]` },
    h("span", {}, msg("author.lost", { path })),
    button(msg("author.remove"), remove, { "aria-label": msg("author.remove_path", { path }) }),
  );
}

export function changeForm({ changes }: Offers, again: () => void) {
  const { change } = theDraft();
  const known = new Set(changes.map(({ path }) => path));
  const isTicked = ({ path }: Changeable) => change.some((one) => one.path === path);
  const isSought = ({ title, path }: Changeable) =>
    `${title} ${path}`.toLowerCase().includes(sought.toLowerCase().trim());
  const groups = [...new Set(changes.map(({ group }) => group))].map((group) => {
    const members = changes.filter((one) => one.group === group);
    const shown = members.filter((one) => isSought(one) || isTicked(one));
    const count = members.filter(isTicked).length;
    const title = count ? msg("author.group_free", { group, count }) : group;
    const isOpen = opened.has(group) || (sought.trim() !== "" && shown.some(isSought));
    const fold = h(
      "details",
      { class: "author-group", open: isOpen, hidden: !shown.length },
      h("summary", {}, title),
      ...shown.map((one) => row(one, again)),
    );
    fold.addEventListener("toggle", () => (fold.open ? opened.add(group) : opened.delete(group)));
    return fold;
  });
  const search = h("input", { type: "search", autocomplete: "off" });
  search.value = sought;
  search.addEventListener("input", () => {
    sought = search.value;
    again();
  });
  return [
    changes.length > MANY ? field("change-sought", msg("author.sought"), search) : null,
    ...change.map(({ path }, place) => (known.has(path) ? null : lost(path, place, again))),
    ...groups,
  ];
}

/* The folds of what is ticked stand open when an exercise is opened. */
export function openTicked({ changes }: Offers) {
  sought = "";
  opened.clear();
  const free = new Set(theDraft().change.map(({ path }) => path));
  for (const { path, group } of changes) if (free.has(path)) opened.add(group);
}
