/* Dash's libraries of components: those of tables and of charts are large, so each comes when the first of
   its kind is shown; others look up functions of ours as they draw. */
import { h } from "../page/dom";

/* AG Grid's, as far as these scripts call it. */
export interface GridApi {
  addEventListener(kind: string, hear: (event: GridEvent) => void): void;
  deselectAll(): void;
  ensureColumnVisible(column: string): void;
  ensureIndexVisible(row: number): void;
  exportDataAsCsv(how: object): void;
  getDataAsCsv(how: object): string;
  getDisplayedRowCount(): number;
  getEditingCells(): GridCell[];
  getFocusedCell(): GridCell | null;
  getSelectedNodes(): { data: { id: string } }[];
  isDestroyed(): boolean;
  refreshCells(how: object): void;
  setFocusedCell(row: number, column: string): void;
  setGridAriaProperty(name: string, value: string): void;
  setGridOption(name: string, value: unknown): void;
  stopEditing(isCancelled: boolean): void;
}
type GridCell = { rowIndex: number; rowPinned: string | null; column: { getColId(): string } };
export interface GridEvent {
  colDef: { field: string };
  data: { id: string };
  value: unknown;
  newValue: unknown;
  event?: Event;
}
type Grids = { AgGrid: unknown; getApiAsync(id: string): Promise<GridApi> };
interface React {
  createElement(kind: unknown, props: object | null, ...children: unknown[]): unknown;
  lazy(load: () => Promise<{ default: unknown }>): unknown;
  Suspense: unknown;
}
// biome-ignore lint/suspicious/noExplicitAny: the libraries hand over whatever they draw
type Functions = Record<string, (...values: any[]) => unknown>;

declare global {
  var React: React;
  var dash_ag_grid: Grids;
  var dash_mantine_components: Record<string, { dashChildrenUpdate?: boolean }>;
  var dashAgGridFunctions: Functions | undefined;
  var dashAgGridComponentFunctions: Functions | undefined;
  var dashMantineFunctions: Functions | undefined;
}

const AGAIN_MS = 2000;
const late = Promise.withResolvers<Grids>();

/* The grid of this id, once it is there. */
export const gridApi = async (id: string) => (await late.promise).getApiAsync(id);
export const createElement: React["createElement"] = (...parts) => globalThis.React.createElement(...parts);

/* What grids and components of Mantine look up by name as they draw. */
type Known = "dashAgGridFunctions" | "dashAgGridComponentFunctions" | "dashMantineFunctions";
function known(name: Known, functions: Functions) {
  globalThis[name] ??= {};
  Object.assign(globalThis[name], functions);
}
export const gridFunctions = (functions: Functions) => known("dashAgGridFunctions", functions);
export const gridComponents = (functions: Functions) => known("dashAgGridComponentFunctions", functions);
export const mantineFunctions = (functions: Functions) => known("dashMantineFunctions", functions);

/* A server that is away for a moment is asked again: a library that did not come would never come, and
   take the page with it. */
export const loaded = (address: string): Promise<unknown> =>
  new Promise((done) => {
    const onerror = () => setTimeout(() => loaded(address).then(done), AGAIN_MS);
    document.head.append(h("script", { src: address, onload: done, onerror }));
  });

/* grid, plotly: where these libraries are. */
export function listen({ grid = "", plotly = "" }: DOMStringMap) {
  // Dash loads plotly.js from there if no one has, and sets the address of the whole, which is four times as
  // large.
  Object.defineProperty(window, "_dashPlotlyJSURL", { get: () => plotly, set() {} });

  // dash-renderer walks the whole page's layout at every change, for each component whose class asks to see
  // its children's changes. None of ours needs that.
  for (const component of Object.values(globalThis.dash_mantine_components))
    delete component.dashChildrenUpdate;

  const { React } = globalThis;
  const Grid = React.lazy(async () => {
    await loaded(grid);
    const real = globalThis.dash_ag_grid;
    globalThis.dash_ag_grid = stand; // another class would make every grid anew
    // before the library asks for it, which it does once
    await loaded(grid.replace("dash_ag_grid.min", "async-community"));
    late.resolve(real);
    return { default: real.AgGrid };
  });
  function AgGrid(props: { id: string; className: string; style: object }) {
    const { id, className, style } = props;
    const fallback = React.createElement("div", { id, className, style });
    return React.createElement(React.Suspense, { fallback }, React.createElement(Grid, props));
  }
  AgGrid.dashRenderType = true; // as the library's own: Dash then says who has changed it
  const stand = { AgGrid, getApiAsync: gridApi };
  globalThis.dash_ag_grid = stand;
}
