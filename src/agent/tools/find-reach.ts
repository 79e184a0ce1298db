/**
 * What `find` would delete, as far as its expression tells: all that is below where it starts, a part that cannot be told, or
 * what has a certain name.
 */
import { basename } from "node:path";
import { isWrapper, REMOVERS } from "./programs.ts";
import type { ShellWord } from "./shell-word.ts";
import { plainWord, textsOf } from "./step.ts";

/** From the widest to the narrowest. */
const REACHES = ["all", "unsure", "named"] as const;
export type FindReach = (typeof REACHES)[number];

/** Longer expressions are not looked into. */
const MOST_WORDS = 300;

/** As places in the list above. */
interface Term {
  /** What is left for the terms that follow. */
  readonly reach: number;
  /** What it deletes itself; null where it does not. */
  readonly deletes: number | null;
}
const [ALL, UNSURE_REACH, NAMED] = [0, 1, 2];

const NAMES = /^-i?(?:name|path|wholename)$/;
/** Tests of which nobody can say how much is left. */
const UNSURE =
  /^-(?:i?regex|i?lname|empty|[acm](?:time|min)|newer\w*|size|user|group|perm|inum|links|samefile|since|used)$/;
/** Each takes a word that is no part of the expression. */
const WITH_WORD =
  /^-(?:i?(?:name|path|wholename|regex|lname)|[acm](?:time|min)|newer\w*|size|user|group|perm|inum|links|samefile|type|xtype|maxdepth|mindepth|fstype|uid|gid|used|context|printf|fprint0?|fls|regextype)$/;
const RUNS = /^-(?:exec|execdir|ok|okdir)$/;

/** Where it starts; by default in the working directory. */
export function startsOf(args: readonly ShellWord[]): readonly ShellWord[] {
  const own = args.findIndex(({ text }) => !/^-(?:[HLP]|D|O\d*)$/.test(text));
  const rest = own < 0 ? [] : args.slice(own);
  const end = rest.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = end < 0 ? rest : rest.slice(0, end);
  return starts.length > 0 ? starts : [plainWord(".")];
}

/** null where it deletes nothing. */
export function reachOf(args: readonly ShellWord[]): FindReach | null {
  const texts = textsOf(args);
  const begin = texts.findIndex((text) => /^(?:-(?![HLPDO])|[(!])/.test(text));
  if (begin < 0) return null;
  if (texts.length > MOST_WORDS)
    return texts.some((text) => text === "-delete" || RUNS.test(text)) ? "all" : null;
  const { deletes } = new Expression(texts.slice(begin)).list();
  if (deletes === null) return null;
  // By another name, the directory itself may be what a pattern means.
  const isSure =
    startsOf(args).every(({ text }) => /^\.\/*$/.test(text)) && !args.some(({ expands }) => expands);
  return REACHES[isSure ? deletes : Math.min(deletes, UNSURE_REACH)] ?? "all";
}

/** Names that are asked for, without those that are left out. */
export function namesSought(args: readonly ShellWord[]): string[] {
  const texts = textsOf(args);
  return texts.filter((_, index) => {
    const isSought = NAMES.test(texts[index - 1] ?? "");
    return isSought && !/^(?:!|-not)$/.test(texts[index - 2] ?? "");
  });
}

class Expression {
  #at = 0;

  constructor(readonly texts: readonly string[]) {}

  /** Alternatives: the widest counts. */
  list(): Term {
    const terms = [this.#all()];
    while (/^(?:-o|-or|,)$/.test(this.texts[this.#at] ?? "")) {
      this.#at++;
      terms.push(this.#all());
    }
    return {
      reach: Math.min(...terms.map(({ reach }) => reach)),
      deletes: widest(terms.map((term) => term.deletes)),
    };
  }

  /** Terms in a row: each acts on what those before it left. */
  #all(): Term {
    let reach = ALL;
    const deleted: (number | null)[] = [];
    for (let text = this.texts[this.#at]; text !== undefined; text = this.texts[this.#at]) {
      if (/^(?:-o|-or|,|\))$/.test(text)) break;
      const term = this.#one();
      deleted.push(term.deletes === null ? null : Math.max(reach, term.deletes));
      reach = Math.max(reach, term.reach);
    }
    return { reach, deletes: widest(deleted) };
  }

  #one(): Term {
    const text = this.texts[this.#at++] ?? "";
    if (text === "(") {
      const inner = this.list();
      if (this.texts[this.#at] === ")") this.#at++;
      return inner;
    }
    if (text === "!" || text === "-not") {
      // All but what has a certain name is nearly all.
      const { reach, deletes } = this.#one();
      return { reach: reach === UNSURE_REACH ? UNSURE_REACH : ALL, deletes };
    }
    if (RUNS.test(text)) return { reach: ALL, deletes: this.#runs() ? ALL : null };
    const word = WITH_WORD.test(text) ? (this.texts[this.#at++] ?? "") : "";
    if (NAMES.test(text)) return { reach: tellsApart(word) ? NAMED : ALL, deletes: null };
    return { reach: UNSURE.test(text) ? UNSURE_REACH : ALL, deletes: text === "-delete" ? ALL : null };
  }

  /** The program of `-exec`, up to where its words end. */
  #runs(): boolean {
    const end = this.texts.findIndex((text, index) => index >= this.#at && (text === ";" || text === "+"));
    const words = this.texts.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.texts.length : end + 1;
    const [program = "", ...more] = words.map((word) => basename(word).toLowerCase());
    return REMOVERS.has(program) || (isWrapper(program) && more.some((word) => REMOVERS.has(word)));
  }
}

/** Whether a pattern is of certain names: it has a letter, and one more character besides, that must be there. */
function tellsApart(pattern: string): boolean {
  if (/^\w+$/.test(pattern)) return true;
  const certain = pattern.replace(/\[[^\]]*\]|[*?\\]/g, "").replace(/^\.?\//, "");
  return certain.length >= 2 && /[\p{L}\p{N}_~#]/u.test(certain);
}

function widest(reaches: readonly (number | null)[]): number | null {
  const deleting = reaches.filter((reach) => reach !== null);
  return deleting.length === 0 ? null : Math.min(...deleting);
}
