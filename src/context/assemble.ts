/**
 * Assembles a model's system prompt within one budget: instructions, then memory. Parts that may change in every turn come last
 * and nothing before them depends on the query, so the beginning stays identical byte for byte.
 */
import OFF from "../../prompts/off.md" with { type: "text" };
import { checked } from "../core/facts/memory-paths.ts";
import { costOf, Filling } from "./filling.ts";
import { logsDraft } from "./logs.ts";
import { type FileDraft, type MemoryFileParts, readMemoryFiles, type Whose } from "./memory-files.ts";
import type { AssembledContext, Draft, PartName } from "./parts.ts";
import type { ContextPorts } from "./ports.ts";
import { addRelevant, addSessions, recentDraft, type Shown } from "./relevant.ts";
import { tokensUpTo } from "./tokens.ts";

export interface ContextOptions {
  /** The user's message, used to recall relevant memories. */
  query?: string;
  /** Default: the project's, or "main". */
  chat?: string;
  /** Its working memory is included and its messages are not recalled. */
  session?: string;
  /** Messages of the session up to this one were compacted, so they may be recalled. */
  compactedTo?: number;
  /** Default: the setting `context_budget`. */
  budget?: number;
  /** false for a model that saves memories with tools and needs no instructions for marks. */
  marks?: boolean;
  /** Does not count recalls. */
  incognito?: boolean;
}

/** The order when the budget is tight: these, then facts, relevant memories, logs, and the last ones. */
const FIRST: readonly PartName[] = ["working", "user", "preferences"];
const FACTS: readonly PartName[] = ["memory", "chat"];
const LAST: readonly PartName[] = ["files", "models", "unconfirmed"];

/**
 * The share of the budget for relevant memories. Reserved even if unused; otherwise the room of the parts before them would
 * change in every turn.
 */
const RELEVANT_SHARE = 0.25;

/** The share for recent sessions in a context without a query, at most. */
const SESSIONS_SHARE = 0.15;

/**
 * A MEMORY.md up to this share of the budget goes in whole; a larger one leaves this share of the remaining room to later parts.
 */
const FACTS_SHARE = 0.5;

/** Throws `usage` if the budget does not hold the instructions, `invalid_name` for an invalid chat or session name. */
export async function assembleContext(
  ports: ContextPorts,
  options: ContextOptions,
): Promise<AssembledContext> {
  const { query, whose, budget } = checkedOptions(ports, options);
  const filling = new Filling(budget);
  const files = readMemoryFiles(ports, whose);
  if (ports.isOff) {
    filling.require(files.instructions.filter(({ name }) => name === "base").map(withoutMemory));
    return filling.finish();
  }
  const recent = query === null ? recentDraft(ports, whose) : null;
  const most =
    query === null
      ? Math.min(recent === null ? 0 : filling.costOf(recent), Math.floor(budget * SESSIONS_SHARE))
      : Math.floor(budget * RELEVANT_SHARE);
  filling.require(files.instructions.filter(({ name }) => name !== "marks" || (options.marks ?? true)));
  for (const { part, why } of files.left) filling.leaveOut(part, why);
  const shown = addFiles(filling, files, { reserved: most, budget });
  const relevant = await addRelevant(ports, filling, { query, whose, shown, most });
  if (recent !== null) filling.add(recent);
  const summaries = query === null ? [] : await addSessions(ports, filling, { query, whose });
  if (!options.incognito) await ports.count([...relevant, ...summaries]);
  return filling.finish();
}

/** Only the built-in instructions mention memory; the user's own stay as they are. */
function withoutMemory(base: Draft): Draft {
  return base.path === undefined ? { ...base, text: OFF.trim() } : base;
}

function addFiles(
  filling: Filling,
  { drafts, logs }: MemoryFileParts,
  { reserved, budget }: { reserved: number; budget: number },
): Shown {
  const facts: { chat: string | null; text: string }[] = [];
  const add = (draft: FileDraft, comesFirst: boolean) => {
    const text = filling.add(draft, comesFirst);
    if (text !== null && draft.facts !== undefined) facts.push({ chat: draft.facts.chat, text });
  };
  const named = (names: readonly PartName[]) =>
    names.flatMap((name) => drafts.filter((draft) => draft.name === name));
  const log = logs.length === 0 ? null : logsDraft(logs);
  const [memories, last] = [named(FACTS), named(LAST)];
  filling.reserve(reserved);
  for (const draft of named(FIRST)) add(draft, true);
  for (const [index, draft] of memories.entries()) {
    const left = Math.max(0, filling.roomFor(draft) - reserved);
    const later = costOf([...memories.slice(index + 1), ...last, ...(log === null ? [] : [log])], left);
    filling.reserve(reserved + Math.min(later, Math.floor(left * FACTS_SHARE)));
    const most = budget * FACTS_SHARE;
    add(draft, draft.isShown === true || tokensUpTo(most, draft.text) <= most);
  }
  filling.reserve(reserved);
  const text = log === null ? null : filling.add(log);
  for (const draft of last) add(draft, false);
  filling.reserve(0);
  return { facts, logs: { days: logs, text: text ?? "" } };
}

function checkedOptions(ports: ContextPorts, { query, chat, session, compactedTo, budget }: ContextOptions) {
  const whose: Whose = {
    chat: checked("chat", chat ?? ports.chat),
    session: session === undefined ? null : checked("session", session),
    compactedTo: compactedTo ?? 0,
  };
  return { query: query?.trim() || null, whose, budget: budget ?? ports.settings.context_budget };
}
