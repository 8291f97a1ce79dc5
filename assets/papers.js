/* The pages of the experiments: large type, which stays chosen, the keys of a class, and the claim that a
   cell of the matrix leads to. */
const root = document.documentElement;
const large = () => root.dataset.type === "large";
const paper = gantry.chartSize(".paper", ".paper-room", "paper-look", () => ({ large: large() }));

const largeType = function (_clicks, _read, kept) {
  const pressed = window.dash_clientside.callback_context.triggered.some(
    (one) => one.prop_id === "large-type.n_clicks",
  );
  const on = pressed ? !kept : Boolean(kept);
  if (on) root.dataset.type = "large";
  else delete root.dataset.type;
  paper.send();
  return [pressed ? on : gantry.none(), String(on)];
};

/* The claims are there only once the experiment has run, too late for the browser to go to one. */
const claimAsked = function () {
  requestAnimationFrame(() => {
    const row =
      /^#claim-\d+$/.test(location.hash) && document.querySelector(`tr${location.hash}:not([data-asked])`);
    if (!row) return;
    row.dataset.asked = "yes";
    row.scrollIntoView({ block: "center" });
  });
};

const KEYS = { ArrowLeft: "paper-before", ArrowRight: "paper-after", l: "large-type", L: "large-type" };

document.addEventListener("keydown", (event) => {
  if (
    !document.querySelector(".paper") ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.defaultPrevented
  )
    return;
  // there keys are for what is focused
  if (event.target.closest("input, textarea, select, [role=region], .card-menu")) return;
  const way = document.getElementById(KEYS[event.key]);
  if (!way) return;
  event.preventDefault();
  way.click();
});

/* A matrix or a map ([data-walk]) is one stop of the Tab key; arrows go along a row ([data-walk-row]) and
   to the next row that has cells. */
document.addEventListener("keydown", (event) => {
  const cell = event.target.closest("[data-walk-row] :is(a, button)");
  if (!cell || event.ctrlKey || event.metaKey || event.altKey || !event.key.startsWith("Arrow")) return;
  const rows = [...cell.closest("[data-walk]").querySelectorAll("[data-walk-row]")]
    .map((row) => [...row.querySelectorAll("a, button")])
    .filter((cells) => cells.length);
  const row = rows.findIndex((cells) => cells.includes(cell));
  const at = rows[row].indexOf(cell);
  const beside = (other) => other && other[Math.min(at, other.length - 1)];
  const found = {
    ArrowLeft: rows[row][at - 1],
    ArrowRight: rows[row][at + 1],
    ArrowUp: beside(rows[row - 1]),
    ArrowDown: beside(rows[row + 1]),
  }[event.key];
  event.preventDefault();
  if (!found) return;
  cell.tabIndex = -1;
  found.tabIndex = 0;
  found.focus();
});

gantry.callbacks({ paperLook: paper.look, largeType, claimAsked });
