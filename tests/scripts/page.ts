/* A page without a browser, for what scripts compute: every element is there, takes all and shows nothing.
   Time passes when a test says so. It is there before the scripts are (package.json). */
import { mock } from "node:test";

export class FakeElement {
  textContent = "";
  attributes: Record<string, string> = {};
  heard: Record<string, (event: object) => void> = {};
  clientWidth = 800;
  clientHeight = 600;
  dataset = {};
  style = { setProperty() {} };
  classList = { toggle() {}, contains: () => false };
  addEventListener(kind: string, hear: (event: object) => void) {
    this.heard[kind] = hear;
  }
  append() {}
  replaceChildren() {}
  setAttribute(name: string, value: string) {
    this.attributes[name] = value;
  }
  toggleAttribute() {}
  remove() {}
  querySelector() {
    return null;
  }
  querySelectorAll() {
    return [];
  }
}
const element = () => new FakeElement();
const elements = new Map<string, FakeElement>();
export function ofId(id: string) {
  const made = elements.get(id) ?? element();
  elements.set(id, made);
  return made;
}
const page = {
  HTMLElement: FakeElement,
  HTMLButtonElement: FakeElement,
  HTMLInputElement: FakeElement,
  CSS: { escape: (text: string) => text },
  document: {
    addEventListener() {},
    createElement: element,
    documentElement: element(),
    head: element(),
    getElementById: ofId,
    querySelector: () => null,
    querySelectorAll: () => [],
  },
  window: globalThis,
  innerWidth: 1200,
  addEventListener() {},
  getComputedStyle: () => ({ paddingLeft: "0", paddingRight: "0" }),
  location: { href: "http://gantry/", pathname: "/", search: "", hash: "" },
  matchMedia: () => ({ matches: false, addEventListener() {} }),
  requestAnimationFrame: (work: () => void) => setTimeout(work, 16),
  cancelAnimationFrame: clearTimeout,
};
Object.assign(globalThis, page);
Promise.withResolvers ??= <T>() => {
  let [resolve, reject]: [(value: T | PromiseLike<T>) => void, () => void] = [() => {}, () => {}];
  const promise = new Promise<T>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { promise, resolve, reject };
}; // older ones than browsers have

/* So much time goes by; what was to be done in it is done, and what waits for an answer that has come. */
export async function passes(ms: number) {
  for (let left = ms; left > 0; left -= 10) {
    mock.timers.tick(Math.min(left, 10));
    await settled();
  }
}

/* What waits for promises that are kept is done. */
export async function settled() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
