/** Scores from a server with a `/rerank` endpoint: Jina, Cohere, llama.cpp, or TEI, which names the fields differently. */
import type { Reranker } from "../../core/ports/documents.ts";
import { JsonServer, PassingFailure } from "../json-server.ts";
import { requireAddress } from "../open.ts";
import { readScores } from "./answer.ts";

interface RerankSettings {
  readonly rerank: "none" | "endpoint" | "tei";
  readonly rerank_url: string;
  readonly rerank_model: string;
  readonly rerank_timeout_ms: number;
  readonly rerank_key: string;
}

/** null if reranking is off. Throws `invalid_config` if the address is missing. */
export function openReranker(settings: RerankSettings): Reranker | null {
  if (settings.rerank === "none") return null;
  const { rerank_url: url, rerank_key: key } = settings;
  requireAddress(url, "rerank", "rerank_url", "http://localhost:8080/v1");
  const server = new JsonServer(
    { url, key },
    { name: "reranking server", code: "remote", setting: "rerank_url", path: "/rerank" },
  );
  return { score: (query, texts) => askForScores(server, settings, query, texts) };
}

async function askForScores(
  server: JsonServer,
  { rerank, rerank_model: model, rerank_timeout_ms: timeoutMs }: RerankSettings,
  query: string,
  texts: readonly string[],
): Promise<number[]> {
  const request =
    rerank === "tei"
      ? // Without `truncate`, TEI refuses all of them if one is too long for its model.
        { query, texts, truncate: true }
      : { ...(model !== "" && { model }), query, documents: texts, top_n: texts.length };
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const { response, body } = await server.post(request, deadline);
    if (!response.ok)
      throw server.problem(
        `it answered ${response.status}${server.quote(body)}`,
        "Check `rerank_url`, `rerank_model` and the key.",
      );
    const read = readScores(body, texts.length);
    if ("problem" in read)
      throw server.problem(read.problem, "Check that `rerank_url` is the base URL of a reranking API.");
    return read.scores;
  } catch (error) {
    if (!(error instanceof PassingFailure)) throw error;
    throw server.problem(
      deadline.aborted ? `no response within ${timeoutMs} ms` : error.message,
      "Check that the server is running, or raise `rerank_timeout_ms`.",
    );
  }
}
