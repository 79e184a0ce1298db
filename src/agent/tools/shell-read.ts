/**
 * Reads a command line as `sh` and `bash` would cut it: into words and commands, those inside `$(...)` included. It decides
 * nothing. What is not sure to be read as a shell reads it is `unclear`, and whoever judges it takes it for the worst.
 */
import { type Cursor, match, readPiece, type ShellWord, WordDraft } from "./shell-word.ts";

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** "NAME=value" before its program. */
  readonly assignments: readonly ShellWord[];
  readonly redirects: readonly { readonly operator: string; readonly target: ShellWord }[];
  /** Texts that it is given as input: `<<EOF`. */
  readonly here: readonly string[];
  /** It reads another one's output. */
  readonly piped: boolean;
  /** It stands in parentheses or gives its output to another one's words: what it changes of the shell ends with it. */
  readonly nested: boolean;
}

export interface ShellReading {
  /** In the order in which they end. */
  readonly commands: readonly ShellCommand[];
  /** One program and its words, and nothing else: no operator, redirection, assignment, comment, line break. */
  readonly simple: boolean;
  readonly unclear: boolean;
}

const DEEPEST = 20;

export function readShell(source: string): ShellReading {
  const reader = new Reader(source, 0);
  reader.list(null);
  const [only] = reader.commands;
  const isPlain = only !== undefined && only.words.length > 0 && only.assignments.length === 0;
  return {
    commands: reader.commands,
    simple: isPlain && reader.commands.length === 1 && !reader.compound && !reader.unclear,
    unclear: reader.unclear,
  };
}

/** Words after which a command begins. */
const OPENING = new Set(["if", "then", "else", "elif", "while", "until", "do", "!", "{"]);
const RESERVED = new Set([...OPENING, "for", "case", "select", "function", "fi", "done", "esac", "}", "[["]);
const OPERATORS = /&&|\|\||;;&|;;|;&|\|&|[;|&]/y;
const REDIRECTS = /&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||[<>]/y;

interface CommandDraft extends ShellCommand {
  readonly words: ShellWord[];
  readonly assignments: ShellWord[];
  readonly redirects: { operator: string; target: ShellWord }[];
  readonly here: string[];
}

interface Heredoc {
  readonly end: string;
  readonly isLiteral: boolean;
  readonly tabs: boolean;
  readonly into: string[];
}

class Reader implements Cursor {
  readonly commands: ShellCommand[] = [];
  at = 0;
  compound = false;
  unclear = false;
  #word: WordDraft | null = null;
  #command: CommandDraft;
  #redirect: string | null = null;
  /** The word that comes is a function's name. */
  #isFunction = false;
  #heredocs: Heredoc[] = [];

  constructor(
    readonly source: string,
    readonly depth: number,
  ) {
    this.#command = this.#emptyCommand(false);
  }

  /** Reads to the end, or to the ")" that closes it. */
  list(closing: ")" | null): void {
    while (this.at < this.source.length) {
      const character = this.source[this.at] ?? "";
      if (character === " " || character === "\t") this.#skip(1);
      else if (character === "\n") this.#lineEnd();
      else if (this.source.startsWith("\\\n", this.at)) this.#continuation();
      else if (character === "#" && this.#word === null) this.#comment();
      else if (character === "(") this.#group();
      else if (character === ")") {
        this.#end(false);
        this.at++;
        if (closing === ")") return;
        this.compound = true;
      } else if (!this.#operator()) {
        this.#word ??= new WordDraft();
        readPiece(this, this.#word);
      }
    }
    this.#end(false);
    if (closing !== null || this.#heredocs.length > 0) this.unclear = true;
  }

  nested(): void {
    if (this.#heredocs.length > 0) this.unclear = true;
    const inner = this.#inner(this.source);
    inner.at = this.at;
    inner.list(")");
    this.at = inner.at;
    this.#take(inner);
  }

  included(source: string): void {
    const inner = this.#inner(source);
    inner.list(null);
    this.#take(inner);
  }

  /** Too deep, nothing more is read. */
  #inner(source: string): Reader {
    if (this.depth < DEEPEST) return new Reader(source, this.depth + 1);
    this.unclear = true;
    return new Reader("", this.depth);
  }

  #take(inner: Reader): void {
    this.commands.push(...inner.commands);
    this.compound = true;
    this.unclear ||= inner.unclear;
  }

  #skip(length: number): void {
    this.#endWord();
    this.at += length;
  }

  /** A line end that is taken away, in the middle of a word or between two. */
  #continuation(): void {
    this.compound = true;
    this.at += 2;
  }

  #comment(): void {
    this.compound = true;
    const end = this.source.indexOf("\n", this.at);
    this.at = end < 0 ? this.source.length : end;
  }

  #group(): void {
    this.#end(false);
    this.at++;
    this.nested();
  }

  #operator(): boolean {
    const redirect = match(this, REDIRECTS)?.[0];
    const operator = match(this, OPERATORS)?.[0];
    if (redirect !== undefined) this.#redirection(redirect);
    else if (operator !== undefined) {
      this.#end(operator === "|" || operator === "|&");
      this.at += operator.length;
    } else return false;
    this.compound = true;
    return true;
  }

  #redirection(operator: string): void {
    if (/^\d+$/.test(this.#word?.text ?? "")) this.#word = null;
    this.#skip(operator.length);
    if ((operator === "<" || operator === ">") && this.source[this.at] === "(") {
      this.#word = new WordDraft();
      this.#word.expands = true;
      this.at++;
      this.nested();
    } else this.#redirect = operator;
  }

  #lineEnd(): void {
    this.#end(false);
    this.at++;
    this.compound = true;
    for (const { end, isLiteral, tabs, into } of this.#heredocs.splice(0)) {
      const lines: string[] = [];
      for (let isOpen = true; isOpen; ) {
        if (this.at >= this.source.length) this.unclear = true;
        const line = this.#line();
        isOpen = (tabs ? line.replace(/^\t+/, "") : line) !== end && this.at < this.source.length;
        lines.push(line);
      }
      if (!isLiteral && /\$\(|`/.test(lines.join("\n"))) this.unclear = true;
      into.push(lines.join("\n"));
    }
  }

  #line(): string {
    const stop = this.source.indexOf("\n", this.at);
    const line = this.source.slice(this.at, stop < 0 ? undefined : stop);
    this.at = stop < 0 ? this.source.length : stop + 1;
    return line;
  }

  #endWord(): void {
    const word = this.#word;
    if (word === null) return;
    this.#word = null;
    const { words, assignments } = this.#command;
    if (this.#redirect !== null) this.#redirectTo(word, this.#redirect);
    else if (this.#isFunction) this.#named(word);
    else if (words.length > 0) words.push(word);
    else if (word.isAssignment()) assignments.push(word);
    else if (word.isQuoted || !RESERVED.has(word.text)) words.push(word);
    else {
      this.compound = true;
      // Its patterns end in parentheses that nothing opened.
      if (word.text === "case") this.unclear = true;
      if (word.text === "function") this.#isFunction = true;
      if (!OPENING.has(word.text)) words.push(word);
    }
  }

  /** After a function's name its commands begin. */
  #named(name: WordDraft): void {
    this.#isFunction = false;
    this.#command.words.push(name);
    this.#end(false);
  }

  #redirectTo(target: WordDraft, operator: string): void {
    const { redirects, here } = this.#command;
    this.#redirect = null;
    if (operator !== "<<" && operator !== "<<-") redirects.push({ operator, target });
    else {
      const tabs = operator === "<<-";
      this.#heredocs.push({ end: target.text, isLiteral: target.isQuoted, tabs, into: here });
    }
  }

  #end(pipes: boolean): void {
    this.#endWord();
    if (this.#redirect !== null) this.unclear = true;
    this.#redirect = null;
    this.#isFunction = false;
    const { words, assignments, redirects } = this.#command;
    if (words.length + assignments.length + redirects.length > 0) this.commands.push(this.#command);
    this.#command = this.#emptyCommand(pipes);
  }

  #emptyCommand(piped: boolean): CommandDraft {
    return { words: [], assignments: [], redirects: [], here: [], piped, nested: this.depth > 0 };
  }
}
