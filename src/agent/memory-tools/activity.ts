/** Recent activity: saved, changed and ended memories, and conversations, newest first. A forgotten memory leaves no trace here. */
import { lastDays } from "../../context/time.ts";
import { endInWords } from "../../core/facts/fact.ts";
import { documentSource } from "../../core/memory.ts";
import { shareableText } from "../../core/secrets/shareable.ts";
import { localDay, localTime } from "../../util/days.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { ConversationPorts } from "./ports.ts";

interface Activity {
  /** In ISO 8601; shown as "2026-11-17 09:30", in local time. */
  readonly at: string;
  readonly what: "saved" | "changed" | "ended" | "talked";
  readonly kind: "fact" | "note" | "document" | "conversation";
  readonly id: string;
  readonly text: string;
}

const LONGEST = 200;
const NOTE_DAYS = 30;

interface RecentActivity {
  readonly activity: readonly Activity[];
  /** How much there was before the limit. */
  readonly total: number;
}

export async function activityOf(ports: ConversationPorts, limit: number): Promise<RecentActivity> {
  const all = [
    ...(await factEvents(ports)),
    ...(await noteEvents(ports)),
    ...(await documentEvents(ports)),
    ...(await conversations(ports)),
  ];
  const newest = all.sort((a, b) => (Date.parse(b.at) || 0) - (Date.parse(a.at) || 0)).slice(0, limit);
  const shown = (event: Activity): Activity => ({
    ...event,
    at: `${localDay(event.at)} ${localTime(new Date(event.at))}`,
    text: truncate(oneLine(shareableText(event.text)), LONGEST),
  });
  return { activity: newest.map(shown), total: all.length };
}

async function factEvents({ facts, isInScope }: ConversationPorts): Promise<Activity[]> {
  const all = (await facts.list({ which: "all" })).filter(({ chat }) => isInScope(chat));
  return all.flatMap((fact): Activity[] => {
    const { id, text, created_at, ended_at } = fact;
    const saved: Activity = { at: created_at, what: "saved", kind: "fact", id, text };
    if (ended_at === null) return [saved];
    return [{ ...saved, at: ended_at, what: "ended", text: `${text} (${endInWords(fact)})` }, saved];
  });
}

async function noteEvents({ facts, isInScope, now }: ConversationPorts): Promise<Activity[]> {
  const { notes } = await facts.notes(lastDays(now(), NOTE_DAYS));
  return notes
    .filter(({ chat }) => isInScope(chat))
    .map(({ id, day, time, title }) => ({
      at: `${day}T${time}`,
      what: "saved",
      kind: "note",
      id,
      text: title,
    }));
}

async function documentEvents({ documents }: ConversationPorts): Promise<Activity[]> {
  const { documents: found } = await documents.list({ sort: "updated" });
  return found.flatMap(({ title, created_at, updated_at, ...ref }): Activity[] => {
    const event = { kind: "document", id: documentSource(ref), text: title } as const;
    const isChanged = updated_at !== null && updated_at !== created_at;
    return [
      ...(created_at === null ? [] : [{ ...event, at: created_at, what: "saved" } as const]),
      ...(isChanged ? [{ ...event, at: updated_at, what: "changed" } as const] : []),
    ];
  });
}

/** Not the one that the tool is used in. */
async function conversations({ sessions, session, isInScope }: ConversationPorts): Promise<Activity[]> {
  const others = (await sessions.list()).filter(({ id, chat }) => id !== session && isInScope(chat));
  return others.map(({ id, updated_at, title, summary }) => ({
    ...{ at: updated_at, what: "talked", kind: "conversation", id },
    text: title ?? summary ?? "untitled",
  }));
}
