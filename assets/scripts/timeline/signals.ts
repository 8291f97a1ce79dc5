/* What schedulers measure and compute inside, as strips below their charts: asked for once the charts are
   painted, and only where they are wanted. */
import { h, hear } from "../page/dom";
import { msg } from "../page/messages";
import { change, on, state } from "../page/state";
import { latest } from "../page/timing";
import * as charts from "./charts";
import type { Span } from "./drawing";
import * as lanes from "./lanes";

interface Answer {
  key: string;
  drawn: Span;
  looked: Span;
  signals: Record<number, { strips: string[]; of: number; says: string }>; // by place
}
let askedFor = "";
let shown: Answer | null = null;
let moving: { lane: lanes.PaintedLane; node: HTMLElement }[] = [];

const draw = latest(async () => {
  const { signals, result } = state();
  if (!signals.open || !result?.charts.some((chart) => chart.signals)) return put(null);
  const wish = { ...charts.viewRequest(), all: Boolean(signals.all) };
  const text = JSON.stringify(wish);
  if (text === askedFor) return;
  askedFor = text;
  const answer = await charts.post<Answer>("signals", wish);
  if (answer?.key === charts.view().key) put(answer);
});

function put(answer: Answer | null) {
  if (!answer) askedFor = "";
  shown = answer;
  moving = [];
  for (const button of document.querySelectorAll('[data-signals="open"]'))
    button.setAttribute("aria-pressed", String(Boolean(answer)));
  for (const lane of lanes.painted()) {
    const own = answer?.signals[lane.place];
    const strips = own?.strips.map(lanes.stripOf) ?? [];
    moving.push(...strips.map(({ moving: node }) => ({ lane, node })));
    const parts: Node[] = strips.map(({ node }) => node);
    if (own?.says) parts.unshift(h("p", { class: "help" }, own.says));
    if (own && (own.of > strips.length || state().signals.all)) {
      const words = state().signals.all ? msg("signals.first") : msg("signals.all", { count: own.of });
      parts.push(h("button", { class: "link-button", "data-signals": "all" }, words));
    }
    lane.signals.replaceChildren(...parts);
  }
  move();
}

export function move() {
  if (!shown) return;
  for (const { lane, node } of moving)
    node.style.transform = lanes.across(shown.drawn, shown.looked, lane.painted.size.width);
}

export function listen() {
  hear("click", "[data-signals]", ({ dataset }) => {
    const { signals } = state();
    const key = dataset.signals === "all" ? "all" : "open";
    change({ signals: { ...signals, [key]: !signals[key] } });
  });
  on(["drawn", "window", "highlight", "signals", "folded", "phone"], () => requestAnimationFrame(draw));
}
