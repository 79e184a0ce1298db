/** Mental models: standing questions whose answers the server refreshes with its own model. */
import type { BackendMentalModel, BackendMentalModels } from "../../core/ports/backend.ts";
import { sha256 } from "../../util/hash.ts";
import { type HindsightClient, isId, segment } from "./client.ts";
import { ANYTHING, MODEL_CREATED, MODELS } from "./protocol.ts";
import { READ_MS } from "./remote-documents.ts";
import { isProjectTag } from "./scope-tags.ts";

interface HindsightMentalModel extends BackendMentalModel {
  readonly tags: readonly string[];
  /** ISO 8601; null before the first answer. */
  readonly refreshedAt: string | null;
  /** Whether the server has learned something since; null if it doesn't say. */
  readonly isStale: boolean | null;
}

const MOST = "1000";

/** Every method throws `remote`. */
export class HindsightMentalModels implements BackendMentalModels {
  constructor(
    private readonly client: HindsightClient,
    /** The scope's tags. */
    private readonly tags: readonly string[],
  ) {}

  /** The project's own first, then those of no project. */
  async list(): Promise<HindsightMentalModel[]> {
    const reply = await this.client.call({
      method: "GET",
      path: "/mental-models",
      query: { detail: "content", limit: MOST },
      answer: MODELS,
      withinMs: READ_MS,
    });
    if (!reply.ok && reply.status === 404) return [];
    if (!reply.ok) throw this.client.error(reply);
    return reply.value.items
      .map(({ id, name, source_query, content, tags, last_refreshed_at, is_stale }) => ({
        ...{ id, name, question: source_query ?? "", content: content ?? "", tags: tags ?? [] },
        refreshedAt: last_refreshed_at ?? null,
        isStale: is_stale ?? null,
      }))
      .filter(
        ({ tags }) =>
          this.tags.length === 0 || tags.every((tag) => this.tags.includes(tag) || !isProjectTag(tag)),
      )
      .sort((one, other) => Number(other.tags.some(isProjectTag)) - Number(one.tags.some(isProjectTag)));
  }

  /** Returns its id. The server answers in the background. An existing one stays unchanged. */
  async create(name: string, question: string, own: readonly string[], everywhere = false): Promise<string> {
    const tags = [...new Set([...own, ...(everywhere ? [] : this.tags)])];
    const id = modelId(name, tags);
    // Otherwise the server would answer once and never again.
    const trigger = { refresh_after_consolidation: true };
    const body = { id, name, source_query: question, tags, trigger };
    const reply = await this.client.call({
      method: "POST",
      path: "/mental-models",
      body,
      answer: MODEL_CREATED,
      withinMs: READ_MS,
    });
    if (reply.ok) return reply.value.mental_model_id ?? id;
    if (reply.status === 409) return id;
    throw this.client.error(reply);
  }

  /** Starts a refresh in the background. false if there is none with this id. */
  async refresh(id: string): Promise<boolean> {
    return isId(id) && this.#ask(`/mental-models/${segment(id)}/refresh`);
  }

  async #ask(path: string): Promise<boolean> {
    const reply = await this.client.call({ method: "POST", path, answer: ANYTHING, withinMs: READ_MS });
    if (!reply.ok && reply.status !== 404) throw this.client.error(reply);
    return reply.ok;
  }
}

/** Lower-case letters, digits and hyphens, as the server requires; different per project in a shared bank. */
function modelId(name: string, tags: readonly string[]): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const marks = [...(plain === "" ? [name] : []), ...[...tags].sort()];
  const ending = marks.length === 0 ? "" : sha256(marks.join("\n")).slice(0, 8);
  return [plain, ending].filter((part) => part !== "").join("-");
}
