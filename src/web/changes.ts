/** Notifies the page of every change to memory: the server sends a new revision. */
import { useSyncExternalStore } from "react";
import { CallFailed, call } from "./api.ts";

let revision = "";
/** How often the stream was opened. A server that was restarted counts its revisions from the start. */
let connections = 0;
let isConnected = true;
const listeners = new Set<() => void>();
let source: EventSource | null = null;

function changed(): void {
  for (const listener of listeners) listener();
}

/** The browser gives up if the server answers with an error, as while it starts. */
const REOPEN_MS = 3_000;

/**
 * Call it once the browser is logged in. A dropped connection is opened again. A hidden tab has none, since browsers allow only six
 * for all tabs together; when it is shown, it asks for everything again.
 */
export function followChanges(): void {
  if (source !== null) return;
  document.addEventListener("visibilitychange", onVisibility);
  open();
}

function onVisibility(): void {
  if (document.visibilityState === "hidden") source?.close();
  else if (source?.readyState === EventSource.CLOSED) open();
}

function open(): void {
  source?.close();
  source = new EventSource("/app/changes");
  source.addEventListener("revision", (event) => {
    revision = `${connections}.${event.data}`;
    changed();
  });
  source.addEventListener("open", () => {
    isConnected = true;
    connections++;
    changed();
  });
  source.addEventListener("error", ({ target }) => {
    isConnected = false;
    // Not after a mere loss of the connection: then the browser itself tries again.
    if ((target as EventSource).readyState === EventSource.CLOSED) setTimeout(reopen, REOPEN_MS);
    changed();
  });
}

async function reopen(): Promise<void> {
  try {
    await call("hello", {});
    open();
  } catch (error) {
    // Without a login, the page asks for one, and follows changes after that.
    if (error instanceof CallFailed && error.code === "login") source = null;
    else setTimeout(reopen, REOPEN_MS);
  }
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
