/** Asks an Ollama on this machine which models it has. Nobody answering is a usual thing, and must not take long. */
import { isLoopback } from "./providers.ts";

const PATIENCE_MS = 300;

/**
 * Their names, as Ollama has them; none where nobody answers in time, or what answers is no Ollama. `url` may be Ollama's
 * own address or that of its API under /v1. Hosts other than this machine are not asked.
 */
export async function findOllama(
  url: string,
  fetcher: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<string[]> {
  if (!isLoopback(url)) return [];
  try {
    const address = `${url.replace(/\/+$/, "").replace(/\/v1$/, "")}/api/tags`;
    const response = await fetcher(address, {
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return response.ok ? namesIn(await response.json()) : [];
  } catch {
    return [];
  }
}

function namesIn(answer: unknown): string[] {
  const models = (answer as { models?: unknown } | null)?.models;
  if (!Array.isArray(models)) return [];
  return models
    .map((model: unknown) => (model as { name?: unknown } | null)?.name)
    .filter((name): name is string => typeof name === "string" && /^[^\s\p{C}]+$/u.test(name));
}
