/* What if: the charts follow the sliders. One request is under way at a time and the last value wins; at
   rest the page runs what is shown, as Run does. */
const { whatif } = gantry;
const QUIET_MS = 80; // without another value once the last is drawn, the slider rests
// the same while it is held: an exact run in the middle of a drag would only delay what follows
const HELD_MS = 500;
const moveLoop = { wanted: false, flying: false, resting: false, timer: 0, answer: null, settled: null };

/* A slider has another value. resting: it will have no other soon. */
function turned(resting) {
  clearTimeout(moveLoop.timer);
  Object.assign(moveLoop, { wanted: true, resting });
  pump();
}

function rest() {
  clearTimeout(moveLoop.timer);
  if (!moveLoop.wanted && !moveLoop.flying && !moveLoop.answer) return;
  moveLoop.resting = true;
  pump();
}

/* Another run was asked for: nothing that moved is shown any more. */
function stop() {
  clearTimeout(moveLoop.timer);
  Object.assign(moveLoop, { wanted: false, resting: false, answer: null, settled: null });
  say("", false);
  if (moveLoop.previewed) gantry.charts.restore();
  moveLoop.previewed = false;
}

async function pump() {
  if (moveLoop.flying || !whatif.base()) return;
  moveLoop.flying = true;
  try {
    let next = wish();
    while (next) {
      const answer = await next;
      next = wish(); // the server works on it while this one is drawn
      if (answer) take(answer);
    }
  } finally {
    moveLoop.flying = false;
  }
  if (moveLoop.wanted) return pump();
  clearTimeout(moveLoop.timer);
  if (moveLoop.answer && moveLoop.resting) settle();
  else if (moveLoop.answer)
    moveLoop.timer = setTimeout(
      rest,
      document.querySelector(".whatif-row input:active") ? HELD_MS : QUIET_MS,
    );
}

function wish() {
  if (!moveLoop.wanted) return null;
  moveLoop.wanted = false;
  const look = gantry.charts.viewRequest();
  const { key, moving } = whatif.base();
  return post({ ...look, key, changes: whatif.changes(), draw: moving });
}

async function post(body) {
  try {
    const answer = await gantry.post(whatif.facts.address, body);
    return answer.ok ? await answer.json() : null;
  } catch {
    say(gantry.msg("whatif_move.away"), true);
    return null;
  }
}

function take(answer) {
  moveLoop.answer = answer.forgotten ? null : answer;
  if (answer.forgotten) gantry.run.lost();
  say(
    answer.forgotten ? gantry.msg("shared.running_it_again") : refused(answer) || whatif.base().hint,
    answer.forgotten || answer.because,
  );
  if (answer.because) gantry.charts.restore();
  if (answer.charts) (gantry.charts.preview(answer), (moveLoop.previewed = true));
}

/* The slider rests: what it shows is run and drawn exactly, by the way every run takes. */
async function settle() {
  const [{ answer }, base, changes] = [moveLoop, whatif.base(), whatif.changes()];
  Object.assign(moveLoop, { resting: false, answer: null });
  if (answer.because) return;
  const next = changes.length ? await varied(base.asked, changes) : { ...base.asked, says: "" };
  if (!next || moveLoop.wanted || moveLoop.flying || base !== whatif.base()) return; // it has moved on
  show(
    { base: base.asked, next: gantry.asked(next), says: next.says },
    { base: base.key, ...(next.left_out && !gantry.state.pinned ? { beside: recorded(base) } : {}) },
  );
}

/* A changed scenario is run: {base, next, says}, from what it was changed, into what, and how, in words. */
function show(settled, more) {
  Object.assign(moveLoop, { settled, previewed: false });
  return gantry.run.ask(settled.next, "whatif", more);
}

/* What was measured, as it was before the sliders. */
const recorded = ({ asked: { scenario } }) => ({ scenario, schedulers: [gantry.measured.NAME] });

/* A scenario and its schedulers with these changes, which are the server's to make; null where that can't
   be. A record stays here: it is the same. */
async function varied(of, changes) {
  const { measured } = of.scenario;
  const sent = measured ? { ...of, scenario: { ...of.scenario, measured: { of: measured.of } } } : of;
  const answer = await post({ rest: true, key: whatif.base().key, of: sent, changes });
  if (answer && answer.because) say(refused(answer), true);
  if (!answer || answer.because) return null;
  return measured ? { ...answer, scenario: { ...answer.scenario, measured } } : answer;
}

const refused = ({ because }) => because && gantry.msg("whatif_move.can_not_run", { reason: because });
const shows = (what) => Boolean(moveLoop.settled) && gantry.same(moveLoop.settled.next, gantry.asked(what));
const isOwn = (request) => request.why === "whatif" || shows(request);

/* The page's sentence while what is shown differs from what is composed by sliders alone; null where that
   is not so. */
whatif.shown = function (draft, request) {
  const last = moveLoop.settled;
  return last &&
    last.says &&
    request &&
    draft &&
    shows(request) &&
    gantry.same(gantry.asked(draft), last.base)
    ? gantry.msg("whatif_move.shown", { change: last.says })
    : null;
};

function say(words, wrong) {
  const line = gantry.at("whatif-says");
  if (line && line.textContent !== words) line.textContent = words;
  if (line) line.classList.toggle("whatif-wrong", Boolean(wrong));
}

const settled = () => (moveLoop.settled && shows(gantry.state.request) ? moveLoop.settled : null);

Object.assign(whatif, { show, settled, turned, rest, stop, say, varied, recorded, shows, isOwn });
