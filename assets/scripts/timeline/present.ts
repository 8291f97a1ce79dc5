/* Present, for a class on a projector: charts alone, type half as large again, two schedulers, the reason
   of each decision in place of the answer. */
import { at, hear, the } from "../page/dom";
import { change, on, state } from "../page/state";
import { latest } from "../page/timing";
import * as charts from "./charts";
import type { Bar } from "./drawing";
import * as lanes from "./lanes";

export function togglePresenting() {
  const { presenting, matches } = state();
  before = presenting ? before : matches;
  change({ presenting: !presenting, matches: presenting ? before : matches });
}
let before = state().matches;

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
