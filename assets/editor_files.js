/* Files: opened by the button or dropped on the page, and saved. The server reads them; what can't be read changes nothing here. */
(function (editor) {
  "use strict";

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
      editor.say(`${names}: ${mb(size)} is more than the ${mb(editor.facts.most_bytes)} a page can open; ${instead}`, true);
      return;
    }
    editor.say(`Opening ${names} (${mb(size)}) …`);
    const form = new FormData();
    for (const file of files) form.append("file", file, file.name);
    try {
      const answer = await (await fetch(editor.facts.addresses.open, { method: "POST", body: form })).json();
      if (answer.fault) {
        editor.say(`${answer.fault} Your draft is as it was.`, true);
        return;
      }
      editor.draft.commit(editor.draft.stateOf({ ...answer.draft, schedulers: editor.state.schedulers }), `open ${names}`, "load");
      editor.say(`Opened ${names}.`);
    } catch {
      editor.say(`${names} could not be opened: the file can't be read any more, or the server does not answer. Your draft is as it was.`, true);
    }
  }

  /* Keys in the order of the tables, so that a saved file reads as the documentation does. */
  function ordered(scenario) {
    const sort = (value, order) => {
      if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
      const keys = [...new Set([...order.map((path) => path.split(".")[0]), ...Object.keys(value)])].filter((key) => key in value);
      const inside = (key) => order.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1));
      return Object.fromEntries(keys.map((key) => [key, sort(value[key], inside(key))]));
    };
    const { tables, fields } = editor.facts;
    let copy = sort(scenario, ["version", "name", "seed", "cluster.nodes", ...fields.map((field) => field.path), "queues", "jobs"]);
    for (const [table, { path, fields: columns }] of Object.entries(tables)) {
      const rows = editor.draft.list(scenario, table).map((entry) => sort(entry, columns.map((column) => column.path)));
      if (editor.draft.get(copy, path)) copy = editor.draft.put(copy, path, rows);
    }
    return copy;
  }

  function save() {
    const { scenario } = editor.state;
    const name = String(scenario.name || "scenario").normalize("NFKD").replace(/[^\w.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80).toLowerCase() || "scenario";
    const address = URL.createObjectURL(new Blob([JSON.stringify(ordered(scenario), null, 2) + "\n"], { type: "application/json" }));
    Object.assign(document.createElement("a"), { href: address, download: `${name}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    editor.say(`Saved as ${name}.json.`);
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

  function choose() {
    input.accept = editor.facts.accept;
    input.click();
  }

  editor.files = { choose, open, save };
})((window.gantryEditor = window.gantryEditor || {}));
