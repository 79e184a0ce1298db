/** Lists the models of an Ollama on this machine. Often none is running, so the timeout is short. */
import { isLoopback } from "./providers.ts";

const PATIENCE_MS = 300;

/**
 * Names of Ollama's models; empty if there is no answer in time, or not from an Ollama. `url` may be Ollama's own address or its API
 * under /v1. It never contacts another machine.
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
