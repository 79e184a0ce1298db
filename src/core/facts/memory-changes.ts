/** What a turn changed in memory, and the lines under a reply that say so, for the terminal and for `--print`. */

/** A memory that a turn changed, so that the user can undo exactly that. */
export interface ChangedMemory {
  readonly id: string;
  readonly text: string;
  /** "ended": it is no longer current. "noted": a note, which can only be forgotten. */
  readonly change: "saved" | "ended" | "noted";
}

/** What a person can do about a change: a slash command, whose argument is the memory's id, and its key in a list. */
interface ChangeAction {
  readonly key: string;
  readonly label: string;
  readonly command: string;
  readonly detail: string;
}

const UNDO: ChangeAction = { key: "u", label: "Undo", command: "/undo", detail: "only this one" };

export const CHANGE_ACTIONS: Readonly<Record<ChangedMemory["change"], readonly ChangeAction[]>> = {
  saved: [UNDO, { key: "e", label: "Edit", command: "/edit", detail: "" }],
  ended: [{ ...UNDO, label: "Restore" }],
  noted: [{ key: "f", label: "Forget", command: "/forget", detail: "permanently" }],
};

export interface MemoryChanges {
  readonly saved: readonly string[];
  /** Those of `saved`, `queued` and `superseded` that are at home, for all projects, although the conversation is inside a project. */
  readonly everywhere?: readonly string[];
  /** Those of `saved` and `superseded` that others get with the project's repository. */
  readonly shared?: readonly string[];
  /** Stored here until the memory server, which is down, is back. */
  readonly queued?: readonly string[];
  readonly superseded: readonly { readonly before: string; readonly after: string }[];
  /** Facts that ended without a replacement. */
  readonly ended: readonly string[];
  /** Ids to replace or end that match no fact. */
  readonly unknown: readonly string[];
  /** Already known. */
  readonly skipped: readonly string[];
  readonly refused: readonly { readonly text: string; readonly why: string }[];
  readonly failed: readonly { readonly text: string; readonly why: string }[];
  readonly working: "unchanged" | "saved" | "cleared";
  /** The changes that can be undone one by one. */
  readonly changed?: readonly ChangedMemory[];
}

export interface MemoryLine {
  readonly tone: "done" | "minor" | "refused" | "failed";
  readonly mark: string;
  readonly label: string;
  readonly text: string;
}

/** Follows "Memory saved" where people may expect that fewer read it. */
export function forWhom({
  everywhere,
  shared,
}: {
  readonly everywhere?: boolean;
  readonly shared?: boolean;
}): string {
  if (everywhere) return " for all projects";
  return shared ? " for everyone on this project" : "";
}

/** One line for each change. */
export function memoryLines(changes: MemoryChanges): MemoryLine[] {
  const done = (label: string, text: string) => ({ tone: "done", mark: "✦", label, text }) as const;
  const refused = (label: string, text: string) => ({ tone: "refused", mark: "✗", label, text }) as const;
  const { saved, queued = [], superseded, ended, unknown, skipped, working } = changes;
  const whose = (text: string) =>
    forWhom({ everywhere: changes.everywhere?.includes(text), shared: changes.shared?.includes(text) });
  const kept = (label: string, text: string) => done(`${label}${whose(text)}`, text);
  return [
    ...saved.map((text) => kept("Memory saved", text)),
    ...queued.map((text) => kept("Memory queued", text)),
    ...superseded.map(({ before, after }) => done(`Memory replaced${whose(after)}`, `${before} → ${after}`)),
    ...ended.map((text) => done("Memory ended", text)),
    ...unknown.map((id) => refused("No such fact", id)),
    ...skipped.map((text) => ({ tone: "minor", mark: "·", label: "Already known", text }) as const),
    ...changes.refused.map(({ text, why }) => refused("Not saved", `${text} (${why})`)),
    ...changes.failed.map(
      ({ text, why }) =>
        ({ tone: "failed", mark: "✗", label: "Could not save", text: `${text} (${why})` }) as const,
    ),
    ...(working === "unchanged"
      ? []
      : [{ tone: "minor", mark: "✦", label: "Working memory", text: working } as const]),
  ];
}
