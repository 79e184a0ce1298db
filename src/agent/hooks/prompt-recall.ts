/**
 * What a prompt brings up, as data beside it. Most prompts of a session have nothing to do with any memory, and then nothing is said:
 * a memory that does not fit costs tokens and distracts. What was told since the session began is not told again.
 */
import { fenced } from "../../context/fence.ts";
import { recalledItem } from "../../context/recalled.ts";
import { tokensOf } from "../../context/tokens.ts";
import { isChitChat } from "../../core/text/chit-chat.ts";
import { isTold } from "./already-shown.ts";
import { withoutHostTags } from "./host-tags.ts";
import type { FoundMemory, HookMemory } from "./ports.ts";

const TITLE = "Memories that may be relevant to this prompt";
/**
 * Measured on facts of real conversations (bench/hooks.ts): three of four questions get what answers them, one in ten questions about
 * other people gets something, and one in thirty of a programmer's prompts. By words alone it is one in two, 1 % and one in thirty.
 */
const LEAST = { meaning: 0.175, both: 0.23, words: 0.145 };
/** Beside a memory that fits well, one that scores far less does not. */
const LEAST_SHARE = 0.5;
const MOST_MEMORIES = 8;
const MOST_TOKENS = 600;
/** One memory may be a long part of a document. */
const LONGEST = 1_200;
/** Of a long prompt, its beginning and its end say what is wanted; what is between is mostly pasted. */
const QUERY_LENGTH = 600;

export interface PromptRecall {
  /** "" where nothing has to do with the prompt. */
  readonly text: string;
  readonly recalled: readonly FoundMemory[];
}

const NOTHING: PromptRecall = { text: "", recalled: [] };

/** `told`: what this session was told before. */
export async function recallForPrompt(
  memory: HookMemory,
  session: string,
  prompt: string,
  told: ReadonlySet<string>,
  patience: number,
): Promise<PromptRecall> {
  const query = queryOf(prompt);
  if (!memory.settings.hook_recall || query === "" || isChitChat(query, true)) return NOTHING;
  const found = await memory.find(query, patience);
  const most = Math.max(0, ...found.map(evidence));
  const fitting = found
    .filter((one) => fits(one) && evidence(one) >= most * LEAST_SHARE)
    .filter((one) => one.session !== session && !isTold(one, told))
    .slice(0, MOST_MEMORIES);
  return tellable(fitting);
}

type Weighed = Pick<FoundMemory, "words" | "meaning" | "guessed">;

/** Whether it has to do with the prompt at all. */
export function fits({ words, meaning, guessed }: Weighed): boolean {
  if (guessed) return false;
  return meaning === null ? words >= LEAST.words : meaning >= LEAST.meaning || words + meaning >= LEAST.both;
}

function evidence({ words, meaning }: Weighed): number {
  return words + (meaning ?? 0);
}

/** Commands of Claude Code are no questions to memory. */
function queryOf(prompt: string): string {
  const said = prompt.trim();
  if (/^[/!#]/.test(said)) return "";
  if (said.length <= 2 * QUERY_LENGTH) return said;
  return `${said.slice(0, QUERY_LENGTH)}\n${said.slice(-QUERY_LENGTH)}`;
}

/** As many as fit, the best first. */
function tellable(memories: readonly FoundMemory[]): PromptRecall {
  const recalled: FoundMemory[] = [];
  const items: string[] = [];
  for (const one of memories) {
    const item = withoutHostTags(recalledItem({ ...one, text: shortened(one.text) }));
    if (item === "" || tokensOf(fenced(TITLE, [...items, item].join("\n"))) > MOST_TOKENS) continue;
    items.push(item);
    recalled.push(one);
  }
  return items.length === 0 ? NOTHING : { text: fenced(TITLE, items.join("\n")), recalled };
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} …`;
}
