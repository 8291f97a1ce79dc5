/* Cells of the comparing tables; tables to the clipboard and to CSV, as they are sorted, under
   the schedulers' full texts. */
const SAID_MS = 1500;
const plain = (cell) => (cell && typeof cell === "object" ? (cell.value ?? "") : (cell ?? ""));
const written = {
  processCellCallback: ({ value, node, column }) =>
    gantry.inert((column.getColId() === "title" && node && node.data && node.data.full) || plain(value)),
  processHeaderCallback({ column }) {
    const { context, headerName } = column.getColDef();
    return gantry.inert((context && context.full) || headerName);
  },
};

const copy = async function (text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
};

const say = function (button, words) {
  const before = (button.dataset.words ||= button.lastChild.textContent);
  button.lastChild.textContent = words;
  setTimeout(() => (button.lastChild.textContent = before), SAID_MS);
};

/* A chart's table is made when it is first opened. */
document.addEventListener(
  "toggle",
  ({ target }) =>
    target.open &&
    target.matches("details.picture-table") &&
    gantry.put(`${target.dataset.key}-open`, { data: true }),
  true,
);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-csv]");
  if (!button) return;
  const key = button.dataset.copy || button.dataset.csv;
  const grid = await window.dash_ag_grid.getApiAsync(`${key}-grid`);
  if (button.dataset.csv) return grid.exportDataAsCsv({ ...written, fileName: `gantry-${key}.csv` });
  await copy(grid.getDataAsCsv({ ...written, columnSeparator: "\t", suppressQuotes: true }));
  say(button, gantry.msg("tables.copied"));
});

/* The grids look these up as they are drawn. */
(window.dashAgGridComponentFunctions = window.dashAgGridComponentFunctions || {}).Compared = function (
  props,
) {
  const make = window.React.createElement;
  const cell = props.value;
  if (!cell) return "";
  const parts = [
    cell.best && make("span", { className: "star", key: "s", title: gantry.msg("tables.best") }, "★ "),
    make("span", { key: "t", className: cell.best ? "best" : "" }, cell.text),
  ];
  const more =
    (cell.percent ?? null) !== null &&
    ` (${cell.noise ? "≈ " : ""}${gantry.percent(cell.percent / 100, true)})`;
  if (more) parts.push(make("span", { key: "p", className: "percent" }, more));
  if (cell.above) parts.push(make("span", { key: "a", className: "far", title: cell.about }, cell.above));
  return make("span", { className: "compared" }, parts);
};
(window.dashAgGridFunctions = window.dashAgGridFunctions || {}).comparedOrder = function (a, b) {
  const number = (cell) => (cell && cell.value !== null ? cell.value : Infinity);
  return number(a) === number(b) ? 0 : number(a) - number(b);
};
