/* Runs: the page opens with a link, the visitor's draft or the example; what is composed is run, followed
   while it takes long, and can be cancelled. */
import { callbacks, noUpdate, setProps } from "../dash/dash";
import * as decision from "../decision/decision";
import { readDraft } from "../editor/draft";
import type { Told } from "../editor/facts";
import * as measured from "../editor/measured";
import * as jobs from "../jobs/follow";
import { at, h, hear, setText, the, when } from "../page/dom";
import { isEmbedded } from "../page/embed";
import * as look from "../page/look";
import { msg } from "../page/messages";
import { asked, change, on, same, state } from "../page/state";
import { keep, kept } from "../page/storage";
import { opening, type Seen, setDrawer } from "../page/workbench";
import * as charts from "../timeline/charts";
import type { Drawing } from "../timeline/drawing";
import { watchSize } from "../timeline/lanes";
import * as move from "../what_if/move";
import type { Asked, Result, RunRequest, Why } from "./result";

/* How the page opens, as webapp/pages/main.py says. */
interface Start {
  asked: Asked | null;
  link: string | null;
  shared: { title: string; read_only: string } | null;
  pinned: Asked | null;
  seen: Seen;
  base: string;
  example: Asked;
}
/* A recent run, as this browser keeps it. */
interface Recent extends Asked, Pick<Result, "key" | "name"> {
  names?: string[];
  at: number;
}

const MAX_SCHEDULERS = 16; // as in webapp/url/url_state.py
const MAX_RECENT = 20;
const MAX_RECENT_CHARS = 1500000;
let turn = 0; // how often something was asked for
// what was last run again by itself, when
let ranAgain: { key?: string | undefined; at: number[] } = { at: [] };
// in which the same is run again by itself so often at most: without a cache each process of the server runs
// it itself
const AGAIN_MS = 20000;
const MAX_AGAIN = 4;
let rerun: Promise<boolean> | null = null; // that run, while it is under way

/* isDone: it says no more than what is shown. */
export function says(words: string, isDone = false) {
  if (!at("run-status")) return;
  setText("run-status", words);
  the("run-status").toggleAttribute("data-done", isDone);
}

function progress(percent: number | null) {
  the("run-under-way").hidden = percent === null;
  if (percent !== null) the("run-progress", HTMLProgressElement).value = percent;
}

export function away() {
  says(msg("run.away"));
  progress(null);
}

/* Whether it came to a result. because: what stands before its progress, where nobody pressed Run. */
export function ask(what: Asked, why: Why, more: Partial<RunRequest> = {}, because = "") {
  const { pinned, optimum } = state();
  says(because || msg("run.running"));
  const request = { ...asked(what), pinned: pinned ? asked(pinned) : more.beside, optimum, why, ...more };
  return toResult(request, { because });
}

/* A request to its result; job: what is under way of it already. */
async function toResult(
  request: RunRequest,
  { job, because = "" }: { job?: jobs.Job; because?: string },
): Promise<boolean> {
  const { why, schedulers, optimum, pinned } = request;
  change({ request });
  const isChanged = why === "whatif" || why === "again";
  const window = why === "run" ? null : isChanged ? charts.looked() : state().opens;
  const coming = schedulers.length + (optimum ? 1 : 0) + (pinned?.schedulers.length ?? 0);
  change({ opens: null, coming, ...(why === "run" && { asks: null }) });
  turn += 1;
  let view = charts.viewRequest();
  try {
    const answer = await jobs.follow<jobs.Answer & { result?: Result; drawn?: Drawing }>("run", request, {
      job,
      outlives: true,
      more: () => {
        view = { ...charts.viewRequest(), window };
        return { look: view };
      },
      each: (answer) => {
        says([because, answer.says].filter(Boolean).join(" "));
        progress(answer.percent ?? 0);
      },
      away: () => says(msg("run.follow_later")),
    });
    if (!answer?.result) look.awake();
    if (!answer) return false;
    progress(null);
    says(answer.says, Boolean(answer.result));
    if (answer.lost && !request.retried)
      return ask(request, why, { ...request, retried: true }, msg("run.again"));
    if (answer.result && answer.drawn) finished(answer.result, answer.drawn, request, view);
    return Boolean(answer.result);
  } catch (error) {
    look.awake();
    away();
    if (error instanceof Error && !(error instanceof TypeError)) says(error.message);
    return false;
  }
}

/* First what is seen, at once; the rest of the page hears of the result once that is painted. */
function finished(result: Result, drawn: Drawing, request: RunRequest, drawnFor: charts.ViewRequest) {
  // one of other inputs is gone
  change({ coming: 0, result: { ...result, why: request.why }, optimum: result.optimum });
  charts.show(drawn, drawnFor);
  Promise.resolve(charts.draw()).finally(look.awake); // equal runs leave more room than was thought
  remember(result, request);
  const { asks, drawer } = state();
  if (asks) {
    const { place: index, container, waiting } = asks;
    decision.ask(waiting === null ? { index, container } : { index, waiting }, true);
  }
  change({ asks, ...(asks?.beside && { drawer }) }); // an answer may be long in coming
}

export async function again(because = "") {
  const { request } = state();
  return request !== null && ask(request, "again", { beside: request.beside }, because);
}

/* The same of what is shown and the server no longer has; who asks for it meanwhile, charts or Share,
   waits for the same run. */
export function anew(because?: string) {
  rerun ??= again(because).finally(() => {
    rerun = null;
  });
  return rerun;
}

/* The server no longer has what is shown: it is run again, which is said; not for ever, should the server
   keep nothing. */
export function lost() {
  const { result, request } = state();
  if (!request || jobs.isFollowed("run") || rerun) return;
  const key = result?.key;
  const now = performance.now(); // whatever the clock is set to
  const before = ranAgain.key === key ? ranAgain.at.filter((ms) => now - ms < AGAIN_MS) : [];
  if (before.length >= MAX_AGAIN) return says(msg("run.can_not_keep"));
  ranAgain = { key, at: [...before, now] };
  anew(msg("shared.running_it_again"));
}

/* Load something else into the editor and run it. */
export function open(what: Asked & { assumed?: Told[] }, why: Why, more?: Partial<RunRequest>) {
  setProps("load", { data: { ...asked(what), assumed: what.assumed ?? [] } });
  return ask(what, why, more);
}

/* What keeps the draft from being run. */
const wrong = () => {
  const { faults, unknown } = state();
  const sentences = faults?.map(({ sentence }) => sentence) ?? [];
  return [...sentences, ...unknown, measured.wrong(state())].filter(Boolean);
};

/* Press Run: what is composed is run, or the first fault is shown. */
function press() {
  const { draft, faults } = state();
  if (!draft) return;
  if (wrong().length) {
    change({ rail: true, pane: "editor" });
    const first = faults?.length && document.querySelector<HTMLElement>("#editor-faults li button");
    const measuredFix = () => document.querySelector<HTMLElement>("#schedulers-measured button");
    return requestAnimationFrame(() =>
      first ? first.click() : (measuredFix() ?? the("schedulers")).focus(),
    );
  }
  setText("notice", "");
  change({ pane: "result" });
  if (state().phone) setDrawer({ open: false }); // it has room for one of them
  ask(draft, "run");
}

/* Another choice of schedulers is run at once. */
function choose(schedulers: string[]) {
  const { draft } = state();
  if (!draft) return;
  change({ draft: { ...draft, schedulers } });
  press();
}

/* How many errors there are, and the first of them. */
function faultsText([fault = "", ...others]: string[]) {
  if (!others.length) return msg("run.fix_one", { faults: fault });
  const faults = msg("run.and_more", { fault, count: others.length });
  return msg("run.fix", { count: others.length + 1, faults });
}

/* Why Run would do nothing, or that the inputs have changed since the run shown. */
function reason() {
  const button = at("run");
  if (!button) return;
  const { draft, request } = state();
  const faults = wrong();
  const isFaulty = faults.length > 0;
  const sliders = isFaulty ? null : move.shown(draft, request);
  const isChanged = draft !== null && request !== null && !same(asked(draft), asked(request));
  const isStale = !isFaulty && isChanged && !sliders;
  const hint = sliders ?? (isChanged ? msg("run.inputs_changed") : "");
  const [first = ""] = faults;
  // nothing is wrong with a draft that is only begun
  const isBegun = faults.length === 1 && Boolean(state().faults?.[0]?.missing);
  setText("run-reason", isBegun ? first : isFaulty ? faultsText(faults) : hint);
  const kind = isStale || isBegun ? " reason-stale" : isFaulty ? " reason-fault" : "";
  the("run-reason").className = `reason${kind}`;
  button.classList.toggle("is-blocked", isFaulty);
  button.classList.toggle("is-off", isBegun);
  button.classList.toggle("is-stale", isStale || Boolean(sliders));
}

export const recents = () => kept<Recent[]>("recent") ?? [];

/* A link opens as it is; else the visitor's own draft; else the example, which the editor fills in by
   itself. */
async function begin(start: Start) {
  const readOnly = start.shared?.read_only ?? "";
  change({ base: start.base, readOnly, ...opening(start.seen) });
  watchSize();
  const own = isEmbedded() ? null : await readDraft();
  if (start.pinned) pinThis(start.pinned);
  const lastGood = () => recents().find((entry) => entry.scenario) ?? start.example;
  const before = isEmbedded() ? null : jobs.outlived<RunRequest>("run");
  if (before?.address === location.search && !readOnly) {
    says(msg("run.following"));
    if (await toResult(before.request, { job: before.job })) return;
    if (turn > 1) return; // something else was asked for meanwhile
    const reason = the("run-status").textContent ?? "";
    if (!start.asked) {
      if (reason !== msg("shared.cancelled_previous_result_still_shown"))
        setText("notice", msg("run.earlier_run", { reason }));
      return ask(lastGood(), "recent"); // it was cancelled or is lost: it is not begun again
    }
  }
  if (start.asked) {
    if (own && !readOnly && !same(asked(own), asked(start.asked))) setText("notice", msg("run.link"));
    return open(start.asked, "link", { link: readOnly ? null : start.link }); // a copy has its own address
  }
  if (isEmbedded()) return open(start.example, "example");
  if (!own || same(asked(own), asked(start.example))) return ask(start.example, "example");
  return ask(own, "draft", { spare: asked(lastGood()) });
}

/* A scheduler's text as people read it, of those that the result shows. */
export const displayName = (text: string) => state().result?.display_names[text] || text;
/* In a sentence; by semicolons where a name has a comma. */
export const listed = (names: string[]) =>
  names.join(names.some((name) => name.includes(", ")) ? "; " : ", ");

/* Newest first, without doubles, and small enough for the browser's store. */
function remember({ key, name, schedulers, display_names }: Result, { why, scenario }: RunRequest) {
  if (state().readOnly || isEmbedded() || ["example", "whatif", "again"].includes(why)) return;
  const names = schedulers.map((scheduler) => display_names[scheduler] ?? scheduler);
  const newest: Recent = { key, name, schedulers, names, at: Date.now(), scenario };
  const entries = [newest, ...recents().filter((old) => old.key !== key)].slice(0, MAX_RECENT);
  let room = MAX_RECENT_CHARS;
  // one too large leaves room to the others
  const data = entries.filter((entry) => {
    const { length } = JSON.stringify(entry);
    if (length > room) return false;
    room -= length;
    return true;
  });
  // the oldest make room where the browser has no more
  while (!keep("recent", data) && data.length) data.pop();
}

/* A list of them to choose from. */
export const recentItems = (entries: Recent[], chosen: (entry: Recent) => unknown) =>
  entries.map((entry, index) => h("li", { "data-recent": index }, recentButton(entry, chosen)));

function recentButton(entry: Recent, chosen: (entry: Recent) => unknown) {
  const { name, schedulers, names = schedulers } = entry;
  const done = new Date(entry.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return h(
    "button",
    { onclick: () => chosen(entry) },
    h("strong", {}, name || msg("shared.untitled")),
    h("span", { title: listed(schedulers) }, listed(names)),
    h("span", { class: "quiet" }, done),
  );
}

function listRecent() {
  const items = recentItems(recents(), (entry) => {
    setProps("recent-drawer", { opened: false });
    open(entry, "recent");
  });
  // once the drawer has opened
  when(
    () => at("recent-list"),
    () =>
      the("recent-list").replaceChildren(
        ...(items.length ? items : [h("li", { class: "quiet" }, msg("run.none_yet"))]),
      ),
  );
  return true;
}

/* What is compared with stays in this tab until that is stopped, goes with every run, and into links. */
export const pinThis = ({ scenario, schedulers }: Asked) =>
  change({ pinned: { scenario, schedulers, name: String(scenario.name || msg("shared.untitled")) } });

export function listen() {
  on(["draft", "faults", "outline", "unknown", "request", "result", "sliders"], reason);
  hear("click", "#run", press);
  hear("click", "#cancel", () => {
    if (!jobs.isFollowed("run")) return;
    jobs.cancel("run").catch(away);
    says(msg("shared.cancelling"));
  });
  hear("click", "[data-add-schedulers]", ({ dataset: { addSchedulers = "" } }) => {
    const chosen = new Set([...(state().draft?.schedulers ?? []), ...addSchedulers.split(" ")]);
    choose([...chosen].slice(0, MAX_SCHEDULERS));
  });
  hear("click", "[data-first-schedulers]", ({ dataset: { firstSchedulers } }) =>
    choose(state().draft?.schedulers.slice(0, Number(firstSchedulers)) ?? []),
  );
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) at("run")?.click();
  });
  callbacks({
    boot(start: Start | null) {
      if (start) begin(start);
      return noUpdate();
    },
    listRecent,
    runAgain: (sent: unknown) => void (sent && lost()),
  });
}
