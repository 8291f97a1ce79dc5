/* Above the charts, always in sight: the map of the whole run with a frame around what is looked at, and
   the ruler of its times; the charts' lines stand on its ticks. */
const TICK_PX = 84;
const DAY_MS = 864e5;
const STEPS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  1e3,
  2e3,
  5e3,
  1e4,
  15e3,
  3e4,
  6e4,
  12e4,
  3e5,
  6e5,
  9e5,
  18e5,
  36e5,
  72e5,
  108e5,
  216e5,
  432e5,
  DAY_MS,
];
const GRID_PX = 240; // as far left of its plot a grid begins
let asked = "";
let laid = null; // the ticks on the ruler: where they were put, and for which times they reach
// of the map, measured when the charts have another width: to ask for it while all moves would lay the page
// out twice
let mapped = { of: "", wide: 0, high: 0 };

/* Of parts of a second, that tell ticks so far apart from each other. */
const digitsOf = (step) => [0, 1, 2, 3].find((digits) => step % 10 ** (3 - digits) === 0);
const stepOf = (min) => STEPS.find((step) => step >= min) ?? DAY_MS * 2 ** Math.ceil(Math.log2(min / DAY_MS));

const ruler = () => document.getElementById("ruler");
const map = () => document.getElementById("map");

const follow = function () {
  const { whole, key } = gantry.charts.view;
  const [one] = gantry.lanes.all().filter((lane) => lane.px);
  if (!whole || !one || !ruler()) return;
  const { x0, x1 } = gantry.charts.currentWindow();
  const { width, room, columns } = one.px;
  const scale = width / (x1 - x0);
  if (
    !laid ||
    laid.scale !== scale ||
    laid.width !== width ||
    laid.room !== room ||
    laid.columns !== columns ||
    x0 < laid.from ||
    x1 > laid.until
  )
    lay(x0, x1, { scale, width, room, columns });
  for (const box of ruler().children)
    for (const ticks of box.children) ticks.style.transform = `translateX(${(laid.x0 - x0) * scale}px)`;
  const tick = laid.step * scale;
  const at = (((GRID_PX - x0 * scale) % tick) + tick) % tick;
  for (const grid of document.getElementsByClassName("grid")) {
    grid.style.transform = `translateX(${at}px)`;
    if (grid.dataset.tick !== String(tick))
      ((grid.style.backgroundSize = `${tick}px 100%`), (grid.dataset.tick = tick));
  }
  frame(whole, key, `${width} ${room} ${columns}`);
};

/* Ticks of the window and of half as much on either side, so that a pan only moves them. */
const lay = function (x0, x1, look) {
  const { scale, width, room, columns } = look;
  const [step, beside] = [stepOf(TICK_PX / scale), (x1 - x0) / 2];
  laid = { ...look, step, x0, from: x0 - beside, until: x1 + beside };
  const texts = [];
  for (let ms = Math.max(Math.ceil(laid.from / step) * step, 0); ms <= laid.until; ms += step)
    texts.push([(ms - x0) * scale, gantry.clock(ms, digitsOf(step))]);
  for (const [number, box] of [...ruler().children].entries()) {
    box.hidden = number >= columns;
    Object.assign(box.style, { marginLeft: `${room}px`, width: `${width}px` });
    if (!box.children.length) box.append(gantry.h("div", { class: "ticks" }));
    const ticks = box.children[0];
    while (ticks.children.length < texts.length) ticks.append(document.createElement("span"));
    [...ticks.children].forEach((span, place) => {
      span.hidden = place >= texts.length;
      if (span.hidden) return;
      span.style.transform = `translateX(${texts[place][0]}px)`;
      if (span.textContent !== texts[place][1]) span.textContent = texts[place][1];
    });
  }
};

const frame = function (whole, key, of) {
  picture(key);
  const box = document.getElementById("map-frame");
  box.hidden = !gantry.charts.view.window && !gantry.charts.view.rows;
  if (box.hidden) return;
  if (mapped.of !== of) mapped = { of, wide: map().clientWidth, high: map().clientHeight };
  const { x0, x1 } = gantry.charts.currentWindow();
  const rows = gantry.charts.view.rows || { y0: 0, y1: whole.rows };
  const [across, down] = [mapped.wide / (whole.x1 - whole.x0), mapped.high / whole.rows];
  box.style.transform = `translate(${(x0 - whole.x0) * across}px, ${rows.y0 * down}px)`;
  Object.assign(box.style, { width: `${(x1 - x0) * across}px`, height: `${(rows.y1 - rows.y0) * down}px` });
};

const picture = async function (key) {
  const { arranged, highlight, colour, scheme } = gantry.state;
  const wish = JSON.stringify({ key, arranged, highlight, colour, scheme });
  if (wish === asked || gantry.charts.view.held) return;
  asked = wish;
  const answer = await gantry.charts.post("map", gantry.charts.viewRequest());
  if (answer && answer.map && wish === asked) document.getElementById("map-picture").src = answer.map;
};

/* Where one presses becomes the middle of what is looked at, and stays under the pointer. */
const go = function (event) {
  const { whole, window: looked, rows } = gantry.charts.view;
  const box = map().getBoundingClientRect();
  const x = whole.x0 + ((event.clientX - box.left) / box.width) * (whole.x1 - whole.x0);
  const y = ((event.clientY - box.top) / box.height) * whole.rows;
  const half = looked ? (looked.x1 - looked.x0) / 2 : (whole.x1 - whole.x0) / 8;
  const high = rows && (rows.y1 - rows.y0) / 2;
  gantry.charts.look(
    gantry.charts.inside(x - half, x + half),
    rows && gantry.charts.insideRows(y - high, y + high),
    true,
  );
};

document.addEventListener("pointerdown", (event) => {
  if (!map() || !map().contains(event.target) || !gantry.charts.view.whole) return;
  event.preventDefault();
  map().setPointerCapture(event.pointerId);
  gantry.charts.hold(true);
  go(event);
  const ended = new AbortController();
  map().addEventListener("pointermove", go, { signal: ended.signal });
  for (const end of ["pointerup", "pointercancel"])
    map().addEventListener(end, () => (ended.abort(), gantry.charts.hold(false)), {
      once: true,
      signal: ended.signal,
    });
});

gantry.follow.push(follow);
