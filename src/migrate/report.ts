/** The outcome of each item found. */
import { messageOf, RetainError } from "../core/errors.ts";
import { truncate } from "../util/text.ts";

export const KINDS = [
  "sessions",
  "facts",
  "notes",
  "files",
  "working memory",
  "instructions",
  "documents",
] as const;

type MigratedKind = (typeof KINDS)[number];

export interface MigratedItem {
  readonly kind: MigratedKind;
  readonly outcome: "imported" | "existing" | "skipped";
  /** An id or the text. */
  readonly name: string;
  /** Relative to the directory. */
  readonly file: string;
  /** 1-based; null for the whole file. */
  readonly line: number | null;
  readonly why: string | null;
  readonly hint: string | null;
  /** For an imported session: the number of messages added. */
  readonly messages?: number;
}

export interface Tally {
  readonly imported: number;
  readonly existing: number;
  readonly skipped: number;
  readonly messages?: number;
}

export interface MigrationReport {
  readonly directory: string;
  readonly workspace: string;
  readonly dry_run: boolean;
  /** The recognised parts, relative to the directory ("."). */
  readonly found: readonly { readonly kind: string; readonly path: string }[];
  /** For each kind with items. */
  readonly counts: Readonly<Partial<Record<MigratedKind, Tally>>>;
  readonly items: readonly MigratedItem[];
  /** Files that are empty or not part of a memory. Not imported. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** An item and its position in the directory. */
export interface ItemRef {
  readonly kind: MigratedKind;
  readonly name: string;
  readonly file: string;
  readonly line?: number;
}

type Detail = Partial<Pick<MigratedItem, "why" | "hint" | "messages">>;

/** Collects the outcomes. */
export class Outcomes {
  readonly items: MigratedItem[] = [];
  readonly left: { path: string; why: string }[] = [];

  imported(item: ItemRef, detail: Detail = {}): void {
    this.#record("imported", item, detail);
  }

  existing(item: ItemRef, why: string | null = null): void {
    this.#record("existing", item, { why });
  }

  skipped(item: ItemRef, why: string, hint: string | null = null): void {
    this.#record("skipped", item, { why, hint });
  }

  /** Records an error that the user can fix as skipped. Rethrows others, and those that stop everything: a full disk, a lock. */
  failed(item: ItemRef, error: unknown): void {
    if (!(error instanceof RetainError) || error.code === "io" || error.code === "locked") throw error;
    this.skipped(item, messageOf(error), error.hint ?? null);
  }

  leave(path: string, why: string): void {
    this.left.push({ path, why });
  }

  counts(): MigrationReport["counts"] {
    const counted = KINDS.flatMap((kind) => {
      const items = this.items.filter((item) => item.kind === kind);
      return items.length === 0 ? [] : [[kind, tallyOf(kind, items)] as const];
    });
    return Object.fromEntries(counted);
  }

  #record(outcome: MigratedItem["outcome"], { kind, name, file, line }: ItemRef, detail: Detail): void {
    const nothing = { why: null, hint: null };
    this.items.push({
      kind,
      outcome,
      name: truncate(name, LONGEST_NAME),
      file,
      line: line ?? null,
      ...nothing,
      ...detail,
    });
  }
}

const LONGEST_NAME = 200;

function tallyOf(kind: MigratedKind, items: readonly MigratedItem[]): Tally {
  const count = (outcome: MigratedItem["outcome"]) => items.filter((item) => item.outcome === outcome).length;
  const tally = { imported: count("imported"), existing: count("existing"), skipped: count("skipped") };
  if (kind !== "sessions") return tally;
  return { ...tally, messages: items.reduce((sum, { messages = 0 }) => sum + messages, 0) };
}
