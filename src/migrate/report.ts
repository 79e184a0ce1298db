/** What became of each thing that was found, so that nobody has to guess what was taken over and what was not. */
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

export type MigratedKind = (typeof KINDS)[number];

export interface MigratedItem {
  readonly kind: MigratedKind;
  readonly outcome: "taken" | "there" | "skipped";
  /** An id, or the text itself. */
  readonly name: string;
  /** From the directory on. */
  readonly file: string;
  /** 1-based; null where all of the file is meant. */
  readonly line: number | null;
  readonly why: string | null;
  readonly hint: string | null;
  /** Of a session that was taken over: how many messages were added. */
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
  /** What was recognised, from the directory on; "." is the directory itself. */
  readonly found: readonly { readonly kind: string; readonly path: string }[];
  /** Of each kind that there was something of. */
  readonly counts: Readonly<Partial<Record<MigratedKind, Tally>>>;
  readonly items: readonly MigratedItem[];
  /** What is no part of a memory, or says nothing: it is not taken over. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** Where something stands in the directory. */
export interface Spot {
  readonly kind: MigratedKind;
  readonly name: string;
  readonly file: string;
  readonly line?: number;
}

type Told = Partial<Pick<MigratedItem, "why" | "hint" | "messages">>;

/** Takes down what happens; every other part of a migration tells it. */
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

  /** Skipped for a reason that a person can mend. Throws what is none, and what stops everything: a full disk, a lock. */
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
