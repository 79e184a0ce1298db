/** Ports of the memory tools and of reflect. Loaded on first use. */
import type { MemoryTool } from "../../agent/memory-tool.ts";
import {
  type DocumentVerbs,
  inConversation,
  type MemoryToolPorts,
  type MemoryToolsOptions,
} from "../../agent/memory-tools/ports.ts";
import { reflectFor } from "../../agent/memory-tools/reflect.ts";
import { memoryTools } from "../../agent/memory-tools/table.ts";
import type { ChatPorts, Models } from "../../agent/ports.ts";
import type { Reflection } from "../../agent/reflect/reflect.ts";
import type { Config } from "../../config/load.ts";
import type { Settings } from "../../config/schema.ts";
import type { Choice, Surroundings } from "../../config/workspace.ts";
import { requireText, unlessMissing } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/documents.ts";
import type { TagRule } from "../../core/tag-rule.ts";
import type { Facts } from "../../facts/facts.ts";
import type { Asker } from "../../llm/spec.ts";
import { withoutWeakHits } from "../../recall/context.ts";
import { ask, countRecalls, type ScopedOptions } from "../../recall/search.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { Identified } from "../find-by-id.ts";
import type { Wiring } from "../wiring.ts";
import { openModels } from "./models.ts";

export interface MemoryParts extends Pick<ChatPorts, "context"> {
  readonly facts: Facts;
  /** Throws `usage` if closed. */
  readonly wiring: () => Wiring;
  readonly documents: DocumentVerbs;
  readonly sessions: Sessions;
  readonly find: (id: string) => Promise<Identified>;
  readonly clock: Clock;
  readonly config: Config;
  /** Reads the config files again. */
  readonly settingsNow: () => Settings;
  readonly choice: Choice;
  readonly surroundings: Surroundings;
  /** Who asks for reflections and answers of mental models. The caller of a memory tool is always a machine. */
  readonly asker: Asker;
  readonly warn: (message: string) => void;
}

export function memoryToolsOf(parts: MemoryParts): (options: MemoryToolsOptions) => readonly MemoryTool[] {
  const ports = portsOf(parts, openModels(parts, "machine"));
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
  const { wiring, documents, facts, sessions, clock, context } = parts;
  return {
    documents,
    facts,
    sessions,
    context,
    now: clock,
    async entry(id) {
      const found = await unlessMissing(parts.find(id));
      if (found !== null) return found.kind === "fact" || found.kind === "note" ? found : null;
      const statement = (await wiring().remote?.statement(id)) ?? null;
      return statement === null ? null : { kind: "statement", statement };
    },
    usesNetwork() {
      const { embedding, rerank, vectors } = parts.config.settings;
      return wiring().remote !== null || embedding === "endpoint" || rerank !== "none" || vectors !== "local";
    },
    recall: (query, wanted) =>
      wiring().ask(wanted, async (ports, asked) =>
        withoutWeakHits((await ask(ports, query, asked, false)).hits),
      ),
    shortfall() {
      const why = wiring().remote?.away ?? null;
      return why === null ? "" : `Only this machine's memory was searched: ${why}`;
    },
    count: (recalled) => countRecalls(wiring().readWorkspaces(), recalled, clock()),
    reflectInBank: async (query, signal) => (await wiring().remote?.reflect(query, signal)) ?? null,
    model: () => models.open(),
    howToNameModel: models.howToGetOne,
  };
}

export interface ReflectRequest extends Pick<MemoryToolsOptions, "chat"> {
  /** "provider/model", "none", or a model; default: the configured one. */
  readonly model?: string | MemoryToolsOptions["model"];
  readonly signal?: AbortSignal;
  /** Maximum number of calls to a model, up to 3. Default: 3. */
  readonly maxRounds?: number;
  /** Use only memories whose tags match. */
  readonly tagRule?: TagRule;
  /** How the model should answer; not searched for. */
  readonly instructions?: string;
}

/** Throws `usage` for an empty query or an invalid model name, `interrupted` on abort. */
export async function reflectOn(
  parts: MemoryParts,
  query: string,
  { model, chat, signal, maxRounds, tagRule, instructions }: ReflectRequest,
): Promise<Reflection> {
  requireText(query, "A query");
  const models = openModels(parts, parts.asker, parts.warn);
  const named = typeof model === "string" ? await models.open(model) : model;
  const opened = portsOf(parts, models);
  const memory =
    tagRule === undefined
      ? opened
      : {
          ...opened,
          recall: (asked: string, wanted: ScopedOptions) => opened.recall(asked, { ...wanted, tagRule }),
        };
  // A caller who names a model wants that one to answer.
  const here = model === undefined ? memory : { ...memory, reflectInBank: async () => null };
  const ports = inConversation(here, {
    ...(named !== undefined && { model: named }),
    ...(chat !== undefined && { chat }),
  });
  return reflectFor(ports, query, { signal, maxRounds, instructions });
}
