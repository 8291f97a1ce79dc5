/* What the pointer or the keyboard is at: one cursor through all charts, the container under it also in a picture, its neighbours in the row. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const charts = gantry.charts;
  const CLICK_PX = 4;
  const NEAR_PX = 2;
  const STILL_MS = 30;
  const TIP_PX = 14;

  /* `rest` is where the cursor stands while nobody points; `focus` the container reached by keyboard. */
  const state = { pointed: false, rest: null, focus: null, still: 0, asking: false, next: null };
  const tip = () => document.getElementById("tip");

  /* The time and row under the pointer; null where it is beside the Gantt. label: it is among the names. */
  const place = (charts.place = function (gd, event) {
    const { xaxis, yaxis } = gd._fullLayout;
    const box = gd.getBoundingClientRect();
    const across = event.clientX - box.left - xaxis._offset;
    const down = event.clientY - box.top - yaxis._offset;
    const ms = across < 0 || across > xaxis._length ? null : xaxis.p2l(across) * 1000;
    const row = down < 0 || down > yaxis._length || !gd.closest(".chart") ? null : yaxis.p2l(down);
    return { ms, row, label: across < 0 && row !== null };
  });

  const hush = (still) => document.getElementById("cards").toggleAttribute("data-hushed", still);

  const cursor = function (pointed) {
    state.pointed = pointed !== null;
    const at = state.pointed ? pointed : state.rest;
    for (const gd of charts.timed()) {
      const line = gd.closest(".chart, .strips").querySelector(".cursor");
      const axis = gd._fullLayout.xaxis;
      const left = at === null ? -1 : axis.l2p(at / 1000);
      line.hidden = left < 0 || left > axis._length;
      if (!line.hidden) line.style.transform = `translateX(${axis._offset + left}px)`;
    }
  };

  /* What lies over the charts stays where it belongs while they move below it. */
  charts.follow = function () {
    charts.all().forEach(gantry.mark);
    if (gantry.spanned) gantry.spanned();
    if (charts.onlook) charts.onlook();
    if (!state.pointed) cursor(null);
  };

  /* Until the mouse moves, what it points at is hushed: the text would hide what the cursor rests at. */
  charts.rest = function (ms) {
    Object.assign(state, { rest: ms, pointed: false });
    hush(ms !== null);
    charts.follow();
  };

  /* Pan until this time (and row) is in the window, with what came before it in sight. */
  charts.hold = function (ms, row) {
    let { window: window_, rows } = charts.view;
    if (window_ && (ms < window_.x0 || ms > window_.x1)) {
      const width = window_.x1 - window_.x0;
      window_ = charts.inside(ms - width / 2, ms + width / 2);
    }
    if (rows && row !== undefined && row >= 0 && (row < rows.y0 || row + 1 > rows.y1)) {
      const high = rows.y1 - rows.y0;
      rows = charts.insideRows(row + 0.5 - high / 2, row + 0.5 + high / 2);
    }
    if (window_ !== charts.view.window || rows !== charts.view.rows) charts.look(window_, rows);
  };

  charts.focused = () => state.focus;

  const plain = (line) => line.replace(/<\/?b>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

  const show = function (lines, left, top) {
    const [first, ...rest] = lines.map(plain);
    const head = Object.assign(document.createElement("strong"), { textContent: first });
    tip().replaceChildren(head, ...rest.map((text) => Object.assign(document.createElement("div"), { textContent: text })));
    tip().hidden = false;
    const { offsetWidth: wide, offsetHeight: high } = tip();
    const x = left + TIP_PX + wide > window.innerWidth ? left - TIP_PX - wide : left + TIP_PX;
    const y = top + TIP_PX + high > window.innerHeight ? top - TIP_PX - high : top + TIP_PX;
    tip().style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
  };
  const hide = () => tip() && (tip().hidden = true);

  const near = function (gd) {
    const { xaxis, yaxis } = gd._fullLayout;
    return { rows: NEAR_PX * Math.abs(yaxis.p2l(1) - yaxis.p2l(0)), ms: NEAR_PX * 1000 * (xaxis.p2l(1) - xaxis.p2l(0)) };
  };
  const asked = (gd, { ms, row }) => ({ ...charts.want(), index: charts.all().indexOf(gd), row, ms, near: near(gd) });

  /* Under a picture only the server knows what is there; one question at a time, the last place wins. */
  const ask = async function (gd, event) {
    state.next = { gd, event };
    if (state.asking) return;
    state.asking = true;
    try {
      while (state.next) {
        const { gd: chart, event: at } = state.next;
        state.next = null;
        const found = place(chart, at);
        if (found.ms === null || found.row === null) continue;
        const answer = await charts.post("at", asked(chart, found));
        if (state.next || !state.pointed) continue;
        if (answer && answer.text) show(answer.text, at.clientX, at.clientY);
        else hide();
      }
    } finally {
      state.asking = false;
    }
  };

  const isPicture = (gd) => (gd.layout.meta || {}).mode === "raster";

  /* A click: on a name it highlights that row; in the chart it asks why what is there was placed; a row that holds all of something is highlighted. */
  const pick = async function (gd, event) {
    const found = place(gd, event);
    const index = charts.all().indexOf(gd);
    if (found.label) {
      const answer = await charts.post("row", { ...charts.want(), row: found.row });
      if (answer && answer.group) set("highlight", { data: answer.group === charts.view.highlight ? null : answer.group });
      return;
    }
    if (found.ms === null || found.row === null) return;
    if (isPicture(gd)) {
      const answer = await charts.post("at", asked(gd, found));
      if (answer && answer.group) return set("highlight", { data: answer.group === charts.view.highlight ? null : answer.group });
    }
    set("picked", { data: { index, row: found.row, ms: found.ms, near: near(gd), view: charts.want(), at: Date.now() } });
  };

  const open = async function (gd, event) {
    const found = place(gd, event);
    const answer = found.label && (await charts.post("row", { ...charts.want(), row: found.row }));
    if (answer && answer.name) gantry.turn(answer.name);
  };

  /* By keyboard: the decision of the container in focus, else the first of what is looked at. */
  charts.enter = function (chart) {
    const index = charts.all().indexOf(chart.querySelector(".js-plotly-plot"));
    const focus = state.focus && state.focus.index === index ? { container: state.focus.container } : { from: charts.now().x0 };
    if (charts.view.whole) set("picked", { data: { index, ...focus, view: charts.want(), at: Date.now() } });
  };

  charts.focusOn = function (answer) {
    state.focus = answer && answer.container !== undefined ? answer : null;
    if (!state.focus) return hide();
    charts.hold(answer.start, answer.row);
    charts.rest(answer.start);
    const gd = charts.all()[answer.index];
    const { xaxis, yaxis } = gd._fullLayout;
    const box = gd.getBoundingClientRect();
    show(answer.text, box.left + xaxis._offset + Math.max(0, xaxis.l2p(answer.start / 1000)), box.top + yaxis._offset + yaxis.l2p(answer.row));
    document.getElementById("tip-says").textContent = answer.text.map(plain).join(", ");
  };

  /* The next container of the row, or the one before. */
  charts.beside = async function (chart, by) {
    const index = charts.all().indexOf(chart.querySelector(".js-plotly-plot"));
    const container = state.focus && state.focus.index === index ? state.focus.container : null;
    const answer = await charts.post("next", { ...charts.want(), index, container, by });
    if (answer && answer.text) charts.focusOn(answer);
    else document.getElementById("tip-says").textContent = "There is no further container in this row.";
  };

  gantry.pointed = function (gd) {
    let pressed = null;
    const chosen = gd.closest(".chart");
    gd.addEventListener("mousedown", (event) => (pressed = event), true);
    gd.addEventListener(
      "click",
      (event) => chosen && !event.shiftKey && pressed && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < CLICK_PX && pick(gd, event),
      true,
    );
    gd.addEventListener("dblclick", (event) => chosen && open(gd, event), true);
    gd.addEventListener("mousemove", (event) => {
      hush(false);
      cursor(place(gd, event).ms);
      clearTimeout(state.still);
      if (chosen && isPicture(gd) && !event.buttons) state.still = setTimeout(() => ask(gd, event), STILL_MS);
      else hide();
    });
    gd.addEventListener("mouseleave", () => {
      clearTimeout(state.still);
      hide();
      cursor(null);
    });
  };

  document.addEventListener("focusout", (event) => event.target.matches && event.target.matches(".chart") && hide());
  window.addEventListener("scroll", hide, { passive: true });
})();
