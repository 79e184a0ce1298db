/**
 * The text added at the start of a session: how to mark memories, the user's own instructions, known facts, and what the last
 * sessions did, fenced as data. A resumed session still has it, so only the facts are added again, and only if they have changed. A
 * compaction removes it, so all of it is added again.
 */
import instructions from "../../../prompts/hook-session.md" with { type: "text" };
import { withScope } from "../../context/scope-text.ts";
import { shownBy } from "./already-shown.ts";
import { withoutHostTags } from "./host-tags.ts";
import type { HookMemory } from "./ports.ts";
import { type Progress, tag } from "./progress.ts";

/** Claude Code moves output over 10,000 characters to a file and shows the model only its beginning. */
const MOST_CHARACTERS = 9_800;
const MOST_TOKENS = 2_400;
const MOST_AGENT_TOKENS = 1_200;
/** Characters per token of a list of facts, with ids and dates. */
const CHARACTERS = 4.5;
const LEAST_TOKENS = 100;

interface SessionContext {
  /** "" if there is nothing to add. */
  readonly text: string;
  readonly change: Partial<Progress>;
}

type Whose = Pick<Parameters<HookMemory["known"]>[0], "session" | "cwdOf">;

/** `before` is null for a new session; `source` is Claude Code's reason for the start. */
export async function sessionContext(
  memory: HookMemory,
  whose: Whose,
  source: string,
  before: Progress | null,
  now: Date,
): Promise<SessionContext> {
  // An unknown session that is resumed may contain a copy of another session, whose turns are already saved.
  const since = before === null && source === "resume" ? { since: now.toISOString() } : {};
  if (!memory.settings.hook_context)
    return { text: "", change: source === "resume" ? since : { ...since, shown: [] } };
  const chosen = { facts: new Map(Object.entries((source === "resume" && before?.facts) || {})) };
  const howTo = howToMark(memory);
  const known = await knownWithin(memory, { ...whose, shown: chosen, budget: MOST_TOKENS }, howTo);
  const given = tag(howTo + known);
  // A resumed session still contains everything it was shown.
  const shown = [...(source === "resume" ? (before?.shown ?? []) : []), ...shownBy(known)];
  const facts = Object.fromEntries(chosen.facts);
  const change = { ...since, given, shown: [...new Set(shown)], facts };
  if (source !== "resume" || before === null || before.given === "")
    return { text: (howTo + known).trim(), change };
  return before.given === given ? { text: "", change: since } : { text: known, change };
}

/** For a sub-agent: the same, but shorter, since there may be many. */
export async function agentContext(memory: HookMemory, whose: Whose): Promise<string> {
  if (!memory.settings.hook_context) return "";
  const howTo = howToMark(memory);
  const wanted = { ...whose, shown: { facts: new Map() }, budget: MOST_AGENT_TOKENS };
  return (howTo + (await knownWithin(memory, wanted, howTo))).trim();
}

function howToMark({ settings, audience }: HookMemory): string {
  return settings.hook_retain ? `${withScope(instructions, audience)}\n\n` : "";
}

/** Token counts are estimates: if the text has too many characters, retries with a smaller budget. */
async function knownWithin(
  memory: HookMemory,
  wanted: Parameters<HookMemory["known"]>[0],
  howTo: string,
): Promise<string> {
  const room = MOST_CHARACTERS - howTo.length;
  let budget = Math.min(memory.settings.context_budget, wanted.budget, Math.floor(room / CHARACTERS));
  while (budget >= LEAST_TOKENS) {
    const shown = { facts: new Map(wanted.shown.facts) };
    const text = withoutHostTags(await memory.known({ ...wanted, shown, budget }));
    if (text.length <= room) {
      for (const [path, facts] of shown.facts) wanted.shown.facts.set(path, facts);
      return text;
    }
    budget = Math.floor(budget * Math.min(0.9, (0.95 * room) / text.length));
  }
  return "";
}
