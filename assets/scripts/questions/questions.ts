// @ts-nocheck
// biome-ignore-all lint: not converted yet
/* Questions of one click: the row of them, the fields of the chosen one, and the list of what was
   answered, newest first. */
import { callbacks, setProps } from "../dash/dash";
import { commitWhole } from "../editor/editor";
import { at, h } from "../page/dom";
import { msg } from "../page/messages";
import { change, same, state } from "../page/state";
import * as run from "../run/run";

const MAX_ANSWERS = 12;
let [base, chosen, answers, price] = [null, null, [], ""];
const typed = {}; // values by question, where they are not its defaults

const questionOf = (key) => base && base.questions.find((one) => one.key === key);
const say = (words) => (at("questions-says").textContent = words);

const ask = function () {
  const { key, because } = questionOf(chosen);
  if (because) return say(`${because}.`);
  setProps("questions-ask", {
    data: {
      key: base.key,
      scheduler: base.scheduler,
      question: key,
      values: { ...typed[key] },
      price,
    },
  });
};

const choose = function (key) {
  chosen = key;
  for (const pill of at("questions-row").children)
    pill.setAttribute("aria-pressed", String(pill.dataset.question === key));
  form();
};

const pill = ({ key, title, about, because }) =>
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

const field = function ({ key, title, unit, value, choices }, of) {
  const now = (typed[of] && typed[of][key]) ?? value;
  const listed = choices.map((one) =>
    h("option", { value: one.value, selected: one.value === String(now) }, one.title),
  );
  const input = choices.length
    ? h("select", { name: key }, ...listed)
    : h("input", { name: key, type: "text", inputmode: "decimal", autocomplete: "off", value: now });
  return h("label", {}, title, input, unit && h("span", {}, unit));
};

/* The fields of the chosen question; what has the focus keeps it. */
const form = function () {
  const one = questionOf(chosen);
  const room = at("questions-form");
  room.hidden = !one || Boolean(one.because);
  if (room.hidden) return;
  const paid = h(
    "label",
    { title: msg("questions.price_title") },
    msg("questions.price"),
    h("input", { name: "price", type: "text", autocomplete: "off", placeholder: "0.40 EUR", value: price }),
  );
  room.replaceChildren(
    ...one.fields.map((each) => field(each, chosen)),
    paid,
    h("button", { type: "submit" }, msg("questions.ask")),
  );
};

const list = () => setProps("questions-list", { data: answers.slice() });

/* The text into the clipboard; where a browser opens it to https alone, by selecting it. */
const copy = async function (text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const room = document.body.appendChild(h("textarea", { class: "unseen" }, text));
    room.select();
    const done = document.execCommand("copy");
    room.remove();
    if (!done) return say(msg("questions.can_not_copy"));
  }
  say(msg("questions.copied"));
};

const acts = {
  open: ({ place }) => setProps("questions-open", { data: { ...answers[place], at: Date.now() } }),
  copy: ({ target }) => copy(target.dataset.text),
  remove: ({ place }) => (answers.splice(place, 1), list()),
};

export function listen() {
  document.addEventListener("click", function ({ target }) {
    const key = target.dataset && target.dataset.question;
    if (key && target.closest("#questions-row")) return (choose(key), ask());
    const act = target.closest && target.closest("#questions-answers") && acts[target.dataset.act];
    if (!act) return;
    const place = [...document.querySelectorAll(".questions-answer")].indexOf(
      target.closest(".questions-answer"),
    );
    act({ target, place });
  });

  document.addEventListener("input", function ({ target }) {
    if (!target.form || target.form.id !== "questions-form") return;
    if (target.name === "price") price = target.value;
    else typed[chosen] = { ...typed[chosen], [target.name]: target.value };
  });

  document.addEventListener("submit", function (event) {
    if (event.target.id !== "questions-form") return;
    event.preventDefault();
    ask();
  });

  callbacks({
    questionsBase(next) {
      if (!next) return;
      const other = !base || base.key !== next.key || base.scheduler !== next.scheduler;
      base = next;
      if (!other) return;
      for (const key of Object.keys(typed)) delete typed[key];
      at("questions-row").replaceChildren(...base.questions.map(pill));
      form();
    },
    questionsDone(done) {
      if (!done) return;
      answers = [done, ...answers.filter((one) => !same(one, done))].slice(0, MAX_ANSWERS);
      list();
    },
    /* The change is the draft, as one step that Undo takes back, and runs; what was asked about is pinned
       beside it. */
    questionsOpened(next) {
      if (!next) return;
      change({ pinned: next.pinned, pane: "result" });
      commitWhole({ ...state().draft, ...next.draft }, msg("questions.open"));
      run.ask(next.draft, "run");
    },
  });
}
