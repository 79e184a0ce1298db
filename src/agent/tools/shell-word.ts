/** One word of a command line, read piece by piece: quotes taken away, expansions left as they were written and noted. */

export interface ShellWord {
  /** Without its quotes; what is expanded when it runs stands as it was written: "$HOME/x". */
  readonly text: string;
  /** A variable or a command's output is in it. */
  readonly expands: boolean;
  /** A pattern of file names or a brace is in it. */
  readonly globs: boolean;
  /** It begins with a `~` that stands for a home directory. */
  readonly tilde: boolean;
}

/** Where reading is, and what was found on the way. */
export interface Cursor {
  readonly source: string;
  at: number;
  /** More than one command and its words. */
  compound: boolean;
  unclear: boolean;
  /** Reads commands from here to the ")" that closes them. */
  nested(): void;
  /** Takes in the commands of another text. */
  included(source: string): void;
}

const DEEPEST = 20;
const VARIABLE = /[A-Za-z_]\w*|[\d@*#?$!-]/y;
const BACKTICKS = /`((?:[^`\\]|\\[\s\S])*)`/y;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** What stands at the cursor, by a sticky pattern. */
export function match(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  return pattern.exec(cursor.source);
}

export class WordDraft implements ShellWord {
  text = "";
  expands = false;
  globs = false;
  tilde = false;
  isQuoted = false;
  /** How much of the text stood before the first quote. */
  #bare = Number.POSITIVE_INFINITY;

  quote(): void {
    this.isQuoted = true;
    this.#bare = Math.min(this.#bare, this.text.length);
  }

  /** "NAME=value". With its name in quotes it is a program. */
  isAssignment(): boolean {
    const name = ASSIGNMENT.exec(this.text)?.[0];
    return name !== undefined && name.length <= this.#bare;
  }
}

/** Adds to the word what stands at the cursor, which is no blank, operator or line end, and goes past it. */
export function readPiece(cursor: Cursor, word: WordDraft): void {
  const character = cursor.source[cursor.at] ?? "";
  if (character === "'") singleQuoted(cursor, word);
  else if (character === '"') doubleQuoted(cursor, word);
  else if (character === "\\") escaped(cursor, word);
  else if (character === "$") expansion(cursor, word, true);
  else if (character === "`") backticks(cursor, word);
  else {
    if (character === "~" && (word.text === "" || /[=:]$/.test(word.text))) word.tilde = true;
    if ("*?[{".includes(character)) word.globs = true;
    if (/[\u0000-\u001f\u007f]/.test(character)) cursor.unclear = true;
    word.text += character;
    cursor.at++;
  }
}

function singleQuoted(cursor: Cursor, word: WordDraft): void {
  const end = cursor.source.indexOf("'", cursor.at + 1);
  word.quote();
  word.text += cursor.source.slice(cursor.at + 1, end < 0 ? undefined : end);
  cursor.at = end < 0 ? cursor.source.length : end + 1;
  if (end < 0) cursor.unclear = true;
}

function doubleQuoted(cursor: Cursor, word: WordDraft): void {
  word.quote();
  cursor.at++;
  readUntil(cursor, '"', (character) => {
    if (character === "$") expansion(cursor, word, false);
    else if (character === "`") backticks(cursor, word);
    else if (character === "\\" && /[$`"\\\n]/.test(cursor.source[cursor.at + 1] ?? ""))
      escaped(cursor, word);
    else {
      word.text += character;
      cursor.at++;
    }
  });
}

/** Lets `take` have each character, which goes past it, up to and with the closing one. */
function readUntil(cursor: Cursor, closing: string, take: (character: string) => void): void {
  for (;;) {
    const character = cursor.source[cursor.at];
    if (character === undefined) cursor.unclear = true;
    if (character === undefined || character === closing) break;
    take(character);
  }
  cursor.at++;
}

function escaped(cursor: Cursor, word: WordDraft): void {
  const next = cursor.source[cursor.at + 1];
  if (next === undefined) cursor.unclear = true;
  if (next === "\n") cursor.compound = true;
  else {
    word.quote();
    word.text += next ?? "";
  }
  cursor.at += 2;
}

function expansion(cursor: Cursor, word: WordDraft, isBare: boolean, depth = 0): void {
  const start = cursor.at;
  const next = cursor.source[start + 1] ?? "";
  cursor.at++;
  const variable = match(cursor, VARIABLE);
  if (next === "(") {
    cursor.at++;
    cursor.nested();
  } else if (next === "{") braced(cursor, depth + 1);
  else if (variable !== null) cursor.at += variable[0].length;
  // Shells differ in whether this is a quote of its own kind.
  else if (isBare && (next === "'" || next === '"')) cursor.unclear = true;
  else {
    word.text += "$";
    return;
  }
  word.expands = true;
  word.text += cursor.source.slice(start, cursor.at);
}

/** "${...}", in which anything may stand. */
function braced(cursor: Cursor, depth: number): void {
  const scratch = new WordDraft();
  if (depth > DEEPEST) {
    cursor.unclear = true;
    cursor.at = cursor.source.length;
    return;
  }
  cursor.at++;
  readUntil(cursor, "}", (character) => {
    // Whether a quote is one in here depends on the shell and on the quotes around.
    if (character === "'" || character === '"') cursor.unclear = true;
    if (character === "$") expansion(cursor, scratch, false, depth);
    else if (character === "`") backticks(cursor, scratch);
    else cursor.at += character === "\\" ? 2 : 1;
  });
}

function backticks(cursor: Cursor, word: WordDraft): void {
  const found = match(cursor, BACKTICKS);
  word.expands = true;
  if (found === null) cursor.unclear = true;
  else cursor.included((found[1] ?? "").replace(/\\([`\\$"])/g, "$1"));
  word.text += found?.[0] ?? "";
  cursor.at = found === null ? cursor.source.length : cursor.at + found[0].length;
}
