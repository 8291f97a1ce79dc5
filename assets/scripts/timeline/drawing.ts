/* What the server draws, as webapp/panels/timeline/viewport.py writes it. */

export type Span = { x0: number; x1: number }; // of times, in ms
export type Rows = { y0: number; y1: number }; // of rows, by their edges

export interface Arranged {
  by: string;
  sort: string;
  find: string;
  opened: string[]; // groups that show their lanes
}

/* Where a container's bar is; a row below 0 is not shown. */
export interface Bar {
  key: string;
  index: number; // the chart's place
  container: number;
  row: number;
  start: number;
  end: number;
}

export type Legend = { names: string[]; others: number; absent: string[] };

export type Facts = Record<number, [title: string, value: string, beside: string, about: string][]>;

interface ChartDrawing {
  drawn: Span & Rows; // what is painted, with what is beside the window
  gantt: string; // SVG
  names: string; // SVG
  strips: string[]; // HTML
  exact: boolean;
  slices: number;
}

export interface Drawing extends Legend {
  whole: Span & { rows: number };
  looked: Span & Rows;
  asked: Partial<Span & Rows>;
  hidden: number;
  charts: Record<number, ChartDrawing>;
  key?: string; // none while a slider moves
  facts?: Facts; // while a slider moves
}
