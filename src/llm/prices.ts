/** Known prices: Anthropic's, in dollars per million tokens. */
import type { Usage } from "../core/model.ts";
import type { ModelSpec } from "./spec.ts";

interface Price {
  readonly input: number;
  readonly output: number;
}

/** Prices of cache writes and reads, relative to other input. */
const CACHE_WRITE = 1.25;
const CACHE_READ = 0.1;

/** A name may end in a date: "claude-haiku-4-5-20251001". */
const PRICES: readonly (readonly [name: RegExp, price: Price])[] = [
  [/^claude-haiku-4-5(?:-\d{8})?$/, { input: 1, output: 5 }],
  [/^claude-sonnet-4(?:-0|-5)?(?:-\d{8})?$/, { input: 3, output: 15 }],
  [/^claude-opus-4-5(?:-\d{8})?$/, { input: 5, output: 25 }],
  [/^claude-opus-4(?:-0|-1)?(?:-\d{8})?$/, { input: 15, output: 75 }],
];

/** Programs that run models locally. */
const FREE = new Set(["ollama", "lmstudio"]);

type Priced = Pick<ModelSpec, "provider" | "model" | "local">;

/** In dollars per million tokens; null if unknown. */
export function priceOf({ provider, model, local }: Priced): Price | null {
  if (local && FREE.has(provider)) return { input: 0, output: 0 };
  return provider === "anthropic" ? (PRICES.find(([name]) => name.test(model))?.[1] ?? null) : null;
}

/** In dollars; null if the price or the usage is unknown. */
export function costOf(spec: Priced, usage: Usage): number | null {
  if (spec.local && FREE.has(spec.provider)) return 0;
  const price = priceOf(spec);
  if (price === null || usage.input === null || usage.output === null) return null;
  const { cacheRead, cacheWrite } = { cacheRead: usage.cacheRead ?? 0, cacheWrite: usage.cacheWrite ?? 0 };
  const plain = Math.max(0, usage.input - cacheRead - cacheWrite);
  const input = (plain + cacheWrite * CACHE_WRITE + cacheRead * CACHE_READ) * price.input;
  return (input + usage.output * price.output) / 1_000_000;
}
