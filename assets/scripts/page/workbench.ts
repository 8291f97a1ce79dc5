/* The workbench around the charts: verdict, tools, the rail with the editor, the drawer with its tabs,
   panes of a phone. */
import { setProps } from "../dash/dash";
import type { Opening } from "../run/result";
import * as charts from "../timeline/charts";
import type { Arranged, Rows, Span } from "../timeline/drawing";
import * as lanes from "../timeline/lanes";
import * as executors from "../what_if/executors";
import type { StudyView } from "../what_if/facts";
import * as study from "../what_if/study";
import { at, h, hear, isField, setText, the, whileDragged } from "./dom";
import { isEmbedded } from "./embed";
import { walk } from "./menus";
import { msg } from "./messages";
import { change, type Drawer, on, type State, state, toggled, toggleHighlight } from "./state";
import { keep, kept } from "./storage";

const KEPT = "gantry-workbench";
const MIN_PX = { size: 120, side: 280 };
const PHONE = window.matchMedia("(max-width: 760px)"); // as in workbench.css
const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector);
const press = (button: Element, isPressed: boolean) => button.setAttribute("aria-pressed", String(isPressed));

/* The answer in a sentence, with the others behind a button; on a phone, which has room for one chart, a
   button a scheduler, which shows that one. */
function showVerdict({ result, phone }: State) {
  if (!at("verdict") || !result) return;
  const [first = "", ...others] = result.verdict;
  setText("answer-says", first);
  the("answer-more").hidden = !others.length;
  the("answer-others").replaceChildren(...others.map((sentence) => h("p", {}, sentence)));
  const folded = lanes.folded();
  const chips = (phone ? result.charts : []).map(
    ({ place, same, full, colour, name, pinned, makespan, deadlock }) => {
      const props = {
        class: "chip",
        "data-only": same ?? place,
        "aria-pressed": String(!folded.includes(same ?? place)),
        title: msg("workbench.only", { scheduler: full }),
        style: `--own: var(--scheduler-${colour})`,
      };
      const words = pinned ? msg("workbench.pinned", { scheduler: name }) : name;
      const equal = result.charts.find((chart) => chart.place === same);
      const value = deadlock ? msg("workbench.deadlock") : equal ? `= ${equal.name}` : makespan;
      const parts = [h("span", { class: "swatch own" }), h("strong", {}, words), h("span", {}, value)];
      return h("li", {}, h("button", props, ...parts));
    },
  );
  the("verdict").replaceChildren(...chips);
  const title = result.name || msg("shared.untitled");
  document.title = msg("shared.gantry", { title });
  Object.assign(the("rail-title"), { textContent: title, title });
}

/* What has its phase's colour where colours are stages': no stage is its own. */
const STAGELESS = ["master", "launching", "executor_idle", "slots_free", "held_idle"].map(
  (phase) => `phase:${phase}`,
);

/* What colours mean: phases, each to be highlighted, or whose the bars are. */
function showLegend({ colour, legend, highlight }: State) {
  const phases = at("legend");
  if (!phases) return;
  for (const button of all("[data-select]")) press(button, button.dataset.select === highlight);
  const byStage = colour === "stage" && Boolean(legend?.names.length);
  const byOwner = Boolean(colour) && colour !== "phase" && colour !== "stage";
  phases.hidden = byOwner;
  for (const item of phases.querySelectorAll("li")) {
    const select = item.querySelector<HTMLElement>("[data-select]")?.dataset.select ?? "";
    const { phase } = item.dataset;
    item.hidden =
      (byStage && !STAGELESS.includes(select)) ||
      Boolean(phase && (legend ? legend.absent.includes(phase) : item.hidden));
  }
  const own = the("legend-groups");
  own.hidden = !byOwner && !byStage;
  if (own.hidden || !legend) return;
  const entry = (group: number | string, name: string, select: string | null) => {
    const isPressed = String(select !== null && select === highlight);
    const of = { "data-select": select, "aria-pressed": isPressed, disabled: select === null };
    const swatch = h("span", { class: "swatch", style: `background: var(--group-${group})` });
    return h("li", {}, h("button", { class: "pick-phase", ...of }, swatch, name));
  };
  own.replaceChildren(
    ...legend.names.map((name, place) => entry(place, name, byStage ? null : `${colour}:${name}`)),
  );
  const { others } = legend;
  if (others)
    own.append(entry("others", msg("workbench.more", { count: others.toLocaleString("en") }), null));
}

/* What rows are, in which order, and which of them: fields "rows-…". */
const ARRANGES = ["by", "sort", "find"] as const;

function showTools({ arranged, colour, dragSelects, columns, gaps, legend }: State) {
  if (!at("tools") || !arranged) return;
  for (const key of ARRANGES) {
    const field = the(`rows-${key}`);
    if (key !== "find" || document.activeElement !== field) Object.assign(field, { value: arranged[key] });
  }
  const choices = the("colour-by", HTMLSelectElement);
  choices.value = colour || "phase";
  for (const choice of choices.options)
    choice.hidden = choice.value === "stage" && Boolean(legend?.absent.includes("task"));
  press(the("drag-mode"), dragSelects);
  press(the("card-columns"), columns !== 1);
  press(the("show-gaps"), gaps);
  the("lanes").toggleAttribute("data-gaps", gaps);
  the("lanes").toggleAttribute("data-selects", dragSelects);
}

function chosen({ target }: Event) {
  if (!isField(target)) return;
  const { id, value } = target;
  const { arranged } = state();
  const key = ARRANGES.find((name) => id === `rows-${name}`);
  if (key && arranged)
    change({ arranged: { ...arranged, [key]: value, opened: key === "by" ? [] : arranged.opened } });
  if (id === "colour-by") change({ colour: value });
}

/* The drawer; others: what changes with it. */
export function setDrawer(values: Partial<Drawer>, others: Partial<State> = {}) {
  const { drawer } = state();
  change(drawer ? { ...others, drawer: { ...drawer, ...values } } : others);
}
export const openTab = (tab: string) => setDrawer({ tab, open: true });
export function openJob(job: string, scheduler = 0) {
  change({ job: { job, scheduler }, highlight: `job:${job}` });
  openTab("job");
}
const isRight = () => state().drawer?.dock === "right";

/* The edge of the drawer moves its height or its width. */
const sized = () => (isRight() ? "side" : "size");
function resize(px: number, most = Infinity) {
  setDrawer({ open: true, chosen: true, [sized()]: Math.min(Math.max(px, MIN_PX[sized()]), most) });
}

function drag(event: PointerEvent) {
  event.preventDefault();
  const box = the("workbench").getBoundingClientRect();
  const moved = ({ clientX, clientY }: PointerEvent) =>
    isRight()
      ? resize(Math.round(box.right - clientX), box.width * 0.7)
      : resize(Math.round(box.bottom - clientY), box.height - 200);
  whileDragged(document, moved);
}
const STEPS: Record<string, number> = { ArrowUp: 24, ArrowLeft: 24, ArrowDown: -24, ArrowRight: -24 };

/* The room in the drawer, for its panels: what is drawn for another width is drawn anew. */
let wide = 0;
export function measured() {
  const { result, drawer } = state();
  const body = result && drawer?.open ? at("drawer-body") : null;
  if (!body || body.clientWidth === wide) return;
  wide = body.clientWidth;
  setProps("drawer-width", { data: wide });
}

function arrange({ drawer, rail, pane, presenting }: State) {
  const page = at("workbench");
  if (!page || !drawer) return;
  const { dock, open, tab: shown, size, side } = drawer;
  const told = (isOpen: boolean) => (isOpen ? "open" : "closed");
  Object.assign(page.dataset, { dock, drawer: told(open), rail: told(rail), drawerTab: shown });
  page.dataset.pane = pane || "result";
  page.toggleAttribute("data-presenting", presenting);
  page.style.setProperty("--drawer-px", `${size}px`);
  page.style.setProperty("--drawer-side-px", `${side}px`);
  the("drawer-edge").setAttribute("aria-valuenow", String(drawer[sized()]));
  the("turn-rail").setAttribute("aria-expanded", String(rail));
  const has = (keys = "") => keys.split(" ").includes(shown);
  for (const tab of all("[data-tab]")) {
    const isIts = has(tab.dataset.panels);
    tab.setAttribute("aria-selected", String(open && isIts));
    tab.tabIndex = isIts ? 0 : -1;
    const bar = tab.parentElement;
    if (!isIts || !bar) continue;
    tab.dataset.tab = shown; // it opens the panel that was last open
    the("drawer-body").ariaLabel = tab.textContent;
    const least = tab.offsetLeft + tab.offsetWidth - bar.clientWidth;
    bar.scrollLeft = Math.min(Math.max(bar.scrollLeft, least), tab.offsetLeft);
  }
  for (const part of all("[data-of]")) part.hidden = !open || !has(part.dataset.of);
  for (const panel of all("[data-panel]")) press(panel, panel.dataset.panel === shown);
  const isPane = open && page.querySelector(`[data-pane-of="${shown}"]`);
  const turned = pane === "editor" ? pane : isPane ? shown : "result";
  for (const button of all("[data-pane-of]")) press(button, button.dataset.paneOf === turned);
  window.dispatchEvent(new Event("resize")); // plotly's charts in the drawer follow the room they have
  requestAnimationFrame(measured);
}

/* Paper is narrower than the charts were drawn for: a page of letter size on its side has 979 px between
   its margins. */
const PAPER_PX = 979;
function printed() {
  const page = at("workbench");
  if (!page) return;
  const width = the("results").clientWidth;
  page.style.setProperty("--paper-px", `${width}px`);
  page.style.setProperty("--paper-zoom", String(Math.min(1, PAPER_PX / width)));
}

/* The drawer as it opens by itself, by the room there is; an address says only what differs from that. */
const isLarge = () => window.innerWidth >= 1800;
const usual = (): Drawer => ({
  tab: "compare",
  open: !PHONE.matches && !isEmbedded() && (isLarge() || window.innerHeight >= 860),
  dock: isLarge() ? "right" : "below",
  size: 240,
  side: 500,
  chosen: false,
});
export function asItOpens(now: Drawer) {
  const { open, tab, dock } = usual();
  return now.open === open && (!open || (now.tab === tab && now.dock === dock && !now.chosen));
}

/* What an address shows, as webapp/url/url_state.py reads it. */
export interface Seen extends Pick<State, "colour" | "folded" | "highlight" | "optimum" | "span"> {
  window: Span | null;
  rows: Rows | null;
  arranged: Partial<Arranged> | null;
  time: number | null;
  decision: Omit<NonNullable<Opening["asks"]>, "beside"> | null;
  drawer: { tab: string | null; open: boolean; dock: Drawer["dock"]; size: number | null } | null;
  study: StudyView | null;
  executors: executors.Application | null;
  present: boolean;
}

/* How the page opens: what the address says, else as it was left, else by the room there is. */
export function opening(seen: Seen): Partial<State> {
  const { window, rows, arranged, time, decision, drawer, present, ...more } = seen;
  const { study: seenStudy, executors: seenExecutors, ...others } = more;
  const left = isEmbedded() ? null : kept<Partial<Pick<State, "drawer" | "gaps" | "rail" | "signals">>>(KEPT);
  const before = left ?? {};
  const phone = PHONE.matches;
  const px = drawer?.size;
  const sizes = px ? { [drawer.dock === "right" ? "side" : "size"]: px, chosen: true } : {};
  const tab = drawer?.tab || (decision ? "why" : "compare");
  return {
    ...study.opening(seenStudy),
    ...executors.opening(seenExecutors),
    ...others,
    arranged: { by: "lane", sort: "order", find: "", opened: [], ...arranged },
    opens: window || rows ? { ...window, ...rows } : null,
    at: time,
    // beside: the drawer shows what the address says
    asks: decision && { ...decision, beside: Boolean(drawer) },
    presenting: present,
    phone,
    signals: before.signals ?? {},
    gaps: before.gaps ?? false,
    rail: !phone && !isEmbedded() && (before.rail ?? isLarge()),
    drawer: {
      ...usual(),
      ...before.drawer,
      ...(phone ? { open: false, dock: "below" } : {}),
      ...(drawer ? { tab, open: drawer.open, dock: drawer.dock, ...sizes } : {}),
    },
  };
}

export function listen() {
  on(["result", "folded", "phone"], showVerdict);
  on(["legend", "colour", "highlight"], showLegend);
  on(["arranged", "colour", "dragSelects", "columns", "gaps", "legend"], showTools);
  on(["hidden"], ({ hidden }) => {
    const many = () => msg("workbench.rows_hidden", { count: hidden.toLocaleString("en") });
    setText("rows-hidden", !hidden ? "" : hidden === 1 ? msg("workbench.row_hidden") : many());
  });
  on(["drawn", "strips"], () => {
    const shown = lanes.shownStrips();
    for (const button of all("#show-strips [data-strip]"))
      press(button, shown.includes(button.dataset.strip ?? ""));
  });
  /* A job that is highlighted is the one whose page the tab shows. */
  on(["highlight"], ({ highlight, job }) => {
    const [kind, ...name] = (highlight ?? "").split(":");
    if (kind === "job") change({ job: { scheduler: 0, ...job, job: name.join(":") } });
  });
  on(["drawer", "rail", "pane", "presenting"], arrange);
  on(["drawer", "gaps", "rail", "signals"], ({ drawer, gaps, rail, signals }) => {
    if (!isEmbedded()) keep(KEPT, { drawer, gaps, rail, signals });
  });

  /* work(what the attribute data-NAME says) for each click on what has it. */
  const clicked = (name: string, work: (value: string) => unknown) =>
    hear("click", `[data-${name}]`, (button) => work(button.getAttribute(`data-${name}`) ?? ""));
  clicked("select", toggleHighlight);
  hear("click", "[data-open-job]", ({ dataset: { openJob: job = "", place } }) =>
    openJob(job, Number(place ?? 0)),
  );
  clicked("job-fit", (job) => {
    change({ highlight: `job:${job}` });
    charts.fit();
  });
  clicked("zoom", (way) => {
    if (way === "all") charts.all();
    else charts.zoom(way === "in" ? charts.STEP : 1 / charts.STEP);
  });
  hear("click", "#show-strips [data-strip]", ({ dataset: { strip = "" } }) =>
    change({ strips: toggled(lanes.shownStrips(), strip) }),
  );
  hear("click", "#drag-mode", () => change({ dragSelects: !state().dragSelects }));
  hear("click", "#card-columns", () => change({ columns: state().columns === 1 ? 2 : 1 }));
  hear("click", "#show-gaps", () => change({ gaps: !state().gaps }));
  hear("click", "#show-keys", () => setProps("keys-dialog", { opened: true }));
  hear("click", "#turn-rail", () => change({ rail: !state().rail }));
  // on a phone: the charts alone, a tab of the drawer, or the editor
  clicked("pane-of", (pane) => {
    if (pane === "editor") change({ pane });
    else setDrawer(pane === "result" ? { open: false } : { tab: pane, open: true }, { pane: "result" });
  });
  clicked("tab", (tab) => {
    const { drawer } = state();
    setDrawer({ tab, open: !(drawer?.open && drawer.tab === tab) }, { pane: "result" });
  });
  clicked("panel", openTab);
  hear("keydown", ".tabs [data-tab]", (_, event) => {
    if (walk([...all("[data-tab]")], event.key, ["ArrowLeft", "ArrowRight"])) event.preventDefault();
  });
  clicked("drawer-way", (way) =>
    setDrawer(way === "close" ? { open: false } : { dock: isRight() ? "below" : "right", open: true }),
  );
  clicked("span", (way) => (way === "drop" ? change({ span: null }) : charts.fit()));
  document.addEventListener("input", chosen);
  hear("pointerdown", "#drawer-edge", (_, event) => drag(event));
  hear("keydown", "#drawer-edge", (_, event) => {
    const { drawer } = state();
    const by = STEPS[event.key];
    if (!by || !drawer) return;
    event.preventDefault();
    resize(drawer[sized()] + by);
  });
  window.addEventListener("beforeprint", printed);
  PHONE.addEventListener("change", () => change({ phone: PHONE.matches }));
}
