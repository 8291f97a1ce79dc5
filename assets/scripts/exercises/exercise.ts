/* The page of an exercise: its form, hints, what is said of an answer, and its charts. */
import { basePath, callbacks } from "../dash/dash";
import { chartSize } from "../page/chart_size";
import { at, closest, h, hear, the } from "../page/dom";
import { msg } from "../page/messages";
import { ask } from "../page/server";
import { state } from "../page/state";
import { latest } from "../page/timing";
import { type Answer, answerOf, type Field, fieldElement, wordsOf } from "./answer_form";
import { keepProgress, NEW, type Progress, progressOf } from "./progress";

/* As webapp/panels/exercises/exercise_page.py sends it; hidden: the charts are not whole before the
   answer; draft: all of it while it is written, of which nothing is kept. */
interface Exercise {
  name: string;
  class: string;
  kind: string;
  fields: Field[];
  hints: string[];
  learn: string;
  hidden: boolean;
  next: { title: string; href: string } | null;
  draft: object | null;
}
interface Solution {
  answer: string;
  steps: string[];
  explanation: string[];
}
interface Charts {
  charts?: { src: string; alt: string; note: string }[]; // note: of a run that got stuck
  address?: string;
}
interface Said extends Charts {
  error?: string;
  correct?: boolean;
  sentence?: string;
  details?: string[];
  solution?: Solution;
}

let exercise: Exercise | null = null;
let progress = NEW();
let seen: { answer?: Answer | undefined; whole?: boolean } = {}; // what the charts show
let isBusy = false;

const keepTries = () => void (exercise && !exercise.draft && keepProgress(exercise.name, progress));
const size = chartSize(".exercise-charts", ".exercise-room", "exercise-look");
const form = () => the("exercise-form", HTMLFormElement);
const look = () => ({
  width: Math.floor(the("exercise-charts").clientWidth / 10) * 10,
  dark: state().scheme === "dark",
});
const paragraphs = (texts: string[]) => texts.map((text) => h("p", {}, text));

function asked(what: string, body: object) {
  const { name, class: of, draft } = exercise ?? {};
  const sent = { name, class: of, draft, look: look(), ...body };
  return ask<Said>(`${basePath()}exercise/${what}`, sent, msg("exercises.away"));
}

function draw({ charts, address }: Charts) {
  if (!charts) return;
  const pictures = charts.flatMap(({ src, alt, note }) => [
    h("img", { src, alt, class: "schedule" }),
    ...(note ? [h("p", {}, note)] : []),
  ]);
  the("exercise-charts").replaceChildren(...pictures);
  const isPart = Boolean(exercise?.hidden && !address);
  const about = charts.length ? msg("exercises.so_far") : msg("exercises.later");
  const isBefore = seen.answer !== undefined && the("exercise-says").childElementCount === 0;
  const answered = isBefore && exercise?.hidden ? msg("exercises.answered") : "";
  the("exercise-charts-about").textContent = isPart ? about : answered;
  const link = address && h("a", { href: address }, msg("exercises.open"));
  the("exercise-open").replaceChildren(...(link ? [link] : []));
  at("exercise-charts")?.closest(".exercise-charts")?.toggleAttribute("data-empty", !charts.length);
}

const redraw = latest(async () => draw(await asked("charts", seen)));

function hints() {
  if (!exercise) return;
  const count = exercise.hints.length;
  const next = the("exercise-hint");
  next.hidden = progress.hints >= count;
  next.textContent = msg("exercises.hint", { number: progress.hints + 1, count });
  the("exercise-hints").replaceChildren(
    ...exercise.hints.slice(0, progress.hints).map((text) => h("li", {}, text)),
  );
}

/* For an exercise whose settings are tried: all of them, the last one first. */
function tries() {
  const { tries, solved } = progress;
  the("exercise-solved").hidden = !solved;
  the("exercise-show").hidden = !tries.length;
  const isListed = exercise?.kind === "reach" && tries.length > 0;
  const row = ({ setting, sentence, correct }: Progress["tries"][number], place: number) =>
    h(
      "tr",
      { "data-correct": correct },
      h("th", { scope: "row" }, String(place + 1)),
      h("td", { class: "exercise-setting" }, setting),
      h("td", {}, h("span", { "aria-hidden": "true" }, correct ? "✓ " : "✗ "), sentence),
    );
  const heads = ["#", msg("exercises.setting"), msg("exercises.result")];
  const table = h(
    "table",
    {},
    h("caption", {}, msg("exercises.tried")),
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, ...tries.map(row).reverse()),
  );
  const label = { tabindex: "0", role: "region", "aria-label": msg("exercises.tried") };
  const room = h("div", { class: "exercise-table", ...label }, table);
  the("exercise-tries").replaceChildren(...(isListed ? [room] : []));
}

function solution({ answer, steps, explanation }: Solution, sentence = "") {
  const { next, learn } = exercise as Exercise;
  const worked = steps.filter((step) => step !== answer);
  return [
    answer === sentence ? null : h("p", { class: "exercise-answer" }, answer),
    worked.length ? h("ol", { class: "exercise-steps" }, ...worked.map((step) => h("li", {}, step))) : null,
    ...paragraphs(explanation),
    h("p", { class: "exercise-learn" }, h("strong", {}, msg("exercises.learn")), ` ${learn}`),
    next && h("a", { class: "exercise-next", href: next.href }, msg("shared.next", { title: next.title })),
  ];
}

/* kind: right, wrong, answer or fault. */
function say(kind: string, head: string, ...content: (HTMLElement | null)[]) {
  const room = the("exercise-says");
  room.dataset.kind = kind;
  const parts = content.filter((one) => one !== null);
  room.replaceChildren(...(head ? [h("h3", {}, head)] : []), ...parts);
  room.focus({ preventScroll: true });
  room.scrollIntoView({ block: "nearest" });
}

function busy(now: boolean) {
  isBusy = now;
  the("exercise-says").toggleAttribute("data-busy", now);
}

async function check() {
  if (!exercise || isBusy) return;
  const answer = answerOf(form(), exercise.fields);
  if (typeof answer === "string") return say("fault", "", ...paragraphs([answer]));
  busy(true);
  const said = await asked("check", { answer, hints: progress.hints });
  busy(false);
  if (said.error !== undefined) return say("fault", "", ...paragraphs([said.error]));
  const { correct = false, sentence = "", details = [] } = said;
  const tried = [sentence, ...details].join(" ");
  progress.tries.push({ answer, setting: wordsOf(answer, exercise.fields), sentence: tried, correct });
  progress.solved ||= correct;
  keepTries();
  const others = details.filter((one) => !said.solution?.steps.includes(one));
  const list = others.length ? h("ul", {}, ...others.map((one) => h("li", {}, one))) : null;
  const told = h("p", { class: "exercise-verdict" }, sentence);
  const solved = said.solution ? solution(said.solution, sentence) : [];
  if (correct) say("right", msg("exercises.right"), told, list, ...solved);
  else say("wrong", msg("exercises.wrong"), told, list);
  seen = { answer };
  draw(said);
  tries();
  if (correct) the("exercise-show").hidden = true;
}

async function show() {
  if (isBusy) return;
  busy(true);
  const said = await asked("solution", {});
  busy(false);
  if (!said.solution) return say("fault", "", ...paragraphs([said.error ?? msg("exercises.away")]));
  say("answer", msg("exercises.answer"), ...solution(said.solution));
  the("exercise-show").hidden = true;
  seen = { whole: true };
  redraw();
}

function fill() {
  if (!exercise) return;
  const check = h("button", { type: "submit", class: "exercise-check" }, msg("exercises.check"));
  form().replaceChildren(...exercise.fields.map(fieldElement), check);
}

/* What was tried stays listed. */
function reset() {
  fill();
  the("exercise-says").replaceChildren();
  seen = {};
  redraw();
  form().querySelector<HTMLElement>("input, select")?.focus();
}

function hint() {
  if (!exercise) return;
  progress.hints = Math.min(progress.hints + 1, exercise.hints.length);
  keepTries();
  hints();
  if (the("exercise-hint").hidden) the("exercise-hints").focus(); // where the button was
}

export function listen() {
  document.addEventListener("submit", (event) => {
    if (!closest(event, "#exercise-form")) return;
    event.preventDefault();
    check();
  });
  hear("click", "#exercise-hint", hint);
  hear("click", "#exercise-show", show);
  hear("click", "#exercise-reset", reset);
  size.listen();
  callbacks({
    exerciseOpened(opened: Exercise | null) {
      if (!opened) return size.look();
      exercise = opened;
      progress = opened.draft ? NEW() : progressOf(opened.name);
      seen = opened.hidden ? { answer: progress.tries.at(-1)?.answer } : {}; // of an earlier visit
      fill();
      hints();
      tries();
      the("exercise-reset").hidden = opened.kind !== "reach";
      return size.look();
    },
    exerciseDrawn: () => void redraw(),
  });
}
