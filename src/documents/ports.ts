/** The dependencies of every use case on documents. */
import type { DocumentRef } from "../core/documents/document.ts";
import type {
  Clock,
  DocumentChange,
  DocumentFiles,
  DocumentIndex,
  MemoryIndex,
  VersionStore,
  WorkspaceLock,
} from "../core/ports/documents.ts";
import { isoSeconds } from "../util/days.ts";

interface DocumentSettings {
  created_by: string;
  history: boolean;
  auto_version: boolean;
  max_versions: number;
  max_document_bytes: number;
  collections: readonly string[];
}

export interface HiddenDocuments {
  /** The workspace that holds them. */
  readonly root: string;
  /** The config that is used instead of that workspace's. */
  readonly configFile: string;
  readonly documents: readonly DocumentRef[];
}

export interface DocumentPorts {
  readonly origin: "project" | "home";
  readonly files: DocumentFiles;
  readonly lock: WorkspaceLock;
  readonly index: DocumentIndex;
  readonly chunkIndex: MemoryIndex;
  readonly versions: VersionStore;
  /** Erases removed text from the index's file. */
  readonly purge: () => Promise<void>;
  readonly settings: DocumentSettings;
  /** Signs writes that have no other author. */
  readonly userName: () => string;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Like `warn`, for unreadable documents: chats and memory tools show these warnings too. */
  readonly warnUnread: (message: string) => void;
  /** Records a change that was just made, for `undo`. Needs the lock. Throws `io`. */
  readonly recordChange: (label: string, documents: readonly DocumentChange[]) => void;
  /** Documents that aren't read because the project's directory has two workspaces; null if there are none. */
  readonly hidden: () => HiddenDocuments | null;
}

export function timestamp(clock: Clock): string {
  return isoSeconds(clock());
}

/** A program that writes in its own name: an MCP client, or a model in the chat. */
export interface ByClient {
  /** Signs the write, unless the setting `created_by` names someone. */
  client?: string | undefined;
}

/** The author of a write that names none. */
export function signer({ settings, userName }: DocumentPorts, { client }: ByClient): string {
  return settings.created_by || client || userName();
}
