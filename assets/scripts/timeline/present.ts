/* Present, for a class on a projector: charts alone, type half as large again, two schedulers, the reason
   of each decision as a subtitle. */
import { at, hear, the } from "../page/dom";
import { change, on, type State, state } from "../page/state";
import { latest } from "../page/timing";
import * as charts from "./charts";
import type { Bar } from "./drawing";
import * as lanes from "./lanes";

const MAX_SCHEDULERS = 2;
let before: Partial<State> = {};

export function togglePresenting() {
  const { presenting, folded, rail, drawer, matches } = state();
  if (presenting) return change({ presenting: false, matches: null, ...before });
  before = { folded, rail, drawer, matches };
  const open = lanes.distinctRuns().flatMap(({ place }) => (folded.includes(place) ? [] : [place]));
  change({
    presenting: true,
    rail: false,
    drawer: drawer && { ...drawer, open: false },
    folded: [...folded, ...open.slice(MAX_SCHEDULERS)],
  });
}

/* The last decision up to the cursor, of the first scheduler shown: what was placed pulses, why is the
   subtitle. */
const tell = latest(async (at: number, isBrief: boolean) => {
  const [lane] = lanes.open();
  if (!lane || !charts.view().key) return;
  const question = { index: lane.place, at, brief: isBrief };
  const answer = await charts.ask<{ text: string; bar: Bar }>("placed", question);
  if (!answer || !state().presenting) return;
  Object.assign(the("subtitle"), { textContent: answer.text, hidden: !answer.text });
  change({ matches: { [lane.place]: answer.bar } });
});

export function listen() {
  on(["at", "presenting", "playing", "drawn", "folded"], ({ presenting, at: ms, playing }) => {
    if (presenting && ms !== null) tell(ms, Boolean(playing));
    else at("subtitle")?.toggleAttribute("hidden", true);
  });
  on(["presenting"], ({ presenting }) => the("present").setAttribute("aria-pressed", String(presenting)));
  hear("click", "#present", togglePresenting);
}
