/* Replay: the highlighted job is marked in its table, and what was fitted becomes the draft, as one step
   that Undo takes back. */
const mark = function () {
  const { highlight } = gantry.state;
  for (const row of document.querySelectorAll("#replay-jobs [data-job]"))
    row.toggleAttribute("data-marked", highlight === `job:${row.dataset.job}`);
};
gantry.on(["highlight"], mark);

gantry.callbacks({
  replayMarked: () => void requestAnimationFrame(mark),
  replaySample: (fitted) => void (fitted && gantry.run.open(fitted, "recent")),
  replayFitted(fitted) {
    if (!fitted || !gantry.state.draft) return;
    gantry.commit({ ...gantry.state.draft, scenario: fitted.scenario }, gantry.msg("replay.use"));
    gantry.put("replay-draft-says", { children: gantry.msg("replay.in_draft") });
  },
});
