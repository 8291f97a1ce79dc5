/* Share and Export: the address has all that is looked at when a link is made; the files' links follow the
   result shown. */
import { callbacks, noUpdate, setProps } from "../dash/dash";
import type { Result } from "../run/result";
import * as run from "../run/run";
import { copy } from "./clipboard";
import { at, hear, setText, the } from "./dom";
import { msg } from "./messages";
import { writeAddress } from "./mirror";
import { change, on, type State, state } from "./state";

const page = () => window.location.origin + window.location.pathname;

/* A report links back to the page. */
const link = (where: string, key: string, file: string) =>
  `${where}${key}/${file}${file === "report.html" ? `?page=${encodeURIComponent(page())}` : ""}`;

/* The server no longer has the result: once it has run again the same button is pressed again. */
async function shareAgain(pressed: { by: string } | null) {
  if (!pressed) return;
  if (await run.anew()) the(pressed.by).click();
  else setText("share-says", the("run-status").textContent ?? "");
}

export function listen() {
  // before Dash hears of the click, so that its callback reads this
  const pressed = () => {
    writeAddress();
    const query = Object.fromEntries(new URLSearchParams(window.location.search));
    setProps("looked-at", { data: { ...query, page: page(), read_only: Boolean(state().readOnly) } });
  };
  hear("click", "#share, #share-retitle", pressed, { capture: true });
  // a presentation has no header
  hear("click", "#present-share", () => the("share").click());
  // a link says what it was made with
  hear("input", "#share-title, #share-sentence, #share-read-only", () => {
    for (const id of ["share-link", "share-inline", "share-embed"]) setProps(id, { value: "" });
    setProps("share-code", { children: null });
    setProps("share-says", { children: "" });
  });
  on(["shared"], () => writeAddress());
  // of another scenario the link says nothing
  on(["request"], ({ request }) => {
    const words = at("shared-words");
    const name = request?.scenario.name || msg("shared.untitled");
    if (words && request) words.hidden = words.firstChild?.textContent !== name;
  });
  hear("click", "#own-copy", (button) => {
    change({ readOnly: "" });
    setText("own-copy-says", msg("share.copied"));
    the("shared-line").focus();
    button.remove();
  });
  callbacks({
    exports: (result: Result | null, where: string, ids: { file: string }[]) =>
      ids.map(({ file }) => (result ? link(where, result.key, file) : noUpdate())),
    clicked: (clicks: number) => clicks,
    async shareCopied({ text, otherwise }: { text: string; otherwise: string }) {
      if (!(await copy(text))) setProps("share-says", { children: otherwise });
    },
    shareAgain: (pressed: { by: string } | null) => void shareAgain(pressed),
    shared: (shared: State["shared"]) => void (shared && change({ shared })),
  });
}
