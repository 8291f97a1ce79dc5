/* Files that are opened: how large they may be, and what is told meanwhile. */
import { deepEqual, equal } from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { type Facts, setFacts, theDraft } from "../../assets/scripts/editor/facts";
import { open } from "../../assets/scripts/editor/files";
import { change } from "../../assets/scripts/page/state";
import { FakeElement, ofId, settled } from "./page";

class Words extends FakeElement {
  override append(words = "") {
    this.textContent = words;
  }
}
let told: string[] = [];
let requests: Request[] = [];

/* A request that the test answers. */
class Request {
  upload = { onload() {}, onprogress(_: { loaded: number; total: number }) {} };
  response: object | null = null;
  sent = new FormData();
  onload() {}
  onerror() {}
  onabort() {}
  onloadend() {}
  open() {}
  abort() {
    this.onabort();
    this.onloadend();
  }
  send(form: FormData) {
    this.sent = form;
    requests.push(this);
  }
  async answers(response: object) {
    this.response = response;
    this.onload();
    this.onloadend();
    await settled();
  }
}
Object.assign(globalThis, { XMLHttpRequest: Request, HTMLDialogElement: FakeElement });
Object.assign(document, { createElement: () => new Words() });
Object.assign(ofId("editor-message"), {
  classList: { toggle() {} },
  replaceChildren: (...children: Words[]) => children[0] && told.push(children[0].textContent),
});
setFacts({ max_bytes: 2 * 2 ** 20, schedulers: ["fifo"], addresses: { open: "" } } as Facts);
globalThis.gantryMessages = {
  "editor_files.too_large": "{names}: {size} of {limit}",
  "editor_files.files": "{count} files",
  "editor_files.opening": "opening {names}, {size}",
  "editor_files.sending": "{percent} %",
  "editor_files.opened": "opened {names}",
  "editor_files.cancelled": "cancelled {names}",
  "editor_files.fault": "fault: {fault}",
  "shared.and": "{others} and {last}",
};
const file = (name: string, mb: number) => new File([new Uint8Array(mb * 2 ** 20)], name);

beforeEach(() => {
  [told, requests] = [[], []];
  change({ draft: { scenario: { name: "before" }, schedulers: ["fair"], assumed: [] } });
});

test("files that are larger together than the server takes are not sent", async () => {
  await open([file("a.json", 1), file("b.json", 1.5)]);
  await open([1, 1, 1, 1].map((mb) => file("trace.json", mb)));
  deepEqual(told, ["a.json and b.json: 2.5 MB of 2 MB", "4 files: 4 MB of 2 MB"]);
  equal(requests.length, 0);
});

test("what the server makes of files is the draft, one step of Undo; schedulers stay", async () => {
  const opening = open([file("a.json", 1), file("b.json", 1)]);
  requests[0]?.upload.onprogress({ loaded: 1, total: 3 });
  await requests[0]?.answers({ draft: { scenario: { name: "after" }, assumed: ["no queues"] } });
  await opening;
  deepEqual(told, [...["opening a.json and b.json, 2 MB", "33 %"], "opened a.json and b.json"]);
  deepEqual(theDraft(), { scenario: { name: "after" }, schedulers: ["fair"], assumed: ["no queues"] });
});

test("a configuration goes with the draft it is put on, and its scheduler comes first", async () => {
  const opening = open([file("yarn-site.xml", 0)]);
  const sent = requests[0]?.sent.get("draft");
  equal(sent instanceof File && (await sent.text()), '{"name":"before"}');
  await requests[0]?.answers({ draft: { scenario: {}, assumed: [], scheduler: "capacity" } });
  await opening;
  deepEqual(theDraft().schedulers, ["capacity", "fair"]);
});

test("what can't be opened, or is cancelled for other files, changes nothing", async () => {
  const first = open([file("a.json", 1)]);
  const second = open([file("b.json", 1)]);
  await first;
  await requests[1]?.answers({ fault: "no scenario" });
  await second;
  deepEqual(told, [
    ...["opening a.json, 1 MB", "opening b.json, 1 MB"],
    ...["cancelled a.json", "fault: no scenario"],
  ]);
  equal(theDraft().scenario.name, "before");
});
