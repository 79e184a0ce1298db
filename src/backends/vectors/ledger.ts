/**
 * What this machine has stored on a hosted index: one line for each chunk, with its number of passages, the embedding model and a
 * fingerprint of its metadata. The difference between the ledger and the local index is what is still to be sent and deleted, so
 * nothing has to be queued, and deleting `retain.db` loses nothing. It holds hashes, never text. Only the holder of the lease
 * writes it.
 *
 * A line is written before its chunk is sent, too: if the answer is lost, the chunk may be on the index, and forgetting it must
 * delete it there.
 *
 * An index may still return a vector shortly after it was deleted. So a deleted id stays in the ledger for an hour: this machine
 * must not show a forgotten memory as another machine's.
 */
import { join } from "node:path";
import { ioError } from "../../core/errors.ts";
import { isVectorId, type VectorRef } from "../../core/ports/vector-index.ts";
import { appendToFile, ensureDirectory, lstatIfThere, readIfThere, writeFileAtomic } from "../../util/fs.ts";

export interface LedgerEntry extends VectorRef {
  /** The embedding model of the vectors, or `SENDING`. */
  readonly model: string;
  /** The fingerprint of the metadata. */
  readonly about: string;
}

/** Instead of a model: sent, but not confirmed. */
export const SENDING = "sending";

const LINE = /^(\S+) (\d{1,4}) (\S+) (\S+)$/;
/** Outdated lines beyond which the file is rewritten, besides a quarter of the entries. */
const MOST_OUTDATED = 1_000;
const DELETED = "deleted@";
const DELETED_MS = 3_600_000;

/** Every method throws `io`. */
export class UploadLedger {
  readonly #path: string;

  constructor(private readonly directory: string) {
    this.#path = join(directory, "ledger");
  }

  /** By id, without deleted ones. */
  read(): Map<string, LedgerEntry> {
    return new Map([...this.#all()].filter(([, entry]) => deletedAt(entry) === null));
  }

  /** Every id that this machine has sent, including those it deleted in the last hour. */
  ids(): Set<string> {
    return new Set(this.#all().keys());
  }

  /** Durable on return. */
  add(entries: readonly LedgerEntry[]): void {
    const text = this.#text();
    const lines = entries.map(printed).join("");
    const known = parsed(text);
    const outdated = text.split("\n").length - known.size;
    if (text.endsWith("\n") && outdated <= MOST_OUTDATED + known.size / 4)
      this.#trying(() => appendToFile(this.#path, lines, Buffer.byteLength(text)));
    else this.#write([...known.values(), ...entries]);
  }

  /** Changes with the file. */
  stamp(): string {
    const { ino = 0, size = 0, mtimeMs = 0 } = this.#trying(() => lstatIfThere(this.#path)) ?? {};
    return `${ino}/${size}/${mtimeMs}`;
  }

  /** Marks them as deleted. Durable on return. */
  drop(ids: ReadonlySet<string>, now: Date): void {
    const model = `${DELETED}${now.getTime()}`;
    const old = now.getTime() - DELETED_MS;
    const rest = [...this.#all().values()].filter((entry) => (deletedAt(entry) ?? now.getTime()) > old);
    this.#write(rest.map((entry) => (ids.has(entry.id) ? { ...entry, model } : entry)));
  }

  #all(): Map<string, LedgerEntry> {
    return parsed(this.#text());
  }

  #write(entries: readonly LedgerEntry[]): void {
    this.#trying(() => {
      ensureDirectory(this.directory);
      writeFileAtomic(this.#path, entries.map(printed).join(""));
    });
  }

  #text(): string {
    return this.#trying(() => new TextDecoder().decode(readIfThere(this.#path) ?? new Uint8Array()));
  }

  #trying<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw ioError(error, `Cannot update ${this.#path}`);
    }
  }
}

/** In ms; null if it is not deleted. */
function deletedAt({ model }: LedgerEntry): number | null {
  return model.startsWith(DELETED) ? Number(model.slice(DELETED.length)) : null;
}

function printed({ id, passages, model, about }: LedgerEntry): string {
  return `${id} ${passages} ${model} ${about}\n`;
}

/** The last line of an id counts; a line that a crash cut off is ignored. */
function parsed(text: string): Map<string, LedgerEntry> {
  const entries = new Map<string, LedgerEntry>();
  for (const line of text.split("\n")) {
    const [, id, passages, model, about] = LINE.exec(line) ?? [];
    if (id !== undefined && model !== undefined && about !== undefined && isVectorId(id))
      entries.set(id, { id, passages: Number(passages), model, about });
  }
  return entries;
}
