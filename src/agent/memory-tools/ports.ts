/** The dependencies of the memory tools, and the conversation they are used in. */
import type { ContextOptions } from "../../context/assemble.ts";
import type { AssembledContext } from "../../context/parts.ts";
import type { DocumentRef } from "../../core/documents/document.ts";
import type { Hint } from "../../core/hint.ts";
import type { ChatModel, Usage } from "../../core/model.ts";
import type { BackendReflection, BackendStatement } from "../../core/ports/backend.ts";
import type { Model } from "../../core/ports/documents.ts";
import type { VersionsResult } from "../../documents/history.ts";
import type { CollectionSummary, ListOptions, ListResult } from "../../documents/list.ts";
import type { PutInput, PutResult } from "../../documents/put.ts";
import type { GetOptions, GotDocument } from "../../documents/read.ts";
import type { DeleteResult } from "../../documents/remove.ts";
import type { RestoreOptions, RestoreResult } from "../../documents/restore.ts";
import type { UpdateInput, UpdateResult } from "../../documents/update.ts";
import type { Facts } from "../../facts/facts.ts";
import type { DayNote } from "../../facts/notes.ts";
import type { Provenance } from "../../facts/why.ts";
import type { RetainSource } from "../../facts/write/retain.ts";
import type { RecallHit } from "../../recall/recall.ts";
import type { ScopedOptions } from "../../recall/search.ts";
import type { Sessions } from "../../sessions/sessions.ts";

interface InCollection {
  collection?: string;
}

/** The library's document methods. */
export interface DocumentVerbs {
  put(input: PutInput): Promise<PutResult>;
  get(id: string, options: GetOptions): Promise<GotDocument>;
  update(id: string, input: UpdateInput): Promise<UpdateResult>;
  delete(id: string, options: InCollection): Promise<DeleteResult>;
  list(options: ListOptions): Promise<ListResult>;
  collections(): Promise<CollectionSummary[]>;
  versions(id: string, options: InCollection): Promise<VersionsResult>;
  restore(id: string, options: RestoreOptions): Promise<RestoreResult>;
  find(id: string, options: InCollection): Promise<DocumentRef | null>;
}

export type Entry =
  | { readonly kind: "fact"; readonly provenance: Provenance }
  | { readonly kind: "note"; readonly note: DayNote }
  /** In a server's bank. */
  | { readonly kind: "statement"; readonly statement: BackendStatement };

export interface MemoryToolPorts {
  readonly facts: Pick<
    Facts,
    | "retain"
    | "edit"
    | "list"
    | "notes"
    | "why"
    | "findToForget"
    | "forget"
    | "withdraw"
    | "lastChange"
    | "undo"
  >;
  readonly documents: DocumentVerbs;
  readonly sessions: Pick<Sessions, "list">;
  /** null if no fact or note has this id, or a document has it too. Throws `ambiguous`, `remote`. */
  entry(id: string): Promise<Entry | null>;
  now(): Date;
  /** Whether facts, searches or documents may use the network: a server or an endpoint is configured. */
  usesNetwork(): boolean;
  /** Parts of memories that are worth telling, the best first. Throws `usage`. */
  recall(query: string, wanted: ScopedOptions): Promise<readonly RecallHit[]>;
  /** A notice if the server's bank is missing from the last answer, and why; "" if it isn't. */
  shortfall(): string;
  /** Counts recalled memories. */
  count(recalled: readonly RecallHit[]): Promise<void>;
  context(options: ContextOptions): Promise<AssembledContext>;
  /** The answer of the model of a server's bank; null if there is no such model, or the answer must not mix chats. Throws `remote`. */
  reflectInBank(query: string, signal?: AbortSignal): Promise<BackendReflection | null>;
  /** The model that writes reflections; null for none. Throws if the configured one cannot be opened. */
  model(): Promise<ChatModel | Model | null>;
  /** One sentence for a reflection that had no model; null if the caller chose to have none. */
  readonly howToNameModel: Hint | null;
}

export interface MemoryToolsOptions {
  /** Recall only memories of this chat or of no chat; by default those of all chats. */
  readonly chat?: string;
  /** The conversation the tools are used in: it becomes the source of facts, and its messages are not recalled. */
  readonly session?: string;
  /** The message up to which that session was compacted: messages up to it are recalled. */
  readonly compactedTo?: number;
  /** The stored message that called the tool, if any. */
  readonly message?: () => number | null;
  /** The program or model that uses the tools: the author of the documents it writes. */
  readonly client?: () => string | undefined;
  /** Only tools with these names. */
  readonly only?: ReadonlySet<string>;
  /** Only tools that change nothing; recalls are not counted. */
  readonly incognito?: boolean;
  /** The model that writes reflections; null for none. By default the configured one. */
  readonly model?: ChatModel | Model | null;
  /** Receives that model's usage. */
  readonly onUsage?: (usage: Usage) => void;
}

/** The ports, limited to this conversation. */
export interface ConversationPorts extends MemoryToolPorts {
  readonly session: string | undefined;
  /** Whether a memory of this chat, or of none, may be shown here. */
  isInScope(chat: string | null): boolean;
  client(): string | undefined;
  source(): RetainSource;
  readonly onUsage?: ((usage: Usage) => void) | undefined;
}

export function inConversation(ports: MemoryToolPorts, options: MemoryToolsOptions): ConversationPorts {
  const { chat, session, compactedTo = 0, message = () => null, incognito = false, model, onUsage } = options;
  const scoped = (wanted: ScopedOptions): ScopedOptions => ({
    ...(chat !== undefined && { scopes: ["", chat] }),
    ...(session !== undefined && { except: { session, after: compactedTo } }),
    ...wanted,
  });
  return {
    session,
    isInScope: (of) => chat === undefined || of === null || of === chat,
    now: () => ports.now(),
    facts: ports.facts,
    documents: ports.documents,
    // A server cannot limit its answer to one chat.
    reflectInBank: async (query, signal) => (chat === undefined ? ports.reflectInBank(query, signal) : null),
    sessions: ports.sessions,
    entry: (id) => ports.entry(id),
    usesNetwork: () => ports.usesNetwork(),
    shortfall: () => ports.shortfall(),
    onUsage,
    client: () => options.client?.(),
    model: async () => (model === undefined ? ports.model() : model),
    howToNameModel: model === undefined ? ports.howToNameModel : null,
    context: (wanted) =>
      ports.context({
        ...wanted,
        ...(chat !== undefined && { chat }),
        ...(session !== undefined && { session, compactedTo }),
        ...(incognito && { incognito }),
      }),
    recall: (query, wanted) => ports.recall(query, scoped(wanted)),
    count: incognito ? async () => {} : (recalled) => ports.count(recalled),
    source: () => ({ session: session ?? null, message: session === undefined ? null : message() }),
  };
}
