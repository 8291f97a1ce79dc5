/* What can be asked of the scenario under one of its schedulers, from the server; asked for again where one
   of them has changed. */
import { basePath } from "../../dash/dash";
import { msg } from "../../page/messages";
import { ask } from "../../page/server";
import { same } from "../../page/state";
import { hasDraft, theDraft } from "./draft";

export interface Choice {
  value: string;
  label: string;
}
export interface Changeable {
  path: string;
  group: string;
  title: string;
  unit: string;
  present: string;
  value: string | number;
  low: number;
  high: number;
  step: number;
  choices: Choice[];
}
/* value: of what a task calls its container. */
export interface Decision extends Choice {
  jobs: string[];
  requests: { job: string; kind: string; label: string; terms: Choice[] }[];
}
export interface Offers {
  scenario: { name: string; says: string };
  schedulers: string[];
  jobs: string[];
  decisions: Decision[];
  waits: Choice[];
  metrics: { key: string; title: string; unit: string; present: number | null; text: string }[];
  shares_s: number;
  shares_job: string;
  has_fair_shares: boolean;
  changes: Changeable[];
  address: string;
}
interface Wish {
  scenario: object;
  schedulers: string[];
  scheduler: number;
}

let found: Offers | null = null;
let error = "";
let wished: Wish | null = null;

export const offers = () => found;
export const offersError = () => error;

/* What the server says of an exercise. */
export const asked = <T extends object>(what: string, body: object) =>
  ask<T>(`${basePath()}author/${what}`, body, msg("author.away"));

/* Whether there is something new. */
export async function lookForOffers() {
  if (!hasDraft()) return false;
  const { scenario, schedulers, task } = theDraft();
  const wish = { scenario, schedulers, scheduler: task?.scheduler ?? 0 };
  if (same(wish, wished)) return false;
  const isOther = !same(wished?.scenario, scenario) || !same(wished?.schedulers, schedulers);
  wished = wish;
  const said = await asked<Offers>("offers", wish);
  if (wished !== wish) return false;
  error = said.error ?? "";
  if (!error) found = said;
  else if (isOther) found = null;
  if (error) wished = null;
  return true;
}
