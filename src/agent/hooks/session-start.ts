/**
 * What a session begins with: how to mark memories, the user's own instructions, and what is known, fenced as data. A session that is resumed has it already, so
 * only what is known is told again, and only where that is something else by now; after a compaction it is gone, and told again as a whole.
 */
import instructions from "../../../prompts/hook-session.md" with { type: "text" };
import { toldBy } from "./already-shown.ts";
import { withoutHostTags } from "./host-tags.ts";
import type { HookMemory } from "./ports.ts";
import { type Progress, tag } from "./progress.ts";

/** Claude Code puts what is longer than 10,000 characters into a file, and shows the model its beginning alone. */
const MOST_CHARACTERS = 9_800;
const MOST_TOKENS = 2_400;
const LEAST_TOKENS = 100;

export interface SessionContext {
  /** "" where there is nothing to say. */
  readonly text: string;
  readonly change: Partial<Progress>;
}

/** `before` is null for a session that is first seen; `source` is how it begins, as Claude Code tells it. */
export async function sessionContext(
  memory: HookMemory,
  session: string,
  source: string,
  before: Progress | null,
  now: Date,
): Promise<SessionContext> {
  // One that is first seen when it is resumed may hold a copy of another one, whose turns are kept.
  const since = before === null && source === "resume" ? { since: now.toISOString() } : {};
  const { hook_context, hook_retain, context_budget } = memory.settings;
  if (!hook_context) return { text: "", change: source === "resume" ? since : { ...since, told: [] } };
  const shown = { facts: new Map(Object.entries((source === "resume" && before?.facts) || {})) };
  const howTo = hook_retain ? `${instructions.trim()}\n\n` : "";
  const known = await within(
    Math.min(context_budget, MOST_TOKENS),
    MOST_CHARACTERS - howTo.length,
    async (budget) => withoutHostTags(await memory.known({ session, budget, shown })),
  );
  const given = tag(howTo + known);
  // A resumed session has still all that it was told.
  const told = [...(source === "resume" ? (before?.told ?? []) : []), ...toldBy(known)];
  const facts = Object.fromEntries(shown.facts);
  const change = { ...since, given, told: [...new Set(told)], facts };
  if (source !== "resume" || before === null || before.given === "")
    return { text: (howTo + known).trim(), change };
  return before.given === given ? { text: "", change: since } : { text: known, change };
}

/** Tokens are an estimate: where the text has too many characters, less is asked for. */
async function within(
  budget: number,
  characters: number,
  known: (budget: number) => Promise<string>,
): Promise<string> {
  for (let tokens = budget; tokens >= LEAST_TOKENS; tokens = Math.floor(tokens * 0.7)) {
    const text = await known(tokens);
    if (text.length <= characters) return text;
  }
  return "";
}
