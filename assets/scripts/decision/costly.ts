/* The most costly decisions: which run they are asked of, and the way from one to why it was decided so. */
import { OPTIMUM } from "../compare/optimum";
import { callbacks, setProps } from "../dash/dash";
import { NAME as MEASURED } from "../editor/measured";
import { at, h, hear, the } from "../page/dom";
import { msg } from "../page/messages";
import { on, same, state } from "../page/state";
import * as decision from "./decision";

let asked: { key: string; place: number } | null = null;
let builtFor: unknown = null; // what the form offers
let chosen: number | null = null; // the run that was chosen here, by its place

const runs = () => state().result?.charts.filter(({ name }) => name !== MEASURED && name !== OPTIMUM) ?? [];
/* The run chosen here, else that of the decision that is shown, else the first. */
function placeOfRun() {
  const places = runs().map(({ place }) => place);
  const looked = state().decision?.index;
  return places.find((place) => place === chosen) ?? places.find((place) => place === looked) ?? places[0];
}

function build() {
  const room = at("costly-form");
  if (!room) return;
  const now = placeOfRun();
  const next = [runs().map(({ place, label }) => [place, label]), now];
  if (same(next, builtFor) && room.childElementCount) return;
  builtFor = next;
  const options = runs().map(({ place, label }) =>
    h("option", { value: place, selected: place === now }, label),
  );
  const finds = { type: "submit", class: "study-run", id: "costly-run", disabled: !options.length };
  room.replaceChildren(
    h("select", { name: "run", "aria-label": msg("costly.run") }, ...options),
    h("button", finds, msg("costly.find")),
  );
}

/* What the decision that is shown cost, if it is one of the list. */
function note() {
  const { container, index } = state().decision ?? {};
  const current = document.querySelector(`[data-costly="${container}"][data-place="${index}"]`);
  for (const row of document.querySelectorAll("[data-costly]"))
    row.setAttribute("aria-current", String(row === current));
  const line = at("costly-note");
  if (line)
    Object.assign(line, { hidden: !current, textContent: current?.lastElementChild?.textContent ?? "" });
}

function ask(question: typeof asked) {
  asked = question;
  setProps("costly-ask", { data: question });
}

export function listen() {
  hear("change", "#costly-form select", (select) => {
    if (select instanceof HTMLSelectElement) chosen = Number(select.value);
  });
  hear("submit", "#costly-form", (_, event) => {
    event.preventDefault();
    const [{ result }, place] = [state(), placeOfRun()];
    if (result && place !== undefined) ask({ key: result.key, place });
  });
  hear("click", "[data-costly]", ({ dataset }) => {
    decision.ask({ index: Number(dataset.place), container: Number(dataset.costly) }, true);
    the("drawer-body").scrollTop = 0; // what is shown of it stands above the list
  });
  // what was found of another result says nothing of this one
  on(["result"], ({ result }) => {
    if (asked && result && asked.key !== result.key) ask(null);
    chosen = null;
    build();
  });
  on(["decision"], () => {
    build();
    note();
  });
  callbacks({
    /* A list that has come is seen in a low drawer too. */
    costlyFound(listed: unknown[] | null) {
      note();
      if (asked && listed?.length)
        requestAnimationFrame(() => the("costly-form").scrollIntoView({ block: "start" }));
    },
  });
}
