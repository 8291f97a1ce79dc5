/* The hand on the charts: drag pans, Shift and drag selects an interval of time (a switch swaps the two),
   the wheel zooms with Ctrl, two fingers zoom. */
const MIN_PX = 4; // less is a click
const PINCH_PX = 24;
const STEP = 0.02; // of the window, by an arrow key
const fingers = new Map();
let press = null;

const lane = (event) =>
  event.target.closest && event.target.closest("#lanes .chart") && gantry.lanes.at(event.target);

/* The time and row under the pointer; null where it is beside the rows. */
const place = function (one, event) {
  const box = one.plot.getBoundingClientRect();
  const across = (event.clientX - box.left) / box.width;
  const down = (event.clientY - box.top) / box.height;
  const { x0, x1 } = gantry.charts.currentWindow();
  const { y0, y1 } = gantry.charts.currentRows();
  const strip = event.target.closest(".strip");
  return {
    ms: across < 0 || across > 1 ? null : x0 + across * (x1 - x0),
    row: down < 0 || down > 1 ? null : y0 + down * (y1 - y0) - 0.5,
    label: across < 0 && down >= 0 && down <= 1,
    strip: strip && strip.dataset.strip,
  };
};

const select = function (a, b, done) {
  const { whole } = gantry.charts.view;
  const inside = (ms) => Math.round(Math.min(Math.max(ms, whole.x0), whole.x1));
  const span = { x0: inside(Math.min(a, b)), x1: inside(Math.max(a, b)) };
  gantry.overlay.span(span.x1 > span.x0 ? span : null);
  if (!done) return;
  gantry.change({ span: span.x1 > span.x0 ? span : null });
  if (gantry.state.span) gantry.workbench.openTab("span");
};

const down = function (event) {
  const one = lane(event);
  if (!one || !gantry.charts.view.whole || (event.button && event.pointerType === "mouse")) return;
  fingers.set(event.pointerId, event);
  if (fingers.size === 2) return pinch();
  if (event.target.closest("button, a, summary")) return;
  const at = place(one, event);
  const spans = event.shiftKey !== Boolean(gantry.state.dragSelects);
  press = {
    one,
    id: event.pointerId,
    x: event.clientX,
    y: event.clientY,
    at,
    spans,
    moved: false,
    window: gantry.charts.view.window,
    rows: gantry.charts.view.rows,
  };
  if (event.pointerType === "mouse") event.preventDefault();
  one.chart.focus({ preventScroll: true });
};

const pinch = function () {
  const [a, b] = [...fingers.values()];
  const apart = Math.max(Math.abs(a.clientX - b.clientX), PINCH_PX);
  const one = lane(a);
  press = one && {
    one,
    pinch: apart,
    at: place(one, { clientX: (a.clientX + b.clientX) / 2, clientY: a.clientY, target: a.target }),
    ...gantry.charts.currentWindow(),
  };
  gantry.charts.hold(true);
};

const move = function (event) {
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
  if (!press) return;
  if (press.pinch) {
    if (fingers.size < 2) return;
    const [a, b] = [...fingers.values()];
    const factor = press.pinch / Math.max(Math.abs(a.clientX - b.clientX), PINCH_PX);
    const around = gantry.charts.scaled(press.x0, press.x1, factor, press.at.ms ?? undefined);
    return gantry.charts.look(gantry.charts.inside(...around), gantry.charts.view.rows, true);
  }
  if (event.pointerId !== press.id) return;
  const [across, along] = [event.clientX - press.x, event.clientY - press.y];
  if (!press.moved && Math.hypot(across, along) < MIN_PX) return;
  // the finger scrolls the page
  if (!press.moved && event.pointerType !== "mouse" && Math.abs(along) > Math.abs(across)) return release();
  if (!press.moved) {
    press.moved = true;
    press.one.chart.setPointerCapture(press.id);
    gantry.charts.hold(!press.spans);
  }
  if (press.spans)
    return (
      press.at.ms !== null && select(press.at.ms, place(press.one, event).ms ?? edge(press.one, event), false)
    );
  const box = press.one.plot.getBoundingClientRect();
  const { x0, x1 } = press.window || gantry.charts.view.whole;
  const by = (across / box.width) * (x1 - x0);
  const rows =
    press.rows &&
    gantry.charts.insideRows(
      press.rows.y0 - (along / box.height) * (press.rows.y1 - press.rows.y0),
      press.rows.y1 - (along / box.height) * (press.rows.y1 - press.rows.y0),
    );
  gantry.charts.look(press.window && gantry.charts.inside(x0 - by, x1 - by), rows, true);
};

/* Beyond the chart's edge the interval ends there. */
const edge = (one, event) =>
  event.clientX < one.plot.getBoundingClientRect().left
    ? gantry.charts.currentWindow().x0
    : gantry.charts.currentWindow().x1;

const release = () => ((press = null), gantry.charts.hold(false));

const up = function (event) {
  fingers.delete(event.pointerId);
  if (!press || (press.id !== event.pointerId && !press.pinch)) return;
  const { one, at, moved, spans } = press;
  const ended = event.type === "pointerup" && event;
  if (ended && !press.pinch && !moved) {
    if (spans) gantry.change({ span: null });
    else gantry.pointer.pick(one, at);
  } else if (ended && spans && at.ms !== null) select(at.ms, place(one, event).ms ?? edge(one, event), true);
  release();
};

const wheel = function (event) {
  const one = lane(event);
  if (!one || (!event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey)) return;
  event.preventDefault();
  // keys go on from here
  if (!document.activeElement.closest(".chart, #decision")) one.chart.focus({ preventScroll: true });
  const step = Math.exp(Math.max(-0.5, Math.min(0.5, (event.deltaY || event.deltaX) / 400)));
  const { ms, row } = place(one, event);
  if (event.altKey) gantry.charts.zoomRows(step, row === null ? undefined : row + 0.5, true);
  else if (event.shiftKey) gantry.charts.pan(Math.sign(event.deltaY || event.deltaX) * 0.1, true);
  else gantry.charts.zoom(step, ms ?? undefined, true);
};

document.addEventListener("pointerdown", down);
document.addEventListener("pointermove", move);
document.addEventListener("pointerup", up);
document.addEventListener("pointercancel", up);
document.addEventListener("wheel", wheel, { passive: false });
document.addEventListener("dblclick", (event) => {
  const one = lane(event);
  if (!one) return;
  const at = place(one, event);
  if (at.label) gantry.pointer.turn(at);
  else gantry.charts.all();
});

/* The interval by keyboard: Shift and the arrow keys. */
const byKey = function (event) {
  const { x0, x1 } = gantry.charts.currentWindow();
  const by = (x1 - x0) * STEP * (event.key === "ArrowRight" ? 1 : -1);
  const { x0: first, x1: last } = gantry.state.span || { x0: (x0 + x1) / 2, x1: (x0 + x1) / 2 };
  select(first, Math.max(last + by, first), true);
};

gantry.hand = { place, byKey };
