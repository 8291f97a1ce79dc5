/* Menus as a screen reader and a keyboard expect them: what opens one is announced by its button, and an open one has its first item focused. */
(function () {
  "use strict";
  const ARIA = ["aria-haspopup", "aria-expanded", "aria-controls"];
  const WRAPPERS = "div[aria-expanded][id^=mantine-][id$=-target]";
  const opened = new Set();
  let waits = false;

  /* Dash wraps the button, and Mantine sets it on the wrapper, which has no role (mantinedev/mantine 6349). */
  const move = function (wrapper) {
    const button = wrapper.querySelector("button");
    if (!button) return;
    const open = wrapper.getAttribute("aria-expanded") === "true";
    for (const name of ARIA) {
      if (wrapper.hasAttribute(name)) button.setAttribute(name, wrapper.getAttribute(name));
      wrapper.removeAttribute(name);
    }
    if (open) opened.add(button);
    else leave(button);
  };

  const menuOf = (button) => document.getElementById(button.getAttribute("aria-controls"));

  const leave = function (button) {
    const menu = menuOf(button);
    opened.delete(button);
    button.removeAttribute("aria-controls");
    if (menu && menu.contains(document.activeElement)) button.focus();
  };

  /* Mantine keeps an empty place for the focus in the menu, which no menu may hold (mantinedev/mantine 8971). */
  const enter = function (menu) {
    const first = menu && menu.querySelector("[role=menuitem]");
    if (!first) return false;
    for (const place of menu.querySelectorAll(":scope > [data-autofocus]")) {
      place.setAttribute("role", "presentation");
      place.removeAttribute("tabindex");
      place.removeAttribute("data-autofocus");
    }
    first.focus({ preventScroll: true });
    return document.activeElement === first;
  };

  const look = function () {
    waits = false;
    for (const wrapper of document.querySelectorAll(WRAPPERS)) move(wrapper);
    /* A menu may show some frames after its button says so. */
    for (const button of opened) if (!button.isConnected || enter(menuOf(button))) opened.delete(button);
    if (opened.size) later();
  };

  const later = function () {
    if (!waits) requestAnimationFrame(look);
    waits = true;
  };
  /* Without its empty place Mantine's focus trap, which may come last, chooses the menu itself. */
  document.addEventListener("focusin", (event) => event.target.matches("[role=menu]") && enter(event.target));
  new MutationObserver(later).observe(document.documentElement, { subtree: true, childList: true, attributeFilter: ARIA });
})();
