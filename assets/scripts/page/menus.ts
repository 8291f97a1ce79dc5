/* A menu is a native <details class="menu">, or one of the editor: opened, its first entry has the focus;
   arrows, Home and End walk in it; Escape, a choice and a click elsewhere close it. */
import { closest, isField } from "./dom";

const ENTRIES = ":scope :is(a[href], button:not([disabled]), input, select)";
const MENUS = "details:is(.menu, .editor-choices)";
const openMenu = () => document.querySelector<HTMLDetailsElement>(`${MENUS}[open]`);
const entries = (menu: Element) => [...menu.querySelectorAll<HTMLElement>(ENTRIES)];
const isIn = (menu: Element, { target }: Event) => target instanceof Node && menu.contains(target);

function close(menu: HTMLDetailsElement, hasFocus: boolean) {
  menu.open = false;
  if (hasFocus) menu.querySelector("summary")?.focus();
}

/* The focus goes to another of these; whether the key is one of theirs. */
export function walk(entries: HTMLElement[], key: string, [back, forth] = ["ArrowUp", "ArrowDown"]) {
  const at = entries.findIndex((entry) => entry.matches(":focus"));
  const places: Record<string, number> = {
    [forth]: (at + 1) % entries.length,
    [back]: (at > 0 ? at : entries.length) - 1,
    Home: 0,
    End: entries.length - 1,
  };
  const next = entries[places[key] ?? -1];
  next?.focus();
  return next !== undefined;
}

export function listen() {
  const toggled = ({ target }: Event) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open || !target.matches(MENUS)) return;
    target.lastElementChild?.scrollIntoView({ block: "nearest" });
    const all = entries(target);
    if (!all.some((entry) => entry.matches(":focus"))) walk(all, "Home"); // it is told late
  };
  document.addEventListener("toggle", toggled, true);
  document.addEventListener("click", (event) => {
    const menu = openMenu();
    if (menu && (!isIn(menu, event) || closest(event, "a, button"))) close(menu, isIn(menu, event));
  });
  document.addEventListener("focusin", (event) => {
    const menu = openMenu();
    if (menu && !isIn(menu, event)) close(menu, false);
  });
  // before others hear of Escape, which also takes back what is highlighted
  const pressed = (event: KeyboardEvent) => {
    const menu = openMenu();
    if (!menu || !isIn(menu, event)) return;
    if (event.key === "Escape") {
      close(menu, true);
      if (isField(event.target) && event.target.type === "search") return; // it is emptied too
    } else if (isField(event.target) || !walk(entries(menu), event.key)) return; // arrows are the field's
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", pressed, true);
}
