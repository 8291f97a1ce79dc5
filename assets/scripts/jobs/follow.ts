/* Long work of the server (webapp/panels/long_work.py): begun, followed until it ends, and cancelled; one at
   a time by each name. */
import { basePath, callbacks, setProps } from "../dash/dash";
import { at, hear } from "../page/dom";
import { msg } from "../page/messages";
import { post as send } from "../page/server";
import { same } from "../page/state";
import { keep, kept } from "../page/storage";
import { wait } from "../page/timing";

export type Job = { id: string; asked: unknown };
export interface Answer {
  says: string;
  state: "queued" | "running" | "finished" | "cancelled" | "failed";
  job?: Job; // while it is under way
  percent?: number;
  wait?: number; // ms
  found?: unknown; // of which the panel's store is filled
  lost?: boolean;
}
interface Options<Told extends Answer> {
  job?: Job | undefined; // what is under way already
  more?: () => object; // goes with each question
  each?: (answer: Told & { job: Job }) => void; // while it is under way
  away?: () => void; // the server does not answer; it is asked again
  isWanted?: () => boolean; // else what still is under way is cancelled
  outlives?: boolean; // a reload of the page in this tab, which asks by outlived() for what it followed
}
interface Turn {
  request: object;
  job: Job | null;
  begun?: Promise<string | undefined>; // what is under way of it, once its start is answered
  isCancelled?: boolean;
  isEnded?: boolean;
}

const BACK_MS = 2000; // before a server that does not answer is asked again
const FOUND_MS = 900; // between two fillings of a store with what there is so far
const KEPT = "gantry-job-";
const turns = new Map<string, Turn>(); // by name, the newest

/* What this tab followed as it was left; a browser that keeps nothing has none. */
export const outlived = <Request extends object>(name: string) =>
  kept<{ job: Job; request: Request; address: string }>(KEPT + name, () => sessionStorage);

const keepWork = (name: string, work: object | null) => keep(KEPT + name, work, () => sessionStorage);
function forget(name: string) {
  turns.delete(name);
  keepWork(name, null);
}

/* Its result; null where something else of this name was asked for meanwhile, or it was dropped. What begins
   is asked for twice at most, what is under way until the server is back. */
export async function follow<Told extends Answer>(
  name: string,
  request: object,
  options: Options<Told> = {},
): Promise<Told | null> {
  const { job, more, each, away, isWanted = () => true, outlives } = options;
  const turn: Turn = { request, job: job ?? null };
  const dropped = drop(name);
  turns.set(name, turn);
  const isNewest = () => turns.get(name) === turn;
  const isOver = () => !isNewest() || !isWanted();
  async function ask(of?: Job): Promise<Told> {
    for (let tries = 1; ; tries++) {
      try {
        return await post<Told>(name, of ? "follow" : "start", {
          ...(of ? { job: of } : request),
          ...more?.(),
        });
      } catch (error) {
        if (!(error instanceof TypeError) || (of ? isOver() : tries > 1)) throw error;
        if (of) away?.();
        await wait(of ? BACK_MS : BACK_MS / 4);
      }
    }
  }
  try {
    await dropped;
    if (isOver()) return null;
    const asking = ask(job);
    turn.begun = asking.then(
      ({ job }) => job?.id,
      () => undefined,
    );
    let answer = await asking;
    while (answer.job) {
      if (turn.isCancelled && !turn.job) await post(name, "cancel", { job: answer.job });
      turn.job = answer.job;
      if (!isOver()) {
        if (outlives) keepWork(name, { job: turn.job, request, address: location.search });
        each?.({ ...answer, job: answer.job });
        await wait(answer.wait ?? 0);
      }
      if (isOver()) {
        if (!(await isJoined(name, turn))) await end(name, turn);
        return null;
      }
      answer = await ask(answer.job);
    }
    return isNewest() ? answer : null;
  } catch (error) {
    if (isNewest()) throw error;
    return null;
  } finally {
    if (isNewest()) forget(name);
  }
}

/* A TypeError where the server does not answer: of a connection that fails, and where a proxy says so. */
async function post<Told>(name: string, act: string, body: object): Promise<Told> {
  const answer = await send(`${basePath()}jobs/${name}/${act}`, body);
  if (answer.status >= 500) throw new TypeError(answer.statusText);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

/* Whether work of this name is under way or asked for, as far as the page knows. */
export const isFollowed = (name: string) => turns.has(name);

/* It is to end soon, and is followed until it has. */
export async function cancel(name: string) {
  const turn = turns.get(name);
  if (!turn) return;
  turn.isCancelled = true; // where its start is not answered yet, it is cancelled once it is
  if (turn.job) await post(name, "cancel", { job: turn.job });
}

/* Nobody waits for it any more. */
export async function drop(name: string) {
  const turn = turns.get(name);
  forget(name);
  if (turn) await end(name, turn);
}

/* Whether the same was asked for again, and the server had them join the work under way. */
async function isJoined(name: string, turn: Turn) {
  const newest = turns.get(name);
  if (!newest || newest === turn || !same(newest.request, turn.request)) return false;
  return (await newest.begun) === turn.job?.id;
}

async function end(name: string, turn: Turn) {
  if (!turn.job || turn.isEnded) return;
  turn.isEnded = true;
  await post(name, "cancel", { job: turn.job }).catch(() => {}); // what nobody follows ends by itself
}

/* What a panel has of it (webapp/panels/long_work.py); its state also on the page, as data-state. */
function show(name: string, answer: Partial<Omit<Answer, "state">> & { state?: string }) {
  const { says = "", state = "", job, percent = 0 } = answer;
  setProps(`${name}-says`, { children: says });
  setProps(`${name}-progress`, { value: percent });
  setProps(`${name}-under-way`, { hidden: !job });
  const element = at(`${name}-says`);
  if (element?.dataset.state !== state) setProps(`${name}-state`, { data: state });
  if (element) element.dataset.state = state;
  if ("found" in answer) setProps(`${name}-found`, { data: answer.found });
}

async function toPanel(name: string, request: object, job?: Job) {
  let [before, shownAt]: [unknown, number] = [undefined, Number.NEGATIVE_INFINITY];
  const each = (answer: Answer & { job: Job }) => {
    const { found, ...others } = answer;
    if (!("found" in answer) || same(found, before) || performance.now() - shownAt < FOUND_MS)
      return show(name, others);
    [before, shownAt] = [found, performance.now()];
    show(name, answer);
  };
  const away = () => setProps(`${name}-says`, { children: msg("jobs.away") });
  const isWanted = () => at(`${name}-says`) !== null; // its page is there
  try {
    const outlives = outliving.has(name);
    const answer = await follow(name, request, { job, each, away, isWanted, outlives });
    if (answer) show(name, answer);
  } catch (error) {
    const says =
      error instanceof Error && !(error instanceof TypeError) ? error.message : msg("jobs.not_begun");
    show(name, { says, state: "failed" });
  }
}

/* Work of this panel is followed over reloads of the page in this tab; what is followed already. isWanted:
   else it is ended. */
export function outlive<Request extends object>(name: string, isWanted: (request: Request) => boolean) {
  outliving.add(name);
  const before = outlived<Request>(name);
  if (!before) return null;
  const { job, request, address } = before;
  if (address === location.search && isWanted(request)) {
    toPanel(name, request, job);
    return request;
  }
  forget(name);
  end(name, { request, job });
  return null;
}
const outliving = new Set<string>();

export function listen() {
  hear("click", "[id$='-cancel']", ({ id, dataset }) => {
    const name = id.slice(0, -"-cancel".length);
    if (!isFollowed(name)) return;
    const says = (words: string) => setProps(`${name}-says`, { children: words });
    says(dataset.says ?? "");
    cancel(name).catch(() => says(msg("jobs.away")));
  });

  callbacks({
    /* store: NAME-ask. */
    followJob(request: object | null, store: string) {
      const name = store.slice(0, -"-ask".length);
      if (request) return void toPanel(name, request);
      drop(name);
      show(name, { found: null });
    },
    jobSucceeds: (state: string | null) => state !== "failed" && state !== "cancelled",
  });
}
