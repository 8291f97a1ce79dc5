/* Runs: the page opens with a link, the visitor's draft or the example; what is composed is run, followed
   while it takes long, and can be cancelled. */
const { h, at, asked } = gantry;
const MAX_RECENT = 20;
const MAX_RECENT_CHARS = 1500000;
const AWAY = gantry.msg("run.away");
const FOLLOWS = gantry.msg("run.follow_later");
let turn = 0; // the newest request; older answers are dropped
let work = null;
let ranAgain = { key: null, at: [] }; // the result that was last run again by itself, and when
// in which the same is run again by itself so often at most: without a cache each process of the server runs
// it itself
const AGAIN_MS = 20000;
let rerun = null; // that run, while it is under way
const MAX_AGAIN = 4;
const BACK_MS = 2000; // before a server that does not answer is asked again
const KEPT_WORK = "gantry-work"; // in this tab's own storage: what it follows, so that a reload follows on

const says = (words) => at("run-status") && (at("run-status").textContent = words);

const progress = function (now) {
  work = now ? now.work : null;
  at("run-under-way").hidden = !now;
  if (now) at("run-progress").value = now.percent;
};

const away = () => (says(AWAY), progress(null));

const post = async function (path, body) {
  const answer = await gantry.post(`${gantry.state.base}runs/${path}`, body);
  // a proxy says that the server is away, as a connection does that fails
  if (answer.status >= 500) throw new TypeError(answer.statusText);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
};

/* The same, once more where the very process that was to answer has gone: another one does. */
const postTwice = async function (path, body) {
  try {
    return await post(path, body);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    await gantry.wait(BACK_MS / 4);
    return post(path, body);
  }
};

/* The same of work that goes on whether this page hears of it or not: asked until the server is back,
   unless isCurrent() no longer holds. */
const postOn = async function (path, body, isCurrent) {
  for (;;) {
    try {
      return await post(path, body);
    } catch (error) {
      if (!(error instanceof TypeError) || !isCurrent()) throw error;
      says(FOLLOWS);
      await gantry.wait(BACK_MS);
      if (!isCurrent()) throw error;
    }
  }
};

/* What this tab follows, for a reload; a browser that keeps nothing runs it again. */
const keepWork = function (found) {
  try {
    if (found)
      sessionStorage.setItem(KEPT_WORK, JSON.stringify({ ...found, address: window.location.search }));
    else sessionStorage.removeItem(KEPT_WORK);
  } catch {
    return;
  }
};
const keptWork = function () {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT_WORK));
  } catch {
    return null;
  }
};

/* why: "run", "link", "draft", "example", "recent", "whatif" or "again"; more: {link, spare}. Returns
   whether it came to a result. */
const ask = function (what, why, more) {
  if (work) post("cancel", { id: work.id }).catch(away);
  const { pinned, optimum } = gantry.state;
  const beside = (more && more.beside) || what.beside; // shown as if it were pinned, by this request alone
  const request = { ...asked(what), pinned: pinned ? asked(pinned) : beside, optimum, why, ...more, beside };
  says(more && more.words ? more.words : gantry.msg("run.running"));
  return follow(request, (look) => postTwice("start", { ...request, beside: undefined, look }));
};

/* A request to its result; first: what asks the server for it at first, the rest is followed. */
const follow = async function (request, first) {
  const ticket = ++turn;
  const { why } = request;
  gantry.change({ request });
  const window_ =
    why === "run"
      ? null
      : why === "whatif" || why === "again"
        ? gantry.charts.looked()
        : gantry.state.opens || null;
  gantry.change({
    opens: null,
    coming:
      request.schedulers.length +
      (request.optimum ? 1 : 0) +
      (request.pinned ? request.pinned.schedulers.length : 0),
  });
  try {
    let look = { ...gantry.charts.viewRequest(), window: window_ };
    let answer = await first(look);
    while (ticket === turn && answer.work) {
      says(answer.says);
      progress(answer);
      keepWork({ work: answer.work, request });
      if (answer.wait) await gantry.wait(answer.wait);
      if (ticket !== turn) return false;
      look = { ...gantry.charts.viewRequest(), window: window_ };
      // of what is done in that very process it comes as soon as it is done
      answer = await postOn("follow", { work: answer.work, look }, () => ticket === turn);
    }
    if (ticket !== turn) return false;
    progress(null);
    keepWork(null);
    says(answer.says);
    if (answer.lost && !request.retried)
      return ask(request, why, { ...request, retried: true, words: gantry.msg("run.again") });
    if (answer.result) finished(answer, request, look);
    return Boolean(answer.result);
  } catch (error) {
    if (ticket !== turn) return false;
    if (error instanceof TypeError) away();
    else (says(error.message), progress(null));
    return false;
  }
};

/* First what is seen, at once; the rest of the page hears of the result once that is painted. */
const finished = function ({ result, drawn }, request, look) {
  // one of other inputs is gone
  gantry.change({ coming: 0, result: { ...result, why: request.why }, optimum: result.optimum });
  gantry.charts.show(drawn, look);
  gantry.charts.draw(); // equal runs leave more room than was thought
  remember(result, request);
  const { asks, drawer } = gantry.state;
  if (asks) gantry.decision.ask({ index: asks.place, container: asks.container }, true);
  gantry.change({ asks: null, ...(asks && asks.beside ? { drawer } : {}) });
};

const again = async () => Boolean(gantry.state.request) && ask(gantry.state.request, "again");

/* The same of what is shown and the server no longer has; who asks for it meanwhile, charts or Share,
   waits for the same run. */
const anew = function (more) {
  rerun ||= Promise.resolve(gantry.state.request && ask(gantry.state.request, "again", more)).finally(
    () => (rerun = null),
  );
  return rerun;
};

/* The server no longer has what is shown: it is run again, which is said; not for ever, should the server
   keep nothing. */
const lost = function () {
  const { result, request } = gantry.state;
  if (!request || work || rerun) return;
  const key = result && result.key;
  const now = performance.now(); // whatever the clock is set to
  const before = ranAgain.key === key ? ranAgain.at.filter((at_) => now - at_ < AGAIN_MS) : [];
  if (before.length >= MAX_AGAIN) return says(gantry.msg("run.can_not_keep"));
  ranAgain = { key, at: [...before, now] };
  anew({ words: gantry.msg("shared.running_it_again") });
};

/* Load something else into the editor and run it. */
const open = function (what, why, more) {
  gantry.put("load", { data: { ...asked(what), assumed: what.assumed || [] } });
  return ask(what, why, more);
};

/* Press Run: what is composed is run, or the first fault is shown. */
const press = function () {
  const { draft, faults, unknown } = gantry.state;
  if (!draft) return;
  const unmeasured = gantry.measured.wrong(gantry.state);
  if ((faults || []).length || (unknown || []).length || unmeasured) {
    gantry.change({ rail: true, pane: "editor" });
    const first = document.querySelector("#editor-faults li button");
    return requestAnimationFrame(() =>
      (faults || []).length && first
        ? first.click()
        : (document.querySelector("#schedulers-measured button") || at("schedulers")).focus(),
    );
  }
  if (at("notice")) at("notice").textContent = "";
  gantry.change({ pane: "result" });
  ask(draft, "run");
};

/* How many errors there are, and the first of them. */
const faultsText = function ([first, ...others]) {
  if (!others.length) return gantry.msg("run.fix_one", { faults: first });
  const faults = gantry.msg("run.and_more", { fault: first, count: others.length });
  return gantry.msg("run.fix", { count: others.length + 1, faults });
};

/* Why Run would do nothing, or that the inputs have changed since the run shown. */
const reason = function () {
  const { draft, faults, unknown, request } = gantry.state;
  if (!at("run")) return;
  const wrong = [
    ...(faults || []).map((fault) => fault.sentence),
    ...(unknown || []),
    ...[gantry.measured.wrong(gantry.state)].filter(Boolean),
  ];
  const changed = draft && request && !gantry.same(asked(draft), asked(request));
  const sliders = wrong.length ? null : gantry.whatif.shown(draft, request);
  const words = wrong.length
    ? faultsText(wrong)
    : sliders || (changed ? gantry.msg("run.inputs_changed") : "");
  at("run-reason").textContent = words;
  at("run-reason").className = wrong.length
    ? "reason reason-fault"
    : changed && !sliders
      ? "reason reason-stale"
      : "reason";
  at("run").classList.toggle("is-blocked", wrong.length > 0);
  at("run").classList.toggle("is-stale", !wrong.length && Boolean(sliders || changed));
};

const lastGood = () => (gantry.kept("recent") || []).find((entry) => entry.scenario);

/* A link opens as it is; else the visitor's own draft; else the example, which the editor fills in by
   itself. */
const begin = async function (start) {
  gantry.change({ base: start.base, ...gantry.opening(start.seen) });
  gantry.watchSize();
  const own = await gantry.readDraft();
  if (start.pinned) pinThis(start.pinned);
  const kept = keptWork();
  keepWork(null);
  if (kept && kept.work && kept.request && kept.address === window.location.search) {
    says(gantry.msg("run.following"));
    if (await follow(kept.request, (look) => postTwice("follow", { work: kept.work, look }))) return;
    if (turn > 1) return; // something else was asked for meanwhile
    const said = at("run-status").textContent;
    if (!start.asked) {
      if (said !== gantry.msg("shared.cancelled_previous_result_still_shown"))
        at("notice").textContent = gantry.msg("run.earlier_run", { reason: said });
      return ask(lastGood() || start.example, "draft"); // it was cancelled or is lost: it is not begun again
    }
  }
  if (start.asked) {
    if (own && !gantry.same(asked(own), asked(start.asked)))
      at("notice").textContent = gantry.msg("run.link");
    return open(start.asked, "link", { link: start.link });
  }
  if (!own || gantry.same(asked(own), asked(start.example))) return ask(start.example, "example");
  return ask(own, "draft", { spare: asked(lastGood() || start.example) });
};

/* A scheduler's text as people read it, of those that the result shows. */
gantry.displayName = (text) => ((gantry.state.result || {}).display_names || {})[text] || text;
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
  const kept = [entry, ...(gantry.kept("recent") || []).filter((old) => old.key !== entry.key)].slice(
    0,
    MAX_RECENT,
  );
  let room = MAX_RECENT_CHARS;
  const fits = (chars) => chars <= room && ((room -= chars), true);
  // one too large leaves room to the others
  gantry.put("recent", { data: kept.filter((one) => fits(JSON.stringify(one).length)) });
};

const listRecent = function (clicks, recent) {
  const entries = (recent || []).map((entry, index) => {
    const when = new Date(entry.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const button = h(
      "button",
      { type: "button", onclick: () => shut(() => open(entry, "recent")) },
      h("strong", {}, entry.name || gantry.msg("shared.untitled")),
      h("span", { title: listed(entry.schedulers) }, listed(entry.names || entry.schedulers)),
      h("span", { class: "quiet" }, when),
    );
    const beside = h(
      "button",
      {
        type: "button",
        class: "beside",
        title: gantry.msg("run.pin_this"),
        onclick: () => shut(() => (pinThis(entry), again())),
      },
      gantry.msg("run.show_beside"),
    );
    return h("li", { "data-recent": index }, button, beside);
  });
  const items = entries.length ? entries : [h("li", { class: "quiet" }, gantry.msg("run.none_yet"))];
  // once the drawer has opened
  gantry.when(
    () => at("recent-list"),
    () => at("recent-list").replaceChildren(...items),
  );
  return true;
};
const shut = (then) => (gantry.put("recent-drawer", { opened: false }), then());

/* What is pinned stays in this tab until it is unpinned, goes with every run, and into links. */
const pinThis = ({ scenario, schedulers }) =>
  gantry.change({ pinned: { scenario, schedulers, name: scenario.name || gantry.msg("shared.untitled") } });
const pin = function () {
  const { pinned, request, result } = gantry.state;
  if (!pinned) return request && result && pinThis(request);
  gantry.change({ pinned: null });
  return result.pinned ? again() : undefined;
};
gantry.on(["pinned", "result"], ({ pinned, result }) => {
  if (!at("pin")) return;
  at("pin").setAttribute("aria-pressed", String(Boolean(pinned)));
  at("pin-words").textContent = pinned ? gantry.msg("run.unpin") : gantry.msg("run.pin");
  const hint = result && result.pinned ? gantry.msg("run.pinned_and_shown") : gantry.msg("run.pinned_only");
  at("pin-says").textContent = pinned
    ? gantry.msg("run.pinned", {
        name: pinned.name,
        schedulers: listed(pinned.schedulers.map(gantry.displayName)),
        hint,
      })
    : "";
});

gantry.on(["draft", "faults", "outline", "unknown", "request", "result", "sliders"], reason);

document.addEventListener("click", ({ target }) => {
  if (target.closest("#run")) press();
  if (target.closest("#cancel") && work) {
    post("cancel", { id: work.id }).catch(away);
    says(gantry.msg("shared.cancelling"));
  }
  if (target.closest("#pin")) pin();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && at("run")) at("run").click();
});

gantry.callbacks({
  boot(start) {
    if (start) begin(start);
    return gantry.none();
  },
  listRecent,
  runAgain: (at_) => void (at_ && lost()),
});
gantry.run = { ask, open, anew, again, lost, away, pinThis };
