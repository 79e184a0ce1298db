/**
 * A project's memory, for a hook. Someone waits for a hook, so it loads only what it needs and skips anything slow, such as a
 * reranker.
 */
import { existsSync } from "node:fs";
import type { FoundMemory, HookMemory } from "../../agent/hooks/ports.ts";
import { cacheDirectory } from "../../config/cache.ts";
import { resolveWorkspace } from "../../config/resolve-workspace.ts";
import type { Surroundings } from "../../config/workspace.ts";
import type { ContextPorts } from "../../context/ports.ts";
import type { Clock } from "../../core/ports/documents.ts";
import { storable } from "../../core/secrets/storable.ts";
import { withActivity } from "../../core/sessions/activity.ts";
import { cachedModelPath } from "../../embed/minilm/graph-cache.ts";
import { Facts } from "../../facts/facts.ts";
import type { FactWorkspace, FactWorkspaces } from "../../facts/ports.ts";
import type { RecallPorts } from "../../recall/ports.ts";
import type { RecallHit } from "../../recall/recall.ts";
import { within } from "../../util/within.ts";
import { openLearning } from "../agent/learning-service.ts";
import { ServerModels } from "../agent/server-models.ts";
import { Wiring } from "../wiring.ts";

/** Keeps SQLite from blocking the thread for long while another process writes: the hook has a time limit. */
const PATIENCE = "PRAGMA busy_timeout = 50";
const MOST_FOUND = 30;
/** In bytes. Indexing more memory files than this takes longer than someone should wait for a session to start. */
const MOST_TO_SYNC = 100_000;
/** With less time left, searches by words only: the embedding model takes 100 ms to load, and more on a busy machine. */
const TIME_FOR_MEANING_MS = 350;
/** A prompt waits for embedding only so many chunks; the end of a session embeds the others. */
const FEW_PENDING = 8;

/** Throws like `resolveWorkspace`. */
export function openMemory(
  surroundings: Surroundings,
  clock: Clock,
  warn: (message: string) => void,
): HookMemory {
  const scope = "auto";
  const { choice, config: chosen } = resolveWorkspace(surroundings, scope);
  const { incognito } = chosen.settings;
  const hook_retain = chosen.settings.hook_retain && !incognito;
  const config = { ...chosen, settings: { ...chosen.settings, rerank: "none" as const, hook_retain } };
  const wiring = new Wiring({ choice, config, surroundings, scope, clock, warn });
  for (const { lock } of wiring.readWorkspaces()) lock.read(undefined, (database) => database.run(PATIENCE));
  const { chat, audience } = wiring.factWorkspaces();
  const { remote } = wiring;
  const facts = new Facts(() => wiring.factWorkspaces());
  const settingsNow = () => config.settings;
  const parts = { wiring: () => wiring, clock, config, settingsNow, choice, surroundings };
  const models = new ServerModels(() => ({ ...parts, asker: "machine", warn }));
  let isUnindexed = false;
  return {
    root: choice.workspace.root,
    ...{ chat, audience },
    settings: config.settings,
    isOff: wiring.isOff,
    get unwritable() {
      return wiring.local.sessions.unwritable;
    },
    facts,
    learn: openLearning(() => ({ ...parts, facts })).start,
    async known({ session, budget, shown: firstShown, cwdOf }) {
      await models.ready();
      const { isProjects } = await import("../../agent/mental-models/built-in.ts");
      const isProject = choice.workspace.kind === "project";
      const hides = isProject && { hidesFromHome: isProjects };
      const onlyIn = isProject ? null : surroundings.cwd;
      const showsSession = (id: string) => onlyIn === null || (cwdOf(id) ?? onlyIn) === onlyIn;
      const { bytesToSync, currentFacts } = await import("../../facts/sync/sync-facts.ts");
      const workspaces = wiring.factWorkspaces();
      isUnindexed = workspaces.read.some((workspace) => bytesToSync(workspace) > MOST_TO_SYNC);
      const print = (read: FactWorkspaces["read"]) =>
        printKnown({ ...workspaces, read, clock, firstShown, showsSession, ...hides }, session, budget);
      if (!isUnindexed) return wiring.ask({}, () => print(workspaces.read));
      const fromFiles = (workspace: FactWorkspace) => {
        const all = currentFacts(workspace);
        return {
          ...workspace,
          facts: { ...workspace.facts, all: () => all, uses: () => workspace.facts.uses() },
        };
      };
      return print(workspaces.read.map(fromFiles));
    },
    async indexLater() {
      if (!isUnindexed) return;
      const { startInBackground } = await import("../agent/background.ts");
      const { root: home } = choice.home;
      startInBackground(["facts", "--quiet"], surroundings, { cwd: surroundings.cwd, home });
    },
    find: (query, patience) =>
      found(wiring, query, meaningIsReady(surroundings, config.settings) ? patience : 0),
    async count(recalled) {
      if (incognito) return;
      const { countRecalls } = await import("../../recall/search.ts");
      await countRecalls(wiring.readWorkspaces(), recalled, clock());
    },
    messages: (session) => wiring.local.sessions.messages(session),
    async addActivity(session, activity) {
      const { sessions } = wiring.local;
      const stored = sessions.session(session);
      if (stored === null) return;
      const summary = storable(withActivity(stored.summary, activity), false);
      // What was said is still to be summarised.
      if (summary !== stored.summary) await sessions.change(session, { summary, coversTo: 0 });
    },
    keepEpisode: remote?.keepEpisode ?? null,
    async flush(ms) {
      if (ms <= 0) return;
      await remote?.backend();
      await Promise.all([remote?.flush(ms), wiring.hosted()?.then((hosted) => hosted.flush(ms))]);
    },
    embed: () => embedWaiting({ workspaces: wiring.readWorkspaces(), embedders: wiring.embedders(), clock }),
    close() {
      models.close();
      wiring.close();
    },
  };
}

/** The context without its instructions, which are for Retain's own chat. Recalls nothing, since there is no query. */
async function printKnown(
  withoutRecall: Omit<ContextPorts, "recall" | "count">,
  session: string,
  budget: number,
): Promise<string> {
  const { assembleContext } = await import("../../context/assemble.ts");
  const { SEPARATOR } = await import("../../context/filling.ts");
  const { instructionsIn } = await import("../../context/memory-files.ts");
  const { tokensOf } = await import("../../context/tokens.ts");
  const ports = { ...withoutRecall, recall: async () => [], count: async () => {} };
  const instructions = instructionsIn(withoutRecall.read, withoutRecall.audience, () => {})
    .map(({ text }) => text)
    .join(SEPARATOR);
  const { text } = await assembleContext(ports, {
    budget: budget + tokensOf(instructions) + tokensOf(SEPARATOR),
    ...(session !== "" && { session }),
  });
  return text.slice(instructions.length + SEPARATOR.length);
}

/** Searches by words and, if there is time, by meaning. Also queries a bank on a server. */
async function found(wiring: Wiring, query: string, patience: number): Promise<readonly FoundMemory[]> {
  const { recall } = await import("../../recall/recall.ts");
  const ports = await wiring.recallPorts({});
  const filter = { scopes: ["", wiring.factWorkspaces().chat] };
  const request = { query, limit: MOST_FOUND, filter, onePerMemory: true, selective: true };
  const byWords = async () =>
    (await recall({ ...ports, embedders: [] }, { ...request, mode: "text" as const })).hits;
  if (patience < TIME_FOR_MEANING_MS) return (await byWords()).map(weighed);
  const isLocal = ports.fetch === undefined && ports.hosted === undefined;
  const few = ports.workspaces.every(({ queue }) => (queue?.count() ?? 0) <= FEW_PENDING);
  const byMeaning = async () => {
    // A fact that was saved just before has no vector yet.
    if (few) await embedWaiting(ports);
    return recall(ports, { ...request, mode: "both" });
  };
  const all = isLocal ? byMeaning() : fetched(ports, request);
  const best = await within(patience - TIME_FOR_MEANING_MS / 2, all, () => null);
  return (best === null ? await byWords() : best.hits).map(weighed);
}

async function embedWaiting(ports: Pick<RecallPorts, "workspaces" | "embedders" | "clock">): Promise<void> {
  const { catchUp } = await import("../../recall/catch-up.ts");
  await catchUp({ ...ports, warn: () => {} });
}

function weighed(hit: RecallHit): FoundMemory {
  const value = (part: string) => hit.parts.find(({ name }) => name === part)?.value;
  return { ...hit, words: value("words") ?? 0, meaning: value("meaning") ?? null };
}

async function fetched(
  ports: RecallPorts,
  { query, limit, filter }: { query: string; limit: number; filter: { scopes: string[] } },
) {
  const { ask } = await import("../../recall/search.ts");
  return ask(ports, query, { limit, scopes: filter.scopes }, true);
}

/** Building MiniLM on first use takes seconds, so hooks leave it to other commands. */
function meaningIsReady(surroundings: Surroundings, { embedding }: { embedding: string }): boolean {
  return embedding !== "minilm" || existsSync(cachedModelPath(cacheDirectory(surroundings)));
}
