/** Asks the person at the terminal. Ctrl-C works meanwhile; an end of input is an empty answer. */
import type { CommonOptions } from "./options.ts";
import { isTerminal, writeError } from "./tty.ts";

/** One for all questions: ending it would end stdin. */
let lines: AsyncIterator<string> | null = null;

export async function askPerson(question: string): Promise<string> {
  writeError(question);
  lines ??= console[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  return done ? "" : value.trim();
}

/** Whether somebody is there to answer. */
export function canAsk({ json }: CommonOptions): boolean {
  return !json && isTerminal("stdin") && isTerminal("stderr");
}

export function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer);
}
