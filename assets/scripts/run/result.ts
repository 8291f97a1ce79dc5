/* What a run is asked for and what comes of it, as webapp/panels/run/run_routes.py reads and writes them. */
import type { Rows, Span } from "../timeline/drawing";

/* A scenario as it was composed, sent or read: it may hold anything (engine/scenario). */
export type Scenario = { [field: string]: unknown };

export interface Asked {
  scenario: Scenario;
  schedulers: string[];
}

export interface Pinned extends Asked {
  name: string;
}

export type Why = "run" | "link" | "draft" | "example" | "recent" | "whatif" | "again";

export interface RunRequest extends Asked {
  why: Why;
  pinned: Asked | undefined;
  optimum: string | null;
  beside?: Asked | undefined; // shown as if it were pinned, by this request alone
  spare?: Asked; // run where the other can't be
  link?: string | null;
  base?: string;
  retried?: boolean;
}

/* What stands around a chart; equal to an earlier run where `same` is that one's place. */
export interface Chart {
  place: number;
  colour: number;
  name: string;
  full: string;
  label: string;
  pinned: string | null;
  same: number | null;
  makespan: string;
  deadlock: boolean;
  lane: string | null; // HTML; none of one that is equal to another
  signals: boolean;
}

export interface Result extends Pick<Asked, "schedulers"> {
  key: string;
  display_names: Record<string, string>;
  name: string;
  whole: Span;
  link: string | null;
  why: Why;
  random: boolean;
  pinned: string | null;
  differences: string[]; // from the one that is pinned: the first
  more_differences: number;
  optimum: string | null;
  address: string;
  verdict: string[];
  charts: Chart[];
}

/* How the page opens, as page/workbench.ts takes it from the address. */
export interface Opening {
  opens: Partial<Span & Rows> | null;
  asks: { place: number; container: number; waiting: number | null; beside: boolean } | null;
}
