/* What if, studies: the pictures under the hand. A point of the curve sets its slider, a cell of the map
   both; arrow keys go from cell to cell. */
const { at, h, whatif } = gantry;
let cells = null;
let cursor = [0, 0];
const plot = (key) => document.querySelector(`#study-${key}-graph .js-plotly-plot`);
const drawn = (gd) => gd && gd._fullLayout && gd._fullLayout.xaxis && gd.clientWidth > 0;

/* Where the sliders stand: a line over the curve, a frame around the cell. */
function marked() {
  const { study } = gantry.state;
  if (!study) return;
  const slider = (axis) => whatif.find(axis.path) || { value: axis.present };
  if (!study.y) return whatif.line(plot("curve"), slider(study.x));
  const now = [slider(study.x).value, slider(study.y).value];
  if (cells && room())
    frame(
      "study-here",
      [cells.x, cells.y].map((values, side) => nearest(values, now[side])),
    );
}
const nearest = (values, value) =>
  values.reduce(
    (best, one, place) => (Math.abs(one - value) < Math.abs(values[best] - value) ? place : best),
    0,
  );

/* The map has a room over it that takes the pointer and the keyboard: the drawing itself is hidden from
   who can't see it. */
function room() {
  const gd = plot("map");
  if (!drawn(gd)) return null;
  const { xaxis, yaxis } = gd._fullLayout;
  let made = at("study-grid");
  if (!made) {
    const says = gantry.msg("whatif_study_view.map");
    made = h("div", {
      id: "study-grid",
      class: "study-grid",
      tabindex: 0,
      role: "application",
      "aria-label": says,
      "aria-describedby": "study-cell",
    });
    gd.closest(".picture").after(
      h(
        "div",
        { class: "study-over" },
        made,
        h("p", { id: "study-cell", class: "study-cell", role: "status" }),
      ),
    );
    made.append(h("div", { class: "study-here" }), h("div", { class: "study-at" }));
  }
  const [own, outer] = [gd.getBoundingClientRect(), made.offsetParent.getBoundingClientRect()];
  Object.assign(made.style, {
    left: `${own.left - outer.left - made.offsetParent.clientLeft + xaxis._offset}px`,
    top: `${own.top - outer.top - made.offsetParent.clientTop + yaxis._offset}px`,
    width: `${xaxis._length}px`,
    height: `${yaxis._length}px`,
  });
  return made;
}

function frame(name, [column, row]) {
  const made = at("study-grid").querySelector(`.${name}`);
  const [wide, high] = [100 / cells.x.length, 100 / cells.y.length];
  Object.assign(made.style, {
    left: `${column * wide}%`,
    bottom: `${row * high}%`,
    width: `${wide}%`,
    height: `${high}%`,
  });
}

const label = (path, value) =>
  `${whatif.of({ path }).label}: ${value.toLocaleString("en", { maximumFractionDigits: 6 })}`;
function look([column, row]) {
  const { study } = gantry.state;
  cursor = [
    Math.min(Math.max(column, 0), cells.x.length - 1),
    Math.min(Math.max(row, 0), cells.y.length - 1),
  ];
  frame("study-at", cursor);
  const where = [label(study.x.path, cells.x[cursor[0]]), label(study.y.path, cells.y[cursor[1]])];
  at("study-cell").textContent =
    `${where.join(", ")}: ${cells.texts[cursor[0] * cells.y.length + cursor[1]]}`;
}
const under = function ({ clientX, clientY }) {
  const box = at("study-grid").getBoundingClientRect();
  return [
    Math.floor(((clientX - box.left) / box.width) * cells.x.length),
    Math.floor(((box.bottom - clientY) / box.height) * cells.y.length),
  ];
};
function set([column, row]) {
  const { study } = gantry.state;
  whatif.turn(study.y.path, cells.y[row]);
  whatif.turn(study.x.path, cells.x[column], true);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const inGrid = ({ target }) => cells && gantry.state.study && target.closest && target.closest("#study-grid");
document.addEventListener("pointermove", (event) => inGrid(event) && look(under(event)));
document.addEventListener("click", (event) => inGrid(event) && (look(under(event)), set(cursor)));
document.addEventListener("focusin", (event) => inGrid(event) && look(cursor));
document.addEventListener("keydown", (event) => {
  if (!inGrid(event)) return;
  const by = ARROWS[event.key];
  if (by) look([cursor[0] + by[0], cursor[1] + by[1]]);
  if (event.key === "Enter" || event.key === " ") set(cursor);
  if (by || event.key === "Enter" || event.key === " ") event.preventDefault();
});

/* Once plotly has drawn, and whenever it draws anew. */
function hear(key) {
  const gd = plot(key);
  if (!gd || !gd.on || gd.dataset.study) return;
  gd.dataset.study = "yes";
  gd.on("plotly_afterplot", marked);
  if (key === "curve")
    gd.on(
      "plotly_click",
      ({ points }) =>
        points.length &&
        gantry.state.study &&
        whatif.turn(gantry.state.study.x.path, Number(points[0].x), true),
    );
}

Object.assign(whatif.study, { marked });
gantry.callbacks({
  studyDrawn(shown) {
    if (!shown) return;
    const { cells: next, title, files, metric } = shown;
    const same = cells && next && gantry.same([cells.x, cells.y], [next.x, next.y]);
    cells = next || null;
    if (!same) cursor = [0, 0];
    for (const key of ["curve", "map"]) at(`study-${key}-head`).textContent = title;
    for (const link of document.querySelectorAll("[data-study-file]")) {
      if (files)
        link.href = `${at("study-files").dataset.at}${files}/${link.dataset.studyFile}?metric=${metric}`;
      else link.removeAttribute("href");
    }
    requestAnimationFrame(() =>
      gantry.when(
        () => drawn(plot("curve")) || drawn(plot("map")),
        () => (hear("curve"), hear("map"), marked()),
      ),
    );
  },
});
