/* What if, studies: many runs of the curve of the slider touched last, or of it and a second one. What is
   chosen is a wish, whose price the server says; `gantry.state.study` is the study that is shown, as it
   was asked for, null while there is none. */
const { at, whatif } = gantry;
const [REST_MS, DRAW_MS, BACK_MS] = [120, 900, 2000];
const AWAY = gantry.msg("whatif_study.away");
let [turn, work] = [0, null]; // the newest study that was asked for; what is under way
// as webapp/services/studies.py has them
const [SEEDS, VALUES, JITTERS] = [
  [1, 10, 30, 100],
  [5, 10, 20, 50, 100],
  [0, 0.1, 0.2, 0.5],
];
const [NO_SECOND, CHANGED] = [gantry.msg("whatif_study.no_second"), gantry.msg("whatif_study.moved")];
const form = { seeds: 10, by: "", values: 20, jitter: 0, metric: "makespan_s" };
let [x, wished, offered, pointed, pending] = [null, null, "", null, null];

const numeric = () => whatif.sliders().filter((one) => whatif.of(one) && !whatif.of(one).choices.length);
const second = () => numeric().find(({ path }) => path === form.by);
const seconds = () => [
  { value: "", label: NO_SECOND },
  ...numeric()
    .filter(({ path }) => path !== x || path === form.by)
    .map((one) => ({ value: one.path, label: whatif.of(one).label })),
];
const axis = (one) => ({
  path: one.path,
  first: one.first,
  last: one.last,
  step: one.step,
  present: whatif.of(one).value,
});

/* x is the slider touched last; while that is the second of the two, it stays the other. */
function first() {
  const active = whatif.active();
  if (active && active.path !== form.by) x = active.path;
  return numeric().find(({ path }) => path === x) || active;
}

function wish() {
  const [slider, base, other] = [first(), whatif.base(), second()];
  if (!slider || !base || whatif.of(slider).choices.length) return null;
  const y = other && other.path !== slider.path ? axis(other) : null;
  const held = whatif.changes().filter(({ path }) => path !== slider.path && !(y && path === y.path));
  const { seeds, jitter, values } = form;
  return { key: base.key, x: axis(slider), y, held, seeds, jitter, values };
}

const run = function () {
  const study = wish();
  if (!study) return;
  gantry.change({ study });
  ask(study);
  // what comes is seen in a low drawer too
  requestAnimationFrame(() => at("study-bar").scrollIntoView({ block: "start" }));
};
const close = function () {
  cancel();
  turn += 1;
  gantry.change({ study: null });
  says("");
};

const says = (words) => at("study-says").textContent !== words && (at("study-says").textContent = words);
const progress = function (now) {
  work = now ? now.work : null;
  at("study-under-way").hidden = !now;
  if (now) at("study-progress").value = now.percent;
};
const cancel = () => work && post("cancel", { work }).catch(() => {});
const post = async function (act, body) {
  const answer = await gantry.post(`${at("study-form").dataset.at}${act}`, body);
  if (!answer.ok) throw new TypeError(answer.statusText);
  return answer.json();
};
/* Of work that goes on whether this page hears of it or not: asked until the server is back. */
const postOn = async function (act, body, ticket) {
  for (;;) {
    try {
      return await post(act, body);
    } catch {
      if (ticket !== turn) return {};
      says(AWAY);
      await gantry.wait(BACK_MS);
    }
  }
};

/* A study to its end; what there is so far is drawn about once a second. The server drops what is no
   longer followed. */
async function ask(study) {
  cancel();
  const ticket = ++turn;
  let [drawn, done] = [0, 0];
  progress(null);
  let answer = await postOn("begin", study, ticket);
  const draw = () => gantry.put("study-found", { data: { asked: study, at: Date.now() } });
  while (ticket === turn && answer.work) {
    says(answer.says);
    progress(answer);
    if (answer.done > done && performance.now() - drawn > DRAW_MS) {
      [drawn, done] = [performance.now(), answer.done];
      draw();
    }
    await gantry.wait(answer.wait || 0);
    if (ticket === turn) answer = await postOn("follow", { work: answer.work }, ticket);
  }
  if (ticket !== turn) return;
  progress(null);
  says(answer.says || "");
  if (answer.done !== undefined) draw();
}

/* The form, its price and the point that is looked at follow the sliders once these rest. */
const follow = gantry.rested(function () {
  if (!at("study-price")) return;
  const next = wish(); // which says what is x by now
  const data = seconds();
  if (JSON.stringify(data) !== offered) gantry.put("study-by", { data });
  offered = JSON.stringify(data);
  if (form.by && !second()) gantry.put("study-by", { value: "" });
  if (!gantry.same(next, wished)) gantry.put("study-wish", { data: (wished = next) });
  const { study } = gantry.state;
  if (!study) return;
  at("study-stale").textContent = next && !gantry.same({ ...next, ...pick(study) }, study) ? CHANGED : "";
  const point = axes(study).map(({ path, present }) => (whatif.find(path) || { value: present }).value);
  if (!gantry.same(point, pointed)) gantry.put("study-point", { data: (pointed = point) });
  whatif.study.marked();
}, REST_MS);
const pick = ({ seeds, jitter, values }) => ({ seeds, jitter, values });
const axes = ({ x: one, y: other }) => [one, other].filter(Boolean);

function show() {
  const { study } = gantry.state;
  if (!at("study")) return;
  at("study").hidden = !study;
  at("whatif-curve").classList.toggle("whatif-studied", Boolean(study));
  at("study-curve-room").hidden = Boolean(study && study.y);
  at("study-map-room").hidden = !study || !study.y;
  for (const link of document.querySelectorAll("[data-study-file]")) link.removeAttribute("href");
  if (study) {
    gantry.put("study-room", { data: at("study").clientWidth });
    for (const key of ["curve", "map", "spread"]) gantry.put(`study-${key}-mount`, { value: "mounted" });
  } else at("study-stale").textContent = "";
  pointed = null;
}

/* Another run to start from: a study of the one before goes; one that an address or a file has is begun. */
function based() {
  wished = null;
  const { study } = gantry.state;
  const base = whatif.base();
  if (pending && base) begin(pending);
  else if (study && (!base || study.key !== base.key)) close();
  follow();
}

function begin({ seeds, jitter, values, metric, axes: count, sliders }) {
  pending = null;
  const known = sliders
    .filter(whatif.of)
    .map((one) => ({ ...one, value: one.value ?? whatif.of(one).value }));
  if (known.length < sliders.length) {
    const { path } = sliders.find((one) => !whatif.of(one));
    at("study-says").textContent = gantry.msg("whatif_study.not_in_scenario", { path });
    return;
  }
  x = sliders[0].path;
  Object.assign(form, { seeds, jitter, values, metric, by: count === 2 ? sliders[1].path : "" });
  gantry.change({ sliders: known, slider: x });
  offer("study-seeds", SEEDS, seeds, String);
  offer("study-values", VALUES, values, (one) => gantry.msg("whatif_study.at_most", { count: one }));
  offer("study-jitter", JITTERS, jitter, gantry.percent);
  offered = JSON.stringify(seconds());
  gantry.put("study-by", { data: seconds(), value: form.by });
  gantry.put("whatif-metric", { value: metric });
  run();
}

/* A choice, with one more where a link or a file has another than those that are offered. */
function offer(id, usual, value, words) {
  const all = usual.includes(value) ? usual : [...usual, value].sort((one, other) => one - other);
  gantry.put(id, {
    data: all.map((one) => ({ value: String(one), label: words(one) })),
    value: String(value),
  });
}

/* What an address says of the study: see study_url.py. */
function written() {
  const { study } = gantry.state;
  if (!study) return "";
  const paths = axes(study).map(({ path }) => path);
  const own = axes(study).map(({ path, first: low, last, step, present }) => [
    path,
    (whatif.find(path) || { value: present }).value ?? "",
    low,
    last,
    step,
  ]);
  const held = study.held.map(({ path, value }) => [path, value, ...range(path, value)]);
  const others = whatif
    .sliders()
    .filter(({ path }) => !paths.includes(path) && !study.held.some((one) => one.path === path))
    .map((one) => [one.path, one.value ?? "", one.first, one.last, one.step]);
  return [[study.seeds, study.jitter, study.values, form.metric, paths.length], ...own, ...held, ...others]
    .map((words) => words.join(","))
    .join(";");
}
const range = function (path, value) {
  const { first: low, last, step } = whatif.find(path) || { first: value, last: value, step: 1 };
  return typeof low === "number" ? [low, last, step] : [0, 1, 1];
};

gantry.on(["sliders", "slider", "study"], follow);
gantry.on(["study"], show);
gantry.on(
  ["drawer"],
  ({ study }) =>
    study &&
    at("study") &&
    requestAnimationFrame(() => gantry.put("study-room", { data: at("study").clientWidth })),
);
document.addEventListener("click", ({ target }) => {
  if (target.closest("#study-run")) run();
  else if (target.closest("#study-close")) close();
  else if (target.closest("#study-cancel")) (cancel(), says(gantry.msg("shared.cancelling")));
});

/* What an address has is begun once its run is there; its sliders stand at once. What a file has comes
   with a draft that is run first. */
whatif.opening = function (found) {
  pending = found;
  return found ? { sliders: found.sliders, slider: found.sliders[0].path } : {};
};
const open = async function (found) {
  gantry.workbench.openTab("whatif");
  gantry.change({ pane: "result" });
  if (!(await gantry.run.ask(gantry.state.draft, "run"))) return;
  pending = found;
  const base = whatif.base();
  // the same was shown already, and nobody hears of it again
  if (base && base.key === gantry.state.result.key) begin(pending);
  else whatif.look();
};
Object.assign(whatif.study, { based, written, open });
gantry.callbacks({
  studyChosen(seeds, by, values, jitter, metric) {
    Object.assign(form, {
      seeds: Number(seeds),
      by: by || "",
      values: Number(values),
      jitter: Number(jitter),
      metric,
    });
    follow();
    gantry.mirrored();
  },
});
