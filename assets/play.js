/* Play: the cursor of all charts runs through time or steps from decision to decision, and the cluster's
   nodes fill up in their tab. */
const STEP_MS = 1000; // between two moves where less motion is asked for
const MAX_FRAME_MS = 250; // of a tab that was away
const SPOKEN_MS = 400;
const MIN_PX = 200; // of a scheduler's nodes
const { h, at: byId } = gantry;
const section = () => byId("play");
const slider = () => section().querySelector("input");
const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");
const work = { at: 0, last: 0, timer: 0, speaking: 0, steps: Promise.resolve() };
const whole = () => gantry.state.result && gantry.state.result.whole;
const playing = () => Boolean(gantry.state.playing);

/* ms of the run a ms of the clock. */
const rate = function () {
  const [kind, number] = [byId("play-speed").value[0], Number(byId("play-speed").value.slice(1))];
  return kind === "w" ? (whole().x1 - whole().x0) / (1000 * number) : number;
};

/* Everything at the cursor: charts, clock, slider, nodes; for those who listen a sentence once it rests. */
const show = function (runs) {
  const text = gantry.clock(work.at, 2);
  slider().value = work.at;
  slider().setAttribute("aria-valuetext", text);
  byId("play-time").textContent = text;
  section().dataset.at = work.at;
  gantry.charts.reveal(work.at);
  gantry.pointer.rest(work.at);
  gantry.change({ at: work.at, playing: runs });
  draw();
  clearTimeout(work.speaking);
  if (!runs) work.speaking = setTimeout(() => (byId("play-says").textContent = text), SPOKEN_MS);
};

const forward = function (ms) {
  work.at = Math.min(work.at + ms * rate(), whole().x1);
  if (work.at >= whole().x1) return pause();
  return show(true);
};

const frame = function (now) {
  if (!playing()) return;
  const passed = Math.min(now - work.last, MAX_FRAME_MS);
  work.last = now;
  forward(passed);
  if (playing()) work.timer = requestAnimationFrame(frame);
};

const play = function () {
  if (work.at >= whole().x1) work.at = whole().x0;
  show(true);
  button();
  work.last = performance.now();
  if (reducedMotion.matches) work.timer = setInterval(() => forward(STEP_MS), STEP_MS);
  else work.timer = requestAnimationFrame(frame);
};

const pause = function () {
  if (!playing()) return;
  cancelAnimationFrame(work.timer);
  clearInterval(work.timer);
  go(Math.round(work.at));
  button();
};

const button = function () {
  const [node, title] = [
    section().querySelector('[data-play="play"]'),
    playing() ? gantry.msg("play.pause") : gantry.msg("shared.play"),
  ];
  node.title = title;
  node.setAttribute("aria-label", title);
  node.firstElementChild.className = `icon icon-${playing() ? "pause" : "play"}`;
  section().dataset.playing = playing();
};

const go = function (at) {
  work.at = Math.min(Math.max(at, whole().x0), whole().x1);
  show(false);
};

/* The next decision of any scheduler shown, or the one before; beyond the last one the end. */
const step = (by) => (work.steps = work.steps.then(() => stepped(by)));
const stepped = async function (by) {
  pause();
  const answer = await gantry.charts.post("step", { ...gantry.charts.viewRequest(), at: work.at, by });
  if (answer) go(answer.at ?? (by > 0 ? whole().x1 : whole().x0));
};

/* The nodes are there while their tab is open; one question at a time, the last time wins. */
const isOpen = ({ drawer }) => Boolean(drawer && drawer.open && drawer.tab === "nodes");
const draw = gantry.latest(async function () {
  if (!isOpen(gantry.state) || !whole()) return;
  const room = byId("play-nodes").clientWidth;
  const wish = gantry.charts.viewRequest();
  const columns = Math.max(1, Math.min(wish.charts.length, Math.floor(room / MIN_PX)));
  const answer = await gantry.charts.post("nodes", {
    ...wish,
    at: work.at,
    px: Math.floor((room - 16 * (columns - 1)) / columns) - 22,
  });
  if (answer && answer.html) byId("play-nodes").innerHTML = answer.html;
});

const ACTS = {
  first: () => (pause(), go(whole().x0)),
  back: () => step(-1),
  play: () => (playing() ? pause() : play()),
  next: () => step(1),
  last: () => (pause(), go(whole().x1)),
};

const scrub = function (event) {
  const at = Math.round(Number(event.target.value));
  pause();
  go(at);
};

gantry.on(["result"], ({ result, at }, before) => {
  if (!section() || !result || (before.result && before.result.key === result.key)) return;
  pause();
  if (!slider()) {
    const props = {
      type: "range",
      step: "any",
      "aria-label": gantry.msg("play.time"),
      "aria-keyshortcuts": "ArrowLeft ArrowRight Home End Space",
      title: gantry.msg("play.time_title"),
    };
    byId("play-slider").append(h("input", { ...props, oninput: scrub }));
  }
  Object.assign(slider(), { min: result.whole.x0, max: result.whole.x1 });
  const asked = (!before.result || result.why === "whatif") && at !== null && at !== undefined;
  if (asked) return go(at);
  work.at = result.whole.x0;
  slider().value = work.at;
  byId("play-time").textContent = gantry.clock(work.at);
  return gantry.change({ at: null, playing: undefined });
});
gantry.on(["highlight", "folded", "phone", "drawn"], draw); // drawn: the charts of another result are there
gantry.on(["drawer"], (now, before) => isOpen(now) && !isOpen(before) && requestAnimationFrame(draw));

const acts = function (event) {
  const slides = event.target.matches("#play input");
  if (event.key === "[") return "back";
  if (event.key === "]") return "next";
  if (slides && (event.key === "ArrowLeft" || event.key === "ArrowDown")) return "back";
  if (slides && (event.key === "ArrowRight" || event.key === "ArrowUp")) return "next";
  const own = event.target.closest("#play");
  if (own && event.key === "Home") return "first";
  if (own && event.key === "End") return "last";
  return event.key === " " &&
    (slides || event.target.matches(".chart, #decision") || event.target === document.body)
    ? "play"
    : null;
};

document.addEventListener("keydown", (event) => {
  // [ needs AltGr on many keyboards
  const altered = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  const near =
    event.target === document.body ||
    (event.target.closest && event.target.closest("#play, .chart, #decision, #tab-nodes"));
  if (altered || !near || event.target.matches("select, #lose-node-name") || !section() || !whole()) return;
  const act = acts(event);
  if (!act) return;
  event.preventDefault();
  ACTS[act]();
});
document.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-play]");
  if (pressed && whole()) ACTS[pressed.dataset.play]();
});
reducedMotion.addEventListener("change", () => playing() && (pause(), play()));
