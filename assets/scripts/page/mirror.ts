/* Mirrors of the state, written here and nowhere else: the address, and the stores that callbacks of the
   server read. */
import { callbacks, noUpdate, setProps } from "../dash/dash";
import * as executors from "../what_if/executors";
import * as study from "../what_if/study";
import { at } from "./dom";
import { isEmbedded } from "./embed";
import { asked, change, on, type State, same, state, toggleHighlight } from "./state";
import { rested } from "./timing";
import * as workbench from "./workbench";

const ADDRESS_MS = 250;
const PLAYING_MS = 1000; // the same while the cursor moves
const PAINTED_MS = 40; // the charts come first
const TABS = ["compare", "capacity", "difference", "replay", "whatif", "more", "job"];
let timer: ReturnType<typeof setTimeout> | undefined;
const opened: Record<string, object | string | null> = {}; // what a tab's panel was last asked for

/* What is looked at, as a link keeps it: the server's url_state reads and writes the same names. */
function looked(now: Readonly<State>) {
  const {
    highlight,
    arranged,
    colour,
    at: ms,
    decision,
    span,
    drawer,
    folded,
    result,
    presenting,
    asks,
  } = now;
  const query: Record<string, string | number> = { ...now.window, ...now.rows };
  const [kind, ...name] = (highlight ?? "").split(":");
  if (kind && name.length) query[kind] = name.join(":");
  if (arranged && arranged.by !== "lane") query.rows = arranged.by;
  if (arranged && arranged.sort !== "order") query.sort = arranged.sort;
  if (arranged?.find) query.find = arranged.find;
  if (colour && colour !== "phase") query.colour = colour;
  if (ms) query.t = Math.round(ms);
  if (decision) {
    const { index, container, next, start } = decision;
    query.why = `${index}:${next === undefined ? container : `t${start}`}`;
  } else if (asks) query.why = `${asks.place}:${asks.waiting === null ? asks.container : `t${asks.waiting}`}`;
  if (span) query.span = `${span.x0}-${span.x1}`;
  if (drawer && !workbench.asItOpens(drawer)) {
    const { open, tab, dock, chosen, side, size } = drawer;
    if (open) query.tab = tab;
    else query.drawer = "closed";
    if (open && chosen) query.drawer = Math.round(dock === "right" ? side : size);
    if (dock === "right") query.dock = dock;
  }
  if (folded.length) query.folded = folded.join(",");
  const written = study.written();
  if (written) query.study = written;
  const application = executors.written();
  if (application) query.executors = application;
  if (result?.optimum) query.optimum = result.optimum;
  if (presenting) query.present = 1;
  if (isEmbedded()) query.embed = 1;
  const claim = at("claim-question")?.dataset.claim;
  if (claim) query.claim = claim;
  return query;
}

/* The address of what is shown, without what is looked at; of what was composed since there is none. */
function addressOfResult({ result, shared, draft, request, readOnly }: Readonly<State>) {
  if (readOnly) return readOnly;
  const isComposed = !draft || !request || same(asked(draft), asked(request)) || request.why === "whatif";
  if (!result || !isComposed) return "";
  return shared?.key === result.key ? shared.address : result.address;
}

export function writeAddress() {
  clearTimeout(timer);
  timer = undefined;
  const query = new URLSearchParams(addressOfResult(state()) ?? "");
  for (const [key, value] of Object.entries(looked(state()))) query.append(key, String(value));
  const text = query.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
  window.history.replaceState(window.history.state, "", window.location.pathname + (text && `?${text}`));
}

/* The same soon; what a page was opened with stands until its first result, so that a reload finds it. */
export function mirrored() {
  if (!at("charts") || !state().result || (timer && state().playing)) return;
  clearTimeout(timer);
  timer = setTimeout(writeAddress, state().playing ? PLAYING_MS : ADDRESS_MS);
}

/* A store for a thing that the server's callbacks hear of; empty as the page is laid out, and each put makes
   them run. */
function mirror(key: "result" | "highlight" | "span") {
  let last: unknown = null;
  const put = () => {
    const data = state()[key];
    if (data !== last) setProps(key, { data });
    last = data;
  };
  on([key], rested(put, PAINTED_MS));
}

/* A panel of the drawer is computed while its tab is open. */
function openPanels({ result, drawer, job }: State) {
  const open = drawer?.open && result ? drawer.tab : null;
  for (const tab of TABS) {
    const key = open === tab && result ? result.key : null;
    const data = tab === "job" ? key && job && { key, ...job } : key;
    if (same(opened[tab] ?? null, data) || !at(`tab-${tab}`)?.childElementCount) continue;
    opened[tab] = data;
    setTimeout(() => {
      workbench.measured();
      setProps(`open-${tab}`, { data });
    }, PAINTED_MS);
  }
}

/* A tab's panel stands there, which has heard of nothing before. */
export function laidOut(tab: string) {
  delete opened[tab];
  openPanels(state());
}

/* A click on a job, user, queue or node of a chart highlights it everywhere, a second one clears it: a trace
   or a point says what it is of, as "kind:name". */
type Clicked = { points: { id?: string; curveNumber: number }[] };
function pickedInChart(clicked: Clicked | null, figure: { data: { meta?: unknown }[] }) {
  const point = clicked?.points[0];
  const selection = point && (point.id || figure.data[point.curveNumber]?.meta);
  if (typeof selection === "string" && /^(job|user|queue|node):./.test(selection)) toggleHighlight(selection);
}

function scheme(clicks: number | null, now: State["scheme"]) {
  const shown = now ?? (window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = clicks ? (shown === "dark" ? "light" : "dark") : shown;
  document.documentElement.setAttribute("data-ag-theme-mode", next);
  document.documentElement.setAttribute("data-scheme", next);
  change({ scheme: next });
  // light is what the server takes an empty store for
  return [next === (now ?? "light") ? noUpdate() : next, next];
}

export function listen() {
  on(
    [
      ...(["window", "rows", "highlight", "arranged", "at", "decision", "span", "drawer", "colour"] as const),
      ...(["folded", "presenting", "result", "draft", "study", "executors", "sliders", "readOnly"] as const),
    ],
    mirrored,
  );
  for (const key of ["result", "highlight", "span"] as const) mirror(key);
  on(["drawer", "result", "job"], openPanels);
  /* What Dash hands over. */
  callbacks({
    unknown: (faults: string[] | null) => change({ unknown: faults ?? [] }),
    pickJob: (cell: { rowId?: string } | null) => void (cell?.rowId && workbench.openJob(cell.rowId)),
    pickedInChart,
    scheme,
  });
}
