/* The workbench around the charts: verdict, tools, the rail with the editor, the drawer with its tabs,
   panes of a phone. */
const { h, at } = gantry;
const KEPT = "gantry-workbench";
const MIN_PX = { below: 120, right: 280 };
const PHONE = window.matchMedia("(max-width: 760px)"); // as in workbench.css
const root = () => at("workbench");

/* The verdict: a chip a scheduler; a click shows that one alone, another all again. */
const verdict = function () {
  const { result, phone } = gantry.state;
  if (!at("verdict") || !result) return;
  const folded = gantry.lanes.folded();
  const lanes = result.charts.filter((one) => one.same === null).map((one) => one.place);
  const alone = lanes.length > 1 && folded.length === lanes.length - 1;
  const chips = result.charts.map((one) => {
    const place = one.same ?? one.place;
    const best = one.best ? h("span", { class: "star", title: gantry.msg("workbench.shortest") }, "★") : null;
    const equal = one.same === null ? null : result.charts.find((other) => other.place === one.same);
    const value = one.deadlock
      ? h("span", { class: "wrong" }, gantry.msg("workbench.deadlock"))
      : equal
        ? h("span", { class: "quiet" }, `= ${equal.name}`)
        : h("span", {}, one.makespan);
    const pressed = alone && !folded.includes(place);
    const props = {
      type: "button",
      class: "chip",
      "data-only": place,
      "aria-pressed": String(pressed),
      title:
        pressed && !phone
          ? gantry.msg("workbench.show_all", { scheduler: one.full })
          : gantry.msg("workbench.only", { scheduler: one.full }),
      style: `--own: var(--scheduler-${one.colour})`,
    };
    return h(
      "li",
      {},
      h(
        "button",
        props,
        h("span", { class: "swatch own" }),
        h("strong", {}, one.pinned ? gantry.msg("workbench.pinned", { scheduler: one.name }) : one.name),
        value,
        one.apart && !equal ? h("span", { class: "quiet" }, one.apart) : null,
        best,
        one.above && !equal ? h("span", { class: "quiet far", title: one.about }, one.above) : null,
      ),
    );
  });
  at("verdict").replaceChildren(...chips);
  at("answer-says").textContent = result.verdict.join(" ");
  at("answer-says").title = result.verdict.join(" ");
  const title = result.name || gantry.msg("shared.untitled");
  document.title = gantry.msg("shared.gantry", { title });
  at("rail-title").textContent = title;
};
gantry.on(["result", "folded", "phone"], verdict);

/* What colours mean: phases, each to be highlighted, or whose the bars are. */
const legend = function () {
  const { colour, legend: of, highlight } = gantry.state;
  if (!at("legend")) return;
  for (const button of document.querySelectorAll("[data-select]"))
    button.setAttribute("aria-pressed", String(button.dataset.select === highlight));
  at("legend").hidden = Boolean(colour) && colour !== "phase";
  const own = at("legend-groups");
  own.hidden = !at("legend").hidden;
  for (const item of at("legend").querySelectorAll("[data-phase]"))
    item.hidden = !of || (of.absent || []).includes(item.dataset.phase);
  if (own.hidden || !of) return;
  const items = of.names.map((name, place) => [`--group-${place}`, name, `${colour}:${name}`]);
  if (of.others)
    items.push([
      "--group-others",
      gantry.msg("workbench.more", { count: of.others.toLocaleString("en") }),
      null,
    ]);
  own.replaceChildren(
    ...items.map(([colourOf, name, select]) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "pick-phase",
            "data-select": select,
            "aria-pressed": String(Boolean(select) && select === highlight),
            disabled: !select,
          },
          h("span", { class: "swatch", style: `background: var(${colourOf})` }),
          name,
        ),
      ),
    ),
  );
};
gantry.on(["legend", "colour", "highlight"], legend);

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-select]");
  if (button) gantry.toggle("highlight", button.dataset.select);
  const job = target.closest("[data-open-job]");
  if (job) openJob(job.dataset.openJob);
  const fits = target.closest("[data-job-fit]");
  if (fits) (gantry.change({ highlight: `job:${fits.dataset.jobFit}` }), gantry.charts.fit());
  const zoom = target.closest("[data-zoom]");
  if (zoom)
    ({
      in: () => gantry.charts.zoom(gantry.charts.STEP),
      out: () => gantry.charts.zoom(1 / gantry.charts.STEP),
      all: gantry.charts.all,
    })[zoom.dataset.zoom]();
  const strip = target.closest("#show-strips [data-strip]");
  if (strip) {
    const shown = gantry.lanes.shown();
    const key = strip.dataset.strip;
    gantry.change({ strips: shown.includes(key) ? shown.filter((one) => one !== key) : [...shown, key] });
  }
  if (target.closest("#drag-mode")) gantry.change({ dragSelects: !gantry.state.dragSelects });
  if (target.closest("#card-columns")) gantry.change({ columns: gantry.state.columns === 1 ? 2 : 1 });
  if (target.closest("#show-keys")) gantry.put("keys-dialog", { opened: true });
  if (target.closest("#turn-rail")) gantry.change({ rail: !gantry.state.rail });
  const pane = target.closest("[data-pane-of]");
  if (pane) turnTo(pane.dataset.paneOf);
  const tab = target.closest("[data-tab]");
  if (tab) toggle(tab.dataset.tab);
  const way = target.closest("[data-drawer-way]");
  if (way) ways[way.dataset.drawerWay]();
  if (target.closest("[data-span=drop]")) gantry.change({ span: null });
  if (target.closest("[data-span=fit]")) gantry.charts.fit();
});

/* The controls of the tools are plain selects and inputs that carry the key of the state they change. */
document.addEventListener("input", ({ target }) => {
  const key = target.id === "rows-find" ? "find" : target.dataset && target.dataset.arranges;
  if (key)
    gantry.change({
      arranged: {
        ...gantry.state.arranged,
        [key]: target.value,
        opened: key === "by" ? [] : gantry.state.arranged.opened,
      },
    });
  if (target.id === "colour-by") gantry.change({ colour: target.value });
});
const tools = function ({ arranged, colour, dragSelects, columns }) {
  if (!at("tools")) return;
  for (const control of document.querySelectorAll("[data-arranges]"))
    control.value = arranged[control.dataset.arranges];
  if (document.activeElement !== at("rows-find")) at("rows-find").value = arranged.find;
  at("colour-by").value = colour || "phase";
  at("drag-mode").setAttribute("aria-pressed", String(Boolean(dragSelects)));
  at("card-columns").setAttribute("aria-pressed", String(columns !== 1));
  at("lanes").toggleAttribute("data-selects", Boolean(dragSelects));
};
gantry.on(["arranged", "colour", "dragSelects", "columns"], tools);
gantry.on(["hidden"], function ({ hidden }) {
  const many = () => gantry.msg("workbench.rows_hidden", { count: hidden.toLocaleString("en") });
  at("rows-hidden").textContent = !hidden ? "" : hidden === 1 ? gantry.msg("workbench.row_hidden") : many();
});
gantry.on(["drawn", "strips"], () => {
  for (const button of document.querySelectorAll("#show-strips [data-strip]"))
    button.setAttribute("aria-pressed", String(gantry.lanes.shown().includes(button.dataset.strip)));
});

/* The drawer. */
const drawer = () => gantry.state.drawer;
const toggle = (tab) =>
  gantry.change({
    drawer: { ...drawer(), tab, open: !(drawer().open && drawer().tab === tab) },
    pane: "result",
  });
const openJob = function (name, scheduler = 0) {
  gantry.change({ job: { job: name, scheduler }, highlight: `job:${name}` });
  openTab("job");
};
/* A job that is highlighted is the one whose page the tab shows. */
gantry.on(["highlight"], ({ highlight, job }) => {
  const [kind, ...name] = (highlight || "").split(":");
  if (kind === "job") gantry.change({ job: { scheduler: 0, ...job, job: name.join(":") } });
});
const openTab = (tab) => gantry.change({ drawer: { ...drawer(), tab, open: true } });
/* On a phone: the charts alone, a tab of the drawer, or the editor. */
const turnTo = function (pane) {
  if (pane === "editor") gantry.change({ pane });
  else
    gantry.change({
      pane: "result",
      drawer: { ...drawer(), ...(pane === "result" ? { open: false } : { tab: pane, open: true }) },
    });
};
const ways = {
  close: () => gantry.change({ drawer: { ...drawer(), open: false } }),
  dock: () =>
    gantry.change({
      drawer: { ...drawer(), dock: drawer().dock === "right" ? "below" : "right", open: true },
    }),
};

/* The room in the drawer, for its panels: what is drawn for another width is drawn anew. */
let wide = 0;
const measured = function () {
  const width =
    gantry.state.result && drawer().open && at("drawer-body") ? at("drawer-body").clientWidth : wide;
  if (width !== wide) gantry.put("drawer-width", { data: (wide = width) });
};

const arrange = function ({ drawer: now, rail, pane, presenting }) {
  const page = root();
  if (!page || !now) return;
  Object.assign(page.dataset, {
    dock: now.dock,
    drawer: now.open ? "open" : "closed",
    rail: rail ? "open" : "closed",
    pane: pane || "result",
    drawerTab: now.tab,
  });
  page.toggleAttribute("data-presenting", Boolean(presenting));
  page.style.setProperty("--drawer-px", `${now.size}px`);
  page.style.setProperty("--drawer-side-px", `${now.side}px`);
  at("drawer-edge").setAttribute("aria-valuenow", String(now.dock === "right" ? now.side : now.size));
  at("turn-rail").setAttribute("aria-expanded", String(Boolean(rail)));
  for (const tab of document.querySelectorAll("[data-tab]")) {
    const own = now.open && tab.dataset.tab === now.tab;
    tab.setAttribute("aria-expanded", String(own));
    if (own)
      tab.parentNode.scrollLeft = Math.min(
        Math.max(tab.parentNode.scrollLeft, tab.offsetLeft + tab.offsetWidth - tab.parentNode.clientWidth),
        tab.offsetLeft,
      );
    at(`tab-${tab.dataset.tab}`).hidden = !own;
  }
  const turned =
    pane === "editor"
      ? pane
      : now.open && at("workbench").querySelector(`[data-pane-of="${now.tab}"]`)
        ? now.tab
        : "result";
  for (const button of document.querySelectorAll("[data-pane-of]"))
    button.setAttribute("aria-pressed", String(button.dataset.paneOf === turned));
  window.dispatchEvent(new Event("resize")); // plotly's charts in the drawer follow the room they have
  requestAnimationFrame(measured);
};
gantry.on(["drawer", "rail", "pane", "presenting"], arrange);
gantry.on(["drawer", "rail", "signals"], ({ drawer: now, rail, signals }) => {
  try {
    window.localStorage.setItem(KEPT, JSON.stringify({ drawer: now, rail: Boolean(rail), signals }));
  } catch {
    /* A browser that keeps nothing opens as the first time. */
  }
});

document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("#drawer-edge")) return;
  event.preventDefault();
  const right = drawer().dock === "right";
  const box = root().getBoundingClientRect();
  const ended = new AbortController();
  const sized = function (moved) {
    const px = Math.round(right ? box.right - moved.clientX : box.bottom - moved.clientY);
    const most = right ? box.width * 0.7 : box.height - 200;
    const size = Math.min(Math.max(px, MIN_PX[right ? "right" : "below"]), most);
    gantry.change({ drawer: { ...drawer(), open: true, chosen: true, [right ? "side" : "size"]: size } });
  };
  document.addEventListener("pointermove", sized, { signal: ended.signal });
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, () => ended.abort(), { signal: ended.signal });
});
document.addEventListener("keydown", (event) => {
  if (
    event.target.id !== "drawer-edge" ||
    !["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(event.key)
  )
    return;
  event.preventDefault();
  const right = drawer().dock === "right";
  const by = ["ArrowUp", "ArrowLeft"].includes(event.key) ? 24 : -24;
  const key = right ? "side" : "size";
  gantry.change({
    drawer: {
      ...drawer(),
      chosen: true,
      [key]: Math.max(drawer()[key] + by, MIN_PX[right ? "right" : "below"]),
    },
  });
});

/* Paper is narrower than the charts were drawn for: a page of letter size on its side has 979 px between
   its margins. */
const PAPER_PX = 979;
window.addEventListener("beforeprint", () => {
  if (!root()) return;
  const width = at("results").clientWidth;
  root().style.setProperty("--paper-px", `${width}px`);
  root().style.setProperty("--paper-zoom", String(Math.min(1, PAPER_PX / width)));
});

PHONE.addEventListener("change", () => gantry.change({ phone: PHONE.matches }));

/* The drawer as it opens by itself, by the room there is; an address says only what differs from that. */
const isLarge = () => window.innerWidth >= 1800;
const usual = () => ({
  tab: "compare",
  open: !PHONE.matches && (isLarge() || window.innerHeight >= 860),
  dock: isLarge() ? "right" : "below",
  size: 240,
  side: 500,
  chosen: false,
});
const asItOpens = function (now) {
  const { open, tab, dock } = usual();
  return now.open === open && (!open || (now.tab === tab && now.dock === dock && !now.chosen));
};

/* How the page opens: what the address says, else as it was left, else by the room there is. */
gantry.opening = function (seen) {
  const before = gantry.kept(KEPT) || {};
  const phone = PHONE.matches;
  const asks = seen.drawer;
  const sized =
    asks && asks.size ? { [asks.dock === "right" ? "side" : "size"]: asks.size, chosen: true } : {};
  const asked = asks && {
    tab: asks.tab || (seen.decision ? "why" : "compare"),
    open: asks.open,
    dock: asks.dock,
    ...sized,
  };
  return {
    ...gantry.whatif.opening(seen.study),
    arranged: { by: "lane", sort: "order", find: "", opened: [], ...seen.arranged },
    colour: seen.colour,
    folded: seen.folded,
    highlight: seen.highlight,
    opens: seen.window || seen.rows ? { ...seen.window, ...seen.rows } : null,
    at: seen.time,
    span: seen.span,
    // beside: the drawer shows what the address says
    asks: seen.decision && { ...seen.decision, beside: Boolean(seen.drawer) },
    optimum: seen.optimum,
    presenting: Boolean(seen.present),
    phone,
    signals: before.signals || {},
    rail: !phone && (before.rail ?? isLarge()),
    drawer: { ...usual(), ...before.drawer, ...(phone ? { open: false, dock: "below" } : {}), ...asked },
  };
};

gantry.workbench = { measured, openTab, openJob, asItOpens };
