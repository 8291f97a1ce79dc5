/* What is told of files that were opened: under headings, what matters most first; what changes nothing is
   folded away at the end. */
import { h, the } from "../page/dom";
import { msg } from "../page/messages";
import type { Told } from "./facts";

const ASSUMED = "assumed"; // what is told in a sentence alone
const HEADINGS: Record<string, string> = {
  refused: msg("editor_notes.refused"),
  near: msg("editor_notes.near"),
  "not modelled": msg("editor_notes.not_modelled"),
  [ASSUMED]: msg("editor_notes.assumed"),
  "not read": msg("editor_notes.not_read"),
  read: msg("editor_notes.read"),
};
const ASIDE = ["beside", "default"];
let shown: Told[] | undefined;

const kindOf = (told: Told) => {
  const kind = typeof told === "string" ? ASSUMED : told?.kind;
  return kind in HEADINGS || ASIDE.includes(kind) ? kind : ASSUMED;
};
const textOf = (told: Told) => String(typeof told === "string" ? told : told?.text);

/* The sentences by heading, and those that change nothing. */
export function sorted(notes: Told[]) {
  const of = (...kinds: string[]) => notes.filter((told) => kinds.includes(kindOf(told))).map(textOf);
  const groups = Object.entries(HEADINGS).map(([kind, heading]) => ({ heading, texts: of(kind) }));
  return { groups: groups.filter(({ texts }) => texts.length), aside: of(...ASIDE) };
}

/* They stand on the page; what was folded stays so while they are the same. */
export function show(notes: Told[]) {
  if (notes === shown) return;
  shown = notes;
  const { groups, aside } = sorted(notes);
  const isOne = groups.length + Number(aside.length > 0) === 1;
  const list = (texts: string[]) => h("ul", {}, ...texts.map((text) => h("li", {}, text)));
  const fold = () =>
    h("details", {}, h("summary", {}, msg("editor_notes.beside", { count: aside.length })), list(aside));
  the("editor-assumed").replaceChildren(
    ...groups.flatMap(({ heading, texts }) => [...(isOne ? [] : [h("h4", {}, heading)]), list(texts)]),
    ...(aside.length ? [isOne ? list(aside) : fold()] : []),
  );
}
