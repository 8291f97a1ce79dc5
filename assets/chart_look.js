/* How wide charts that the server draws are, and in which colours: sent again when that changes, and only then. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || { parts: [] });
  const SETTLED_MS = 200;

  /* page: what is watched; frame: as wide as a chart; store: what is sent to the server; more(): what else a chart depends on. */
  gantry.look = function (page, frame, store, more) {
    let scheme = null;
    let watched = null;
    let sent = "";
    let timer = 0;

    const fresh = function () {
      const place = document.querySelector(frame);
      if (!place || !scheme) return null;
      const now = { width: Math.floor(place.clientWidth / 10) * 10, dark: scheme === "dark", ...(more ? more() : {}) };
      const text = JSON.stringify(now);
      if (text === sent) return null;
      sent = text;
      return now;
    };

    const send = function () {
      const now = fresh();
      if (now) gantry.put(store, { data: now });
    };

    const watch = function () {
      const whole = document.querySelector(page);
      if (!whole || whole === watched) return;
      watched = whole;
      sent = "";
      new ResizeObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(send, SETTLED_MS);
      }).observe(whole);
    };

    return {
      send,
      look(now) {
        scheme = now;
        watch();
        return fresh() || gantry.none();
      },
    };
  };
})();
