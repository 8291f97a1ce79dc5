/* What if: the charts follow the sliders. One request is under way at a time and the last value wins; at
   rest the page runs what is shown, as Run does. */
import * as measured from "../editor/measured";
import { isObject } from "../editor/values";
import { at } from "../page/dom";
import { msg } from "../page/messages";
import { post as send } from "../page/server";
import { asked, same, state } from "../page/state";
import type { Asked, RunRequest } from "../run/result";
import * as run from "../run/run";
import * as charts from "../timeline/charts";
import type { Drawing } from "../timeline/drawing";
import type { Change } from "./facts";
import * as sliders from "./sliders";

/* As webapp/panels/what_if/sliders.py answers: of values on their way, and of those that rest. because: it
   can't be; forgotten: the run is unknown; left_out: what was measured no longer fits. */
type Moved = Partial<Drawing> & { because?: string; forgotten?: boolean };
type Varied = Asked & { because?: string; left_out: boolean; says: string };

/* From what a scenario was changed, into what, and how, in words. */
export type Settled = { base: Asked; next: Asked; says: string };

const QUIET_MS = 80; // without another value once the last is drawn, the slider rests
// the same while it is held: an exact run in the middle of a drag would only delay what follows
const HELD_MS = 500;
let isWanted = false; // a value that was not asked for yet
let isFlying = false;
let isResting = false;
let isPreviewed = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let last: Moved | null = null; // the answer of the newest value
let change: Settled | null = null; // what was run

/* A slider has another value. rests: it will have no other soon. */
export function turned(rests: boolean) {
  clearTimeout(timer);
  [isWanted, isResting] = [true, rests];
  pump();
}

export function rest() {
  clearTimeout(timer);
  if (!isWanted && !isFlying && !last) return;
  isResting = true;
  pump();
}

/* Another run was asked for: nothing that moved is shown any more. */
export function stop() {
  clearTimeout(timer);
  [isWanted, isResting, last, change] = [false, false, null, null];
  say("");
  if (isPreviewed) charts.restore();
  isPreviewed = false;
}

async function pump(): Promise<void> {
  if (isFlying || !sliders.base()) return;
  isFlying = true;
  try {
    let next = wish();
    while (next) {
      const answer = await next;
      next = wish(); // the server works on it while this one is drawn
      if (answer) take(answer);
    }
  } finally {
    isFlying = false;
  }
  if (isWanted) return pump();
  clearTimeout(timer);
  const isHeld = document.querySelector(".whatif-row input:active");
  if (last && isResting) settle(last);
  else if (last) timer = setTimeout(rest, isHeld ? HELD_MS : QUIET_MS);
}

function wish() {
  const base = sliders.base();
  if (!isWanted || !base) return null;
  isWanted = false;
  const { key, moving } = base;
  return post<Moved>({ ...charts.viewRequest(), key, changes: sliders.changes(), draw: moving });
}

async function post<Answer>(body: object): Promise<Answer | null> {
  try {
    const answer = await send(`${state().base}whatif/move`, body);
    return answer.ok ? await answer.json() : null;
  } catch {
    say(msg("what_if_move.away"), true);
    return null;
  }
}

const isDrawn = (answer: Moved): answer is Moved & Drawing => answer.charts !== undefined;
function take(answer: Moved) {
  const { forgotten, because } = answer;
  last = forgotten ? null : answer;
  if (forgotten) run.lost();
  if (forgotten) say(msg("shared.running_it_again"), true);
  else if (because) refuse(because);
  else say(sliders.base()?.hint ?? "");
  if (because) charts.restore();
  if (!isDrawn(answer)) return;
  charts.preview(answer);
  isPreviewed = true;
}

/* The slider rests: what it shows is run and drawn exactly, by the way every run takes. */
async function settle({ because }: Moved) {
  const base = sliders.base();
  const changes = sliders.changes();
  [isResting, last] = [false, null];
  if (because || !base) return;
  const unchanged = { ...base.asked, says: "", left_out: false };
  const next = changes.length ? await varied(base.asked, changes) : unchanged;
  if (!next || isWanted || isFlying || base !== sliders.base()) return; // it has moved on
  const beside = next.left_out && !state().pinned ? { beside: recorded(base.asked) } : {};
  show({ base: base.asked, next: asked(next), says: next.says }, { base: base.key, ...beside });
}

/* A changed scenario is run. */
export function show(settled: Settled, more: Partial<RunRequest>) {
  [change, isPreviewed] = [settled, false];
  return run.ask(settled.next, "whatif", more);
}

/* What was measured, as it was before the sliders. */
export const recorded = ({ scenario }: Asked): Asked => ({ scenario, schedulers: [measured.NAME] });

/* A scenario and its schedulers with these changes, which are the server's to make; null where that can't
   be. A record stays here: it is the same. */
export async function varied(of: Asked, changes: Change[]) {
  const { measured: record } = of.scenario;
  const light = isObject(record) ? { measured: { of: record.of } } : {};
  const sent = { ...of, scenario: { ...of.scenario, ...light } };
  const answer = await post<Varied>({ rest: true, key: sliders.base()?.key, of: sent, changes });
  if (answer?.because) refuse(answer.because);
  if (!answer || answer.because) return null;
  return record ? { ...answer, scenario: { ...answer.scenario, measured: record } } : answer;
}

const refuse = (reason: string) => say(msg("what_if_move.can_not_run", { reason }), true);
export const shows = (what: Asked) => Boolean(change) && same(change?.next, asked(what));
export const isOwn = (request: RunRequest) => request.why === "whatif" || shows(request);

/* The page's sentence while what is shown differs from what is composed by sliders alone; null where that
   is not so. */
export const shown = (draft: Asked | null, request: RunRequest | null) =>
  change?.says && request && draft && shows(request) && same(asked(draft), change.base)
    ? msg("what_if_move.shown", { change: change.says })
    : null;

export function say(words: string, isWrong = false) {
  const line = at("whatif-says");
  if (line && line.textContent !== words) line.textContent = words;
  line?.classList.toggle("whatif-wrong", isWrong);
}

export function settled() {
  const { request } = state();
  return request && shows(request) ? change : null;
}
