/** The page's address: what follows "#", so that the server needs no rule for it. "#/memory/notes%2Fgpu?kind=fact" */
import { useSyncExternalStore } from "react";

export interface Route {
  /** Decoded: ["memory", "notes/gpu"]. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export function useRoute(): Route {
  return routeOf(useSyncExternalStore(onChange, () => location.hash));
}

function onChange(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").map(decoded), query: new URLSearchParams(query) };
}

/** The text itself if it isn't validly encoded. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** For `href` and `go`. Empty values are left out of the query. */
export function linkTo(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== "");
  const asked = filled.length === 0 ? "" : `?${new URLSearchParams(filled)}`;
  return `#/${path.map(encodeURIComponent).join("/")}${asked}`;
}

export function go(link: string): void {
  location.hash = link;
}

/** Changes the address without an entry in the browser's history, such as while the user types. */
export function replace(link: string): void {
  history.replaceState(null, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
