/* More charts: a click on a job, user, queue or node highlights it everywhere, a second one clears it. */
gantry.callbacks({
  /* A trace or a point says what it is of, as "kind:name". */
  pickedInChart(clicked, figure) {
    const point = clicked && clicked.points[0];
    const selection = point && (point.id || figure.data[point.curveNumber].meta);
    if (typeof selection === "string" && /^(job|user|queue|node):./.test(selection))
      gantry.toggle("highlight", selection);
  },
});
