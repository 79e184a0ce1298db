/** A corpus in Retain's index: turns as messages, facts as facts, embedded by Retain's queue. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalSessions } from "../../src/backends/sessions/local-sessions.ts";
import { SessionsInStep } from "../../src/backends/sessions/sync.ts";
import type { Embedder } from "../../src/core/ports/documents.ts";
import { chunkMarkdown } from "../../src/core/text/chunk.ts";
import { SessionFiles } from "../../src/files/session-files.ts";
import { embedPending } from "../../src/recall/embed-pending.ts";
import type { RecallPorts } from "../../src/recall/ports.ts";
import { SqliteMemoryIndex } from "../../src/sqlite/chunks/chunks.ts";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { SqliteMemorySearch } from "../../src/sqlite/search/memory-search.ts";
import { SqliteEmbeddingQueue } from "../../src/sqlite/search/pending.ts";
import { SqliteRecallLog } from "../../src/sqlite/search/recalls.ts";
import type { Turn } from "./corpus.ts";

export interface Store {
  readonly ports: RecallPorts;
  /** The corpus id of a hit. */
  idOf(hit: { kind: string; source: string }): string;
  close(): void;
}

export async function openStore(turns: readonly Turn[], embedder: Embedder): Promise<Store> {
  const directory = mkdtempSync(join(tmpdir(), "retain-quality-"));
  const database = new WorkspaceDatabase(
    join(directory, "retain.db"),
    () => {},
    (message) => console.error(message),
  );
  const ids = new Map<string, string>();
  await indexConversations(directory, database, turns.filter(isTurn), ids);
  await indexFacts(
    database,
    turns.filter((turn) => !isTurn(turn)),
    ids,
  );
  const queue = new SqliteEmbeddingQueue(database, { id: process.pid, isAlive: () => true });
  const now = new Date(Math.max(0, ...turns.map(({ date }) => Date.parse(date ?? "") || 0)) + 86_400_000);
  await embedPending(queue, embedder, () => now, { batch: 512 });
  const search = new SqliteMemorySearch(database);
  const log = new SqliteRecallLog(database);
  return {
    ports: {
      workspaces: [{ origin: "home", search, queue, log }],
      embedders: [embedder],
      clock: () => now,
      warn: (message) => console.error(message),
    },
    idOf: ({ kind, source }) => ids.get(`${kind}:${source}`) ?? "",
    close: () => {
      database.close();
      rmSync(directory, { recursive: true });
    },
  };
}

function isTurn(turn: Turn): boolean {
  return turn.source === undefined && typeof turn.session === "string";
}

async function indexConversations(
  directory: string,
  database: WorkspaceDatabase,
  turns: readonly Turn[],
  ids: Map<string, string>,
): Promise<void> {
  const sessions = new LocalSessions(
    new SessionsInStep(new SessionFiles(join(directory, "sessions")), database, (message) =>
      console.error(message),
    ),
  );
  for (const [id, own] of Map.groupBy(turns, ({ session }) => session ?? "")) {
    const messages = own.map((turn) => ({
      role: turn.speaker === "assistant" ? ("assistant" as const) : ("user" as const),
      speaker: turn.speaker ?? null,
      content: spoken(turn),
      timestamp: turn.date ?? "",
      token_count: null,
    }));
    const added = await sessions.append({ id, chat: "main", title: null }, messages);
    for (const [index, message] of added.entries()) ids.set(`message:${message.id}`, own[index]?.id ?? "");
  }
}

/** Strips the name from "Caroline: Hey!"; the speaker is stored separately. */
function spoken({ text, speaker }: Turn): string {
  return speaker && text.startsWith(`${speaker}: `) ? text.slice(speaker.length + 2) : text;
}

async function indexFacts(
  database: WorkspaceDatabase,
  turns: readonly Turn[],
  ids: Map<string, string>,
): Promise<void> {
  const index = new SqliteMemoryIndex(database);
  await database.exclusively(() => {
    for (const turn of turns) {
      ids.set(`fact:${turn.id}`, turn.id);
      const at = Date.parse(turn.date ?? "");
      index.put({
        kind: "fact",
        source: turn.id,
        scope: "",
        tags: [],
        session: turn.session ?? null,
        speaker: turn.speaker ?? null,
        at: Number.isNaN(at) ? null : at,
        trust: "stated",
        importance: 0.5,
        chunks: chunkMarkdown(turn.text, ""),
        neighbours: "",
      });
    }
  });
}
