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
  readonly outcome: "taken" | "there" | "skipped";
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
  readonly taken: number;
  readonly there: number;
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

/** The position of an item in the directory. */
export interface Spot {
  readonly kind: MigratedKind;
  readonly name: string;
  readonly file: string;
  readonly line?: number;
}

type Told = Partial<Pick<MigratedItem, "why" | "hint" | "messages">>;

/** Collects the outcomes. */
export class Telling {
  readonly items: MigratedItem[] = [];
  readonly left: { path: string; why: string }[] = [];

  taken(spot: Spot, told: Told = {}): void {
    this.#tell("taken", spot, told);
  }

  there(spot: Spot, why: string | null = null): void {
    this.#tell("there", spot, { why });
  }

  skipped(spot: Spot, why: string, hint: string | null = null): void {
    this.#tell("skipped", spot, { why, hint });
  }

  /** Records an error that the user can fix as skipped. Rethrows others, and those that stop everything: a full disk, a lock. */
  failed(spot: Spot, error: unknown): void {
    if (!(error instanceof RetainError) || error.code === "io" || error.code === "locked") throw error;
    this.skipped(spot, messageOf(error), error.hint ?? null);
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

  #tell(outcome: MigratedItem["outcome"], { kind, name, file, line }: Spot, told: Told): void {
    const nothing = { why: null, hint: null };
    this.items.push({
      kind,
      outcome,
      name: truncate(name, LONGEST_NAME),
      file,
      line: line ?? null,
      ...nothing,
      ...told,
    });
  }
}

const LONGEST_NAME = 200;

function tallyOf(kind: MigratedKind, items: readonly MigratedItem[]): Tally {
  const count = (outcome: MigratedItem["outcome"]) => items.filter((item) => item.outcome === outcome).length;
  const tally = { taken: count("taken"), there: count("there"), skipped: count("skipped") };
  if (kind !== "sessions") return tally;
  return { ...tally, messages: items.reduce((sum, { messages = 0 }) => sum + messages, 0) };
}
