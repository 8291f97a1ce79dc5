/* What the charts show: one window of time and of rows for all of them. While a hand moves it, what is
   painted is moved; at rest the server draws it anew. */
const SETTLED_MS = 60; // after the last turn of a wheel or move of fingers
const MIN_MS = 10;
const MIN_ROWS = 1;
const ALL = 0.9995;
const STEP = 0.7;

/* window in ms and rows by their edges, null for all of `whole`. */
const view = { key: null, window: null, rows: null, whole: null, held: false };
const drawState = { asked: "", settled: 0, frame: 0 };

const within = function (low, high, first, last, min, exact) {
  const width = Math.min(Math.max(high - low, min), last - first);
  if (width >= (last - first) * ALL) return null;
  const start = Math.min(Math.max(low, first), last - width);
  const cut = (value) => Math.round(value * exact) / exact;
  return [cut(start), cut(start + width)];
};
const inside = function (x0, x1) {
  const found = within(x0, x1, view.whole.x0, view.whole.x1, MIN_MS, 1);
  return found && { x0: found[0], x1: found[1] };
};
const insideRows = function (y0, y1) {
  const found = within(y0, y1, 0, view.whole.rows, MIN_ROWS, 100);
  return found && { y0: found[0], y1: found[1] };
};
const currentWindow = () => view.window || view.whole;
const currentRows = () => view.rows || view.looked || { y0: 0, y1: view.whole.rows };

/* Look at this; soon: more of the same is on its way. */
const look = function (window_, rows, soon) {
  if (!view.whole) return;
  Object.assign(view, { window: window_, rows: rows || null });
  if (!drawState.frame) drawState.frame = requestAnimationFrame(moved);
  clearTimeout(drawState.settled);
  drawState.settled = setTimeout(settle, soon ? SETTLED_MS : 0);
};

const moved = function () {
  drawState.frame = 0;
  gantry.lanes.move();
  gantry.follow.forEach((hear) => hear());
};

const settle = function () {
  if (view.held) return;
  draw();
  gantry.change({ window: view.window, rows: view.rows });
};

/* While the hand holds the charts nothing is drawn anew; what is painted reaches half a window further on
   either side. */
const hold = function (held) {
  view.held = held;
  if (!held) settle();
};

const scaled = (low, high, factor, centre = (low + high) / 2) => [
  centre - (centre - low) * factor,
  centre + (high - centre) * factor,
];
const zoom = function (factor, at, soon) {
  if (!view.whole) return;
  const { x0, x1 } = currentWindow();
  look(inside(...scaled(x0, x1, factor, at)), view.rows, soon);
};
const pan = function (share, soon) {
  if (!view.whole) return;
  const { x0, x1 } = currentWindow();
  look(inside(x0 + (x1 - x0) * share, x1 + (x1 - x0) * share), view.rows, soon);
};
const zoomRows = function (factor, at, soon) {
  if (!view.whole) return;
  const { y0, y1 } = view.rows || { y0: 0, y1: view.whole.rows };
  look(view.window, insideRows(...scaled(y0, y1, factor, at)), soon);
};
const panRows = function (share, soon) {
  if (!view.rows) return;
  const by = (view.rows.y1 - view.rows.y0) * share;
  look(view.window, insideRows(view.rows.y0 + by, view.rows.y1 + by), soon);
};
const all = () => look(null, null);

const around = (low, high, at) => [at - (high - low) / 2, at + (high - low) / 2];

/* Pan until this time (and row) is in the window, with what came before it in sight. */
const reveal = function (ms, row) {
  let { window: window_, rows } = view;
  if (window_ && (ms < window_.x0 || ms > window_.x1))
    window_ = inside(...around(window_.x0, window_.x1, ms));
  if (rows && row >= 0 && (row < rows.y0 || row + 1 > rows.y1))
    rows = insideRows(...around(rows.y0, rows.y1, row + 0.5));
  if (window_ !== view.window || rows !== view.rows) look(window_, rows);
};

/* The selected span, the container in focus, what is highlighted; all of it where nothing is. */
const fit = async function () {
  const { span, highlight } = gantry.state;
  const focus = gantry.pointer.focused();
  const found =
    span ||
    (focus ? { x0: focus.start, x1: focus.end } : highlight ? await post("extent", viewRequest()) : null);
  if (!found || !(found.x1 > found.x0)) return all();
  const more = (found.x1 - found.x0) * 0.05;
  look(inside(found.x0 - more, found.x1 + more), "y0" in found ? insideRows(found.y0, found.y1) : view.rows);
};

/* What to draw, as the server's View reads it. */
const looked = () => (view.window || view.rows ? { ...view.window, ...view.rows } : null);
const viewRequest = function () {
  const { arranged, highlight, colour, scheme } = gantry.state;
  return {
    key: view.key,
    window: looked(),
    rows: arranged,
    highlight,
    colour,
    dark: scheme === "dark",
    ...gantry.lanes.room(),
  };
};

const post = async function (name, body) {
  try {
    const answer = await gantry.post(`${gantry.state.base}charts/${name}`, body);
    if (answer.status === 410) gantry.run.lost();
    if (answer.status >= 500) gantry.run.away();
    return answer.ok ? answer.json() : null;
  } catch {
    gantry.run.away();
    return null;
  }
};

/* One request at a time, of what is looked at when it starts; what changes meanwhile is asked next. */
const draw = gantry.latest(async function () {
  if (!view.key) return;
  const asked = viewRequest();
  const text = JSON.stringify(asked);
  if (text === drawState.asked) return;
  const answer = await post("draw", asked);
  if (!answer || answer.key !== view.key) return;
  drawState.asked = text;
  show(answer);
});

/* A drawing has come: of this result, or with another one. */
const show = function (drawn, asked) {
  drawState.asked = asked ? JSON.stringify({ ...asked, key: drawn.key }) : drawState.asked;
  const part = (low, high) =>
    low in drawn.asked ? { [low]: drawn.asked[low], [high]: drawn.asked[high] } : null;
  if (drawn.key !== view.key)
    Object.assign(view, { key: drawn.key, window: part("x0", "x1"), rows: part("y0", "y1") });
  view.whole = drawn.whole;
  if (!view.rows) view.looked = { y0: 0, y1: drawn.looked.y1 };
  gantry.lanes.put(drawn);
  gantry.change({
    legend: { names: drawn.names, others: drawn.others, absent: drawn.absent },
    hidden: drawn.hidden,
    drawn: drawn.key,
    window: view.window,
    rows: view.rows,
  });
  moved();
};

/* What a slider shows while it moves: charts of a run that has no key. */
const preview = function (drawn) {
  drawState.asked = "";
  view.whole = drawn.whole;
  gantry.lanes.put(drawn);
  gantry.lanes.facts(drawn.facts);
  moved();
};

/* Away with what a slider showed. */
const restore = () => ((drawState.asked = ""), draw());

gantry.on(["arranged"], () => ((view.rows = null), gantry.pointer.focusOn(null)));
gantry.on(
  ["arranged", "highlight", "colour", "scheme", "strips", "folded", "phone", "columns", "presenting"],
  () => draw(),
);

gantry.charts = {
  view,
  look,
  hold,
  scaled,
  inside,
  insideRows,
  currentWindow,
  currentRows,
  zoom,
  pan,
  zoomRows,
  panRows,
  all,
  fit,
  reveal,
  post,
  viewRequest,
  looked,
  draw,
  show,
  preview,
  restore,
  STEP,
};
