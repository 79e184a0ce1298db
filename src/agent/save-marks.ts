/** Saves what a reply marked, and reports the outcome of each mark. */

import type { ChangedMemory, MemoryChanges } from "../core/facts/memory-changes.ts";
import { withEnd } from "../core/facts/until.ts";
import { command, hint } from "../core/hint.ts";
import type { Mark } from "../core/marks/marks.ts";
import type { Remembered } from "../facts/write/remember.ts";
import type { WrittenMarks } from "../facts/write/write-marks.ts";
import type { Conversation } from "./conversation.ts";
import type { DraftEvent } from "./events.ts";
import type { ChatPorts } from "./ports.ts";

/** Returns whether saving failed for any mark. In an incognito conversation, or with memory off, it does nothing. */
export async function* saveReplyMarks(
  { facts, isOff }: Pick<ChatPorts, "facts" | "isOff">,
  { id: session, chat, incognito }: Conversation,
  marks: readonly Mark[],
  message: number | null,
): AsyncGenerator<DraftEvent, boolean> {
  if (incognito || isOff || session === null || message === null || marks.length === 0) return false;
  const kept = await facts.writeMarks(marks, { session, chat, message });
  yield* reportSaved(kept);
  return kept.failed.length > 0;
}

/** Yields nothing if nothing changed. */
export function* reportSaved(
  kept: Remembered & Partial<Pick<WrittenMarks, "refused" | "failed">>,
): Generator<DraftEvent, void> {
  const { refused = [], failed = [] } = kept;
  const changes = { ...changesOf(kept), refused, failed };
  if (saysSomething(changes)) yield { type: "memory", ...changes };
  for (const { doubts } of kept.saved) {
    if (doubts === undefined) continue;
    const text = hint`May replace: ${doubts} (decide: ${command("review")})`;
    yield { type: "notice", level: "info", text };
  }
}

export const NOTHING_CHANGED: MemoryChanges = {
  ...{ saved: [], superseded: [], ended: [], unknown: [], skipped: [], refused: [], failed: [] },
  working: "unchanged",
};

/** The changes as texts for the user. */
function changesOf(kept: Remembered): MemoryChanges {
  const { saved, superseded, ended, unknown, skipped, queued = [], working } = kept;
  const texts = saved.map((one) => ({ ...one, text: withEnd(one.text, one.until) }));
  const textOf = (id: string) => texts.find((one) => one.id === id)?.text ?? id;
  const delayed = queued.filter(({ isDelayed }) => isDelayed);
  const replacing = new Set(superseded.map(({ by }) => by));
  const everywhere = [...texts, ...queued].flatMap((one) => (one.everywhere ? one.text : []));
  const shared = texts.flatMap((one) => (one.shared ? one.text : []));
  return {
    ...NOTHING_CHANGED,
    saved: [
      ...texts.filter(({ id }) => !replacing.has(id)),
      ...queued.filter(({ isDelayed }) => !isDelayed),
    ].map(({ text }) => text),
    ...(everywhere.length > 0 && { everywhere }),
    ...(shared.length > 0 && { shared }),
    ...(delayed.length > 0 && { queued: delayed.map(({ text }) => text) }),
    superseded: superseded.map(({ text, by }) => ({ before: text, after: textOf(by) })),
    ended: ended.map(({ text }) => text),
    unknown,
    skipped: skipped.map(({ text }) => text),
    working: working === "replaced" ? "saved" : working,
    changed: changedIn(kept),
  };
}

/** Undoing a saved fact restores those it replaced, so they are not listed. A fact on a server, without a file, cannot be undone. */
function changedIn({ saved, superseded, ended }: Remembered): ChangedMemory[] {
  const own = saved.filter(({ file, wasKnown }) => file !== "" && wasKnown !== true);
  const ids = new Set(own.map(({ id }) => id));
  const gone = [...superseded.filter(({ by }) => !ids.has(by)), ...ended];
  return [
    ...own.map(({ id, text, kind }) => ({ id, text, change: kind === "note" ? "noted" : "saved" }) as const),
    ...gone.map(({ id, text }) => ({ id, text, change: "ended" }) as const),
  ];
}

function saysSomething({ working, ...lists }: MemoryChanges): boolean {
  return Object.values(lists).some(({ length }) => length > 0) || working !== "unchanged";
}
