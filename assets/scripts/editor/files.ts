/* Files: opened by the button or dropped on the page, and Hadoop's own, written for a cluster. The server
   reads and writes them; what can't be read changes nothing here. */
import { at, h, hear } from "../page/dom";
import { msg } from "../page/messages";
import { memory } from "../page/quantities";
import { download } from "../page/save";
import { post } from "../page/server";
import { asked, state } from "../page/state";
import * as editor from "./editor";
import { facts, isThere, theDraft } from "./facts";

/* path: within a folder that was dropped. */
type Given = File & { path?: string };
/* fault: instead of the others; lost: what the file can't hold, a sentence each. */
type Answer = { draft: editor.Opened; fault?: string };
type Written = { name: string; content: string; type?: string; lost?: string[]; fault?: string };

const input = h("input", { type: "file", multiple: true });
const MAX_NAMED = 3;
const sizeText = (bytes: number) => memory(bytes / 2 ** 20);
let sending: XMLHttpRequest | null = null; // the request under way

export async function open(files: Given[]) {
  const found = await read(files, editor.say);
  if (!found) return;
  editor.opened(found, found.names);
  editor.say(msg("editor_files.opened", { names: found.names }));
}

/* What the files hold, and their names; null where they can't be read, which is said. */
export async function read(files: Given[], say: typeof editor.say) {
  if (!files.length) return null;
  sending?.abort();
  const names =
    files.length > MAX_NAMED
      ? msg("editor_files.files", { count: files.length.toLocaleString("en") })
      : files.map(({ name }) => name).reduce((others, last) => msg("shared.and", { others, last }));
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const [size, limit] = [sizeText(bytes), sizeText(facts().max_bytes)];
  const fails = (sentence: string, isWrong = true) => {
    say(sentence, isWrong);
    return null;
  };
  if (bytes > facts().max_bytes) return fails(msg("editor_files.too_large", { names, size, limit }));
  const form = new FormData();
  for (const file of files) form.append("file", file, file.path || file.webkitRelativePath || file.name);
  // a configuration is put on it
  if (files.some(({ name }) => name.endsWith(".xml")))
    form.append("draft", new Blob([JSON.stringify(state().draft?.scenario ?? null)]), "draft.json");
  try {
    const answer = await send(form, names, size, say);
    if (!answer) return fails(msg("editor_files.cancelled", { names }), false);
    if (answer.fault) return fails(msg("editor_files.fault", { fault: answer.fault }));
    return { ...answer.draft, names };
  } catch {
    return fails(msg("editor_files.could_not_open", { names }));
  }
}

/* The server's answer, null once it is cancelled; how far it is stands in the message. fetch does not tell
   how much is sent. */
function send(form: FormData, names: string, size: string, say: typeof editor.say) {
  const request = new XMLHttpRequest();
  sending = request;
  const tell = (sentence: string) => {
    if (sending === request) say(sentence, false, () => request.abort());
  };
  return new Promise<Answer | null>((resolve, reject) => {
    request.open("POST", facts().addresses.open);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => {
      const percent = Math.floor((100 * loaded) / total);
      if (loaded < total) tell(msg("editor_files.sending", { names, percent, size }));
    };
    request.upload.onload = () => tell(msg("editor_files.reading", { names, size }));
    request.onload = () => (request.response ? resolve(request.response) : reject(new Error("no answer")));
    request.onerror = () => reject(new Error("no answer"));
    request.onabort = () => resolve(null);
    request.onloadend = () => {
      if (sending === request) sending = null;
    };
    tell(msg("editor_files.opening", { names, size }));
    request.send(form);
  });
}

/* The files of what is dropped; of a folder all below it, by their paths. */
async function dropped({ items, files }: DataTransfer): Promise<Given[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (!entries.some(({ isDirectory }) => isDirectory)) return [...files];
  return (await Promise.all(entries.map(below))).flat();
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

async function below(entry: FileSystemEntry): Promise<Given[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [Object.assign(file, { path: entry.fullPath.slice(1) })];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const files: Given[] = [];
  for (;;) {
    // it hands out a hundred at a time
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return files;
    files.push(...(await Promise.all(some.map(below))).flat());
  }
}

/* A file of the draft as it is, for a cluster or for another tool. */
async function write(address: string, kind: string) {
  try {
    const response = await post(address, { kind, ...asked(theDraft()) });
    const { name, content, type = "application/xml", lost = [], fault }: Written = await response.json();
    if (fault) return editor.say(fault, true);
    download(new Blob([content], { type }), name);
    const parts = lost.join("; ");
    if (parts) editor.say(msg("editor_files.wrote_without", { name, parts }));
    else editor.say(msg("editor_files.wrote", { name }));
  } catch {
    editor.say(msg("editor_files.could_not_write"), true);
  }
}

export function chooseFiles(work: (files: Given[]) => unknown = open) {
  input.accept = facts().accept;
  input.onchange = () => {
    work([...(input.files ?? [])]);
    input.value = "";
  };
  input.click();
}

export function listen() {
  /* The files over the page, which takes them and not the browser; null where there are none. */
  const carried = (event: DragEvent) => {
    const { dataTransfer } = event;
    if (!isThere() || !at("editor") || !dataTransfer?.types.includes("Files")) return null;
    event.preventDefault();
    return dataTransfer;
  };
  const mark = (isOver: boolean) => document.body.classList.toggle("editor-dropping", isOver);
  document.addEventListener("dragover", (event) => carried(event) && mark(true));
  document.addEventListener("dragleave", (event) => event.relatedTarget || mark(false));
  document.addEventListener("drop", (event) => {
    const files = carried(event);
    if (!files) return;
    mark(false);
    dropped(files).then(open, () => editor.say(msg("editor_files.dropped"), true));
  });

  hear("click", ".editor-menu button", ({ dataset: { write: forCluster, workload } }) => {
    if (forCluster) write(facts().addresses.write, forCluster);
    if (workload) write(facts().addresses.workload, workload);
  });
}
