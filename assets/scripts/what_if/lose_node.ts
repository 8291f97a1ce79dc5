/* What if a node is lost at Play's cursor: the run shown with that outage is run as what sliders change
   is; Apply puts it into the draft, and Back shows again what it was before. */
import { withField } from "../editor/draft";
import { commitWhole } from "../editor/editor";
import * as measured from "../editor/measured";
import { get } from "../editor/values";
import { at, h, hear, setText, the } from "../page/dom";
import { msg } from "../page/messages";
import { clock } from "../page/quantities";
import { asked, on, same, state } from "../page/state";
import type { Asked, Chart, RunRequest } from "../run/result";
import * as run from "../run/run";
import * as charts from "../timeline/charts";
import * as move from "./move";

/* Nodes that were lost: what is shown with them, and what was before. */
interface Lost {
  outages: unknown[]; // those that are not in the draft yet
  says: string;
  shown: Asked;
  key: string;
  settled: move.Settled;
  charts: Chart[];
  more: Partial<RunRequest>;
}
/* As webapp/panels/timeline/lose_node.py answers. */
type Answer = (Asked & { says: string }) | { because: string };

const OUTAGES = "cluster.outages";
let lost: Lost | null = null;
let named = ""; // the key of the result whose nodes the field offers

const say = (words: string) => setText("lose-node-says", words);
const field = () => the("lose-node-name", HTMLInputElement);
const cursor = () => Math.round(state().at ?? state().result?.whole.x0 ?? 0);
const listOf = ({ scenario }: Asked) => {
  const outages: unknown = get(scenario, OUTAGES);
  return Array.isArray(outages) ? outages : [];
};
function shown() {
  const { request } = state();
  return lost && request && same(lost.shown, asked(request)) ? lost : null;
}

function build() {
  const id = "lose-node-name";
  const name = h("input", {
    id,
    list: "lose-node-names",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 200,
    placeholder: msg("lose_node.click"),
    onfocus: () => field().select(),
  });
  const button = (way: string, words: string, title: string, more: object) =>
    h("button", { id: `lose-node-${way}`, title, ...more }, words);
  const line = h(
    "form",
    { class: "lose-node-line", onsubmit: submit },
    h("label", { for: id }, msg("lose_node.node")),
    name,
    h("datalist", { id: "lose-node-names" }),
    h("span", { id: "lose-node-at" }),
    button("run", msg("lose_node.run"), msg("lose_node.run_title"), { type: "submit" }),
    button("apply", msg("lose_node.apply"), msg("lose_node.apply_title"), { hidden: true, onclick: apply }),
    button("back", msg("shared.back"), msg("lose_node.back_title"), { hidden: true, onclick: back }),
  );
  the("lose-node").append(line, h("p", { id: "lose-node-says", class: "help", role: "status" }));
}

function tell() {
  const { drawer, result, request } = state();
  if (!at("lose-node") || !drawer?.open || drawer.tab !== "nodes") return;
  if (!at("lose-node-name")) build();
  the("lose-node-run", HTMLButtonElement).disabled = !result;
  const ms = cursor();
  setText("lose-node-at", result ? msg("lose_node.at", { time: clock(ms), seconds: ms / 1000 }) : "");
  if (!result) return say(msg("lose_node.run_first"));
  if (named !== result.key) offer(result.key);
  if (request && !shown()) lost = null;
  the("lose-node-back").hidden = !shown();
  the("lose-node-apply").hidden = !shown()?.outages.length;
  if (!shown()) say("");
}

async function offer(key: string) {
  named = key;
  const answer = await charts.ask<{ names: string[] }>("names");
  if (answer && named === key)
    the("lose-node-names").replaceChildren(...answer.names.map((name) => h("option", { value: name })));
}

/* Beside it stands what was measured, if that was among what is shown and nothing else is pinned. */
async function submit(event: Event) {
  event.preventDefault();
  const { request, pinned, result } = state();
  if (!request || !result) return;
  const { measured: record, ...scenario } = request.scenario;
  const wish = { ...asked(request), scenario };
  const node = field().value.trim();
  const answer = await charts.post<Answer>("lost", { key: result.key, of: wish, node, at: cursor() });
  if (!answer || "because" in answer) return say(answer?.because ?? "");
  if (request !== state().request) return; // another run was asked for meanwhile
  const settled = move.settled() ?? { base: asked(request), next: asked(request), says: "" };
  const { optimum, beside } = request;
  const more = { optimum, beside };
  const first = shown() ?? { key: result.key, settled, charts: result.charts, more, outages: [] };
  const says = [settled.says, answer.says].filter(Boolean).join("; ");
  const next = asked(answer);
  lost = { ...first, says, shown: next, outages: [...first.outages, listOf(answer).at(-1)] };
  const other = record && request.schedulers.includes(measured.NAME) ? move.recorded(request) : beside;
  const stays = other && !pinned ? { beside: other } : {};
  const isDone = await move.show({ base: settled.base, next, says }, { base: first.key, ...stays });
  if (shown()) {
    const makespan = compared(first.charts, state().result?.charts ?? []);
    say(isDone ? msg("lose_node.shown", { change: says, makespan }) : (the("run-status").textContent ?? ""));
  }
  tell();
}

/* The makespan under each scheduler beside what it was. */
function compared(old: Chart[], now: Chart[]) {
  const own = (all: Chart[]) => all.filter(({ pinned }) => !pinned);
  const timeOf = ({ deadlock, makespan }: Chart) => (deadlock ? msg("lose_node.deadlock") : makespan);
  const was = new Map(own(old).map((chart) => [chart.name, timeOf(chart)]));
  const words = own(now).flatMap((chart) => {
    const { name } = chart;
    const [time, before] = [timeOf(chart), was.get(name)];
    if (before === undefined) return [];
    if (time === before) return msg("lose_node.as_before", { name, time });
    return msg("lose_node.instead", { name, time, before });
  });
  return msg("lose_node.makespan", { times: words.join(", ") });
}

/* Into the draft, as one step that Undo takes back: all that is shown; of a draft with other edits the
   outages alone, which is not run. */
function apply() {
  const { draft, request, pinned } = state();
  if (!lost || !draft || !request) return;
  const { outages, says, settled } = lost;
  const isAll = same(asked(draft), settled.base);
  const edited = withField(draft, OUTAGES, [...listOf(draft), ...outages]);
  const next = isAll ? { ...draft, ...asked(request) } : edited;
  commitWhole(next, msg("shared.apply", { change: says }));
  field().focus();
  lost = isAll ? null : { ...lost, outages: [] };
  if (!isAll) return tell();
  if (settled.base.schedulers.includes(measured.NAME) && !pinned) run.pinThis(move.recorded(settled.base));
  move.stop(); // sliders start from what is applied
  run.ask(request, "run");
}

function back() {
  if (!lost) return;
  const { settled, more } = lost;
  lost = null;
  field().focus();
  move.show(settled, more);
}

export function listen() {
  on(["at", "result", "request", "drawer"], tell);
  hear("click", "#play-nodes [data-node]", ({ dataset }) => {
    if (at("lose-node-name")) field().value = dataset.node ?? "";
  });
}
