/* Text of cells and fields <-> JSON values: numbers with units as people write them, durations as they are
   written. */
const { editor } = gantry;

const SECONDS = {
  ms: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  minute: 60,
  minutes: 60,
  h: 3600,
  hour: 3600,
  hours: 3600,
  d: 86400,
  day: 86400,
  days: 86400,
};
const MB = {
  b: 1 / 1048576,
  kb: 1 / 1024,
  k: 1 / 1024,
  mb: 1,
  m: 1,
  gb: 1024,
  g: 1024,
  tb: 1048576,
  t: 1048576,
};
const FACTORS = {
  MB,
  "MB/s": Object.fromEntries(Object.entries(MB).map(([unit, factor]) => [`${unit}/s`, factor])),
  s: SECONDS,
  ms: Object.fromEntries(Object.entries(SECONDS).map(([unit, factor]) => [unit, factor * 1000])),
  "%": { "%": 1 },
  "": { "%": 0.01 },
};
const TIMES = /^\s*(?:\d+(?:[.,]\d+)?\s*[a-z]+\s*){2,}$/i;
const SHAPES = {
  normal: ["mean", "sd"],
  lognormal: ["mean", "sd"],
  uniform: ["low", "high"],
  exponential: ["mean"],
};
const MAX_SHOWN = 12;

/* "1,024", "1 024", "1.048.576", "0,5", "8 GB" in a field of MB, "1h 30m" in one of seconds; null when it
   is no number. */
function number(text, unit) {
  if ((unit === "s" || unit === "ms") && TIMES.test(text)) {
    const parts = text.match(/\d+(?:[.,]\d+)?\s*[a-z]+/gi).map((part) => number(part, unit));
    return parts.includes(null) ? null : parts.reduce((sum, part) => sum + part, 0);
  }
  const parts = text
    .replace(/[\s\u00a0\u2009\u202f'’_]/g, "")
    .match(/^([+-]?[\d.,]+(?:e[+-]?\d+)?)([a-z%/]*)$/i);
  if (!parts) return null;
  const suffix = parts[2].toLowerCase();
  const factor = suffix === "" || suffix === unit.toLowerCase() ? 1 : (FACTORS[unit] || {})[suffix];
  let digits = parts[1];
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) digits = digits.replace(/,/g, "");
  else if (/^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(digits) || /^[+-]?\d{1,3}(\.\d{3}){2,}$/.test(digits))
    digits = digits.replace(/\./g, "").replace(",", ".");
  else if (/^[+-]?\d+,\d+$/.test(digits)) digits = digits.replace(",", ".");
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits) ? Number(digits) * factor : NaN;
  const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return exact ? (factor === 1 ? value : Number(value.toPrecision(12))) : null;
}

/* 20, normal(20, 5), values(1, 2, 3) …; what is none of them stays the text it is. */
function duration(text) {
  const plain = number(text, "s");
  if (plain !== null) return plain;
  const call = text.match(/^\s*([a-z]+)\s*\(([^()]*)\)\s*$/i);
  if (!call) return text;
  const name = call[1].toLowerCase();
  const given = call[2].split(call[2].includes(";") ? ";" : ",").map((part) => number(part, "s"));
  if (given.includes(null)) return text;
  if (name === "values") return { values: given };
  const keys = SHAPES[name];
  if (!keys || keys.length !== given.length) return text;
  return Object.fromEntries([["dist", name], ...keys.map((key, index) => [key, given[index]])]);
}

/* "1, 2, 3" or "1; 2; 3"; what is none of them stays the text it is. */
function numbers(text) {
  const items = text.split(text.includes(";") ? ";" : ",").map((part) => number(part, ""));
  return items.includes(null) ? text : items;
}

/* The JSON value of what was typed into a field; undefined where it is empty or names the default anyway. */
function parse(typed, field) {
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
  let value = text;
  if (field.kind === "duration") value = duration(text);
  else if (field.kind === "numbers") value = numbers(text);
  else if (field.kind === "whole" || field.kind === "number") value = number(text, field.unit) ?? text;
  else if (field.kind === "choice" && field.choices.includes(lower)) value = lower;
  return value === field.default ? undefined : value;
}

/* What a cell or field holds for a JSON value: a number or text, null when empty. */
function show(value, field) {
  if (value === null && field && field.none) return field.none;
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return typeof value === "number" ? value : String(value);
  if (Array.isArray(value)) return value.join(", ");
  if (Array.isArray(value.values)) return `values(${value.values.join(", ")})`;
  const keys = SHAPES[value.dist];
  return keys ? `${value.dist}(${keys.map((key) => value[key] ?? "").join(", ")})` : JSON.stringify(value);
}

/* Long lists are cut on the screen; the cell itself keeps them whole. */
function brief(shown) {
  if (typeof shown !== "string" || !shown.startsWith("values(")) return shown;
  const parts = shown.slice(7, -1).split(", ");
  return parts.length > MAX_SHOWN
    ? gantry.msg("editor_values.values", {
        count: parts.length.toLocaleString("en"),
        first: parts.slice(0, MAX_SHOWN).join(", "),
      })
    : shown;
}

/* Cells of text as spreadsheets put them on the clipboard: tabs, lines, quotes around cells that hold
   either. */
function cells(text) {
  const rows = [[""]];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    const row = rows[rows.length - 1];
    if (quoted && letter === '"' && text[at + 1] === '"') {
      row[row.length - 1] += '"';
      at += 1;
    } else if (letter === '"' && (quoted || row[row.length - 1] === "")) quoted = !quoted;
    else if (!quoted && letter === "\t") row.push("");
    else if (!quoted && letter === "\n") rows.push([""]);
    else if (quoted || letter !== "\r") row[row.length - 1] += letter;
  }
  while (rows.length > 1 && rows[rows.length - 1].join("") === "") rows.pop();
  return rows;
}

/* What stands greyed in an empty field of this entry of a list. Fields of an object that is absent stay
   bare, but for a short word such as "no limit". */
function placeholder(field, groups, entry, row) {
  const group = groups.find((one) => one.path === field.group);
  if (group && editor.get(entry, field.group) == null)
    return group.required ? field.empty : group.empty.length <= 10 && group.empty ? group.empty : "–";
  const numbered = field.empty.match(/^(\D+)1, /);
  return numbered ? `${numbered[1]}${row + 1}` : field.empty;
}

Object.assign(editor, { parse, show, brief, cells, placeholder });
