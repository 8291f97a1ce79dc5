/* What Dash calls, and what the column shows around its tables: fields, summaries, messages, undo. */
(function (editor) {
  "use strict";

  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const at = (id) => document.getElementById(id);
  const none = () => window.dash_clientside.no_update;
  const LIMITED = "cluster.containers_per_heartbeat";
  const MESSAGE_MS = 8000;
  let messageTimer = null;
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
    editor.facts = facts;
    await editor.grid.attach();
    const kept = editor.state ? null : await editor.keep.read();
    if (kept) editor.draft.recall(editor.keep.steps());
    pristine = !kept && !editor.state;
    editor.draft.become(editor.state || editor.draft.stateOf(kept || facts.presets[0]), "load");
    begun();
  }

  /* A whole draft from elsewhere on the page: a link, a recent run. The first one of a first visit is no step to undo. */
  async function load(draft) {
    if (!draft || !draft.scenario) return;
    await ready;
    const next = editor.draft.stateOf(draft);
    if (pristine) editor.draft.become(next, "load");
    else editor.draft.commit(next, `open ${draft.scenario.name || "another scenario"}`, "load");
    pristine = false;
  }

  /* Schedulers are chosen elsewhere on the page, and written into the same draft. */
  function mirror(draft) {
    if (!draft || !editor.state || JSON.stringify(draft.schedulers) === JSON.stringify(editor.state.schedulers)) return;
    editor.state = { ...editor.state, schedulers: draft.schedulers };
    const { ids: _, ...kept } = editor.state;
    editor.keep.write(kept, editor.draft.steps());
  }

  function typed(text, id) {
    if (!editor.state || text === null || text === undefined) return;
    const field = editor.facts.fields.find((one) => one.id === id);
    const now = editor.draft.get(editor.state.scenario, field.path);
    if (text === "" && now === null) return;
    const value = editor.values.parse(text, field);
    if (value === now) return;
    pristine = false;
    editor.draft.commit(editor.draft.withField(editor.state, field.path, value), `edit ${field.title.toLowerCase()}`, "form", field.path);
  }

  function unlimited(checked) {
    if (!editor.state || checked === undefined || checked === (editor.draft.get(editor.state.scenario, LIMITED) === null)) return;
    editor.draft.commit(editor.draft.withField(editor.state, LIMITED, checked ? null : undefined), checked ? "no limit of containers" : "limit containers", "form");
    fields();
  }

  /* The buttons: editor-undo, editor-jobs-add … */
  function act() {
    const [, first, action] = String(window.dash_clientside.callback_context.triggered_id).split("-");
    if (!editor.state) return;
    editor.finish();
    if (first === "undo" || first === "redo") step(first);
    else if (first === "open") editor.files.choose();
    else if (first === "save") editor.files.save();
    else if (action === "widen") widen(first);
    else editor.grid[action](first);
  }

  function preset() {
    const chosen = window.dash_clientside.callback_context.triggered_id;
    const draft = chosen && editor.facts.presets.find((one) => one.key === chosen.key);
    if (!draft || !editor.state) return;
    editor.draft.commit(editor.draft.stateOf({ ...draft, schedulers: editor.state.schedulers }), `open ${draft.title}`, "load");
    say("");
  }

  function step(which) {
    const label = editor.draft[which]();
    if (label) say(which === "undo" ? `Undone: ${label}.` : `Redone: ${label}.`);
  }

  /* What has changed is shown. Tables and fields are filled anew only when the change did not come from them. */
  function shown(origin) {
    if (origin === "load" || origin === "undo") {
      Object.keys(editor.facts.tables).forEach(editor.grid.fill);
      fields();
    }
    if (origin !== "load") pristine = false;
    marks();
    summaries();
    steps();
    assumptions();
  }

  function fields() {
    for (const field of editor.facts.fields) {
      const value = editor.values.show(editor.draft.get(editor.state.scenario, field.path));
      set(field.id, { value: value === null ? "" : String(value) });
    }
    limit();
  }

  function limit() {
    const none = editor.draft.get(editor.state.scenario, LIMITED) === null;
    const field = editor.facts.fields.find((one) => one.path === LIMITED);
    set("editor-unlimited", { checked: none });
    set(field.id, { disabled: none, placeholder: none ? "no limit" : field.empty });
  }

  function marks() {
    for (const { id, path } of editor.facts.fields) {
      const mark = at(`${id}-ours`);
      if (mark) mark.hidden = !editor.isOurs(path);
    }
    for (const table of editor.grid.live()) editor.grid.apis[table].refreshCells({ force: true });
  }

  /* What each section holds, to be read while it is closed. */
  function summaries() {
    const { scenario } = editor.state;
    const whole = (value, fallback) => (Number.isInteger(value) && value >= 0 ? value : fallback);
    const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
    const nodes = editor.draft.list(scenario, "nodes");
    const sum = (key) => nodes.reduce((total, node) => total + whole(node.count, 0) * whole(node[key], 0), 0);
    const jobs = editor.draft.list(scenario, "jobs");
    const tasks = (job) => whole(job.iterations, 1) * (whole(job.maps?.count, 0) + whole(job.reduces?.count, 0)) + (job.am ? 1 : 0);
    const containers = jobs.reduce((total, job) => total + whole(job.count, 1) * tasks(job), 0);
    const queues = editor.draft.list(scenario, "queues").length;
    const beat = scenario.cluster?.heartbeat_ms ?? 1000;
    const gb = (sum("memory_mb") / 1024).toLocaleString("en", { maximumFractionDigits: 1 });
    const text = {
      nodes: `${counted(nodes.reduce((total, node) => total + whole(node.count, 0), 0), "node")}, ${gb} GB, ${counted(sum("vcores"), "vcore")}`,
      queues: queues ? counted(queues, "queue") : "root.default only",
      jobs: `${counted(jobs.reduce((total, job) => total + whole(job.count, 1), 0), "job")}, ${counted(containers, "container")}`,
      settings: `heartbeat every ${beat.toLocaleString("en")} ms, seed ${scenario.seed ?? 0}`,
    };
    for (const [key, words] of Object.entries(text)) at(`editor-${key}-summary`).textContent = words;
    at("editor-about").textContent = typeof scenario.x_about === "string" ? scenario.x_about : "";
  }

  function steps() {
    const { past, future } = editor.draft.steps();
    for (const [key, name, list] of [["undo", "Undo", past], ["redo", "Redo", future]]) {
      const last = list[list.length - 1];
      const keys = key === "undo" ? "Ctrl+Z" : "Ctrl+Shift+Z";
      set(`editor-${key}`, { disabled: !last, children: list.length ? `${name} ${list.length}` : name });
      set(`editor-${key}-tip`, { label: last ? `${name}: ${last.label} (${keys})` : `Nothing to ${key}` });
    }
  }

  function assumptions() {
    const { assumed } = editor.state;
    at("editor-assumed-room").hidden = assumed.length === 0;
    at("editor-assumed-summary").textContent = `${assumed.length === 1 ? "1 assumption" : `${assumed.length} assumptions`}: what the file does not say`;
    at("editor-assumed").replaceChildren(...assumed.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
  }

  function widen(table) {
    const room = editor.grid.room(table);
    const wide = !room.classList.contains("editor-wide");
    narrow();
    room.classList.toggle("editor-wide", wide);
    set(`editor-${table}-widen`, { children: wide ? "Narrow" : "Widen" });
  }

  function narrow() {
    const wide = document.querySelector(".editor-wide");
    if (!wide) return false;
    wide.classList.remove("editor-wide");
    set(wide.id.replace("-room", "-widen"), { children: "Widen" });
    return true;
  }

  /* What happened, for some seconds; what went wrong, until it is closed or something else happens. */
  function say(sentence, wrong = false) {
    const line = at("editor-message");
    if (!line) return;
    clearTimeout(messageTimer);
    line.classList.toggle("editor-wrong", wrong);
    line.setAttribute("role", wrong ? "alert" : "status");
    if (!sentence) return line.replaceChildren();
    const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close", onclick: () => say("") });
    line.replaceChildren(Object.assign(document.createElement("span"), { textContent: sentence }), close);
    if (!wrong) messageTimer = setTimeout(() => say(""), MESSAGE_MS);
  }

  function dropField(fault) {
    const place = editor.faults.locate(fault.path);
    const { state } = editor;
    const row = place.table && place.row !== undefined;
    const path = row ? fault.path.replace(/^[\w.]+\[\d+\]\./, "") : fault.path;
    const next = row
      ? editor.draft.withCells(state, place.table, [{ row: place.row, path, value: undefined }])
      : editor.draft.withField(state, path, undefined);
    editor.draft.commit(next, `remove ${path}`, "grid");
  }

  Object.assign(editor, { shown, say, step, narrow, dropField });
  const quiet = (work) => (...given) => {
    work(...given);
    return none();
  };
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.editor = Object.fromEntries(
    Object.entries({ load, mirror, typed, unlimited, act, preset, showFaults: (faults) => editor.facts && editor.faults.show(faults) }).map(([name, work]) => [name, quiet(work)]),
  );
  window.dash_clientside.editor.start = async (facts) => {
    await start(facts);
    return "false";
  };
})((window.gantryEditor = window.gantryEditor || {}));
