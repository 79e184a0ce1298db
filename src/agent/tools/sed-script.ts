/**
 * What a script of sed does besides printing: it can write and read files, and run commands (GNU sed). It is read command by
 * command, since a `w` or an `e` inside a pattern means nothing.
 */
import type { ShellWord } from "./shell-word.ts";
import { textsOf } from "./step.ts";

export interface SedEffects {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** It runs commands, or could not be read. */
  readonly unclear: boolean;
}

/** The scripts among its words stand after `-e`, or else it is the first that is no option. */
export function sedEffects(args: readonly ShellWord[]): SedEffects {
  const texts = textsOf(args);
  const end = texts.indexOf("--");
  const options = end < 0 ? texts : texts.slice(0, end);
  const given = options.flatMap((text, index) => {
    const glued = /^(?:-[nErsuz]*e|--e[a-z]*=)(.*)$/s.exec(text)?.[1];
    if (glued !== undefined && glued !== "") return [glued];
    return /^(?:-[nErsuz]*e|--e[a-z]*)$/.test(text) ? [texts[index + 1] ?? ""] : [];
  });
  const isFile = options.some((text) => /^(?:-[nErsuz]*f|--f)/.test(text));
  const [first = ""] = texts.filter((text) => text !== "" && !text.startsWith("-"));
  const script = given.length > 0 ? given.join("\n") : isFile ? "" : first;
  return script.length > LONGEST ? { writes: [], reads: [], unclear: true } : new SedReader(script).read();
}

const LONGEST = 5_000;

const BETWEEN = /[\s;{}]*/y;
const ADDRESS = /(?:\d+|\$)(?:~\d+)?|[+~]\d+/y;
const AFTER_ADDRESS = /[IM]*[ \t]*/y;
const SEPARATOR = /,[ \t]*/y;
const NOT = /[ \t!]*/y;
const TO_LINE_END = /[^\n]*/y;
const LABEL = /[^\n;}]*/y;
const INSERTED = /(?:\\[\s\S]|[^\\\n])*/y;
/** After a command of one letter. */
const PLAIN_END = /[ \t]*\d*[ \t]*(?=[;}\n#]|$)/y;
/** A set of characters in a pattern: what ends the pattern is one of them in here. */
const SET = /\[\^?\]?(?:\[[:.=][^\]]*\]|[^\]\n])*\]/y;

class SedReader {
  readonly #writes: string[] = [];
  readonly #reads: string[] = [];
  #unclear = false;
  #at = 0;

  constructor(readonly script: string) {}

  /** Up to the end, or to where sed stops with an error before it does anything. */
  read(): SedEffects {
    for (;;) {
      this.#take(BETWEEN);
      if (this.#at >= this.script.length || !this.#command()) break;
    }
    return { writes: this.#writes, reads: this.#reads, unclear: this.#unclear };
  }

  #command(): boolean {
    this.#addresses();
    const letter = this.script[this.#at++] ?? "";
    if (letter === "s") return this.#substitution();
    if (letter === "y") return this.#sections();
    if (letter === "e") this.#unclear = true;
    else if (/[wW]/.test(letter)) this.#writes.push(this.#take(TO_LINE_END).trimStart());
    else if (/[rR]/.test(letter)) this.#reads.push(this.#take(TO_LINE_END).trimStart());
    else if (/[aic]/.test(letter)) this.#take(INSERTED);
    else if (/[:btTv]/.test(letter)) this.#take(LABEL);
    else if (letter === "#") this.#take(TO_LINE_END);
    else if (/[=dDgGhHlLnNpPqQxzF]/.test(letter)) return this.#matches(PLAIN_END);
    else if (!/[{}]/.test(letter)) return false;
    return true;
  }

  #addresses(): void {
    this.#address();
    if (this.#matches(SEPARATOR)) this.#address();
    this.#take(NOT);
  }

  #address(): void {
    const isOwn = this.script[this.#at] === "\\";
    if (isOwn) this.#at++;
    if (isOwn || this.script[this.#at] === "/") this.#section(this.script[this.#at++] ?? "", true);
    else this.#take(ADDRESS);
    this.#take(AFTER_ADDRESS);
  }

  #substitution(): boolean {
    if (!this.#sections()) return false;
    for (;;) {
      const flag = this.script[this.#at] ?? "\n";
      if (!/[\w]/.test(flag)) return true;
      this.#at++;
      if (flag === "e") this.#unclear = true;
      if (flag === "w") this.#writes.push(this.#take(TO_LINE_END).trimStart());
    }
  }

  /** "/a/b/", by whatever character; false where it does not end. */
  #sections(): boolean {
    const delimiter = this.script[this.#at++] ?? "";
    return this.#section(delimiter, true) && this.#section(delimiter, false);
  }

  #section(delimiter: string, isPattern: boolean): boolean {
    while (this.#at < this.script.length) {
      const character = this.script[this.#at];
      if (isPattern && character === "[" && delimiter !== "[" && this.#matches(SET)) continue;
      this.#at += character === "\\" ? 2 : 1;
      if (character === delimiter) return true;
    }
    return false;
  }

  #matches(pattern: RegExp): boolean {
    const before = pattern.lastIndex;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.script)?.[0];
    pattern.lastIndex = before;
    if (found === undefined) return false;
    this.#at += found.length;
    return true;
  }

  #take(pattern: RegExp): string {
    const start = this.#at;
    this.#matches(pattern);
    return this.script.slice(start, this.#at);
  }
}
