/* The page on which an exercise is written: what it begins with, what is wrong with it, how it is tried and
   given out. */
import { basePath, callbacks, setProps } from "../../dash/dash";
import { copy } from "../../page/clipboard";
import { h, the } from "../../page/dom";
import { msg } from "../../page/messages";
import { download } from "../../page/save";
import { same } from "../../page/state";
import { latest, rested } from "../../page/timing";
import * as drafts from "./draft";
import { button, type Fault, goTo, placeOf, showFaults, titleOf } from "./fields";
import { drawAll, drawOffered, formElement } from "./form";
import { asked, lookForOffers } from "./offers";

interface Link {
  title: string;
  href: string;
}
/* As webapp/panels/exercises/author_form.py sends it. */
interface Start {
  exercise: object | null;
  examples: Link[];
  exercises: Link[];
}
interface Checked {
  error?: string;
  faults?: Fault[];
  prompt?: string;
  answer?: string;
}
interface Shared extends Checked {
  name?: string;
  path?: string;
  address?: string;
  code?: string | null;
}

interface LastShared {
  link: Shared;
  of: object;
}

const CHECK_MS = 500;
let start: Start | null = null;
let said: Checked | null = null;
let isPressed = false; // Try or Share was: what is missing is told at its field too

const nameOf = ({ title, scenario }: drafts.Draft) => title || scenario.name || msg("shared.untitled");
const isHere = () => Boolean(document.getElementById("author"));
const isWritten = () => isHere() && drafts.hasDraft() && Boolean(document.getElementById("author-status"));
const exercise = () => drafts.exerciseOf(drafts.theDraft());

const check = latest(async () => {
  if (!isWritten() || !drafts.theDraft().task) return;
  const of = exercise();
  const answer = await asked<Checked>("check", { exercise: of });
  if (!isWritten() || !same(of, exercise())) return;
  said = answer;
  status();
});
const checkSoon = rested(check, CHECK_MS);

const find = latest(async () => {
  if (!isWritten() || !(await lookForOffers()) || !isWritten()) return;
  drawOffered();
  status();
});

function isEmpty(place: HTMLElement) {
  if (place.dataset.place === "change") return !drafts.theDraft().change.length;
  const control = place.querySelector<HTMLInputElement>(":scope > input, :scope > select, :scope > textarea");
  return control !== null && control.value === "";
}

/* Said by screen readers where it changes. */
function state(words: string) {
  const head = the("author-state");
  if (head.textContent !== words) head.textContent = words;
}

function stateNow() {
  if (!said) return msg("author.checking");
  if (said.error) return msg("author.unchecked");
  return said.faults?.length ? msg("author.to_do") : msg("author.ready");
}

/* What is still to be done, else its question and its answer. */
function status() {
  const room = the("author-status");
  const faults = said?.faults ?? [];
  const form = the("author");
  showFaults(form, faults, (place) => isPressed || !isEmpty(place));
  state(stateNow());
  if (!said || said.error) {
    return room.replaceChildren(...(said ? [h("p", { class: "author-error" }, said.error)] : []));
  }
  if (faults.length) {
    const todo = faults.map(({ path, message }) => {
      const place = placeOf(form, path);
      const title = place && titleOf(place);
      const words = title ? msg("author.to_do_at", { title, message }) : message;
      const go = () => place && goTo(place);
      return h("li", {}, h("button", { class: "link-button", onclick: go }, words));
    });
    return room.replaceChildren(h("ul", { class: "author-to-do" }, ...todo));
  }
  room.replaceChildren(
    h("p", {}, said.prompt ?? ""),
    h("p", {}, h("strong", {}, msg("author.answer")), ` ${said.answer ?? ""}`),
  );
}

/* The link; the last one alone where what is written has changed since. */
function showShared() {
  const room = the("author-shared");
  const shared = drafts.sharedLast<LastShared>();
  if (!shared) return room.replaceChildren();
  const { link } = shared;
  const address = link.address || new URL(link.path ?? "", location.href).href;
  if (!same(shared.of, exercise())) {
    const last = h("a", { id: "author-last-link", href: link.path ?? "" }, address);
    const old = h("p", { class: "quiet" }, msg("author.link_is_old"));
    return room.replaceChildren(old, h("p", {}, msg("author.last_shared"), " ", last));
  }
  const input = h("input", { id: "author-link", type: "text", readonly: true, value: address });
  const copied = h("span", { role: "status" });
  const press = async () => {
    copied.textContent = (await copy(address)) ? msg("author.copied") : msg("author.copy_by_hand");
  };
  const toClass = () => {
    setProps("class-own", { value: address });
    setProps("class-names", { value: [] });
    the("class-new").click();
  };
  room.replaceChildren(
    h("h3", {}, msg("author.shared")),
    h("label", { for: "author-link" }, msg("author.link")),
    h("div", { class: "author-line" }, input, button(msg("author.copy"), press)),
    copied,
    h(
      "div",
      { class: "author-tools" },
      button(msg("author.to_class"), toClass, { id: "author-class" }),
      h("a", { href: link.path ?? "" }, msg("author.open_link")),
    ),
    ...(link.code ? [h("img", { class: "author-code", src: link.code, alt: msg("author.code") })] : []),
  );
}

/* Pressed: what is missing is told, the first of it gets the focus. */
function stopAt(faults: Fault[]) {
  isPressed = true;
  status();
  const place = placeOf(the("author"), faults[0]?.path ?? "");
  if (place) goTo(place);
}

async function tryIt() {
  const of = exercise();
  said = await asked<Checked>("check", { exercise: of });
  if (said.error || said.faults?.length) return stopAt(said.faults ?? []);
  status();
  setProps("author-try", { data: { ...of, version: 1 } });
  show(true);
}

function show(isTried: boolean) {
  the("author").hidden = isTried;
  the("author-preview").hidden = !isTried;
  the(isTried ? "author-bar" : "author-try-it").focus();
  window.scrollTo({ top: 0 });
  if (!isTried) {
    setProps("author-try", { data: null });
    the("author-try-it").scrollIntoView({ block: "center" });
  }
}

async function share() {
  const of = exercise();
  const page = location.origin + basePath();
  const link = await asked<Shared>("share", { exercise: of, page });
  said = link;
  if (link.error || link.faults?.length) return stopAt(link.faults ?? []);
  drafts.keepShared({ link, of });
  status();
  showShared();
  the("author-link").focus();
}

function save() {
  const { title } = drafts.theDraft();
  const name =
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "exercise";
  const file = new Blob([`${JSON.stringify(exercise(), null, 2)}\n`], { type: "application/json" });
  download(file, `${name}.json`);
}

/* A file that is opened takes the place of what is written, which Undo brings back. */
async function open(file: File) {
  let values: unknown = null;
  try {
    values = JSON.parse(await file.text());
  } catch {
    return tell(msg("author.no_json", { name: file.name }));
  }
  const draft = drafts.draftOf(values);
  if (!draft) return tell(msg("author.no_exercise", { name: file.name }));
  take(draft);
  isPressed = true;
  tell(msg("author.opened", { name: file.name }));
}

function opener() {
  const input = h("input", {
    type: "file",
    accept: ".json,application/json",
    class: "unseen",
    tabindex: "-1",
  });
  input.setAttribute("aria-hidden", "true");
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) open(file);
    input.value = "";
  });
  return h(
    "span",
    {},
    button(msg("author.open_file"), () => input.click(), { id: "author-open" }),
    input,
  );
}

const tell = (words: string) => {
  the("author-says").textContent = words;
};

/* Begins with a draft, or shows what one can begin with. */
function take(draft: drafts.Draft | null) {
  drafts.begin(draft);
  isPressed = false;
  render();
}

function undo() {
  drafts.undo();
  render();
  tell(msg("author.undone"));
}

const undoButton = () => button(msg("author.undo"), undo, { id: "author-undo", disabled: !drafts.canUndo() });

function links(title: string, entries: Link[]) {
  const items = entries.map((one) => h("li", {}, h("a", { href: one.href }, one.title)));
  return h("section", {}, h("h3", {}, title), h("ul", {}, ...items));
}

/* Those that were put away, or are written in other tabs. */
function others() {
  const take = (of: drafts.Written) => {
    drafts.goOn(of);
    render();
    the("author-title").focus();
  };
  const remove = (of: drafts.Written) => {
    drafts.remove(of);
    render();
    tell(msg("author.deleted", { title: nameOf(of.draft) }));
    the("author-undo").focus();
  };
  const items = drafts.written().map((of) => {
    const title = nameOf(of.draft);
    const when = new Date(of.at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
    return h(
      "li",
      {},
      button(title, () => take(of), { class: "link-button" }),
      " ",
      h("span", { class: "quiet" }, when),
      " ",
      button(msg("shared.delete"), () => remove(of), { "aria-label": msg("author.delete_it", { title }) }),
    );
  });
  if (!items.length) return null;
  const title = h("h3", {}, msg("author.begin_written"));
  return h("section", { class: "author-written" }, title, h("ul", {}, ...items));
}

function beginning() {
  const { examples, exercises } = start ?? { examples: [], exercises: [] };
  const dashboard = h("a", { href: basePath() }, msg("author.to_dashboard"));
  return h(
    "section",
    { class: "card author-part author-begin" },
    h("h2", {}, msg("author.begin")),
    others(),
    h("p", {}, msg("author.begin_composed"), " ", dashboard),
    h(
      "div",
      { class: "author-beginnings" },
      links(msg("author.begin_exercise"), exercises),
      links(msg("author.begin_example"), examples),
    ),
    h("p", { class: "author-tools" }, opener(), drafts.canUndo() ? undoButton() : null),
    h("p", { id: "author-says", role: "status" }),
  );
}

function aside() {
  const anew = () => {
    take(null);
    tell(msg("author.put_away"));
  };
  return h(
    "aside",
    { class: "author-aside card", "aria-label": msg("author.aside") },
    h("h2", { id: "author-state", role: "status" }),
    h("div", { id: "author-status" }),
    h(
      "div",
      { class: "author-tools" },
      button(msg("author.try"), tryIt, { id: "author-try-it", class: "exercise-check" }),
      button(msg("author.share"), share, { id: "author-share", class: "exercise-check" }),
    ),
    h("p", { id: "author-says", role: "status" }),
    h("div", { id: "author-shared" }),
    h(
      "div",
      { class: "author-tools" },
      undoButton(),
      button(msg("author.save"), save, { id: "author-save" }),
      opener(),
      button(msg("author.anew"), anew, { id: "author-anew" }),
    ),
    h("p", { class: "quiet" }, msg("author.kept")),
  );
}

function render() {
  const room = the("author");
  said = null;
  if (!drafts.hasDraft()) return room.replaceChildren(beginning());
  room.replaceChildren(h("div", { class: "author-parts" }, formElement(), aside()));
  drawAll();
  status();
  showShared();
  find();
  check();
}

/* Somebody comes with a scenario while an exercise is written. */
function askWhatFirst(given: drafts.Draft) {
  const done = (draft: drafts.Draft | null) => {
    if (draft) drafts.begin(draft);
    forgetAddress();
    render();
  };
  const written = nameOf(drafts.theDraft());
  const into = { ...drafts.theDraft(), scenario: given.scenario, schedulers: given.schedulers };
  const isWhole = drafts.isBegun(given);
  const room = h(
    "section",
    {
      class: "card author-part author-first",
      tabindex: "-1",
      role: "alertdialog",
      "aria-labelledby": "author-first",
    },
    h("h2", { id: "author-first" }, msg("author.first", { title: written })),
    h("p", {}, msg("author.first_help")),
    h(
      "div",
      { class: "author-tools" },
      isWhole
        ? null
        : button(msg("author.first_into", { title: written }), () => done(into), { id: "author-into" }),
      button(msg("author.first_new"), () => done(given), { id: "author-new" }),
      button(msg("author.first_go_on", { title: written }), () => done(null), { id: "author-go-on" }),
    ),
  );
  the("author").replaceChildren(room);
  room.focus();
}

/* A reload goes on with what is written. */
const forgetAddress = () => history.replaceState(history.state, "", location.pathname);

function opened(given: Start) {
  start = given;
  drafts.open(heard);
  const draft = drafts.draftOf(given.exercise);
  if (!draft) return render();
  if (drafts.hasDraft() && drafts.isBegun(drafts.theDraft()) && !same(draft, drafts.theDraft()))
    return askWhatFirst(draft);
  if (!drafts.hasDraft() || !same(draft.scenario, drafts.theDraft().scenario)) drafts.begin(draft);
  forgetAddress();
  render();
}

/* The draft has changed. */
function heard() {
  if (!isWritten()) return;
  the("author-undo").toggleAttribute("disabled", !drafts.canUndo());
  state(msg("author.checking"));
  showShared();
  checkSoon();
  find();
}

export function listen() {
  drafts.listen();
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("#author-back")) show(false);
  });
  callbacks({
    authorOpened(given: Start) {
      isPressed = false;
      opened(given);
      return "false";
    },
  });
}
