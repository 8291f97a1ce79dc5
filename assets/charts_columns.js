/* Charts side by side, or one below the other at the page's full width; the choice stays in this browser. */
(function () {
  "use strict";
  const KEY = "gantry-single";
  const single = () => window.localStorage.getItem(KEY) === "yes";

  const show = function () {
    const cards = document.getElementById("cards");
    const button = document.getElementById("card-columns");
    if (!cards || !button || cards.hasAttribute("data-single") === single()) return;
    cards.toggleAttribute("data-single", single());
    button.setAttribute("aria-pressed", String(!single()));
    window.dispatchEvent(new Event("resize"));
    window.dash_clientside.set_props("width", { data: window.gantry.width() });
  };
  new MutationObserver(show).observe(document.documentElement, { childList: true, subtree: true });

  document.addEventListener("click", (event) => {
    if (!event.target.closest("#card-columns")) return;
    window.localStorage.setItem(KEY, single() ? "no" : "yes");
    show();
  });
})();
