/** Prints all CLI output: text for people, one JSON envelope for programs. */
import { ioError, messageOf, RetainError } from "../core/errors.ts";
import { errorCode } from "../util/fs.ts";
import { oneLine, withoutControls } from "../util/text.ts";
import { replaceSpoofing, terminalSafe } from "../util/unseen.ts";
import type { CommonOptions } from "./options.ts";
import { isTerminal, terminalWidth, writeError } from "./tty.ts";

/** The result of a command. */
export interface Output {
  /** `data` in the JSON envelope. */
  readonly data: unknown;
  /** The output without --json and --quiet. */
  readonly text: string;
  /** The output with --quiet; `text` by default. */
  readonly quiet?: string;
  /** Errors in parts of the work; printed to stderr, also with --quiet. */
  readonly problems?: readonly string[];
  /** Print `text` verbatim, without adding a final newline. */
  readonly exact?: boolean;
  /** The output is already printed; only the failure is left. */
  readonly streamed?: boolean;
  /** Set if the command did only part of its work. It decides the exit code, and the JSON envelope has both it and the data. */
  readonly failure?: RetainError;
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
const CODES: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export class Terminal {
  readonly #warnings: string[] = [];
  #barOpen = false;

  constructor(private readonly options: CommonOptions) {}

  /** Uses colours only on a terminal, unless they are disabled. */
  get colours(): boolean {
    return usesColour("stdout");
  }

  style(style: Style, text: string): string {
    return this.colours ? ours(paint(style, withoutControls(text))) : text;
  }

  /** Prints a warning; with --json it goes into the envelope. */
  warn(message: string): void {
    if (this.#warnings.includes(message)) return;
    this.#warnings.push(message);
    if (!this.options.json && !this.options.quiet) this.#note("yellow", `warning: ${message}`);
  }

  explain(message: string): void {
    if (this.options.verbose) this.#note("dim", message);
  }

  /** Progress of a long-running command. */
  say(message: string): void {
    if (!this.options.json && !this.options.quiet) this.#note("dim", message);
  }

  async print(command: string, output: Output): Promise<void> {
    const { data, failure } = output;
    if (this.options.json)
      return this.#envelope({ ok: failure === undefined, command, data, error: failure && asJson(failure) });
    for (const problem of output.problems ?? []) this.#note("red", problem);
    const all = this.options.quiet ? (output.quiet ?? output.text) : output.text;
    const text = isTerminal("stdout") ? forTerminal(all) : all;
    await writeOut(output.exact || text === "" || text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Prints the error and returns the exit code. Unexpected errors (bugs) are printed with their stack. */
  async fail(command: string, error: unknown): Promise<number> {
    const known = error instanceof RetainError;
    if (this.options.json) {
      if (!known) writeError(`${stackOf(error)}\n`);
      await this.#envelope({ ok: false, command, error: asJson(error) }).catch((cause: unknown) =>
        this.#note("red", `retain: ${messageOf(cause)}`),
      );
    } else {
      this.#note("red", `retain: ${known ? error.message : stackOf(error)}`);
      const hint = known ? error.hint : BUG;
      if (hint) this.#note("dim", hint);
    }
    return known ? error.exitCode : 1;
  }

  /** Prints the failure of a streamed command to stderr, since stdout has no envelope. */
  async failStreamed(error: RetainError): Promise<void> {
    this.#note("red", `retain: ${error.message}`);
    if (error.hint) this.#note("dim", error.hint);
  }

  /** A progress bar with rate and time left, on a terminal only. */
  progress(label: string, total: number): (done: number) => void {
    if (!isTerminal("stderr") || this.options.quiet || this.options.json) return () => {};
    const begun = performance.now();
    return (done) => {
      const counts = `${done}/${total}${pace(done, total, (performance.now() - begun) / 1_000)}`;
      const room = (process.stderr.columns || 80) - label.length - counts.length - 3;
      const width = Math.max(0, Math.min(30, room));
      const filled = Math.round((width * done) / Math.max(total, 1));
      const bar = "█".repeat(filled) + "░".repeat(width - filled);
      this.#barOpen = done < total;
      const line = Bun.sliceAnsi(`${label} ${bar} ${counts}`, 0, (process.stderr.columns || 80) - 1);
      writeError(`\r${line}\x1b[K${this.#barOpen ? "" : "\n"}`);
    };
  }

  #note(style: Style, text: string): void {
    const line = terminalSafe(text.replaceAll(OUR_CODE, ""));
    const start = this.#barOpen ? "\n" : "";
    this.#barOpen = false;
    writeError(`${start}${usesColour("stderr") ? paint(style, line) : line}\n`);
  }

  #envelope(fields: Record<string, unknown>): Promise<void> {
    return writeOut(`${toJson({ ...fields, warnings: this.#warnings }, 2)}\n`);
  }
}

/** ", 230/s, 4 s left", once there is enough data to estimate. */
function pace(done: number, total: number, seconds: number): string {
  if (done === 0 || seconds < 1) return "";
  const rate = done / seconds;
  const left = Math.ceil((total - done) / rate);
  const time = left < 90 ? `${left} s` : `${Math.round(left / 60)} min`;
  return `  ${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s${done < total ? `, ${time} left` : ""}`;
}

const BUG = "This is a bug in Retain. Please report it with the lines above.";

function asJson(error: unknown) {
  if (error instanceof RetainError)
    return { code: error.code, message: error.message, hint: error.hint ?? null, exit_code: error.exitCode };
  return { code: "internal", message: messageOf(error), hint: BUG, exit_code: 1 };
}

function stackOf(error: unknown): string {
  return (error instanceof Error && error.stack) || messageOf(error);
}

function usesColour(stream: "stdout" | "stderr"): boolean {
  return isTerminal(stream) && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}

function paint(style: Style, text: string): string {
  const [on, off] = CODES[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}

/** Replaces ESC in our own colour codes until they are printed. It is random per process, so stored text can't contain it. */
const OUR_ESCAPE = `\x1b${crypto.randomUUID()}`;
const OUR_CODE = new RegExp(`${OUR_ESCAPE}\\[\\d+m`, "g");

function ours(painted: string): string {
  return painted.replaceAll("\x1b", OUR_ESCAPE);
}

/** Keeps our own colours and escapes all other control characters. */
function forTerminal(text: string): string {
  return text.split(OUR_ESCAPE).map(terminalSafe).join("\x1b");
}

/** Escapes control and invisible characters that JSON allows but a terminal would interpret or hide. */
export function toJson(value: unknown, indent?: number): string {
  return replaceSpoofing(JSON.stringify(value, null, indent).replace(/[\u007f-\u009f]/g, escaped), escaped);
}

function escaped(character: string): string {
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}

const UNTOLD = "The command did its work; only its output is missing.";

/** Run by a model in the chat's shell: private text and secrets stay out, whatever the command. */
async function forModel(text: string): Promise<string> {
  const { shareableText } = await import("../core/secrets/shareable.ts");
  return shareableText(text);
}

/** The reader may stop early ("| head"), which isn't an error. */
export async function writeOut(text: string): Promise<void> {
  // Bun.write with no data would truncate the file that stdout is redirected to.
  if (text === "") return;
  try {
    await Bun.write(Bun.stdout, process.env.RETAIN_FOR_MODEL === "1" ? await forModel(text) : text);
  } catch (error) {
    if (errorCode(error) === "EPIPE") return;
    const failure = ioError(error, "Cannot write the output");
    throw failure instanceof RetainError ? new RetainError("io", failure.message, UNTOLD) : failure;
  }
}

/** A table cell. `table` escapes stored text in it. */
export type Cell = string | { readonly text: string; readonly style: Style };

/** The minimum width of a shortened column. */
const LEAST_WIDTH = 8;

/**
 * Pads columns to their widest cell. On a terminal that is too narrow, shortens the columns in `flexible` in turn, then cuts
 * the lines. With `flexible` null, lines keep their full length.
 */
export function table(
  terminal: Terminal,
  rows: readonly (readonly Cell[])[],
  flexible: readonly number[] | null,
): string[] {
  const texts = rows.map((row) => row.map((cell) => oneLine(typeof cell === "string" ? cell : cell.text)));
  const widths: number[] = [];
  for (const row of texts) {
    for (let column = 0; column < row.length; column++)
      widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(row[column] ?? ""));
  }
  const limit = flexible === null ? null : terminalWidth();
  if (limit !== null) shorten(widths, flexible ?? [], limit);
  const colours = terminal.colours;
  return texts.map((row, index) => {
    let line = "";
    for (let column = 0; column < row.length; column++) {
      const width = widths[column] ?? 0;
      const text = limit === null ? (row[column] ?? "") : fit(row[column] ?? "", width);
      const cell = colours ? rows[index]?.[column] : undefined;
      line += typeof cell === "object" ? paint(cell.style, text) : text;
      if (column < row.length - 1) line += " ".repeat(Math.max(0, width - Bun.stringWidth(text))) + GAP;
    }
    return ours(limit === null ? line.trimEnd() : cutTo(line, limit).trimEnd());
  });
}

const GAP = "  ";

function shorten(widths: number[], flexible: readonly number[], limit: number): void {
  for (const column of flexible) {
    const total = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
    const width = widths[column] ?? 0;
    widths[column] = Math.max(Math.min(width, LEAST_WIDTH), width - Math.max(0, total - limit));
  }
}

/** Shortens text that is wider than `width` with "…". */
export function fit(text: string, width: number): string {
  return Bun.stringWidth(text) <= width ? text : `${cutTo(text, width - 1)}…`;
}

/** Drops a two-column character that would be cut in half. */
function cutTo(text: string, width: number): string {
  const cut = Bun.sliceAnsi(text, 0, width);
  return Bun.stringWidth(cut) <= width ? cut : Bun.sliceAnsi(text, 0, width - 1);
}

/** The header row of a table. */
export function heading(...names: string[]): Cell[] {
  return names.map((text) => ({ text, style: "bold" }));
}
