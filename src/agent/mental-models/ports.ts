/** What mental models need: files and their lock, recall within one workspace, and who writes. Joined in app/. */
import type { Settings } from "../../config/schema.ts";
import type { ChatModel, Usage } from "../../core/model.ts";
import type { BackendMentalModels } from "../../core/ports/backend.ts";
import type { Clock, MemoryFiles, Model, WorkspaceLock } from "../../core/ports/documents.ts";
import type { RecallHit } from "../../recall/recall.ts";

import type { MentalModelSources } from "./built-in.ts";

export type MentalModelOrigin = "project" | "home";

export interface MentalModelWorkspace {
  readonly origin: MentalModelOrigin;
  readonly files: Pick<MemoryFiles, "root" | "scan" | "read" | "write" | "change" | "unfinished" | "recover">;
  readonly lock: Pick<WorkspaceLock, "exclusively" | "writable">;
}

export interface Recalled {
  readonly hits: readonly RecallHit[];
  /** Less than there is may have been found: meaning could not be asked. */
  readonly partial: boolean;
}

export interface MentalModelPorts {
  /** Those that are read, the nearest first. */
  workspaces(): readonly MentalModelWorkspace[];
  /** This is a repository without a workspace, so the home workspace holds what is known of it. */
  readonly isProjectAtHome: boolean;
  readonly settings: Pick<
    Settings,
    "mental_models_enabled" | "mental_model_auto_seed" | "mental_model_refresh_interval_ms"
  >;
  readonly clock: Clock;
  /**
   * What one workspace knows of a question, the best first: its facts, notes and documents, and summaries of its own chat. Nothing
   * of the other workspace, nor of a named chat. From "person" it is facts and the person's own messages alone. Nothing is counted as
   * recalled.
   */
  recall(
    origin: MentalModelOrigin,
    question: string,
    tags: readonly string[],
    from: MentalModelSources,
  ): Promise<Recalled>;
  /** The configured one; null where there is none. Throws where it cannot be opened. */
  model(): Promise<ChatModel | Model | null>;
  /** null: models are answered here. */
  readonly remote: BackendMentalModels | null;
}

/** Who writes answers. */
export interface Writer {
  /** null: nobody; sentences of the memories are the answer. */
  readonly model: ChatModel | Model | null;
  readonly onUsage?: ((usage: Usage) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}
