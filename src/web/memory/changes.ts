/** Changes that several parts of the view make, each with a way back. */
import { CallFailed, call } from "../api.ts";
import { toast } from "../ui/toast.tsx";
import type { NamedDocument } from "./shown.ts";

/** Runs a change. A failure becomes a message, and the answer null. */
export async function attempt<T>(change: Promise<T>): Promise<T | null> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    toast({ message: [error.message, error.hint].filter(Boolean).join(" ") });
    return null;
  }
}

/** Ends a fact, and brings back those it replaced; brings back one that has ended. */
export async function withdraw(id: string): Promise<void> {
  const done = await attempt(call("fact-withdraw", { id }));
  if (done === null) return;
  const { removed, restored } = done;
  const lines = [
    ...(removed === null ? [] : [`Ended: ${removed.text}`]),
    ...restored.map(({ text }) => `Current again: ${text}`),
  ];
  const back = removed ?? restored[0];
  toast({
    message: lines.join(" · "),
    action: back === undefined ? undefined : { label: "Undo", run: () => void withdraw(back.id) },
  });
}

/** Brings back a version of a document; without one, the document after it was deleted. */
export async function restore(named: NamedDocument, version?: string): Promise<void> {
  const done = await attempt(call("document-restore", { ...named, version }));
  if (done === null) return;
  // The state before is now the newest version that isn't current.
  const past = version === undefined ? null : await attempt(call("document-versions", named));
  const previous = past?.versions.find(({ current }) => !current)?.version;
  toast({
    message: version === undefined ? `Restored ${named.id}.` : `Restored ${version} of ${named.id}.`,
    action: previous === undefined ? undefined : { label: "Undo", run: () => void restore(named, previous) },
  });
}
