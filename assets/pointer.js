/* What the pointer or the keyboard is at: a crosshair and a cursor through all charts, the container under
   it and its neighbours in the row, and what lies over the charts. */
const NEAR_PX = 2;
const STILL_MS = 30;
const TIP_PX = 14;
const FRAME_PX = 6; // at least, of the frame around a bar

/* `rest` is where the cursor stands while nobody points; `focus` the container reached by keyboard. */
const state = { pointed: null, rest: null, focus: null, still: 0, moves: 0, span: null };
const tip = () => document.getElementById("tip");
const part = (one, kind) => one.over.querySelector(`.${kind}`);
const px = (one, ms) =>
  ((ms - gantry.charts.currentWindow().x0) /
    (gantry.charts.currentWindow().x1 - gantry.charts.currentWindow().x0)) *
  one.px.width;

const band = function (one, kind, span) {
  const [left, right] = span
    ? [span.x0, span.x1].map((ms) => Math.min(Math.max(px(one, ms), 0), one.px.width))
    : [0, 0];
  const node = part(one, kind);
  node.hidden = right - left < 1;
  if (!node.hidden)
    Object.assign(node.style, { transform: `translateX(${left}px)`, width: `${right - left}px` });
};

const line = function (one, kind, at) {
  const left = at === null ? -1 : px(one, at);
  const node = part(one, kind);
  node.hidden = left < 0 || left > one.px.width;
  if (!node.hidden) node.style.transform = `translateX(${left}px)`;
};

/* Where everything over the charts stands now. */
const over = function () {
  const { at, playing } = gantry.state;
  const { x1 } = gantry.charts.view.whole || { x1: 0 };
  const future = at !== null && at !== undefined && playing !== undefined ? { x0: at, x1: 2 * x1 } : null;
  for (const one of gantry.lanes.all()) {
    if (!one.px) continue;
    line(one, "crosshair", state.pointed);
    line(one, "cursor", state.rest);
    band(one, "span", state.span);
    band(one, "future", future);
    mark(one);
  }
};

/* A frame around the bar of the decided container, the one in focus or one that was found. */
const mark = function (one) {
  const frame = part(one, "mark");
  const { presenting, decision, matches } = gantry.state;
  const bars = [...(presenting ? [] : [decision, state.focus]), (matches || {})[one.place]];
  const bar = bars.find(
    (found) => found && found.index === one.place && found.row >= 0 && found.key === gantry.charts.view.key,
  );
  frame.hidden = true;
  if (!bar) return;
  const { y0, y1 } = gantry.charts.currentRows();
  const [left, right] = [bar.start, bar.end].map((ms) => px(one, ms));
  const [top, bottom] = [bar.row, bar.row + 1].map((row) =>
    Math.min(Math.max(((row - y0) / (y1 - y0)) * one.px.height, 0), one.px.height),
  );
  if (right < 0 || left > one.px.width) return;
  const [from, until] = [Math.max(left, 0), Math.min(right, one.px.width)];
  const [wide, high] = [Math.max(until - from, FRAME_PX), Math.max(bottom - top, FRAME_PX)];
  Object.assign(frame.style, {
    transform: `translate(${from}px, ${(top + bottom - high) / 2}px)`,
    width: `${wide}px`,
    height: `${high}px`,
  });
  frame.hidden = false;
};

const show = function ([first, ...rest], left, top) {
  tip().replaceChildren(gantry.h("strong", {}, first), ...rest.map((text) => gantry.h("div", {}, text)));
  tip().hidden = false;
  const { width: wide, height: high } = tip().getBoundingClientRect();
  const x = left + TIP_PX + wide > window.innerWidth ? left - TIP_PX - wide : left + TIP_PX;
  const y = top + TIP_PX + high > window.innerHeight ? top - TIP_PX - high : top + TIP_PX;
  const large = wide / tip().offsetWidth; // while presenting
  tip().style.transform = `translate(${Math.max(4, x) / large}px, ${Math.max(4, y) / large}px)`;
};
const hide = () => tip() && (tip().hidden = true);

const asked = function (one, { ms, row, strip }) {
  const { x0, x1 } = gantry.charts.currentWindow();
  const { y0, y1 } = gantry.charts.currentRows();
  const near = { rows: (NEAR_PX * (y1 - y0)) / one.px.height, ms: (NEAR_PX * (x1 - x0)) / one.px.width };
  return { ...gantry.charts.viewRequest(), index: one.place, row, ms, strip, near };
};

/* Only the server knows what is there; one question at a time, the last place wins. */
const ask = gantry.latest(async function (one, event) {
  const { moves } = state;
  const found = gantry.hand.place(one, event);
  if (found.ms === null || (found.row === null && !found.strip)) return;
  const answer = await gantry.charts.post("at", asked(one, found));
  if (state.moves !== moves || state.pointed === null) return; // it is somewhere else, or drags the charts
  if (answer && answer.text) show(answer.text, event.clientX, event.clientY);
  else hide();
});

/* A click: on a name it highlights that row; in the chart it asks why what is there was placed; a row that
   holds all of something is highlighted. */
const pick = async function (one, at) {
  if (at.label) {
    const answer = await gantry.charts.post("row", { ...gantry.charts.viewRequest(), row: at.row });
    return answer && answer.group && gantry.toggle("highlight", answer.group);
  }
  if (at.ms === null || at.row === null) return gantry.change({ highlight: null });
  const where = asked(one, at);
  const answer = await gantry.charts.post("at", where);
  if (answer && answer.group) return gantry.toggle("highlight", answer.group);
  if (!answer || answer.container === undefined)
    return gantry.state.decision ? gantry.decision.close() : gantry.change({ highlight: null });
  gantry.decision.ask({ index: one.place, container: answer.container }, true);
};

/* A row that holds all of a node or job shows its lanes instead, or the other way round. */
const turn = async function (at) {
  const answer = await gantry.charts.post("row", { ...gantry.charts.viewRequest(), row: at.row });
  const { arranged } = gantry.state;
  if (!answer || !answer.name) return;
  const opened = arranged.opened.includes(answer.name)
    ? arranged.opened.filter((one) => one !== answer.name)
    : [...arranged.opened, answer.name];
  gantry.change({ arranged: { ...arranged, opened } });
};

/* By keyboard: the decision of the container in focus, else the first of what is looked at. */
const enter = function (one) {
  const focus =
    state.focus && state.focus.index === one.place
      ? { container: state.focus.container }
      : { from: gantry.charts.currentWindow().x0 };
  if (gantry.charts.view.whole) gantry.decision.ask({ index: one.place, ...focus }, true);
};

const focusOn = function (answer) {
  state.focus = answer && answer.container !== undefined ? answer : null;
  if (!state.focus) return hide();
  gantry.charts.reveal(answer.start, answer.row);
  rest(answer.start);
  const one = gantry.lanes.of(answer.index);
  const box = one.plot.getBoundingClientRect();
  const { y0, y1 } = gantry.charts.currentRows();
  show(
    answer.text,
    box.left + (Math.max(0, px(one, answer.start)) / one.px.width) * box.width,
    box.top + ((answer.row - y0) / (y1 - y0)) * box.height,
  );
  document.getElementById("tip-says").textContent = answer.text.join(", ");
};

/* The next container of the row, or the one before. */
const beside = async function (one, by) {
  const container = state.focus && state.focus.index === one.place ? state.focus.container : null;
  const answer = await gantry.charts.post("next", {
    ...gantry.charts.viewRequest(),
    index: one.place,
    container,
    by,
  });
  if (answer && answer.text) focusOn(answer);
  else document.getElementById("tip-says").textContent = gantry.msg("pointer.no_more");
};

/* Where the cursor stands while nobody points. */
const rest = function (ms) {
  state.rest = ms;
  over();
};

document.addEventListener("pointermove", (event) => {
  const chart = event.target.closest && event.target.closest("#lanes .chart");
  const one = chart && gantry.lanes.at(chart);
  clearTimeout(state.still);
  state.moves += 1;
  if (!one || !one.px || event.pointerType === "touch") {
    if (state.pointed !== null) (Object.assign(state, { pointed: null }), hide(), over());
    return;
  }
  const found = gantry.hand.place(one, event);
  state.pointed = found.ms;
  over();
  if (event.buttons) return hide();
  state.still = setTimeout(() => ask(one, event), STILL_MS);
});
document.addEventListener("pointerleave", () => ((state.pointed = null), hide(), over()));
document.addEventListener(
  "focusout",
  (event) => event.target.matches && event.target.matches(".chart") && hide(),
);
document.addEventListener("scroll", hide, { passive: true, capture: true });

gantry.on(["span"], ({ span }) => ((state.span = span), over()));
gantry.on(["decision", "matches", "at", "playing"], over);
gantry.on(["result"], (now, before) => {
  if (before.result && now.result.key === before.result.key) return;
  focusOn(null);
  rest(null);
  gantry.change({ span: before.result ? null : now.span, matches: null });
});

gantry.overlay = { span: (span) => ((state.span = span), over()) };
gantry.pointer = { pick, turn, enter, beside, rest, focusOn, focused: () => state.focus };
gantry.follow.push(over);
