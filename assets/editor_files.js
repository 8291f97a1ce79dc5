/* Files: opened by the button or dropped on the page, and Hadoop's own, written for a cluster. The server
   reads and writes them; what can't be read changes nothing here. */
const { editor } = gantry;
const input = Object.assign(document.createElement("input"), { type: "file", multiple: true });
input.addEventListener("change", () => {
  open([...input.files]);
  input.value = "";
});

const MAX_NAMED = 3;
const sizeText = (bytes) => gantry.memory(bytes / 2 ** 20);
let sending = null; // the request under way

async function open(files) {
  if (!files.length) return;
  sending?.abort();
  const names =
    files.length > MAX_NAMED
      ? gantry.msg("editor_files.files", { count: files.length.toLocaleString("en") })
      : files.map((file) => file.name).reduce((others, last) => gantry.msg("shared.and", { others, last }));
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > editor.facts.max_bytes) {
    const limit = sizeText(editor.facts.max_bytes);
    return editor.say(gantry.msg("editor_files.too_large", { names, size: sizeText(size), limit }), true);
  }
  const form = new FormData();
  for (const file of files) form.append("file", file, file.path || file.webkitRelativePath || file.name);
  // a configuration is put on it
  if (files.some(({ name }) => name.endsWith(".xml")))
    form.append("draft", new Blob([JSON.stringify(gantry.state.draft.scenario)]), "draft.json");
  try {
    const answer = await send(form, names, size);
    if (!answer) return editor.say(gantry.msg("editor_files.cancelled", { names }));
    if (answer.fault) return editor.say(gantry.msg("editor_files.fault", { fault: answer.fault }), true);
    editor.opened(answer.draft, names);
    return editor.say(gantry.msg("editor_files.opened", { names }));
  } catch {
    return editor.say(gantry.msg("editor_files.could_not_open", { names }), true);
  }
}

/* The server's answer, null once it is cancelled; how far it is stands in the message. fetch does not tell
   how much is sent. */
function send(form, names, size) {
  const request = new XMLHttpRequest();
  sending = request;
  const tell = (sentence) => sending === request && editor.say(sentence, false, () => request.abort());
  return new Promise((resolve, reject) => {
    request.open("POST", editor.facts.addresses.open);
    request.responseType = "json";
    request.upload.onprogress = function ({ loaded, total }) {
      if (loaded >= total) return;
      tell(
        gantry.msg("editor_files.sending", {
          names,
          percent: Math.floor((100 * loaded) / total),
          size: sizeText(size),
        }),
      );
    };
    request.upload.onload = () => tell(gantry.msg("editor_files.reading", { names, size: sizeText(size) }));
    request.onload = () => (request.response ? resolve(request.response) : reject(new Error("no answer")));
    request.onerror = () => reject(new Error("no answer"));
    request.onabort = () => resolve(null);
    request.onloadend = () => {
      if (sending === request) sending = null;
    };
    tell(gantry.msg("editor_files.opening", { names, size: sizeText(size) }));
    request.send(form);
  });
}

/* The files of what is dropped; of a folder all below it, by their paths. */
async function dropped({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some(({ isDirectory }) => isDirectory)) return [...files];
  return (await Promise.all(entries.map(below))).flat();
}

async function below(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [Object.assign(file, { path: entry.fullPath.slice(1) })];
  }
  const reader = entry.createReader();
  const files_ = [];
  for (;;) {
    // it hands out a hundred at a time
    const entries_ = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!entries_.length) break;
    files_.push(...(await Promise.all(entries_.map(below))));
  }
  return files_.flat();
}

const carriesFiles = (event) =>
  editor.facts &&
  document.getElementById("editor") &&
  [...(event.dataTransfer?.types || [])].includes("Files");
document.addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  document.body.classList.add("editor-dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("editor-dropping");
});
document.addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  document.body.classList.remove("editor-dropping");
  dropped(event.dataTransfer).then(open, () => editor.say(gantry.msg("editor_files.dropped"), true));
});

/* A file of the draft as it is, for a cluster or for another tool. */
async function write(address, kind) {
  const { scenario, schedulers } = gantry.state.draft;
  try {
    const answer = await (
      await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ kind, scenario, schedulers }),
      })
    ).json();
    if (answer.fault) return editor.say(answer.fault, true);
    gantry.download(new Blob([answer.content], { type: answer.type || "application/xml" }), answer.name);
    if (!answer.lost?.length) return editor.say(gantry.msg("editor_files.wrote", { name: answer.name }));
    return editor.say(
      gantry.msg("editor_files.wrote_without", { name: answer.name, parts: answer.lost.join("; ") }),
    );
  } catch {
    return editor.say(gantry.msg("editor_files.could_not_write"), true);
  }
}

document.addEventListener("click", ({ target }) => {
  const { write: forCluster, workload } = target.closest(".editor-menu button")?.dataset ?? {};
  if (forCluster) write(editor.facts.addresses.write, forCluster);
  if (workload) write(editor.facts.addresses.workload, workload);
});

editor.chooseFiles = function () {
  input.accept = editor.facts.accept;
  input.click();
};
