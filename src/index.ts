/** The library: `import { openRetain } from "retain"`. */
export { openRetain, Retain, type RetainOptions } from "./app.ts";
export type { Settings } from "./config/schema.ts";
export type { Scope, Workspace } from "./config/workspace.ts";
export type { Document, DocumentRef, DocumentSummary } from "./core/document.ts";
export { type ErrorCode, RetainError } from "./core/errors.ts";
export { toContextText, toNestedObject } from "./core/render.ts";
export type { Version } from "./core/versions.ts";
export type { DiffResult, Hunk, VersionsResult } from "./memory/history.ts";
export type { CollectionSummary, ListOptions, ListResult, SortKey } from "./memory/list.ts";
export type { PutInput, PutResult } from "./memory/put.ts";
export type { PutManyResult, PutSource } from "./memory/put-many.ts";
export type { GetOptions, GotDocument } from "./memory/read.ts";
export type { DeleteResult } from "./memory/remove.ts";
export type { RestoreOptions, RestoreResult } from "./memory/restore.ts";
export type { UpdateInput, UpdateResult } from "./memory/update.ts";
