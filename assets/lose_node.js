/* What if a node is lost at Play's cursor: the run shown with that outage is run as what sliders change
   is; Apply puts it into the draft, and Back shows again what it was before. */
const { h, at: byId, asked, whatif, editor } = gantry;
const OUTAGES = "cluster.outages";
const FORGOTTEN = { key: null, settled: null, shown: null, lost: [], says: "", charts: [], more: {} };
let before = FORGOTTEN; // what was shown before nodes were lost, of that with them, and those outages
let named = null; // the result whose nodes the field offers
const room = () => byId("lose-node");
const isOpen = ({ drawer }) => Boolean(room() && drawer && drawer.open && drawer.tab === "nodes");
const cursor = () => Math.round(gantry.state.at ?? gantry.state.result.whole.x0);
const say = (words) => (byId("lose-node-says").textContent = words);
const isShown = () => Boolean(before.shown) && gantry.same(before.shown, asked(gantry.state.request));

const build = function () {
  const field = h("input", {
    id: "lose-node-name",
    list: "lose-node-names",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 200,
    placeholder: gantry.msg("lose_node.click"),
    onfocus: (event) => event.target.select(),
  });
  const line = [
    h("label", { for: "lose-node-name" }, gantry.msg("lose_node.node")),
    field,
    h("datalist", { id: "lose-node-names" }),
    h("span", { id: "lose-node-at" }),
  ];
  const other = (name, words, onclick, title) =>
    h("button", { id: `lose-node-${name}`, type: "button", hidden: true, onclick, title }, words);
  const ways = [
    h(
      "button",
      { id: "lose-node-run", title: gantry.msg("lose_node.run_title") },
      gantry.msg("lose_node.run"),
    ),
  ];
  ways.push(
    other("apply", gantry.msg("lose_node.apply"), apply, gantry.msg("lose_node.apply_title")),
    other("back", gantry.msg("lose_node.back"), back, gantry.msg("lose_node.back_title")),
  );
  room().append(
    h("form", { class: "lose-node-line", onsubmit: submit }, ...line, ...ways),
    h("p", { id: "lose-node-says", class: "help", role: "status" }),
  );
};

const tell = function () {
  const { result, request } = gantry.state;
  if (!isOpen(gantry.state)) return;
  if (!byId("lose-node-name")) build();
  byId("lose-node-run").disabled = !result;
  byId("lose-node-at").textContent = result
    ? gantry.msg("lose_node.at", { time: gantry.clock(cursor()), seconds: cursor() / 1000 })
    : "";
  if (!result) return say(gantry.msg("lose_node.run_first"));
  if (named !== result.key) offer(result.key);
  if (before.shown && request && !isShown()) before = FORGOTTEN;
  byId("lose-node-back").hidden = !isShown();
  byId("lose-node-apply").hidden = !isShown() || !before.lost.length;
  return isShown() ? undefined : say("");
};

const offer = async function (key) {
  named = key;
  const answer = await gantry.charts.post("names", gantry.charts.viewRequest());
  if (answer && named === key)
    byId("lose-node-names").replaceChildren(...answer.names.map((name) => h("option", { value: name })));
};

/* Beside it stands what was measured, if that was among what is shown and nothing else is pinned. */
const submit = async function (event) {
  event.preventDefault();
  const { request, pinned } = gantry.state;
  const { measured, ...scenario } = request.scenario;
  const answer = await gantry.charts.post("lost", {
    key: gantry.state.result.key,
    of: { ...asked(request), scenario },
    node: byId("lose-node-name").value.trim(),
    at: cursor(),
  });
  if (!answer || answer.because) return say(answer ? answer.because : "");
  if (request !== gantry.state.request) return undefined; // another run was asked for meanwhile
  const { result } = gantry.state;
  const now = whatif.settled() || { base: asked(request), next: asked(request), says: "" };
  const first = isShown()
    ? before
    : {
        key: result.key,
        settled: now,
        charts: result.charts,
        more: { optimum: request.optimum, beside: request.beside },
      };
  const says = [now.says, answer.says].filter(Boolean).join("; ");
  before = {
    ...first,
    says,
    shown: asked(answer),
    lost: [...(isShown() ? before.lost : []), answer.scenario.cluster.outages.at(-1)],
  };
  const wasBeside =
    measured && request.schedulers.includes(gantry.measured.NAME)
      ? whatif.recorded({ asked: request })
      : request.beside;
  const beside = wasBeside && !pinned ? { beside: wasBeside } : {};
  const done = await whatif.show(
    { base: now.base, next: asked(answer), says },
    { base: first.key, ...beside },
  );
  if (isShown() && !done) say(byId("run-status").textContent);
  else if (isShown()) {
    const makespan = compared(first.charts, gantry.state.result.charts);
    say(gantry.msg("lose_node.shown", { change: says, makespan }));
  }
  return tell();
};

/* The makespan under each scheduler beside what it was. */
const compared = function (old, now) {
  const times = (charts) =>
    new Map(
      charts
        .filter((one) => !one.pinned)
        .map((one) => [one.name, one.deadlock ? gantry.msg("lose_node.deadlock") : one.makespan]),
    );
  const was = times(old);
  const told = ([name, time]) =>
    time === was.get(name)
      ? gantry.msg("lose_node.as_before", { name, time })
      : gantry.msg("lose_node.instead", { name, time, before: was.get(name) });
  const words = [...times(now)].filter(([name]) => was.has(name)).map(told);
  return gantry.msg("lose_node.makespan", { times: words.join(", ") });
};

/* Into the draft, as one step that Undo takes back: all that is shown; of a draft with other edits the
   outages alone, which is not run. */
const apply = function () {
  const { draft, request, pinned } = gantry.state;
  const { settled, lost, says } = before;
  const isAll = gantry.same(asked(draft), settled.base);
  gantry.commit(
    isAll ? { ...draft, ...asked(request) } : withOutages(draft, lost),
    gantry.msg("shared.apply", { change: says }),
  );
  byId("lose-node-name").focus();
  before = isAll ? FORGOTTEN : { ...before, lost: [] };
  if (!isAll) return tell();
  if (settled.base.schedulers.includes(gantry.measured.NAME) && !pinned)
    gantry.run.pinThis(whatif.recorded({ asked: settled.base }));
  whatif.stop(); // sliders start from what is applied
  return gantry.run.ask(request, "run");
};

const withOutages = function (draft, lost) {
  const known = editor.get(draft.scenario, OUTAGES);
  return editor.withField(draft, OUTAGES, [...(Array.isArray(known) ? known : []), ...lost]);
};

const back = function () {
  const { settled, more } = before;
  before = FORGOTTEN;
  byId("lose-node-name").focus();
  return whatif.show(settled, more);
};

gantry.on(["at", "result", "request", "drawer"], tell);
document.addEventListener("click", ({ target }) => {
  const box = target.closest && target.closest("#play-nodes [data-node]");
  if (box && byId("lose-node-name")) byId("lose-node-name").value = box.dataset.node;
});
