/** Builds the ports of a chat from memory, models and machine. Loaded with the first chat. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { attachmentsIn } from "../../agent/attachments/attachments.ts";
import { FileList } from "../../agent/attachments/file-list.ts";
import { autoRetainOf } from "../../agent/auto-retain.ts";
import { Chat, type ChatOptions } from "../../agent/chat.ts";
import type { ChatFace } from "../../agent/events.ts";
import { ChatMentalModels } from "../../agent/mental-models/in-chat.ts";
import type { ChatPorts } from "../../agent/ports.ts";
import type { SetupState } from "../../agent/setup-question.ts";
import { findSkills } from "../../agent/skills/skills.ts";
import { resolveRoots } from "../../agent/tools/roots.ts";
import { workspaceTools } from "../../agent/tools/table.ts";
import { keysIn, namedKeyVariables } from "../../config/key-variables.ts";
import type { Choice, Surroundings } from "../../config/workspace.ts";
import { ioError, RetainError } from "../../core/errors.ts";
import { documentSource } from "../../core/memory.ts";
import { REMOVED } from "../../core/secrets/secret.ts";
import { GitRepository } from "../../files/git/git.ts";
import { IncidentFile } from "../../files/incidents.ts";
import { KeyFile } from "../../llm/keys.ts";
import { REAL_TIMING } from "../../llm/timing.ts";
import { countRecalls, search } from "../../recall/search.ts";
import { ensureDirectory, entriesIfThere, errorCode, writeFileAtomic, writeNewFile } from "../../util/fs.ts";
import type { Wiring } from "../wiring.ts";
import { Learning } from "./learning.ts";
import { type MemoryParts, memoryToolsOf } from "./memory-ports.ts";
import { modelsOf } from "./mental-model-ports.ts";
import { openModels } from "./models.ts";

/** Throws `not_found`, `ambiguous` or `conflict` for a session, `usage` for a model. */
export async function openChat(parts: MemoryParts, options: ChatOptions): Promise<ChatFace> {
  if (options.incognito) (await parts.wiring().hosted())?.disableQueries();
  return Chat.open(chatPorts(parts), options);
}

function chatPorts(parts: MemoryParts): ChatPorts {
  const { facts, documents, sessions, context, clock, config, choice, surroundings } = parts;
  const { settings } = config;
  const { cwd, env, homeDirectory } = surroundings;
  const wiring = parts.wiring();
  const { self, isGone } = wiring.sessionWorkspaces();
  const project = choice.project?.root ?? null;
  const skills = () => findSkills(choice.home.root, project);
  const roots = rootsOf(choice);
  const secrets = namedKeyVariables(settings);
  const withoutKeys = (text: string) =>
    withoutTexts(text, [...keysIn(env, secrets), ...new KeyFile(choice.home.root).all()]);
  return {
    ...{ facts, documents, sessions, context, clock, settings, cwd, self, isGone, skills },
    store: wiring.local.sessions,
    origin: wiring.local.origin,
    chat: wiring.factWorkspaces().chat,
    isOff: wiring.isOff,
    incidents: () => new IncidentFile(choice.home.root).open().incidents,
    async recall(query, wanted) {
      const open = parts.wiring();
      return open.isOff ? [] : (await open.ask(wanted, (ports, asked) => search(ports, query, asked))).hits;
    },
    countRecalls: (hits) =>
      countRecalls(
        parts.wiring().readWorkspaces(),
        hits.map(({ kind, id, collection, origin }) => {
          return { kind, origin, source: collection === null ? id : documentSource({ collection, id }) };
        }),
        clock(),
      ),
    memoryTools: memoryToolsOf(parts),
    mentalModels: new ChatMentalModels({
      models: modelsOf({ ...parts, asker: "person" }),
      timing: REAL_TIMING,
      enabled: settings.mental_models_enabled,
      intervalMs: settings.mental_model_refresh_interval_ms,
    }),
    learning: new Learning(parts).ports(),
    serverNews: async () => (await parts.wiring().remote?.news()) ?? null,
    turnEnded: () => {
      void parts.wiring().remote?.flush();
      void parts
        .wiring()
        .hosted()
        ?.then((hosted) => hosted.flush());
    },
    unreadWarnings: eachOnce(wiring),
    models: openModels(parts, "person"),
    autoRetain: autoRetainOf(settings, wiring.remote?.keepEpisode ?? null),
    withoutKeys,
    attachments: (text) => attachmentsIn(text, resolveRoots(cwd, homeDirectory, roots), withoutKeys),
    setup: setupState(choice.home.root),
    tools: () => workspaceTools({ cwd, env, homeDirectory, skills, roots, secrets }),
    writeNew: (name, text) => writeNew(join(cwd, name), text),
  };
}

function setupState(home: string): SetupState {
  const marker = join(home, "setup-asked");
  const isNewHome = isEmptyDirectory(home);
  return {
    isNewHome,
    isAsked: () => existsSync(marker),
    setAsked() {
      try {
        ensureDirectory(home);
        writeFileAtomic(marker, "");
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** True if there is no such directory. */
function isEmptyDirectory(path: string): boolean {
  try {
    return entriesIfThere(path).length === 0;
  } catch {
    return false;
  }
}

/** The files that `@` completes to. */
export function fileListOf(choice: Choice, { cwd, env, homeDirectory }: Surroundings): FileList {
  return new FileList(resolveRoots(cwd, homeDirectory, rootsOf(choice)), new GitRepository(cwd, env));
}

/** The home workspace comes first. */
function rootsOf({ home, project }: Choice): string[] {
  return [home.root, ...(project === null ? [] : [project.root])];
}

/** A shorter key could be an ordinary word. */
const SHORTEST_KEY = 8;

function withoutTexts(text: string, keys: readonly string[]): string {
  return keys
    .filter((key) => key.length >= SHORTEST_KEY)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, key) => rest.replaceAll(key, () => REMOVED), text);
}

/** Collects each warning about unreadable documents once. */
function eachOnce(wiring: Wiring): ChatPorts["unreadWarnings"] {
  const known = new Set<string>();
  const untold: string[] = [];
  const end = wiring.onUnread((message) => {
    if (known.has(message)) return;
    known.add(message);
    untold.push(message);
  });
  return { take: () => untold.splice(0), end };
}

function writeNew(path: string, text: string): string {
  try {
    writeNewFile(path, text);
    return path;
  } catch (error) {
    if (errorCode(error) === "EEXIST")
      throw new RetainError("exists", `${path} already exists.`, "Move it away first.");
    throw ioError(error, `Cannot write ${path}`);
  }
}
