/* A span of time: Shift and drag selects it for its statistics while a plain drag pans; a switch swaps the two. Arrow keys with Shift do it by keyboard. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const none = () => window.dash_clientside.no_update;
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const charts = gantry.charts;
  const LEAST_PX = 4;
  const STEP = 0.02; // of the window, by an arrow key

  const state = { span: null, swapped: false, from: null };
  gantry.span = () => state.span;

  /* The span lies over every chart, wherever they are zoomed to. */
  gantry.spanned = function () {
    for (const gd of charts.all()) {
      const band = gd.closest(".chart").querySelector(".span");
      const { _offset: offset, _length: length, range } = gd._fullLayout.xaxis;
      const at = (ms) => Math.min(Math.max(((ms / 1000 - range[0]) / (range[1] - range[0])) * length, 0), length);
      const [left, right] = state.span ? [at(state.span.x0), at(state.span.x1)] : [0, 0];
      band.hidden = right - left < 1;
      if (!band.hidden) Object.assign(band.style, { transform: `translateX(${offset + left}px)`, width: `${right - left}px` });
    }
  };

  const mark = function (a, b, done) {
    const { whole } = charts.view;
    const inside = (ms) => Math.round(Math.min(Math.max(ms, whole.x0), whole.x1));
    state.span = { x0: inside(Math.min(a, b)), x1: inside(Math.max(a, b)) };
    if (state.span.x1 <= state.span.x0) state.span = null;
    gantry.spanned();
    if (done) set("span", { data: state.span });
  };

  const drop = (gantry.dropSpan = function () {
    if (!state.span) return false;
    state.span = null;
    gantry.spanned();
    set("span", { data: null });
    return true;
  });

  const time = function (gd, event) {
    const { _offset: offset, _length: length, range } = gd._fullLayout.xaxis;
    const share = (event.clientX - gd.getBoundingClientRect().left - offset) / length;
    return 1000 * (range[0] + share * (range[1] - range[0]));
  };

  document.addEventListener(
    "mousedown",
    (event) => {
      const gd = event.button === 0 && event.target.closest && event.target.closest("#cards .chart .js-plotly-plot");
      if (!gd || event.shiftKey === state.swapped || !charts.view.whole) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      gd.closest(".chart").focus({ preventScroll: true });
      const from = { ms: time(gd, event), x: event.clientX };
      const move = (moved) => mark(from.ms, time(gd, moved), false);
      const up = function (ended) {
        document.removeEventListener("mousemove", move, true);
        document.removeEventListener("mouseup", up, true);
        if (Math.abs(ended.clientX - from.x) < LEAST_PX) return drop();
        mark(from.ms, time(gd, ended), true);
      };
      document.addEventListener("mousemove", move, true);
      document.addEventListener("mouseup", up, true);
    },
    true,
  );

  document.addEventListener(
    "keydown",
    (event) => {
      const chart = event.target.closest && event.target.closest(".chart");
      if (event.key === "Escape" && state.span && !document.querySelector("[role=dialog]")) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return drop();
      }
      if (!chart || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || !["ArrowLeft", "ArrowRight"].includes(event.key) || !charts.view.whole) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const { x0, x1 } = charts.now();
      const by = (x1 - x0) * STEP * (event.key === "ArrowRight" ? 1 : -1);
      const { x0: first, x1: last } = state.span || { x0: (x0 + x1) / 2, x1: (x0 + x1) / 2 };
      mark(first, Math.max(last + by, first), true);
    },
    true,
  );

  document.addEventListener("click", (event) => {
    const turn = event.target.closest("#drag-mode");
    if (turn) {
      state.swapped = !state.swapped;
      turn.setAttribute("aria-pressed", String(state.swapped));
      document.getElementById("cards").toggleAttribute("data-selects", state.swapped);
    }
    const button = event.target.closest("[data-span]");
    if (button && button.dataset.span === "drop") drop();
    if (button && button.dataset.span === "fit") charts.keys.f();
  });

  /* Another result: a span of the one before says nothing about it. */
  const outlived = function (result) {
    if (result && state.span && result.key !== charts.view.key) drop();
    return none();
  };

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { outlived });
})();
