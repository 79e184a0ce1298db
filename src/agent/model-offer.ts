/** A model that the chat offers, in words. */
import type { ModelOffer } from "./ports.ts";

/** "$1 in, $5 out per million tokens, 200k context, ANTHROPIC_API_KEY". */
export function offerInWords({ detail, price, contextTokens }: ModelOffer): string {
  const cost = price === null ? [] : [priceInWords(price)];
  return [...cost, contextInWords(contextTokens), detail].join(", ");
}

export function contextInWords(tokens: number): string {
  return `${Math.round(tokens / 1000)}k context`;
}

function priceInWords({ input, output }: NonNullable<ModelOffer["price"]>): string {
  return input + output === 0 ? "free" : `$${input} in, $${output} out per million tokens`;
}
