/* The pages of the schedulers, and the dialog that composes one. */
(function () {
  "use strict";
  const guide = window.gantryLook(".guide", ".case-room", "guide-look");

  /* What the sliders of the dialog say: a weight with its sign. */
  const weights = (found) => found.map((value) => (value > 0 ? `+${value}` : String(value ?? "").replace("-", "\u2212")));

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { guideLook: guide.look, weights });
})();
