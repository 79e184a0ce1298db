/** What every view needs besides the state. */
import type { Paint } from "../ansi/paint.ts";
import type { MarkdownOptions } from "../markdown/stream.ts";

export interface Look extends MarkdownOptions {
  readonly version: string;
  /** For display: "~/notes". */
  readonly directory: string;
  /** Where the chat's memory is, for display. */
  readonly memory: string;
  readonly paint: Paint;
}

/** Longer lines are hard to read. */
const WIDEST = 120;

export function readingWidth(columns: number): number {
  return Math.max(1, Math.min(columns, WIDEST));
}
