/** Lists the models of a server on this machine. Often none is running, so the timeout is short. */
import { request } from "../util/runtime.ts";
import { isLoopback } from "./providers.ts";

const PATIENCE_MS = 300;

type Fetcher = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Names of Ollama's models; empty if there is no answer in time, or not from an Ollama. `url` may be Ollama's own address or its API
 * under /v1. It never contacts another machine.
 */
export async function findOllama(url: string, fetcher: Fetcher = request): Promise<string[]> {
  const base = url.replace(/\/+$/, "").replace(/\/v1$/, "");
  const answer = await answerOf(`${base}/api/tags`, fetcher);
  return namesIn((answer as { models?: unknown } | null)?.models, "name");
}

/** Names of the models that an OpenAI-compatible server on this machine lists; empty like `findOllama`. */
export async function findServed(url: string, fetcher: Fetcher = request): Promise<string[]> {
  const answer = await answerOf(`${url}/models`, fetcher);
  return namesIn((answer as { data?: unknown } | null)?.data, "id");
}

async function answerOf(url: string, fetcher: Fetcher): Promise<unknown> {
  if (!isLoopback(url)) return null;
  try {
    const response = await fetcher(url, { redirect: "error", signal: AbortSignal.timeout(PATIENCE_MS) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function namesIn(models: unknown, field: "id" | "name"): string[] {
  if (!Array.isArray(models)) return [];
  return models
    .map((model: unknown) => (model as Record<string, unknown> | null)?.[field])
    .filter((name): name is string => typeof name === "string" && /^[^\s\p{C}]+$/u.test(name));
}
