/* All charts share one time axis and the same rows: zoom, pan, cursor and highlight of one go to all others at once; the server is asked only for what the page does not hold. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const none = () => window.dash_clientside.no_update;
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const SETTLED_MS = 60; // after the last turn of a wheel or move of fingers; the end of a drag is an event of its own
  const COMING_MS = 400; // the figures of a new result come with it
  const LEAST_MS = 10;
  const LEAST_ROWS = 1;
  const LABEL_PX = 40; // names were cut to the bars of the width a chart was drawn for
  const ALL = 0.9995;
  const CARD_PX = 400; // at least, as the style sheet has it
  const FOUR = 4; // stand two and two

  const timed = () => Array.from(document.querySelectorAll("#cards .js-plotly-plot")).filter((gd) => gd._fullLayout && gd._fullLayout.xaxis);
  const graphs = () => timed().filter((gd) => gd.closest(".chart")); // the others are strips of signals below a chart
  const seconds = (window_) => [window_.x0 / 1000, window_.x1 / 1000];
  const range = (gd, axis) => gd._fullLayout[axis].range.map(Number);
  const arranged = (wish) => ({ by: "lane", sort: "order", find: "", opened: [], ...(wish || {}) });

  /* `window` is what is looked at in ms and `rows` which rows by their edges, null for all; `whole` is all there is. */
  const view = { key: null, window: null, rows: null, whole: null, highlight: null, dark: false, width: 0, arranged: arranged(), addresses: null };
  const work = { applying: false, wanted: null, source: null, settled: 0, fetching: false, again: false, pressed: false, came: null, put: "" };
  const driven = new Set();

  const within = function (low, high, first, last, least, exact) {
    const width = Math.min(Math.max(high - low, least), last - first);
    if (width >= (last - first) * ALL) return null;
    const start = Math.min(Math.max(low, first), last - width);
    const cut = (value) => Math.round(value * exact) / exact;
    return [cut(start), cut(start + width)];
  };
  const inside = function (x0, x1) {
    const found = within(x0, x1, view.whole.x0, view.whole.x1, LEAST_MS, 1);
    return found && { x0: found[0], x1: found[1] };
  };
  const insideRows = function (y0, y1) {
    const found = within(y0, y1, 0, view.whole.rows, LEAST_ROWS, 100);
    return found && { y0: found[0], y1: found[1] };
  };
  const now = () => view.window || view.whole;
  const nowRows = () => view.rows || { y0: 0, y1: view.whole.rows };

  /* Draw the wanted ranges on every chart but their source; while one pass draws, newer wishes wait for its end. */
  const apply = async function () {
    if (work.applying) return;
    work.applying = true;
    try {
      while (work.wanted) {
        const { wanted, source } = work;
        work.wanted = null;
        await Promise.all(timed().map((gd) => gd !== source && drive(gd, wanted)));
      }
    } finally {
      work.applying = false;
    }
  };

  /* What a chart tells while it is driven is no wish of the user. */
  const drive = async function (gd, { x, y }) {
    const changes = {};
    if (differs(range(gd, "xaxis"), x)) changes["xaxis.range"] = x.slice();
    if (y && gd.closest(".chart") && differs(range(gd, "yaxis"), y)) changes["yaxis.range"] = y.slice();
    if (!Object.keys(changes).length) return;
    driven.add(gd);
    try {
      await window.Plotly.relayout(gd, changes);
    } finally {
      driven.delete(gd);
    }
  };

  const differs = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) > 1e-6 * Math.abs(b[1] - b[0]);
  const wantedRanges = () => ({ x: seconds(now()), y: view.rows && [view.rows.y1 - 0.5, view.rows.y0 - 0.5] });
  const viewport = () => (view.window || view.rows ? { ...view.window, ...view.rows } : null);

  /* `soon`: more of the same is on its way, so what is drawn anew waits for it. */
  const look = function (window_, rows, { source = null, soon = false } = {}) {
    const opens = !rows && view.rows;
    Object.assign(view, { window: window_, rows });
    const wanted = wantedRanges();
    if (opens) wanted.y = [view.whole.rows - 0.5, -0.5];
    Object.assign(work, { wanted, source });
    apply();
    gantry.address({ viewport: viewport() });
    if (gantry.charts.onlook) gantry.charts.onlook();
    clearTimeout(work.settled);
    work.settled = setTimeout(settle, soon ? SETTLED_MS : 0);
  };

  const settle = function () {
    if (work.pressed) return;
    redraw(); // first, for what the page does with the viewport takes as long as the answer
    setTimeout(() => set("viewport", { data: viewport() }), 0);
  };

  const zoom = function (factor, at, soon) {
    if (!view.whole) return;
    const { x0, x1 } = now();
    const centre = at === undefined ? (x0 + x1) / 2 : at;
    look(inside(centre - (centre - x0) * factor, centre + (x1 - centre) * factor), view.rows, { soon });
  };
  const pan = function (share, soon) {
    if (!view.whole) return;
    const { x0, x1 } = now();
    const by = (x1 - x0) * share;
    look(inside(x0 + by, x1 + by), view.rows, { soon });
  };
  const zoomRows = function (factor, at, soon) {
    if (!view.whole) return;
    const { y0, y1 } = nowRows();
    const centre = at === undefined ? (y0 + y1) / 2 : at;
    look(view.window, insideRows(centre - (centre - y0) * factor, centre + (y1 - centre) * factor), { soon });
  };
  const panRows = function (share, soon) {
    if (!view.whole || !view.rows) return;
    const { y0, y1 } = view.rows;
    const by = (y1 - y0) * share;
    look(view.window, insideRows(y0 + by, y1 + by), { soon });
  };
  const whole = () => view.whole && look(null, null);

  /* The user has moved a chart, by plotly's own drag. */
  const moved = function (gd, changes, ended) {
    const names = Object.keys(changes || {});
    if (driven.has(gd) || !view.whole || !names.some((key) => /^[xy]axis/.test(key))) return;
    if (names.some((key) => key.endsWith(".autorange"))) return whole();
    const x = range(gd, "xaxis").map((at) => at * 1000);
    const window_ = inside(Math.min(...x), Math.max(...x));
    let rows = view.rows;
    if (rows && gd.closest(".chart")) {
      const y = range(gd, "yaxis").map((at) => at + 0.5);
      rows = insideRows(Math.min(...y), Math.max(...y));
    }
    const exact = window_ && Math.abs(window_.x0 - x[0]) < 1 && Math.abs(window_.x1 - x[1]) < 1 && (!rows || rows === view.rows || Math.abs(rows.y0 + rows.y1 - view.rows.y0 - view.rows.y1) > 0);
    look(window_, rows, { source: exact ? gd : null, soon: !ended });
  };

  /* Fetching: one request at a time, of what is looked at when it starts; what changes meanwhile is fetched next. */
  const post = async function (name, data) {
    const answer = await fetch(view.addresses[name], { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
    if (answer.status === 410) gantry.again();
    return answer.ok ? answer.json() : null;
  };

  const want = () => ({ key: view.key, window: viewport(), rows: view.arranged, highlight: view.highlight, dark: view.dark, width: view.width });

  const fits = function (drawn, wish) {
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    if (drawn.key !== wish.key || drawn.highlight !== wish.highlight || drawn.dark !== wish.dark || !same(arranged(drawn.rows), wish.rows)) return false;
    if (Math.abs(drawn.width - wish.width) >= LABEL_PX) return false;
    return drawn.complete ? !view.rows : drawn.width === wish.width && same(drawn.window, wish.window);
  };

  const redraw = async function () {
    work.again = true;
    if (work.fetching || !view.key || !view.addresses) return;
    work.fetching = true;
    try {
      while (work.again) {
        work.again = false;
        const wish = want();
        const drawn = graphs().map((gd) => (gd.layout.meta || {}).drawn || {});
        const text = JSON.stringify(wish);
        if (!drawn.length || text === work.put || drawn.every((one) => fits(one, wish))) break;
        const answer = await post("draw", wish);
        if (answer && answer.figures.length && answer.figures[0].layout.meta.drawn.key === view.key) {
          work.put = text;
          await put(answer.figures);
        }
      }
    } catch {
      gantry.away();
    } finally {
      work.fetching = false;
    }
    if (work.again) redraw();
  };

  /* Figures from the server, at the zoom the user has reached meanwhile; one that is being dragged is drawn when it is released. */
  const put = async function (figures) {
    while (work.pressed) await new Promise((done) => setTimeout(done, 16));
    prepared(figures);
    figures.forEach((figure, index) => {
      set({ type: "graph", index }, { figure, style: { height: figure.layout.height } });
      set({ type: "badge", index }, { children: badge(figure.layout.meta) });
    });
  };

  const prepared = function (figures) {
    const { whole: all } = figures[0].layout.meta.drawn;
    view.whole = all;
    const { x, y } = wantedRanges();
    for (const figure of figures) {
      figure.layout.xaxis.range = x.slice();
      if (y) figure.layout.yaxis.range = y.slice();
    }
  };

  /* A result has come: its bounds are the new whole. */
  const adopt = function (key, whole_, looked) {
    if (key === view.key) return;
    const part = (low, high) => (looked && low in looked ? { [low]: looked[low], [high]: looked[high] } : null);
    Object.assign(view, { key, whole: { rows: 1, ...whole_ }, window: part("x0", "x1"), rows: part("y0", "y1") });
    work.wanted = null;
    gantry.address({ viewport: viewport() });
  };

  const bounds = function (result) {
    work.put = "";
    if (result) adopt(result.key, result.whole, result.window);
    return none();
  };

  /* Something that decides what is drawn has changed. */
  const need = function (window_, highlight, scheme, width, rows, result, addresses) {
    const before = JSON.stringify(view.arranged);
    Object.assign(view, { highlight: highlight || null, dark: scheme === "dark", width, arranged: arranged(rows), addresses });
    if (JSON.stringify(view.arranged) !== before) {
      view.rows = null;
      gantry.charts.focusOn(null);
    }
    gantry.address({ highlight: view.highlight, rows: view.arranged });
    for (const button of document.querySelectorAll("[data-select]")) button.setAttribute("aria-pressed", String(button.dataset.select === view.highlight));
    if (result && result.key === work.came) redraw();
    else if (result) setTimeout(redraw, COMING_MS);
    work.came = result && result.key;
    if (result && gantry.charts.onlook) gantry.charts.onlook();
    return none();
  };

  /* Figures of a new result. */
  const draw = function (drawn, ids) {
    const figures = ids.map((id) => (drawn || [])[id.index]);
    if (!figures.length || !figures.every(Boolean)) return [ids.map(none), ids.map(none), ids.map(none)];
    const { key, whole: all, looked } = figures[0].layout.meta.drawn;
    work.put = "";
    adopt(key, all, looked);
    prepared(figures);
    return [figures, figures.map((figure) => ({ height: figure.layout.height })), figures.map((figure) => badge(figure.layout.meta))];
  };

  /* Empty where the chart draws every slice of every row. */
  const badge = function ({ mode, hidden }) {
    const filtered = hidden ? `${hidden.toLocaleString("en")} ${hidden === 1 ? "row" : "rows"} filtered out` : "";
    return [mode === "exact" ? "" : "sampled", filtered].filter(Boolean).join(", ");
  };

  /* The width each of so many charts will have, in steps so that small changes ask for nothing; count: by default of those there are. */
  const width = (gantry.width = function (count) {
    const cards = document.getElementById("cards");
    if (!cards) return Math.max(240, window.innerWidth - 40);
    const gap = parseFloat(getComputedStyle(cards).columnGap) || 0;
    const fit = cards.hasAttribute("data-single") ? 1 : Math.max(1, Math.floor((cards.clientWidth + gap) / (CARD_PX + gap)));
    const many = count || cards.children.length;
    const columns = Math.min(fit, many === FOUR ? FOUR / 2 : many);
    return Math.max(240, Math.floor((cards.clientWidth - gap * (columns - 1)) / columns / 10) * 10);
  });
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

  /* Strips come and are drawn anew apart from the charts, and a card's first figure is of the whole: each is brought to the zoom reached meanwhile. */
  const caughtUp = function (gd) {
    if (!view.whole || gd.gantryDrawn === gd.layout.meta.drawn) return;
    gd.gantryDrawn = gd.layout.meta.drawn;
    drive(gd, wantedRanges());
  };

  const watch = function (gd) {
    if (gd.dataset.watched) return;
    gd.dataset.watched = "yes";
    if (gd.closest(".strips")) gd.on("plotly_afterplot", () => caughtUp(gd));
    gd.on("plotly_relayout", (changes) => moved(gd, changes, true));
    gd.on("plotly_relayouting", (changes) => moved(gd, changes, false));
    gd.on("plotly_relayouting", () => gantry.charts.follow());
    gd.on("plotly_afterplot", () => gantry.charts.follow());
    gd.on("plotly_doubleclick", whole);
    gantry.touched(gd, now, (x0, x1) => look(inside(x0, x1), view.rows, { soon: true }));
    gantry.pointed(gd);
    const row = (event) => gantry.charts.place(gd, event);
    gd.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        const step = Math.exp(Math.max(-0.5, Math.min(0.5, (event.deltaY || event.deltaX) / 400)));
        const { ms, row: at } = row(event);
        if (event.altKey) zoomRows(step, at === null ? undefined : at + 0.5, true);
        else if (event.shiftKey) pan(Math.sign(event.deltaY || event.deltaX) * 0.1, true);
        else zoom(step, ms ?? undefined, true);
      },
      { passive: false, capture: true },
    );
  };
  new MutationObserver(() => timed().forEach(watch)).observe(document.documentElement, { childList: true, subtree: true });

  const press = (down) => (event) => {
    if (down && !(event.target.closest && event.target.closest("#cards .js-plotly-plot"))) return;
    const released = work.pressed && !down;
    work.pressed = down;
    if (released) setTimeout(settle, 0);
  };
  document.addEventListener("mousedown", press(true), true);
  document.addEventListener("mouseup", press(false), true);
  window.addEventListener("blur", press(false));

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) ({ in: () => zoom(STEP), out: () => zoom(1 / STEP), all: whole })[button.dataset.zoom]();
  });
  const STEP = 0.7;

  gantry.charts = { all: graphs, timed, view, look, inside, insideRows, now, nowRows, zoom, pan, zoomRows, panRows, whole, post, want, step: STEP };

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { bounds, need, draw, sized });
})();
