/* Play: the cursor of all charts runs through time or steps from decision to decision, and the cluster's nodes fill up beside it. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const none = () => window.dash_clientside.no_update;
  const STEP_MS = 1000; // between two moves where less motion is asked for
  const MOST_FRAME_MS = 250; // of a tab that was away
  const MOST_OF_PAGE = 0.42; // of the window's height; a higher panel scrolls away with the page

  const section = () => document.getElementById("play");
  const part = (id) => document.getElementById(id);
  const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

  /* `runs` are the schedulers shown, loaded once they are needed; `span` is what the slider covers in ms; `limit` the window a large run was cut to. */
  const state = { result: null, at: 0, span: null, window: null, limit: null, highlight: null, runs: null, boxes: [], loading: null, asked: 0, playing: false, last: 0, timer: 0, open: false };

  const note = (text) => (part("play-note").textContent = text);
  const moving = () => (reducedMotion.matches ? "Reduced motion: time moves once a second." : "");

  /* ms of the run a ms of the clock. */
  const rate = function () {
    const [kind, number] = [part("play-speed").value[0], Number(part("play-speed").value.slice(1))];
    return kind === "w" ? (state.span.x1 - state.span.x0) / (1000 * number) : number;
  };

  const shown = function () {
    const chosen = section().querySelector(".play-shown select");
    const every = state.result.schedulers.map((_, number) => number);
    return chosen && chosen.value !== "" ? [Number(chosen.value)] : every;
  };

  const fetched = async function (number, window_) {
    const query = window_ ? `?x0=${window_.x0}&x1=${window_.x1}` : "";
    const answer = await window.fetch(`${section().dataset.address}${state.result.key}/${number}${query}`);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    if (answer.headers.get("Content-Type").startsWith("application/json")) return (await answer.json()).says;
    return answer.arrayBuffer();
  };

  /* All of the run; of one too large for that what the charts look at; or the sentence why not. */
  const load = async function () {
    const asked = ++state.asked;
    const numbers = shown();
    let limit = null;
    let found = await Promise.all(numbers.map((number) => fetched(number, null)));
    if (found.some((one) => typeof one === "string") && state.window) {
      limit = state.window;
      found = await Promise.all(numbers.map((number) => fetched(number, limit)));
    }
    const refused = found.find((one) => typeof one === "string");
    if (asked !== state.asked) return false; // something else is wanted by now
    if (refused) throw new Error(refused);
    adopt(found.map(gantry.playRun), limit);
    return true;
  };

  const adopt = function (runs, limit) {
    Object.assign(state, { runs, limit, span: limit || state.result.whole });
    const room = part("play-nodes");
    room.replaceChildren();
    state.boxes = runs.map((run) => gantry.playNodes(room, run, runs.length === 1));
    part("play-reading").textContent = "";
    state.at = Math.min(Math.max(state.at, state.span.x0), state.span.x1);
    bounds();
    highlight();
    note(limit ? `Too many containers to play all of the run: this is what the charts are zoomed to, ${gantry.playSeconds(limit.x0)} to ${gantry.playSeconds(limit.x1)}.` : "");
  };

  /* Whether there is something to play; the first use fetches it. */
  const ready = async function () {
    if (!state.result) return false;
    if (state.runs) return true;
    state.loading = state.loading || load();
    try {
      return await state.loading;
    } catch (error) {
      note(error instanceof TypeError ? "The server does not answer; try again once it is back." : error.message); // fetch throws a TypeError then
      return false;
    } finally {
      state.loading = null;
    }
  };

  const bounds = function () {
    const slider = section().querySelector("input");
    Object.assign(slider, { min: state.span.x0, max: state.span.x1, step: "any", value: state.at });
  };

  /* Everything at the cursor: charts, nodes, slider, and for those who listen a sentence once it rests. */
  const show = function () {
    const still = !state.playing;
    for (const run of state.runs || []) run.go(state.at);
    if (state.open) state.boxes.forEach((one) => one.draw(false, still));
    const text = still ? gantry.playSeconds(state.at) : `${(state.at / 1000).toFixed(1)} s`;
    const slider = section().querySelector("input");
    slider.value = state.at;
    slider.setAttribute("aria-valuetext", text);
    part("play-time").textContent = text;
    section().dataset.at = state.at;
    gantry.charts.hold(state.at);
    gantry.charts.rest(state.at);
  };

  const speak = function () {
    part("play-says").textContent = state.playing ? "" : `${gantry.playSeconds(state.at)}. ${state.open ? state.boxes.map((one) => one.spoken()).join(" ") : ""}`;
  };

  const rested = function () {
    show();
    clearTimeout(state.speaking);
    state.speaking = setTimeout(speak, 400);
  };

  const forward = function (ms) {
    state.at = Math.min(state.at + ms * rate(), state.span.x1);
    if (state.at >= state.span.x1) return pause();
    return show();
  };

  const frame = function (now) {
    if (!state.playing) return;
    const passed = Math.min(now - state.last, MOST_FRAME_MS);
    state.last = now;
    forward(passed);
    if (state.playing) state.timer = requestAnimationFrame(frame);
  };

  const play = async function () {
    if (!(await ready()) || state.playing) return;
    reveal(true);
    if (state.at >= state.span.x1) state.at = state.span.x0;
    state.playing = true;
    button();
    if (reducedMotion.matches) {
      note(moving());
      state.timer = setInterval(() => forward(STEP_MS), STEP_MS);
      show();
    } else {
      state.last = performance.now();
      state.timer = requestAnimationFrame(frame);
    }
  };

  const pause = function () {
    if (!state.playing) return;
    state.playing = false;
    cancelAnimationFrame(state.timer);
    clearInterval(state.timer);
    state.at = Math.round(state.at);
    button();
    rested();
  };

  const button = function () {
    const [node, title] = [section().querySelector('[data-play="play"]'), state.playing ? "Pause (Space)" : "Play (Space)"];
    node.title = title;
    node.setAttribute("aria-label", title);
    node.firstElementChild.className = `icon icon-${state.playing ? "pause" : "play"}`;
    section().dataset.playing = state.playing;
  };

  const go = async function (to) {
    pause();
    if (!(await ready())) return;
    state.at = to();
    rested();
  };

  /* The next decision of any scheduler shown; beyond the last one the end. */
  const step = function (forwards) {
    reveal(true);
    return go(() => {
      const found = state.runs.map((run) => (forwards ? run.after(state.at) : run.before(state.at))).filter((time) => time !== null);
      if (forwards) return Math.min(...found, state.span.x1);
      return Math.max(...found, state.span.x0);
    });
  };

  const reveal = async function (open) {
    state.open = open;
    for (const id of ["play-nodes", "play-reading"]) part(id).hidden = !open;
    section().querySelector('[data-play="nodes"]').setAttribute("aria-expanded", String(open));
    if (!open || !(await ready())) return;
    state.runs.forEach((run) => run.go(state.at));
    redraw();
  };

  const redraw = function () {
    if (!state.open || !state.boxes.length) return;
    state.boxes.forEach((one) => one.draw(true, !state.playing));
    part("play-reading").textContent = state.boxes[0].reading();
    section().classList.toggle("play-stays", section().offsetHeight <= MOST_OF_PAGE * window.innerHeight);
    const bar = document.querySelector(".bar");
    const above = bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
    section().style.setProperty("--play-top", `${above}px`);
  };

  const ACTS = {
    first: () => go(() => state.span.x0),
    back: () => step(false),
    play: () => (state.playing ? pause() : play()),
    next: () => step(true),
    last: () => go(() => state.span.x1),
    nodes: () => reveal(!state.open),
  };

  const scrub = function (event) {
    const at = Number(event.target.value);
    if (state.playing) pause();
    state.at = Math.round(at);
    ready().then((there) => there && rested());
  };

  /* The slider and the choice of schedulers, which change with the result. */
  const built = function () {
    const slider = document.createElement("input");
    slider.type = "range";
    slider.setAttribute("aria-label", "Time (s)");
    slider.setAttribute("aria-keyshortcuts", "ArrowLeft ArrowRight Home End Space");
    slider.title = "Time; Left and Right go to the previous and next decision";
    slider.addEventListener("input", scrub);
    part("play-slider").replaceChildren(slider);
    const list = document.createElement("select");
    list.setAttribute("aria-label", "Schedulers shown");
    const names = state.result.schedulers;
    list.append(new Option(`All ${names.length} schedulers`, ""), ...names.map((name, number) => new Option(name, number)));
    list.addEventListener("change", forget);
    part("play-shown").replaceChildren(...(names.length > 1 ? [list] : []));
  };

  /* Other schedulers or another window: what was loaded is no longer it. */
  const forget = function () {
    pause();
    Object.assign(state, { runs: null, boxes: [], loading: null, asked: state.asked + 1 });
    part("play-nodes").replaceChildren();
    if (state.open) reveal(true);
  };

  /* A highlighted job stands out here too; anything else that is highlighted leaves all as they are. */
  const highlight = function () {
    const name = (state.highlight || "").replace(/^job:/, "");
    state.boxes.forEach((one, number) => {
      const job = name ? state.runs[number].jobs.indexOf(name) : -1;
      one.highlight(job < 0 ? null : new Set([job]));
    });
  };

  const played = function (result, viewport, highlighted, scheme) {
    const cut = JSON.stringify(viewport || null) !== JSON.stringify(state.window);
    Object.assign(state, { window: viewport || null, highlight: highlighted });
    if (result && (!state.result || state.result.key !== result.key)) {
      pause();
      Object.assign(state, { result, span: result.whole, at: result.whole.x0, limit: null });
      built();
      forget();
      bounds();
      note("");
      part("play-time").textContent = gantry.playSeconds(state.at);
      gantry.charts.rest(null);
    } else if (result && cut && state.limit && !state.playing && !holds(state.limit, viewport)) {
      forget();
    } else if (state.boxes.length && state.open) {
      requestAnimationFrame(highlight); // by then the page has its new colours
    }
    return none();
  };

  const holds = (outer, inner) => inner && inner.x0 >= outer.x0 && inner.x1 <= outer.x1;

  const steps = function (event) {
    const slider = event.target.matches("#play input");
    if (event.key === "[") return "back";
    if (event.key === "]") return "next";
    if (slider && (event.key === "ArrowLeft" || event.key === "ArrowDown")) return "back";
    if (slider && (event.key === "ArrowRight" || event.key === "ArrowUp")) return "next";
    const own = event.target.closest("#play");
    if (own && event.key === "Home") return "first";
    if (own && event.key === "End") return "last";
    return event.key === " " && (slider || event.target.matches(".chart")) ? "play" : null;
  };

  document.addEventListener("keydown", (event) => {
    const altered = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph"); // [ needs AltGr on many keyboards
    const near = event.target === document.body || (event.target.closest && event.target.closest("#play, .chart, .strips"));
    if (altered || !near || event.target.matches("select") || !section() || !state.result) return;
    const act = steps(event);
    if (!act) return;
    event.preventDefault();
    ACTS[act]();
  });

  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-play]");
    if (pressed && state.result) ACTS[pressed.dataset.play]();
  });

  window.addEventListener("resize", redraw);
  reducedMotion.addEventListener("change", () => state.playing && (pause(), play()));

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { played });
})();
