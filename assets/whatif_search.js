/* What if: the search for the best setting. The form is of the sliders there are; what is chosen is a
   wish, whose price the server says. What was asked last is kept for the tab, so that a reload shows it
   again or follows it on. */
const { at, h, whatif } = gantry;
const KEPT = "gantry-best";
const REST_MS = 150;
const form = {
  out: [],
  scheduler: "",
  objectives: ["makespan_s", ""],
  constraints: [],
  trials: 50,
  seeds: 5,
  jitter: 0,
};
let [facts, made, wished, asked, restored, looked] = [null, "", null, null, false, null];

const metric = (key) => facts.measures.find((one) => one.key === key);
const names = () =>
  whatif.base() ? whatif.base().asked.schedulers.filter((name) => name !== gantry.measured.NAME) : [];
const usableSliders = () => whatif.sliders().filter((one) => whatif.of(one));
const isIn = ({ path }) => path !== "seed" && !form.out.includes(path);
const chosen = () => usableSliders().filter(isIn);
const scheduler = () => (names().includes(form.scheduler) ? form.scheduler : "");
const dimension = (one) =>
  whatif.of(one).choices.length
    ? { path: one.path }
    : { path: one.path, low: one.first, high: one.last, step: one.step };

function wish() {
  const base = whatif.base();
  if (!facts || !base) return null;
  const paths = chosen().map(({ path }) => path);
  if (!paths.length && (names().length < 2 || scheduler())) return null;
  const { trials, seeds, jitter } = form;
  const objectives = form.objectives.filter(Boolean);
  const constraints = form.constraints
    .filter((one) => one.metric && one.text.trim())
    .map((one) => ({ ...one }));
  const held = whatif.changes().filter(({ path }) => !paths.includes(path));
  return {
    key: base.key,
    vary: chosen().map(dimension),
    objectives,
    constraints,
    held,
    scheduler: scheduler(),
    trials,
    seeds,
    jitter,
  };
}

/* The form. */
const option =
  (now) =>
  ([value, title]) =>
    h("option", { value, selected: String(value) === String(now) }, String(title));
const select = (name, label, options, now, more) =>
  h("select", { name, "aria-label": label, ...more }, ...options.map(option(now)));
const labelled = (title, ...fields) => h("label", {}, h("span", {}, title), ...fields);
const group = (title, ...parts) =>
  h(
    "div",
    { class: "best-group", role: "group", "aria-label": title },
    h("span", { class: "best-title", "aria-hidden": "true" }, title),
    h("div", {}, ...parts),
  );
const listed = (metrics, none) => [
  ...(none ? [["", none]] : []),
  ...metrics.map(({ key, title }) => [key, title]),
];

const number = (value) => value.toLocaleString("en", { maximumFractionDigits: 6 });
const box = function (one) {
  const { label, choices } = whatif.of(one);
  const effort = one.path === "seed";
  const range = () =>
    gantry.msg("whatif_search.range", {
      first: number(one.first),
      last: number(one.last),
      step: number(one.step),
    });
  const span = effort ? gantry.msg("whatif_search.seed") : choices.length ? choices.join(", ") : range();
  return h(
    "label",
    { class: "best-box" },
    h("input", { type: "checkbox", name: "vary", value: one.path, checked: isIn(one), disabled: effort }),
    label,
    h("span", {}, span),
  );
};

function varied() {
  const choice =
    names().length > 1
      ? [
          labelled(
            gantry.msg("whatif_search.scheduler"),
            select(
              "scheduler",
              gantry.msg("whatif_search.scheduler"),
              [
                ["", gantry.msg("whatif_search.any_scheduler", { count: names().length })],
                ...names().map((name) => [name, gantry.displayName(name)]),
              ],
              scheduler(),
            ),
          ),
        ]
      : [];
  const boxes = usableSliders().map(box);
  return group(
    gantry.msg("whatif_search.search"),
    ...(boxes.length ? boxes : [h("p", { class: "help" }, facts.empty)]),
    ...choice,
  );
}
const isMaximised = ({ key }) => metric(key).better === "larger";
const goal = (one) => ({
  ...one,
  title: isMaximised(one)
    ? gantry.msg("whatif_search.maximise", { metric: one.title })
    : gantry.msg("whatif_search.minimise", { metric: one.title }),
});
const secondGoal = (one) => ({
  ...one,
  title: isMaximised(one)
    ? gantry.msg("whatif_search.maximise_too", { metric: one.title })
    : gantry.msg("whatif_search.minimise_too", { metric: one.title }),
});
const best = function () {
  const [first, other] = form.objectives;
  const rest = facts.metrics.filter(({ key }) => key !== first).map(secondGoal);
  const all = facts.metrics.map(goal);
  const second = select(
    "other",
    gantry.msg("whatif_search.second_goal"),
    listed(rest, gantry.msg("whatif_search.nothing_else")),
    other,
  );
  const title = gantry.msg("whatif_search.goal");
  return group(
    title,
    select("first", title, listed(all), first),
    labelled(gantry.msg("whatif_search.and"), second),
  );
};
const within = function () {
  const rows = [...form.constraints, { metric: "", way: "most", text: "" }].slice(0, facts.most.constraints);
  const row = function ({ metric: key, way, text }, place) {
    const data = { "data-place": place };
    const none = place
      ? gantry.msg("whatif_search.no_other_constraint")
      : gantry.msg("whatif_search.no_constraint");
    const parts = [
      select(
        "of",
        gantry.msg("whatif_search.constraint_metric", { place: place + 1 }),
        listed(facts.measures, none),
        key,
        data,
      ),
    ];
    if (key) {
      const ways = [
        ["most", gantry.msg("shared.at_most")],
        ["least", gantry.msg("whatif_search.at_least")],
      ];
      parts.push(
        select(
          "way",
          gantry.msg("whatif_search.constraint_direction", { place: place + 1 }),
          ways,
          way,
          data,
        ),
      );
      const unit = metric(key).unit;
      parts.push(
        h("input", {
          ...data,
          name: "text",
          type: "text",
          autocomplete: "off",
          value: text,
          placeholder: unit === "s" ? "5 min" : unit === "%" ? "80 %" : "0",
          "aria-label": gantry.msg("whatif_search.constraint_number", { place: place + 1, unit }),
        }),
        h("span", {}, unit),
      );
    }
    return h("span", { class: "best-constraint" }, ...parts);
  };
  return group(gantry.msg("whatif_search.where"), ...rows.map(row));
};
const effort = function () {
  const counts = (values) => values.map((value) => [value, value]);
  const parts = [
    labelled(
      gantry.msg("whatif_search.trials"),
      select("trials", gantry.msg("whatif_search.trials"), counts(facts.trials), form.trials),
    ),
    labelled(
      gantry.msg("whatif_search.seeds"),
      select("seeds", gantry.msg("whatif_search.seeds"), counts(facts.seeds), form.seeds),
    ),
  ];
  parts.push(
    labelled(
      gantry.msg("whatif_search.jitter"),
      select(
        "jitter",
        gantry.msg("whatif_search.jitter_title"),
        facts.jitters.map(({ value, title }) => [value, title]),
        form.jitter,
      ),
    ),
  );
  return group(
    gantry.msg("whatif_search.effort"),
    ...parts,
    h("button", { type: "submit", class: "study-run", id: "best-run" }, gantry.msg("whatif_search.search")),
  );
};

/* Made anew where something else is to choose from; what has the focus keeps it. */
function build() {
  const room = at("best-form");
  if (!room || !facts) return;
  const { objectives, constraints } = form;
  const next = JSON.stringify([
    usableSliders(),
    names(),
    form.out,
    form.scheduler,
    objectives,
    constraints.map(({ metric: key }) => key),
  ]);
  if (next === made && room.childElementCount) return;
  made = next;
  const held = room.contains(document.activeElement) ? document.activeElement : null;
  let same = held && `[name="${held.name}"]`;
  if (held && held.dataset.place) same += `[data-place="${held.dataset.place}"]`;
  if (held && held.type === "checkbox") same += `[value="${CSS.escape(held.value)}"]`;
  room.replaceChildren(varied(), best(), within(), effort());
  const again = held && held.name && room.querySelector(same);
  if (again) again.focus();
}

/* Form and price follow the sliders once these rest, while somebody looks. */
const follow = gantry.rested(function () {
  if (!at("best") || !at("best").open) return;
  look();
  build();
  const next = wish();
  at("best-run").disabled = !next;
  if (!gantry.same(next, wished)) gantry.put("best-wish", { data: (wished = next) });
  stale();
}, REST_MS);

/* What can be turned is looked up once somebody wants to know. */
function look() {
  const { result } = gantry.state;
  if (whatif.base() || !result || result.key === looked) return;
  looked = result.key;
  gantry.put("whatif-wanted", { data: looked });
}

function stale() {
  const base = whatif.base();
  at("best-stale").textContent =
    asked && base && asked.key !== base.key ? gantry.msg("whatif_search.from_other_run") : "";
}

/* What was asked, for this tab. */
function keep(value) {
  asked = value;
  try {
    if (value) window.sessionStorage.setItem(KEPT, JSON.stringify(value));
    else window.sessionStorage.removeItem(KEPT);
  } catch {
    return; // a browser that keeps nothing
  }
}
function restore() {
  if (restored || !facts || !gantry.state.result || !at("best")) return;
  restored = true;
  try {
    asked = JSON.parse(window.sessionStorage.getItem(KEPT));
  } catch {
    asked = null;
  }
  if (!asked) return;
  at("best").open = true;
  gantry.put("best-ask", { data: { ...asked, at: Date.now() } });
}

const take = {
  vary: ({ value, checked }) =>
    (form.out = checked ? form.out.filter((path) => path !== value) : [...form.out, value]),
  scheduler: ({ value }) => (form.scheduler = value),
  first: ({ value }) => (form.objectives = [value, form.objectives[1] === value ? "" : form.objectives[1]]),
  other: ({ value }) => (form.objectives = [form.objectives[0], value]),
  of({ value, dataset }) {
    const rows = form.constraints.slice();
    rows[dataset.place] = {
      way: value && metric(value).better === "larger" ? "least" : "most",
      text: "",
      metric: value,
    };
    form.constraints = rows.filter((one) => one.metric);
  },
  way: ({ value, dataset }) => (form.constraints[dataset.place].way = value),
  text: ({ value, dataset }) => (form.constraints[dataset.place].text = value),
  trials: ({ value }) => (form.trials = Number(value)),
  seeds: ({ value }) => (form.seeds = Number(value)),
  jitter: ({ value }) => (form.jitter = Number(value)),
};
document.addEventListener("input", function ({ target }) {
  if (!target.form || target.form.id !== "best-form" || !(target.name in take)) return;
  take[target.name](target);
  follow();
});
document.addEventListener("submit", function (event) {
  if (event.target.id !== "best-form") return;
  event.preventDefault();
  const next = wish();
  if (!next) return;
  keep(next);
  gantry.put("best-ask", { data: { ...next, at: Date.now() } });
  // what comes is seen in a low drawer too
  requestAnimationFrame(() => at("best-bar").scrollIntoView({ block: "start" }));
});
document.addEventListener("click", function ({ target }) {
  const trial = target.dataset && target.dataset.bestTrial;
  if (trial && asked) gantry.put("best-open", { data: { asked, trial: Number(trial), at: Date.now() } });
  if (target.id !== "best-close") return;
  keep(null);
  gantry.put("best-ask", { data: null });
  at("best-run").focus();
});
document.addEventListener("toggle", ({ target }) => target.id === "best" && follow(), true);
gantry.on(["sliders", "drawer"], follow);
gantry.on(["result"], () => (restore(), follow()));
gantry.callbacks({
  bestFacts(next) {
    [facts, made, wished, restored, looked] = [next, "", null, false, null];
    restore();
    follow();
    return "false";
  },
  /* One that was ended is not begun again by a reload: what it had found is shown. */
  bestFound(found) {
    if (found) gantry.put("best-curve-mount", { value: "mounted" });
    if (found && asked) keep({ ...asked, ended: found.ended });
    if (at("best-stale")) stale();
  },
  /* The setting is the draft, as one step that Undo takes back, and runs; the present one is pinned beside
     it. */
  bestOpened(next) {
    if (!next) return;
    gantry.change({ pinned: next.pinned, pane: "result" });
    gantry.commit({ ...gantry.state.draft, ...next.draft }, gantry.msg("whatif_search.open"));
    gantry.run.ask(next.draft, "run");
  },
});
