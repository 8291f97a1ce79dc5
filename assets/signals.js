/* The strips of signals below the charts: asked for once the charts are painted, and whenever they show something else than these. */
(function () {
  "use strict";
  const none = () => window.dash_clientside.no_update;
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const PAINTED_MS = 60;

  const wanted = { open: false, all: false };
  let asked = null;
  let timer = 0;

  const strips = () => Array.from(document.querySelectorAll(".strips .js-plotly-plot"));

  /* A zoom needs nothing new while every strip holds all of the run. */
  const fits = function (want) {
    if (!asked) return false;
    const { window: looked, ...rest } = want;
    const { window: before, ...other } = asked;
    if (JSON.stringify(rest) !== JSON.stringify(other)) return false;
    if (JSON.stringify(looked) === JSON.stringify(before)) return true;
    return strips().every((gd) => gd.layout && gd.layout.meta.drawn.key === want.key && gd.layout.meta.complete);
  };

  const needSignals = function (result, viewport, highlight, scheme, width, kept) {
    Object.assign(wanted, kept || {});
    clearTimeout(timer);
    if (!result || !(result.signals || document.querySelector(".signals header"))) return none();
    const want = { key: result.key, schedulers: result.schedulers, window: viewport, highlight, dark: scheme === "dark", width, ...wanted };
    if (fits(want)) return none();
    const ask = function () {
      asked = want;
      set("ask-signals", { data: want });
    };
    timer = setTimeout(() => requestAnimationFrame(ask), PAINTED_MS);
    return none();
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-signals]");
    if (!button) return;
    const what = button.dataset.signals;
    set("signals-wanted", { data: { ...wanted, [what]: !wanted[what] } });
  });

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { needSignals });
})();
