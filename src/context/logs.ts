/** Recent notes: whole logs if they fit, else the newest notes. */
import { parseLog } from "../core/facts/daily-log.ts";
import { harmless } from "./fence.ts";
import type { Draft } from "./parts.ts";
import type { RecalledMemory } from "./ports.ts";
import { choose } from "./shorten.ts";

export interface DayLog {
  readonly origin: RecalledMemory["origin"];
  /** Below memories/. */
  readonly path: string;
  readonly day: string;
  /** The line above it: "2026-11-15, this project:". */
  readonly head: string;
  readonly content: string;
}

interface Entry {
  readonly log: DayLog;
  /** Sorts by time. */
  readonly at: string;
  /** The text in the log. */
  readonly lines: string;
}

const TITLE = "Recent notes";

/** In the order of the logs, oldest first. */
export function logsDraft(logs: readonly DayLog[]): Draft {
  return {
    name: "logs",
    title: TITLE,
    text: printed(logs, ({ content }) => [content]),
    shorten: (tokens) => newestNotes(logs, tokens),
  };
}

/** Whether the recalled memory is a note that the shown logs contain. */
export function isShownNote(
  { kind, origin, source, text }: RecalledMemory,
  logs: readonly DayLog[],
  shown: string,
): boolean {
  if (kind !== "note") return false;
  const log = logs.find((one) => one.origin === origin && source.startsWith(`${one.path}#`));
  return log !== undefined && (shown.includes(log.content) || shown.includes(text.trim()));
}

function newestNotes(logs: readonly DayLog[], tokens: number): string | null {
  const entries = logs.flatMap((log) =>
    parseLog(log.content).notes.map(({ time, start, end }): Entry => {
      return { log, at: `${log.day} ${time}`, lines: log.content.slice(start, end).trim() };
    }),
  );
  const newestFirst = entries.toReversed().sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const render = (chosen: readonly Entry[]) =>
    printed(logs, (log) =>
      entries.filter((entry) => entry.log === log && chosen.includes(entry)).map(({ lines }) => lines),
    );
  return choose(newestFirst, ({ log, lines }) => `${log.head}\n\n${lines}`, render, tokens)?.text ?? null;
}

/** `piecesOf` returns the shown notes of a log. */
function printed(logs: readonly DayLog[], piecesOf: (log: DayLog) => readonly string[]): string {
  const of = (origin: DayLog["origin"]) =>
    logs
      .filter((log) => log.origin === origin)
      .flatMap((log) => {
        const pieces = piecesOf(log);
        return pieces.length === 0 ? [] : [log.head, ...pieces];
      })
      .join("\n\n");
  const texts = [`### ${TITLE}`, of("home"), of("project")];
  return harmless(texts.filter((text) => text !== "").join("\n\n"));
}
