/* The map of a paper's headline: a click on a point, or two sliders, ask for it; the last wish wins. */
const { at, h } = gantry;
let [facts, chosen] = [null, [0, 0]];

const mapFacts = function (found) {
  if (found)
    gantry.when(
      () => at("map-sliders"),
      () => begin(found),
    );
  return gantry.none();
};

function begin(found) {
  facts = found;
  chosen = facts.axes.map(({ stops }, place) => nearest(stops, facts.own[place]));
  at("map-sliders").replaceChildren(...facts.axes.map(slider));
  facts.axes.forEach(show);
}

const nearest = (stops, calibrated) =>
  calibrated === null
    ? 0
    : stops.reduce(
        (best, [value], place) =>
          Math.abs(value - calibrated) < Math.abs(stops[best][0] - calibrated) ? place : best,
        0,
      );

function slider({ title, stops }, place) {
  const id = `map-axis-${place}`;
  const range = h("input", { type: "range", id, min: 0, max: stops.length - 1, step: 1, "data-axis": place });
  return h(
    "div",
    { class: "sensitivity-knob" },
    h("label", { for: id }, title),
    h("output", { for: id, class: "sensitivity-value" }),
    h("div", { class: "sensitivity-track" }, range),
  );
}

function show({ stops }, place) {
  const range = at(`map-axis-${place}`);
  const text = stops[chosen[place]][1];
  range.value = chosen[place];
  range.setAttribute("aria-valuetext", text);
  range.closest(".sensitivity-knob").querySelector("output").textContent = text;
}

const point = () => facts.axes.map(({ stops }, place) => stops[chosen[place]][0]);

/* The cell of the point, if it is one of the map's. */
function mark() {
  const [x, y] = point();
  for (const cell of document.querySelectorAll("#claim-map .claim-grid button")) {
    cell.toggleAttribute("data-asked", Number(cell.dataset.x) === x && Number(cell.dataset.y) === y);
  }
}

const ask = gantry.latest(async function () {
  const of = facts;
  const [x, y] = point();
  mark();
  const busy = setTimeout(() => at("claim-map")?.setAttribute("aria-busy", "true"), 150);
  try {
    const found = await post({ paper: of.paper, x, y });
    if (of === facts) tell(found);
  } finally {
    clearTimeout(busy);
    at("claim-map")?.setAttribute("aria-busy", "false");
  }
});

async function post(body) {
  try {
    const answer = await gantry.post(facts.address, body);
    return answer.ok ? await answer.json() : { because: gantry.msg("papers_map.error") };
  } catch {
    return { because: gantry.msg("papers_map.away") };
  }
}

function tell({ says, because }) {
  if (!at("map-says")) return;
  if (says) at("map-says").textContent = says;
  at("map-error").textContent = because || "";
}

document.addEventListener("click", ({ target }) => {
  const cell = target.closest("#claim-map .claim-grid button");
  if (!cell || !facts) return;
  chosen = [cell.dataset.x, cell.dataset.y].map((value, place) =>
    facts.axes[place].stops.findIndex(([stop]) => stop === Number(value)),
  );
  facts.axes.forEach(show);
  ask();
});
document.addEventListener("input", ({ target }) => {
  if (!target.closest("#claim-map") || !target.dataset.axis) return;
  chosen[Number(target.dataset.axis)] = Number(target.value);
  facts.axes.forEach(show);
  ask();
});

gantry.callbacks({ mapFacts });
