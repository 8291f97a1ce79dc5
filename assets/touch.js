/* Fingers on a chart: one pans it sideways and scrolls the page up and down, two zoom. Taps stay clicks. */
(function () {
  "use strict";
  const gantry = (window.gantry = window.gantry || {});

  /* plotly.js would take every touch for itself, and a page of tall charts could not be scrolled. */
  gantry.touched = function (gd, view, look) {
    let from = null;

    const across = (touch) => touch.clientX - gd.getBoundingClientRect().left - gd._fullLayout.xaxis._offset;

    const begin = function (event) {
      event.stopPropagation();
      const { x0, x1 } = view();
      const perPixel = (x1 - x0) / gd._fullLayout.xaxis._length;
      from = { x0, perPixel, at: Array.from(event.touches, across) };
    };

    const move = function (event) {
      event.stopPropagation();
      const now = Array.from(event.touches, across);
      if (!from || now.length !== from.at.length || now.length > 2) return;
      const time = (place) => from.x0 + place * from.perPixel;
      const apart = now.length === 2 && Math.abs(now[1] - now[0]) > 1;
      const perPixel = apart ? Math.abs((time(from.at[1]) - time(from.at[0])) / (now[1] - now[0])) : from.perPixel;
      const x0 = time(from.at[0]) - now[0] * perPixel;
      look(x0, x0 + perPixel * gd._fullLayout.xaxis._length);
    };

    const end = function (event) {
      event.stopPropagation();
      if (event.touches.length) begin(event);
      else from = null;
    };

    for (const [name, act] of Object.entries({ touchstart: begin, touchmove: move, touchend: end, touchcancel: end })) {
      gd.addEventListener(name, act, { capture: true, passive: true });
    }
  };
})();
