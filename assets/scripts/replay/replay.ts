/* Replay: the highlighted job is marked in its table, and what was fitted becomes the draft, as one step
   that Undo takes back. */
import { callbacks, setProps } from "../dash/dash";
import { commitWhole } from "../editor/editor";
import { msg } from "../page/messages";
import { on, state } from "../page/state";
import type { Asked } from "../run/result";
import * as run from "../run/run";

function mark() {
  for (const row of document.querySelectorAll<HTMLElement>("#replay-jobs [data-job]"))
    row.toggleAttribute("data-marked", state().highlight === `job:${row.dataset.job}`);
}

export function listen() {
  on(["highlight"], mark);
  callbacks({
    replayMarked: () => void requestAnimationFrame(mark),
    replaySample: (fitted: Asked | null) => void (fitted && run.open(fitted, "recent")),
    replayFitted(fitted: Asked | null) {
      const { draft } = state();
      if (!fitted || !draft) return;
      commitWhole({ ...draft, scenario: fitted.scenario }, msg("replay.use"));
      setProps("replay-draft-says", { children: msg("replay.in_draft") });
    },
  });
}
