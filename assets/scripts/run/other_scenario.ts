/* Another scenario beside the one shown: the dialog that chooses it, and the line that says which it is
   and what differs. What is chosen is run under the schedulers shown; it is `pinned` in the state and in
   links. */
import { chooseFiles, read } from "../editor/files";
import * as measured from "../editor/measured";
import { at, h, hear } from "../page/dom";
import { msg } from "../page/messages";
import { change, on, type State, same, state } from "../page/state";
import { openTab } from "../page/workbench";
import type { Asked, Scenario } from "./result";
import * as run from "./run";

const whole = ({ name, schedulers }: { name: string } & Pick<Asked, "schedulers">) =>
  msg("other_scenario.compared", { name, schedulers: run.listed(schedulers.map(run.displayName)) });

function compare(scenario: Scenario) {
  run.pinThis({ scenario, schedulers: measured.opened(scenario, state().request?.schedulers) });
  run.again();
}

function stop() {
  change({ pinned: null });
  if (state().result?.pinned) run.again();
}

/* opener: has the focus again once the dialog is closed, or the menu that it stands in. */
function choose(opener: HTMLElement) {
  const { pinned, request, result } = state();
  const onclose = () => {
    dialog.remove();
    (opener.closest("details")?.querySelector("summary") ?? opener).focus();
  };
  const label = msg("shared.compare_with_another_scenario");
  const dialog = h("dialog", { class: "other-scenario", "aria-label": label, closedby: "any", onclose });
  const says = h("p", { class: "quiet", role: "status" });
  const act = (words: string, onclick: () => unknown, disabled = false) =>
    h("button", { class: "editor-button", onclick, disabled }, words);
  const closing = (work: () => unknown) => () => {
    dialog.close();
    work();
  };
  const keep = closing(() => {
    if (request) run.pinThis(request);
    change({ rail: true, pane: "editor" });
  });
  const file = () =>
    chooseFiles(async (files) => {
      const found = await read(files, (sentence) => says.replaceChildren(sentence));
      if (found && dialog.open) closing(() => compare(found.scenario))();
    });
  const others = run.recents().filter(({ scenario }) => scenario && !same(scenario, request?.scenario));
  dialog.append(
    h("h2", {}, label),
    pinned ? h("p", {}, whole(pinned), " ", act(msg("other_scenario.stop"), closing(stop))) : "",
    act(msg("other_scenario.keep"), keep, !result),
    act(msg("other_scenario.file"), file),
    says,
    h("h3", {}, msg("other_scenario.recent")),
    others.length
      ? h(
          "ol",
          { class: "recent" },
          ...run.recentItems(others, (one) => closing(() => compare(one.scenario))()),
        )
      : h("p", { class: "quiet" }, msg("other_scenario.no_other")),
    act(msg("shared.close"), () => dialog.close()),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function show({ pinned, result }: State) {
  const room = at("compared-with");
  if (!room) return;
  if (!pinned) return room.replaceChildren();
  const { differences: lines = [], more_differences: more = 0 } = result?.pinned ? result : {};
  const count = lines.length + more;
  const all = lines.join("; ");
  const told = !result?.pinned
    ? msg("other_scenario.change")
    : !count
      ? msg("shared.scenarios_do_not_differ")
      : count === 1
        ? msg("other_scenario.one", { all })
        : msg("other_scenario.many", { count: count.toLocaleString("en"), all });
  const says = `${whole(pinned)} ${told}`;
  const entry = more
    ? msg("other_scenario.and_more", { more: more.toLocaleString("en") })
    : msg("other_scenario.in_tab");
  const details = h(
    "details",
    { class: "menu" },
    h("summary", {}, msg("other_scenario.details")),
    h(
      "div",
      { class: "menu-entries" },
      h("ul", {}, ...lines.map((line) => h("li", {}, line))),
      h("button", { onclick: () => openTab("difference") }, entry),
    ),
  );
  room.replaceChildren(h("p", { title: says }, says), count ? details : "");
}

export function listen() {
  on(["pinned", "result"], show);
  hear("click", "#compare-scenario", choose);
}
