/* Mirrors of the state, written here and nowhere else: the address, and the stores that callbacks of the
   server read. */
const ADDRESS_MS = 250;
const POLL_MS = 250;
const PAINTED_MS = 40; // the charts come first
const TABS = ["compare", "capacity", "difference", "replay", "whatif", "more", "job"];
// its name in the address, and what is not written there
const ARRANGED = { by: ["rows", "lane"], sort: ["sort", "order"], find: ["find", ""] };
let timer = 0;

/* What is looked at, as a link keeps it: the server's url_state reads and writes the same names. */
const looked = function ({
  window: times,
  rows,
  highlight,
  arranged,
  at,
  decision,
  span,
  drawer,
  colour,
  folded,
  presenting,
  result,
}) {
  const query_ = { ...times, ...rows };
  const [kind, ...name] = (highlight || "").split(":");
  if (name.length) query_[kind] = name.join(":");
  for (const [key, [short, usual]] of Object.entries(ARRANGED))
    if (arranged && arranged[key] && arranged[key] !== usual) query_[short] = arranged[key];
  if (colour && colour !== "phase") query_.colour = colour;
  if (at) query_.t = Math.round(at);
  if (decision) query_.why = `${decision.index}:${decision.container}`;
  if (span) query_.span = `${span.x0}-${span.x1}`;
  if (drawer && !gantry.workbench.asItOpens(drawer)) {
    if (drawer.open) query_.tab = drawer.tab;
    if (!drawer.open) query_.drawer = "closed";
    else if (drawer.chosen) query_.drawer = Math.round(drawer.dock === "right" ? drawer.side : drawer.size);
    if (drawer.dock === "right") query_.dock = "right";
  }
  if (folded && folded.length) query_.folded = folded.join(",");
  const study = gantry.whatif.study.written();
  if (study) query_.study = study;
  if (result && result.optimum) query_.optimum = result.optimum;
  if (presenting) query_.present = 1;
  return query_;
};

const address = function () {
  timer = 0;
  const { result, shared, draft, request } = gantry.state;
  const shown =
    result &&
    (!draft ||
      (request && gantry.same(gantry.asked(draft), gantry.asked(request))) ||
      request.why === "whatif");
  const query = new URLSearchParams(
    shown ? (shared && shared.key === result.key ? shared.address : result.address) || "" : "",
  );
  for (const [key, value] of Object.entries(looked(gantry.state))) query.append(key, value);
  const text = query.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
  window.history.replaceState(window.history.state, "", window.location.pathname + (text ? "?" + text : ""));
};

gantry.address = () => (clearTimeout(timer), address());
gantry.mirrored = () => {
  if (!document.getElementById("charts") || (timer && gantry.state.playing)) return;
  clearTimeout(timer);
  timer = setTimeout(address, gantry.state.playing ? 1000 : ADDRESS_MS);
};
gantry.on(
  [
    "window",
    "rows",
    "highlight",
    "arranged",
    "at",
    "decision",
    "span",
    "drawer",
    "colour",
    "folded",
    "presenting",
    "result",
    "draft",
    "study",
    "sliders",
  ],
  gantry.mirrored,
);

/* Stores, one for each thing that the server's callbacks hear of; empty as the page is laid out, and each
   put makes them run. */
const mirror = function (key, store, value) {
  let last = null;
  const put = function () {
    const data = value(gantry.state) || null;
    if (data !== last) gantry.put(store, { data: (last = data) });
  };
  gantry.on([key], gantry.rested(put, PAINTED_MS));
};
mirror("result", "result", ({ result }) => result);
mirror("highlight", "highlight", ({ highlight }) => highlight);
mirror("span", "span", ({ span }) => span);

/* A panel of the drawer is computed while its tab is open. */
const opened = {};
gantry.on(["drawer", "result", "job"], (state) => {
  const { result, drawer } = state;
  const open = drawer && drawer.open && result ? drawer.tab : null;
  for (const tab of TABS) {
    let data = open === tab ? result.key : null;
    if (tab === "job" && data) data = state.job ? { key: result.key, ...state.job } : null;
    if (gantry.same(opened[tab] ?? null, data)) continue;
    opened[tab] = data;
    setTimeout(() => (gantry.workbench.measured(), gantry.put(`open-${tab}`, { data })), PAINTED_MS);
  }
});

/* What Dash hands over: the draft and its faults from the editor, the scheme. */
gantry.callbacks({
  /* Long work of a callback is asked for again, by this store, until it is done. */
  poke: (work, store) => void (work && setTimeout(() => gantry.put(store, { data: Date.now() }), POLL_MS)),
  unknown: (faults) => gantry.change({ unknown: faults || [] }),
  pickJob: (cell) => void (cell && cell.rowId && gantry.workbench.openJob(cell.rowId)),
  scheme(clicks, now) {
    const shown = now || (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    const next = clicks ? (shown === "dark" ? "light" : "dark") : shown;
    document.documentElement.setAttribute("data-ag-theme-mode", next);
    document.documentElement.setAttribute("data-scheme", next);
    gantry.change({ scheme: next });
    // light is what the server takes an empty store for
    return [next === (now || "light") ? gantry.none() : next, next];
  },
});
