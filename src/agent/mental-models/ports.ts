/** Dependencies of mental models: files and their lock, recall within one workspace, and the model. Wired in app/. */
import type { Settings } from "../../config/schema.ts";
import type { ChatModel, Usage } from "../../core/model.ts";
import type { BackendMentalModels } from "../../core/ports/backend.ts";
import type { Clock, MemoryFiles, Model, WorkspaceLock } from "../../core/ports/documents.ts";
import type { RecallHit } from "../../recall/recall.ts";

import type { MentalModelSources } from "./built-in.ts";

export type MentalModelOrigin = "project" | "home";

export interface MentalModelWorkspace {
  readonly origin: MentalModelOrigin;
  readonly files: Pick<
    MemoryFiles,
    "root" | "scan" | "read" | "write" | "change" | "recordChange" | "unfinished" | "recover"
  >;
  readonly lock: Pick<WorkspaceLock, "exclusively" | "writable">;
}

interface Recalled {
  readonly hits: readonly RecallHit[];
  /** The search by meaning failed, so hits may be missing. */
  readonly partial: boolean;
}

export interface MentalModelPorts {
  /** The workspaces in use, nearest first. */
  workspaces(): readonly MentalModelWorkspace[];
  readonly settings: Pick<
    Settings,
    "mental_models_enabled" | "mental_model_auto_seed" | "mental_model_refresh_interval_ms"
  >;
  readonly clock: Clock;
  /**
   * Recalls memories of one workspace, best first: facts, notes, documents and summaries of its own chat, but nothing of the other
   * workspace or of named chats. With "person", only facts and the user's own messages. Not counted as recalls.
   */
  recall(
    origin: MentalModelOrigin,
    question: string,
    tags: readonly string[],
    from: MentalModelSources,
  ): Promise<Recalled>;
  /** The configured model; null if there is none. Throws if it cannot be opened. */
  model(): Promise<ChatModel | Model | null>;
  /** The server that answers mental models; null if Retain does. */
  readonly remote: BackendMentalModels | null;
}

export interface Writer {
  /** null for none: the answer then quotes memories. */
  readonly model: ChatModel | Model | null;
  readonly onUsage?: ((usage: Usage) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}
