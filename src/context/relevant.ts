/** The last parts of a context: recalled memories and other conversations. */
import { bulletsOf } from "../core/facts/bullets.ts";
import { factId } from "../core/facts/fact-text.ts";
import { isChitChat } from "../core/language/chit-chat.ts";
import { KINDS, type Kind } from "../core/memory.ts";
import { plural } from "../util/in-words.ts";
import type { Filling } from "./filling.ts";
import { type DayLog, isShownNote } from "./logs.ts";
import { withoutShownId } from "./memory-facts.ts";
import type { Whose } from "./memory-files.ts";
import type { Draft, LeftOut } from "./parts.ts";
import type { ContextPorts, RecalledMemory } from "./ports.ts";
import { recalledItem } from "./recalled.ts";
import { type RecentSession, recentSessions } from "./sessions.ts";
import { choose } from "./shorten.ts";
import { tokensOf } from "./tokens.ts";

/** Facts and notes already in the context, which are not repeated. */
export interface Shown {
  readonly facts: readonly { readonly chat: string | null; readonly text: string }[];
  readonly logs: { readonly days: readonly DayLog[]; readonly text: string };
}

/** Many, since those already in the context are dropped. */
const MOST_RECALLED = 50;
/** More would distract a model rather than help. */
const A_HANDFUL = 8;
const MOST_SUMMARIES = 3;
const RECALLED_KINDS = KINDS.filter((kind) => kind !== "summary");

/** Returns the included memories. `most` limits the tokens. */
export async function addRelevant(
  ports: ContextPorts,
  filling: Filling,
  { query, whose, shown, most }: { query: string | null; whose: Whose; shown: Shown; most: number },
): Promise<readonly RecalledMemory[]> {
  const part = { name: "relevant", title: "Relevant memories" } as const;
  const asks = query !== null && !isChitChat(query, true);
  const found = asks ? await recallFor(ports, query, whose, RECALLED_KINDS, MOST_RECALLED) : [];
  const news = found.filter(isNews(shown)).slice(0, A_HANDFUL);
  if (query !== null && (news.length > 0 || found.length === 0))
    return addRecalled(filling, part, news, Math.min(most, filling.roomFor(part)));
  filling.leaveOut(part, query === null ? "no query" : "already in the context");
  return [];
}

/** Adds relevant summaries, or else the most recent sessions. Returns the included summaries. */
export async function addSessions(
  ports: ContextPorts,
  filling: Filling,
  { query, whose }: { query: string; whose: Whose },
): Promise<readonly RecalledMemory[]> {
  const asks = !isChitChat(query, true);
  const found = asks ? await recallFor(ports, query, whose, ["summary"], MOST_SUMMARIES) : [];
  if (found.length > 0) {
    const part = { name: "sessions", title: "Relevant sessions" } as const;
    return addRecalled(filling, part, found, filling.roomFor(part));
  }
  const recent = recentDraft(ports, whose);
  if (recent !== null) filling.add(recent);
  return [];
}

/** null if there are none. */
export function recentDraft(ports: ContextPorts, whose: Whose): Draft | null {
  const recent = recentSessions(ports, whose);
  if (recent.length === 0) return null;
  const part = { name: "sessions", title: "Recent sessions" } as const;
  const render = (chosen: readonly RecentSession[]) =>
    printedItems(
      part.title,
      recent.filter((one) => chosen.includes(one)),
    );
  const newestFirst = recent.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  return {
    ...part,
    text: render(recent),
    shorten: (tokens) => choose(newestFirst, ({ printed }) => printed, render, tokens)?.text ?? null,
  };
}

/**
 * Recalls memories of this chat and of no chat. Messages of this session are already in the conversation, unless they were
 * compacted.
 */
async function recallFor(
  ports: ContextPorts,
  query: string,
  { chat, session, compactedTo }: Whose,
  kinds: readonly Kind[],
  limit: number,
): Promise<readonly RecalledMemory[]> {
  const except = session === null ? {} : { except: { session, after: compactedTo } };
  return ports.recall(query, { kinds, scopes: ["", chat], limit, ...except });
}

function isNews({ facts, logs }: Shown): (memory: RecalledMemory) => boolean {
  let known: Set<string> | null = null;
  const factIds = () =>
    facts.flatMap(({ chat, text }) =>
      bulletsOf(text).map((bullet) => factId(withoutShownId(bullet.text), chat)),
    );
  return (memory) => {
    if (memory.kind !== "fact") return !isShownNote(memory, logs.days, logs.text);
    known ??= new Set(factIds());
    return !known.has(memory.source);
  };
}

function printedItems(title: string, items: readonly { readonly printed: string }[]): string {
  return `### ${title}\n\n${items.map(({ printed }) => printed).join("\n")}`;
}

function addRecalled(
  filling: Filling,
  part: LeftOut,
  memories: readonly RecalledMemory[],
  most: number,
): readonly RecalledMemory[] {
  const items = memories
    .map((memory) => ({ memory, printed: recalledItem(memory) }))
    .filter(({ printed }) => printed !== "");
  const render = (chosen: readonly (typeof items)[number][]) => printedItems(part.title, chosen);
  if (items.length === 0) {
    filling.leaveOut(part, "nothing found");
    return [];
  }
  const best = choose(items, ({ printed }) => printed, render, most);
  if (best === null) {
    filling.leaveOut(
      part,
      `none of ${items.length} fits into the ${most} tokens left`,
      tokensOf(render(items)),
    );
    return [];
  }
  const left = items.length - best.chosen.length;
  const partial = `${plural(left, "more does", "more do")} not fit into ${most} tokens`;
  const recalled = best.chosen.map(({ memory }) => memory);
  const named = recalled.map(({ kind, source }) => `${kind} ${source}`);
  const scores = recalled.map(({ score }) => score);
  filling.add({ ...part, text: best.text, memories: named, scores, ...(left === 0 ? {} : { partial }) });
  return recalled;
}
