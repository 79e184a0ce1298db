/** Ports of mental models. Loaded on first use. */

import type { MentalModelSources } from "../../agent/mental-models/built-in.ts";
import { MentalModels } from "../../agent/mental-models/models.ts";
import type { MentalModelOrigin, MentalModelPorts } from "../../agent/mental-models/ports.ts";
import type { Kind } from "../../core/memory.ts";
import type { RecallPorts } from "../../recall/ports.ts";
import type { RecallHit } from "../../recall/recall.ts";
import { ask } from "../../recall/search.ts";
import type { MemoryParts } from "./memory-ports.ts";
import { openModels } from "./models.ts";

export type MentalModelParts = Pick<
  MemoryParts,
  "wiring" | "clock" | "config" | "settingsNow" | "choice" | "surroundings" | "asker" | "warn"
>;

/** Enough candidates to pick lasting facts from. */
const MOST_RECALLED = 60;
const KINDS: readonly Kind[] = ["fact", "note", "document"];
/** The default chat of the home workspace. */
const HOME_CHAT = "main";

export function modelsOf(parts: MentalModelParts): MentalModels {
  const { wiring, clock, config } = parts;
  const ports: MentalModelPorts = {
    workspaces: () => wiring().factWorkspaces().read,
    settings: config.settings,
    clock,
    recall: async (origin, question, tags, from) => {
      const chat = origin === "home" ? HOME_CHAT : wiring().factWorkspaces().chat;
      const { hits, partial } = await wiring().ask({}, (ports) =>
        recallIn(ports, origin, { question, tags, chat, from }),
      );
      // An unconfirmed fact must not become a statement of a mental model.
      return { hits: hits.filter(({ unconfirmed }) => unconfirmed !== true), partial };
    },
    model: () => openModels(parts, parts.asker, parts.warn).open(),
    remote: wiring().remoteModels,
  };
  return new MentalModels(ports);
}

interface Asked {
  readonly question: string;
  readonly tags: readonly string[];
  readonly chat: string;
  readonly from: MentalModelSources;
}

/**
 * Uses one workspace only: every project reads the home workspace's mental models. Other machines' memories would change an answer
 * whenever the hosted index is down.
 */
async function recallIn(
  { fetch: _, hosted: __, ...ports }: RecallPorts,
  origin: MentalModelOrigin,
  { question, tags, chat, from }: Asked,
) {
  const isPersons = from === "person";
  const own = { ...ports, workspaces: ports.workspaces.filter((workspace) => workspace.origin === origin) };
  const said = await ask(
    own,
    question,
    {
      tags,
      kinds: isPersons ? ["fact", "message"] : KINDS,
      scopes: isPersons ? ["", chat] : [""],
      limit: MOST_RECALLED,
      minScore: 0,
    },
    false,
  );
  const hasSummaries =
    !isPersons &&
    own.workspaces.some(({ search }) => search.newest({ kinds: ["summary"], scopes: [chat] }, 1).length > 0);
  const summaries = hasSummaries
    ? (
        await ask(
          own,
          question,
          { tags, kinds: ["summary"], scopes: [chat], limit: MOST_RECALLED, minScore: 0 },
          false,
        )
      ).hits
    : [];
  const hasVectors = own.workspaces.some(({ search }) => search.models().length > 0);
  const partial = ports.embedders.length > 0 && hasVectors && !said.byMeaning;
  const isReply = ({ kind, trust }: RecallHit) => kind === "message" && trust !== "stated";
  return { hits: [...said.hits.filter((hit) => !(isPersons && isReply(hit))), ...summaries], partial };
}
