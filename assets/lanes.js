/* The charts on the page: a lane a scheduler, as high as there is room for; what is painted in them is
   moved as a whole. */
const { h, at: byId } = gantry;
const ROOM_PX = { wide: 96, narrow: 64 }; // for the names of rows
const NARROW_PX = 560;
const RIGHT_PX = 11; // of the rows, with the line at their left
const HEAD_PX = { usual: 26, phone: 32 };
const MIN_PX = 72; // of a lane's rows
const MAX_ROW_PX = 30;
const STRIPS = { memory: 34, vcores: 34, capacity: 84 };
const GAP_PX = 6; // above a strip and below a lane
// rows keep MIN_PX and this before a strip is shown by itself
const AUTO = [
  ["memory", 60],
  ["vcores", 60],
  ["capacity", 160],
];
const WIDE = { page: 1800, lanes: 1000 }; // px from which on they stand two and two

/* Room on the time axis, with the lines of the ruler's ticks behind what is drawn in it. */
const plot = (...drawn) => h("div", { class: "plot" }, h("div", { class: "grid" }), ...drawn);

const lanes = () => byId("lanes");
let laneViews = []; // {place, node, chart, head, rows, names, moving, strips: Map, drawn}
let size = { width: 800, height: 240, room: 96, strips: {}, columns: 1 };

/* Which runs have a lane: each that is equal to an earlier one stands there. */
const distinctRuns = () => ((gantry.state.result || {}).charts || []).filter((one) => one.same === null);

/* Whose charts are away: those that were folded; on a phone, which has room for one, all but the first of
   the others. */
const folded = function (every = distinctRuns()) {
  const away = gantry.state.folded || [];
  if (!gantry.state.phone) return away;
  const places = every.map((one) => one.place);
  const shown = places.find((place) => !away.includes(place)) ?? places[0];
  return places.filter((place) => place !== shown);
};

const measure = function () {
  const box = lanes();
  const { presenting, phone } = gantry.state;
  const headPx = HEAD_PX[phone ? "phone" : "usual"];
  const every = distinctRuns();
  const coming = Array.from({ length: gantry.state.coming || 0 }, (_, place) => ({ place }));
  const all = coming.length ? coming : every;
  const open = all.filter((one) => !folded(all).includes(one.place));
  const { paddingLeft, paddingRight } = getComputedStyle(box);
  const wide = box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const apart = wide >= WIDE.lanes && window.innerWidth >= WIDE.page;
  const columns = gantry.state.columns !== 1 && open.length > 1 && apart ? 2 : 1;
  const room = wide / columns < NARROW_PX ? ROOM_PX.narrow : ROOM_PX.wide;
  const rowsOfLanes = Math.max(1, Math.ceil(open.length / columns));
  // of those that are folded
  const heads = columns === 1 && !presenting && !phone ? every.length - open.length : 0;
  const free = box.clientHeight - heads * (headPx + GAP_PX);
  const lane = Math.floor(free / rowsOfLanes) - headPx - GAP_PX;
  const chosen = gantry.state.strips;
  let left = lane;
  const strips = {};
  for (const [key, spare] of AUTO) {
    const px = STRIPS[key] + GAP_PX;
    if (chosen ? !chosen.includes(key) : left - px < MIN_PX + spare) continue;
    strips[key] = STRIPS[key];
    left -= px;
  }
  const count = gantry.charts.view.rows ? Infinity : (gantry.charts.view.whole || { rows: 1 }).rows;
  const height = Math.max(MIN_PX, Math.min(left, Math.max(count * MAX_ROW_PX, MIN_PX)));
  const width = Math.max(120, Math.floor((wide - (columns - 1) * 16) / columns) - room - RIGHT_PX);
  size = { width, height, room, strips, columns, apart };
  return { width, height, room, strips, charts: open.map((one) => one.place) };
};

const build = function () {
  const every = distinctRuns();
  const names = JSON.stringify(every.map((one) => [one.place, one.name, one.pinned]));
  if (lanes().dataset.of !== names) {
    lanes().dataset.of = names;
    laneViews = every.map(lane);
    lanes().replaceChildren(...laneViews.map((one) => one.node));
  }
  laneViews.forEach((one, index) => head(one, every[index]));
};

const lane = function (of) {
  const headline = h("header", { class: "lane-head" });
  const names = h("div", { class: "names" });
  const moving = h("div", { class: "moving" });
  const area = plot(moving);
  const rows = h("div", { class: "rows" }, names, area);
  const below = h("div", { class: "strips" });
  const over = h(
    "div",
    { class: "over" },
    ...["future", "span", "crosshair", "cursor", "mark"].map((kind) =>
      h("div", { class: kind, hidden: true }),
    ),
  );
  const chart = h(
    "div",
    {
      class: "chart",
      tabindex: "0",
      role: "group",
      "aria-labelledby": `name-${of.place}`,
      "aria-describedby": `story-${of.place}`,
      "aria-keyshortcuts": gantry.keyshortcuts,
    },
    h("div", { class: "painted", "aria-hidden": "true" }, rows, below),
    over,
  );
  const node = h(
    "article",
    { class: "lane", "data-place": of.place, style: `--own: var(--scheduler-${of.colour})` },
    headline,
    chart,
    h("section", { class: "signals", "aria-label": gantry.msg("lanes.signals_of", { scheduler: of.label }) }),
  );
  return {
    place: of.place,
    node,
    head: headline,
    chart,
    rows,
    names,
    moving,
    plot: area,
    below,
    over,
    strips: [],
    drawn: null,
  };
};

const head = function (one, of) {
  const away = folded().includes(of.place);
  one.node.toggleAttribute("data-folded", away);
  one.head.innerHTML = of.head;
  one.head.prepend(
    h("button", {
      type: "button",
      class: "fold",
      "aria-expanded": String(!away),
      "aria-label": gantry.msg("lanes.charts", { scheduler: of.label }),
      title: away ? gantry.msg("lanes.unfold") : gantry.msg("lanes.fold"),
      "data-fold": of.place,
    }),
  );
  one.head.append(menu(of));
};

const facts = function (byId) {
  for (const one of laneViews) {
    for (const [index, [, text, beside, about]] of (byId[one.place] || []).entries()) {
      const [value, far] = one.head.querySelectorAll("dd")[index].children;
      value.textContent = text;
      Object.assign(far, { textContent: beside, title: about });
      far.dataset.sign = beside;
    }
  }
};

const menu = function (of) {
  const items = [
    ["png", gantry.msg("lanes.png")],
    ["svg", gantry.msg("lanes.svg")],
  ].map(([kind, words]) =>
    h("button", { type: "button", "data-picture": kind, "data-place": of.place }, words),
  );
  if (distinctRuns().length > 1 && !gantry.state.phone)
    items.push(
      h(
        "button",
        { type: "button", "data-only": of.place },
        distinctRuns().length - folded().length === 1
          ? gantry.msg("lanes.show_all")
          : gantry.msg("lanes.show_only"),
      ),
    );
  if (of.signals)
    items.push(
      h(
        "button",
        {
          type: "button",
          "data-signals": "open",
          "aria-pressed": String(Boolean((gantry.state.signals || {}).open)),
        },
        gantry.msg("lanes.signals"),
      ),
    );
  return h(
    "details",
    { class: "menu lane-menu" },
    h(
      "summary",
      {
        "aria-label": gantry.msg("lanes.menu", { scheduler: of.label }),
        title: gantry.msg("lanes.menu_title"),
      },
      "⋯",
    ),
    h("div", { class: "menu-entries", role: "group" }, ...items),
  );
};

/* Drawings of the server; those of lanes that are not there are left. */
const put = function (drawn) {
  for (const one of laneViews) {
    const of = drawn.charts[one.place];
    if (!of) continue;
    one.drawn = of.drawn;
    one.looked = drawn.looked;
    one.moving.innerHTML = of.gantt;
    one.names.innerHTML = of.names;
    one.names.style.width = `${size.room}px`;
    one.rows.style.height = `${size.height}px`;
    one.px = size;
    one.head.querySelector(".sampled").hidden = of.exact;
    one.chart.style.setProperty("--room", `${size.room}px`);
    one.chart.dataset.exact = of.exact;
    one.chart.dataset.slices = of.slices;
    strips(one, of.strips);
  }
  lanes().dataset.columns = size.columns;
  byId("card-columns").hidden = !size.apart;
  lanes().toggleAttribute("data-preview", !drawn.key);
  if (drawn.key) lanes().dataset.key = drawn.key;
};

/* A strip on the time axis: its ticks, its title with the names of its series, and what is moved. */
const strip = function ({ key, title, about, px, ticks, series = [], svg }, room) {
  const moving = h("div", { class: "moving" });
  moving.innerHTML = svg;
  const names = h(
    "div",
    { class: "names", style: `width:${room}px` },
    ...ticks.map(([at, words]) =>
      h("span", { style: `top:${Math.min(Math.max(at - 8, -2), px - 12)}px` }, words),
    ),
  );
  const head = h(
    "span",
    { class: "strip-title", title: about },
    title,
    ...series.map((name, place) => h("span", { class: `series d-${place}` }, name)),
  );
  return {
    moving,
    node: h("div", { class: "strip", "data-strip": key, style: `height:${px}px` }, names, plot(moving, head)),
  };
};

const strips = function (one, byId) {
  one.strips = byId.map((of) => strip(of, size.room));
  one.below.replaceChildren(...one.strips.map(({ node }) => node));
};

/* How what was painted for one window stands in another. */
const across = function (drawn, looked, width) {
  const { x0, x1 } = gantry.charts.currentWindow();
  const moved = ((drawn.x0 - x0) * width) / (x1 - x0);
  return `translateX(${moved}px) scaleX(${(looked.x1 - looked.x0) / (x1 - x0)})`;
};

/* Everything painted to where it belongs just now. */
const move = function () {
  const { whole } = gantry.charts.view;
  if (!whole) return;
  const { x0, x1 } = gantry.charts.currentWindow();
  const { y0, y1 } = gantry.charts.currentRows();
  for (const one of laneViews) {
    if (!one.drawn) continue;
    const { drawn, looked, px } = one;
    const moved = across(drawn, looked, px.width);
    const tall = px.height / (y1 - y0);
    const tallWas = px.height / (looked.y1 - looked.y0);
    const still =
      Math.abs((looked.x1 - looked.x0) / (x1 - x0) - 1) < 1e-9 && Math.abs(tall / tallWas - 1) < 1e-9;
    one.moving.style.transform = `${moved} translateY(${(drawn.y0 - y0) * tall}px) scaleY(${tall / tallWas})`;
    one.node.toggleAttribute("data-scaled", !still);
    one.names.style.transform = `translateY(${(looked.y0 - y0) * tall}px) scaleY(${tall / tallWas})`;
    for (const { moving } of one.strips) moving.style.transform = moved;
  }
};

const at = (node) => laneViews.find((one) => one.node.contains(node));
const of = (place) => laneViews.find((one) => one.place === place);

gantry.on(["result", "folded", "phone"], () => lanes() && build());

document.addEventListener("click", (event) => {
  const fold = event.target.closest("[data-fold]");
  const only = event.target.closest("[data-only]");
  const away = gantry.state.folded || [];
  if (fold) {
    const place = Number(fold.dataset.fold);
    gantry.change({ folded: away.includes(place) ? away.filter((one) => one !== place) : [...away, place] });
  }
  if (only) {
    const others = distinctRuns()
      .map((one) => one.place)
      .filter((place) => place !== Number(only.dataset.only));
    gantry.change({ folded: !gantry.state.phone && gantry.same([...away].sort(), others) ? [] : others });
  }
});

/* Another size of the room: what is there is drawn for it. */
gantry.watchSize = () => new ResizeObserver(gantry.rested(() => gantry.charts.draw(), 120)).observe(lanes());

gantry.lanes = {
  folded,
  shown: () => gantry.state.strips || Object.keys(size.strips),
  room: measure,
  put,
  facts,
  move,
  strip,
  across,
  at,
  of,
  all: () => laneViews.filter((one) => !one.node.hasAttribute("data-folded")),
  distinctRuns,
};
