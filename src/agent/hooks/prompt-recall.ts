/**
 * Memories relevant to a prompt, as data next to it. Most prompts have none, and then nothing is added: an irrelevant memory costs
 * tokens and distracts. A memory already shown in this session is not shown again.
 */
import { fenced } from "../../context/fence.ts";
import { recalledItem } from "../../context/recalled.ts";
import { tokensOf } from "../../context/tokens.ts";
import { truncate } from "../../util/text.ts";
import { isShown } from "./already-shown.ts";
import { withoutHostTags } from "./host-tags.ts";
import type { FoundMemory, HookMemory } from "./ports.ts";

const TITLE = "Memories that may be relevant to this prompt";
/**
 * Measured on facts of real conversations (bench/hooks.ts): three of four questions get the fact that answers them; one in ten
 * questions about other people and one in thirty programming prompts get something. By keyword only: one in two, 1 % and one in
 * thirty.
 */
const LEAST = { meaning: 0.175, both: 0.23, words: 0.145 };
/** A memory that scores less than this share of the best one is dropped. */
const LEAST_SHARE = 0.5;
const MOST_MEMORIES = 8;
const MOST_TOKENS = 600;
/** In characters; a memory may be a long part of a document. */
const LONGEST = 1_200;

interface PromptRecall {
  /** "" if nothing is relevant. */
  readonly text: string;
  readonly recalled: readonly FoundMemory[];
}

const NOTHING: PromptRecall = { text: "", recalled: [] };

/** `shown`: names of what this session has been shown. */
export async function recallForPrompt(
  memory: HookMemory,
  session: string,
  query: string,
  shown: ReadonlySet<string>,
  patience: number,
): Promise<PromptRecall> {
  if (!memory.settings.hook_recall) return NOTHING;
  const found = await memory.find(query, patience);
  const most = Math.max(0, ...found.map(evidence));
  const fitting = found
    .filter((one) => fits(one) && evidence(one) >= most * LEAST_SHARE)
    .filter((one) => one.session !== session && !isShown(one, shown))
    .slice(0, MOST_MEMORIES);
  return rendered(fitting);
}

type Weighed = Pick<FoundMemory, "words" | "meaning" | "guessed">;

/** Whether it is relevant to the prompt at all. */
export function fits({ words, meaning, guessed }: Weighed): boolean {
  if (guessed) return false;
  return meaning === null ? words >= LEAST.words : meaning >= LEAST.meaning || words + meaning >= LEAST.both;
}

function evidence({ words, meaning }: Weighed): number {
  return words + (meaning ?? 0);
}

/** As many as fit, best first. */
function rendered(memories: readonly FoundMemory[]): PromptRecall {
  const recalled: FoundMemory[] = [];
  const items: string[] = [];
  for (const one of memories) {
    const item = withoutHostTags(recalledItem({ ...one, text: truncate(one.text, LONGEST) }));
    if (item === "" || tokensOf(fenced(TITLE, [...items, item].join("\n"))) > MOST_TOKENS) continue;
    items.push(item);
    recalled.push(one);
  }
  return items.length === 0 ? NOTHING : { text: fenced(TITLE, items.join("\n")), recalled };
}
