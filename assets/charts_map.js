/* The map of the whole run above the charts: a frame shows what they show, and can be dragged. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const charts = gantry.charts;
  let drawn = "";

  const map = () => document.getElementById("map");

  const picture = async function () {
    const { key, rows, highlight, dark } = charts.want();
    const wish = JSON.stringify({ key, rows, highlight, dark });
    if (wish === drawn) return;
    drawn = wish;
    const answer = await charts.post("map", charts.want());
    if (answer && answer.map && wish === drawn) document.getElementById("map-picture").src = answer.map;
  };

  const frame = function () {
    const { whole } = charts.view;
    const first = charts.all()[0];
    const small = !first || ((first.layout.meta || {}).drawn || {}).complete;
    map().hidden = !whole || small;
    if (map().hidden) return;
    picture();
    const { x0, x1 } = charts.now();
    const { y0, y1 } = charts.nowRows();
    const share = (value, low, high) => `${(100 * (value - low)) / (high - low)}%`;
    Object.assign(document.getElementById("map-frame").style, {
      left: share(x0, whole.x0, whole.x1),
      width: share(x1 - x0, 0, whole.x1 - whole.x0),
      top: share(y0, 0, whole.rows),
      height: share(y1 - y0, 0, whole.rows),
    });
  };
  charts.onlook = () => requestAnimationFrame(frame);

  /* Where one presses becomes the middle of what is looked at, and stays under the pointer. */
  const go = function (event) {
    const { whole } = charts.view;
    const box = map().getBoundingClientRect();
    const x = whole.x0 + ((event.clientX - box.left) / box.width) * (whole.x1 - whole.x0);
    const y = ((event.clientY - box.top) / box.height) * whole.rows;
    const { x0, x1 } = charts.now();
    const { y0, y1 } = charts.nowRows();
    const zoomed = charts.view.window ? charts.inside(x - (x1 - x0) / 2, x + (x1 - x0) / 2) : null;
    charts.look(zoomed, charts.view.rows ? charts.insideRows(y - (y1 - y0) / 2, y + (y1 - y0) / 2) : null, { soon: true });
  };

  document.addEventListener("pointerdown", (event) => {
    if (!map() || !map().contains(event.target) || !charts.view.whole) return;
    event.preventDefault();
    map().setPointerCapture(event.pointerId);
    go(event);
    const move = (moved) => go(moved);
    map().addEventListener("pointermove", move);
    map().addEventListener("pointerup", () => map().removeEventListener("pointermove", move), { once: true });
  });
})();
