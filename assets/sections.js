/* A section below the charts is computed once it comes near the window. Jump links move without leaving an address behind. */
(function () {
  "use strict";
  const NEAR = "600px";
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        seen.unobserve(entry.target);
        window.dash_clientside.set_props(`${entry.target.id}-seen`, { data: true });
      }
    },
    { rootMargin: NEAR },
  );

  /* Before the charts are there, what comes below them stands near the window. */
  const find = function () {
    if (!document.querySelector("#cards .js-plotly-plot")) return;
    for (const section of document.querySelectorAll("section.lazy:not([data-lazy])")) {
      section.dataset.lazy = "yes";
      seen.observe(section);
    }
  };
  new MutationObserver(find).observe(document.documentElement, { childList: true, subtree: true });

  /* A table is made when it is first opened. */
  document.addEventListener(
    "toggle",
    (event) => {
      if (event.target.matches("details.picture-table[open]")) window.dash_clientside.set_props(`${event.target.dataset.key}-open`, { data: true });
    },
    true,
  );

  document.addEventListener("click", (event) => {
    const link = event.target.closest(".jumps a");
    const target = link && document.getElementById(link.hash.slice(1));
    if (!target) return;
    event.preventDefault();
    target.scrollIntoView();
    const head = target.querySelector("h2, .chart") || target;
    if (!head.hasAttribute("tabindex")) head.setAttribute("tabindex", "-1");
    head.focus({ preventScroll: true });
  });
})();
