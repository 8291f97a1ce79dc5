/* What the server tells the editor once, the draft and its faults (webapp/panels/editor). */
import { state } from "../page/state";
import type { Asked } from "../run/result";

/* A sentence about what a file did not say; of a configuration with its kind
   (engine/scenario/configuration/configuration_notes.py). */
export type Told = string | { kind: string; text: string };
export type Draft = Asked & { assumed: Told[] };

export interface Field {
  path: string;
  title: string;
  kind:
    | "text"
    | "whole"
    | "number"
    | "duration"
    | "numbers"
    | "names"
    | "choice"
    | "queue"
    | "switch"
    | "rows";
  unit: string;
  group: string;
  help: string;
  empty: string; // what stands in a field without a value
  none?: string; // the word for null
  default: unknown;
  required: boolean;
  choices: string[];
  hadoop: string[];
  fields: Field[]; // of a list within a form
}

export type Group = Pick<Field, "path" | "title" | "help" | "empty" | "required" | "hadoop">;

/* lacks: paths of fields that it does not have; words: what of fields it says in other words. */
export interface Framework {
  fresh: Row;
  lacks: string[];
  words: Record<string, Partial<Field>>;
}

export interface Table {
  path: string;
  one: string;
  title: string;
  fresh: Record<string, unknown>;
  begins?: Record<string, unknown>; // the first row, of a list that must have one
  frameworks: Record<string, Framework>; // the first: of a row that names none
  fields: Field[];
  groups: Group[];
  grid: unknown; // a component of Dash
}

/* An entry of a list, which may hold anything. */
export type Row = Record<string, unknown>;
export type FirstLast = [first: number, last: number]; // rows

/* A cell that is set; undefined: emptied. */
export type Cell = { row: number; path: string; value: unknown };

export interface Fault {
  path: string;
  message: string;
  sentence: string;
  section: string;
  row: number | null;
  field: string;
  unknown: boolean;
  missing: boolean; // nodes or jobs, of which there are none yet
}

export interface Line {
  rows: FirstLast | null; // of the list, that it stands for
  name: string;
  aside: string;
  parts: [phase: string, words: string][];
  names?: string[];
  path?: string; // of a queue
  depth?: number;
  graph?: string; // of an application's stages, as SVG
  bars?: Record<string, [start: number, part: number, maximum: number, text: string]>;
}

export type Note = Pick<Fault, "sentence" | "section" | "row" | "field">;

export interface Outline {
  summaries: Record<string, string>;
  lines: Record<string, Line[]>;
  queues: string[];
  unmeasured: string | null;
  unrounded: Note | null;
}

/* beside: the key of the one that it is compared with. */
export interface Preset {
  key: string;
  title: string;
  scenario: Asked["scenario"];
  schedulers?: string[];
  beside?: string;
}

export interface Facts {
  presets: Preset[];
  schedulers: string[];
  tables: Record<string, Table>;
  title: Field[];
  settings: Field[];
  folds: Record<string, { title: string; about: string; paths: string[] }[]>;
  addresses: { check: string; open: string; write: string; convert: string; workload: string };
  accept: string;
  max_bytes: number;
}

let known: Facts | null = null;

export function setFacts(facts: Facts) {
  known = facts;
}
export const isThere = () => known !== null;

function there<T>(what: T | null | undefined, otherwise: string) {
  if (what === null || what === undefined) throw new Error(otherwise);
  return what;
}
/* Of the editor that is there. */
export const facts = () => there(known, "the editor is not there yet");
export const tableOf = (section: string) => there(facts().tables[section], `there is no list ${section}`);
export const theDraft = () => there(state().draft, "there is no draft yet");
