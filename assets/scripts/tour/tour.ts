/* The tour: a dialog beside one part of the page after another, which is lit. A part that is not seen is left
   out. It is built to a file of its own, which comes when somebody takes the tour (offer.ts). */
import { h } from "../page/dom";
import { msg } from "../page/messages";

const GAP_PX = 12; // between the part and what is said of it, and to the window's edges
const KEYS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
/* What was painted over the page while it woke up is no part of it. */
const isSeen = (part: HTMLElement) =>
  part.offsetHeight > 0 &&
  part.checkVisibility({ visibilityProperty: true }) &&
  !part.closest("#first-paint");

/* On a phone the panes stand for what is not seen there. */
function seenSteps() {
  const steps = {
    "#answer": msg("tour.answer"),
    "#lanes": msg("tour.charts"),
    ".lane:not([data-folded]) .strips": msg("tour.resources"),
    "#turn-rail, [data-pane-of=editor]": msg("tour.edit"),
    "#drawer .tabs, [data-pane-of=compare]": msg("tour.details"),
    "#share": msg("tour.share"),
  };
  return Object.entries(steps).flatMap(([selector, says]) => {
    const part = [...document.querySelectorAll<HTMLElement>(selector)].find(isSeen);
    return part ? [{ part, says }] : [];
  });
}

globalThis.gantryTour = () => {
  const steps = seenSteps();
  const window_ = new AbortController(); // what is heard of it meanwhile
  let shown = 0;

  const says = h("p", { id: "tour-says", "aria-live": "polite", "aria-atomic": "true" });
  const back = h("button", { onclick: () => go(-1) }, msg("shared.back"));
  const next = h("button", { class: "next", autofocus: true, onclick: () => go(1) });
  const end = h("button", { class: "end", onclick: (): void => dialog.close() }, msg("tour.end"));
  const lit = h("div", { class: "tour-lit" });
  const card = h("div", { class: "tour-card" }, says, h("footer", {}, end, back, next));
  const dialog = h(
    "dialog",
    {
      id: "tour",
      "aria-label": msg("tour.name"),
      "aria-describedby": says.id,
      onclose: () => {
        window_.abort();
        dialog.remove();
      },
      onkeydown: (event) => {
        event.stopPropagation(); // the page's keys are away
        go(KEYS[event.key] ?? 0);
      },
    },
    lit,
    card,
  );

  /* To the next step, or the one before; after the last it ends. */
  function go(by: number): void {
    if (!by || shown + by < 0) return;
    shown += by;
    if (steps[shown]) say();
    else dialog.close();
  }

  function say() {
    const isLast = shown === steps.length - 1;
    says.replaceChildren(
      h("strong", {}, msg("tour.step", { step: shown + 1, steps: steps.length })),
      ` ${steps[shown]?.says}`,
    );
    back.disabled = !shown;
    next.textContent = isLast ? msg("tour.done") : msg("tour.next");
    end.hidden = isLast;
    place();
  }

  function place() {
    const part = steps[shown]?.part;
    if (!part) return;
    part.scrollIntoView({ block: "nearest" });
    const { left, top, bottom, width, height } = part.getBoundingClientRect();
    const put = (node: HTMLElement, px: Record<string, number>) =>
      Object.assign(
        node.style,
        Object.fromEntries(Object.entries(px).map(([key, value]) => [key, `${value}px`])),
      );
    put(lit, { left, top, width, height });
    const lowest = window.innerHeight - card.offsetHeight - GAP_PX;
    const above = top - card.offsetHeight - GAP_PX;
    const below = bottom + GAP_PX;
    const rightmost = window.innerWidth - card.offsetWidth - GAP_PX;
    put(card, {
      left: Math.max(GAP_PX, Math.min(left, rightmost)),
      top: below <= lowest ? below : above >= GAP_PX ? above : lowest,
    });
  }

  document.body.append(dialog);
  dialog.showModal(); // the focus goes into it, and back once it closes
  window.addEventListener("resize", place, { signal: window_.signal });
  say();
};
