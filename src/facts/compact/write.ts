/** Writes the plan to the drafts: bullets under "Compacted memories", lines in HISTORY.md, and removed logs. */
import { type Bullet, bulletsOf, withBullet, withoutBullet, withReplaced } from "../../core/facts/bullets.ts";
import { factId } from "../../core/facts/fact-text.ts";
import type { FactAdded, FactSource, HistoryEntry } from "../../core/facts/history.ts";
import { factsPath, kindOfFile } from "../../core/facts/memory-paths.ts";
import { lastDayIn } from "../../core/facts/until.ts";
import type { MemoryFiles } from "../../core/ports/documents.ts";
import { eolOf } from "../../util/text.ts";
import type { Drafts } from "../drafts.ts";
import { appendHistory } from "../sync/history-file.ts";
import type { DueNote, Step } from "./plan.ts";

const COMPACTED = "Compacted memories";
export const MERGED = "merged by a model";

const SOURCE: FactSource = { by: "compaction", session: null, message: null, trust: "inferred", tags: [] };

export interface PlannedTier {
  readonly chat: string | null;
  readonly steps: readonly Step[];
}

/** A fact that another one replaced: a known one, or a note of the same compaction. */
export interface Replaced {
  readonly id: string;
  readonly text: string;
  readonly by: string;
  readonly why: string;
}

/** Writes the drafts and returns the replaced facts. Throws like `MemoryFiles.read`. */
export function draftPlan(
  files: MemoryFiles,
  drafts: Drafts,
  tiers: readonly PlannedTier[],
  logs: readonly string[],
  at: string,
): Replaced[] {
  const entries: HistoryEntry[] = [];
  const replaced = tiers.flatMap(({ chat, steps }) => {
    const tier = new TierDraft(files, drafts, chat, at);
    for (const step of steps) tier.take(step);
    tier.write();
    entries.push(...tier.entries);
    return tier.replaced;
  });
  appendHistory(drafts, entries);
  for (const log of logs) drafts.write(log, null);
  return replaced;
}

interface Position {
  readonly file: string;
  readonly bullet: Bullet;
}

/** The facts of the workspace or of one chat while steps are applied. */
class TierDraft {
  readonly entries: HistoryEntry[] = [];
  readonly replaced: Replaced[] = [];
  /** The bullets of each fact. */
  readonly #positions = new Map<string, Position[]>();
  /** New texts of existing bullets; null removes one. */
  readonly #edits = new Map<Position, string | null>();
  /** Texts to append, by id. */
  readonly #new = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  readonly #archived = new Set<string>();

  constructor(
    files: MemoryFiles,
    private readonly drafts: Drafts,
    private readonly chat: string | null,
    private readonly at: string,
  ) {
    const paths = files.scan().filter(({ path }) => {
      const kind = kindOfFile(path);
      return kind?.kind === "facts" && kind.chat === chat;
    });
    for (const { path } of paths)
      for (const bullet of bulletsOf(drafts.read(path))) {
        const id = factId(bullet.text, chat);
        this.#positions.set(id, [...(this.#positions.get(id) ?? []), { file: path, bullet }]);
        this.#texts.set(id, bullet.text);
      }
  }

  take(step: Step): void {
    if (step.kind === "add") this.#add(step);
    if (step.kind === "superseded" && this.#archive(step.note)) {
      const { id, text } = step.note;
      const [by, file] = ["compaction", factsPath(this.chat)];
      this.entries.push({ kind: "removed", at: this.at, id, text, file, by, supersededBy: step.by });
    }
  }

  /** The new fact goes on the line of the first old one; the other old lines are removed. */
  #add({ text, notes, since, supersedes, because }: Extract<Step, { kind: "add" }>): void {
    const id = factId(text, this.chat);
    const merged = notes.filter((note) => note.id !== id && this.#archive(note));
    const old = supersedes.map((known) => ({ id: known, text: this.#texts.get(known) ?? "" }));
    const positions = supersedes.flatMap((known) => this.#positions.get(known) ?? []);
    const [position] = positions;
    for (const known of supersedes) this.#drop(known);
    if (position === undefined) this.#new.set(id, text);
    else {
      this.#edits.set(position, text);
      this.#positions.set(id, [position]);
    }
    this.#texts.set(id, text);
    const why = because ?? (merged.length === 0 ? null : MERGED);
    this.replaced.push(...old.map((known) => ({ ...known, by: id, why: why ?? "" })));
    this.entries.push({
      ...this.#added(id, text, since),
      ...(position === undefined ? {} : { file: position.file, category: position.bullet.category }),
      supersedes: [...old, ...merged.map((note) => ({ id: note.id, text: note.text }))],
      because: why,
    });
  }

  /** Adds the note to HISTORY.md once; false if it is already there. */
  #archive({ id, text, at }: DueNote): boolean {
    if (this.#archived.has(id)) return false;
    this.#archived.add(id);
    this.entries.push(this.#added(id, text, at));
    return true;
  }

  #added(id: string, text: string, since: string): FactAdded {
    const [file, category] = [factsPath(this.chat), COMPACTED];
    const taken = { supersedes: [], because: null };
    const until = lastDayIn(text, new Date(since));
    return {
      ...{ kind: "added", at: this.at, id, text, file, category, source: SOURCE, ...taken, since },
      ...(until === null ? {} : { until }),
    };
  }

  #drop(id: string): void {
    for (const position of this.#positions.get(id) ?? []) this.#edits.set(position, null);
    this.#positions.delete(id);
    this.#new.delete(id);
  }

  write(): void {
    // From the end of a file, so that earlier positions stay valid.
    const edits = [...this.#edits].sort(([a], [b]) => b.bullet.start - a.bullet.start);
    for (const [{ file, bullet }, text] of edits) {
      const content = this.drafts.read(file);
      const edited = text === null ? withoutBullet(content, bullet) : withReplaced(content, bullet, text);
      this.drafts.write(file, edited);
    }
    if (this.#new.size === 0) return;
    const path = factsPath(this.chat);
    const content = this.drafts.read(path);
    const bullets = [...this.#new.values()].join(`${eolOf(content)}- `);
    this.drafts.write(path, withBullet(content, bullets, COMPACTED));
  }
}
