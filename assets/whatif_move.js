/* What if: the charts follow the sliders. One request is under way at a time and the last value wins; at rest the page runs what is shown, as Run does. */
(function (whatif) {
  "use strict";

  const QUIET_MS = 80; // without another value once the last is drawn, the slider rests
  const HELD_MS = 500; // the same while it is held: an exact run in the middle of a drag would only delay what follows
  const WAIT_MS = 6000; // for the exact figures; then the preview goes
  const loop = { wanted: false, flying: false, resting: false, timer: 0, held: false, answer: null, settled: null };

  const gantry = (window.gantry = window.gantry || {});
  const asked = (draft) => ({ scenario: draft.scenario, schedulers: draft.schedulers || [] });

  /* A slider has another value. resting: it will have no other soon. */
  function turned(resting) {
    clearTimeout(loop.timer);
    Object.assign(loop, { wanted: true, resting });
    pump();
  }

  function rest() {
    clearTimeout(loop.timer);
    if (!loop.wanted && !loop.flying && !loop.answer) return;
    loop.resting = true;
    pump();
  }

  async function pump() {
    if (loop.flying || !whatif.base) return;
    loop.flying = true;
    try {
      let next = wish();
      while (next) {
        const answer = await next;
        next = wish(); // the server works on it while this one is drawn
        if (answer) await take(answer, !next);
      }
    } finally {
      loop.flying = false;
    }
    if (loop.wanted) return pump();
    clearTimeout(loop.timer);
    if (!loop.answer) return;
    if (loop.resting) settle();
    else loop.timer = setTimeout(rest, loop.held ? HELD_MS : QUIET_MS);
  }

  document.addEventListener("pointerdown", ({ target }) => (loop.held = Boolean(target.matches && target.matches(".whatif-row input[type=range]"))), true);
  for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, () => (loop.held = false), true);

  function wish() {
    if (!loop.wanted) return null;
    loop.wanted = false;
    return post();
  }

  async function post(changes = whatif.changes(), drawn = whatif.base.moving) {
    const look = whatif.draw.look();
    const body = { key: whatif.base.key, changes, draw: Boolean(look && drawn), ...look };
    try {
      const answer = await fetch(whatif.facts.address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      return answer.ok ? await answer.json() : null;
    } catch {
      say("The server does not answer; the charts show what they did.", true);
      return null;
    }
  }

  async function take(answer, last) {
    loop.answer = answer;
    if (answer.forgotten) {
      say("Result expired: run again.", true);
      loop.answer = null;
    } else if (answer.because) {
      say(`This can't be run: ${answer.because}`, true);
      whatif.draw.clear();
    } else if (answer.charts) {
      say("", false);
      await whatif.draw.show(answer, last);
    } else {
      say(hint(), false);
    }
  }

  /* The slider rests: what it shows is run and drawn exactly, by the way every run takes. */
  function settle() {
    const { answer } = loop;
    Object.assign(loop, { resting: false, answer: null });
    if (answer.because || !whatif.draft) return;
    const base = asked(whatif.draft);
    const next = varied(whatif.draft, whatif.sliders.filter(whatif.changed), answer.schedulers);
    const words = whatif.sentence();
    loop.settled = { base, next: asked(next), says: words ? `Shown: ${words}.` : "" };
    whatif.draw.wait(WAIT_MS);
    gantry.ask(next, "whatif");
    say(hint(), false);
    whatif.curve.ask();
  }

  const ofScheduler = ({ path }) => path.startsWith("schedulers[");

  /* A draft with what these sliders change; names: of its schedulers with that, which are the server's to write. */
  function varied(draft, sliders, names) {
    let { scenario } = draft;
    for (const { path, value } of sliders.filter((slider) => !ofScheduler(slider))) scenario = put(scenario, path.replace(/\[/g, ".[").split("."), value);
    return { ...draft, scenario, schedulers: sliders.some(ofScheduler) ? names : draft.schedulers };
  }

  /* The draft with one slider's value, for good; null where that can't be. */
  async function kept(draft, slider) {
    const answer = ofScheduler(slider) ? await post([{ path: slider.path, value: slider.value }], false) : {};
    return answer && !answer.because && !answer.forgotten ? varied(draft, [slider], answer.schedulers) : null;
  }

  function put(owner, [step, ...rest], value) {
    if (step === undefined) return value;
    if (step.startsWith("[")) return (owner || []).map((item, index) => (step === "[*]" || step === `[${index}]` ? put(item, rest, value) : item));
    if (step === "scale" && !rest.length) return scaled(owner, value);
    return { ...owner, [step]: put((owner || {})[step], rest, value) };
  }

  function scaled(duration, factor) {
    if (typeof duration === "number") return Number((duration * factor).toPrecision(12));
    if (Array.isArray(duration)) return duration.map((one) => scaled(one, factor));
    if (duration && typeof duration === "object") return Object.fromEntries(Object.entries(duration).map(([key, item]) => [key, key === "dist" ? item : scaled(item, factor)]));
    return duration;
  }

  /* The page's sentence while what is shown differs from what is composed by sliders alone; null where that is not so. */
  function shown(draft, request) {
    const last = loop.settled;
    if (!last || !last.says || !request || request.why !== "whatif") return null;
    return whatif.same(asked(draft), last.base) && whatif.same(asked(request), last.next) ? last.says : null;
  }

  /* The line under the sliders while nothing is wrong. */
  function hint() {
    const { base } = whatif;
    return base && !base.moving ? `With more than ${base.most.toLocaleString("en")} containers the charts follow once the slider rests.` : "";
  }

  function say(words, wrong) {
    const line = whatif.at("whatif-says");
    if (line.textContent !== words) line.textContent = words;
    line.classList.toggle("whatif-wrong", wrong);
  }

  function requested(request) {
    if (request && request.why !== "whatif") {
      loop.settled = null;
      if (whatif.at("whatif-says")) say("", false);
      whatif.draw.clear();
    }
  }

  whatif.move = { turned, rest, kept, shown, hint, requested };
  gantry.shown = shown;
})((window.gantryWhatif = window.gantryWhatif || {}));
