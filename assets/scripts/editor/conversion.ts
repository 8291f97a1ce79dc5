/* The draft's scheduler converted by the server: one step that Undo takes back, and both run beside each
   other. */
import { hear } from "../page/dom";
import { msg } from "../page/messages";
import { post } from "../page/server";
import { asked, change } from "../page/state";
import type { Pinned } from "../run/result";
import * as run from "../run/run";
import type { Given } from "./draft";
import { commitWhole, say } from "./editor";
import { facts, theDraft } from "./facts";

type Converted = { draft: Given & { schedulers: string[] }; pinned: Pinned; name: string; fault?: string };

async function convert(kind: string) {
  try {
    const response = await post(facts().addresses.convert, { kind, ...asked(theDraft()) });
    const { draft, pinned, name, fault }: Converted = await response.json();
    if (fault) return say(fault, true);
    change({ pinned, pane: "result" });
    commitWhole(draft, msg("editor_conversion.convert", { name }));
    say(msg("editor_conversion.converted", { name }));
    run.ask(draft, "run");
  } catch {
    say(msg("editor_conversion.could_not_convert"), true);
  }
}

export function listen() {
  hear("click", ".editor-menu [data-convert]", ({ dataset }) => void convert(dataset.convert ?? ""));
}
