/* Work that waits its turn. */
import { deepEqual, equal } from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { latest, rested, wait } from "../../assets/scripts/page/timing";
import { passes } from "./page";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("rested work is done once nobody has asked again", async () => {
  let done = 0;
  const work = rested(() => (done += 1), 300);
  work();
  await passes(299);
  work();
  await passes(299);
  equal(done, 0);
  await passes(1);
  equal(done, 1);
});

test("of what is asked for meanwhile the last alone is done", async () => {
  const did: number[] = [];
  const draw = latest(async (wish: number) => {
    did.push(wish);
    await wait(100);
  });
  for (const wish of [1, 2, 3]) draw(wish);
  deepEqual(did, [1]);
  await passes(100);
  deepEqual(did, [1, 3]);
  await passes(100);
  draw(4);
  deepEqual(did, [1, 3, 4]);
});
