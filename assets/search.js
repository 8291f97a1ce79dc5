/* Search: "3 of 17", Enter goes on, each match is marked in the charts; what is typed may be a job, node,
   user, queue or a container. */
const TYPING_MS = 150;
const state = { text: "", at: 0, turn: 0 };
const field = () => document.getElementById("find");
const says = (words) => (document.getElementById("find-count").textContent = words);

const look = async function (by) {
  const text = field().value.trim();
  if (text !== state.text) Object.assign(state, { text, at: 0 });
  else state.at += by;
  if (!text) {
    says("");
    return gantry.change({ matches: null });
  }
  const ticket = ++state.turn;
  const answer = await gantry.charts.post("search", { ...gantry.charts.viewRequest(), text, at: state.at });
  if (ticket !== state.turn || !answer) return;
  state.at = answer.at;
  const [place, count] = [answer.at + 1, answer.count].map((number) => number.toLocaleString("en"));
  says(answer.count ? gantry.msg("search.place", { place, count }) : gantry.msg("shared.no_match"));
  gantry.change({ matches: answer.bars });
  if (answer.highlight) gantry.change({ highlight: answer.highlight });
  const [first] = Object.values(answer.bars);
  if (first && by !== undefined) gantry.charts.reveal(first.start, first.row);
};

const typed = gantry.rested(() => look(0), TYPING_MS);
document.addEventListener("input", ({ target }) => target.id === "find" && typed());
document.addEventListener("keydown", (event) => {
  if (event.target.id !== "find") return;
  if (event.key === "Enter") {
    event.preventDefault();
    look(event.shiftKey ? -1 : 1);
  }
  if (event.key === "Escape") {
    field().value = "";
    look(0);
    field().blur();
  }
});
