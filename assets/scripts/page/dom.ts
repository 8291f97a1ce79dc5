/* Elements, and what is heard of them. */

export const at = (id: string) => document.getElementById(id);

/* The element that the page has as long as it shows what this is of. */
export function the(id: string): HTMLElement;
export function the<E extends HTMLElement>(id: string, kind: new () => E): E;
export function the(id: string, kind = HTMLElement) {
  const element = at(id);
  if (element instanceof kind) return element;
  throw new Error(`#${id} is not on this page`);
}

/* What holds a value. */
export const isField = (node: unknown): node is HTMLInputElement | HTMLSelectElement =>
  node instanceof HTMLInputElement || node instanceof HTMLSelectElement;

/* The first of these in a place that has one. */
export function within(place: ParentNode, selector: string) {
  const element = place.querySelector<HTMLElement>(selector);
  if (element) return element;
  throw new Error(`no ${selector} here`);
}

/* The element that HTML of the server is. */
export function parsed(html: string) {
  const room = document.createElement("template");
  room.innerHTML = html;
  return within(room.content, "*");
}

/* What an element says. */
export function setText(id: string, words: string) {
  the(id).textContent = words;
}

/* Attributes (true: without a value; null, undefined and false: none) and listeners, such as onclick. */
type Props = Record<string, unknown> & {
  [Kind in keyof HTMLElementEventMap as `on${Kind}`]?: (event: HTMLElementEventMap[Kind]) => unknown;
};
export type Child = Node | string | null | undefined;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: Child[]
) {
  const node = document.createElement(tag);
  if (tag === "button") node.setAttribute("type", "button"); // unless it is given: without one it submits
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), (event) => value(event));
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/* What an event is of: the element itself or the nearest around it that is such. */
export const closest = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

/* work(element, event) at each event of this kind in such an element, whenever that comes. */
export function hear<Kind extends keyof DocumentEventMap>(
  kind: Kind,
  selector: string,
  work: (element: HTMLElement, event: DocumentEventMap[Kind]) => unknown,
  options?: AddEventListenerOptions,
) {
  const heard = (event: DocumentEventMap[Kind]) => {
    const element = closest(event, selector);
    if (element) work(element, event);
  };
  document.addEventListener(kind, heard, options);
}

type Moved = (event: PointerEvent) => void;
/* moved(event) at each move of the pointer in this place, until it is let go of; then ended(). */
export function whileDragged(place: GlobalEventHandlers, moved: Moved, ended = () => {}) {
  const drag = new AbortController();
  const { signal } = drag;
  signal.addEventListener("abort", ended);
  place.addEventListener("pointermove", moved, { signal });
  for (const kind of ["pointerup", "pointercancel"] as const)
    place.addEventListener(kind, () => drag.abort(), { signal });
}

/* Does this work once there() is true, which is asked each frame, for some seconds. */
export function when(there: () => unknown, work: () => void, frames = 600) {
  if (there()) work();
  else if (frames) requestAnimationFrame(() => when(there, work, frames - 1));
}
