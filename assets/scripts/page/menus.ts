/* A menu is a native <details class="menu">, or one of the editor: opened, its first entry has the focus;
   arrows, Home and End walk in it; Escape, a choice and a click elsewhere close it. */
import { closest, isField } from "./dom";

const ENTRIES = ":scope :is(a[href], button:not([disabled]), input, select)";
const MENUS = "details:is(.menu, .editor-choices)";
const openMenu = () => document.querySelector<HTMLDetailsElement>(`${MENUS}[open]`);
const isIn = (menu: Element, { target }: Event) => target instanceof Node && menu.contains(target);

function close(menu: HTMLDetailsElement, hasFocus: boolean) {
  menu.open = false;
  if (hasFocus) menu.querySelector("summary")?.focus();
}

/* Whether the key is one of the menu's. */
function walk(menu: Element, key: string) {
  const entries = [...menu.querySelectorAll<HTMLElement>(ENTRIES)];
  const at = entries.findIndex((entry) => entry.matches(":focus"));
  const places: Record<string, number> = {
    ArrowDown: (at + 1) % entries.length,
    ArrowUp: (at > 0 ? at : entries.length) - 1,
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
    walk(target, "Home");
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
    if (event.key === "Escape") close(menu, true);
    else if (isField(event.target) || !walk(menu, event.key)) return; // arrows are the field's
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", pressed, true);
}
