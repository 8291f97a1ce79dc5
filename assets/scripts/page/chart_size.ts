/* How wide charts that the server draws are, and in which colours: sent again when that changes, and only
   then. */
import { noUpdate, setProps } from "../dash/dash";
import { on, same, state } from "./state";
import { rested } from "./timing";

const SETTLED_MS = 200;

/* page: what is watched; frame: as wide as a chart; store: what is sent to the server; more(): what else a
   chart depends on. */
export function chartSize(page: string, frame: string, store: string, more = () => ({})) {
  let watched: Element | null = null;
  let sent: object | null = null;

  function send() {
    const { scheme } = state();
    const place = document.querySelector(frame);
    if (!place || !scheme) return;
    const now = { width: Math.floor(place.clientWidth / 10) * 10, dark: scheme === "dark", ...more() };
    if (same(now, sent)) return;
    sent = now;
    setProps(store, { data: now });
  }
  function look() {
    const whole = document.querySelector(page);
    if (whole && whole !== watched) {
      [watched, sent] = [whole, null];
      new ResizeObserver(rested(send, SETTLED_MS)).observe(whole);
    }
    send();
    return noUpdate();
  }
  return { send, look, listen: () => on(["scheme"], send) };
}
