/* The decision in the drawer: opened by a click on a bar or Enter on a chart, stepped through by keys and
   buttons; the cursor and a frame around the bar follow it. */
import { callbacks, setProps } from "../dash/dash";
import { at, hear } from "../page/dom";
import { change, type Drawer, on, state } from "../page/state";
import { openTab } from "../page/workbench";
import * as charts from "../timeline/charts";
import type { Bar } from "../timeline/drawing";
import * as lanes from "../timeline/lanes";
import * as pointer from "../timeline/pointer";

const PATIENCE_MS = 5000; // a step that has no answer by then no longer holds up the next

/* As webapp/panels/decision/why.py sends it. */
export interface DecisionShown extends Bar {
  of: number; // containers of that run
  picked: boolean; // by a click or Enter, so that the panel opens
  highlight?: string;
  next?: number; // of what waits at `start`, where `container` is -1: the first that is placed from then on
}

type Question = { index: number } & ({ container: number } | { from: number } | { waiting: number });

let wish = 0; // the container last stepped to, which waits while another is asked for
let askedAt = 0; // when that was, 0: none is
let back: Partial<Drawer> = { open: false }; // what the drawer showed before

const panel = () => at("decision");

/* what: a container, the first from a time on, or what waits at a time (ms); picked: by a click or Enter, so
   that the panel opens. */
export function ask(what: Question, picked: boolean) {
  askedAt = Date.now();
  change({ asks: null }); // another than an address asks for
  const { drawer } = state();
  if (picked && drawer && (!drawer.open || drawer.tab !== "why"))
    back = { open: drawer.open, tab: drawer.tab };
  if (picked) openTab("why");
  setProps(picked ? "picked" : "step", { data: { ...what, view: charts.viewRequest(), at: askedAt } });
}

function go(container: number) {
  const { decision } = state();
  if (!decision) return;
  wish = Math.min(Math.max(container, 0), decision.of - 1);
  const isBusy = askedAt && Date.now() - askedAt < PATIENCE_MS;
  if (!isBusy && wish !== decision.container) ask({ index: decision.index, container: wish }, false);
}

/* By so many decisions on; from what waits at a time to the next one or the one before. */
function step(by: number) {
  const next = state().decision?.next;
  if (next === undefined) go(wish + by);
  else go(by < 0 ? next - 1 : next);
}

export function close() {
  const { decision, drawer } = state();
  const lane = decision && lanes.ofPlace(decision.index);
  change({ decision: null });
  pointer.rest(null);
  if (lane && panel()?.contains(document.activeElement)) lane.chart.focus({ preventScroll: true });
  if (drawer?.tab === "why") change({ drawer: { ...drawer, ...back } });
}

/* The decision that has come: the charts' window pans to hold it, and their cursor goes there; null: there is
   none such. */
function decided(decision: DecisionShown | null) {
  const room = panel();
  if (!room) return;
  askedAt = 0;
  const { asks, highlight } = state();
  change({ asks: null, ...(decision && { decision }) });
  if (!decision) return;
  if (decision.picked) {
    wish = decision.container;
    room.scrollTop = 0;
    room.focus({ preventScroll: true }); // its keys step from here on
    // what an address highlights stays
    if (decision.highlight && !(asks && highlight)) change({ highlight: decision.highlight });
  }
  for (const button of room.querySelectorAll<HTMLElement>("[data-decision]")) {
    const from = decision.next === undefined ? decision.container : decision.next - 0.5;
    const to = from + Number(button.dataset.decision) / (decision.next === undefined ? 1 : 2);
    button.setAttribute("aria-disabled", String(to < 0 || to >= decision.of));
  }
  charts.reveal(decision.start, decision.row);
  pointer.rest(decision.start);
  if (wish !== decision.container) go(wish);
}

/* The answer to a line that was pasted, which may stand below what is seen: the field goes to the top. */
function diagnosed(answer: unknown) {
  const room = at("diagnostics");
  if (!room?.contains(document.activeElement) || !Array.isArray(answer) || !answer.length) return;
  requestAnimationFrame(() => room.scrollIntoView({ block: "start" }));
}

const KEYS: Record<string, () => void> = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => go(0),
  End: () => go(Infinity),
};
const scrolls = (node: Element) => node.matches(".candidates") && node.scrollWidth > node.clientWidth;

/* Whether a key was the panel's. */
export function stepByKey(event: KeyboardEvent) {
  const { target } = event;
  const press = KEYS[event.key];
  if (!press || !state().decision || !(target instanceof Element)) return false;
  if (!panel()?.contains(target) || scrolls(target)) return false;
  event.preventDefault();
  press();
  return true;
}

export function listen() {
  hear("click", "[data-decision]", ({ dataset }) => {
    if (dataset.decision === "close") close();
    else step(Number(dataset.decision));
  });
  hear("click", "[data-waits-at]", ({ dataset }) =>
    ask({ index: Number(dataset.index), waiting: Number(dataset.waitsAt) }, true),
  );
  // another result: what was decided in the one before is no longer on the charts
  on(["result"], ({ decision, result }) => {
    if (decision && result && decision.key !== result.key) close();
  });
  on(["decision"], ({ decision }) => panel()?.toggleAttribute("data-open", Boolean(decision)));
  callbacks({ decided, diagnosed });
}
