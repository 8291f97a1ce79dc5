/* Queues as a tree: each line indented below its parent, with its part of the cluster drawn to scale where
   it begins, by weight or by capacity. */
import { h, hear } from "../page/dom";
import { msg } from "../page/messages";
import { percent } from "../page/quantities";
import { on, state } from "../page/state";
import type { Line } from "./facts";
import * as lines from "./lines";
import * as rowEdits from "./rows";

const SAYS: Record<string, string> = {
  weight: msg("editor_queues.by_weight"),
  capacity: msg("editor_queues.by_capacity"),
};
let chosen: string | undefined;

/* What the bars show: what was clicked, else what the chosen schedulers go by. */
function basis() {
  if (chosen) return chosen;
  const names = (state().draft?.schedulers ?? []).map((name) => name.replace(/[(+].*/s, ""));
  return names.some((name) => name.endsWith("capacity")) && !names.some((name) => /fair|drf/.test(name))
    ? "capacity"
    : "weight";
}

/* The cluster as a track from end to end: the part, and paler the most that the queue may have. */
function bar([begin, part, most, words]: [number, number, number, string]) {
  const values = { begin, part, most, from: Math.max(0, Math.min(begin, 1 - most)) };
  const isLimited = most < 1;
  const says = SAYS[basis()] ?? "";
  const title = isLimited
    ? msg("editor_queues.share_with_limit", { part: words, basis: says, limit: percent(most) })
    : msg("editor_queues.share", { part: words, basis: says });
  const kind = isLimited ? "queue-bar queue-limited" : "queue-bar";
  const style = Object.entries(values).map(([name, value]) => `--${name}:${value}`);
  return h("span", { class: kind, style: style.join(";"), title }, h("span"), h("span"));
}

/* What stands below a queue that stands in no list: its fields are the defaults until it does. */
function implied(path: string) {
  const says = path === "root" ? msg("editor_queues.cluster") : msg("editor_queues.not_listed", { path });
  const list = lines.button(msg("editor_queues.list"), { "data-action": "list" });
  return [h("p", { class: "editor-help" }, says), list];
}

/* A line of the tree, once it has its name and parts. */
export function line({ node, summary, room }: lines.Item, { rows, path = "", depth = 0, bars = {} }: Line) {
  const drawn = bars[basis()];
  summary.querySelector(".editor-aside")?.before(h("span", { class: "queue-share" }, drawn?.[3]));
  summary.append(drawn ? bar(drawn) : h("span", { class: "queue-bar" }));
  summary.title = path;
  node.style.setProperty("--depth", String(depth));
  node.classList.add("queue-line");
  node.classList.toggle("queue-implied", rows === null);
  if (rows === null) room.replaceChildren(...implied(path));
}

function show() {
  for (const button of document.querySelectorAll<HTMLElement>("#editor-queues-basis [data-basis]"))
    button.setAttribute("aria-pressed", String(button.dataset.basis === basis()));
}

/* A queue below another, and one that was only implied. */
const pathOf = (button: Element) => lines.lineOf(button)?.path ?? "";
export const below = (button: Element) => rowEdits.addLast("queues", { name: `${pathOf(button)}.queue` });
export const list = (button: Element) => rowEdits.addLast("queues", { name: pathOf(button) });

export function listen() {
  hear("click", "#editor-queues-basis [data-basis]", ({ dataset }) => {
    chosen = dataset.basis;
    lines.showLines();
    show();
  });
  on(["draft", "outline"], show);
}
