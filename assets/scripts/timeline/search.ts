/* Search: "3 of 17", Enter goes on, each match is marked in the charts; what is typed may be a job, node,
   user, queue or a container. */
import { hear, setText, the } from "../page/dom";
import { msg } from "../page/messages";
import { change } from "../page/state";
import { rested } from "../page/timing";
import * as charts from "./charts";
import type { Bar } from "./drawing";

const TYPING_MS = 150;
type Answer = { at: number; count: number; bars: Record<number, Bar>; highlight?: string };
let text = "";
let place = 0; // of the match that is marked
let turn = 0; // the newest question; older answers are dropped

const field = () => the("find", HTMLInputElement);
const say = (words: string) => setText("find-count", words);

/* by: so many matches further on, if it is still the same text. */
async function look(by: number) {
  const typed = field().value.trim();
  place = typed === text ? place + by : 0;
  text = typed;
  if (!text) {
    say("");
    return change({ matches: null });
  }
  const ticket = ++turn;
  const answer = await charts.ask<Answer>("search", { text, at: place });
  if (ticket !== turn || !answer) return;
  place = answer.at;
  const told = (number: number) => number.toLocaleString("en");
  if (answer.count) say(msg("search.place", { place: told(place + 1), count: told(answer.count) }));
  else say(msg("shared.no_match"));
  change({ matches: answer.bars });
  if (answer.highlight) change({ highlight: answer.highlight });
  const [first] = Object.values(answer.bars);
  if (first) charts.reveal(first.start, first.row);
}

export function listen() {
  const typed = rested(() => look(0), TYPING_MS);
  hear("input", "#find", typed);
  hear("keydown", "#find", (_, event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      look(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      field().value = "";
      look(0);
      field().blur();
    }
  });
}
