/** No memory: nothing is stored, and every item is reported as failed. */

import { RetainError } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import type {
  BackendDocuments,
  BackendHit,
  BackendItem,
  BackendRetained,
  BackendSessions,
  BackendStatus,
  Cleared,
  MemoryBackend,
} from "../core/ports/backend.ts";

const WHY = "memory.backend is off";
const HINT = hint`Switch memory on with: ${command("config set", "memory_backend", "local")}`;

export class OffBackend implements MemoryBackend {
  readonly name = "off";

  readonly documents: BackendDocuments = {
    put: () => Promise.reject(isOff()),
    get: async () => null,
    list: async () => [],
    remove: async () => false,
  };

  readonly sessions: BackendSessions = {
    keep: () => Promise.reject(isOff()),
    get: async () => null,
    list: async () => [],
    remove: async () => {},
  };

  async retain(items: readonly BackendItem[]): Promise<BackendRetained> {
    return {
      stored: [],
      queued: [],
      known: [],
      failed: items.map(({ content }) => ({ text: content, why: `${WHY}.` })),
    };
  }

  async recall(): Promise<BackendHit[]> {
    return [];
  }

  async forget(): Promise<boolean> {
    return false;
  }

  async flush(): Promise<void> {}

  async status(): Promise<BackendStatus> {
    return { name: this.name, location: "nowhere", waiting: 0, stuck: [], problem: null, nextTry: null };
  }

  async empty(): Promise<Cleared> {
    return { done: [], left: [] };
  }

  close(): void {}
}

function isOff(): RetainError {
  return new RetainError("read_only", `Not saved: ${WHY}.`, HINT);
}
