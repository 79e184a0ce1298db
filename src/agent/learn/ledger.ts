/** The append-only log of what learning cost and found: one line of JSON per batch. */
import { dirname } from "node:path";
import { ioError } from "../../core/errors.ts";
import { localDay } from "../../util/days.ts";
import { appendToFile, ensureDirectory, readIfThere, writeFileAtomic } from "../../util/fs.ts";
import { isRecord, parseJson } from "../../util/json.ts";
import { decodeUtf8 } from "../../util/text.ts";

export interface LedgerLine {
  /** Identifies the batch: a line with the same id is not added again. */
  readonly id: string;
  /** When the model was asked, ISO 8601. */
  readonly at: string;
  readonly model: string;
  /** The workspace of the session. */
  readonly root: string;
  readonly session: string;
  readonly turns: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** In dollars; null if the price is unknown. */
  readonly cost: number | null;
  /** Ids of the facts that were kept. */
  readonly kept: readonly string[];
  readonly replaced: number;
  readonly ended: number;
  readonly decided: number;
  readonly dropped: number;
  /** Why nothing could be learned from the answer; null normally. */
  readonly failure: string | null;
}

export class LearningLedger {
  constructor(readonly path: string) {}

  lines(): LedgerLine[] {
    const text = decodeUtf8(readIfThere(this.path) ?? new Uint8Array()) ?? "";
    const lines = text.split("\n").flatMap((line) => {
      const read = parseJson(line);
      return isLine(read) ? [read] : [];
    });
    return [...new Map(lines.map((line) => [line.id, line])).values()];
  }

  /** Durable on return. Throws `io`. */
  add(line: LedgerLine): void {
    if (this.lines().some(({ id }) => id === line.id)) return;
    const text = `${JSON.stringify(line)}\n`;
    try {
      const before = readIfThere(this.path);
      if (before === null) {
        ensureDirectory(dirname(this.path));
        writeFileAtomic(this.path, text);
      }
      // A process may have died in the middle of a line.
      else appendToFile(this.path, before.at(-1) === NEWLINE ? text : `\n${text}`, before.byteLength);
    } catch (error) {
      throw ioError(error, `Cannot write ${this.path}`);
    }
  }
}

const NEWLINE = 10;

function isLine(value: unknown): value is LedgerLine {
  return isRecord(value) && typeof value.id === "string" && typeof value.at === "string";
}

export interface Spent {
  readonly calls: number;
  readonly facts: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** In dollars. Calls whose price is unknown count as 0. */
  readonly cost: number;
}

export function spentOn(day: string, lines: readonly LedgerLine[]): Spent {
  return spentSince(
    day,
    lines.filter(({ at }) => localDay(at) === day),
  );
}

/** From this day on. */
export function spentSince(day: string, lines: readonly LedgerLine[]): Spent {
  const own = lines.filter(({ at }) => localDay(at) >= day);
  const sum = (count: (line: LedgerLine) => number) => own.reduce((total, line) => total + count(line), 0);
  return {
    calls: own.length,
    facts: sum(({ kept }) => kept.length),
    input_tokens: sum(({ input_tokens }) => input_tokens ?? 0),
    output_tokens: sum(({ output_tokens }) => output_tokens ?? 0),
    cost: sum(({ cost }) => cost ?? 0),
  };
}
