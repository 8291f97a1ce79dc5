/* Present, for a class on a projector: charts alone, type half as large again, two schedulers, the reason
   of each decision as a subtitle. */
const MAX_SCHEDULERS = 2; // schedulers
let before = null;

const turn = function () {
  const { presenting, folded = [], rail, drawer, matches = null } = gantry.state;
  if (presenting) {
    gantry.change({ presenting: false, matches: null, ...before });
    before = null;
  } else {
    before = { folded, rail, drawer, matches };
    const open = gantry.lanes
      .distinctRuns()
      .map((one) => one.place)
      .filter((place) => !folded.includes(place));
    gantry.change({
      presenting: true,
      rail: false,
      drawer: { ...drawer, open: false },
      folded: [...folded, ...open.slice(MAX_SCHEDULERS)],
    });
  }
};

/* The last decision up to the cursor, of the first scheduler shown: what was placed pulses, why is the
   subtitle. */
const tell = gantry.latest(async function ({ at, playing }) {
  const [one] = gantry.lanes.all();
  if (!one || !gantry.charts.view.key) return;
  const answer = await gantry.charts.post("placed", {
    ...gantry.charts.viewRequest(),
    index: one.place,
    at,
    brief: Boolean(playing),
  });
  if (!answer || !gantry.state.presenting) return;
  Object.assign(gantry.at("subtitle"), { textContent: answer.text, hidden: !answer.text });
  gantry.change({ matches: { [one.place]: answer.bar } });
});
gantry.on(["at", "presenting", "playing", "drawn", "folded"], (state) => {
  const told = state.presenting && state.at !== null && state.at !== undefined;
  if (told) tell(state);
  else if (gantry.at("subtitle")) gantry.at("subtitle").hidden = true;
});
gantry.on(["presenting"], ({ presenting }) =>
  gantry.at("present").setAttribute("aria-pressed", String(Boolean(presenting))),
);

document.addEventListener("click", (event) => event.target.closest("#present") && turn());
gantry.present = { turn };
