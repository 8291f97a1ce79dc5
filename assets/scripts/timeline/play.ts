/* Play: the cursor of all charts runs through time or steps from decision to decision, and the cluster's
   nodes fill up in their tab. */
import { at, closest, h, hear, setText, the } from "../page/dom";
import { msg } from "../page/messages";
import { clock } from "../page/quantities";
import { change, on, type State, state } from "../page/state";
import { latest, rested } from "../page/timing";
import * as charts from "./charts";
import * as pointer from "./pointer";

const STEP_MS = 1000; // between two moves where less motion is asked for
const MAX_FRAME_MS = 250; // of a tab that was away
const SPOKEN_MS = 400;
const MIN_PX = 200; // of a scheduler's nodes
const APART_PX = 16;
const EDGES_PX = 22; // of a scheduler's nodes, on both sides

let cursor = 0; // ms of the run
let lastFrame = 0;
let frame = 0; // what moves the cursor
let ticking: ReturnType<typeof setInterval> | undefined; // the same where less motion is asked for
let steps: Promise<unknown> = Promise.resolve();

const section = () => the("play");
const slider = () => section().querySelector("input");
const reducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)");
const whole = () => state().result?.whole ?? { x0: 0, x1: 0 };
const isPlaying = () => Boolean(state().playing);

/* ms of the run a ms of the clock; "w30": the whole run in 30 s. */
function rate() {
  const { value } = the("play-speed", HTMLSelectElement);
  const number = Number(value.slice(1));
  return value.startsWith("w") ? (whole().x1 - whole().x0) / (1000 * number) : number;
}

/* Everything at the cursor: charts, clock, slider, nodes; for those who listen a sentence once it rests. */
function show(playing: boolean) {
  const text = clock(cursor, 2);
  const range = slider();
  if (range) range.value = String(cursor);
  range?.setAttribute("aria-valuetext", text);
  setText("play-time", text);
  section().dataset.at = String(cursor);
  charts.reveal(cursor);
  pointer.rest(cursor);
  change({ at: cursor, playing });
  drawNodes();
  speak();
}
const speak = rested(() => {
  if (!isPlaying()) setText("play-says", clock(cursor, 2));
}, SPOKEN_MS);

function forward(ms: number) {
  cursor = Math.min(cursor + ms * rate(), whole().x1);
  if (cursor >= whole().x1) pause();
  else show(true);
}

function nextFrame(now: number) {
  if (!isPlaying()) return;
  const passed = Math.min(now - lastFrame, MAX_FRAME_MS);
  lastFrame = now;
  forward(passed);
  if (isPlaying()) frame = requestAnimationFrame(nextFrame);
}

function play() {
  if (cursor >= whole().x1) cursor = whole().x0;
  show(true);
  showButton();
  lastFrame = performance.now();
  if (reducedMotion().matches) ticking = setInterval(() => forward(STEP_MS), STEP_MS);
  else frame = requestAnimationFrame(nextFrame);
}

function pause() {
  if (!isPlaying()) return;
  cancelAnimationFrame(frame);
  clearInterval(ticking);
  go(Math.round(cursor));
  showButton();
}

function showButton() {
  const button = section().querySelector<HTMLElement>('[data-play="play"]');
  const icon = button?.firstElementChild;
  if (!button || !icon) return;
  button.title = isPlaying() ? msg("play.pause") : msg("shared.play");
  button.setAttribute("aria-label", button.title);
  icon.className = `icon icon-${isPlaying() ? "pause" : "play"}`;
  section().dataset.playing = String(isPlaying());
}

function go(ms: number) {
  cursor = Math.min(Math.max(ms, whole().x0), whole().x1);
  show(false);
}
function rush(ms: number) {
  pause();
  go(ms);
}

/* The next decision of any scheduler shown (by 1), or the one before (by -1); beyond the last one the end. */
function step(by: number) {
  steps = steps.then(async () => {
    pause();
    const answer = await charts.ask<{ at?: number | null }>("step", { at: cursor, by });
    if (answer) go(answer.at ?? (by > 0 ? whole().x1 : whole().x0));
  });
}

/* The nodes are there while their tab is open; one question at a time, the last time wins. */
const showsNodes = ({ drawer }: State) => Boolean(drawer?.open && drawer.tab === "nodes");
const drawNodes = latest(async () => {
  if (!showsNodes(state()) || !state().result) return;
  const room = the("play-nodes").clientWidth;
  const wish = charts.viewRequest();
  const columns = Math.max(1, Math.min(wish.charts.length, Math.floor(room / MIN_PX)));
  const px = Math.floor((room - APART_PX * (columns - 1)) / columns) - EDGES_PX;
  const answer = await charts.post<{ html?: string }>("nodes", { ...wish, at: cursor, px });
  if (answer?.html) the("play-nodes").innerHTML = answer.html;
});

const ACTS: Record<string, () => void> = {
  first: () => rush(whole().x0),
  back: () => step(-1),
  play: () => (isPlaying() ? pause() : play()),
  next: () => step(1),
  last: () => rush(whole().x1),
};

function began({ result, at: ms }: State, before: State) {
  if (!at("play") || !result || before.result?.key === result.key) return;
  pause();
  const range = slider() ?? the("play-slider").appendChild(rangeOf());
  Object.assign(range, { min: result.whole.x0, max: result.whole.x1 });
  const isAsked = !before.result || result.why === "whatif"; // by the address, or it stays where it was
  if (isAsked && ms !== null) return go(ms);
  cursor = result.whole.x0;
  range.value = String(cursor);
  setText("play-time", clock(cursor));
  change({ at: null, playing: undefined });
}

const rangeOf = () =>
  h("input", {
    type: "range",
    step: "any",
    "aria-label": msg("play.time"),
    "aria-keyshortcuts": "ArrowLeft ArrowRight Home End Space",
    title: msg("play.time_title"),
    oninput: () => rush(Math.round(Number(slider()?.value))),
  });

const KEYS: Record<string, string> = { "[": "back", "]": "next" };
const OWN_KEYS: Record<string, string> = { ...KEYS, Home: "first", End: "last" }; // where Play's controls are
const ARROWS = { ArrowLeft: "back", ArrowDown: "back", ArrowRight: "next", ArrowUp: "next" };
const SLIDER_KEYS: Record<string, string> = { ...OWN_KEYS, ...ARROWS, " ": "play" };

function actOf(key: string, target: Element) {
  if (target.matches("#play input")) return SLIDER_KEYS[key];
  if (key === " " && (target.matches(".chart, #decision") || target === document.body)) return "play";
  return (target.closest("#play") ? OWN_KEYS : KEYS)[key];
}

export function listen() {
  on(["result"], began);
  on(["highlight", "folded", "phone", "drawn"], () => drawNodes()); // drawn: of another result they are there
  on(["drawer"], (now, before) => {
    if (showsNodes(now) && !showsNodes(before)) requestAnimationFrame(() => drawNodes());
  });
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    // [ needs AltGr on many keyboards
    const isAltered = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
    const isNear = target === document.body || closest(event, "#play, .chart, #decision, #tab-nodes");
    if (isAltered || !isNear || !(target instanceof Element) || !at("play") || !state().result) return;
    const act = target.matches("select, #lose-node-name") ? undefined : actOf(event.key, target);
    if (!act) return;
    event.preventDefault();
    ACTS[act]?.();
  });
  hear("click", "[data-play]", ({ dataset }) => {
    if (state().result) ACTS[dataset.play ?? ""]?.();
  });
  reducedMotion().addEventListener("change", () => {
    if (!isPlaying()) return;
    pause();
    play();
  });
}
