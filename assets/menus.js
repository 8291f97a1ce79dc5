/* Menus as a screen reader and a keyboard expect them: what opens one is said of its button, and an open one has its first item focused. */
(function () {
  "use strict";
  const SAID = ["aria-haspopup", "aria-expanded", "aria-controls"];
  const WRAPPERS = "div[aria-expanded][id^=mantine-][id$=-target]";
  let waits = false;

  /* Dash wraps the button, and Mantine says it of the wrapper, which has no role (mantinedev/mantine 6349). */
  const move = function (wrapper) {
    const button = wrapper.querySelector("button");
    if (!button) return;
    const open = wrapper.getAttribute("aria-expanded") === "true";
    const menu = document.getElementById(wrapper.getAttribute("aria-controls") || button.getAttribute("aria-controls"));
    for (const name of SAID) {
      if (wrapper.hasAttribute(name)) button.setAttribute(name, wrapper.getAttribute(name));
      wrapper.removeAttribute(name);
    }
    if (open) enter(menu);
    else button.removeAttribute("aria-controls");
    if (!open && menu && menu.contains(document.activeElement)) button.focus();
  };

  /* Mantine keeps an empty place for the focus in the menu, which no menu may hold (mantinedev/mantine 8971). */
  const enter = function (menu) {
    const first = menu && menu.querySelector("[role=menuitem]");
    if (!first) return;
    for (const place of menu.querySelectorAll(":scope > [data-autofocus]")) {
      place.setAttribute("role", "presentation");
      place.removeAttribute("tabindex");
      place.removeAttribute("data-autofocus");
    }
    first.focus({ preventScroll: true });
  };

  const look = function () {
    waits = false;
    for (const wrapper of document.querySelectorAll(WRAPPERS)) move(wrapper);
  };

  const later = function () {
    if (!waits) requestAnimationFrame(look);
    waits = true;
  };
  new MutationObserver(later).observe(document.documentElement, { subtree: true, childList: true, attributeFilter: SAID });
})();
