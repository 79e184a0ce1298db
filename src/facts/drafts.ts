/** Pending edits of memory files: each is read once and edited in memory, then all are written as one change. */
import { growthOf } from "../core/facts/bullets.ts";
import type { ChangedFile, MemoryFile, MemoryFiles } from "../core/ports/documents.ts";

interface Draft {
  readonly before: MemoryFile | null;
  after: string | null;
  /** The appended text, if appending is all that was done. */
  added: string | null;
}

export class Drafts {
  readonly #files = new Map<string, Draft>();

  constructor(private readonly files: MemoryFiles) {}

  /** "" if there is no such file. Throws like `MemoryFiles.read`. */
  read(path: string): string {
    return this.#open(path).after ?? "";
  }

  /** null removes the file. */
  write(path: string, content: string | null): void {
    const draft = this.#open(path);
    const growth = content === null ? null : growthOf(content);
    const isBehind = growth !== null && draft.added !== null && growth.from === draft.after;
    draft.added = isBehind ? draft.added + growth.by : null;
    draft.after = content;
  }

  /** Appends lines to the file; a new file starts with `head`. */
  append(path: string, lines: string, head: string): void {
    const draft = this.#open(path);
    const end = (draft.added === "" ? draft.before?.grown?.by : draft.added) ?? draft.after ?? "";
    const text = `${end === "" ? head : end.endsWith("\n") ? "" : "\n"}${lines}`;
    draft.after = (draft.after ?? "") + text;
    if (draft.added !== null) draft.added += text;
  }

  changes(): ChangedFile[] {
    return [...this.#files].flatMap(([path, { before, after, added }]) => {
      const change = { path, before: before?.content ?? null, after };
      if (before !== null && added) return { ...change, added: { size: before.stamp.size, text: added } };
      return added === "" || change.before === after ? [] : change;
    });
  }

  #open(path: string): Draft {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const before = this.files.read(path);
    const draft = { before, after: before?.content ?? null, added: before === null ? null : "" };
    this.#files.set(path, draft);
    return draft;
  }
}
