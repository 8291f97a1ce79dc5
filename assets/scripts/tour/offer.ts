/* The quiet line that offers the tour until somebody takes it or puts it away; Help has a link to it, which
   starts it: /?tour=1. */
import { loaded } from "../dash/libraries";
import { hear, the } from "../page/dom";
import { on } from "../page/state";
import { keep, kept } from "../page/storage";

declare global {
  var gantryTour: (() => void) | undefined; // tour.ts
}

const KEPT = "gantry-tour";

/* tour: where tour.ts is. */
export function listen({ tour = "" }: DOMStringMap) {
  let isAsked = new URLSearchParams(location.search).has("tour");
  async function start() {
    keep(KEPT, "taken");
    if (!globalThis.gantryTour) await loaded(tour);
    globalThis.gantryTour?.();
  }
  on(["drawer"], (_, { drawer }) => {
    if (!drawer) the("tour-offer").hidden = Boolean(kept(KEPT));
  });
  on(["drawn"], () => {
    if (isAsked) start();
    isAsked = false;
  });
  hear("click", "#tour-start", start);
  hear("click", "#tour-away", () => {
    keep(KEPT, "away");
    the("tour-offer").hidden = true;
  });
}
