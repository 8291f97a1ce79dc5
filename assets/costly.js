/* The most costly decisions: which run they are asked of, and the way from one to why it was decided so. */
const { at, h } = gantry;
let [asked, builtFor, place] = [null, "", null];

const runs = () =>
  ((gantry.state.result || {}).charts || []).filter(
    ({ name }) => ![gantry.measured.NAME, gantry.OPTIMUM].includes(name),
  );
/* The run chosen here, else that of the decision that is shown, else the first. */
const chosen = function () {
  const places = runs().map((one) => one.place);
  const looked = gantry.state.decision && gantry.state.decision.index;
  return places.find((one) => one === place) ?? places.find((one) => one === looked) ?? places[0];
};

function build() {
  const room = at("costly-form");
  if (!room) return;
  const next = JSON.stringify([runs().map(({ place: of, label }) => [of, label]), chosen()]);
  if (next === builtFor && room.childElementCount) return;
  builtFor = next;
  const option = (one) => h("option", { value: one.place, selected: one.place === chosen() }, one.label);
  const select = h("select", { name: "run", "aria-label": gantry.msg("costly.run") }, ...runs().map(option));
  room.replaceChildren(
    select,
    h(
      "button",
      { type: "submit", class: "study-run", id: "costly-run", disabled: !runs().length },
      gantry.msg("costly.find"),
    ),
  );
}

/* What the decision that is shown cost, if it is one of the list. */
function note() {
  const shown = gantry.state.decision;
  let current = null;
  for (const one of document.querySelectorAll("[data-costly]")) {
    const is =
      shown && Number(one.dataset.costly) === shown.container && Number(one.dataset.place) === shown.index;
    one.setAttribute("aria-current", String(Boolean(is)));
    if (is) current = one;
  }
  if (!at("costly-note")) return;
  at("costly-note").hidden = !current;
  at("costly-note").textContent = current ? current.lastElementChild.textContent : "";
}

const ask = (next) => gantry.put("costly-ask", { data: (asked = next) });

document.addEventListener("change", function ({ target }) {
  if (!target.form || target.form.id !== "costly-form") return;
  place = Number(target.value);
});
document.addEventListener("submit", function (event) {
  if (event.target.id !== "costly-form") return;
  event.preventDefault();
  if (runs().length) ask({ key: gantry.state.result.key, place: chosen(), at: Date.now() });
});
document.addEventListener("click", function (event) {
  const one = event.target.closest("[data-costly]");
  if (!one) return;
  gantry.decision.ask({ index: Number(one.dataset.place), container: Number(one.dataset.costly) }, true);
  at("drawer-body").scrollTop = 0; // what is shown of it stands above the list
});
/* What was found of another result says nothing of this one. */
gantry.on(["result"], function ({ result }) {
  if (asked && result && asked.key !== result.key) ask(null);
  place = null;
  build();
});
gantry.on(["decision"], () => (build(), note()));
gantry.callbacks({
  /* A list that has come is seen in a low drawer too. */
  costlyFound(listed) {
    note();
    if (asked && listed && listed.length)
      requestAnimationFrame(() => at("costly-form").scrollIntoView({ block: "start" }));
  },
});
