/* The pages of the experiments: large type, which stays chosen, the keys of a class, and the claim that a
   cell of the matrix leads to. */
import { callbacks, noUpdate, triggered } from "../dash/dash";
import { chartSize } from "../page/chart_size";
import { at, closest, hear } from "../page/dom";

const KEYS: Record<string, string> = {
  ArrowLeft: "paper-before",
  ArrowRight: "paper-after",
  l: "large-type",
  L: "large-type",
};
const isAltered = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey;

/* The claims are there only once the experiment has run, too late for the browser to go to one. */
function claimAsked() {
  requestAnimationFrame(() => {
    if (!/^#claim-\d+$/.test(location.hash)) return;
    const row = document.querySelector<HTMLElement>(`tr${location.hash}:not([data-asked])`);
    row?.setAttribute("data-asked", "yes");
    row?.scrollIntoView({ block: "center" });
  });
}

function pressed(event: KeyboardEvent) {
  if (!document.querySelector(".paper") || isAltered(event) || event.defaultPrevented) return;
  // there keys are for what is focused; of a table that scrolls the arrows alone
  const owners = "input, textarea, select, .card-menu";
  if (closest(event, event.key.startsWith("Arrow") ? `${owners}, [role=region]` : owners)) return;
  const way = at(KEYS[event.key] ?? "");
  if (!way) return;
  event.preventDefault();
  way.click();
}

/* A matrix or a map ([data-walk]) is one stop of the Tab key; arrows go along a row ([data-walk-row]) and
   to the next row that has cells. */
function walk(cell: HTMLElement, event: KeyboardEvent) {
  if (isAltered(event) || !event.key.startsWith("Arrow")) return;
  const rows = [...(cell.closest("[data-walk]")?.querySelectorAll("[data-walk-row]") ?? [])]
    .map((row) => [...row.querySelectorAll<HTMLElement>("a, button")])
    .filter((cells) => cells.length);
  const place = rows.findIndex((cells) => cells.includes(cell));
  const own = rows[place] ?? [];
  const column = own.indexOf(cell);
  const inRow = (cells: HTMLElement[] = []) => cells[Math.min(column, cells.length - 1)];
  const ways: Record<string, HTMLElement | undefined> = {
    ArrowLeft: own[column - 1],
    ArrowRight: own[column + 1],
    ArrowUp: inRow(rows[place - 1]),
    ArrowDown: inRow(rows[place + 1]),
  };
  const next = ways[event.key];
  event.preventDefault();
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

export function listen() {
  const { dataset } = document.documentElement;
  const large = () => ({ large: dataset.type === "large" });
  const paper = chartSize(".paper", ".paper-room", "paper-look", large);
  function largeType(_clicks: number, _read: unknown, kept: boolean | null) {
    const isPressed = triggered().some((one) => one.prop_id === "large-type.n_clicks");
    const isOn = isPressed ? !kept : Boolean(kept);
    if (isOn) dataset.type = "large";
    else delete dataset.type;
    paper.send();
    return [isPressed ? isOn : noUpdate(), String(isOn)];
  }
  paper.listen();
  document.addEventListener("keydown", pressed);
  hear("keydown", "[data-walk-row] :is(a, button)", walk);
  callbacks({ paperLook: paper.look, largeType, claimAsked });
}
