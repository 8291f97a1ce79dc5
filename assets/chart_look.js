/* How wide charts that the server draws are, and in which colours: told again when that changes, and only then. */
(function () {
  "use strict";
  const none = () => window.dash_clientside.no_update;
  const SETTLED_MS = 200;

  /* page: what is watched; room: as wide as a chart; store: what is told; more(): what else a chart depends on. */
  window.gantryLook = function (page, room, store, more) {
    let scheme = null;
    let watched = null;
    let told = "";
    let timer = 0;

    const fresh = function () {
      const place = document.querySelector(room);
      if (!place || !scheme) return null;
      const now = { width: Math.floor(place.clientWidth / 10) * 10, dark: scheme === "dark", ...(more ? more() : {}) };
      const text = JSON.stringify(now);
      if (text === told) return null;
      told = text;
      return now;
    };

    const tell = function () {
      const now = fresh();
      if (now) window.dash_clientside.set_props(store, { data: now });
    };

    const watch = function () {
      const whole = document.querySelector(page);
      if (!whole || whole === watched) return;
      watched = whole;
      told = "";
      new ResizeObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(tell, SETTLED_MS);
      }).observe(whole);
    };

    return {
      tell,
      look(now) {
        scheme = now;
        watch();
        return fresh() || none();
      },
    };
  };
})();
