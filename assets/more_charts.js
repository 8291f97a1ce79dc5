/* More charts: how wide a card is, and a click on a job, user, queue or node highlights it everywhere. */
(function () {
  "use strict";
  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const SETTLED_MS = 200;

  const width = () => {
    const cards = document.querySelector("#pictures .pictures");
    return cards && cards.clientWidth ? Math.floor(parseFloat(getComputedStyle(cards).gridTemplateColumns) / 10) * 10 : 0;
  };

  const sizedPictures = function (made) {
    if (!made) return window.dash_clientside.no_update;
    let timer = 0;
    let sent = width();
    const send = () => {
      const now = width();
      if (now && now !== sent) set("pictures-width", { data: (sent = now) });
    };
    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(send, SETTLED_MS);
    }).observe(document.getElementById("pictures-room"));
    return sent;
  };

  /* A trace or a point says what it is of, as "kind:name"; a second click clears it. */
  let current = null;
  const clicked = function (event) {
    const point = event.points[0];
    const name = point.id || point.data.meta;
    if (typeof name !== "string" || !/^(job|user|queue|node):./.test(name)) return;
    set("highlight", { data: name === current ? null : name });
  };

  const highlighted = function (text) {
    current = text || null;
    return window.dash_clientside.no_update;
  };

  const watch = function () {
    for (const gd of document.querySelectorAll("#pictures .js-plotly-plot")) {
      if (gd.dataset.clicked || !gd.on) continue;
      gd.dataset.clicked = "yes";
      gd.on("plotly_click", clicked);
    }
  };
  new MutationObserver(watch).observe(document.documentElement, { childList: true, subtree: true });

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.gantry = Object.assign(window.dash_clientside.gantry || {}, { sizedPictures, highlightedPictures: highlighted });
})();
