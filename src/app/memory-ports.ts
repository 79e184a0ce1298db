/** Ports of the memory tools and of reflect. Loaded on first use. */
import type { MemoryTool } from "../agent/memory-tool.ts";
import {
  type DocumentVerbs,
  inConversation,
  type MemoryToolPorts,
  type MemoryToolsOptions,
} from "../agent/memory-tools/ports.ts";
import { reflectFor } from "../agent/memory-tools/reflect.ts";
import { memoryTools } from "../agent/memory-tools/table.ts";
import type { ChatPorts, Models } from "../agent/ports.ts";
import type { Reflection } from "../agent/reflect/reflect.ts";
import type { Config } from "../config/load.ts";
import type { Choice, Surroundings } from "../config/workspace.ts";
import { requireText } from "../core/errors.ts";
import type { Clock } from "../core/ports/documents.ts";
import type { Facts } from "../facts/facts.ts";
import { worthTelling } from "../recall/context.ts";
import { ask, countRecalls, search } from "../recall/search.ts";
import { openModels } from "./models.ts";
import type { Wiring } from "./wiring.ts";

export interface MemoryParts extends Pick<ChatPorts, "context"> {
  readonly facts: Facts;
  /** Throws `usage` if closed. */
  readonly wiring: () => Wiring;
  readonly documents: DocumentVerbs;
  readonly clock: Clock;
  readonly config: Config;
  readonly choice: Choice;
  readonly surroundings: Surroundings;
}

export function memoryToolsOf(parts: MemoryParts): (options: MemoryToolsOptions) => readonly MemoryTool[] {
  const ports = portsOf(parts, openModels(parts));
  return (options) => {
    const wiring = parts.wiring();
    return wiring.isOff ? [] : memoryTools(ports, options).map((tool) => withUnread(tool, wiring));
  };
}

/** A tool's caller sees only its result, so the result names unreadable documents. */
function withUnread(tool: MemoryTool, wiring: Wiring): MemoryTool {
  return {
    ...tool,
    async run(input, signal) {
      const warnings = new Set<string>();
      const stop = wiring.onUnread((message) => warnings.add(message));
      try {
        const result = await tool.run(input, signal);
        if (warnings.size === 0) return result;
        return { ...result, text: `${result.text}\n\n${[...warnings].join("\n")}` };
      } finally {
        stop();
      }
    },
  };
}

function portsOf(parts: MemoryParts, models: Models): MemoryToolPorts {
  const { wiring, documents, facts, clock, context } = parts;
  return {
    documents,
    facts,
    context,
    recall: (query, wanted) =>
      wiring().ask(wanted, async (ports, asked) =>
        worthTelling((await ask(ports, query, asked, false)).hits),
      ),
    search: (query, wanted) => wiring().ask(wanted, (ports, asked) => search(ports, query, asked)),
    shortfall() {
      const why = wiring().remote?.away ?? null;
      return why === null ? "" : `Only this machine's memory was searched: ${why}`;
    },
    count: (recalled) => countRecalls(wiring().readWorkspaces(), recalled, clock()),
    forgetInBank: async (id) => {
      const { remote } = wiring();
      return (await remote?.forget(id)) || (await (await wiring().hosted())?.forget(id)) || false;
    },
    model: () => models.open(),
  };
}

export interface ReflectRequest extends Pick<MemoryToolsOptions, "chat"> {
  /** "provider/model", "none", or a model; default: the configured one. */
  readonly model?: string | MemoryToolsOptions["model"];
  readonly signal?: AbortSignal;
  /** Maximum number of calls to a model, up to 3. Default: 3. */
  readonly maxRounds?: number;
}

/** Throws `usage` for an empty query or an invalid model name, `interrupted` on abort. */
export async function reflectOn(
  parts: MemoryParts,
  query: string,
  { model, chat, signal, maxRounds }: ReflectRequest,
): Promise<Reflection> {
  requireText(query, "A query");
  const models = openModels(parts);
  const named = typeof model === "string" ? await models.open(model) : model;
  const ports = inConversation(portsOf(parts, models), {
    ...(named !== undefined && { model: named }),
    ...(chat !== undefined && { chat }),
  });
  const reflection = await reflectFor(ports, query, { signal, maxRounds });
  const { byModel, citations, notices } = reflection;
  const lacksModel = model === undefined && !byModel && citations.length > 0 && notices.length === 0;
  if (!lacksModel) return reflection;
  return { ...reflection, notices: [`No model is configured to write an answer. ${models.howToGetOne}`] };
}
