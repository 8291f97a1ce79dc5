/* What if: the sliders. Each holds one number, or one choice, of the run they start from, the last that
   they did not make themselves; what they change together is shown by whatif_move.js, and nothing of it is
   in the draft until it is applied. `gantry.state.sliders`: {path, value, first, last, step} of each,
   value null where none is given; `gantry.state.slider`: the path of the one touched last;
   `gantry.state.study`: what whatif_study.js shows of them. */
const { at, asked, whatif } = gantry;
const MAX_SLIDERS = 20;
let [start, base, interested, tunables] = [null, null, false, new Map()];

const legal = function (path, value) {
  const { whole, low, high } = tunables.get(path);
  return typeof value === "number"
    ? Math.min(Math.max(whole ? Math.round(value) : value, low ?? -Infinity), high ?? Infinity)
    : value;
};
const number = (text) => (text.trim() === "" ? NaN : Number(text.replace(",", ".")));
const safe = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const sliders = () => gantry.state.sliders || [];
const find = (path) => sliders().find((one) => one.path === path);
const of = ({ path }) => tunables.get(path);
const changed = (slider) =>
  of(slider) !== undefined && slider.value !== null && slider.value !== of(slider).value;
const changes = () =>
  sliders()
    .filter(changed)
    .map(({ path, value }) => ({ path, value }));
const sliderOf = ({ path, value, first, last, step }) => ({ path, value, first, last, step });
const put = (path, values) =>
  gantry.change({
    slider: path,
    sliders: sliders().map((one) => (one.path === path ? widened({ ...one, ...values }) : one)),
  });

/* A range takes in what is typed beyond it. */
const widened = (one) =>
  typeof one.value === "number"
    ? { ...one, first: Math.min(one.first, one.value), last: Math.max(one.last, one.value) }
    : one;

/* A run was asked for by somebody else: the sliders go back, and start from it once it is there. */
gantry.on(["request"], ({ request }) => {
  if (!request || whatif.isOwn(request)) return;
  gantry.change({ sliders: sliders().map((one) => (of(one) ? { ...one, value: of(one).value } : one)) });
  whatif.stop();
});
gantry.on(
  ["result"],
  ({ result, request }) => result && request && !whatif.isOwn(request) && begin(result.key, asked(request)),
);
gantry.on(["drawer"], ({ drawer }) => drawer && drawer.open && drawer.tab === "whatif" && look());
gantry.on(["draft"], tell);
gantry.on(["sliders", "slider"], (state, before) => {
  const paths = ({ sliders: found }) => JSON.stringify((found || []).map(({ path }) => path));
  if (paths(state) !== paths(before)) build();
  else sliders().forEach(show);
  tell();
});

function begin(key, what) {
  start = { key, asked: what, stood: new Map(sliders().map(({ path, value }) => [path, value])) };
  if (interested || sliders().length) gantry.put("whatif-wanted", { data: key });
}

/* What can be turned is looked up once somebody wants to know. */
function look() {
  if (!interested && start) gantry.put("whatif-wanted", { data: start.key });
  interested = true;
}

/* Another run to start from: sliders go with it, those of what is gone go; the first leaves them as a link
   has them, and what was turned since stays so. */
function rebase(found) {
  if (!found) return;
  const first = !base;
  base = found.key && start && found.key === start.key ? { ...found, asked: start.asked } : null;
  tunables = new Map(found.tunables.map((tunable) => [tunable.path, tunable]));
  const kept = sliders()
    .filter(of)
    .map((slider) => {
      const { value, ...range } = sliderOf(of(slider));
      const turnedSince =
        start && start.stood.has(slider.path) && start.stood.get(slider.path) !== slider.value;
      if (first || turnedSince) return widened({ value, ...range, ...slider });
      return widened({ ...slider, ...(value <= slider.first || value >= slider.last ? range : {}), value });
    });
  gantry.change({
    sliders: kept,
    slider: kept.some(({ path }) => path === gantry.state.slider) ? gantry.state.slider : null,
  });
  build();
  whatif.say(found.hint, !base);
  whatif.study.based();
  whatif.ask();
  if (changes().length) whatif.turned(true);
}

function add(path) {
  if (!path || !tunables.has(path)) return gantry.none();
  if (find(path) || sliders().length < MAX_SLIDERS)
    gantry.change({
      slider: path,
      sliders: find(path) ? sliders() : [...sliders(), sliderOf(tunables.get(path))],
    });
  const main = document.querySelector(`.whatif-row[data-path="${CSS.escape(path)}"] .whatif-main`);
  if (main) main.focus();
  return null;
}

/* A slider's number, and an end of its range; what is no legal one changes nothing. */
function turn(path, value, resting = false) {
  const [slider, next] = [find(path), legal(path, value)];
  if (!Number.isNaN(next)) put(path, { value: next });
  show(find(path));
  if (!Number.isNaN(next) && (next !== slider.value || resting)) whatif.turned(resting);
}

function end(path, { dataset, value }) {
  const slider = { ...find(path), [dataset.act]: legal(path, number(value)) };
  if (slider.first < slider.last) put(path, slider);
  show(find(path));
}

function remove(path) {
  const moved = changed(find(path));
  const left = sliders().filter((one) => one.path !== path);
  gantry.change({ sliders: left, slider: left.length ? left[left.length - 1].path : null });
  if (moved) whatif.turned(true);
  at("whatif-add").focus();
}

/* Into the draft, as one step that Undo takes back; then what is shown is what the sliders start from. */
async function apply() {
  const { draft } = gantry.state;
  const found = await whatif.varied(asked(draft), changes());
  if (!found) return;
  const next = { ...draft, ...asked(found) };
  gantry.commit(next, gantry.msg("shared.apply", { change: found.says }));
  if (found.left_out && !gantry.state.pinned) gantry.run.pinThis(whatif.recorded(base));
  if (whatif.shows(next)) begin(gantry.state.result.key, asked(next));
  else gantry.run.ask(next, "run");
}

/* What the sliders and their curve are of, in a sentence; Apply as there is something to apply. */
function tell() {
  if (!at("whatif-of")) return;
  const edited = base && gantry.state.draft && !gantry.same(asked(gantry.state.draft), base.asked);
  const origin = edited ? gantry.msg("whatif.from_last_run_edited") : gantry.msg("whatif.from_last_run");
  at("whatif-of").textContent = sliders().length ? origin : gantry.msg("whatif.add");
  at("whatif-apply").disabled = !changes().length;
}

/* The rows, made anew; focus stays where it was. */
function build() {
  const rows = at("whatif-rows");
  if (!rows) return;
  const held = document.activeElement && document.activeElement.dataset.keep;
  rows.innerHTML = sliders().filter(of).map(row).join("");
  at("whatif").classList.toggle("whatif-open", sliders().length > 0);
  sliders().forEach(show);
  tell();
  const again = held && rows.querySelector(`[data-keep="${CSS.escape(held)}"]`);
  if (again) again.focus();
}

const row = function (slider, place) {
  const tunable = of(slider);
  const named = function (words, act) {
    const label = gantry.msg("whatif.named", { action: words, parameter: tunable.title });
    const keep = `data-keep="${safe(slider.path + words)}"`;
    return `data-act="${act}" ${keep} aria-label="${safe(label)}" title="${safe(words)}"`;
  };
  const button = (text, words, act) =>
    `<button type="button" class="whatif-${act}" ${named(words, act)}>${text}</button>`;
  const field = (words, act) =>
    `<input type="text" inputmode="decimal" class="whatif-${act}" ${named(words, act)}>`;
  const main = `id="whatif-main-${place}" data-keep="${safe(slider.path)}"`;
  const choice = function (text, place_) {
    const look = place_ ? 'class="whatif-choice"' : `class="whatif-choice whatif-main" ${main}`;
    return `<button type="button" ${look} data-act="choice">${safe(text)}</button>`;
  };
  const track = [
    field(gantry.msg("whatif.lower_end"), "first"),
    button("−", gantry.msg("whatif.less"), "less"),
    `<input type="range" class="whatif-main" ${main} data-act="range">`,
  ];
  track.push(button("+", gantry.msg("whatif.more"), "more"), field(gantry.msg("whatif.upper_end"), "last"));
  const help = `title="${safe(tunable.help)}"`;
  const label = `<label for="whatif-main-${place}" ${help}>${safe(tunable.label)}</label>`;
  const value = tunable.choices.length ? "<span></span>" : field(gantry.msg("whatif.value"), "value");
  const reset = button(gantry.msg("whatif.reset"), gantry.msg("whatif.reset_title"), "reset");
  const turns = tunable.choices.length
    ? `<div class="whatif-choices">${tunable.choices.map(choice).join("")}</div>`
    : `<div class="whatif-track">${track.join("")}</div>`;
  const path = `data-path="${safe(slider.path)}"`;
  return `<div class="whatif-row" role="group" ${path} aria-label="${safe(tunable.title)}">
    <div class="whatif-name">${label}<span class="whatif-was"></span></div>
    ${value}${reset}${button("×", gantry.msg("whatif.remove"), "remove")}
    ${turns}</div>`;
};

const step = function (path, { dataset, parentElement }) {
  const main = parentElement.querySelector(".whatif-main");
  main[dataset.act === "less" ? "stepDown" : "stepUp"](); // on the grid of the range, in decimals
  turn(path, Number(main.value));
};
const turned = (path, { value }) => turn(path, number(value), true);
const acts = {
  click: {
    less: step,
    more: step,
    remove,
    reset: (path) => turn(path, of(find(path)).value, true),
    choice: (path, { textContent }) => turn(path, textContent, true),
  },
  input: { range: (path, { value }) => turn(path, Number(value)) },
  change: { range: () => whatif.rest(), value: turned, first: end, last: end },
  focusin: {},
};
for (const [event, known] of Object.entries(acts)) {
  document.addEventListener(event, ({ target }) => {
    const made = target.closest && target.closest(".whatif-row");
    if (made && event === "focusin") gantry.change({ slider: made.dataset.path });
    else if (made && target.dataset.act in known) known[target.dataset.act](made.dataset.path, target);
    else if (event === "click" && target.id === "whatif-apply") apply();
    else if (event === "focusin" && target.id === "whatif-add") look();
  });
}

/* A row as its slider stands. */
function show(slider) {
  const made = document.querySelector(`.whatif-row[data-path="${CSS.escape(slider.path)}"]`);
  if (!made) return;
  const { value, first, last, step: by } = slider;
  const part = (name) => made.querySelector(`.whatif-${name}`);
  made.classList.toggle("whatif-active", gantry.state.slider === slider.path && sliders().length > 1);
  part("was").textContent = changed(slider)
    ? gantry.msg("whatif.instead", { value: of(slider).text })
    : value === null
      ? of(slider).text
      : "";
  part("reset").disabled = !changed(slider);
  for (const choice of made.querySelectorAll(".whatif-choice"))
    choice.setAttribute("aria-pressed", String(choice.textContent === value));
  if (!part("value")) return;
  for (const [name, text] of Object.entries({ first, last, value: value ?? "" })) part(name).value = text;
  Object.assign(part("main"), { min: first, max: last, step: by });
  part("main").value = value ?? first;
  part("main").setAttribute(
    "aria-valuetext",
    value === null ? of(slider).text : `${value} ${of(slider).unit}`.trim(),
  );
}

/* What the chooser's list shows: each word that is typed stands in the name or in the path, however either
   is parted; "slowstart" is also "slow start". */
const whatifFound = function ({ options, search, limit: left }) {
  const joined = (text) => text.toLowerCase().replace(/[\s_-]/g, "");
  const words = search.split(/\s+/).map(joined);
  const fits = ({ label, value }) =>
    words.every((word) => joined(label).includes(word) || joined(value).includes(word)) && (left -= 1) >= 0;
  return options
    .map(({ group, items }) => ({ group, items: items.filter(fits) }))
    .filter(({ items }) => items.length > 0);
};
window.dashMantineFunctions = Object.assign(window.dashMantineFunctions || {}, { whatifFound });

Object.assign(whatif, {
  active: () => find(gantry.state.slider),
  changes,
  turn,
  of,
  find,
  sliders,
  look,
  base: () => base,
});
gantry.callbacks({
  whatifBase: rebase,
  whatifAdd: add,
  whatifFacts: (facts) => {
    [start, base, interested, whatif.facts] = [null, null, false, facts];
    return "false";
  },
});
