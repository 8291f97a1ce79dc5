/* What schedulers measure and compute inside, as strips below their charts: asked for once the charts are
   painted, and only where they are wanted. */
const { h } = gantry;
let last = "";
let answer = null;

const draw = gantry.latest(async function () {
  const { signals, result } = gantry.state;
  if (!signals || !signals.open || !result || !result.charts.some((one) => one.signals)) return put(null);
  const wish = { ...gantry.charts.viewRequest(), all: Boolean(signals.all) };
  const text = JSON.stringify(wish);
  if (text === last) return;
  last = text;
  const response = await gantry.charts.post("signals", wish);
  if (response && response.key === gantry.charts.view.key) put(response);
});

const put = function (response) {
  if (!response) last = "";
  answer = response;
  for (const one of document.querySelectorAll('[data-signals="open"]'))
    one.setAttribute("aria-pressed", String(Boolean(response)));
  for (const one of gantry.lanes.all()) {
    const of = response && response.signals[one.place];
    const room = one.node.querySelector(".signals");
    one.signals = [];
    if (!of) {
      room.replaceChildren();
      continue;
    }
    const strips = of.strips.map((strip) => gantry.lanes.strip(strip, one.px.room));
    one.signals = strips.map(({ moving }) => moving);
    const more = of.of > of.strips.length || gantry.state.signals.all;
    const words = gantry.state.signals.all
      ? gantry.msg("signals.first")
      : gantry.msg("signals.all", { count: of.of });
    const button = more
      ? h("button", { type: "button", class: "link-button", "data-signals": "all" }, words)
      : null;
    room.replaceChildren(
      ...[
        of.says ? h("p", { class: "help" }, of.says) : null,
        ...strips.map(({ node }) => node),
        button,
      ].filter(Boolean),
    );
  }
  move();
};

const move = function () {
  if (!answer) return;
  for (const one of gantry.lanes.all())
    for (const moving of one.signals || [])
      moving.style.transform = gantry.lanes.across(answer.drawn, answer.looked, one.px.width);
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-signals]");
  if (!button) return;
  const { signals } = gantry.state;
  gantry.change({ signals: { ...signals, [button.dataset.signals]: !signals[button.dataset.signals] } });
});

gantry.on(["drawn", "window", "highlight", "signals", "folded", "phone"], () => requestAnimationFrame(draw));
gantry.follow.push(move);
