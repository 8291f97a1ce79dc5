/* Cells of the comparing tables, and tables to the clipboard and to CSV as they are sorted. */
(function () {
  "use strict";
  const signed = (percent) => `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent).toFixed(1)} %`;

  const components = (window.dashAgGridComponentFunctions = window.dashAgGridComponentFunctions || {});
  components.Compared = function (props) {
    const make = window.React.createElement;
    const cell = props.value;
    if (!cell) return "";
    const parts = [cell.best && make("span", { className: "star", key: "s", title: "best" }, "★ "), make("span", { key: "t", className: cell.best ? "best" : "" }, cell.text)];
    if (cell.percent !== null && cell.percent !== undefined) parts.push(make("span", { key: "p", className: "percent" }, ` (${cell.noise ? "≈ " : ""}${signed(cell.percent)})`));
    return make("span", { className: "compared" }, parts);
  };

  const functions = (window.dashAgGridFunctions = window.dashAgGridFunctions || {});
  functions.comparedOrder = function (a, b) {
    const number = (cell) => (cell && cell.value !== null ? cell.value : Infinity);
    return number(a) === number(b) ? 0 : number(a) - number(b);
  };

  const plain = (cell) => (cell && typeof cell === "object" ? (cell.value ?? "") : (cell ?? ""));
  const difference = (cell) => (cell && typeof cell === "object" ? (cell.percent ?? null) : null);

  /* Heads and rows as they are sorted; a column with differences is followed by one of them. */
  const read = async function (key) {
    const api = await window.dash_ag_grid.getApiAsync(`${key}-grid`);
    const columns = api.getAllDisplayedColumns();
    const rows = [];
    api.forEachNodeAfterFilterAndSort((node) => rows.push(columns.map((column) => node.data[column.getColId()])));
    const compared = columns.map((_, at) => rows.some((row) => difference(row[at]) !== null));
    const heads = columns.map((column) => column.getColDef().headerName);
    const spread = (row, value, more) => row.flatMap((cell, at) => (compared[at] ? [value(cell), more(cell)] : [value(cell)]));
    return [
      spread(heads, (head) => head, (head) => `${head} vs first (%)`),
      ...rows.map((row) => spread(row, plain, (cell) => (difference(cell) === null ? "" : difference(cell).toFixed(2)))),
    ];
  };

  /* A cell that a spreadsheet would take for a formula gets an apostrophe. */
  const safe = (cell) => (typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : String(cell));
  const csv = (table) => table.map((row) => row.map((cell) => `"${safe(cell).replaceAll('"', '""')}"`).join(",")).join("\r\n") + "\r\n";
  const tsv = (table) => table.map((row) => row.map((cell) => safe(cell).replace(/[\t\r\n]+/g, " ")).join("\t")).join("\n");

  const say = function (button, words) {
    const before = button.dataset.words || button.lastChild.textContent;
    button.dataset.words = before;
    button.lastChild.textContent = words;
    setTimeout(() => (button.lastChild.textContent = before), 1500);
  };

  const copy = async function (text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    if (button) say(button, "Copied");
  };
  (window.gantry = window.gantry || {}).copy = copy;

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy], [data-csv], [data-copy-field]");
    if (!button) return;
    if (button.dataset.copyField) return copy(document.getElementById(button.dataset.copyField).value);
    const key = button.dataset.copy || button.dataset.csv;
    const table = await read(key);
    if (button.dataset.copy) return copy(tsv(table), button);
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([csv(table)], { type: "text/csv" })), download: `gantry-${key}.csv` });
    link.click();
    URL.revokeObjectURL(link.href);
  });
})();
