/* The pages of the schedulers, and the dialog that composes one. How wide their charts are and in which colours, for the server to draw them. */
(function () {
  "use strict";
  const none = () => window.dash_clientside.no_update;
  const SETTLED_MS = 200;
  let scheme = null;
  let watched = null;
  let told = "";

  const look = function () {
    const room = document.querySelector(".case-room");
    return room && scheme ? { width: Math.floor(room.clientWidth / 10) * 10, dark: scheme === "dark" } : null;
  };

  /* Only what differs from what was told last: charts that are drawn anew must not make the page draw them again. */
  const fresh = function () {
    const now = look();
    const text = JSON.stringify(now);
    if (!now || text === told) return null;
    told = text;
    return now;
  };

  const watch = function () {
    const room = document.querySelector(".guide");
    if (!room || room === watched) return;
    watched = room;
    told = "";
    let timer = 0;
    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const now = fresh();
        if (now) window.dash_clientside.set_props("guide-look", { data: now });
      }, SETTLED_MS);
    }).observe(room);
  };

  const guideLook = function (now) {
    scheme = now;
    watch();
    return fresh() || none();
  };

  /* What the sliders of the dialog say: a weight with its sign. */
  const weights = (found) => found.map((value) => (value > 0 ? `+${value}` : String(value ?? "").replace("-", "\u2212")));

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { guideLook, weights });
})();
