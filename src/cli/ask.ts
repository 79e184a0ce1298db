/** Prompts the user at the terminal. Ctrl-C works during the prompt; end of input is an empty answer. */
import { on } from "node:events";
import type { CommonOptions } from "./options.ts";
import { isTerminal, writeToTerminal } from "./tty.ts";

/** Shared by all prompts: closing it would close stdin. */
let lines: AsyncIterator<string> | null = null;

export async function askPerson(question: string): Promise<string> {
  writeToTerminal(question);
  lines ??= console[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  return done ? "" : value.trim();
}

const CONTROL_C = "\u0003";
const CONTROL_D = "\u0004";
/** An arrow, Home, F5. */
const SPECIAL_KEY = /\u001b(?:\[[0-9;]*[a-z~]|o[a-z])?/g;

/** Waits for one of `keys`, without Enter, and ignores others. null for Ctrl-C, Ctrl-D and end of input. Needs a terminal. */
export async function askKey(question: string, keys: readonly string[]): Promise<string | null> {
  const { stdin } = process;
  // Raw mode comes first, so that Ctrl-C is a key as soon as the prompt is visible.
  stdin.setRawMode(true);
  try {
    writeToTerminal(question);
    stdin.resume();
    for await (const [bytes] of on(stdin, "data", { close: ["end"] })) {
      const typed = [...String(bytes).toLowerCase().replace(SPECIAL_KEY, "")];
      // Drops further keys: they can't answer a question that wasn't asked yet.
      const key = typed.find((one) => one === CONTROL_C || one === CONTROL_D || keys.includes(one));
      if (key === undefined) continue;
      if (key >= " ") writeToTerminal(key);
      return keys.includes(key) ? key : null;
    }
    return null;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    writeToTerminal("\n");
  }
}

/** Whether a user can answer a prompt. */
export function canAsk({ json }: CommonOptions): boolean {
  return !json && isTerminal("stdin") && isTerminal("stderr");
}

export function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer);
}
