/** Changes that several parts of the view make, each with an undo. */
import type { Answer } from "../../serve/page/table.ts";
import { CallFailed, call } from "../api.ts";
import type { PAIR_CHOICES } from "../review/keys.ts";
import { toast } from "../ui/toast.tsx";
import type { NamedDocument, Opened } from "./opened-memory.ts";

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

/** Ends a fact. */
export async function end(id: string): Promise<void> {
  await showChange(call("fact-end", { id }));
}

/** Undoes a fact, and brings back those it replaced; brings back one that has ended. */
export async function withdraw(id: string): Promise<void> {
  await showChange(call("fact-withdraw", { id }));
}

async function showChange(change: Promise<Answer<"fact-end">>): Promise<void> {
  const done = await attempt(change);
  if (done === null) return;
  const { restored, undo } = done;
  const removed = done.removed === null ? [] : [done.removed];
  toast({
    message: changeOf(removed, restored),
    action: undoAction(undo, changeOf(restored, removed)),
  });
}

/** Decides a pair in doubt. */
export async function decide(
  { id }: Opened<"fact">["doubts"][number],
  { decision, done }: (typeof PAIR_CHOICES)[number],
): Promise<void> {
  const decided = await attempt(call("review-decide", { id, decision }));
  if (decided === null) return;
  toast({ message: `${done}.`, action: undoAction(decided.undo, "In doubt again.") });
}

function undoAction(undo: Answer<"fact-end">["undo"], message: string) {
  const run = async () => {
    if (undo !== null && (await attempt(call("undo", undo))) !== null) toast({ message });
  };
  return { label: "Undo", run: () => void run() };
}

type Named = Answer<"fact-end">["restored"];

function changeOf(ended: Named, current: Named): string {
  const lines = [
    ...ended.map(({ text }) => `Ended: ${text}`),
    ...current.map(({ text }) => `Current again: ${text}`),
  ];
  return lines.join(" · ");
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
