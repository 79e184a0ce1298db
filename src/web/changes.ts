/** Tells the page when memory changed, by whoever changed it: the server sends a new revision. */
import { useSyncExternalStore } from "react";

let revision = "";
let isConnected = true;
const listeners = new Set<() => void>();
let source: EventSource | null = null;

function changed(): void {
  for (const listener of listeners) listener();
}

/** Call it once the browser is logged in. A dropped connection is opened again by the browser. */
export function followChanges(): void {
  if (source !== null) return;
  source = new EventSource("/app/changes");
  source.addEventListener("revision", (event) => {
    revision = String(event.data);
    changed();
  });
  source.addEventListener("open", () => {
    isConnected = true;
    changed();
  });
  source.addEventListener("error", () => {
    isConnected = false;
    changed();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Changes whenever memory did. */
export function useRevision(): string {
  return useSyncExternalStore(subscribe, () => revision);
}

export function useIsConnected(): boolean {
  return useSyncExternalStore(subscribe, () => isConnected);
}
