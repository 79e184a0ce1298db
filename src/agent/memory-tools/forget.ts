/** memory_forget: removes a fact or note permanently. */

import { fenced } from "../../context/fence.ts";
import { RetainError } from "../../core/errors.ts";
import { SHORTEST_ID } from "../../core/facts/fact.ts";
import type { Hint } from "../../core/hint.ts";
import type { ForgettableMemory, ToForget } from "../../facts/forget/find.ts";
import type { Forgotten } from "../../facts/forget/forget.ts";
import { forgetHeadline, forgetRemarks } from "../../facts/forget/report.ts";
import { sha256 } from "../../util/hash.ts";
import { oneLine } from "../../util/text.ts";
import type { MemoryToolResult } from "../memory-tool.ts";
import { text } from "../tools/input.ts";
import { failure, memoryTool, type ToolAmong } from "./define.ts";
import { mayText } from "./fields.ts";
import type { ConversationPorts } from "./ports.ts";

export function forgetTool({ facts, usesNetwork }: ConversationPorts): ToolAmong {
  return memoryTool({
    name: "memory_forget",
    commands: { forget: {} },
    title: "Forget permanently",
    description:
      "Removes a fact or note everywhere, permanently, if the user asks for it. The first call only shows what would be removed.",
    example: { id: "3f9a2xw0c1" },
    effect: "remove",
    destructive: true,
    idempotent: false,
    openWorld: usesNetwork(),
    caution: "Permanent: a forgotten memory cannot be restored.",
    fields: {
      id: text("The id of a fact or note."),
      confirm: mayText("From the first call."),
    },
    async run({ id, confirm }, _signal, say) {
      const sought = await facts.findToForget(id);
      const named = namedBy(id, sought);
      if (named === null) return toChoose(id, sought);
      const { origin } = named.memory ?? {};
      if (confirm === confirmationOf(named.id, named.memory?.text))
        return gone(await facts.forget(named.id, { origin }), say);
      return unconfirmed(named, await facts.forget(named.id, { origin, dryRun: true }), say);
    },
  });
}

/** Only the preview shows it, so nothing is removed unseen. */
export function confirmationOf(id: string, text = ""): string {
  return sha256(`${id} ${text}`).slice(0, 6);
}

interface Named {
  readonly id: string;
  /** null if an earlier forget was interrupted: its text is already gone. */
  readonly memory: ForgettableMemory | null;
}

/** Only an id or the beginning of one is accepted, never a search text. */
function namedBy(id: string, { found, unfinished }: ToForget): Named | null {
  const [memory, second] = found.filter(
    (one) => one.id === id || (id.length >= SHORTEST_ID && one.id.startsWith(id)),
  );
  if (memory !== undefined && (second === undefined || memory.id === id)) return { id: memory.id, memory };
  return unfinished.includes(id) ? { id, memory: null } : null;
}

/** A text instead of an id gets the memories that it may mean. Nothing resembles a wrong id. */
function toChoose(id: string, { by, found, unasked }: ToForget): MemoryToolResult {
  if (unasked !== null) throw unasked;
  const said = `No fact or note has the id ${JSON.stringify(id)}.`;
  if (found.length === 0 || (by === "near" && !/\s/.test(id)))
    return failure(
      new RetainError(
        "not_found",
        said,
        "Find ids with recall or memory_list; delete documents with memory_delete.",
      ),
    );
  return asked(
    new RetainError("ambiguous", said, "Nothing was removed. Call again with one of these ids."),
    found,
    [],
  );
}

function unconfirmed(
  { id, memory }: Named,
  preview: Forgotten,
  say: (text: Hint) => string,
): MemoryToolResult {
  const again = JSON.stringify({ id, confirm: confirmationOf(id, memory?.text) });
  const error = new RetainError(
    "unconfirmed",
    "This would be removed everywhere, permanently. Nothing was removed yet.",
    `If the user wants that, call memory_forget again: ${again}`,
  );
  return asked(error, memory === null ? [] : [memory], remarks(preview, say));
}

/** Shows the matching memories and asks for another call. */
function asked(
  error: RetainError,
  found: readonly ForgettableMemory[],
  remarks: readonly string[],
): MemoryToolResult {
  const lines = found.map(({ kind, id, text: said }) => `- ${kind} ${id}: ${oneLine(said)}`);
  const shown = found.length === 0 ? [] : [fenced("Found", lines.join("\n"))];
  const { text: why, data } = failure(error);
  return {
    ok: false,
    text: [why, ...shown, ...remarks].join("\n\n"),
    data: {
      ...data,
      forgotten: [],
      found: found.map(({ kind, id, origin, text: said }) => ({ kind, id, origin, text: said })),
    },
    brief: "nothing removed yet",
  };
}

/** Without the texts of facts that it had replaced: they are data, and these lines are not fenced. */
function remarks(result: Forgotten, say: (text: Hint) => string): string[] {
  return forgetRemarks({ ...result, forgotten: [] }).map(say);
}

function gone(result: Forgotten, say: (text: Hint) => string): MemoryToolResult {
  const forgotten = result.forgotten.map(({ id, kind, origin }) => ({ id, kind, origin }));
  const headline = forgetHeadline(result);
  const outcome =
    result.left.length === 0
      ? { ok: true, text: headline, data: {}, brief: "forgotten" }
      : { ...failure(new RetainError("partial", headline)), brief: "not removed everywhere" };
  return {
    ...outcome,
    text: [outcome.text, ...remarks(result, say)].join("\n"),
    data: { ...outcome.data, forgotten, found: [] },
  };
}
