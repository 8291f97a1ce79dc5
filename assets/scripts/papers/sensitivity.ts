// @ts-nocheck
// biome-ignore-all lint: not converted yet
/* What it takes: sliders of the physics, and claim badges that follow them. One request is under way at a
   time and the last value wins; where an answer takes long, it is asked for once the hand rests, and what
   is no longer wanted is ended. */
import { callbacks, noUpdate } from "../dash/dash";
import { follow } from "../jobs/follow";
import { at, h, when } from "../page/dom";
import { msg } from "../page/messages";
import { latest, rested as rested_ } from "../page/timing";

const SLOW_MS = 400; // an experiment whose last answer took longer is slow
const TOO_SLOW_MS = 3000; // where the first answer takes longer, a second over more seeds is not asked for
const REST_MS = 200; // the hand rests
const SHOW_BUSY_MS = 150;
// own: what the experiment's own conditions give, by the number of seeds
let [facts, chosen, ownResults, tookMs, serial] = [null, {}, {}, 0, 0];

const stop = (knob) => knob.stops[chosen[knob.key]];
const ownPlace = (knob) => knob.stops.findIndex(([value]) => value === null);
const moved = (knob) => stop(knob)[0] !== null;
const conditions = () =>
  Object.fromEntries(facts.knobs.filter(moved).map((knob) => [knob.key, stop(knob)[0]]));

const sensitivityFacts = function (found) {
  if (found)
    when(
      () => at("sensitivity-sliders"),
      () => begin(found),
    );
  return noUpdate();
};

/* The page of an experiment has come. */
function begin(found) {
  facts = found;
  [ownResults, tookMs] = [{}, 0];
  chosen = Object.fromEntries(facts.knobs.map((knob) => [knob.key, ownPlace(knob)]));
  at("sensitivity-sliders").replaceChildren(
    ...facts.knobs.map((knob) => (knob.choice ? choices(knob) : slider(knob))),
  );
  facts.knobs.forEach(show);
  document
    .querySelectorAll("#sensitivity .claim-badge-cell")
    .forEach((cell) => paint(cell, [msg("papers_sensitivity.not_judged"), ""], null));
  at("sensitivity-says").textContent = "";
  const seen = new IntersectionObserver(
    (entries) => entries.some((entry) => entry.isIntersecting) && (seen.disconnect(), ask()),
  );
  seen.observe(at("sensitivity"));
}

function slider(knob) {
  const id = `sensitivity-${knob.key}`;
  const range = h("input", {
    type: "range",
    id,
    min: 0,
    max: knob.stops.length - 1,
    step: 1,
    "data-knob": knob.key,
  });
  const track = h("div", { class: "sensitivity-track" }, range);
  track.style.setProperty("--own", ownPlace(knob) / (knob.stops.length - 1));
  const [name, value] = [
    h("label", { for: id, title: knob.help }, knob.title),
    h("output", { for: id, class: "sensitivity-value" }),
  ];
  return h("div", { class: "sensitivity-knob" }, name, value, track);
}

function choices(knob) {
  const entry = ([, text], place) =>
    h(
      "label",
      {},
      h("input", { type: "radio", name: `sensitivity-${knob.key}`, value: place, "data-knob": knob.key }),
      ` ${text}`,
    );
  const [name, value] = [
    h("legend", { title: knob.help }, knob.title),
    h("output", { class: "sensitivity-value" }),
  ];
  return h(
    "fieldset",
    { class: "sensitivity-knob" },
    name,
    value,
    h("div", { class: "sensitivity-choices" }, ...knob.stops.map(entry)),
  );
}

function show(knob) {
  const inputs = [...document.querySelectorAll(`#sensitivity [data-knob="${knob.key}"]`)];
  const own = knob.stops[ownPlace(knob)][1];
  const several = facts.readings.length > 1;
  const has = knob.various || !several ? own : msg("papers_sensitivity.first_reading", { value: own });
  const unmoved = knob.various || several ? has : msg("papers_sensitivity.unchanged", { value: has });
  const words = moved(knob)
    ? msg("papers_sensitivity.instead", { value: stop(knob)[1], before: has })
    : unmoved;
  inputs[0].closest(".sensitivity-knob").querySelector("output").textContent = words;
  inputs[0].closest(".sensitivity-knob").classList.toggle("sensitivity-moved", moved(knob));
  if (knob.choice) inputs.forEach((input, place) => (input.checked = place === chosen[knob.key]));
  else Object.assign(inputs[0], { value: chosen[knob.key] }).setAttribute("aria-valuetext", words);
}

/* A slider has another value. */
function turn({ dataset, value }) {
  const knob = facts.knobs.find(({ key }) => key === dataset.knob);
  if (chosen[knob.key] === Number(value)) return;
  chosen[knob.key] = Number(value);
  show(knob);
  at("sensitivity-reset").disabled = !facts.knobs.some(moved);
  serial += 1;
  if (tookMs > SLOW_MS) rested();
  else ask();
}

function reset() {
  facts.knobs.forEach((knob) => (chosen[knob.key] = ownPlace(knob)));
  facts.knobs.forEach(show);
  at("sensitivity-reset").disabled = true;
  serial += 1;
  ask();
  document.querySelector("#sensitivity-sliders input").focus({ preventScroll: true });
}

/* Over few seeds first; once these are shown and nothing has moved since, over more. */
const ask = latest(async function () {
  const [serialAsked, of, request] = [
    serial,
    facts,
    { experiment: facts.experiment, conditions: conditions() },
  ];
  const stale = () => serialAsked !== serial || of !== facts;
  const busy = setTimeout(() => waiting(true), SHOW_BUSY_MS);
  try {
    for (const resting of [false, true]) {
      const begun = performance.now();
      const found = await answered({ ...request, resting }, () => !stale());
      if (!found || of !== facts) return;
      if (!resting) tookMs = performance.now() - begun;
      take(found, !Object.keys(request.conditions).length);
      if (stale() || found.because || tookMs > TOO_SLOW_MS) return;
    }
  } finally {
    clearTimeout(busy);
    waiting(false);
  }
});

/* The answer to a wish; null where nobody waits for it any more. */
async function answered(request, isWanted) {
  try {
    const answer = await follow("sensitivity", request, { isWanted });
    return answer && (answer.found ?? { because: answer.says });
  } catch (error) {
    const isAway = error instanceof TypeError;
    return { because: isAway ? msg("papers_sensitivity.away") : msg("papers_sensitivity.error") };
  }
}
const rested = rested_(() => ask(), REST_MS);

const waiting = function (busy) {
  if (!at("sensitivity")) return;
  at("sensitivity").setAttribute("aria-busy", String(busy));
};

function take(found, isOwn) {
  if (!at("sensitivity-claims")) return;
  at("sensitivity-error").textContent = found.because || "";
  if (found.because) return;
  if (isOwn) ownResults[found.seeds] = found;
  const first = ownResults[found.seeds]; // another number of seeds would change badges by chance
  const rows = [...at("sensitivity-claims").children];
  found.readings.forEach(({ badges }, place) =>
    badges.forEach((badge, row) =>
      paint(
        rows[row].querySelectorAll(".claim-badge-cell")[place],
        badge,
        first && first.readings[place].badges[row],
      ),
    ),
  );
  const over = found.seeds > 1 ? [msg("papers_sensitivity.over_seeds", { count: found.seeds })] : [];
  const lines = [...found.readings.map((one, place) => count(one, place, isOwn ? null : first)), ...over];
  at("sensitivity-says").classList.toggle("sensitivity-several", found.readings.length > 1);
  at("sensitivity-says").textContent = lines.join(found.readings.length > 1 ? "\n" : " ");
}

/* How many claims hold; the second number is what it was. */
function count({ holds, of }, place, first) {
  let counts =
    of === 1 && holds === 1
      ? msg("papers_sensitivity.claim_holds")
      : msg("papers_sensitivity.claims_hold", { holds, of });
  if (facts.readings.length > 1)
    counts = msg("papers_sensitivity.reading", { reading: facts.readings[place], holds, of });
  if (!first) return msg("papers_sensitivity.counted", { counts });
  return msg("papers_sensitivity.counted_was", { counts, before: first.readings[place].holds });
}

function paint(cell, [word, numbers], was) {
  const [sign, look] = facts.signs[word] || facts.signs[msg("shared.no_verdict")];
  const turned = was && was[0] !== word;
  const [badge, text] = [cell.querySelector(".claim-badge"), cell.querySelector(".claim-badge-numbers")];
  badge.className = `paper-verdict ${look} claim-badge`;
  badge.replaceChildren(h("span", { "aria-hidden": "true" }, sign), ` ${word}`);
  text.textContent = numbers;
  cell.classList.toggle("claim-badge-changed", Boolean(turned));
  cell.querySelector(".claim-badge-before")?.remove();
  if (turned) cell.insertBefore(before(was[0]), text);
}

/* What a badge was, by its sign; in words for who can't see it. */
function before(word) {
  const [sign] = facts.signs[word] || facts.signs[msg("shared.no_verdict")];
  return h(
    "span",
    {
      class: "claim-badge-before",
      title: msg("papers_sensitivity.badge_was_title", { verdict: word }),
    },
    h("span", { "aria-hidden": "true" }, msg("papers_sensitivity.badge_was", { sign })),
    h("span", { class: "unseen" }, msg("papers_sensitivity.badge_was_spoken", { verdict: word })),
  );
}

export function listen() {
  document.addEventListener(
    "input",
    ({ target }) => target.closest("#sensitivity") && target.dataset.knob && turn(target),
  );

  document.addEventListener("click", ({ target }) => target.id === "sensitivity-reset" && reset());

  callbacks({ sensitivityFacts });
}
