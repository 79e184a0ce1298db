/**
 * Cleans untrusted text for the terminal: removes control characters and complete escape sequences, so that nothing of "\x1b[31m" is
 * left. It is a state machine, so it also removes a sequence that arrives in two pieces.
 */
import { isSpoofing } from "../../util/unseen.ts";

type State = "text" | "return" | "escape" | "sequence" | "string";

/** C0 and C1 control characters, except tab and newline. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

function isUnwanted(text: string): boolean {
  return CONTROL.test(text) || isSpoofing(text);
}

const ESCAPE = "\x1b";
/** Start a string that ends with BEL or ST: DCS, SOS, OSC, PM, APC; as one character, and after an escape. */
const STRING_OPENERS = new Set(["\x90", "\x98", "\x9d", "\x9e", "\x9f"]);
const STRING_ESCAPES = new Set(["P", "X", "]", "^", "_"]);

/** Line ends become "\n"; tabs stay. An unterminated string ends with its line. */
export class ControlFilter {
  #state: State = "text";

  /** Cleans the next piece of a text. */
  push(piece: string): string {
    if (this.#state === "text" && !isUnwanted(piece)) return piece;
    let clean = "";
    for (const character of piece) clean += this.#take(character);
    return clean;
  }

  #take(character: string): string {
    switch (this.#state) {
      case "text":
        return this.#takeText(character);
      case "return":
        this.#state = "text";
        return character === "\n" ? "" : this.#takeText(character);
      case "escape":
        return this.#takeEscape(character);
      case "sequence":
        if (character >= "\x20" && character <= "\x3f") return "";
        this.#state = "text";
        return character >= "\x40" && character <= "\x7e" ? "" : this.#takeText(character);
      case "string":
        if (character === ESCAPE) this.#state = "escape";
        else if (character === "\x07" || character === "\x9c") this.#state = "text";
        else if (character === "\n" || character === "\r") {
          this.#state = "text";
          return this.#takeText(character);
        }
        return "";
    }
  }

  #takeText(character: string): string {
    if (character === ESCAPE) this.#state = "escape";
    else if (character === "\x9b") this.#state = "sequence";
    else if (STRING_OPENERS.has(character)) this.#state = "string";
    else if (character === "\r") this.#state = "return";
    else if (!isUnwanted(character)) return character;
    return character === "\r" || character === "\u2028" || character === "\u2029" ? "\n" : "";
  }

  #takeEscape(character: string): string {
    if (character === ESCAPE) return "";
    if (character === "[" || (character >= "\x20" && character <= "\x2f")) this.#state = "sequence";
    else if (STRING_ESCAPES.has(character)) this.#state = "string";
    else {
      this.#state = "text";
      return character >= "\x30" && character <= "\x7e" ? "" : this.#takeText(character);
    }
    return "";
  }
}

export function withoutEscapes(text: string): string {
  return new ControlFilter().push(text);
}
