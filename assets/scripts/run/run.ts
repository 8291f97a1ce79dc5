// @ts-nocheck
// biome-ignore-all lint: not converted yet
/* Runs: the page opens with a link, the visitor's draft or the example; what is composed is run, followed
   while it takes long, and can be cancelled. */
import { callbacks, noUpdate, setProps } from "../dash/dash";
import * as decision from "../decision/decision";
import { readDraft } from "../editor/draft";
import * as measured from "../editor/measured";
import * as jobs from "../jobs/follow";
import { at, h, when as when_ } from "../page/dom";
import { msg } from "../page/messages";
import { asked, change, on, same, state } from "../page/state";
import { keep, kept as kept_ } from "../page/storage";
import { opening } from "../page/workbench";
import * as charts from "../timeline/charts";
import { watchSize } from "../timeline/lanes";
import * as move from "../what_if/move";

const MAX_RECENT = 20;
const MAX_RECENT_CHARS = 1500000;
const AWAY = msg("run.away");
const FOLLOWS = msg("run.follow_later");
let turn = 0; // how often something was asked for
let ranAgain = { key: null, at: [] }; // the result that was last run again by itself, and when
// in which the same is run again by itself so often at most: without a cache each process of the server runs
// it itself
const AGAIN_MS = 20000;
let rerun = null; // that run, while it is under way
const MAX_AGAIN = 4;
const KEPT_WORK = "gantry-work"; // in this tab's own storage: what it follows, so that a reload follows on

const says = (words) => at("run-status") && (at("run-status").textContent = words);

const progress = function (now) {
  at("run-under-way").hidden = !now;
  if (now) at("run-progress").value = now.percent;
};

export const away = () => (says(AWAY), progress(null));

/* What this tab follows, for a reload; a browser that keeps nothing runs it again. */
const keepWork = (found) =>
  keep(KEPT_WORK, found && { ...found, address: location.search }, () => sessionStorage);

/* why: "run", "link", "draft", "example", "recent", "whatif" or "again"; more: {link, spare}. Returns
   whether it came to a result. */
export const ask = function (what, why, more = {}) {
  const { pinned, optimum } = state();
  const beside = (more && more.beside) || what.beside; // shown as if it were pinned, by this request alone
  const request = { ...asked(what), pinned: pinned ? asked(pinned) : beside, optimum, why, ...more, beside };
  says(more && more.words ? more.words : msg("run.running"));
  return toResult(request);
};

/* A request to its result; job: what is under way of it already. */
const toResult = async function (request, job) {
  const { why } = request;
  change({ request });
  const window_ =
    why === "run" ? null : why === "whatif" || why === "again" ? charts.looked() : state().opens || null;
  change({
    opens: null,
    coming:
      request.schedulers.length +
      (request.optimum ? 1 : 0) +
      (request.pinned ? request.pinned.schedulers.length : 0),
  });
  let look;
  turn += 1;
  try {
    const answer = await jobs.follow(
      "run",
      { ...request, beside: undefined },
      {
        job,
        more: () => ({ look: (look = { ...charts.viewRequest(), window: window_ }) }),
        each(answer) {
          says(answer.says);
          progress(answer);
          keepWork({ job: answer.job, request });
        },
        away: () => says(FOLLOWS),
      },
    );
    if (!answer) return false;
    progress(null);
    keepWork(null);
    says(answer.says);
    if (answer.lost && !request.retried)
      return ask(request, why, { ...request, retried: true, words: msg("run.again") });
    if (answer.result) finished(answer, request, look);
    return Boolean(answer.result);
  } catch (error) {
    if (error instanceof TypeError) away();
    else says(error.message), progress(null);
    return false;
  }
};

/* First what is seen, at once; the rest of the page hears of the result once that is painted. */
const finished = function ({ result, drawn }, request, look) {
  // one of other inputs is gone
  change({ coming: 0, result: { ...result, why: request.why }, optimum: result.optimum });
  charts.show(drawn, look);
  charts.draw(); // equal runs leave more room than was thought
  remember(result, request);
  const { asks, drawer } = state();
  if (asks) decision.ask({ index: asks.place, container: asks.container }, true);
  change({ asks: null, ...(asks && asks.beside ? { drawer } : {}) });
};

export const again = async () => Boolean(state().request) && ask(state().request, "again");

/* The same of what is shown and the server no longer has; who asks for it meanwhile, charts or Share,
   waits for the same run. */
export const anew = function (more = {}) {
  rerun ||= Promise.resolve(state().request && ask(state().request, "again", more)).finally(
    () => (rerun = null),
  );
  return rerun;
};

/* The server no longer has what is shown: it is run again, which is said; not for ever, should the server
   keep nothing. */
export const lost = function () {
  const { result, request } = state();
  if (!request || jobs.isFollowed("run") || rerun) return;
  const key = result && result.key;
  const now = performance.now(); // whatever the clock is set to
  const before = ranAgain.key === key ? ranAgain.at.filter((at_) => now - at_ < AGAIN_MS) : [];
  if (before.length >= MAX_AGAIN) return says(msg("run.can_not_keep"));
  ranAgain = { key, at: [...before, now] };
  anew({ words: msg("shared.running_it_again") });
};

/* Load something else into the editor and run it. */
export const open = function (what, why, more = {}) {
  setProps("load", { data: { ...asked(what), assumed: what.assumed || [] } });
  return ask(what, why, more);
};

/* Press Run: what is composed is run, or the first fault is shown. */
const press = function () {
  const { draft, faults, unknown } = state();
  if (!draft) return;
  const unmeasured = measured.wrong(state());
  if ((faults || []).length || (unknown || []).length || unmeasured) {
    change({ rail: true, pane: "editor" });
    const first = document.querySelector("#editor-faults li button");
    return requestAnimationFrame(() =>
      (faults || []).length && first
        ? first.click()
        : (document.querySelector("#schedulers-measured button") || at("schedulers")).focus(),
    );
  }
  if (at("notice")) at("notice").textContent = "";
  change({ pane: "result" });
  ask(draft, "run");
};

/* How many errors there are, and the first of them. */
const faultsText = function ([first, ...others]) {
  if (!others.length) return msg("run.fix_one", { faults: first });
  const faults = msg("run.and_more", { fault: first, count: others.length });
  return msg("run.fix", { count: others.length + 1, faults });
};

/* Why Run would do nothing, or that the inputs have changed since the run shown. */
const reason = function () {
  const { draft, faults, unknown, request } = state();
  if (!at("run")) return;
  const wrong = [
    ...(faults || []).map((fault) => fault.sentence),
    ...(unknown || []),
    ...[measured.wrong(state())].filter(Boolean),
  ];
  const changed = draft && request && !same(asked(draft), asked(request));
  const sliders = wrong.length ? null : move.shown(draft, request);
  const words = wrong.length ? faultsText(wrong) : sliders || (changed ? msg("run.inputs_changed") : "");
  at("run-reason").textContent = words;
  at("run-reason").className = wrong.length
    ? "reason reason-fault"
    : changed && !sliders
      ? "reason reason-stale"
      : "reason";
  at("run").classList.toggle("is-blocked", wrong.length > 0);
  at("run").classList.toggle("is-stale", !wrong.length && Boolean(sliders || changed));
};

const lastGood = () => (kept_("recent") || []).find((entry) => entry.scenario);

/* A link opens as it is; else the visitor's own draft; else the example, which the editor fills in by
   itself. */
const begin = async function (start) {
  change({ base: start.base, ...opening(start.seen) });
  watchSize();
  const own = await readDraft();
  if (start.pinned) pinThis(start.pinned);
  const kept = kept_(KEPT_WORK, () => sessionStorage);
  keepWork(null);
  if (kept && kept.job && kept.request && kept.address === location.search) {
    says(msg("run.following"));
    if (await toResult(kept.request, kept.job)) return;
    if (turn > 1) return; // something else was asked for meanwhile
    const said = at("run-status").textContent;
    if (!start.asked) {
      if (said !== msg("shared.cancelled_previous_result_still_shown"))
        at("notice").textContent = msg("run.earlier_run", { reason: said });
      return ask(lastGood() || start.example, "draft"); // it was cancelled or is lost: it is not begun again
    }
  }
  if (start.asked) {
    if (own && !same(asked(own), asked(start.asked))) at("notice").textContent = msg("run.link");
    return open(start.asked, "link", { link: start.link });
  }
  if (!own || same(asked(own), asked(start.example))) return ask(start.example, "example");
  return ask(own, "draft", { spare: asked(lastGood() || start.example) });
};

/* A scheduler's text as people read it, of those that the result shows. */
export const displayName = (text) => ((state().result || {}).display_names || {})[text] || text;
/* In a sentence; by semicolons where a name has a comma. */
const listed = (names) => names.join(names.some((name) => name.includes(", ")) ? "; " : ", ");

/* Newest first, without doubles, and small enough for the browser's store. */
const remember = function (result, request) {
  if (["example", "whatif", "again"].includes(request.why)) return;
  const entry = {
    key: result.key,
    name: result.name,
    schedulers: result.schedulers,
    names: result.schedulers.map((name) => (result.display_names || {})[name] || name),
    at: Date.now(),
    scenario: request.scenario,
  };
  const kept = [entry, ...(kept_("recent") || []).filter((old) => old.key !== entry.key)].slice(
    0,
    MAX_RECENT,
  );
  let room = MAX_RECENT_CHARS;
  const fits = (chars) => chars <= room && ((room -= chars), true);
  // one too large leaves room to the others
  setProps("recent", { data: kept.filter((one) => fits(JSON.stringify(one).length)) });
};

const listRecent = function (clicks, recent) {
  const entries = (recent || []).map((entry, index) => {
    const when = new Date(entry.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const button = h(
      "button",
      { type: "button", onclick: () => shut(() => open(entry, "recent")) },
      h("strong", {}, entry.name || msg("shared.untitled")),
      h("span", { title: listed(entry.schedulers) }, listed(entry.names || entry.schedulers)),
      h("span", { class: "quiet" }, when),
    );
    const beside = h(
      "button",
      {
        type: "button",
        class: "beside",
        title: msg("run.pin_this"),
        onclick: () => shut(() => (pinThis(entry), again())),
      },
      msg("run.show_beside"),
    );
    return h("li", { "data-recent": index }, button, beside);
  });
  const items = entries.length ? entries : [h("li", { class: "quiet" }, msg("run.none_yet"))];
  // once the drawer has opened
  when_(
    () => at("recent-list"),
    () => at("recent-list").replaceChildren(...items),
  );
  return true;
};
const shut = (then) => (setProps("recent-drawer", { opened: false }), then());

/* What is pinned stays in this tab until it is unpinned, goes with every run, and into links. */
export const pinThis = ({ scenario, schedulers }) =>
  change({ pinned: { scenario, schedulers, name: scenario.name || msg("shared.untitled") } });
const pin = function () {
  const { pinned, request, result } = state();
  if (!pinned) return request && result && pinThis(request);
  change({ pinned: null });
  return result.pinned ? again() : undefined;
};

export function listen() {
  on(["pinned", "result"], ({ pinned, result }) => {
    if (!at("pin")) return;
    at("pin").setAttribute("aria-pressed", String(Boolean(pinned)));
    at("pin-words").textContent = pinned ? msg("run.unpin") : msg("run.pin");
    const hint = result && result.pinned ? msg("run.pinned_and_shown") : msg("run.pinned_only");
    at("pin-says").textContent = pinned
      ? msg("run.pinned", {
          name: pinned.name,
          schedulers: listed(pinned.schedulers.map(displayName)),
          hint,
        })
      : "";
  });

  on(["draft", "faults", "outline", "unknown", "request", "result", "sliders"], reason);

  document.addEventListener("click", ({ target }) => {
    if (target.closest("#run")) press();
    if (target.closest("#cancel") && jobs.isFollowed("run")) {
      jobs.cancel("run").catch(away);
      says(msg("shared.cancelling"));
    }
    if (target.closest("#pin")) pin();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && at("run")) at("run").click();
  });

  callbacks({
    boot(start) {
      if (start) begin(start);
      return noUpdate();
    },
    listRecent,
    runAgain: (at_) => void (at_ && lost()),
  });
}
