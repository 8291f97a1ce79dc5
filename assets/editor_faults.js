/* Faults and marks at their places: cells, fields, the list, and the sentence of help beside them. */
(function (editor) {
  "use strict";

  const PAUSE_MS = 150;
  const AGAIN_MS = 5000;
  const PLACE = /^(cluster\.nodes|queues|jobs)(?:\[(\d+)\])?\.?(.*)$/;
  const OURS = "Assumed: the paper gives no number.";
  let timer = null;
  let asked = 0;
  let faults = [];
  let byPath = new Map();

  /* Asks the server, once typing pauses; only the newest answer counts. */
  function check(scenario) {
    clearTimeout(timer);
    asked += 1;
    const mine = asked;
    timer = setTimeout(async () => {
      try {
        const headers = { "Content-Type": "application/json" };
        const answer = await fetch(editor.facts.addresses.check, { method: "POST", headers, body: JSON.stringify(scenario) });
        const found = await answer.json();
        if (mine !== asked || !document.getElementById("editor")) return;
        const placed = found.map((fault) => ({ ...fault, where: where({ ...fault, place: locate(fault.path) }) }));
        window.dash_clientside.set_props("faults", { data: placed });
      } catch {
        if (mine !== asked) return;
        editor.say("The server does not answer, so the draft is not checked. It is kept in this browser.", true);
        timer = setTimeout(() => check(scenario), AGAIN_MS);
      }
    }, PAUSE_MS);
  }

  /* Where a JSON path is on the page: {table, row, field}, {setting}, or only {table} or nothing for what has no place of its own. */
  function locate(path) {
    const setting = editor.facts.fields.find((field) => field.path === path);
    if (setting) return { setting };
    const place = path.match(PLACE);
    if (!place) return {};
    const table = Object.keys(editor.facts.tables).find((key) => editor.facts.tables[key].path === place[1]);
    if (place[2] === undefined) return { table };
    const { fields } = editor.facts.tables[table];
    const within = (outer, inner) => inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
    const field = fields.find((one) => within(one.path, place[3])) || fields.find((one) => place[3] === one.group || place[3] === "");
    return { table, row: Number(place[2]), field };
  }

  function show(data) {
    faults = (data || []).map((fault) => ({ ...fault, place: locate(fault.path) }));
    byPath = new Map();
    for (const { place, path, message } of faults) {
      const at = place.field ? `${editor.facts.tables[place.table].path}[${place.row}].${place.field.path}` : path;
      if (!byPath.has(at)) byPath.set(at, message);
    }
    for (const table of editor.grid.live()) {
      editor.grid.apis[table].refreshCells({ force: true });
      editor.grid.help(table);
    }
    for (const { id, path } of editor.facts.fields) window.dash_clientside.set_props(id, { error: byPath.get(path) || null });
    badges();
    list();
  }

  function badges() {
    const count = (wanted) => faults.filter(({ place }) => wanted(place)).length;
    const counts = Object.keys(editor.facts.tables).map((key) => [key, count((place) => place.table === key)]);
    for (const [key, number] of [...counts, ["settings", count((place) => Boolean(place.setting))]]) {
      const badge = document.getElementById(`editor-${key}-faults`);
      badge.hidden = number === 0;
      badge.textContent = number;
      badge.title = errors(number);
    }
  }

  const errors = (number) => (number ? `${number} ${number === 1 ? "error" : "errors"}` : "No errors");

  /* "Job wc, maps memory": where it is, in words. */
  function where({ place, path }) {
    if (place.setting) return place.setting.title;
    if (!place.table) return path || "Scenario";
    const { title, one } = editor.facts.tables[place.table];
    if (place.row === undefined) return title;
    const entry = editor.draft.list(editor.state.scenario, place.table)[place.row] || {};
    const noun = one[0].toUpperCase() + one.slice(1);
    const row = typeof entry.name === "string" && entry.name ? `${noun} ${entry.name}` : `${noun} ${place.row + 1}`;
    return place.field ? `${row}, ${nameOf(place.table, place.field)}` : `${row}, ${path.replace(PLACE, "$3")}`;
  }

  function nameOf(table, field) {
    const group = editor.facts.tables[table].groups.find((one) => one.path === field.group);
    return (group ? `${group.title} ${field.title}` : field.title).toLowerCase().replace("applicationmaster", "ApplicationMaster");
  }

  function list() {
    const summary = document.getElementById("editor-faults-summary");
    const first = faults.length ? `${where(faults[0])}: ${faults[0].message}` : "";
    summary.dataset.count = faults.length;
    summary.disabled = faults.length === 0;
    summary.replaceChildren(element("strong", errors(faults.length)), element("span", first));
    document.getElementById("editor-faults").replaceChildren(...faults.map(item));
    if (!faults.length) open(false);
  }

  function item(fault) {
    const button = element("button", "");
    button.type = "button";
    button.append(element("strong", where(fault)), ` ${fault.message}`);
    button.addEventListener("click", () => go(fault.place));
    const line = element("li", "");
    line.append(button);
    if (!fault.place.field && !fault.place.setting && /\bis not a field here\b/.test(fault.message)) {
      const drop = element("button", "Remove it");
      drop.type = "button";
      drop.className = "editor-drop";
      drop.addEventListener("click", () => editor.dropField(fault));
      line.append(drop);
    }
    return line;
  }

  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }

  function open(shown) {
    const summary = document.getElementById("editor-faults-summary");
    summary.setAttribute("aria-expanded", String(shown));
    document.getElementById("editor-faults").hidden = !shown;
  }

  /* To the cell or field, its section opened. */
  function go(place) {
    const section = place.table || "settings";
    const control = document.getElementById(`editor-${section}-summary`).closest("button");
    const closed = control.getAttribute("aria-expanded") === "false";
    if (place.setting && place.setting.path === "name") return document.getElementById(place.setting.id).focus();
    if (closed) control.click();
    return setTimeout(() => {
      if (place.setting) document.getElementById(place.setting.id).focus();
      else if (place.field) editor.grid.focus(place.table, place.row, place.field.path);
      else if (place.table) document.getElementById(`editor-${place.table}-add`).focus();
    }, closed ? 300 : 0);
  }

  /* Fault, name, unit and help of a cell. */
  function sentences(field, group, path) {
    const fault = byPath.get(path);
    const parts = [];
    if (fault) parts.push(Object.assign(element("span", `${fault}. `), { className: "editor-help-fault" }));
    parts.push(element("strong", `${group ? `${group.title} · ` : ""}${field.title}${field.unit ? ` (${field.unit})` : ""} `));
    const holds = field.required ? " Required." : field.default !== null && field.empty ? ` Default: ${field.empty}.` : "";
    parts.push(`${field.help}${holds}${group && group.help && !group.required ? ` ${group.help}` : ""}`);
    if (editor.isOurs(path)) parts.push(element("em", ` ${OURS}`));
    return parts;
  }

  document.addEventListener("click", (event) => {
    const summary = event.target.closest("#editor-faults-summary");
    if (summary) open(summary.getAttribute("aria-expanded") !== "true");
  });

  editor.OURS = OURS;
  editor.check = check;
  editor.faultAt = (path) => byPath.get(path);
  editor.isOurs = (path) => editor.state.ours.some((mark) => mark === path || path.startsWith(`${mark}.`));
  editor.faults = { show, locate };
  editor.nameOf = nameOf;
  editor.sentences = sentences;
})((window.gantryEditor = window.gantryEditor || {}));
