/** Stores turns as messages of a session, then saves their marks, each with its source message. */

import { type Mark, readReply } from "../../core/marks/marks.ts";
import { storable } from "../../core/secrets/storable.ts";
import type { Message } from "../../core/sessions/conversation.ts";
import type { WrittenMarks } from "../../facts/write/write-marks.ts";
import { squeezed, truncate } from "../../util/text.ts";
import { ownWords } from "./own-words.ts";
import type { HookMemory } from "./ports.ts";
import type { NewTurn } from "./turns.ts";

interface KeptStep {
  /** How many messages were added to the session. */
  readonly stored: number;
  /** How many facts and notes were saved. */
  readonly memories: number;
  readonly problems: readonly string[];
}

/** A longer turn is mostly pasted text. */
const LONGEST_TURN = 20_000;
const LONGEST_TITLE = 60;

/** The stored user and assistant messages of a session. */
export function spokenIn(memory: HookMemory, session: string): Message[] {
  return memory.messages(session).filter(({ role }) => role === "user" || role === "assistant");
}

/** Saves all turns, numbered from `number`, and skips those already stored. Throws as `writeTurns`. */
export async function keepAll(
  memory: HookMemory,
  session: string,
  turns: readonly NewTurn[],
  number: number,
): Promise<KeptStep> {
  // The session may have been deleted in the meantime.
  const from = Math.min(number, spokenIn(memory, session).length);
  const prompt = turns.find(({ role }) => role === "user")?.text;
  const title = prompt === undefined ? "" : truncate(squeezed(storable(prompt, false)), LONGEST_TITLE);
  const { requested } = await memory.facts.writeTurns({
    session,
    from,
    turns: turns.map(({ role, text, at }) => ({ role, content: truncate(text, LONGEST_TURN), at })),
    ...(title !== "" && { title }),
  });
  const spoken = spokenIn(memory, session);
  const marked = turns.flatMap(({ marks }, index) => {
    const message = spoken[from + index]?.id;
    return marks.length === 0 || message === undefined ? [] : [{ marks, message }];
  });
  const [asked, kept] = [countWritten(requested), await keepMarks(memory, session, marked)];
  return {
    stored: from + turns.length - number,
    memories: asked.memories + kept.memories,
    problems: [...asked.problems, ...kept.problems],
  };
}

/** Saves only turns with marks. Throws as `ingest`. */
export async function keepMarked(
  memory: HookMemory,
  session: string,
  turns: readonly Pick<NewTurn, "text" | "marks">[],
): Promise<KeptStep> {
  const known = new Map(spokenIn(memory, session).map(({ id, content }) => [content, id]));
  let [stored, memories] = [0, 0];
  const problems: string[] = [];
  for (const { text, marks } of turns) {
    if (marks.length === 0) continue;
    const message = known.get(storable(text, false));
    if (message === undefined) stored++;
    const kept =
      message === undefined
        ? countWritten(await memory.facts.ingest(text, { session, chat: memory.chat }))
        : await keepMarks(memory, session, [{ marks, message }]);
    memories += kept.memories;
    problems.push(...kept.problems);
  }
  return { stored, memories, problems };
}

/** Saves only the marks: a sub-agent's replies are no part of the conversation that it belongs to. */
export async function keepMarksOnly(
  memory: HookMemory,
  session: string,
  turns: readonly Pick<NewTurn, "marks">[],
): Promise<KeptStep> {
  const marked = turns.filter(({ marks }) => marks.length > 0).map(({ marks }) => ({ marks, message: null }));
  return { stored: 0, ...(await keepMarks(memory, session, marked)) };
}

async function keepMarks(
  memory: HookMemory,
  session: string,
  marked: readonly { readonly marks: readonly Mark[]; readonly message: number | null }[],
): Promise<Omit<KeptStep, "stored">> {
  let memories = 0;
  const problems: string[] = [];
  for (const { marks, message } of marked) {
    const kept = countWritten(await memory.facts.writeMarks(marks, { session, chat: memory.chat, message }));
    memories += kept.memories;
    problems.push(...kept.problems);
  }
  return { memories, problems };
}

function countWritten({ saved, queued = [], failed, working }: WrittenMarks): Omit<KeptStep, "stored"> {
  return {
    memories: saved.length + queued.length + (working === "unchanged" ? 0 : 1),
    problems: failed.map(({ why }) => `Not saved: ${why}`),
  };
}

export function markedIn(reply: string): Pick<NewTurn, "text" | "marks"> {
  const text = ownWords(reply);
  return { text, marks: readReply(text).marks };
}
