/** Memory files as they are about to be: read once, edited in memory, then changed all together. */
import type { ChangedFile, MemoryFiles } from "../core/ports.ts";

export class Drafts {
  readonly #files = new Map<string, { before: string | null; after: string | null }>();

  constructor(private readonly files: MemoryFiles) {}

  /** "" where there is no such file. Throws as `MemoryFiles.read`. */
  read(path: string): string {
    return this.#open(path).after ?? "";
  }

  /** null removes the file. */
  write(path: string, content: string | null): void {
    this.#open(path).after = content;
  }

  changes(): ChangedFile[] {
    return [...this.#files]
      .filter(([, { before, after }]) => before !== after)
      .map(([path, states]) => ({ path, ...states }));
  }

  #open(path: string): { before: string | null; after: string | null } {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const before = this.files.read(path)?.content ?? null;
    const draft = { before, after: before };
    this.#files.set(path, draft);
    return draft;
  }
}
