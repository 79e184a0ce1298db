/** What every use case on documents works with. */
import type { DocumentRef } from "../core/documents/document.ts";
import type {
  Clock,
  DocumentFiles,
  DocumentIndex,
  MemoryIndex,
  VersionStore,
  WorkspaceLock,
} from "../core/ports/documents.ts";
import { isoSeconds } from "../util/text.ts";

export interface DocumentSettings {
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
  /** The config that is used instead of theirs. */
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
  /** Leaves no byte of what was removed in the index. */
  readonly purge: () => Promise<void>;
  readonly settings: DocumentSettings;
  /** Signs writes that nobody else does. */
  readonly userName: () => string;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** As `warn`, about documents that cannot be read: chats and memory tools show these warnings too. */
  readonly warnUnread: (message: string) => void;
  /** Documents of the project's directory that are not read, since it has two workspaces; null where there are none. */
  readonly hidden: () => HiddenDocuments | null;
}

export function timestamp(clock: Clock): string {
  return isoSeconds(clock());
}

/** A program that writes on its own behalf: an MCP client, or a model in the chat. */
export interface ByClient {
  /** Signs the write, unless the setting `created_by` names someone. */
  client?: string | undefined;
}

/** Who signs a write that doesn't say so itself. */
export function signer({ settings, userName }: DocumentPorts, { client }: ByClient): string {
  return settings.created_by || client || userName();
}
