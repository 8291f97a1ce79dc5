/* What this browser keeps of the exercises. */
import { keep, kept } from "../page/storage";
import type { Answer } from "./answer_form";

const NAME = "gantry-exercises";
const MAX_TRIES = 50; // of one exercise

/* setting: what was answered, in words. */
export interface Try {
  answer: Answer;
  setting: string;
  sentence: string;
  correct: boolean;
}
export interface Progress {
  solved: boolean;
  hints: number;
  tries: Try[];
}

const all = () => kept<Record<string, Progress>>(NAME) ?? {};

export const NEW = (): Progress => ({ solved: false, hints: 0, tries: [] });
export const progressOf = (name: string): Progress => all()[name] ?? NEW();

export function keepProgress(name: string, progress: Progress) {
  keep(NAME, { ...all(), [name]: { ...progress, tries: progress.tries.slice(-MAX_TRIES) } });
}

export const forget = () => keep(NAME, null);
