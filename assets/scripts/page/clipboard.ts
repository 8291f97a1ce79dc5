/* Text for the clipboard and for spreadsheets. */
import { h } from "./dom";

/* A text that a spreadsheet would take for a formula gets an apostrophe, as the engine's CSV has it;
   numbers stay as they are. */
export const inert = (cell: unknown) =>
  typeof cell === "string" &&
  /^[=+\-@\t\r\n]/.test(cell) &&
  !/^[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell)
    ? `'${cell}`
    : String(cell);
export const uninert = (text: string) => (/^'[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text);

/* Whether the text is on the clipboard; where a browser opens that to https alone, by selecting it. */
export async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.body.appendChild(h("textarea", { class: "unseen" }, text));
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    return isDone;
  }
}
