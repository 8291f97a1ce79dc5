/* What schedulers measure and compute inside, as strips below their charts: asked for once the charts are painted, and only where they are wanted. */
(window.gantry = window.gantry || { parts: [] }).parts.push(function (gantry) {
  "use strict";
  const KEPT = "gantry-signals";
  const { h } = gantry;
  let asking = false;
  let again = false;
  let last = "";
  let answer = null;

  const kept = function () {
    try {
      return JSON.parse(window.localStorage.getItem(KEPT)) || {};
    } catch {
      return {};
    }
  };

  const draw = async function () {
    again = true;
    if (asking) return;
    asking = true;
    while (again) {
      again = false;
      const { signals, result } = gantry.state;
      const wanted = signals && signals.open && result && result.charts.some((one) => one.signals);
      if (!wanted) put(null);
      else {
        const wish = { ...gantry.charts.wish(), all: Boolean(signals.all) };
        const text = JSON.stringify(wish);
        if (text === last) continue;
        last = text;
        const found = await gantry.charts.post("signals", wish);
        if (found && found.key === gantry.charts.view.key) put(found);
      }
    }
    asking = false;
  };

  const put = function (found) {
    if (!found) last = "";
    answer = found;
    for (const one of gantry.lanes.all()) {
      const of = found && found.signals[one.place];
      const room = one.node.querySelector(".signals");
      one.signals = [];
      if (!of) {
        room.replaceChildren();
        continue;
      }
      const made = of.strips.map((strip) => gantry.lanes.strip(strip, one.px.room));
      one.signals = made.map(({ moving }) => moving);
      const more = of.of > of.strips.length || gantry.state.signals.all;
      const words = gantry.state.signals.all ? "First signals only" : `All ${of.of} signals`;
      const button = more ? h("button", { type: "button", class: "link-button", "data-signals": "all" }, words) : null;
      room.replaceChildren(...[of.says ? h("p", { class: "help" }, of.says) : null, ...made.map(({ node }) => node), button].filter(Boolean));
    }
    move();
  };

  const move = function () {
    if (!answer) return;
    for (const one of gantry.lanes.all()) for (const moving of one.signals || []) moving.style.transform = gantry.lanes.across(answer.drawn, answer.looked, one.px.width);
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-signals]");
    if (!button) return;
    const what = button.dataset.signals;
    const next = { ...gantry.state.signals, [what]: !(gantry.state.signals || {})[what] };
    gantry.change({ signals: next });
    try {
      window.localStorage.setItem(KEPT, JSON.stringify(next));
    } catch {
      /* It is wanted for this visit, then. */
    }
  });

  gantry.on(["drawn", "window", "highlight", "signals", "folded", "phone"], () => {
    if (!gantry.state.signals) gantry.state.signals = kept();
    requestAnimationFrame(draw);
  });
  gantry.follow.push(move);
});
