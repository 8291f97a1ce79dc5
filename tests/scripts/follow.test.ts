/* Long work is followed until it ends: asked for again where the server is away, one at a time by each name,
   and cancelled where nobody waits for it any more. */
import { deepEqual, equal, rejects } from "node:assert/strict";
import { mock, test } from "node:test";
import { type Answer, cancel, drop, follow, isFollowed, listen } from "../../assets/scripts/jobs/follow";
import { passes, settled } from "./page";

mock.timers.enable({ apis: ["setTimeout", "Date"] });
const job = (id: string) => ({ id, asked: { n: 1 } });
const running = (id: string, wait = 1000): Answer => ({
  says: "1 of 2",
  state: "running",
  job: job(id),
  wait,
});
const done: Answer = { says: "", state: "finished", found: 1 };
const AWAY = "away";

/* The server gives these answers one after the other; what it was asked. */
function server(...answers: (Answer | typeof AWAY | number)[]) {
  const seen: string[] = [];
  globalThis.fetch = async (address, sent) => {
    const act = String(address).split("/").pop();
    const { job } = JSON.parse(String(sent?.body));
    seen.push(job ? `${act} ${job.id}` : String(act));
    if (act === "cancel") return Response.json({});
    const answer = answers.shift() ?? done;
    if (answer === AWAY) throw new TypeError("no network");
    if (typeof answer === "number") return new Response("Not so.", { status: answer });
    return Response.json(answer);
  };
  return seen;
}

test("what is under way is asked after until it ends", async () => {
  const seen = server(running("a"), running("a"), done);
  const told: string[] = [];
  const result = follow("one", {}, { each: ({ says }) => told.push(says) });
  await settled();
  deepEqual([seen, isFollowed("one")], [["start"], true]);
  await passes(2100);
  deepEqual(await result, done);
  deepEqual(seen, ["start", "follow a", "follow a"]);
  deepEqual([told.length, isFollowed("one")], [2, false]);
});

test("a server that is away is asked again of what is under way, and twice at most to begin", async () => {
  const seen = server(running("a"), AWAY, 502, done);
  let away = 0;
  const result = follow("one", {}, { away: () => away++ });
  await passes(6000);
  deepEqual(await result, done);
  deepEqual([seen, away], [["start", "follow a", "follow a", "follow a"], 2]);
  const again = server(AWAY, AWAY, done);
  const failed = rejects(follow("one", {}));
  await passes(6000);
  await failed;
  deepEqual([again, isFollowed("one")], [["start", "start"], false]);
});

test("what the server refuses is told in its words", async () => {
  server(400);
  equal(await follow("one", {}).catch(({ message }) => message), "Not so.");
});

test("another one of the same name cancels the one before, whose answer nobody gets", async () => {
  const seen = server(running("a"), running("b"), done);
  const first = follow("one", { n: 1 });
  await passes(10);
  const second = follow("one", { n: 2 });
  await passes(3000);
  deepEqual([await first, await second], [null, done]);
  deepEqual(seen, ["start", "cancel a", "start", "follow b"]);
});

test("one that is dropped before the server has answered is cancelled once it has", async () => {
  const seen = server(running("a"));
  const first = follow("one", {});
  drop("one");
  await passes(10);
  equal(await first, null);
  deepEqual(seen, []);
  const begun = follow("one", {});
  await settled();
  drop("one");
  await passes(2000);
  equal(await begun, null);
  deepEqual(seen, ["start", "cancel a"]);
});

for (const [id, acts] of [
  ["a", ["start", "start", "follow"]],
  ["b", ["start", "start", "cancel", "follow"]],
] as const)
  test(`the same asked for twice at once: the first is cancelled where the second is ${id}`, async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const seen: string[] = [];
    globalThis.fetch = async (address) => {
      seen.push(String(address).split("/").pop() ?? "");
      return seen.length === 1 ? promise : Response.json(seen.length === 2 ? running(id) : done);
    };
    const first = follow("one", { n: 1 });
    await settled();
    const second = follow("one", { n: 1 });
    await settled();
    resolve(Response.json(running("a")));
    await passes(2000);
    deepEqual([await first, await second, seen], [null, done, acts]);
  });

test("what is no longer wanted is cancelled; what has ended is told all the same", async () => {
  let isWanted = true;
  const seen = server(running("a"), done, done);
  const first = follow("one", {}, { isWanted: () => isWanted });
  await passes(10);
  isWanted = false;
  await passes(2000);
  deepEqual([await first, seen], [null, ["start", "cancel a"]]);
});

test("it is followed after Cancel, to hear what came of it", async () => {
  const ended: Answer = { says: "Cancelled.", state: "cancelled" };
  const seen = server(running("a"), ended);
  const result = follow("one", {});
  await passes(10);
  await cancel("one");
  await passes(1000);
  deepEqual([await result, seen], [ended, ["start", "cancel a", "follow a"]]);
  await cancel("one");
  equal(seen.length, 3);
});

test("a panel is filled with what is found and cleared by nothing", async () => {
  const put: Record<string, unknown> = {};
  listen();
  const { gantry = {} } = globalThis.dash_clientside;
  Object.assign(globalThis.dash_clientside, {
    set_props: (id: string, props: object) => {
      for (const value of Object.values(props)) put[id] = value;
    },
  });
  server(
    { ...running("a", 100), percent: 50, found: { n: 1 } },
    { ...running("a", 100), found: { n: 2 } },
    {
      ...done,
      found: { n: 3 },
    },
  );
  gantry.followJob?.({ n: 1 }, "it-ask");
  await passes(10);
  deepEqual(put, {
    "it-says": "1 of 2",
    "it-progress": 50,
    "it-under-way": false,
    "it-state": "running",
    "it-found": { n: 1 },
  });
  await passes(100);
  deepEqual(put["it-found"], { n: 1 }, "what there is so far is drawn about once a second");
  await passes(100);
  deepEqual([put["it-found"], put["it-under-way"], put["it-state"]], [{ n: 3 }, true, "finished"]);
  gantry.followJob?.(null, "it-ask");
  deepEqual([put["it-found"], put["it-says"]], [null, ""]);
  server(AWAY, AWAY);
  gantry.followJob?.({ n: 1 }, "it-ask");
  await passes(1000);
  equal(put["it-state"], "failed");
});
