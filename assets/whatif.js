/* What if: the sliders. Each holds one number, or one choice, of what is composed; what they change together is drawn by whatif_move.js,
   and nothing of it is in the draft until it is kept. */
(function (whatif) {
  "use strict";

  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const at = (id) => document.getElementById(id);
  const none = () => window.dash_clientside.no_update;
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const MOST_SLIDERS = 20;
  let counter = 0;

  Object.assign(whatif, { facts: null, base: null, tunables: new Map(), sliders: [], draft: null, active: null });

  const element = function (tag, props, ...children) {
    const { dataset, aria, ...rest } = props || {};
    const made = Object.assign(document.createElement(tag), rest);
    Object.assign(made.dataset, dataset || {});
    for (const [key, value] of Object.entries(aria || {})) made.setAttribute(key === "role" ? key : `aria-${key}`, value);
    made.append(...children);
    return made;
  };

  const decimals = (number) => (String(number).match(/\.(\d+)/) || ["", ""])[1].length + Number((String(number).match(/e-(\d+)/) || [0, 0])[1]);
  const tidy = (number, step) => Number(number.toFixed(Math.min(12, Math.max(decimals(step), 0))));
  const clamp = (number, low, high) => Math.min(Math.max(number, low ?? -Infinity), high ?? Infinity);

  const hasUnit = ({ title, unit }) => !unit || title.toLowerCase().split(" ").includes(unit);

  /* A value with its unit, unless its name says that: "512 MB", "12", "not given". */
  const valueText = function (value, tunable) {
    if (value === null || value === undefined) return tunable.path.includes("[*]") ? "mixed values" : "not set";
    if (typeof value === "string") return value;
    if (hasUnit(tunable)) return value.toLocaleString("en", { maximumFractionDigits: 6 });
    const unit = value === 1 && tunable.unit.length > 2 && /^[a-z]+s$/.test(tunable.unit) ? tunable.unit.slice(0, -1) : tunable.unit;
    return `${value.toLocaleString("en", { maximumFractionDigits: 6 })} ${unit}`;
  };

  const changed = (slider) => slider.value !== null && slider.value !== slider.tunable.value;
  const changes = () => whatif.sliders.filter(changed).map(({ path, value }) => ({ path, value }));
  const sentence = () => whatif.sliders.filter(changed).map(({ tunable, value }) => `${tunable.title} ${valueText(value, tunable)} instead of ${valueText(tunable.value, tunable)}`).join("; ");

  /* The chooser: what can be turned, by group. */
  function rebase(base) {
    if (!base) return none();
    whatif.base = base.key ? base : null;
    whatif.tunables = new Map(base.tunables.map((tunable) => [tunable.path, tunable]));
    at("whatif-says").textContent = base.because ? `The draft can't be run: ${base.because}` : whatif.move.hint();
    if (base.key) follow();
    const groups = new Map();
    for (const { path, group, title, unit } of base.tunables) {
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push({ value: path, label: hasUnit({ title, unit }) ? title : `${title} (${unit})` });
    }
    return [...groups].map(([group, items]) => ({ group, items }));
  }

  /* What is composed has changed: sliders that were not moved go with it, those of what is gone go. */
  function follow() {
    whatif.sliders = whatif.sliders.filter(({ path }) => whatif.tunables.has(path));
    for (const slider of whatif.sliders) {
      const moved = changed(slider);
      slider.tunable = whatif.tunables.get(slider.path);
      if (!moved) slider.value = slider.tunable.value;
      if (!moved && (slider.value <= slider.first || slider.value >= slider.last)) {
        const { first, last, step } = slider.tunable; // another scenario: its own range
        Object.assign(slider, { first, last, step });
      }
      widen(slider, slider.value);
    }
    if (whatif.active && !whatif.tunables.has(whatif.active)) whatif.active = null;
    build();
    whatif.curve.ask();
  }

  function add(path) {
    const tunable = whatif.tunables.get(path);
    if (!path || !tunable) return none();
    if (!whatif.sliders.some((slider) => slider.path === path) && whatif.sliders.length < MOST_SLIDERS) {
      whatif.sliders.push({ path, tunable, value: tunable.value, first: tunable.first, last: tunable.last, step: tunable.step, id: `whatif-${(counter += 1)}` });
    }
    whatif.active = path;
    build();
    whatif.curve.ask();
    const first = document.querySelector(`.whatif-row[data-path="${CSS.escape(path)}"] .whatif-main`);
    if (first) first.focus();
    return null;
  }

  /* A range takes in what is typed beyond it. */
  function widen(slider, value) {
    if (typeof value !== "number") return;
    slider.first = Math.min(slider.first, value);
    slider.last = Math.max(slider.last, value);
  }

  /* A slider's number; what is no legal one changes nothing. */
  function turn(slider, value, resting = false) {
    if (typeof value === "number") {
      if (!Number.isFinite(value)) return show(slider);
      value = clamp(slider.tunable.whole ? Math.round(value) : value, slider.tunable.low, slider.tunable.high);
      widen(slider, value);
    }
    const before = slider.value;
    slider.value = value;
    touch(slider);
    show(slider);
    if (before !== value || resting) whatif.move.turned(resting);
  }

  function touch(slider) {
    if (whatif.active === slider.path) return;
    whatif.active = slider.path;
    whatif.sliders.forEach(show);
    whatif.curve.ask();
  }

  const stepped = (slider, sign) => turn(slider, tidy((slider.value ?? slider.first) + sign * slider.step, slider.step));
  const back = (slider) => turn(slider, slider.tunable.value, true);

  function remove(slider) {
    const moved = changed(slider);
    whatif.sliders = whatif.sliders.filter((one) => one !== slider);
    if (whatif.active === slider.path) whatif.active = whatif.sliders.length ? whatif.sliders[whatif.sliders.length - 1].path : null;
    build();
    if (moved) whatif.move.turned(true);
    whatif.curve.ask();
    at("whatif-add").focus();
  }

  /* Into the draft, as one step that Undo takes back. */
  async function keep(slider) {
    const editor = window.gantryEditor;
    if (!changed(slider) || !editor.state) return;
    const { ids: _, ...draft } = editor.state;
    const next = await whatif.move.kept(draft, slider);
    if (!next) return;
    editor.draft.commit(editor.draft.stateOf(next), `keep ${slider.tunable.title} ${valueText(slider.value, slider.tunable)}`, "load");
    slider.tunable = { ...slider.tunable, value: slider.value };
    show(slider);
  }

  /* The rows, made anew; focus stays where it was. */
  function build() {
    const held = document.activeElement && document.activeElement.dataset.keep;
    at("whatif-rows").replaceChildren(...whatif.sliders.map(row));
    at("whatif").classList.toggle("whatif-open", whatif.sliders.length > 0);
    const bar = document.querySelector(".bar");
    if (bar) at("whatif").style.setProperty("--bar-px", `${bar.offsetHeight}px`); // it wraps in a narrow window
    whatif.sliders.forEach(show);
    const again = held && document.querySelector(`#whatif-rows [data-keep="${CSS.escape(held)}"]`);
    if (again) again.focus();
  }

  const named = ({ tunable }) => (hasUnit(tunable) ? tunable.title : `${tunable.title} (${tunable.unit})`);

  function row(slider) {
    const { id, tunable } = slider;
    const button = (text, label, act, more) => element("button", { type: "button", textContent: text, title: label, onclick: act, aria: { label: `${label}: ${tunable.title}` }, dataset: { keep: id + label }, ...more });
    const tools = element(
      "div",
      { className: "whatif-buttons" },
      button("Apply", "Apply to the draft", () => keep(slider), { className: "whatif-keep" }),
      button("Reset", "Reset to the value of the draft", () => back(slider), { className: "whatif-back" }),
      button("×", "Remove this slider", () => remove(slider), { className: "whatif-remove" }),
    );
    const name = element("div", { className: "whatif-name" }, element("label", { htmlFor: id, textContent: named(slider), title: tunable.help }), element("span", { className: "whatif-was" }));
    const made = element("div", { className: "whatif-row", dataset: { path: slider.path }, aria: { role: "group", label: tunable.title } }, name, ...(tunable.choices.length ? choices(slider) : numbers(slider, button)), tools);
    made.addEventListener("focusin", () => touch(slider));
    return made;
  }

  function choices(slider) {
    const one = (choice) => element("button", { type: "button", textContent: choice, className: "whatif-choice", dataset: { choice, keep: slider.id + choice }, onclick: () => turn(slider, choice, true) });
    const group = element("div", { className: "whatif-choices", id: slider.id }, ...slider.tunable.choices.map(one));
    group.querySelector("button").classList.add("whatif-main");
    return [group];
  }

  function numbers(slider, button) {
    const { id, tunable } = slider;
    const number = (className, label, act) => {
      const field = element("input", { type: "text", inputMode: "decimal", className, aria: { label: `${label}: ${tunable.title}` }, dataset: { keep: id + className } });
      field.onchange = () => act(field.value.trim() === "" ? NaN : Number(field.value.replace(",", ".")));
      return field;
    };
    const end = (key) => (value) => {
      if (Number.isFinite(value)) slider[key] = clamp(tunable.whole ? Math.round(value) : value, tunable.low, tunable.high);
      if (slider.first >= slider.last) slider[key === "first" ? "last" : "first"] = slider[key] + (key === "first" ? 1 : -1) * slider.step;
      show(slider);
      whatif.curve.ask();
    };
    const range = element("input", { type: "range", id, className: "whatif-main", dataset: { keep: id } });
    range.oninput = () => turn(slider, tidy(Number(range.value), slider.step));
    range.onchange = () => whatif.move.rest();
    const track = element("div", { className: "whatif-track" }, number("whatif-end", "Lower end of the range", end("first")), button("−", "One step less", () => stepped(slider, -1), {}), range, button("+", "One step more", () => stepped(slider, 1), {}), number("whatif-end whatif-last", "Upper end of the range", end("last")));
    return [track, number("whatif-value", "Value", (value) => turn(slider, value, true))];
  }

  /* A row as its slider stands. */
  function show(slider) {
    const made = document.querySelector(`.whatif-row[data-path="${CSS.escape(slider.path)}"]`);
    if (!made) return;
    const { tunable, value } = slider;
    made.classList.toggle("whatif-active", whatif.active === slider.path && whatif.sliders.length > 1);
    made.querySelector(".whatif-was").textContent = changed(slider) ? `instead of ${valueText(tunable.value, tunable)}` : value === null ? valueText(null, tunable) : "";
    for (const name of ["keep", "back"]) made.querySelector(`.whatif-${name}`).disabled = !changed(slider);
    for (const choice of made.querySelectorAll(".whatif-choice")) choice.setAttribute("aria-pressed", String(choice.dataset.choice === value));
    const range = made.querySelector("input[type=range]");
    if (!range) return;
    const [first, last] = made.querySelectorAll(".whatif-end");
    Object.assign(first, { value: slider.first });
    Object.assign(last, { value: slider.last });
    Object.assign(range, { min: slider.first, max: slider.last, step: slider.step });
    range.value = value ?? slider.first;
    range.setAttribute("aria-valuetext", valueText(value, tunable));
    range.style.setProperty("--at", `${(100 * (Number(range.value) - slider.first)) / (slider.last - slider.first)}%`);
    made.querySelector(".whatif-value").value = value ?? "";
    whatif.curve.now();
  }

  /* Another run was asked for: what is shown is what is composed again. */
  function asked(request) {
    whatif.move.requested(request);
    if (!request || request.why === "whatif") return none();
    for (const slider of whatif.sliders) slider.value = slider.tunable.value;
    whatif.sliders.forEach(show);
    whatif.curve.ask();
    return none();
  }

  /* What can be turned is looked up once somebody wants to know. */
  for (const event of ["focusin", "pointerover"]) {
    document.addEventListener(event, ({ target }) => target.closest && target.closest("#whatif-line") && !whatif.wanted && set("whatif-wanted", { data: (whatif.wanted = true) }));
  }

  /* What the chooser's list shows: each word that is typed stands in the name or in the path, however either is parted; "slowstart" is also "slow start". */
  window.dashMantineFunctions = Object.assign(window.dashMantineFunctions || {}, {
    whatifFound: ({ options, search, limit }) => {
      const joined = (text) => text.toLowerCase().replace(/[\s_-]/g, "");
      const words = search.split(/\s+/).map(joined);
      let left = limit;
      const found = options.map(({ group, items }) => {
        const fitting = items.filter(({ value, label }) => words.every((word) => joined(label).includes(word) || joined(value).includes(word))).slice(0, left);
        left -= fitting.length;
        return { group, items: fitting };
      });
      return found.filter(({ items }) => items.length > 0);
    },
  });

  Object.assign(whatif, { dark: () => document.documentElement.dataset.scheme === "dark", set, at, none, same, valueText, changes, sentence, changed, turn });
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.whatif = Object.assign(window.dash_clientside.whatif || {}, {
    rebase, add, asked,
    facts: (facts) => {
      Object.assign(whatif, { facts, sliders: [], active: null, wanted: false });
      return "false";
    },
    edited: (draft) => {
      whatif.draft = draft;
      return none();
    },
    looked: (highlight) => {
      Object.assign(whatif, { highlight });
      return none();
    },
  });
})((window.gantryWhatif = window.gantryWhatif || {}));
