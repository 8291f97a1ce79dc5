/* How this page looks, in a cookie, so that the server can paint the next visit's charts where they will
   stand (webapp/pages/painting.py). */
import * as charts from "../timeline/charts";
import * as lanes from "../timeline/lanes";
import { at } from "./dom";
import { isEmbedded } from "./embed";
import { asked, on, same, state } from "./state";
import { rested } from "./timing";

const RESTED_MS = 400;
const YEAR_S = 31536000;

/* The key of the result, if the page opens with it again, which it does not with what a link lent. */
function openingKey() {
  const { draft, request, drawn, readOnly } = state();
  return draft && request && !readOnly && same(asked(draft), asked(request)) ? drawn : "";
}

function keep() {
  const { base, drawer, rail, phone, presenting } = state();
  if (presenting || isEmbedded() || !charts.view().key || !at("lanes")) return;
  const { width, height, room, strips, dark } = charts.viewRequest();
  const told = (isOpen: boolean) => (isOpen ? "open" : "closed");
  const look = {
    ...{ key: openingKey(), width, height, room, strips, dark, columns: lanes.columns(), phone },
    ...(drawer && { dock: drawer.dock, drawer: told(drawer.open), size: drawer.size, side: drawer.side }),
    rail: told(rail),
  };
  const value = encodeURIComponent(JSON.stringify(look));
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: a cookie is what comes with the first request
  document.cookie = `gantry-look=${value}; path=${base}; max-age=${YEAR_S}; samesite=lax${secure}`;
}

/* The page has painted what the server had painted over it. */
export const awake = () => at("first-paint")?.remove();

export const listen = () =>
  on(
    ["drawn", "draft", "drawer", "rail", "phone", "scheme", "strips", "columns", "folded"],
    rested(keep, RESTED_MS),
  );
