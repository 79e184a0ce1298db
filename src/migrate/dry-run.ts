/**
 * A workspace that keeps writes in memory, on top of the real files. So a dry run takes the same code path as a real one and
 * reports the same.
 */

import type {
  Change,
  ChangedFile,
  FactIndex,
  FileStamp,
  MemoryFile,
  MemoryFiles,
  WorkspaceLock,
} from "../core/ports/documents.ts";
import type { Message } from "../core/sessions/conversation.ts";
import type { MigrationPorts } from "./ports.ts";

export function withoutWriting(ports: MigrationPorts): MigrationPorts {
  const { workspace, sessions } = ports;
  const { origin, search, clock, warn, documents, isShared } = workspace;
  return {
    ...ports,
    sessions: sessionsInMemory(sessions),
    workspace: {
      origin,
      search,
      clock,
      warn,
      documents,
      isShared,
      files: new FilesInMemory(workspace.files),
      facts: unchanged(workspace.facts),
      lock: UNLOCKED,
      purge: async () => {},
      sessions: workspace.sessions,
      get traces() {
        return workspace.traces;
      },
    },
  };
}

/** No lock: nothing is written. */
const UNLOCKED: WorkspaceLock = {
  writable: true,
  exclusively: async (work) => work(),
  tryExclusively: (work) => ({ result: work() }),
  inMemory: (work) => work(),
  savepoint: (change) => change(),
};

/** The stored rows. A file that has changed since is read. */
function unchanged(facts: FactIndex): FactIndex {
  const nothing = () => {};
  return {
    all: () => facts.all(),
    uses: () => facts.uses(),
    settled: () => facts.settled(),
    replace: nothing,
    replaceNotes: nothing,
    settle: nothing,
    vectors: facts.vectors,
  };
}

class FilesInMemory implements MemoryFiles {
  readonly unfinished = false;
  readonly #written = new Map<string, { content: string | null; stamp: FileStamp }>();
  #writes = 0;

  constructor(private readonly files: MemoryFiles) {}

  get root(): string {
    return this.files.root;
  }

  scan(): { path: string; stamp: FileStamp }[] {
    const found = new Map(this.files.scan().map(({ path, stamp }) => [path, stamp]));
    for (const [path, { content, stamp }] of this.#written) {
      if (content === null) found.delete(path);
      else if (!path.startsWith("../")) found.set(path, stamp);
    }
    return [...found].map(([path, stamp]) => ({ path, stamp })).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  read(path: string): MemoryFile | null {
    const written = this.#written.get(path);
    if (written === undefined) return this.files.read(path);
    const { content, stamp } = written;
    return content === null ? null : { path, content, stamp };
  }

  write(path: string, content: string): void {
    this.#put(path, content);
  }

  change(_label: string, _at: string, files: readonly ChangedFile[]): void {
    for (const { path, after } of files) this.#put(path, after);
  }

  changes(): Change[] {
    return this.files.changes();
  }

  lastChange(): number | null {
    return this.files.lastChange();
  }

  uncompacted(): ReadonlySet<string> {
    return this.files.uncompacted();
  }

  recordChange(): void {}
  recover(): void {}
  undo(): void {}
  leaveUncompacted(): void {}
  dropChange(): void {}
  dropChanges(): void {}

  /** Gives each write a new stamp, so that it is noticed. */
  #put(path: string, content: string | null): void {
    const stamp = { size: content?.length ?? 0, mtime: 0, ctime: 0, inode: -++this.#writes };
    this.#written.set(path, { content, stamp });
  }
}

/** Two files of one directory may contain the same session. */
function sessionsInMemory(sessions: MigrationPorts["sessions"]): MigrationPorts["sessions"] {
  const added = new Map<string, { chat: string; messages: Message[] }>();
  return {
    messages: (id) => [...sessions.messages(id), ...(added.get(id)?.messages ?? [])],
    chatOf: (id) => sessions.chatOf(id) ?? added.get(id)?.chat ?? null,
    append: async ({ id, chat }, messages) => {
      const stored = messages.map((message) => ({ details: {}, ...message, id: 0 }));
      added.set(id, { chat, messages: [...(added.get(id)?.messages ?? []), ...stored] });
      return stored;
    },
  };
}
