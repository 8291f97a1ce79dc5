/* Files: opened by the button or dropped on the page, and Hadoop's own, written for a cluster. The server reads and writes them; what can't be read changes nothing here. */
const { editor } = gantry;
const input = Object.assign(document.createElement("input"), { type: "file", multiple: true });
input.addEventListener("change", () => {
  open([...input.files]);
  input.value = "";
});

async function open(files) {
  if (!files.length) return;
  const names = files.map((file) => file.name).join(" and ");
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const mb = (bytes) => `${(bytes / 1048576).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
  if (size > editor.facts.most_bytes) {
    const instead = "compress it with gzip, or convert it by the command line. Your draft is as it was.";
    return editor.say(`${names}: ${mb(size)} is more than the ${mb(editor.facts.most_bytes)} a page can open; ${instead}`, true);
  }
  editor.say(`Opening ${names} (${mb(size)}) …`);
  const form = new FormData();
  for (const file of files) form.append("file", file, file.name);
  if (names.includes(".xml")) form.append("draft", new Blob([JSON.stringify(gantry.state.draft.scenario)]), "draft.json"); // a configuration is put on it
  try {
    const answer = await (await fetch(editor.facts.addresses.open, { method: "POST", body: form })).json();
    if (answer.fault) return editor.say(`${answer.fault} Your draft is as it was.`, true);
    editor.opened(answer.draft, names);
    return editor.say(`Opened ${names}.`);
  } catch {
    return editor.say(`${names} could not be opened: the file can't be read any more, or the server does not answer. Your draft is as it was.`, true);
  }
}

const carriesFiles = (event) => editor.facts && document.getElementById("editor") && [...(event.dataTransfer?.types || [])].includes("Files");
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
  open([...event.dataTransfer.files]);
});

/* A file of the draft as it is, for a cluster or for another tool. */
async function write(address, kind) {
  const { scenario, schedulers } = gantry.state.draft;
  try {
    const answer = await (await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ kind, scenario, schedulers }) })).json();
    if (answer.fault) return editor.say(answer.fault, true);
    gantry.download(new Blob([answer.content], { type: answer.type || "application/xml" }), answer.name);
    const lost = answer.lost?.length ? ` It leaves out or changes: ${answer.lost.join("; ")}.` : "";
    return editor.say(`Wrote ${answer.name}.${lost}`);
  } catch {
    return editor.say("The file could not be written: the server does not answer. Your draft is as it was.", true);
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
