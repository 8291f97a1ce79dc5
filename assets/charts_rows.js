/* Rows and what is highlighted: how rows are arranged, names found, phases and rows chosen. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});
  const none = () => window.dash_clientside.no_update;
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const KINDS = ["job", "user", "queue", "node", "rack", "phase"];
  const MOST_NAMES = 5000;
  const DEFAULT = { by: "lane", sort: "order", find: "" };

  let arranged = { ...DEFAULT, opened: [] };

  const arrange = function (by, sort, find) {
    const wish = { by: by || "lane", sort: sort || "order", find: find || "" };
    if (Object.keys(wish).every((key) => wish[key] === arranged[key])) return none();
    arranged = { ...wish, opened: wish.by === arranged.by ? arranged.opened : [] };
    return arranged;
  };

  const arrangedNow = function (data) {
    arranged = { ...DEFAULT, opened: [], ...(data || {}) };
    return [arranged.by, arranged.sort, arranged.find];
  };

  /* A row that holds all of a node or job shows its lanes instead, or the other way round. */
  gantry.turn = function (name) {
    const opened = arranged.opened.includes(name) ? arranged.opened.filter((one) => one !== name) : [...arranged.opened, name];
    arranged = { ...arranged, opened };
    set("arranged", { data: arranged });
  };

  const plain = (highlight) => (highlight || "").replace(/^job:/, "");
  const finder = (result, highlight) => [(result && result.names) || [], plain(highlight)];

  /* What is typed counts once it is a name; the list may not hold all names of a large batch. */
  const found = function (name, highlight, result) {
    if (!name) return highlight ? null : none();
    if (name === plain(highlight)) return none();
    if (/.+\/\d+\/(am|map|reduce)\/\d+/.test(name)) {
      goTo(name);
      return none();
    }
    if (KINDS.some((kind) => name.startsWith(`${kind}:`) && name.length > kind.length + 1)) return known(name, result) ? name : none();
    const jobs = (result && result.jobs) || [];
    return jobs.length < MOST_NAMES && !jobs.includes(name) ? none() : `job:${name}`;
  };

  const known = (name, result) => ((result && result.names) || []).some((group) => (group.items || [group]).includes(name)) || ((result && result.jobs) || []).length >= MOST_NAMES;

  const goTo = async function (name) {
    const answer = await gantry.charts.post("find", { ...gantry.charts.want(), index: 0, name });
    if (!answer || !answer.text) return;
    const chart = gantry.charts.all()[0].closest(".chart");
    chart.focus();
    gantry.charts.focusOn(answer);
  };

  /* A click on a job in the table highlights it, a second click clears it. */
  const pickJob = function (cell, highlight) {
    if (!cell || !cell.rowId) return none();
    return highlight === `job:${cell.rowId}` ? null : `job:${cell.rowId}`;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-select]");
    if (button) set("highlight", { data: button.getAttribute("aria-pressed") === "true" ? null : button.dataset.select });
  });

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { arrange, arrangedNow, finder, found, pickJob });
})();
