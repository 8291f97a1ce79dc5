/* How wide charts that the server draws are, and in which colours: sent again when that changes, and only
   then. */
const SETTLED_MS = 200;

/* page: what is watched; frame: as wide as a chart; store: what is sent to the server; more(): what else a
   chart depends on. */
gantry.chartSize = function (page, frame, store, more = () => ({})) {
  let [watched, sent] = [null, null];

  const send = function () {
    const { scheme } = gantry.state;
    const place = document.querySelector(frame);
    if (!place || !scheme) return;
    const now = { width: Math.floor(place.clientWidth / 10) * 10, dark: scheme === "dark", ...more() };
    if (!gantry.same(now, sent)) gantry.put(store, { data: (sent = now) });
  };

  const look = function () {
    const whole = document.querySelector(page);
    if (whole && whole !== watched) {
      [watched, sent] = [whole, null];
      new ResizeObserver(gantry.rested(send, SETTLED_MS)).observe(whole);
    }
    send();
    return gantry.none();
  };
  gantry.on(["scheme"], send);
  return { send, look };
};
