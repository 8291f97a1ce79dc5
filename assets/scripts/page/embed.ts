/* The page in a frame of another site, as webapp/http/embedding.py lets it: it keeps nothing of what it
   shows, and what leads elsewhere opens a tab of its own. */
import { basePath } from "../dash/dash";
import { hear } from "./dom";

const STAYS = /^(class|exercises)\/./; // pages that stand in the frame too, by their paths below the base

export const isEmbedded = () => document.documentElement.classList.contains("embedded");

/* The same page outside of the frame, as it is looked at now. */
function outside() {
  const address = new URL(location.href);
  address.searchParams.delete("embed");
  return address;
}

/* Where a link leads, in the frame or in a tab of its own. */
function led(link: HTMLElement) {
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute("download")) return;
  if (link.getAttribute("href")?.startsWith("#")) return;
  const to = link.id === "open-outside" ? outside() : new URL(link.href);
  const isOwn = to.origin === location.origin && to.pathname.startsWith(basePath());
  if (link.id !== "open-outside" && isOwn && STAYS.test(to.pathname.slice(basePath().length)))
    to.searchParams.set("embed", "1");
  else link.target = "_blank";
  link.href = to.href;
}

export function listen() {
  if (!isEmbedded()) return;
  // before whoever follows the link; what it leads to can be seen and copied, too
  for (const kind of ["pointerover", "focusin", "click"] as const)
    hear(kind, "a[href]", led, { capture: true });
}
