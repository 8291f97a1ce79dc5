/* The decision in the drawer: opened by a click on a bar or Enter on a chart, stepped through by keys and
   buttons; the cursor and a frame around the bar follow it. */
const PATIENCE_MS = 5000; // a step that has no answer by then no longer holds up the next
const panel = () => document.getElementById("decision");

/* `wish` is the container last stepped to, which waits while `since` another is asked for; `back` what the
   drawer showed before. */
const state = { wish: 0, since: 0, back: { open: false } };
const now = () => gantry.state.decision;

/* what: {index, container} or {index, from ms}; picked: by a click or Enter, so that the panel opens. */
const ask = function (what, picked) {
  state.since = Date.now();
  const { open, tab } = gantry.state.drawer;
  if (picked && (!open || tab !== "why")) state.back = { open, tab };
  if (picked) gantry.workbench.openTab("why");
  gantry.put(picked ? "picked" : "step", {
    data: { ...what, view: gantry.charts.viewRequest(), at: state.since },
  });
};

const go = function (container) {
  if (!now()) return;
  state.wish = Math.min(Math.max(container, 0), now().of - 1);
  const busy = state.since && Date.now() - state.since < PATIENCE_MS;
  if (!busy && state.wish !== now().container) ask({ index: now().index, container: state.wish }, false);
};

const close = function () {
  const one = now() && gantry.lanes.of(now().index);
  gantry.change({ decision: null });
  gantry.pointer.rest(null);
  if (one && panel().contains(document.activeElement)) one.chart.focus({ preventScroll: true });
  if (gantry.state.drawer.tab === "why") gantry.change({ drawer: { ...gantry.state.drawer, ...state.back } });
};

/* The decision that has come: the charts' window pans to hold it, and their cursor goes there. */
const decided = function (data) {
  if (!data) return;
  state.since = 0;
  gantry.change({ decision: data });
  if (data.picked) {
    state.wish = data.container;
    panel().scrollTop = 0;
    panel().focus({ preventScroll: true }); // its keys step from here on
    if (data.highlight && data.highlight !== gantry.state.highlight)
      gantry.change({ highlight: data.highlight });
  }
  for (const button of panel().querySelectorAll("[data-decision]")) {
    const to = data.container + Number(button.dataset.decision);
    button.setAttribute("aria-disabled", String(to < 0 || to >= data.of));
  }
  gantry.charts.reveal(data.start, data.row);
  gantry.pointer.rest(data.start);
  if (state.wish !== data.container) go(state.wish);
};

const KEYS = {
  ArrowLeft: () => go(state.wish - 1),
  ArrowRight: () => go(state.wish + 1),
  Home: () => go(0),
  End: () => go(now().of - 1),
};
const scrolls = (node) => node.matches(".candidates") && node.scrollWidth > node.clientWidth;

/* Whether a key was the panel's. */
const key = function (event) {
  if (!now() || !panel() || !panel().contains(event.target) || scrolls(event.target) || !KEYS[event.key])
    return false;
  event.preventDefault();
  KEYS[event.key]();
  return true;
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-decision]");
  if (!button) return;
  if (button.dataset.decision === "close") close();
  else go(state.wish + Number(button.dataset.decision));
});

/* Another result: what was decided in the one before is no longer on the charts. */
gantry.on(["result"], ({ result }) => now() && result && now().key !== result.key && close());
gantry.on(["decision"], () => panel() && panel().toggleAttribute("data-open", Boolean(now())));

gantry.callbacks({ decided });
gantry.decision = { ask, close, key };
