/* What is pinned stays in this tab until it is unpinned, goes with every run that is asked for, and into links. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const none = () => window.dash_clientside.no_update;
  const set = (id, props) => window.dash_clientside.set_props(id, props);

  let kept = null;
  gantry.pinned = () => kept && { scenario: kept.scenario, schedulers: kept.schedulers };

  const keep = function (what) {
    kept = what;
    set("pinned", { data: kept });
  };

  /* Another scenario than the one shown, from a link or the list of recent runs. */
  gantry.pinThis = function (what) {
    keep({ scenario: what.scenario, schedulers: what.schedulers, name: what.scenario.name || "Untitled" });
  };

  const pin = function (clicks, pinned, request, result) {
    if (!clicks) return none();
    if (pinned) {
      kept = null;
      if (result && result.pinned) gantry.again();
      return null;
    }
    if (!request || !result) return none();
    kept = { scenario: request.scenario, schedulers: request.schedulers, name: result.name || "Untitled" };
    return kept;
  };

  const pinnedNow = function (pinned, result) {
    if (!pinned) return ["", "Pin", "default"];
    const names = pinned.schedulers.join(", ");
    const shown = result && result.pinned ? "Shown beside it: what ran last." : "Change something and run: both are shown side by side.";
    return [`Pinned: ${pinned.name} under ${names}. ${shown}`, "Unpin", "light"];
  };

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { pin, pinnedNow });
})();
