/* Questions of one click: the row of them, the fields of the chosen one, and the list of what was
   answered, newest first. */
import { callbacks, setProps } from "../dash/dash";
import { commitWhole } from "../editor/editor";
import { copy } from "../page/clipboard";
import { closest, h, hear, isField, setText, the } from "../page/dom";
import { msg } from "../page/messages";
import { change, same, state } from "../page/state";
import type { Asked, Pinned } from "../run/result";
import * as run from "../run/run";

/* As webapp/jobs/questions.py offers them; because: why there is nothing to ask. */
interface Question {
  key: string;
  title: string;
  about: string;
  because: string;
  fields: Field[];
}
/* empty: what stands where it is left empty. */
interface Field {
  key: string;
  title: string;
  unit: string;
  value: string | number;
  empty: string;
  choices: { value: string; title: string }[];
}
interface Base {
  key: string;
  scheduler: string;
  questions: Question[];
}

const MAX_ANSWERS = 12;
let base: Base | null = null;
let chosen = "";
let answers: object[] = []; // what was asked, which names an answer
let isNew = false; // the newest is still to be shown
let price = "";
let typed: Record<string, Record<string, string>> = {}; // values by question, where they are not its defaults

const chosenQuestion = () => base?.questions.find(({ key }) => key === chosen);
const say = (words: string) => setText("questions-says", words);
/* What comes is seen in a low drawer too. */
const see = (selector: string, block: ScrollLogicalPosition = "nearest") =>
  requestAnimationFrame(() => document.querySelector(selector)?.scrollIntoView({ block }));

function ask() {
  const question = chosenQuestion();
  if (!base || !question) return;
  if (question.because) {
    say(`${question.because}.`);
    return see("#questions-says");
  }
  const { key, scheduler } = base;
  setProps("questions-ask", {
    data: { key, scheduler, question: chosen, values: { ...typed[chosen] }, price },
  });
  see("#questions-form", "start");
}

function choose({ dataset: { question = "" } }: HTMLElement) {
  chosen = question;
  for (const pill of the("questions-row").querySelectorAll<HTMLElement>("button"))
    pill.setAttribute("aria-pressed", String(pill.dataset.question === chosen));
  form();
  ask();
}

const pill = ({ key, title, about, because }: Question) =>
  h(
    "button",
    {
      type: "button",
      "data-question": key,
      "aria-pressed": String(key === chosen),
      "aria-disabled": because ? "true" : null,
      title: because || about,
    },
    title,
  );

function field({ key, title, unit, value, empty, choices }: Field) {
  const now = String(typed[chosen]?.[key] ?? value);
  const options = choices.map((one) =>
    h("option", { value: one.value, selected: one.value === now }, one.title),
  );
  const input = options.length
    ? h("select", { name: key }, ...options)
    : h("input", {
        name: key,
        type: "text",
        inputmode: "decimal",
        autocomplete: "off",
        value: now,
        placeholder: empty || null,
      });
  return h("label", {}, title, input, unit && h("span", {}, unit));
}

/* The fields of the chosen question; what has the focus keeps it. */
function form() {
  const question = chosenQuestion();
  const room = the("questions-form");
  room.hidden = !question || Boolean(question.because);
  if (room.hidden || !question) return;
  const amount = { name: "price", type: "text", autocomplete: "off", placeholder: "0.40 EUR", value: price };
  const paid = { title: msg("questions.price_title") };
  room.replaceChildren(
    ...question.fields.map(field),
    h("label", paid, msg("questions.price"), h("input", amount)),
    h("button", { type: "submit" }, msg("questions.ask")),
  );
}

function list(shown: object[]) {
  answers = shown;
  setProps("questions-list", { data: answers });
}

const acts: Record<string, (place: number, button: HTMLElement) => unknown> = {
  open: (place) => setProps("questions-open", { data: { ...answers[place], at: Date.now() } }),
  async copy(_place, { dataset }) {
    const isCopied = await copy(dataset.text ?? "");
    say(isCopied ? msg("questions.copied") : msg("questions.can_not_copy"));
  },
  remove: (place) => list(answers.filter((_, other) => other !== place)),
};

export function listen() {
  hear("click", "#questions-row [data-question]", choose);
  hear("click", "#questions-answers [data-act]", (button) => {
    const cards = [...document.querySelectorAll(".questions-answer")];
    const place = cards.findIndex((card) => card.contains(button));
    acts[button.dataset.act ?? ""]?.(place, button);
  });
  hear("input", "#questions-form :is(input, select)", (input) => {
    if (!isField(input)) return;
    if (input.name === "price") price = input.value;
    else typed[chosen] = { ...typed[chosen], [input.name]: input.value };
  });
  document.addEventListener("submit", (event) => {
    if (!closest(event, "#questions-form")) return;
    event.preventDefault();
    ask();
  });

  callbacks({
    questionsBase(next: Base | null) {
      if (!next) return;
      const isOther = base?.key !== next.key || base.scheduler !== next.scheduler;
      base = next;
      if (!isOther) return;
      typed = {};
      the("questions-row").replaceChildren(...next.questions.map(pill));
      form();
    },
    questionsDone(done: object | null) {
      if (!done) return;
      isNew = true;
      list([done, ...answers.filter((one) => !same(one, done))].slice(0, MAX_ANSWERS));
    },
    questionsShown() {
      if (isNew) see(".questions-before + tr");
      isNew = false;
    },
    /* The change is the draft, as one step that Undo takes back, and runs; what was asked about is pinned
       beside it. */
    questionsOpened(next: { draft: Asked; pinned: Pinned } | null) {
      if (!next) return;
      change({ pinned: next.pinned, pane: "result" });
      commitWhole({ ...state().draft, ...next.draft }, msg("questions.open"));
      run.ask(next.draft, "run");
    },
  });
}
