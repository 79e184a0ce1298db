/** reflect: a question answered from memory, with sources. */

import { fenced } from "../../context/fence.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { hint } from "../../core/hint.ts";
import type { BackendReflection } from "../../core/ports/backend.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { type Reflection, type ReflectOptions, reflect } from "../reflect/reflect.ts";
import { sourceLines } from "../reflect/sources.ts";
import { text } from "../tools/input.ts";
import { memoryTool, type ToolAmong } from "./define.ts";
import type { ConversationPorts } from "./ports.ts";

export function reflectTool(ports: ConversationPorts): ToolAmong {
  return memoryTool({
    name: "reflect",
    commands: { reflect: {} },
    title: "Answer from memory",
    description:
      "Answers a question that combines several memories (what was decided and why, how something changed) and cites their ids. " +
      "Slower than recall.",
    example: { query: "Why did we move from MySQL to Postgres?" },
    effect: "read",
    destructive: false,
    idempotent: true,
    openWorld: true,
    fields: { query: text("The question, as a full sentence.") },
    async run({ query }, signal, say) {
      const { answer, citations, removed, rounds, byModel, notices } = await reflectFor(ports, query, {
        signal,
        say,
      });
      const lines = sourceLines(citations).map((line) => `- ${line}`);
      const sources = lines.length === 0 ? "" : ["\n\nSources:", ...lines].join("\n");
      return {
        ok: true,
        text: [fenced("From memory", `${answer}${sources}`), ...notices].join("\n\n"),
        data: {
          ...{ answer, rounds, byModel },
          ...{ citations: [...citations], removed: [...removed], notices: [...notices] },
        },
        brief:
          citations.length === 0 ? "nothing found" : `from ${plural(citations.length, "memory", "memories")}`,
      };
    },
  });
}

/**
 * The server's own answer, if memory is in its bank and it answers. Otherwise a model here answers, and without one the answer quotes
 * memories; a notice says why.
 */
export async function reflectFor(
  ports: ConversationPorts,
  query: string,
  options: Pick<ReflectOptions, "signal" | "maxRounds" | "instructions" | "say">,
): Promise<Reflection> {
  const there = await inBank(ports, query, options.signal);
  if (there.reflection !== null) return there.reflection;
  const { model, problems } = await modelOf(ports);
  const reflection = await reflect(ports, query, { ...options, model, onUsage: ports.onUsage });
  const notices = [...problems, ...reflection.notices];
  const { howToNameModel } = ports;
  const lacksModel = !reflection.byModel && reflection.citations.length > 0 && notices.length === 0;
  if (lacksModel && howToNameModel !== null)
    notices.push((options.say ?? String)(hint`No model is configured to write an answer. ${howToNameModel}`));
  return { ...reflection, notices: [...there.problems, ...notices] };
}

async function inBank(ports: ConversationPorts, query: string, signal: AbortSignal | undefined) {
  try {
    const answered = await ports.reflectInBank(query, signal);
    return { reflection: answered === null ? null : asReflection(answered), problems: [] };
  } catch (error) {
    if (signal?.aborted) throw new RetainError("interrupted", "Stopped.");
    if (!(error instanceof RetainError)) throw error;
    return {
      reflection: null,
      problems: [`${messageOf(error)} The answer comes from this machine instead.`],
    };
  }
}

function asReflection({ answer, sources }: BackendReflection): Reflection {
  const citations = sources.map(({ id, text: said, at }) => {
    const date = at === null ? null : localDay(new Date(at).toISOString());
    return { id, kind: "fact" as const, text: said, date, unconfirmed: false, mayBeOutdatedBy: null };
  });
  return { answer, citations, removed: [], rounds: 1, byModel: true, notices: [] };
}

async function modelOf(ports: ConversationPorts) {
  try {
    return { model: await ports.model(), problems: [] };
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    return { model: null, problems: [messageOf(error)] };
  }
}
