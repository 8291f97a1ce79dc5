/* The pages of the experiments: large type, which stays chosen, and the keys of a class. */
(function () {
  "use strict";
  const KEPT = "gantry-large-type";
  const root = document.documentElement;
  const large = () => root.dataset.type === "large";
  const paper = window.gantryLook(".paper", ".paper-room", "paper-look", () => ({ large: large() }));

  const put = function (on) {
    if (on) root.dataset.type = "large";
    else delete root.dataset.type;
  };

  const kept = function () {
    try {
      return localStorage.getItem(KEPT) === "1";
    } catch {
      return false; // storage that is refused: the choice lasts as long as the page
    }
  };

  const largeType = function (clicks) {
    if (clicks) {
      put(!large());
      try {
        localStorage.setItem(KEPT, large() ? "1" : "0");
      } catch {
        // as above
      }
      paper.send();
    }
    return String(large());
  };

  const KEYS = { ArrowLeft: "paper-before", ArrowRight: "paper-after", l: "large-type", L: "large-type" };

  document.addEventListener("keydown", (event) => {
    if (!document.querySelector(".paper") || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select, [role=region]")) return; // there arrows move in what is focused
    const way = document.getElementById(KEYS[event.key]);
    if (!way) return;
    event.preventDefault();
    way.click();
  });

  put(kept());
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { paperLook: paper.look, largeType });
})();
