/* The decision beside the charts: opened by a click on a bar or Enter on a chart, stepped through by keys and buttons; the cursor and a frame around the bar follow it. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const none = () => window.dash_clientside.no_update;
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const PATIENCE_MS = 5000; // a step that has no answer by then no longer holds up the next
  const LEAST_PX = 6; // of the frame around a bar

  const panel = () => document.getElementById("decision");
  const isOpen = () => Boolean(panel() && !panel().hidden);

  /* `now` is the decision that is shown; `wish` the container last stepped to, which waits while `since` another is asked for. */
  const state = { now: null, wish: 0, since: 0 };

  const ask = function () {
    state.since = Date.now();
    set("step", { data: { index: state.now.index, container: state.wish, view: gantry.charts.want(), at: state.since } });
  };

  const go = function (container) {
    if (!state.now) return;
    state.wish = Math.min(Math.max(container, 0), state.now.of - 1);
    const busy = state.since && Date.now() - state.since < PATIENCE_MS;
    if (!busy && state.wish !== state.now.container) ask();
  };

  const close = function () {
    const chart = state.now && gantry.charts.all()[state.now.index];
    set("decision-data", { data: null });
    if (chart && panel().contains(document.activeElement)) chart.closest(".chart").focus({ preventScroll: true });
  };

  /* The decision that has come: the panel opens, the charts' window pans to hold it, and their cursor goes there. */
  const decided = function (data) {
    Object.assign(state, { now: data || null, since: 0 });
    panel().hidden = !data;
    if (!data) {
      gantry.charts.rest(null);
      return none();
    }
    if (data.picked) {
      state.wish = data.container;
      panel().scrollTop = 0;
      panel().focus({ preventScroll: true });
    }
    for (const button of panel().querySelectorAll("[data-decision]")) {
      const to = data.container + Number(button.dataset.decision);
      button.setAttribute("aria-disabled", String(to < 0 || to >= data.of));
    }
    gantry.charts.hold(data.start, data.row);
    gantry.charts.rest(data.start);
    if (data.picked) show();
    if (state.wish !== data.container) ask();
    return none();
  };

  /* On a narrow page the panel lies over the lower part: a bar that was clicked there comes up above it. */
  const show = function () {
    const frame = document.querySelector(".mark:not([hidden])");
    if (!frame) return;
    const hidden = frame.getBoundingClientRect().bottom + 8 - panel().getBoundingClientRect().top;
    const over = getComputedStyle(panel()).position === "fixed";
    if (over && hidden > 0) window.scrollBy({ top: hidden });
  };

  /* A frame around the bar of the decided container; drawn over the chart, so that a step draws no chart anew. */
  gantry.mark = function (gd, number) {
    const frame = gd.closest(".chart").querySelector(".mark");
    const focus = gantry.charts.focused();
    const bar = [state.now, focus].find((one) => one && one.index === number) || null;
    frame.hidden = true;
    if (!bar || bar.row < 0 || bar.key !== gantry.charts.view.key) return;
    const { xaxis, yaxis } = gd._fullLayout;
    const within = (place, axis) => Math.min(Math.max(place, 0), axis._length);
    const [left, right] = [bar.start, bar.end].map((ms) => xaxis.l2p(ms / 1000));
    if (right < 0 || left > xaxis._length) return;
    const [top, bottom] = [bar.row - 0.5, bar.row + 0.5].map((row) => within(yaxis.l2p(row), yaxis));
    const width = Math.max(within(right, xaxis) - within(left, xaxis), LEAST_PX);
    const height = Math.max(bottom - top, LEAST_PX);
    Object.assign(frame.style, {
      transform: `translate(${xaxis._offset + within(left, xaxis)}px, ${yaxis._offset + (top + bottom - height) / 2}px)`,
      width: `${width}px`,
      height: `${height}px`,
    });
    frame.hidden = false;
  };

  /* Another result: what was decided in the one before is no longer on the charts. */
  const outdated = function (result) {
    if (state.now && (!isOpen() || !result || result.key !== state.now.key)) close();
    return none();
  };

  const KEYS = {
    ArrowLeft: () => go(state.wish - 1),
    ArrowRight: () => go(state.wish + 1),
    Home: () => go(0),
    End: () => go(state.now.of - 1),
  };

  const scrolls = (node) => node.matches(".candidates") && node.scrollWidth > node.clientWidth;

  document.addEventListener(
    "keydown",
    (event) => {
      if (!isOpen() || event.ctrlKey || event.metaKey || event.altKey) return;
      const inside = panel().contains(event.target);
      const free = inside || event.target === document.body || event.target.closest(".chart, .strips");
      if (event.key === "Escape" && free && !document.querySelector("[role=dialog]")) {
        event.preventDefault();
        return close();
      }
      if (!inside || scrolls(event.target)) return;
      const act = KEYS[event.key] || gantry.charts.keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    },
    true,
  );

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-decision]");
    if (button) {
      if (button.dataset.decision === "close") close();
      else go(state.wish + Number(button.dataset.decision));
    }
    if (isOpen() && event.target.closest("#run")) close(); // what keeps it from running is shown in the column below
  });

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { decided, outdated });
})();
