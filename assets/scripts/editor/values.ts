/* Text of cells and fields <-> JSON values: numbers with units as people write them, durations as they are
   written. */
import { msg } from "../page/messages";
import type { Field, Group } from "./facts";

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

export function get(value: unknown, path: string) {
  for (const key of path.split(".")) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

/* How many of a field's unit each is, by its names. */
function units(factors: Record<string, number>, per = "", by = 1) {
  const all = new Map<string, number>();
  for (const [names, factor] of Object.entries(factors))
    for (const name of names.split(" ")) all.set(name + per, factor * by);
  return all;
}
const TIMES = { ms: 0.001, "s sec second seconds": 1, "m min minute minutes": 60, "h hour hours": 3600 };
const SECONDS = { ...TIMES, "d day days": 86400 };
const MB = { b: 2 ** -20, "kb k": 2 ** -10, "mb m": 1, "gb g": 2 ** 10, "tb t": 2 ** 20 };
const FACTORS = new Map([
  ["MB", units(MB)],
  ["MB/s", units(MB, "/s")],
  ["s", units(SECONDS)],
  ["ms", units(SECONDS, "", 1000)],
  ["%", units({ "%": 1 })],
  ["", units({ "%": 0.01 })],
]);
const SEVERAL = /^\s*(?:\d+(?:[.,]\d+)?\s*[a-z]+\s*){2,}$/i;
const SHAPES = new Map<unknown, string[]>([
  ["normal", ["mean", "sd"]],
  ["lognormal", ["mean", "sd"]],
  ["uniform", ["low", "high"]],
  ["exponential", ["mean"]],
]);
const MAX_SHOWN = 12;

/* "1,024", "1 024", "1.048.576", "0,5", "8 GB" in a field of MB, "1h 30m" in one of seconds; null when it
   is no number. */
function number(text: string, unit: string): number | null {
  if ((unit === "s" || unit === "ms") && SEVERAL.test(text)) {
    const parts = text.match(/\d+(?:[.,]\d+)?\s*[a-z]+/gi) ?? [];
    const sum = parts.reduce((sum, part) => sum + (number(part, unit) ?? NaN), 0);
    return Number.isNaN(sum) ? null : sum;
  }
  const parts = text
    .replace(/[\s\u00a0\u2009\u202f'’_]/g, "")
    .match(/^([+-]?[\d.,]+(?:e[+-]?\d+)?)([a-z%/]*)$/i);
  if (!parts) return null;
  let [, digits = "", suffix = ""] = parts;
  suffix = suffix.toLowerCase();
  const isOwn = suffix === "" || suffix === unit.toLowerCase();
  const factor = isOwn ? 1 : (FACTORS.get(unit)?.get(suffix) ?? NaN);
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) digits = digits.replace(/,/g, "");
  else if (/^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(digits) || /^[+-]?\d{1,3}(\.\d{3}){2,}$/.test(digits))
    digits = digits.replace(/\./g, "").replace(",", ".");
  else if (/^[+-]?\d+,\d+$/.test(digits)) digits = digits.replace(",", ".");
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits) ? Number(digits) * factor : NaN;
  const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return exact ? (factor === 1 ? value : Number(value.toPrecision(12))) : null;
}

/* "1, 2, 3" or "1; 2; 3"; null where one of them is no number. */
function numbers(text: string, unit: string) {
  const items = text.split(text.includes(";") ? ";" : ",").map((part) => number(part, unit) ?? NaN);
  return items.some(Number.isNaN) ? null : items;
}

/* 20, normal(20, 5), values(1, 2, 3) …; null for what is none of them. */
function duration(text: string) {
  const plain = number(text, "s");
  if (plain !== null) return plain;
  const [, word = "", inner = ""] = text.match(/^\s*([a-z]+)\s*\(([^()]*)\)\s*$/i) ?? [];
  const dist = word.toLowerCase();
  const values = numbers(inner, "s");
  if (values && dist === "values") return { values };
  const keys = SHAPES.get(dist);
  if (!keys || keys.length !== values?.length) return null;
  return Object.fromEntries([["dist", dist], ...keys.map((key, index) => [key, values[index]])]);
}

/* The JSON value of what was typed into a field, the text itself where it is no value of its kind; undefined
   where it is empty or names the default anyway. */
export function parse(typed: unknown, field: Partial<Field>): unknown {
  if (typed === null || typed === undefined) return undefined;
  const text = String(typed).trim();
  if (field.kind === "switch" && text !== "") {
    const isOn = /^(true|yes|on|1)$/i.test(text);
    const value = field.default === null && isOn ? {} : isOn;
    return isOn === Boolean(field.default) ? undefined : value;
  }
  const lower = text.toLowerCase();
  if (text === "" || (field.empty && lower === field.empty.toLowerCase())) return undefined;
  if (field.none && lower === field.none) return null;
  let value: unknown = null;
  if (field.kind === "duration") value = duration(text);
  else if (field.kind === "numbers") value = numbers(text, field.unit ?? "");
  else if (field.kind === "whole" || field.kind === "number") value = number(text, field.unit ?? "");
  else if (field.kind === "choice" && field.choices?.includes(lower)) value = lower;
  value ??= text;
  return value === field.default ? undefined : value;
}

const nameOf = (item: unknown, index: number) => String(get(item, "name") ?? `${index + 1}`);

/* What a cell or field holds for a JSON value: a number or text, null when empty. */
export function show(value: unknown, { none }: Partial<Field>) {
  if (value === null && none) return none;
  if (value === undefined || value === null) return null;
  if (typeof value === "number") return value;
  if (Array.isArray(value)) return value.some(isObject) ? value.map(nameOf).join(", ") : value.join(", ");
  if (!isObject(value)) return String(value);
  if (Array.isArray(value.values)) return `values(${value.values.join(", ")})`;
  const keys = SHAPES.get(value.dist);
  return keys ? `${value.dist}(${keys.map((key) => value[key] ?? "").join(", ")})` : JSON.stringify(value);
}

/* Long lists are cut on the screen; the cell itself keeps them whole. */
export function brief(shown: unknown) {
  if (typeof shown !== "string" || !shown.startsWith("values(")) return shown;
  const parts = shown.slice(7, -1).split(", ");
  if (parts.length <= MAX_SHOWN) return shown;
  const first = parts.slice(0, MAX_SHOWN).join(", ");
  return msg("editor_values.values", { count: parts.length.toLocaleString("en"), first });
}

/* Cells of text as spreadsheets put them on the clipboard: tabs, lines, quotes around cells that hold
   either. */
export function cells(text: string) {
  const rows: string[][] = [];
  const row: string[] = [];
  let [cell, isQuoted] = ["", false];
  for (let at = 0; at <= text.length; at++) {
    const letter = text[at];
    if (letter === undefined || (!isQuoted && (letter === "\t" || letter === "\n"))) {
      row.push(cell);
      cell = "";
      if (letter !== "\t") rows.push(row.splice(0));
    } else if (isQuoted && letter === '"' && text[at + 1] === '"') cell += text[at++];
    else if (letter === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (isQuoted || letter !== "\r") cell += letter;
  }
  while (rows.length > 1 && rows.at(-1)?.join("") === "") rows.pop();
  return rows;
}

/* What stands greyed in an empty field of this entry of a list. Fields of an object that is absent stay
   bare, but for a short word such as "no limit". */
export function placeholder({ group: path, empty }: Field, groups: Group[], entry: unknown, row: number) {
  const group = groups.find((one) => one.path === path);
  if (group && get(entry, path) == null)
    return group.required ? empty : group.empty.length <= 10 && group.empty ? group.empty : "–";
  const [, stem] = empty.match(/^(\D+)1, /) ?? [];
  return stem ? `${stem}${row + 1}` : empty;
}
