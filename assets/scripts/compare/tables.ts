/* Cells of the comparing tables; tables to the clipboard and to CSV, as they are sorted, under the
   schedulers' full texts. */
import { setProps } from "../dash/dash";
import { createElement, gridApi, gridComponents, gridFunctions } from "../dash/libraries";
import { copy, inert } from "../page/clipboard";
import { hear } from "../page/dom";
import { msg } from "../page/messages";
import { percent } from "../page/quantities";

const SAID_MS = 1500;

/* As webapp/panels/compare/metric_tables.py writes it. */
interface Cell {
  value: number | null;
  text: string;
  best?: boolean;
  percent?: number | null;
  noise?: boolean;
  above?: string;
  about?: string;
}
type Column = { getColId(): string; getColDef(): { headerName: string; context?: { full?: string } } };
type CellExport = { value: unknown; node?: { data?: { full?: string } } | null; column: Column };

/* What a file has of a cell. */
const plain = (cell: unknown) =>
  (typeof cell === "object" && cell && "value" in cell ? cell.value : cell) ?? "";
const written = {
  processCellCallback: ({ value, node, column }: CellExport) =>
    inert((column.getColId() === "title" && node?.data?.full) || plain(value)),
  processHeaderCallback({ column }: { column: Column }) {
    const { context, headerName } = column.getColDef();
    return inert(context?.full || headerName);
  },
};

/* The button says so for a moment. */
function say(button: HTMLElement, words: string) {
  const { lastChild } = button;
  if (!lastChild) return;
  button.dataset.words ??= lastChild.textContent ?? "";
  lastChild.textContent = words;
  setTimeout(() => {
    lastChild.textContent = button.dataset.words ?? "";
  }, SAID_MS);
}

function Compared({ value: cell }: { value: Cell | null }) {
  if (!cell) return "";
  const { best, text, noise, above, about } = cell;
  const share = cell.percent ?? null;
  const more = share === null ? "" : ` (${noise ? "≈ " : ""}${percent(share / 100, true)})`;
  const part = (key: string, className: string, words: string, title?: string) =>
    createElement("span", { key, className, title }, words);
  return createElement("span", { className: "compared" }, [
    best && part("s", "star", "★ ", msg("tables.best")),
    part("t", best ? "best" : "", text, above ? undefined : about),
    more && part("p", "percent", more),
    above && part("a", "far", above, about),
  ]);
}

/* By value; what has none comes last. */
function comparedOrder(a: Cell | null, b: Cell | null) {
  const [first, second] = [a?.value ?? Infinity, b?.value ?? Infinity];
  return first === second ? 0 : first - second;
}

export function listen() {
  // a chart's table is made when it is first opened
  const opened = ({ dataset }: HTMLElement) => setProps(`${dataset.key}-open`, { data: true });
  hear("toggle", "details.picture-table[open]", opened, { capture: true });
  hear("click", "[data-copy], [data-csv]", async (button) => {
    const { copy: copied, csv } = button.dataset;
    const key = copied || csv;
    const grid = await gridApi(`${key}-grid`);
    if (csv) return grid.exportDataAsCsv({ ...written, fileName: `gantry-${key}.csv` });
    await copy(grid.getDataAsCsv({ ...written, columnSeparator: "\t", suppressQuotes: true }));
    say(button, msg("tables.copied"));
  });
  gridComponents({ Compared }); // the grids look these up as they are drawn
  gridFunctions({ comparedOrder });
}
