/// <reference lib="esnext.disposable" preserve="true" />
/** The library: `import { openRetain } from "retain-memory"`. Fields of documents are named as in their frontmatter. */
import type { RetainOptions } from "./app/retain-options.ts";
import { openRetain as open, type Retain } from "./app.ts";
import { checkInput } from "./documents/input.ts";

export type { ChatOptions } from "./agent/chat.ts";
export type { ChatEvent, ChatFace } from "./agent/events.ts";
export type { LearnRun } from "./agent/learn/learn.ts";
export type { LedgerLine, Spent } from "./agent/learn/ledger.ts";
export type { MemoryTool, MemoryToolResult } from "./agent/memory-tool.ts";
export type { MemoryToolsOptions } from "./agent/memory-tools/ports.ts";
export type {
  AddMentalModelOptions,
  MentalModelInfo,
  RefreshMentalModelsOptions,
} from "./agent/mental-models/models.ts";
export type { Refreshed } from "./agent/mental-models/refresh.ts";
export type { Citation } from "./agent/reflect/passages.ts";
export type { Reflection } from "./agent/reflect/reflect.ts";
export type { Skill } from "./agent/skills/skills.ts";
export type { LearningStatus, RunOptions as LearnOptions } from "./app/agent/learning.ts";
export type { ReflectRequest } from "./app/agent/memory-ports.ts";
export type { CollectionOption } from "./app/documents.ts";
export type { Identified } from "./app/find-by-id.ts";
export type { AddFolderOptions } from "./app/folders.ts";
export type { DeepCheck, IndexCheck } from "./app/index/check-index.ts";
export type { EmbedResult } from "./app/index/search-index.ts";
export type { ListedMemory, MemoryFilters, MemoryListOptions, MemoryPage } from "./app/memory-list.ts";
export type { DayLearned, Overview, WorkspaceSize } from "./app/overview.ts";
export type { RetainOptions } from "./app/retain-options.ts";
export type { FoundInSession, FoundSessions, SessionSearchOptions } from "./app/search-sessions.ts";
export type { MemoryStatus } from "./app/status.ts";
export type { Retain } from "./app.ts";
export type { Config } from "./config/load.ts";
export type { SettingKey, Settings } from "./config/schema.ts";
export type { ModelEndpoint } from "./config/shapes.ts";
export type { Choice, Scope, Workspace } from "./config/workspace.ts";
export type { ContextOptions } from "./context/assemble.ts";
export type { AssembledContext, ContextPart } from "./context/parts.ts";
export type { Document, DocumentRef, DocumentSummary } from "./core/documents/document.ts";
export type { Fields } from "./core/documents/read-yaml.ts";
export { toContextText, toNestedObject } from "./core/documents/render.ts";
export type { Version } from "./core/documents/versions.ts";
export { type ErrorCode, RetainError } from "./core/errors.ts";
export type { Fact } from "./core/facts/fact.ts";
export type { Incident } from "./core/incidents.ts";
export type { Kind } from "./core/memory.ts";
export type {
  BackendDocument,
  BackendDocumentRef,
  BackendDocuments,
  BackendEdit,
  BackendHit,
  BackendItem,
  BackendQuestion,
  BackendReflection,
  BackendRetained,
  BackendSessions,
  BackendStatement,
  BackendStatus,
  Cleared,
  Delivery,
  Episode,
  MemoryBackend,
  ToEmpty,
  Turn,
  UntimedQuestion,
} from "./core/ports/backend.ts";
export type { Change, Clock } from "./core/ports/documents.ts";
export type { TagMatch, TagRule } from "./core/tag-rule.ts";
export type { DiffOptions, DiffResult, Hunk, VersionsResult } from "./documents/history.ts";
export type { SyncCounts } from "./documents/index-sync.ts";
export type { DocumentFieldsInput } from "./documents/input.ts";
export type { CollectionSummary, ListOptions, ListResult } from "./documents/list.ts";
export type { PutInput, PutResult } from "./documents/put.ts";
export type { PutFailure, PutManyResult, PutSource } from "./documents/put-many.ts";
export type { GetOptions, GotDocument } from "./documents/read.ts";
export type { DeleteResult } from "./documents/remove.ts";
export type { RestoreOptions, RestoreResult } from "./documents/restore.ts";
export type { SortKey } from "./documents/sort.ts";
export type { RewriteOptions, UpdateInput, UpdateResult } from "./documents/update.ts";
export type { WrittenDocument } from "./documents/write.ts";
export type { KeptTurns, TurnsToKeep } from "./facts/auto-retain-turns.ts";
export type { Edited, EditOptions } from "./facts/edit.ts";
export type { Facts } from "./facts/facts.ts";
export type { FactsOptions, OwnedFact } from "./facts/list-facts.ts";
export type { DayNote, DayNotes } from "./facts/notes.ts";
export type { Confirmed } from "./facts/unconfirmed/confirm.ts";
export type { Rejected } from "./facts/unconfirmed/reject.ts";
export type { KeptUnconfirmed, UnconfirmedFact } from "./facts/unconfirmed/write-unconfirmed.ts";
export type { Provenance } from "./facts/why.ts";
export type { Ingested, IngestOptions } from "./facts/write/ingest.ts";
export type { LogOptions, RememberOptions } from "./facts/write/remember.ts";
export type { Retained, RetainItem, RetainSource } from "./facts/write/retain.ts";
export type { Written } from "./facts/write/written.ts";
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
export type { LastContext } from "./sessions/last-context.ts";
export type { OwnedSession } from "./sessions/ports.ts";
export type { Sessions } from "./sessions/sessions.ts";
export type { IndexCounts } from "./sqlite/database/care.ts";
export type { RecallCounts, RecalledMemory } from "./sqlite/search/recalls.ts";

/** Opens the memory for a directory. Creates nothing before the first write. Throws `usage` for an invalid option. */
export function openRetain(options: RetainOptions = {}): Retain {
  checkInput("openRetain", options);
  return open(options);
}
