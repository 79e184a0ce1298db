/**
 * A stand-in for a Hindsight server, as its OpenAPI text (0.9.1) describes it: with everything in memory, and with every trouble
 * that a server can make.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type BankItem, HindsightBank } from "./hindsight-bank.ts";
import { answerWith, bodyOf, headersOf, StandIn } from "./stand-in.ts";

export interface HindsightRequest {
  readonly method: string;
  /** Below /v1/default/banks/<bank>, decoded: "/memories/recall". */
  readonly path: string;
  readonly bank: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
  readonly body: any;
  readonly bytes: number;
}

export interface Trouble {
  /** Answers so, and does nothing. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Never answers. */
  readonly hang?: boolean;
  /** Breaks the connection: before anything is done, after it was done, or in the middle of the answer. */
  readonly cut?: "before" | "after" | "half";
  /** Something else in the place of the answer. */
  readonly raw?: string;
  /** Only for these. */
  readonly on?: (request: HindsightRequest) => boolean;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const PATH = /^\/v1\/default\/banks\/([^/?]+)((?:\/[^?]*)?)$/;

export class HindsightServer extends StandIn<HindsightRequest> {
  readonly banks = new Map<string, HindsightBank>();
  trouble: Trouble | null = null;
  /** The key that it wants; null where it wants none. */
  key: string | null = null;
  /** Larger requests get a 413. */
  largest = Number.POSITIVE_INFINITY;
  /** A request that holds such an item gets a 422. */
  refuses: (item: BankItem) => boolean = () => false;
  /** At most so many of a request are taken, silently. */
  takes = Number.POSITIVE_INFINITY;
  /** Whether a bank that is not there is a 404 for writes too. */
  isStrict = false;
  /** Why it fails to process what it takes; null if it processes it. */
  fails: string | null = null;
  /** Whether it knows nothing of what it took until `learn`. */
  isLearning = false;
  readonly #unlearned: (() => void)[] = [];
  /** Whether results come with scores. */
  givesScores = true;

  get url(): string {
    return this.origin;
  }

  /** It is made where there is none. */
  bank(name: string): HindsightBank {
    const bank = this.banks.get(name) ?? new HindsightBank();
    this.banks.set(name, bank);
    return bank;
  }

  learn(): void {
    this.isLearning = false;
    for (const work of this.#unlearned.splice(0)) work();
  }

  sent(method: string, path: string): HindsightRequest[] {
    return this.requests.filter((request) => request.method === method && request.path === path);
  }

  protected override async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const taken = await read(request);
    this.record(taken);
    const trouble = this.trouble?.on?.(taken) === false ? null : this.trouble;
    if (trouble?.hang === true) return;
    if (trouble?.cut === "before") return void request.socket.destroy();
    if (trouble?.status !== undefined)
      return answerWith(response, trouble.status, trouble.body ?? { detail: "trouble" }, trouble.headers);
    const reply = this.#refusal(taken) ?? this.#answer(taken);
    if (trouble?.cut === "after") return void request.socket.destroy();
    if (trouble?.raw !== undefined) return void response.writeHead(200).end(trouble.raw);
    if (trouble?.cut === "half") {
      const text = JSON.stringify(reply.body);
      response.writeHead(reply.status, { "content-type": "application/json", "content-length": text.length });
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
      return;
    }
    answerWith(response, reply.status, reply.body);
  }

  #refusal({ headers, bytes }: HindsightRequest): Reply | null {
    if (this.key !== null && headers.authorization !== `Bearer ${this.key}`)
      return { status: 401, body: { detail: "Invalid API key" } };
    return bytes > this.largest ? { status: 413, body: "Request Entity Too Large" } : null;
  }

  #answer(request: HindsightRequest): Reply {
    const { method, path, bank: name, body } = request;
    const [, kind = "", id, verb] = path.split("/");
    const isWrite = method === "PUT" || (method === "POST" && path === "/memories" && !this.isStrict);
    if (!isWrite && !this.banks.has(name))
      return { status: 404, body: { detail: `Bank '${name}' not found` } };
    const bank = this.bank(name);
    if (method === "PUT" && path === "") {
      bank.mission = body.reflect_mission ?? bank.mission;
      return ok({ bank_id: name, name, mission: bank.mission });
    }
    if (method === "POST" && path === "/memories") return this.#retain(bank, name, body);
    if (method === "POST" && path === "/memories/recall") {
      const found = bank.recall(body);
      return ok({ results: this.givesScores ? found : found.map(({ scores: _, ...rest }) => rest) });
    }
    if (method === "POST" && path === "/reflect") {
      const memories = bank.recall(body).map(({ id, text, type }) => ({ id, text, type }));
      const based_on = body.include?.facts ? { memories, mental_models: [], directives: [] } : null;
      return ok({ text: memories.map(({ text }) => text).join(" and "), based_on });
    }
    if (method === "GET" && kind === "operations") return operation(bank, id ?? "");
    if (kind === "memories") return memory(bank, method, id ?? "", body);
    if (kind === "documents") return document(bank, name, request);
    if (kind === "mental-models") return model(bank, request, id, verb);
    return { status: 404, body: { detail: "Not Found" } };
  }

  #retain(
    bank: HindsightBank,
    name: string,
    body: { items: BankItem[]; async?: boolean; operation_id?: string },
  ): Reply {
    const { items, operation_id } = body;
    if (items.some((item) => this.refuses(item)))
      return { status: 422, body: { detail: [{ loc: ["body", "items"], msg: "not acceptable" }] } };
    const ids = items.map(({ document_id }) => document_id);
    if (body.async === true && new Set(ids).size < ids.length)
      return { status: 400, body: { detail: `Batch contains duplicate document_ids: ${ids.join()}` } };
    const taken = items.slice(0, this.takes);
    const id = operation_id ?? crypto.randomUUID();
    const known = bank.operations.get(id);
    const running = known ?? { count: taken.length, status: "pending", error: null };
    bank.operations.set(id, running);
    const process = () => {
      running.error = this.fails;
      running.status = this.fails === null ? "completed" : "failed";
      if (this.fails === null) bank.retain(taken);
    };
    if (known === undefined && this.isLearning) this.#unlearned.push(process);
    else if (known === undefined) process();
    const items_count = running.count;
    return ok({ success: true, bank_id: name, items_count, async: true, operation_id: id });
  }
}

function operation(bank: HindsightBank, operation_id: string): Reply {
  const { status, error } = bank.operations.get(operation_id) ?? { status: "not_found", error: null };
  return ok({ operation_id, status, operation_type: "retain", error_message: error });
}

function memory(
  bank: HindsightBank,
  method: string,
  id: string,
  body: { state?: "invalidated"; text?: string },
): Reply {
  const found = bank.memories.get(id);
  if (found === undefined) return { status: 404, body: { detail: "Memory not found" } };
  if (method === "PATCH" && found.observation === true)
    return { status: 400, body: { detail: "only world/experience facts can be curated" } };
  if (method === "PATCH") {
    found.state = body.state ?? found.state;
    found.text = body.text ?? found.text;
  }
  const { text, document_id, state, item } = found;
  return ok({ id, text, document_id, state, tags: item.tags ?? [] });
}

function document(bank: HindsightBank, bank_id: string, { method, path, query }: HindsightRequest): Reply {
  const id = path.slice("/documents/".length);
  if (id === "") {
    const [limit, offset] = [Number(query.get("limit") ?? 100), Number(query.get("offset") ?? 0)];
    const wanted = (query.get("q") ?? "").toLowerCase();
    const all = [...bank.documents.keys()].filter((key) => key.toLowerCase().includes(wanted)).reverse();
    const items = all.slice(offset, offset + limit).map((key) => ({ id: key, bank_id }));
    return ok({ items, total: all.length, limit, offset });
  }
  const found = bank.documents.get(id);
  if (found === undefined) return { status: 404, body: { detail: "Document not found" } };
  if (method === "DELETE") {
    const memory_units_deleted = bank.removeDocument(id) ?? 0;
    return ok({ success: true, message: "deleted", document_id: id, memory_units_deleted });
  }
  const { content, tags, metadata, context, updated_at } = found;
  return ok({
    ...{ id, bank_id, original_text: content, content_hash: null, created_at: updated_at, updated_at },
    ...{ memory_unit_count: 1, tags: tags ?? [], retain_params: { context, metadata } },
  });
}

function model(
  bank: HindsightBank,
  { method, bank: bank_id, body }: HindsightRequest,
  id?: string,
  verb?: string,
): Reply {
  if (id === undefined && method === "GET") {
    const items = [...bank.models.values()].map((one) => ({ ...one, bank_id, is_stale: false }));
    return ok({ items, total: items.length, limit: 100, offset: 0 });
  }
  if (id === undefined) {
    if (bank.models.has(body.id)) return { status: 409, body: { detail: "already exists" } };
    bank.models.set(body.id, { ...body, content: "", last_refreshed_at: null });
    return ok({ mental_model_id: body.id, operation_id: crypto.randomUUID() });
  }
  const found = bank.models.get(id);
  if (found === undefined) return { status: 404, body: { detail: "Mental model not found" } };
  if (method === "DELETE") bank.models.delete(id);
  if (verb === "refresh") {
    found.content = bank
      .recall({ query: found.source_query })
      .map(({ text }) => `- ${text}`)
      .join("\n");
    found.last_refreshed_at = "2026-03-01T12:00:00Z";
  }
  return ok({ operation_id: crypto.randomUUID(), status: "queued" });
}

function ok(body: unknown): Reply {
  return { status: 200, body };
}

async function read(request: IncomingMessage): Promise<HindsightRequest> {
  const bytes = await bodyOf(request);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const [, bank = "", path = pathname] = PATH.exec(pathname) ?? [];
  return {
    method: request.method ?? "",
    path: decodeURIComponent(path),
    bank: decodeURIComponent(bank),
    query: searchParams,
    headers: headersOf(request),
    body: bytes.byteLength === 0 ? null : JSON.parse(bytes.toString()),
    bytes: bytes.byteLength,
  };
}
