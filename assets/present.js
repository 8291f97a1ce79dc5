/* Present, for a class on a projector: charts alone, type half as large again, two schedulers, the reason of each decision as a subtitle. */
(window.gantry = window.gantry || { parts: [] }).parts.push(function (gantry) {
  "use strict";
  const MOST = 2; // schedulers
  let before = null;

  const turn = function () {
    const { presenting, folded = [], rail, drawer, matches = null } = gantry.state;
    if (presenting) {
      gantry.change({ presenting: false, matches: null, ...before });
      before = null;
    } else {
      before = { folded, rail, drawer, matches };
      const open = gantry.lanes.own().map((one) => one.place).filter((place) => !folded.includes(place));
      gantry.change({ presenting: true, rail: false, drawer: { ...drawer, open: false }, folded: [...folded, ...open.slice(MOST)] });
    }
  };

  /* The last decision up to the cursor, of the first scheduler shown: what was placed pulses, why is the subtitle. */
  let asking = false;
  let wanted = null;
  const tell = async function () {
    const { presenting, at, playing } = gantry.state;
    const line = document.getElementById("subtitle");
    if (!line) return;
    if (!presenting || at === null || at === undefined) line.hidden = true;
    if (!presenting || at === null || at === undefined || !gantry.charts.view.key) return;
    const [one] = gantry.lanes.all();
    wanted = one && { ...gantry.charts.wish(), index: one.place, at, brief: Boolean(playing) };
    if (asking || !wanted) return;
    asking = true;
    while (wanted) {
      const wish = wanted;
      wanted = null;
      const answer = await gantry.charts.post("placed", wish);
      if (!answer || !gantry.state.presenting) continue;
      line.textContent = answer.text;
      line.hidden = !answer.text;
      gantry.change({ matches: { [wish.index]: answer.bar } });
    }
    asking = false;
  };
  gantry.on(["at", "presenting", "playing", "drawn", "folded"], tell);
  gantry.on(["presenting"], ({ presenting }) => document.getElementById("present").setAttribute("aria-pressed", String(Boolean(presenting))));

  document.addEventListener("click", (event) => event.target.closest("#present") && turn());
  gantry.present = { turn };
});
