/* Replay: the highlighted job is marked in its table, and what was fitted becomes the draft, as one step that Undo takes back. */
const mark = function () {
  const { highlight } = gantry.state;
  for (const row of document.querySelectorAll("#replay-jobs [data-job]")) row.toggleAttribute("data-marked", highlight === `job:${row.dataset.job}`);
};
gantry.on(["highlight"], mark);

gantry.callbacks({
  replayMarked: () => void requestAnimationFrame(mark),
  replaySample: (fitted) => void (fitted && gantry.run.open(fitted, "recent")),
  replayFitted(fitted) {
    if (!fitted || !gantry.state.draft) return;
    gantry.commit({ ...gantry.state.draft, scenario: fitted.scenario }, "use the fitted cluster");
    gantry.put("replay-draft-says", { children: "The fitted cluster is in the draft: run to see it, or move its numbers in What if. Undo takes it back." });
  },
});
