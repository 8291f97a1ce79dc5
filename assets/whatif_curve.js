/* What if: the response curve of the slider touched last, the line of its present value, and the goal. */
(function (whatif) {
  "use strict";

  const POLL_MS = 200;
  let last = null;
  let goal = null;

  /* What the curve should be of; the server is asked only when that is something else. */
  function wanted() {
    const slider = whatif.sliders.find(({ path }) => path === whatif.active);
    if (!slider || slider.tunable.choices.length || !whatif.base) return null;
    const { path, tunable, first, last: end, step } = slider;
    const held = whatif.changes().filter((change) => change.path !== path);
    return { key: whatif.base.key, path, first, last: end, step, whole: tunable.whole, present: tunable.value, held, goal };
  }

  function ask() {
    const room = whatif.at("whatif-curve");
    if (!room) return;
    const want = wanted();
    room.hidden = !want;
    if (whatif.same(want, last)) return;
    last = want;
    whatif.set("whatif-ask", { data: want });
  }

  /* The upright line of the slider's value, over a curve that is drawn for the value composed. */
  function now() {
    const picture = document.querySelector("#whatif-card .picture");
    const gd = picture && picture.querySelector(".js-plotly-plot");
    const slider = whatif.sliders.find(({ path }) => path === whatif.active);
    if (!gd || !gd._fullLayout || !gd._fullLayout.xaxis || !slider) return;
    let line = picture.querySelector(".whatif-now");
    if (!line) picture.append((line = Object.assign(document.createElement("div"), { className: "whatif-now" })));
    const { xaxis, yaxis } = gd._fullLayout;
    const left = typeof slider.value === "number" ? xaxis.l2p(slider.value) : -1;
    line.hidden = left < 0 || left > xaxis._length;
    Object.assign(line.style, { transform: `translateX(${xaxis._offset + left}px)`, top: `${yaxis._offset}px`, height: `${yaxis._length}px` });
  }

  function watch() {
    const gd = document.querySelector("#whatif-card .js-plotly-plot");
    if (!gd || !gd.on || gd.dataset.whatif) return;
    gd.dataset.whatif = "yes";
    gd.on("plotly_afterplot", now);
    gd.on("plotly_click", ({ points }) => {
      const slider = whatif.sliders.find(({ path }) => path === whatif.active);
      if (slider && points.length) whatif.turn(slider, Number(points[0].x), true);
    });
    now();
  }
  new MutationObserver(watch).observe(document.documentElement, { childList: true, subtree: true });

  /* The goal as it is typed: "300", "5 min", "80 %". */
  function typed(text, metric) {
    const { title, unit, better } = (whatif.facts ? whatif.facts.metrics : {})[metric] || { title: "", unit: "s", better: "smaller" };
    const label = `Goal: ${title[0] ? title[0].toLowerCase() + title.slice(1) : ""} at ${better === "larger" ? "least" : "most"} (${unit === "share" ? "%" : unit})`;
    const before = goal;
    goal = null;
    let wrong = null;
    if (String(text || "").trim()) {
      let bound = window.gantryEditor.values.parse(text, { kind: "number", unit: unit === "s" ? "s" : "" });
      if (unit === "share" && typeof bound === "number" && bound > 1) bound /= 100;
      if (typeof bound === "number" && Number.isFinite(bound)) goal = { metric, bound };
      else wrong = `Must be a number${unit === "s" ? " of seconds, such as 300" : unit === "share" ? " of percent, such as 80" : ""}.`;
    }
    if (!whatif.same(before, goal)) ask();
    return [label, wrong];
  }

  function poke(work) {
    if (work) setTimeout(() => whatif.set("whatif-poke", { data: Date.now() }), POLL_MS);
    return whatif.none();
  }

  whatif.curve = { ask, now };
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.whatif = Object.assign(window.dash_clientside.whatif || {}, { goal: typed, poke });
})((window.gantryWhatif = window.gantryWhatif || {}));
