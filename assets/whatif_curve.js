/* What if: the response curve of the slider touched last, and the line of its present value. */
const { whatif } = gantry;
let [last, goal] = [null, null];
const plot = () => document.querySelector("#whatif-card .js-plotly-plot");

/* What the curve should be of; the server is asked only when that is something else. A study stands in its
   place. */
function ask() {
  const room = document.getElementById("whatif-curve");
  if (!room) return;
  const [slider, base] = [whatif.active(), whatif.base()];
  const tunable = slider && whatif.of(slider);
  const want = tunable && base && !tunable.choices.length ? wanted(slider, tunable, base) : null;
  room.hidden = !want;
  if (!gantry.state.study && !gantry.same(want, last)) gantry.put("whatif-ask", { data: (last = want) });
  now();
}

function wanted({ path, first, last: end, step }, { whole, value }, { key }) {
  const held = whatif.changes().filter((change) => change.path !== path);
  return { key, path, first, last: end, step, whole, present: value, held, goal };
}

/* The blue line of the slider's value, over a curve that is drawn for the value of the run. */
const now = () => line(plot(), whatif.active());
function line(gd, slider) {
  if (!gd || !gd._fullLayout || !gd._fullLayout.xaxis || !slider) return;
  const picture = gd.closest(".picture");
  let mark = picture.querySelector(".whatif-now");
  if (!mark)
    picture.append((mark = Object.assign(document.createElement("div"), { className: "whatif-now" })));
  const { xaxis, yaxis } = gd._fullLayout;
  const left = typeof slider.value === "number" ? xaxis.l2p(slider.value) : -1;
  mark.hidden = left < 0 || left > xaxis._length;
  Object.assign(mark.style, {
    transform: `translateX(${xaxis._offset + left}px)`,
    top: `${yaxis._offset}px`,
    height: `${yaxis._length}px`,
  });
}

/* A curve is there once plotly has drawn it. */
function drawn() {
  const gd = plot();
  if (gd.dataset.whatif) return now();
  gd.dataset.whatif = "yes";
  gd.on("plotly_afterplot", now);
  gd.on(
    "plotly_click",
    ({ points }) =>
      points.length && whatif.active() && whatif.turn(whatif.active().path, Number(points[0].x), true),
  );
  now();
}

gantry.on(["sliders", "slider", "study"], ask);
Object.assign(whatif, { ask, line });
gantry.callbacks({
  whatifGoal: (bound) => {
    goal = bound;
    ask();
  },
  whatifDrawn: () => void requestAnimationFrame(() => gantry.when(() => plot() && plot().on, drawn)),
});
