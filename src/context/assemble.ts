/**
 * The system prompt that a model gets: instructions, then what is known, within one budget. What may change in every turn
 * stands last, and nothing before it depends on the query, so that the beginning stays the same byte for byte.
 */
import OFF from "../../prompts/off.md" with { type: "text" };
import { checked } from "../core/memory-paths.ts";
import { Filling } from "./filling.ts";
import { logsDraft } from "./logs.ts";
import { type MemoryFileParts, readMemoryFiles, type Whose } from "./memory-files.ts";
import type { AssembledContext, Draft, PartName } from "./parts.ts";
import type { ContextPorts } from "./ports.ts";
import { addRelevant, addSessions, type Shown } from "./relevant.ts";

export interface ContextOptions {
  /** What relevant memories are looked for by: the user's message. */
  query?: string;
  /** By default the project's, or "main". */
  chat?: string;
  /** Whose working memory goes in, and whose messages are not recalled. */
  session?: string;
  /** The message up to which that session's were compacted: those are recalled. */
  compactedTo?: number;
  /** The most tokens; by default the setting `context_budget`. */
  budget?: number;
  /** false for a model that keeps memories by tools: then it is not told how to mark them. */
  marks?: boolean;
  /** Leave no trace: what is recalled is not counted. */
  incognito?: boolean;
}

/** Relevant memories come after these and before the next ones, when room is short. */
const FIRST: readonly PartName[] = ["working", "user", "preferences", "memory", "chat"];
const LAST: readonly PartName[] = ["files", "models"];

/**
 * The most that relevant memories take. It is kept free for them whether or not they fill it: otherwise the parts that
 * stand before them would have another room in every turn.
 */
const RELEVANT_SHARE = 0.25;

/** Throws `usage` for a budget that does not hold the instructions, `invalid_name` for what cannot be a chat or session. */
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
  const most = query === null ? 0 : Math.floor(budget * RELEVANT_SHARE);
  filling.require(files.instructions.filter(({ name }) => name !== "marks" || (options.marks ?? true)));
  for (const { part, why } of files.left) filling.leaveOut(part, why);
  const shown = addFiles(filling, files, most);
  const relevant = await addRelevant(ports, filling, { query, whose, shown, most });
  const summaries = await addSessions(ports, filling, { query, whose });
  if (!options.incognito) await ports.count([...relevant, ...summaries]);
  return filling.finish();
}

/** The built-in instructions speak of memory; a user's own say what they say. */
function withoutMemory(base: Draft): Draft {
  return base.path === undefined ? { ...base, text: OFF.trim() } : base;
}

function addFiles(filling: Filling, { drafts, logs }: MemoryFileParts, reserved: number): Shown {
  const facts: { chat: string | null; text: string }[] = [];
  const add = (name: PartName, comesFirst: boolean) => {
    for (const draft of drafts.filter((one) => one.name === name)) {
      const text = filling.add(draft, comesFirst);
      if (text !== null && draft.facts !== undefined) facts.push({ chat: draft.facts.chat, text });
    }
  };
  filling.reserve(reserved);
  for (const name of FIRST) add(name, true);
  const text = logs.length === 0 ? null : filling.add(logsDraft(logs));
  for (const name of LAST) add(name, false);
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
