/* Keys of the charts, as in Perfetto; single letters only while a chart has the focus. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const charts = gantry.charts;
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const { step } = charts;

  const KEYS = {
    w: () => charts.zoom(step),
    s: () => charts.zoom(1 / step),
    a: () => charts.pan(-0.2),
    d: () => charts.pan(0.2),
    e: () => charts.zoomRows(step),
    q: () => charts.zoomRows(1 / step),
    "+": () => charts.zoom(step),
    "=": () => charts.zoom(step),
    "-": () => charts.zoom(1 / step),
    ArrowLeft: () => charts.pan(-0.2),
    ArrowRight: () => charts.pan(0.2),
    ArrowUp: () => charts.panRows(-0.2),
    ArrowDown: () => charts.panRows(0.2),
    0: charts.whole,
    Home: charts.whole,
    f: () => fit(),
    "/": () => document.getElementById("find-job").focus(),
    "?": () => set("keys-dialog", { opened: true }),
    Enter: (chart) => charts.enter(chart),
    ".": (chart) => charts.beside(chart, 1),
    ",": (chart) => charts.beside(chart, -1),
  };
  charts.keys = KEYS;

  /* The selected span, the container in focus, what is highlighted; all of it where nothing is. */
  const fit = async function () {
    const { view } = charts;
    if (!view.whole) return;
    const focus = charts.focused();
    const found = gantry.span ? gantry.span() : focus ? { x0: focus.start, x1: focus.end } : view.highlight ? await charts.post("extent", charts.want()) : null;
    if (!found || !(found.x1 > found.x0)) return charts.whole();
    const more = (found.x1 - found.x0) * 0.05;
    charts.look(charts.inside(found.x0 - more, found.x1 + more), "y0" in found ? charts.insideRows(found.y0, found.y1) : view.rows);
  };

  const still = (key) => !["ArrowUp", "ArrowDown"].includes(key) || charts.view.rows; // else they scroll the page

  document.addEventListener("keydown", (event) => {
    const chart = event.target.closest && event.target.closest(".chart, .strips");
    if (!chart || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = KEYS[event.key] || KEYS[event.key.toLowerCase()];
    if (!action || !still(event.key) || (event.key === "Enter" && !event.target.matches(".chart"))) return;
    event.preventDefault();
    action(chart);
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("#show-keys")) set("keys-dialog", { opened: true });
  });
})();
