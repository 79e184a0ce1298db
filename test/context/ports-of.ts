/** In-memory ports of a context, for generated inputs or inputs that no command stores yet. */
import type { ContextPorts, ContextWorkspace, RecalledMemory } from "../../src/context/ports.ts";
import { bulletsOf } from "../../src/core/facts/bullets.ts";
import type { Fact } from "../../src/core/facts/fact.ts";
import { factId } from "../../src/core/facts/fact-text.ts";
import { kindOfFile } from "../../src/core/facts/memory-paths.ts";
import type { Role } from "../../src/core/sessions/conversation.ts";
import { NOW } from "./memory-box.ts";

export interface Given {
  home?: Record<string, string>;
  project?: Record<string, string>;
  recalled?: readonly RecalledMemory[];
  sessions?: readonly GivenSession[];
  /** Collects the counted memories. */
  counted?: RecalledMemory[];
}

interface GivenSession {
  id: string;
  title?: string;
  summary?: string;
  messages: readonly { role: Role; content: string }[];
}

export function portsOf({
  home = {},
  project = {},
  recalled = [],
  sessions = [],
  counted,
}: Given): ContextPorts {
  return {
    read: [workspace("project", project, []), workspace("home", home, sessions)],
    audience: "project",
    chat: "main",
    settings: {
      memory_days: 3,
      working_memory_stale_days: 7,
      context_budget: 8_000,
      mental_models_enabled: true,
      mental_model_max_render_chars: 16_000,
    },
    clock: () => NOW,
    recall: async (_, { kinds, limit, except }) =>
      recalled
        .filter(
          ({ kind, session }) => kinds.includes(kind) && !(kind === "summary" && session === except?.session),
        )
        .slice(0, limit),
    count: async (memories) => {
      counted?.push(...memories);
    },
  };
}

function factsIn([file, text]: [string, string]): Fact[] {
  const kind = kindOfFile(file);
  if (kind?.kind !== "facts") return [];
  return bulletsOf(text).map((bullet, position) => ({
    id: factId(bullet.text, kind.chat),
    ...{ text: bullet.text, category: bullet.category, chat: kind.chat, file, position },
    source: { by: "test", session: null, message: null, trust: "stated", tags: [] },
    ...{
      created_at: NOW.toISOString(),
      ended_at: null,
      superseded_by: null,
      because: null,
      key: null,
      doubts: null,
      until: null,
    },
  }));
}

function workspace(
  origin: ContextWorkspace["origin"],
  files: Record<string, string>,
  sessions: readonly GivenSession[],
): ContextWorkspace {
  const stamp = (text: string) => ({
    size: Buffer.byteLength(text),
    mtime: NOW.getTime(),
    ctime: 0,
    inode: 0,
  });
  const timestamp = NOW.toISOString();
  return {
    origin,
    files: {
      root: `/${origin}/memories`,
      scan: () => Object.entries(files).map(([path, text]) => ({ path, stamp: stamp(text) })),
      read: (path) => {
        const text = files[path];
        return text === undefined ? null : { path, content: text, stamp: stamp(text), seenAt: 0 };
      },
    },
    facts: { all: () => Object.entries(files).flatMap(factsIn), uses: () => new Map() },
    sessions: {
      list: () =>
        sessions
          .map(({ id, title = null, summary = null, messages }) => {
            const times = { created_at: timestamp, updated_at: timestamp };
            const rest = { tags: [], messages: messages.length, openedBy: null };
            return { id, chat: "main", title, summary, ...times, ...rest };
          })
          .toReversed(),
      messages: (session) =>
        (sessions.find(({ id }) => id === session)?.messages ?? []).map(({ role, content }, id) => {
          return { id, role, speaker: null, content, timestamp, token_count: null, details: {} };
        }),
    },
  };
}
