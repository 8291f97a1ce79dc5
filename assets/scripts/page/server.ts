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

/* The JSON that is answered; else a sentence under error: the server's, or away where it does not answer. */
export async function ask<T extends object>(
  address: string,
  body: unknown,
  away: string,
): Promise<T & { error?: string }> {
  const fault = (error: string) => ({ error }) as T & { error: string };
  try {
    const answer = await post(address, body);
    if (answer.ok) return await answer.json();
    return fault(answer.status < 500 ? await answer.text() : away);
  } catch {
    return fault(away);
  }
}
