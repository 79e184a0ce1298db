/** A stand-in for a reranking server: speaks `/rerank` as Jina, Cohere and llama.cpp document it, and as TEI does. */
import { afterThisTest } from "./clean-up.ts";

export interface RerankRequest {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: {
    readonly model?: string;
    readonly query: string;
    readonly documents?: string[];
    readonly texts?: string[];
    readonly top_n?: number;
    readonly truncate?: boolean;
  };
}

type Answer = (texts: readonly string[], request: RerankRequest) => unknown;

/** How relevant each text is to a stand-in that looks for a word: those with the word first, in the order given. */
export const prefers =
  (word: string): ((text: string) => number) =>
  (text) =>
    text.includes(word) ? 7.5 : -11.25;

/** Best first, as all of these servers answer. */
function ranked(texts: readonly string[], score: (text: string) => number) {
  return texts.map((text, index) => ({ index, value: score(text) })).sort((a, b) => b.value - a.value);
}

export const jina =
  (score: (text: string) => number): Answer =>
  (texts, { body }) => ({
    model: body.model,
    object: "list",
    usage: { prompt_tokens: 1, total_tokens: 1 },
    results: ranked(texts, score).map(({ index, value }) => ({ index, relevance_score: value })),
  });

export const tei =
  (score: (text: string) => number): Answer =>
  (texts) =>
    ranked(texts, score).map(({ index, value }) => ({ index, score: value }));

/** `answer` gives the body as JSON, a string as it is, or a whole response. */
export function rerankServer(answer: Answer): { url: string; host: string; seen: RerankRequest[] } {
  const seen: RerankRequest[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = JSON.parse(await request.text()) as RerankRequest["body"];
      const asked = {
        path: new URL(request.url).pathname,
        authorization: request.headers.get("authorization"),
        body,
      };
      seen.push(asked);
      const answered = await answer(body.documents ?? body.texts ?? [], asked);
      if (answered instanceof Response) return answered;
      return typeof answered === "string" ? new Response(answered) : Response.json(answered);
    },
  });
  afterThisTest(() => server.stop(true));
  const host = `127.0.0.1:${server.port}`;
  return { url: `http://${host}/v1`, host, seen };
}
