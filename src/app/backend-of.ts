/** Chooses the memory backend: remote, local or off. */
import { OffBackend } from "../backends/off.ts";
import type { MemoryBackend } from "../core/ports/backend.ts";
import { Documents } from "./documents.ts";
import { LocalBackend, type LocalVerbs } from "./local-backend.ts";
import type { Wiring } from "./wiring.ts";

export async function backendOf(wiring: Wiring, verbs: LocalVerbs): Promise<MemoryBackend> {
  if (wiring.remote !== null) return wiring.remote.backend();
  if (wiring.isOff) return new OffBackend();
  // The backend is one workspace: it doesn't see the home workspace's documents from inside a project.
  const documents = new Documents(
    () => wiring.documentPorts(wiring.local),
    () => [],
    async () => {},
  );
  return new LocalBackend(verbs, documents, wiring.local);
}
