/** Formats recalled memories for a model: one item each, with its date, kind, source and trust. */
import { readReply } from "../core/marks/marks.ts";
import { localDay } from "../util/days.ts";
import { harmless } from "./fence.ts";
import type { RecalledMemory } from "./ports.ts";

/** "- 2026-11-15, fact 3f9a2xw0c1, stated: text"; "" if nothing is left to show. */
export function recalledItem(memory: RecalledMemory): string {
  const { at, kind, source, heading, speaker, text, mayBeOutdatedBy, until } = memory;
  const said = (kind === "message" ? readReply(text).visible : text).trim();
  if (said === "") return "";
  const what = `${kind} ${source}`;
  const within = kind === "document" && heading !== "" && !said.startsWith("#") ? ` (${heading})` : "";
  const by = speaker === null ? "" : ` of ${speaker}`;
  const marks = [...endOf(until), ...doubtOf(mayBeOutdatedBy)];
  return item([...dayOf(at), `${what}${within}${by}`, trustShown(memory), ...marks], said);
}

/** `newer` is the id of the fact that may replace it. */
export function doubtOf(newer: string | null | undefined): string[] {
  return newer == null ? [] : [`may be outdated by fact ${newer}`];
}

export function endOf(until: string | undefined): string[] {
  return until === undefined ? [] : [`until ${until}`];
}

export function trustShown({ trust, unconfirmed }: Pick<RecalledMemory, "trust" | "unconfirmed">): string {
  return unconfirmed ? "unconfirmed" : trust;
}

export function dayOf(at: number | null): string[] {
  return at === null ? [] : [localDay(new Date(at).toISOString())];
}

/** Indents all lines but the first, so that none starts a block of its own. */
export function item(marks: readonly string[], text: string): string {
  const [first = "", ...others] = harmless(`- ${marks.join(", ")}: ${text}`).split(/\r?\n/);
  return [first, ...others.map((line) => (line === "" ? line : `  ${line}`))].join("\n");
}
