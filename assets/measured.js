/* What a cluster did, kept in the draft as `scenario.measured`: beside the schedulers what the record is
   of, whether `measured` can be shown, and the way out where nodes or jobs are others by now. The record
   itself is sent whole once; while one types what it is of is enough (webapp/panels/editor/check.py). */
const { h, at, editor } = gantry;
const NAME = "measured";
const MAX_LOOKED = 20; // steps of Undo in which the record's own nodes and jobs are looked for
const sound = new WeakSet(); // records that the server found without faults
let fitting = null; // the last scenario whose nodes and jobs were those of its record

const recordOf = ({ scenario }) =>
  editor.isObject(scenario) && editor.isObject(scenario.measured) ? scenario.measured : null;
const chosen = ({ schedulers }) => schedulers.includes(NAME);

/* A scenario as it is checked: a record that was checked before travels as what it is of. */
function light(scenario) {
  const record = editor.isObject(scenario) && scenario.measured;
  return sound.has(record) ? { ...scenario, measured: { of: record.of, checked: true } } : scenario;
}

function heard(scenario, { faults, unmeasured }) {
  const record = recordOf({ scenario });
  if (!record) return;
  if (!faults.some(({ path }) => path.startsWith(NAME))) sound.add(record);
  if (!faults.length && !unmeasured) fitting = scenario;
}

/* Why the draft can't be run with `measured`; "" where it can, or does not ask for it. */
const wrong = ({ draft, outline }) =>
  draft && outline && outline.unmeasured && chosen(draft)
    ? `${outline.unmeasured[0].toUpperCase()}${outline.unmeasured.slice(1)}.`
    : "";

/* What was measured stands before all that is simulated. */
const first = (names) => (names.includes(NAME) ? [NAME, ...names.filter((name) => name !== NAME)] : names);

/* The schedulers of a draft that is opened: its own, or those that are chosen; measured with a record, and
   not without. */
function opened({ scenario, schedulers }) {
  const names = (schedulers || gantry.state.draft.schedulers).filter((name) => name !== NAME);
  return recordOf({ scenario }) ? [NAME, ...names] : names.length ? names : editor.facts.schedulers;
}

const choose = (schedulers) => gantry.change({ draft: { ...gantry.state.draft, schedulers } });
const without = () => gantry.state.draft.schedulers.filter((name) => name !== NAME);

/* Leave it out, and pin what was recorded as it was, if any scenario at hand still has its nodes and jobs. */
async function leave() {
  const found = await whole();
  const left = without();
  choose(left.length ? left : [editor.facts.schedulers[0]]);
  if (found) gantry.run.pinThis({ scenario: found, schedulers: [NAME] });
  editor.say(found ? gantry.msg("measured.pinned") : gantry.msg("measured.left_out"), !found);
  at("run").focus();
}

async function whole() {
  const record = recordOf(gantry.state.draft);
  const { request } = gantry.state;
  const steps = editor
    .steps()
    .past.slice(-MAX_LOOKED)
    .reverse()
    .map(({ draft }) => draft.scenario);
  for (const scenario of new Set([fitting, request && request.scenario, ...steps])) {
    if (!scenario || recordOf({ scenario }) === null || scenario.measured.of !== record.of) continue;
    if (scenario === fitting) return scenario;
    const answer = await (await gantry.post(editor.facts.addresses.check, light(scenario))).json();
    if (!answer.faults.length && !answer.unmeasured) return scenario;
  }
  return null;
}

const amount = (count) =>
  count === 1
    ? gantry.msg("measured.container")
    : gantry.msg("measured.containers", { count: count.toLocaleString("en") });
const button = (words, onclick) => h("button", { type: "button", class: "link-button", onclick }, words);

function show() {
  const { draft } = gantry.state;
  const line = at("schedulers-measured");
  if (!line || !draft) return;
  const record = recordOf(draft);
  const because = wrong(gantry.state);
  const parts = [];
  if (because)
    parts.push(
      h("span", { class: "measured-wrong" }, because),
      " ",
      button(record ? gantry.msg("measured.leave_out_and_pin") : gantry.msg("measured.leave_out"), () =>
        record ? leave() : choose(without()),
      ),
    );
  else if (record) {
    const containers =
      editor.isObject(record.containers) && Array.isArray(record.containers.job)
        ? record.containers.job.length
        : 0;
    const source = record.source || gantry.msg("measured.history");
    const says = gantry.msg("measured.source", { source, containers: amount(containers) });
    parts.push(h("strong", {}, `${gantry.msg("measured.measured")} `), says);
    if (!chosen(draft))
      parts.push(
        " ",
        button(gantry.msg("measured.show"), () => choose(first([NAME, ...draft.schedulers]))),
      );
  }
  const text = parts.map((part) => part.textContent ?? part).join("");
  if (line.dataset.text === text) return;
  line.dataset.text = text;
  line.replaceChildren(...parts);
  line.hidden = !parts.length;
}

gantry.on(["draft", "outline"], show);
gantry.measured = { NAME, light, heard, wrong, first, opened };
