/* The search for the optimum: of which result it is asked, and the way of what it found among the charts. */
import { callbacks, setProps } from "../dash/dash";
import { outlive } from "../jobs/follow";
import { hear, the } from "../page/dom";
import { msg } from "../page/messages";
import { change, on, state } from "../page/state";
import * as run from "../run/run";

export const OPTIMUM = "optimum"; // the name of the run, which no scheduler made
type Question = { key: string; seconds: number };
let asked: Question | null = null;

function ask(question: Question | null) {
  asked = question;
  setProps("optimum-ask", { data: question });
}

/* optimum: without an id while it is looked for. */
function found(optimum: { key: string; id?: string } | null) {
  if (!optimum?.id) return;
  asked = null;
  const { result } = state();
  if (!result) return;
  if (optimum.key !== result.key) return setProps("optimum-says", { children: msg("optimum.other_result") });
  change({ optimum: optimum.id });
  run.again();
}

export function listen() {
  hear("click", "#optimum-run", () => {
    const { result } = state();
    if (!result) return;
    const seconds = Number(the("optimum-seconds", HTMLSelectElement).value);
    ask({ key: result.key, seconds });
    the("optimum").scrollIntoView({ block: "start" }); // how far it is stands below
  });
  // what is looked for of another result is ended; what was found of it says nothing of this one
  on(["result"], ({ result }, before) => {
    if (!before.result) asked = outlive<Question>("optimum", ({ key }) => key === result?.key);
    if (asked && asked.key !== result?.key) ask(null);
    else if (before.result?.optimum && !result?.optimum)
      for (const id of ["optimum-says", "optimum-way"]) setProps(id, { children: [] });
  });
  callbacks({ optimumFound: found });
}
