/* The sensitivity analysis: sliders of the test bed's physics, and the claims' lamps, which follow them. One
   request is under way at a time and the last value wins; where an answer takes long, it is asked for once
   the hand rests, and what is no longer wanted is ended. */
import { callbacks, noUpdate } from "../dash/dash";
import { type Answer, follow } from "../jobs/follow";
import { at, h, hear, setText, the, when } from "../page/dom";
import { msg } from "../page/messages";
import { latest, rested } from "../page/timing";

/* As webapp/panels/papers/sensitivity_panel.py writes them. */
interface Knob {
  key: string;
  title: string;
  help: string;
  choice: boolean;
  various: boolean; // each of the experiment's runs has its own value
  stops: [value: number | boolean | null, text: string][]; // null: as the experiment has it
}
interface Facts {
  experiment: string;
  knobs: Knob[];
  signs: Record<string, [sign: string, look: string]>; // by a lamp's state
}
type Lamps = [lamps: [says: string, state: string][], numbers: string];
interface Judged {
  holds: number; // lamps
  of: number;
  lamps: Lamps[]; // of each claim
  seeds: number;
}

const SLOW_MS = 400; // an experiment whose last answer took longer is slow
const TOO_SLOW_MS = 3000; // where the first answer takes longer, a second over more seeds is not asked for
const REST_MS = 200; // the hand rests
const SHOW_BUSY_MS = 150;
let facts: Facts = { experiment: "", knobs: [], signs: {} };
let chosen: Record<string, number> = {}; // of each knob the stop
let ownResults: Record<number, Judged> = {}; // what its own conditions give, by the number of seeds
let tookMs = 0;
let serial = 0; // of the newest wish

const ownPlace = ({ stops }: Knob) => stops.findIndex(([value]) => value === null);
const stop = ({ key, stops }: Knob) => stops[chosen[key] ?? 0] ?? [null, ""];
const isMoved = (knob: Knob) => stop(knob)[0] !== null;

/* The page of an experiment has come. */
function begin(now: Facts) {
  [facts, ownResults, tookMs] = [now, {}, 0];
  the("sensitivity-sliders").replaceChildren(
    ...facts.knobs.map((knob) => (knob.choice ? choices(knob) : slider(knob))),
  );
  settle();
  for (const cell of document.querySelectorAll("#sensitivity .claim-badge-cell"))
    cell.replaceChildren(msg("papers_sensitivity.not_judged"));
  setText("sensitivity-says", "");
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    ask();
  });
  seen.observe(the("sensitivity"));
}

/* All as the experiment has it. */
function settle() {
  chosen = Object.fromEntries(facts.knobs.map((knob) => [knob.key, ownPlace(knob)]));
  facts.knobs.forEach(show);
  the("sensitivity-reset", HTMLButtonElement).disabled = true;
}

function slider(knob: Knob) {
  const { key, title, help, stops } = knob;
  const id = `sensitivity-${key}`;
  const max = stops.length - 1;
  const range = h("input", { type: "range", id, min: 0, max, step: 1, "data-knob": key });
  const track = h("div", { class: "sensitivity-track" }, range);
  track.style.setProperty("--own", String(ownPlace(knob) / max));
  const name = h("label", { for: id, title: help }, title);
  const value = h("output", { for: id, class: "sensitivity-value" });
  return h("div", { class: "sensitivity-knob" }, name, value, track);
}

function choices({ key, title, help, stops }: Knob) {
  const radio = { type: "radio", name: `sensitivity-${key}`, "data-knob": key };
  const entries = stops.map(([, text], value) => h("label", {}, h("input", { ...radio, value }), ` ${text}`));
  const name = h("legend", { title: help }, title);
  const value = h("output", { class: "sensitivity-value" });
  const entry = h("div", { class: "sensitivity-choices" }, ...entries);
  return h("fieldset", { class: "sensitivity-knob" }, name, value, entry);
}

function show(knob: Knob) {
  const { key, stops, various, choice } = knob;
  const own = stops[ownPlace(knob)]?.[1] ?? "";
  const unmoved = various ? own : msg("papers_sensitivity.unchanged", { value: own });
  const instead = msg("papers_sensitivity.instead", { value: stop(knob)[1], before: own });
  const words = isMoved(knob) ? instead : unmoved;
  const inputs = document.querySelectorAll<HTMLInputElement>(`#sensitivity [data-knob="${key}"]`);
  inputs.forEach((input, place) => {
    const room = input.closest(".sensitivity-knob");
    room?.querySelector("output")?.replaceChildren(words);
    room?.classList.toggle("sensitivity-moved", isMoved(knob));
    if (choice) input.checked = place === chosen[key];
    else input.value = String(chosen[key]);
    if (!choice) input.setAttribute("aria-valuetext", words);
  });
}

/* A slider has another value. */
function turn(input: HTMLElement) {
  const knob = facts.knobs.find(({ key }) => key === input.dataset.knob);
  const place = input instanceof HTMLInputElement ? Number(input.value) : 0;
  if (!knob || chosen[knob.key] === place) return;
  chosen[knob.key] = place;
  show(knob);
  the("sensitivity-reset", HTMLButtonElement).disabled = !facts.knobs.some(isMoved);
  serial += 1;
  if (tookMs > SLOW_MS) askRested();
  else ask();
}

function reset() {
  settle();
  serial += 1;
  ask();
  the("sensitivity-sliders").querySelector("input")?.focus({ preventScroll: true });
}

/* Over few seeds first; once these are shown and nothing has moved since, over more. */
const ask = latest(async () => {
  const [serialAsked, of] = [serial, facts];
  const conditions = Object.fromEntries(of.knobs.filter(isMoved).map((knob) => [knob.key, stop(knob)[0]]));
  const isWanted = () => serialAsked === serial && of === facts;
  const busy = setTimeout(() => waiting(true), SHOW_BUSY_MS);
  try {
    for (const resting of [false, true]) {
      const begun = performance.now();
      const judged = await answered({ experiment: of.experiment, conditions, resting }, isWanted);
      if (judged === null || of !== facts) return;
      if (!resting) tookMs = performance.now() - begun;
      take(judged, !Object.keys(conditions).length);
      if (!isWanted() || typeof judged === "string" || tookMs > TOO_SLOW_MS) return;
    }
  } finally {
    clearTimeout(busy);
    waiting(false);
  }
});
const askRested = rested(ask, REST_MS);

/* The answer to a wish, or why there is none; null where nobody waits for it any more. */
async function answered(request: object, isWanted: () => boolean) {
  try {
    const answer = await follow<Answer & { found?: Judged }>("sensitivity", request, { isWanted });
    return answer && (answer.found ?? answer.says);
  } catch (error) {
    return error instanceof TypeError ? msg("papers_sensitivity.away") : msg("papers_sensitivity.error");
  }
}

const waiting = (isBusy: boolean) => at("sensitivity")?.setAttribute("aria-busy", String(isBusy));

function take(judged: Judged | string, isOwn: boolean) {
  const claims = at("sensitivity-claims");
  if (!claims) return;
  setText("sensitivity-error", typeof judged === "string" ? judged : "");
  if (typeof judged === "string") return;
  const { lamps, seeds } = judged;
  if (isOwn) ownResults[seeds] = judged;
  const own = ownResults[seeds]; // another number of seeds would change lamps by chance
  for (const [row, line] of [...claims.children].entries()) {
    const [cell, ofClaim] = [line.querySelector(".claim-badge-cell"), lamps[row]];
    if (cell && ofClaim) paint(cell, ofClaim, own?.lamps[row]);
  }
  const { holds, of } = judged;
  const was = isOwn ? undefined : own?.holds;
  const lines = [
    was === undefined
      ? msg("papers_sensitivity.lamps_hold", { holds, of })
      : msg("papers_sensitivity.lamps_hold_was", { holds, of, before: was }),
  ];
  if (seeds > 1) lines.push(msg("papers_sensitivity.over_seeds", { count: seeds }));
  setText("sensitivity-says", lines.join(" "));
}

/* was: what the experiment's own conditions give. */
function paint(cell: Element, [lamps, numbers]: Lamps, was?: Lamps) {
  const shown = lamps.map(([says, state], place) => {
    const before = was?.[0][place]?.[1] ?? state;
    return lamp(says, state, before);
  });
  cell.replaceChildren(...shown, h("span", { class: "claim-badge-numbers" }, numbers));
}

/* One lamp; before: its state under the experiment's own conditions, in words for who can't see it. */
function lamp(says: string, state: string, before: string) {
  const [sign, look] = facts.signs[state] ?? ["", ""];
  const isTurned = before !== state;
  const seen = h("span", { class: `lamp ${look}`, "aria-hidden": "true" }, sign);
  const spoken = h("span", { class: "unseen" }, ` ${state}`);
  const badge = h(
    "span",
    { class: `claim-badge ${isTurned ? "claim-badge-changed" : ""}` },
    seen,
    says,
    spoken,
  );
  if (isTurned) {
    const was = msg("papers_sensitivity.lamp_was", { state: before });
    badge.append(h("span", { class: "claim-badge-before" }, was));
  }
  return badge;
}

export function listen() {
  hear("input", "#sensitivity [data-knob]", turn);
  hear("click", "#sensitivity-reset", reset);
  callbacks({
    sensitivityFacts(now: Facts | null) {
      if (now)
        when(
          () => at("sensitivity-sliders"),
          () => begin(now),
        );
      return noUpdate();
    },
  });
}
