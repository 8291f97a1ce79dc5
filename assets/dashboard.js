/* What the page does by itself: open with a link, the visitor's draft or the example; ask for runs; keep the address and the list of recent runs. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const none = () => window.dash_clientside.no_update;
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const MOST_RECENT = 20;
  const MOST_RECENT_CHARS = 1500000;
  const ADDRESS_MS = 250;
  const POLL_MS = 250;

  const stored = (id) => {
    try {
      return JSON.parse(window.localStorage.getItem(id));
    } catch {
      return null;
    }
  };
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const asked = (draft) => ({ scenario: draft.scenario, schedulers: draft.schedulers || [] });

  /* The address: what the link says until something else is composed, then zoom and highlight alone. */
  const address = { base: "", linked: null, seen: false, viewport: null, highlight: null, rows: null, timer: 0 };
  const ROWS = { by: ["rows", "lane"], sort: ["sort", "order"], find: ["find", ""] };

  /* What is looked at, as it stands in a link: times and rows, what is highlighted, how rows are arranged. */
  const looked = function (query) {
    for (const key of ["x0", "x1", "y0", "y1"]) if (address.viewport && key in address.viewport) query.set(key, address.viewport[key]);
    const [kind, ...name] = (address.highlight || "").split(":");
    if (name.length) query.set(kind, name.join(":"));
    for (const [key, [short, usual]] of Object.entries(ROWS)) if (address.rows && address.rows[key] && address.rows[key] !== usual) query.set(short, address.rows[key]);
    return query;
  };

  gantry.address = function (changes) {
    Object.assign(address, changes);
    clearTimeout(address.timer);
    address.timer = setTimeout(() => {
      const text = looked(new URLSearchParams(address.base)).toString();
      window.history.replaceState(window.history.state, "", window.location.pathname + (text ? "?" + text : ""));
    }, ADDRESS_MS);
  };

  /* Newest first, without doubles, and small enough for the browser's store. */
  gantry.remembered = function (entry, list) {
    const kept = [entry, ...(list || []).filter((old) => old.key !== entry.key || !entry.key)].slice(0, MOST_RECENT);
    let room = MOST_RECENT_CHARS;
    return kept.filter((one) => (room -= JSON.stringify(one).length) > 0);
  };

  let last = null;
  gantry.ask = function (what, why, more) {
    set("run-status", { children: "Running…" });
    last = { ...asked(what), pinned: gantry.pinned(), why, width: gantry.width((what.schedulers || []).length + (gantry.pinned() ? 1 : 0)), room: gantry.room(), at: Date.now(), ...more };
    set("request", { data: last });
  };

  /* The result shown has expired on the server: it is run again, and the zoom stays. */
  gantry.again = () => last && set("request", { data: { ...last, pinned: gantry.pinned(), why: "again", at: Date.now() } });

  gantry.open = function (what, why, more) {
    set("load", { data: { ...asked(what), assumed: what.assumed || [], ours: what.ours || [] } });
    gantry.ask(what, why, more);
  };

  /* A link opens as it is; else the visitor's own draft; else the example, which the editor fills in by itself. */
  const boot = function (start) {
    begin(start);
    return none();
  };

  const begin = async function (start) {
    set("highlight", { data: start.highlight });
    set("viewport", { data: start.window });
    if (start.pinned) gantry.pinThis(start.pinned);
    if (start.arranged) set("arranged", { data: start.arranged });
    const now = new URLSearchParams(window.location.search);
    const base = new URLSearchParams();
    for (const key of ["r", "s", "pin"]) if (start.asked && now.has(key)) base.set(key, now.get(key));
    gantry.address({ base: base.toString(), linked: start.asked, seen: false, viewport: start.window, highlight: start.highlight, rows: start.arranged });
    const own = await window.gantryEditor.keep.read();
    if (start.asked) {
      if (own && !same(asked(own), asked(start.asked))) set("notice", { children: "This is what the link shows. Your own draft is kept: Undo restores it." });
      return gantry.open(start.asked, "link", { link: start.link });
    }
    if (!own) return gantry.ask(start.example, "example");
    const last = (stored("recent") || []).find((entry) => entry.scenario);
    return gantry.ask(own, "draft", { spare: asked(last || start.example) });
  };

  /* Once something else than the link is composed, a reload must open that, so the address no longer names the link. */
  const leaveLink = function (draft) {
    if (!address.base || !draft) return;
    const linked = same(asked(draft), asked(address.linked));
    if (linked) address.seen = true;
    else if (address.seen) gantry.address({ base: "" });
  };

  const share = function (shared, already) {
    if (!shared) return [none(), none(), none(), none(), none()];
    const here = window.location.origin + window.location.pathname;
    const view = looked(new URLSearchParams());
    if (shared.pinned) view.set("pin", shared.pinned);
    const whole = (query) => (query ? here + query + (view.size ? "&" + view : "") : "");
    const link = whole(shared.link);
    if (link) gantry.copy(link);
    return [true, link, whole(shared.inline), shared.title, !shared.inline];
  };

  /* Press Run: what is composed is run, or the first fault is shown. */
  const run = function (clicks, draft, faults, unknown) {
    if (!clicks || !draft) return none();
    if ((faults && faults.length) || (unknown && unknown.length)) {
      pane("editor");
      const first = document.querySelector("#editor-faults li button");
      if (faults && faults.length && first) first.click();
      else document.getElementById("schedulers").focus();
      return none();
    }
    gantry.address({ base: "" });
    pane("results");
    set("notice", { children: "" });
    gantry.ask(draft, "run");
    return none();
  };

  /* Why Run would do nothing, or that the inputs have changed since the run shown. */
  const reason = function (faults, draft, request, unknown) {
    const button = "run-button";
    const wrong = [...(faults || []).map(({ where, path, message }) => (where || path ? `${where || path}: ${message}` : message)), ...(unknown || [])];
    leaveLink(draft);
    if (wrong.length) {
      const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more)` : "";
      return [`Fix ${wrong.length === 1 ? "1 error" : `${wrong.length} errors`} to run. ${wrong[0]}${more}`, "reason reason-fault", `${button} is-blocked`];
    }
    const varied = gantry.shown && gantry.shown(draft, request);
    if (varied) return [varied, "reason", `${button} is-stale`];
    if (draft && request && !same(asked(draft), asked(request))) {
      return ["Inputs changed: run again.", "reason reason-stale", `${button} is-stale`];
    }
    return ["", "reason", button];
  };

  const poking = (id) => (work) => {
    if (work) setTimeout(() => set(id, { data: Date.now() }), POLL_MS);
    return none();
  };
  const poke = poking("poke");
  const pokeRepeat = poking("repeat-poke");

  const remember = function (result, request, recent) {
    if (!result || !request || ["example", "whatif"].includes(request.why)) return none();
    const entry = { key: result.key, name: result.name, schedulers: result.schedulers, at: Date.now(), scenario: request.scenario };
    return gantry.remembered(entry, recent);
  };

  const scheme = function (clicks, now) {
    const shown = now || (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    const next = clicks ? (shown === "dark" ? "light" : "dark") : shown;
    document.documentElement.setAttribute("data-ag-theme-mode", next);
    document.documentElement.setAttribute("data-scheme", next);
    return [next, next];
  };

  /* Which of the pages in the head one is on; the pages below /schedulers belong to it. */
  const here = function (path) {
    for (const link of document.querySelectorAll(".head nav a")) {
      const own = link.getAttribute("href");
      const on = path === own || (own !== "/" && path.startsWith(own + "/"));
      if (on) link.setAttribute("aria-current", path === own ? "page" : "true");
      else link.removeAttribute("aria-current");
    }
  };

  /* A server that does not answer is reported: Dash itself does not do so. */
  const AWAY = "The server does not answer. Your draft is kept in this browser; run again once the server is back.";
  const fetched = window.fetch;
  window.fetch = async function (...what) {
    const ours = String(what[0]).includes("_dash-update-component");
    try {
      const answer = await fetched.apply(this, what);
      if (ours && answer.status >= 502) away();
      return answer;
    } catch (error) {
      if (ours && error.name !== "AbortError") away();
      throw error;
    }
  };

  const away = (gantry.away = function () {
    set("run-status", { children: AWAY });
    set("run-under-way", { hidden: true });
    set("repeat-under-way", { hidden: true });
    set("repeat", { disabled: false });
  });

  const listRecent = function (clicks, recent) {
    const part = (type, props) => ({ namespace: "dash_html_components", type, props });
    const entries = (recent || []).map((entry, index) => {
      const when = new Date(entry.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      const text = [part("Strong", { children: entry.name || "Untitled" }), part("Span", { children: entry.schedulers.join(", ") }), part("Span", { children: when, className: "quiet" })];
      const open = part("Button", { id: { type: "recent", index }, type: "button", children: text });
      const beside = part("Button", { id: { type: "recent-beside", index }, type: "button", className: "beside", children: "Show beside", title: "Pin this run: it is shown beside the current one" });
      return part("Li", { children: [open, beside] });
    });
    return [true, entries.length ? entries : part("Li", { children: "No runs yet.", className: "quiet" })];
  };

  const openRecent = function (clicks, besides, recent) {
    const chosen = window.dash_clientside.callback_context.triggered_id;
    const entry = chosen && [...clicks, ...besides].some(Boolean) && recent[chosen.index];
    if (!entry) return none();
    if (chosen.type === "recent") gantry.open(entry, "recent");
    else {
      gantry.pinThis(entry);
      gantry.again();
    }
    return false;
  };

  const opened = () => true;

  const schedulersOf = (draft, shown) => (draft && !same(draft.schedulers, shown) ? draft.schedulers : none());

  const chosen = function (names, draft) {
    if (draft && names && !same(names, draft.schedulers)) set("draft", { data: { ...draft, schedulers: names } });
    return none();
  };

  const exports = (result, where, ids) => ids.map((id) => (result ? `${where}${result.key}/${id.file}${id.file === "report.html" ? page() : ""}` : none()));
  const page = () => `?page=${encodeURIComponent(window.location.origin + window.location.pathname)}`; // a report links back to the page

  const pane = function (name) {
    const columns = document.getElementById("columns");
    if (!columns) return;
    columns.dataset.pane = name;
    for (const button of document.querySelectorAll("button[data-pane]")) button.setAttribute("aria-pressed", String(button.dataset.pane === name));
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-pane]");
    if (button) pane(button.dataset.pane);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      const button = document.getElementById("run");
      if (button) button.click();
    }
    if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("[role=dialog]")) {
      if (document.getElementById("charts")) set("highlight", { data: null });
    }
  });

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { boot, exports, share, run, reason, poke, pokeRepeat, remember, scheme, here, listRecent, openRecent, opened, schedulersOf, chosen });
})();
