/* A menu is a native <details class="menu">, or one of the editor: opened, its first entry has the focus;
   arrows, Home and End walk in it; Escape, a choice and a click elsewhere close it. */
const ENTRIES = ":scope a[href], :scope button:not([disabled])";
const MENUS = "details:is(.menu, .editor-choices)";
const opened = () => document.querySelector(`${MENUS}[open]`);

const close = function (menu, returns) {
  menu.open = false;
  if (returns) menu.firstElementChild.focus();
};

const walk = function (menu, key) {
  const entries = [...menu.querySelectorAll(ENTRIES)];
  const at = entries.indexOf(document.activeElement);
  const next = {
    ArrowDown: (at + 1) % entries.length,
    ArrowUp: (at > 0 ? at : entries.length) - 1,
    Home: 0,
    End: entries.length - 1,
  }[key];
  if (next === undefined || !entries.length) return false;
  entries[next].focus();
  return true;
};

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!target.open || !target.matches(MENUS)) return;
    target.lastElementChild.scrollIntoView({ block: "nearest" });
    walk(target, "Home");
  },
  true,
);
document.addEventListener("click", ({ target }) => {
  const menu = opened();
  if (menu && (!menu.contains(target) || target.closest("a, button"))) close(menu, menu.contains(target));
});
document.addEventListener(
  "focusin",
  ({ target }) => opened() && !opened().contains(target) && close(opened(), false),
);
/* Before others hear of Escape, which also takes back what is highlighted. */
document.addEventListener(
  "keydown",
  (event) => {
    const menu = opened();
    if (!menu || !menu.contains(event.target)) return;
    if (event.key === "Escape") close(menu, true);
    else if (!walk(menu, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
