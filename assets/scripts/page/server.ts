/* Questions to the server. */
import { wait } from "./timing";

const MAX_ASKED = 4;

/* Asks again when a proxy says so: for a server that is starting again, or for a network that asks too
   much at once. */
export async function post(address: string, body: unknown) {
  for (let asked = 1; ; asked++) {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const seconds = Number(answer.headers.get("Retry-After"));
    if (!seconds || ![429, 503].includes(answer.status) || asked === MAX_ASKED) return answer;
    await wait(seconds * 1000);
  }
}
