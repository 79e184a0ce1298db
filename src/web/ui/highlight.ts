/** Colours in code. highlight.js is loaded when the first code block that names its language is shown. */
import { useSyncExternalStore } from "react";
import type { highlightedHtml } from "../../util/code-languages.ts";

export type Highlight = typeof highlightedHtml;

let highlight: Highlight | null = null;
let isLoading = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** null until it is loaded. */
export function useHighlight(): Highlight | null {
  return useSyncExternalStore(subscribe, () => highlight);
}

/** Without the server, code stays plain until the next code block is shown. */
export async function loadHighlight(): Promise<void> {
  if (highlight !== null || isLoading) return;
  isLoading = true;
  const loaded = await import("../../util/code-languages.ts").catch(() => null);
  isLoading = false;
  highlight = loaded?.highlightedHtml ?? null;
  for (const listener of listeners) listener();
}
