/* The map of a paper's headline: a click on a point, or two sliders, ask for it; the last wish wins. */
import { callbacks, noUpdate } from "../dash/dash";
import { at, closest, h, hear, the, when } from "../page/dom";
import { msg } from "../page/messages";
import { post } from "../page/server";
import { latest } from "../page/timing";

/* As webapp/panels/papers/claim_map.py writes it. */
interface Axis {
  title: string;
  stops: [value: number, text: string][];
}
interface Facts {
  paper: string;
  address: string;
  axes: Axis[];
  own: (number | null)[];
}
interface Answer {
  says?: string;
  because?: string;
}

let facts: Facts | null = null;
let chosen: number[] = []; // of each axis the stop

function begin(now: Facts) {
  facts = now;
  chosen = now.axes.map(({ stops }, place) => nearest(stops, now.own[place] ?? null));
  the("map-sliders").replaceChildren(...now.axes.map(slider));
  now.axes.forEach(show);
}

function nearest(stops: Axis["stops"], calibrated: number | null) {
  if (calibrated === null) return 0;
  const far = stops.map(([value]) => Math.abs(value - calibrated));
  return far.indexOf(Math.min(...far));
}

function slider({ title, stops }: Axis, place: number) {
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

function show({ stops }: Axis, place: number) {
  const range = the(`map-axis-${place}`, HTMLInputElement);
  const stop = chosen[place] ?? 0;
  const text = stops[stop]?.[1] ?? "";
  range.value = String(stop);
  range.setAttribute("aria-valuetext", text);
  const output = range.closest(".sensitivity-knob")?.querySelector("output");
  if (output) output.textContent = text;
}

const ask = latest(async () => {
  const of = facts;
  if (!of) return;
  const [x, y] = of.axes.map(({ stops }, place) => stops[chosen[place] ?? 0]?.[0]);
  for (const cell of document.querySelectorAll<HTMLElement>("#claim-map .claim-grid button"))
    cell.toggleAttribute("data-asked", Number(cell.dataset.x) === x && Number(cell.dataset.y) === y);
  const busy = setTimeout(() => at("claim-map")?.setAttribute("aria-busy", "true"), 150);
  try {
    const answer = await answerOf(of.address, { paper: of.paper, x, y });
    if (of === facts) tell(answer);
  } finally {
    clearTimeout(busy);
    at("claim-map")?.setAttribute("aria-busy", "false");
  }
});

async function answerOf(address: string, body: object): Promise<Answer> {
  try {
    const answer = await post(address, body);
    return answer.ok ? await answer.json() : { because: msg("papers_map.error") };
  } catch {
    return { because: msg("papers_map.away") };
  }
}

function tell({ says, because }: Answer) {
  const line = at("map-says");
  if (!line) return;
  if (says) line.textContent = says;
  the("map-error").textContent = because ?? "";
}

function choose(stops: number[]) {
  chosen = stops;
  facts?.axes.forEach(show);
  ask();
}

export function listen() {
  hear("click", "#claim-map .claim-grid button", ({ dataset: { x, y } }) => {
    const stopOf = (value: string | undefined, place: number) =>
      facts?.axes[place]?.stops.findIndex(([stop]) => stop === Number(value)) ?? 0;
    if (facts) choose([x, y].map(stopOf));
  });
  document.addEventListener("input", (event) => {
    const range = closest(event, "#claim-map input[data-axis]");
    if (!(range instanceof HTMLInputElement)) return;
    choose(chosen.map((stop, place) => (place === Number(range.dataset.axis) ? Number(range.value) : stop)));
  });
  callbacks({
    mapFacts(now: Facts | null) {
      if (now)
        when(
          () => at("map-sliders"),
          () => begin(now),
        );
      return noUpdate();
    },
  });
}
