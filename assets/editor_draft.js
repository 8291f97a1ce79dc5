/* The draft: one scenario, changed in steps that can be undone. Every change goes through commit(). */
(function (editor) {
  "use strict";

  const MERGE_MS = 1500;
  const MOST_STEPS = 500;
  const PLACE = /^(cluster\.nodes|queues|jobs)\[(\d+)\](.*)$/;
  let past = [];
  let future = [];
  let last = { key: null, at: 0 };
  let counter = 0;

  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

  function get(value, path) {
    for (const key of path.split(".")) {
      if (!isObject(value)) return undefined;
      value = value[key];
    }
    return value;
  }

  /* A copy with this item; undefined removes it and the objects that it leaves empty. */
  function put(owner, path, item) {
    const [key, ...rest] = Array.isArray(path) ? path : path.split(".");
    const copy = { ...(isObject(owner) ? owner : {}) };
    let inner = rest.length ? put(copy[key], rest, item) : item;
    if (rest.length && Object.keys(inner).length === 0) inner = undefined;
    if (inner === undefined) delete copy[key];
    else copy[key] = inner;
    return copy;
  }

  const list = (scenario, table) => get(scenario, editor.facts.tables[table].path) || [];
  const freshIds = (count) => Array.from({ length: count }, () => String((counter += 1)));

  /* A state from a draft as others give it; rows get ids of their own that stay while they move. */
  function stateOf(draft) {
    const ids = {};
    for (const table of Object.keys(editor.facts.tables)) ids[table] = freshIds(list(draft.scenario, table).length);
    return {
      scenario: draft.scenario,
      schedulers: draft.schedulers || (editor.state && editor.state.schedulers) || ["fifo", "fair", "drf", "capacity"],
      assumed: draft.assumed || [],
      ours: draft.ours && draft.ours.length ? draft.ours : marksOf(draft.scenario),
      ids,
    };
  }

  /* A scenario carries its marks along in x_ours, so that a saved file has them too. */
  const marksOf = ({ x_ours: marks }) => (Array.isArray(marks) ? marks.filter((mark) => typeof mark === "string") : []);

  function withMarks(state, ours) {
    return { ...state, ours, scenario: put(state.scenario, ["x_ours"], ours.length ? ours : undefined) };
  }

  /* The state with other rows in a table. from[i] is the old index of row i, or null for a new one; marks move with their rows. */
  function withRows(state, table, entries, from) {
    const { path } = editor.facts.tables[table];
    const old = state.ids[table];
    const ids = from.map((index, at) => (index === null || from.indexOf(index) < at ? freshIds(1)[0] : old[index]));
    const ours = state.ours.flatMap((mark) => {
      const place = mark.match(PLACE);
      if (!place || place[1] !== path) return [mark];
      return from.flatMap((index, at) => (index === Number(place[2]) ? [`${path}[${at}]${place[3]}`] : []));
    });
    const kept = entries.length || table === "nodes" || table === "jobs" ? entries : undefined;
    return withMarks({ ...state, scenario: put(state.scenario, path, kept), ids: { ...state.ids, [table]: ids } }, ours);
  }

  /* The state with changed cells: changes are {row, path, value}; a row beyond the end is added. What the user sets is no longer ours. */
  function withCells(state, table, changes) {
    const { path } = editor.facts.tables[table];
    const entries = [...list(state.scenario, table)];
    const set = new Set();
    for (const { row, path: cell, value } of changes) {
      while (entries.length <= row) entries.push({});
      entries[row] = put(entries[row], cell, value);
      for (let mark = cell; mark; mark = mark.slice(0, Math.max(0, mark.lastIndexOf(".")))) set.add(`${path}[${row}].${mark}`);
    }
    const known = state.ids[table].length;
    const next = withRows(state, table, entries, entries.map((_, index) => (index < known ? index : null)));
    return withMarks(next, next.ours.filter((mark) => !set.has(mark)));
  }

  function withField(state, path, value) {
    return withMarks({ ...state, scenario: put(state.scenario, path, value) }, state.ours.filter((mark) => mark !== path));
  }

  /* One step. label: what Undo will name; key: steps of one key in quick succession, as typing makes them, are one. */
  function commit(next, label, origin, key = null) {
    const { state } = editor;
    if (state && JSON.stringify(next.scenario) === JSON.stringify(state.scenario) && origin !== "load") return;
    const now = Date.now();
    const merged = key !== null && key === last.key && now - last.at < MERGE_MS;
    if (state && !merged) past = [...past.slice(1 - MOST_STEPS), { label, state, whole: origin === "load" }];
    future = [];
    last = { key, at: now };
    become(next, origin);
  }

  function become(next, origin) {
    editor.state = next;
    const { ids: _, ...draft } = next;
    window.dash_clientside.set_props("draft", { data: { ...draft, origin } });
    editor.keep.write(draft, steps());
    editor.check(next.scenario);
    editor.shown(origin);
  }

  /* One step back, or forth: the label of what was undone or done again; null when there is none. */
  function undo() {
    const step = past[past.length - 1];
    if (step) future = [...future, turned(step)];
    past = past.slice(0, -1);
    return step ? taken(step) : null;
  }

  function redo() {
    const step = future[future.length - 1];
    if (step) past = [...past, turned(step)];
    future = future.slice(0, -1);
    return step ? taken(step) : null;
  }

  const turned = (step) => ({ ...step, state: editor.state });

  /* Schedulers are chosen beside the draft: only a step that opened another draft brings its own back. */
  function taken({ label, state, whole }) {
    last = { key: null, at: 0 };
    become(whole ? state : { ...state, schedulers: editor.state.schedulers }, "undo");
    return label;
  }

  const steps = () => ({ past, future });

  /* After a reload: the steps of this tab as they were kept. */
  function recall(kept) {
    const revive = ({ draft, ...step }) => ({ ...step, state: stateOf(draft) });
    past = kept.past.map(revive);
    future = kept.future.map(revive);
  }

  editor.draft = { get, put, list, stateOf, withRows, withCells, withField, commit, become, undo, redo, steps, recall };
})((window.gantryEditor = window.gantryEditor || {}));
