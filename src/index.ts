/** The library: `import { openRetain } from "retain"`. Fields of documents are named as in their frontmatter. */
export type { ChatOptions } from "./agent/chat.ts";
export type { ChatEvent, ChatFace } from "./agent/events.ts";
export type { LearnRun, Pending } from "./agent/learn/learn.ts";
export type { LedgerLine, Spent } from "./agent/learn/ledger.ts";
export type { MemoryTool, MemoryToolResult } from "./agent/memory-tool.ts";
export type { MemoryToolsOptions } from "./agent/memory-tools/ports.ts";
export type { AddModelOptions, ModelInfo, RefreshModelsOptions } from "./agent/mental-models/models.ts";
export type { Refreshed } from "./agent/mental-models/refresh.ts";
export type { Citation } from "./agent/reflect/passages.ts";
export type { Reflection } from "./agent/reflect/reflect.ts";
export type { DeepCheck, IndexCheck } from "./app/check-index.ts";
export type { Place } from "./app/documents.ts";
export type { Learning, LearningStatus, RunOptions as LearnOptions } from "./app/learning.ts";
export type { ReflectRequest } from "./app/memory-ports.ts";
export {
  type EmbedResult,
  type MemoryStatus,
  openRetain,
  type Retain,
  type RetainOptions,
} from "./app.ts";
export type { Config } from "./config/load.ts";
export type { Settings } from "./config/schema.ts";
export type { Choice, Scope, Workspace } from "./config/workspace.ts";
export type { ContextOptions } from "./context/assemble.ts";
export type { AssembledContext, ContextPart } from "./context/parts.ts";
export type {
  BackendDocument,
  BackendDocumentRef,
  BackendDocuments,
  BackendHit,
  BackendItem,
  BackendQuestion,
  BackendRetained,
  BackendSessions,
  BackendStatus,
  Cleared,
  Delivery,
  Episode,
  MemoryBackend,
  ToEmpty,
  Turn,
  UntimedQuestion,
} from "./core/backend.ts";
export type { Document, DocumentRef, DocumentSummary } from "./core/document.ts";
export { type ErrorCode, RetainError } from "./core/errors.ts";
export type { Fact } from "./core/fact.ts";
export type { Incident } from "./core/incidents.ts";
export type { Kind } from "./core/memory.ts";
export type { Change, Clock } from "./core/ports.ts";
export type { Fields } from "./core/read-yaml.ts";
export { toContextText, toNestedObject } from "./core/render.ts";
export type { Version } from "./core/versions.ts";
export type { OpenIncidents } from "./files/incidents.ts";
export type { DiffOptions, DiffResult, Hunk, VersionsResult } from "./memory/history.ts";
export type { SyncCounts } from "./memory/index-sync.ts";
export type { DocumentFieldsInput } from "./memory/input.ts";
export type { CollectionSummary, ListOptions, ListResult } from "./memory/list.ts";
export type { PutInput, PutResult } from "./memory/put.ts";
export type { PutFailure, PutManyResult, PutSource } from "./memory/put-many.ts";
export type { GetOptions, GotDocument } from "./memory/read.ts";
export type { DeleteResult } from "./memory/remove.ts";
export type { RestoreOptions, RestoreResult } from "./memory/restore.ts";
export type { SortKey } from "./memory/sort.ts";
export type { RewriteOptions, UpdateInput, UpdateResult } from "./memory/update.ts";
export type { WrittenDocument } from "./memory/write.ts";
export type { MigrateOptions } from "./migrate/migrate.ts";
export type { MigrationReport } from "./migrate/report.ts";
export type { EmbedCounts, EmbedWatch } from "./recall/embed-pending.ts";
export type { RecallMode } from "./recall/recall.ts";
export type {
  RecalledContext,
  RecallOptions,
  SearchHit,
  SearchOptions,
  SearchResult,
} from "./recall/search.ts";
export type { KeptTurns, TurnsToKeep } from "./retention/auto-retain-turns.ts";
export type { Confirmed } from "./retention/confirm.ts";
export type { Edited, EditOptions } from "./retention/edit.ts";
export type { Ingested, IngestOptions } from "./retention/ingest.ts";
export type { Kept } from "./retention/keep.ts";
export type { FactsOptions, PlacedFact } from "./retention/list-facts.ts";
export type { Memories } from "./retention/memories.ts";
export type { DayNote, DayNotes } from "./retention/notes.ts";
export type { Rejected } from "./retention/reject.ts";
export type { LogOptions, RememberOptions } from "./retention/remember.ts";
export type { Retained, RetainItem, RetainOrigin } from "./retention/retain.ts";
export type { KeptUnconfirmed, UnconfirmedFact } from "./retention/unconfirmed.ts";
export type { Provenance } from "./retention/why.ts";
export type { PlacedSession } from "./sessions/ports.ts";
export type { Sessions } from "./sessions/sessions.ts";
export type { IndexCounts } from "./sqlite/care.ts";
