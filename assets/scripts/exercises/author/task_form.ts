/* The task: its kind, and of that only what can be asked of the run. */
import { h } from "../../page/dom";
import { msg } from "../../page/messages";
import { type Condition, edit, editTask, type Task, theDraft } from "./draft";
import { button, choice, field, number } from "./fields";
import type { Decision, Offers } from "./offers";

const kinds = () => [
  { value: "predict/first", label: msg("author.kind_first") },
  { value: "predict/makespan", label: msg("author.kind_makespan") },
  { value: "predict/next", label: msg("author.kind_next") },
  { value: "predict/place", label: msg("author.kind_place") },
  { value: "reach", label: msg("author.kind_reach") },
  { value: "explain", label: msg("author.kind_explain") },
  { value: "compute", label: msg("author.kind_compute") },
];
const TERM = "term";
const FAIR_SHARE = "fair share";
const quantities = () => [
  { value: FAIR_SHARE, label: msg("author.quantity_fair_share") },
  { value: "dominant share", label: msg("author.quantity_dominant_share") },
  { value: TERM, label: msg("author.quantity_term") },
];
const spans = () => [
  { value: "longest", label: msg("author.which_longest") },
  { value: "first", label: msg("author.which_first") },
  { value: "last", label: msg("author.which_last") },
];
const sides = () => [
  { value: "at_most", label: msg("author.at_most") },
  { value: "at_least", label: msg("author.at_least") },
];
const endings = () => [
  { value: "never", label: msg("author.never") },
  { value: "ends", label: msg("author.ends") },
];
const DEADLOCK = "deadlock";
const TOLERANCE = { predict: 0.1, compute: 0.01 } as Record<string, number>;
const DIGITS = 10; // of a share that is written as a percentage

const kindOf = ({ kind, ask }: Task) => (kind === "predict" ? `predict/${ask}` : kind);
const withTerms = ({ decisions }: Offers) =>
  decisions.filter(({ requests }) => requests.some(({ terms }) => terms.length));
const forNext = ({ decisions }: Offers) => decisions.filter(({ jobs }) => jobs.length > 1);
const percent = (share: number) => Number((100 * share).toPrecision(DIGITS));

type Turn = (changes: Partial<Task>) => void; // and draws it anew

/* A task of a kind with what is asked most often of this run. */
export function newTask(kind: string, found: Offers, scheduler: number | undefined): Task {
  const of = scheduler ? { scheduler } : {};
  const [name = "", ask] = kind.split("/");
  if (ask === "next" || ask === "place") {
    const decision = (ask === "next" ? forNext(found) : found.decisions)[0];
    return { kind: name, ask, ...of, container: decision?.value };
  }
  if (ask) return { kind: name, ask, ...of };
  if (name === "reach") return { kind: name, conditions: [newCondition(found)] };
  if (name === "explain") return { kind: name, ...of, container: found.waits[0]?.value };
  const quantity = found.has_fair_shares ? FAIR_SHARE : "dominant share";
  return { kind: name, quantity, job: found.shares_job, at_s: found.shares_s, ...of };
}

/* One that does not hold yet. */
function newCondition({ metrics }: Offers): Condition {
  if (metrics.find(({ key }) => key === DEADLOCK)?.present) return { metric: DEADLOCK, at_most: 0 };
  const [metric] = metrics;
  return { metric: metric?.key ?? "", at_most: Math.floor(0.9 * (metric?.present ?? 0)) };
}

export const usualTask = (found: Offers) =>
  newTask(found.jobs.length > 1 ? "predict/first" : "predict/makespan", found, 0);

/* again(): draws it anew where what can be asked has changed. */
export function taskForm(found: Offers, again: () => void) {
  const task = theDraft().task ?? usualTask(found);
  const turn: Turn = (changes) => {
    editTask(changes);
    again();
  };
  const kind = choice(kindOf(task), kinds(), (value) => {
    edit({ task: newTask(value, found, theDraft().task?.scheduler) });
    again();
  });
  return [
    field("task.kind", msg("author.kind"), kind),
    task.kind === "reach"
      ? null
      : schedulerField("task", found, task.scheduler, (scheduler) => turn({ scheduler })),
    ...fieldsOf(task, found, turn),
  ];
}

/* Under which of several schedulers, by its place. */
function schedulerField(
  of: string,
  { schedulers }: Offers,
  now: number | undefined,
  set: (place: number) => void,
) {
  if (schedulers.length < 2) return null;
  const options = schedulers.map((label, place) => ({ value: String(place), label }));
  const control = choice(String(now ?? 0), options, (value) => set(Number(value)));
  return field(`${of}.scheduler`, msg("author.scheduler"), control);
}

function fieldsOf(task: Task, found: Offers, turn: Turn) {
  if (task.kind === "reach") return reachFields(task, found, turn);
  if (task.kind === "explain") return explainFields(task, found, turn);
  if (task.kind === "compute") return computeFields(task, found, turn);
  if (task.ask === "makespan") return [tolerance(task)];
  if (task.ask === "first") return [];
  return [decision(task, task.ask === "next" ? forNext(found) : found.decisions, turn)];
}

function tolerance(task: Task) {
  const usual = TOLERANCE[task.kind] ?? 0;
  const set = (value?: number) =>
    editTask(
      { tolerance: value === undefined ? usual : Number((value / 100).toPrecision(DIGITS)) },
      "tolerance",
    );
  const control = number(percent(task.tolerance ?? usual), set, { min: 0.1, max: 100 });
  return field("task.tolerance", msg("author.tolerance"), control, msg("author.tolerance_help"), "%");
}

function decision(task: Task, decisions: Decision[], turn: Turn) {
  if (!decisions.length && !task.container) return nothing("task.container", msg("author.no_decision"));
  const control = choice(task.container ?? "", decisions, (container) => turn({ container }));
  return field("task.container", msg("author.decision"), control, msg("author.decision_help"));
}

const nothing = (place: string, sentence: string) =>
  h("p", { class: "author-none", "data-place": place }, sentence);

function explainFields(task: Task, { waits }: Offers, turn: Turn) {
  if (!waits.length && !task.container) return [nothing("task.container", msg("author.no_wait"))];
  const container = choice(task.container ?? "", waits, (value) => turn({ container: value }));
  const which = choice(task.which ?? "longest", spans(), (value) => turn({ which: value }));
  return [
    field("task.container", msg("author.container"), container),
    field("task.which", msg("author.which"), which, msg("author.which_help")),
  ];
}

function computeFields(task: Task, found: Offers, turn: Turn) {
  const isAble: Record<string, boolean> = {
    [TERM]: withTerms(found).length > 0,
    [FAIR_SHARE]: found.has_fair_shares,
  };
  const choices = quantities().filter(({ value }) => isAble[value] !== false || value === task.quantity);
  const toQuantity = (value: string) => {
    const none = { job: undefined, request: undefined, at_s: undefined };
    const of = { ...none, container: undefined, term: undefined, quantity: value };
    if (value !== TERM)
      return turn({ ...of, job: task.job ?? found.shares_job, at_s: task.at_s ?? found.shares_s });
    turn({ ...of, ...ofDecision(withTerms(found)[0]) });
  };
  const quantity = choice(task.quantity ?? "", choices, toQuantity);
  return [
    field("task.quantity", msg("author.quantity"), quantity),
    ...(task.quantity === TERM ? termFields(task, found, turn) : shareFields(task, found, turn)),
    tolerance(task),
  ];
}

/* The first candidate of which something was computed. */
function ofDecision(decision: Decision | undefined): Partial<Task> {
  const request = decision?.requests.find(({ terms }) => terms.length);
  return decision ? { container: decision.value, ...ofRequest(request) } : {};
}

const ofRequest = (request: Decision["requests"][number] | undefined): Partial<Task> =>
  request ? { job: request.job, request: request.kind, term: request.terms[0]?.value } : {};

function termFields(task: Task, found: Offers, turn: Turn) {
  const decisions = withTerms(found);
  const chosen = decisions.find(({ value }) => value === task.container);
  const container = choice(task.container ?? "", decisions, (value) =>
    turn(ofDecision(decisions.find((one) => one.value === value))),
  );
  const key = ({ job, kind }: { job: string; kind: string }) => `${job}/${kind}`;
  const own = key({ job: task.job ?? "", kind: task.request ?? "map" });
  const able = (chosen?.requests ?? []).filter(({ terms }) => terms.length);
  const requests = able.map((one) => ({ value: key(one), label: one.label }));
  const request = choice(own, requests, (value) => turn(ofRequest(able.find((one) => key(one) === value))));
  const terms = able.find((one) => key(one) === own)?.terms ?? [];
  const term = choice(task.term ?? "", terms, (value) => turn({ term: value }));
  return [
    field("task.container", msg("author.decision"), container),
    field("task.job", msg("author.candidate"), request),
    field("task.term", msg("author.term"), term),
  ];
}

function shareFields(task: Task, { jobs }: Offers, turn: Turn) {
  const choices = jobs.map((job) => ({ value: job, label: job }));
  const job = choice(task.job ?? "", choices, (value) => turn({ job: value }));
  const at = number(task.at_s, (at_s) => editTask({ at_s }, "at_s"), { min: 0 });
  return [
    field("task.job", "Job", job),
    field("task.at_s", msg("author.at"), at, msg("author.at_help"), "s"),
  ];
}

function reachFields(task: Task, found: Offers, turn: Turn) {
  const rows = (task.conditions ?? []).map((_, place) => conditionRow(place, found, turn));
  const add = () => turn({ conditions: [...conditionsNow(), newCondition(found)] });
  return [
    h(
      "fieldset",
      { "data-place": "task.conditions" },
      h("legend", {}, msg("author.conditions")),
      ...rows,
      button(msg("author.add_condition"), add),
    ),
    costs(task, found),
  ];
}

const conditionsNow = () => theDraft().task?.conditions ?? [];

function conditionRow(place: number, found: Offers, turn: Turn) {
  const now = (): Condition => conditionsNow()[place] ?? { metric: "" };
  const put = (next: Condition) => conditionsNow().map((one, at) => (at === place ? next : one));
  const become = (next: Condition) => turn({ conditions: put(next) });
  const condition = now();
  const where = `task.conditions[${place}]`;
  const metric = found.metrics.find(({ key }) => key === condition.metric);
  const { scheduler } = condition;
  const of = scheduler ? { scheduler } : {};
  const metrics = found.metrics.map(({ key, title }) => ({ value: key, label: title }));
  const isDeadlock = condition.metric === DEADLOCK;
  const isLeast = "at_least" in condition;
  const side = isLeast ? "at_least" : "at_most";
  const metricChoice = choice(condition.metric, metrics, (value) =>
    become({ metric: value, ...of, ...(value === DEADLOCK ? { at_most: 0 } : { [side]: undefined }) }),
  );
  const toSide = (value: string) => {
    if (isDeadlock)
      become({ metric: DEADLOCK, ...of, ...(value === "never" ? { at_most: 0 } : { at_least: 1 }) });
    else become({ metric: condition.metric, ...of, [value]: now()[side] });
  };
  const sideNow = isDeadlock ? (isLeast ? "ends" : "never") : side;
  const limit = number(condition[side], (value) =>
    editTask({ conditions: put({ ...now(), [side]: value }) }, `limit-${place}`),
  );
  const unit = metric?.unit === "share" ? msg("author.share_unit") : (metric?.unit ?? "");
  const present = metric && !isDeadlock && !scheduler ? msg("author.present", { value: metric.text }) : "";
  const remove = () => turn({ conditions: conditionsNow().filter((_, at) => at !== place) });
  const nth = String(place + 1);
  const label = { "aria-label": msg("author.condition", { number: nth }) };
  const toRemove = { "aria-label": msg("author.remove_condition", { number: nth }) };
  return h(
    "div",
    { class: "author-row", "data-place": where, role: "group", ...label },
    field(`${where}.metric`, msg("author.metric"), metricChoice),
    field(`${where}.side`, msg("author.side"), choice(sideNow, isDeadlock ? endings() : sides(), toSide)),
    isDeadlock ? null : field(`${where}.${side}`, msg("author.limit"), limit, present, unit),
    schedulerField(where, found, scheduler, (scheduler) => become({ ...now(), scheduler })),
    conditionsNow().length > 1 ? button(msg("author.remove"), remove, toRemove) : null,
  );
}

/* Of each number that may be changed. */
function costs(task: Task, { changes }: Offers) {
  const cost = task.cost ?? [];
  const free = theDraft().change.flatMap(({ path }) => changes.filter((one) => one.path === path));
  const rows = free
    .filter(({ choices }) => !choices.length)
    .map(({ path, title, unit }) => {
      const place = cost.findIndex((one) => one.path === path);
      const set = (each: number | undefined) => {
        const others = (theDraft().task?.cost ?? []).filter((one) => one.path !== path);
        editTask({ cost: each === undefined ? others : [...others, { path, each }] }, `cost-${path}`);
      };
      const per = unit ? msg("author.cost_of", { unit }) : msg("author.cost_of_one");
      const where = place < 0 ? `cost-${path}` : `task.cost[${place}]`;
      return field(where, title, number(cost[place]?.each, set, { min: 0 }), "", per);
    });
  return h(
    "fieldset",
    { "data-place": "task.cost" },
    h("legend", {}, msg("author.costs")),
    h("p", { class: "quiet" }, rows.length ? msg("author.costs_help") : msg("author.costs_none")),
    ...rows,
  );
}
