/** Everything that the command line prints: text for people, one envelope for programs. */
import { ioError, messageOf, RetainError } from "../core/errors.ts";
import { withoutControls } from "../util/text.ts";
import type { CommonOptions } from "./options.ts";
import { isTerminal, terminalWidth, writeError } from "./tty.ts";

/** What a command has to say. */
export interface Output {
  /** What --json shows under `data`. */
  readonly data: unknown;
  /** What a person sees. */
  readonly text: string;
  /** What --quiet leaves of the text; all of it by default. */
  readonly quiet?: string;
  /** What went wrong with parts of the work; told on stderr, also with --quiet. */
  readonly problems?: readonly string[];
  /** Print `text` byte for byte, without seeing to a last newline. */
  readonly exact?: boolean;
  /** By default 0. */
  readonly exitCode?: number;
}

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
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

  /** Colours only for a person at a terminal who has not said no. */
  get colours(): boolean {
    return usesColour("stdout");
  }

  style(style: Style, text: string): string {
    return this.colours ? paint(style, text) : text;
  }

  /** Something is amiss, but the command went on. In JSON it is part of the envelope. */
  warn(message: string): void {
    if (this.#warnings.includes(message)) return;
    this.#warnings.push(message);
    if (!this.options.json && !this.options.quiet) this.#note("yellow", `warning: ${message}`);
  }

  explain(message: string): void {
    if (this.options.verbose) this.#note("dim", message);
  }

  async print(command: string, output: Output): Promise<void> {
    if (this.options.json)
      return this.#envelope({ ok: (output.exitCode ?? 0) === 0, command, data: output.data });
    for (const problem of output.problems ?? []) this.#note("red", problem);
    const text = this.options.quiet ? (output.quiet ?? output.text) : output.text;
    await write(output.exact || text === "" || text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Returns the exit code. Errors that no person caused come with their stack: they are to be reported. */
  async fail(command: string, error: unknown): Promise<number> {
    const known = error instanceof RetainError;
    const code = known ? error.code : "internal";
    const exitCode = known ? error.exitCode : 1;
    const hint = known ? error.hint : "This is a bug in Retain; please report it with the lines above.";
    if (this.options.json) {
      const description = { code, message: messageOf(error), hint: hint ?? null, exit_code: exitCode };
      await this.#envelope({ ok: false, command, error: description });
      return exitCode;
    }
    this.#note("red", `retain: ${known ? error.message : (error as Error)?.stack || messageOf(error)}`);
    if (hint) this.#note("dim", hint);
    return exitCode;
  }

  /** A line that is drawn over while work goes on; only where a person watches. */
  progress(label: string, total: number): (done: number) => void {
    if (!isTerminal("stderr") || this.options.quiet || this.options.json) return () => {};
    const width = 30;
    return (done) => {
      const filled = Math.round((width * done) / Math.max(total, 1));
      const bar = "█".repeat(filled) + "░".repeat(width - filled);
      this.#barOpen = done < total;
      writeError(`\r${label} ${bar} ${done}/${total}${this.#barOpen ? "" : "\n"}`);
    };
  }

  #note(style: Style, text: string): void {
    const line = withoutControls(text);
    const start = this.#barOpen ? "\n" : "";
    this.#barOpen = false;
    writeError(`${start}${usesColour("stderr") ? paint(style, line) : line}\n`);
  }

  #envelope(fields: Record<string, unknown>): Promise<void> {
    return write(`${JSON.stringify({ ...fields, warnings: this.#warnings }, null, 2)}\n`);
  }
}

function usesColour(stream: "stdout" | "stderr"): boolean {
  return isTerminal(stream) && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}

function paint(style: Style, text: string): string {
  const [on, off] = CODES[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}

/** Whoever reads may stop early ("| head"): that is no error. */
async function write(text: string): Promise<void> {
  // Bun.write of nothing would empty the file that stdout is redirected to.
  if (text === "") return;
  try {
    await Bun.write(Bun.stdout, text);
  } catch (error) {
    if ((error as { code?: string }).code !== "EPIPE") throw ioError(error, "Cannot write the output");
  }
}

/** Columns padded to their widest cell; on a terminal, lines are cut to its width unless told otherwise. */
export function table(rows: readonly (readonly string[])[], cut = true): string[] {
  const measured = rows.map((row) => row.map((text) => ({ text, width: Bun.stringWidth(text) })));
  const widths: number[] = [];
  for (const row of measured) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.width);
  }
  const lines = measured.map((row) =>
    row
      .map(({ text, width }, column) => text + " ".repeat((widths[column] ?? 0) - width))
      .join("  ")
      .trimEnd(),
  );
  const columns = cut ? terminalWidth() : null;
  return columns === null ? lines : lines.map((line) => Bun.sliceAnsi(line, 0, columns));
}
