/* What a cluster did, kept in the draft as `scenario.measured`: beside the schedulers what the record is
   of, whether `measured` can be shown, and the way out where nodes or jobs are others by now. The record
   itself is sent whole once; while one types what it is of is enough (webapp/panels/editor/check.py). */
import { at, h, the } from "../page/dom";
import { msg } from "../page/messages";
import { post } from "../page/server";
import { change, on, type State, state } from "../page/state";
import type { Scenario } from "../run/result";
import * as run from "../run/run";
import type { Checked } from "./check";
import * as drafts from "./draft";
import * as editor from "./editor";
import { facts, theDraft } from "./facts";
import { get, isObject } from "./values";

export const NAME = "measured";
const MAX_LOOKED = 20; // steps of Undo in which the record's own nodes and jobs are looked for
const sound = new WeakSet<object>(); // records that the server found without faults
let fitting: Scenario | null = null; // the last whose nodes and jobs were those of its record

const recordOf = ({ measured }: Scenario) => (isObject(measured) ? measured : null);
const without = (names: string[]) => names.filter((name) => name !== NAME);

/* A scenario as it is checked: a record that was checked before travels as what it is of. */
export function light(scenario: Scenario) {
  const record = recordOf(scenario);
  return record && sound.has(record) ? { ...scenario, measured: { of: record.of, checked: true } } : scenario;
}

export function heard(scenario: Scenario, { faults, unmeasured }: Pick<Checked, "faults" | "unmeasured">) {
  const record = recordOf(scenario);
  if (!record) return;
  if (!faults.some(({ path }) => path.startsWith(NAME))) sound.add(record);
  if (!faults.length && !unmeasured) fitting = scenario;
}

/* Why the draft can't be run with `measured`; "" where it can, or does not ask for it. */
export function wrong({ draft, outline }: Pick<State, "draft" | "outline">) {
  const reason = outline?.unmeasured;
  if (!reason || !draft?.schedulers.includes(NAME)) return "";
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/* What was measured stands before all that is simulated. */
export const first = (names: string[]) => (names.includes(NAME) ? [NAME, ...without(names)] : names);

/* The schedulers of a draft that is opened: its own, or those that are chosen; measured with a record, and
   not without. */
export function opened(scenario: Scenario, schedulers = theDraft().schedulers) {
  const names = without(schedulers);
  return recordOf(scenario) ? [NAME, ...names] : names.length ? names : facts().schedulers;
}

const choose = (schedulers: string[]) => change({ draft: { ...theDraft(), schedulers } });

/* Leave it out, and pin what was recorded as it was, if any scenario at hand still has its nodes and jobs. */
async function leave() {
  const scenario = await whole();
  const left = without(theDraft().schedulers);
  choose(left.length ? left : facts().schedulers.slice(0, 1));
  if (scenario) run.pinThis({ scenario, schedulers: [NAME] });
  editor.say(scenario ? msg("measured.pinned") : msg("measured.left_out"), !scenario);
  the("run").focus();
}

async function whole() {
  const { of } = recordOf(theDraft().scenario) ?? {};
  const steps = drafts.steps().past.slice(-MAX_LOOKED).reverse();
  const asked = [fitting, state().request?.scenario, ...steps.map(({ draft }) => draft.scenario)];
  for (const scenario of new Set(asked)) {
    const record = scenario && recordOf(scenario);
    if (!record || record.of !== of) continue;
    if (scenario === fitting) return scenario;
    const answer: Checked = await (await post(facts().addresses.check, light(scenario))).json();
    if (!answer.faults.length && !answer.unmeasured) return scenario;
  }
  return null;
}

const amount = (count: number) =>
  count === 1 ? msg("measured.container") : msg("measured.containers", { count: count.toLocaleString("en") });
const button = (words: string, onclick: () => unknown) =>
  h("button", { class: "link-button", onclick }, words);

function show() {
  const { draft } = state();
  const line = at("schedulers-measured");
  if (!line || !draft) return;
  const record = recordOf(draft.scenario);
  const because = wrong(state());
  const parts: (Node | string)[] = [];
  if (because) {
    const way = record
      ? button(msg("measured.leave_out_and_pin"), leave)
      : button(msg("measured.leave_out"), () => choose(without(theDraft().schedulers)));
    parts.push(h("span", { class: "measured-wrong" }, because), " ", way);
  } else if (record) {
    const jobs = get(record, "containers.job");
    const containers = amount(Array.isArray(jobs) ? jobs.length : 0);
    const name = String(record.source || msg("measured.history"));
    const source = msg("measured.source", { source: name, containers });
    const add = () => choose([NAME, ...without(theDraft().schedulers)]);
    parts.push(h("strong", {}, `${msg("measured.measured")} `), source);
    if (!draft.schedulers.includes(NAME)) parts.push(" ", button(msg("measured.show"), add));
  }
  const says = h("p", {}, ...parts);
  if (line.textContent === says.textContent) return;
  line.replaceChildren(...says.childNodes);
  line.hidden = !parts.length;
}

export const listen = () => on(["draft", "outline"], show);
