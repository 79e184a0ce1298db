/** Hits from the server that stores memory, without those that this machine has, too. */
import type { LocalWorkspace } from "../../backends/local.ts";
import { documentOfSource } from "../../core/memory.ts";
import type { BackendHit } from "../../core/ports/backend.ts";
import type { Fetch } from "../../recall/ports.ts";
import type { Remote } from "./remote.ts";

/** Caches hits, since building one text recalls the same question several times. `spentMs` of the time limit have already passed. */
export function fetchOnce(remote: Remote, workspaces: readonly LocalWorkspace[], spentMs: number): Fetch {
  const known = new Map<string, ReturnType<Fetch>>();
  const fetch: Fetch = async (question) => {
    const hits = await remote.fetch(question, spentMs);
    return hits.filter((hit) => !isHere(workspaces, hit));
  };
  return (question) => {
    const key = JSON.stringify(question);
    const hits = known.get(key) ?? fetch(question);
    known.set(key, hits);
    return hits;
  };
}

/** Whether it is a copy of a document or conversation. */
function isHere(workspaces: readonly LocalWorkspace[], { kind, id, session }: BackendHit): boolean {
  if (kind === "document") return workspaces.some(({ index }) => index.find(documentOfSource(id)) !== null);
  if (kind !== "message" || session === null) return false;
  return workspaces.some(({ sessions }) => sessions.session(session) !== null);
}
