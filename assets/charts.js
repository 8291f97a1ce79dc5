/* All charts share one time axis: zoom, pan, cursor and highlight of one go to all others at once; the server is asked only for what the page does not hold. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const none = () => window.dash_clientside.no_update;
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const SETTLED_MS = 100;
  const LEAST_MS = 10;
  const STEP = 0.7;
  const MOST_NAMES = 5000;
  const CLICK_PX = 4;
  const NEAR_PX = 2;
  const TITLE_PX = 30;
  const LEGEND_PX = 60;
  const LABEL_PX = 40; // names were cut to the bars of the width a chart was drawn for

  const timed = () => Array.from(document.querySelectorAll("#cards .js-plotly-plot")).filter((gd) => gd._fullLayout && gd._fullLayout.xaxis);
  const graphs = () => timed().filter((gd) => gd.closest(".chart")); // the others are strips of signals below a chart
  const seconds = (window_) => [window_.x0 / 1000, window_.x1 / 1000];
  const shown = (gd) => gd._fullLayout.xaxis.range.map(Number);

  /* `window` is what is looked at in ms, null for all of the run; `whole` is all of it; `rest` is where the cursor stands while nobody points. */
  const view = { key: null, window: null, whole: null, applying: false, wanted: null, source: null, settled: 0, pointed: false, rest: null };
  const driven = new Set();

  const inside = function (x0, x1) {
    const { x0: first, x1: last } = view.whole;
    const width = Math.min(Math.max(x1 - x0, LEAST_MS), last - first);
    const start = Math.min(Math.max(x0, first), last - width);
    if (width >= (last - first) * 0.9995) return null;
    return { x0: Math.round(start), x1: Math.round(start + width) };
  };

  /* Draw the wanted range on every chart but its source; while one pass draws, newer wishes wait for its end. */
  const apply = async function () {
    if (view.applying) return;
    view.applying = true;
    try {
      while (view.wanted) {
        const { wanted: range, source } = view;
        view.wanted = null;
        await Promise.all(timed().map((gd) => gd !== source && differs(shown(gd), range) && drive(gd, range)));
      }
    } finally {
      view.applying = false;
    }
  };

  /* What a chart tells while it is driven is no wish of the user. */
  const drive = async function (gd, range) {
    driven.add(gd);
    try {
      await window.Plotly.relayout(gd, { "xaxis.range": range.slice() });
    } finally {
      driven.delete(gd);
    }
  };

  const differs = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) > 1e-6 * Math.abs(b[1] - b[0]);

  const look = function (window_, source) {
    view.window = window_;
    Object.assign(view, { wanted: seconds(window_ || view.whole), source });
    apply();
    gantry.address({ window: window_ });
    clearTimeout(view.settled);
    view.settled = setTimeout(() => set("viewport", { data: window_ }), SETTLED_MS);
  };

  const zoom = function (factor, at) {
    if (!view.whole) return;
    const { x0, x1 } = view.window || view.whole;
    const centre = at === undefined ? (x0 + x1) / 2 : at;
    look(inside(centre - (centre - x0) * factor, centre + (x1 - centre) * factor));
  };

  const pan = function (share) {
    if (!view.whole) return;
    const { x0, x1 } = view.window || view.whole;
    const by = (x1 - x0) * share;
    look(inside(x0 + by, x1 + by));
  };

  const whole = () => view.whole && look(null);

  const moved = function (gd, changes) {
    if (driven.has(gd) || !view.whole || !changes || !Object.keys(changes).some((key) => key.startsWith("xaxis"))) return;
    const [x0, x1] = shown(gd).map((x) => x * 1000);
    if (Object.keys(changes).some((key) => key.endsWith(".autorange"))) return whole();
    const window_ = inside(Math.min(x0, x1), Math.max(x0, x1));
    const exact = window_ && Math.abs(window_.x0 - x0) < 1 && Math.abs(window_.x1 - x1) < 1;
    look(window_, exact ? gd : null);
  };

  const timeAt = function (gd, clientX) {
    const axis = gd._fullLayout.xaxis;
    const left = clientX - gd.getBoundingClientRect().left - axis._offset;
    return left < 0 || left > axis._length ? null : axis.p2l(left) * 1000;
  };

  const hush = (still) => document.getElementById("cards").toggleAttribute("data-hushed", still);

  const cursor = function (pointed) {
    view.pointed = pointed !== null;
    const at = view.pointed ? pointed : view.rest;
    for (const gd of timed()) {
      const line = gd.closest(".chart, .strips").querySelector(".cursor");
      const axis = gd._fullLayout.xaxis;
      const left = at === null ? -1 : axis.l2p(at / 1000);
      line.hidden = left < 0 || left > axis._length;
      if (!line.hidden) line.style.transform = `translateX(${axis._offset + left}px)`;
    }
  };

  /* What lies over the charts stays where it belongs while they move below it. */
  const follow = function () {
    graphs().forEach(gantry.mark);
    if (!view.pointed) cursor(null);
  };

  /* Until the mouse moves, what it points at is hushed: the text would hide what the cursor rests at. */
  const rest = function (ms) {
    Object.assign(view, { rest: ms, pointed: false });
    hush(ms !== null);
    follow();
  };

  /* Pan until this time is in the window, with what came before it in sight. */
  const hold = function (ms) {
    if (!view.window || (ms >= view.window.x0 && ms <= view.window.x1)) return;
    const width = view.window.x1 - view.window.x0;
    look(inside(ms - width / 2, ms + width / 2));
  };

  /* A click in the Gantt chart: which row and time; the server knows what is there, also under a picture. */
  const pick = function (gd, event) {
    const rows = gd._fullLayout.yaxis;
    const down = event.clientY - gd.getBoundingClientRect().top - rows._offset;
    const ms = timeAt(gd, event.clientX);
    if (ms === null || down < 0 || down > rows._length) return;
    const near = { rows: NEAR_PX * Math.abs(rows.p2l(1) - rows.p2l(0)), ms: NEAR_PX * 1000 * (gd._fullLayout.xaxis.p2l(1) - gd._fullLayout.xaxis.p2l(0)) };
    const index = graphs().indexOf(gd);
    set("picked", { data: { index, row: rows.p2l(down), ms, near, at: Date.now() } });
  };

  /* By keyboard: the first decision of what is looked at. */
  const enter = function (chart) {
    const index = graphs().indexOf(chart.querySelector(".js-plotly-plot"));
    if (view.whole) set("picked", { data: { index, from: (view.window || view.whole).x0, at: Date.now() } });
  };

  const KEYS = {
    w: () => zoom(STEP),
    s: () => zoom(1 / STEP),
    a: () => pan(-0.2),
    d: () => pan(0.2),
    "+": () => zoom(STEP),
    "=": () => zoom(STEP),
    "-": () => zoom(1 / STEP),
    ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2),
    0: whole,
    f: whole,
    Home: whole,
  };

  /* Strips come and are drawn anew apart from the charts: each figure of theirs is brought to the zoom reached meanwhile. */
  const caughtUp = function (gd) {
    if (!view.whole || gd.gantryDrawn === gd.layout.meta.drawn) return;
    gd.gantryDrawn = gd.layout.meta.drawn;
    const range = seconds(view.window || view.whole);
    if (differs(shown(gd), range)) drive(gd, range);
  };

  const watch = function (gd) {
    if (gd.dataset.watched) return;
    gd.dataset.watched = "yes";
    if (gd.closest(".strips")) gd.on("plotly_afterplot", () => caughtUp(gd));
    gd.on("plotly_relayout", (changes) => moved(gd, changes));
    gd.on("plotly_relayouting", (changes) => moved(gd, changes));
    gd.on("plotly_relayouting", follow);
    gd.on("plotly_afterplot", follow);
    gd.on("plotly_doubleclick", whole);
    follow();
    gantry.touched(gd, () => view.window || view.whole, (x0, x1) => look(inside(x0, x1)));
    let pressed = null;
    const chosen = gd.closest(".chart");
    gd.addEventListener("mousedown", (event) => (pressed = event), true);
    gd.addEventListener("click", (event) => chosen && pressed && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < CLICK_PX && pick(gd, event), true);
    gd.addEventListener("mousemove", (event) => {
      hush(false);
      cursor(timeAt(gd, event.clientX));
    });
    gd.addEventListener("mouseleave", () => cursor(null));
    gd.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        if (event.shiftKey) pan(Math.sign(event.deltaY || event.deltaX) * 0.1);
        else zoom(Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY / 400))), timeAt(gd, event.clientX) ?? undefined);
      },
      { passive: false, capture: true },
    );
  };

  new MutationObserver(() => timed().forEach(watch)).observe(document.documentElement, { childList: true, subtree: true });

  document.addEventListener("keydown", (event) => {
    const chart = event.target.closest && event.target.closest(".chart, .strips");
    if (!chart || event.ctrlKey || event.metaKey || event.altKey) return;
    const first = event.key === "Enter" && event.target.matches(".chart") && (() => enter(chart));
    const action = first || KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  /* A picture that leaves the page says what it is of, and carries its legend. */
  const save = function (gd, format, name) {
    const { margin } = gd.layout;
    const height = gd.clientHeight; // Dash takes the height out of the layout of a chart that follows its frame
    const layout = { ...gd.layout, showlegend: true, title: { text: gd.layout.meta.title, x: 0.01, xanchor: "left", font: { size: 15 } } };
    layout.margin = { ...margin, t: margin.t + TITLE_PX, b: margin.b + LEGEND_PX };
    layout.height = height + TITLE_PX + LEGEND_PX;
    layout.width = gd.clientWidth;
    const filename = `gantry-${name}`.replace(/[^A-Za-z0-9._-]+/g, "-");
    window.Plotly.downloadImage({ data: gd.data, layout }, { format, filename, width: layout.width, height: layout.height, scale: format === "png" ? 2 : 1 });
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) ({ in: () => zoom(STEP), out: () => zoom(1 / STEP), all: whole })[button.dataset.zoom]();
    const picture = event.target.closest("[data-picture]");
    if (picture) save(picture.closest(".card").querySelector(".js-plotly-plot"), picture.dataset.picture, picture.dataset.name);
  });

  /* A result has come: its bounds are the new whole. */
  const adopt = function (key, whole_, window_) {
    if (key === view.key) return;
    Object.assign(view, { key, whole: whole_, window: window_, wanted: null });
    gantry.address({ window: window_ });
  };

  const bounds = function (result) {
    if (result) adopt(result.key, result.whole, result.window);
    return none();
  };

  /* Whether the charts on the page already show this; if not, what the server must draw. */
  const need = function (viewport, highlight, scheme, width, result) {
    gantry.address({ job: highlight });
    if (!result) return none();
    const want = { key: result.key, window: viewport, highlight, dark: scheme === "dark", width };
    const drawn = graphs().map((gd) => (gd.layout.meta || {}).drawn || {});
    const fits = (one) =>
      one.key === want.key &&
      one.highlight === want.highlight &&
      one.dark === want.dark &&
      Math.abs(one.width - want.width) < LABEL_PX &&
      (one.complete || (one.width === want.width && JSON.stringify(one.window) === JSON.stringify(want.window)));
    return drawn.length && drawn.every(fits) ? none() : want;
  };

  /* Figures from the server, at the zoom the user has reached meanwhile. */
  const draw = function (drawn, ids) {
    const figures = ids.map((id) => (drawn || [])[id.index]);
    if (!figures.length || !figures.every(Boolean)) return [ids.map(none), ids.map(none), ids.map(none)];
    const { key, whole, looked } = figures[0].layout.meta.drawn;
    adopt(key, whole, looked);
    const range = seconds(view.window || view.whole);
    for (const figure of figures) figure.layout.xaxis.range = range.slice();
    return [figures, figures.map((figure) => ({ height: figure.layout.height })), figures.map((figure) => badge(figure.layout.meta))];
  };

  const badge = ({ mode, slices }) => `${mode === "exact" ? "exact" : "picture"}, ${slices.toLocaleString("en")} slice${slices === 1 ? "" : "s"}`;

  /* The width a chart will have, in steps so that small changes ask for nothing. */
  const width = (gantry.width = function () {
    const cards = document.getElementById("cards");
    const columns = cards ? getComputedStyle(cards).gridTemplateColumns.split(" ")[0] : "";
    return Math.max(240, Math.floor((parseFloat(columns) || window.innerWidth - 40) / 10) * 10);
  });

  gantry.charts = { all: graphs, rest, hold, keys: KEYS };

  gantry.room = () => (document.getElementById("charts") || document.body).clientWidth;

  const sized = function () {
    let timer = 0;
    const tell = () => set("width", { data: width() });
    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(tell, 200);
    }).observe(document.getElementById("charts"));
    return width();
  };

  const finder = (result, highlight) => [(result && result.jobs) || [], highlight || ""];

  /* What is typed counts once it is a job's name; the list may not hold all names of a large batch. */
  const found = function (name, highlight, result) {
    if (!name) return highlight ? null : none();
    const names = (result && result.jobs) || [];
    return name === highlight || (names.length < MOST_NAMES && !names.includes(name)) ? none() : name;
  };

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { bounds, need, draw, sized, finder, found });
})();
