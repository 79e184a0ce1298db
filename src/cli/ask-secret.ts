/** Prompts for a secret without echoing it. */
import { RetainError } from "../core/errors.ts";
import { writeToTerminal } from "./tty.ts";

const INTERRUPT = "\x03";
const END_OF_INPUT = "\x04";
const ERASE = ["\x7f", "\b"];
const ERASE_ALL = "\x15";
/** An arrow or another key that isn't a character. */
const KEY_SEQUENCE = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?/g;

/** Returns the text typed before Enter or end of input. Throws `interrupted` for Ctrl-C. */
export async function askSecret(question: string): Promise<string> {
  writeToTerminal(question);
  process.stdin.setRawMode(true);
  let text = "";
  try {
    for await (const chunk of process.stdin) {
      for (const key of String(chunk).replace(KEY_SEQUENCE, "")) {
        if (key === INTERRUPT) throw new RetainError("interrupted", "Interrupted.");
        if (key === "\r" || key === "\n" || key === END_OF_INPUT) return text;
        if (ERASE.includes(key)) text = text.slice(0, -1);
        else if (key === ERASE_ALL) text = "";
        else text += key;
      }
    }
    return text;
  } finally {
    process.stdin.setRawMode(false);
    writeToTerminal("\n");
  }
}
