/* What Dash calls, and what the column shows around its tables: fields, summaries, messages, undo. */
(function (compose) {
  "use strict";

  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const at = (id) => document.getElementById(id);
  const none = () => window.dash_clientside.no_update;
  const LIMITED = "cluster.containers_per_heartbeat";
  const SAID_MS = 8000;
  let silence = null;
  let pristine = false;
  let starting = null;
  let begun = null;
  const ready = new Promise((resolve) => { begun = resolve; });

  /* The page is shown: this tab's draft, the last one of any tab, or the first preset comes into its tables. */
  function start(facts) {
    if (facts && !starting) starting = begin(facts).finally(() => { starting = null; });
    return starting;
  }

  async function begin(facts) {
    compose.facts = facts;
    await compose.grid.attach();
    const kept = compose.state ? null : await compose.keep.read();
    if (kept) compose.draft.recall(compose.keep.steps());
    pristine = !kept && !compose.state;
    compose.draft.become(compose.state || compose.draft.stateOf(kept || facts.presets[0]), "load");
    begun();
  }

  /* A whole draft from elsewhere on the page: a link, a recent run. The first one of a first visit is no step to undo. */
  async function load(draft) {
    if (!draft || !draft.scenario) return;
    await ready;
    const next = compose.draft.stateOf(draft);
    if (pristine) compose.draft.become(next, "load");
    else compose.draft.commit(next, `open ${draft.scenario.name || "another scenario"}`, "load");
    pristine = false;
  }

  /* Schedulers are chosen elsewhere on the page, and written into the same draft. */
  function mirror(draft) {
    if (!draft || !compose.state || JSON.stringify(draft.schedulers) === JSON.stringify(compose.state.schedulers)) return;
    compose.state = { ...compose.state, schedulers: draft.schedulers };
    const { ids: _, ...kept } = compose.state;
    compose.keep.write(kept, compose.draft.steps());
  }

  function typed(text, id) {
    if (!compose.state || text === null || text === undefined) return;
    const field = compose.facts.fields.find((one) => one.id === id);
    const now = compose.draft.get(compose.state.scenario, field.path);
    if (text === "" && now === null) return;
    const value = compose.values.parse(text, field);
    if (value === now) return;
    pristine = false;
    compose.draft.commit(compose.draft.withField(compose.state, field.path, value), `edit ${field.title.toLowerCase()}`, "form", field.path);
  }

  function unlimited(checked) {
    if (!compose.state || checked === undefined || checked === (compose.draft.get(compose.state.scenario, LIMITED) === null)) return;
    compose.draft.commit(compose.draft.withField(compose.state, LIMITED, checked ? null : undefined), checked ? "no limit of containers" : "limit containers", "form");
    fields();
  }

  /* The buttons: compose-undo, compose-jobs-add … */
  function act() {
    const [, first, action] = String(window.dash_clientside.callback_context.triggered_id).split("-");
    if (!compose.state) return;
    compose.finish();
    if (first === "undo" || first === "redo") step(first);
    else if (first === "open") compose.files.choose();
    else if (first === "save") compose.files.save();
    else if (action === "widen") widen(first);
    else compose.grid[action](first);
  }

  function preset() {
    const chosen = window.dash_clientside.callback_context.triggered_id;
    const draft = chosen && compose.facts.presets.find((one) => one.key === chosen.key);
    if (!draft || !compose.state) return;
    compose.draft.commit(compose.draft.stateOf({ ...draft, schedulers: compose.state.schedulers }), `open ${draft.title}`, "load");
    say("");
  }

  function step(which) {
    const label = compose.draft[which]();
    if (label) say(which === "undo" ? `Undone: ${label}.` : `Done again: ${label}.`);
  }

  /* What has changed is shown. Tables and fields are filled anew only when the change did not come from them. */
  function shown(origin) {
    if (origin === "load" || origin === "undo") {
      Object.keys(compose.facts.tables).forEach(compose.grid.fill);
      fields();
    }
    if (origin !== "load") pristine = false;
    marks();
    summaries();
    steps();
    assumptions();
  }

  function fields() {
    for (const field of compose.facts.fields) {
      const value = compose.values.show(compose.draft.get(compose.state.scenario, field.path));
      set(field.id, { value: value === null ? "" : String(value) });
    }
    limit();
  }

  function limit() {
    const none = compose.draft.get(compose.state.scenario, LIMITED) === null;
    const field = compose.facts.fields.find((one) => one.path === LIMITED);
    set("compose-unlimited", { checked: none });
    set(field.id, { disabled: none, placeholder: none ? "no limit" : field.empty });
  }

  function marks() {
    for (const { id, path } of compose.facts.fields) {
      const mark = at(`${id}-ours`);
      if (mark) mark.hidden = !compose.isOurs(path);
    }
    for (const table of compose.grid.live()) compose.grid.apis[table].refreshCells({ force: true });
  }

  /* What each section holds, to be read while it is closed. */
  function summaries() {
    const { scenario } = compose.state;
    const whole = (value, fallback) => (Number.isInteger(value) && value >= 0 ? value : fallback);
    const said = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
    const nodes = compose.draft.list(scenario, "nodes");
    const sum = (key) => nodes.reduce((total, node) => total + whole(node.count, 0) * whole(node[key], 0), 0);
    const jobs = compose.draft.list(scenario, "jobs");
    const tasks = (job) => whole(job.iterations, 1) * (whole(job.maps?.count, 0) + whole(job.reduces?.count, 0)) + (job.am ? 1 : 0);
    const containers = jobs.reduce((total, job) => total + whole(job.count, 1) * tasks(job), 0);
    const queues = compose.draft.list(scenario, "queues").length;
    const beat = scenario.cluster?.heartbeat_ms ?? 1000;
    const gb = (sum("memory_mb") / 1024).toLocaleString("en", { maximumFractionDigits: 1 });
    const text = {
      nodes: `${said(nodes.reduce((total, node) => total + whole(node.count, 0), 0), "node")}, ${gb} GB, ${said(sum("vcores"), "vcore")}`,
      queues: queues ? said(queues, "queue") : "root.default only",
      jobs: `${said(jobs.reduce((total, job) => total + whole(job.count, 1), 0), "job")}, ${said(containers, "container")}`,
      settings: `a beat every ${beat.toLocaleString("en")} ms, seed ${scenario.seed ?? 0}`,
    };
    for (const [key, words] of Object.entries(text)) at(`compose-${key}-summary`).textContent = words;
    at("compose-about").textContent = typeof scenario.x_about === "string" ? scenario.x_about : "";
  }

  function steps() {
    const { past, future } = compose.draft.steps();
    for (const [key, name, list] of [["undo", "Undo", past], ["redo", "Redo", future]]) {
      const last = list[list.length - 1];
      const keys = key === "undo" ? "Ctrl+Z" : "Ctrl+Shift+Z";
      set(`compose-${key}`, { disabled: !last, children: list.length ? `${name} ${list.length}` : name });
      set(`compose-${key}-tip`, { label: last ? `${name}: ${last.label} (${keys})` : `Nothing to ${key}` });
    }
  }

  function assumptions() {
    const { assumed } = compose.state;
    at("compose-assumed-room").hidden = assumed.length === 0;
    at("compose-assumed-summary").textContent = `${assumed.length === 1 ? "1 thing" : `${assumed.length} things`} assumed that the file does not say`;
    at("compose-assumed").replaceChildren(...assumed.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
  }

  function widen(table) {
    const room = compose.grid.room(table);
    const wide = !room.classList.contains("compose-wide");
    narrow();
    room.classList.toggle("compose-wide", wide);
    set(`compose-${table}-widen`, { children: wide ? "Narrow" : "Widen" });
  }

  function narrow() {
    const wide = document.querySelector(".compose-wide");
    if (!wide) return false;
    wide.classList.remove("compose-wide");
    set(wide.id.replace("-room", "-widen"), { children: "Widen" });
    return true;
  }

  /* What happened, for some seconds; what went wrong, until it is closed or something else happens. */
  function say(sentence, wrong = false) {
    const line = at("compose-message");
    if (!line) return;
    clearTimeout(silence);
    line.classList.toggle("compose-wrong", wrong);
    line.setAttribute("role", wrong ? "alert" : "status");
    if (!sentence) return line.replaceChildren();
    const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close", onclick: () => say("") });
    line.replaceChildren(Object.assign(document.createElement("span"), { textContent: sentence }), close);
    if (!wrong) silence = setTimeout(() => say(""), SAID_MS);
  }

  function dropField(fault) {
    const place = compose.faults.locate(fault.path);
    const { state } = compose;
    const row = place.table && place.row !== undefined;
    const path = row ? fault.path.replace(/^[\w.]+\[\d+\]\./, "") : fault.path;
    const next = row
      ? compose.draft.withCells(state, place.table, [{ row: place.row, path, value: undefined }])
      : compose.draft.withField(state, path, undefined);
    compose.draft.commit(next, `remove ${path}`, "grid");
  }

  Object.assign(compose, { shown, say, step, narrow, dropField });
  const quiet = (work) => (...given) => {
    work(...given);
    return none();
  };
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.compose = Object.fromEntries(
    Object.entries({ load, mirror, typed, unlimited, act, preset, showFaults: (faults) => compose.facts && compose.faults.show(faults) }).map(([name, work]) => [name, quiet(work)]),
  );
  window.dash_clientside.compose.start = async (facts) => {
    await start(facts);
    return "false";
  };
})((window.gantryCompose = window.gantryCompose || {}));
