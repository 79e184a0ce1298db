/** The banks that clients use: each is a bank of the home workspace, opened at its first request. */
import type { Retain } from "../app.ts";
import { isNewName } from "../core/documents/names.ts";
import { slugify } from "../core/documents/slug.ts";
import { RetainError } from "../core/errors.ts";
import { CatchUp } from "../util/catch-up.ts";
import { sha256 } from "../util/hash.ts";
import { ApiError } from "./api/errors.ts";
import { BankFile } from "./bank-file.ts";
import { Operations } from "./operations.ts";
import { Retaining } from "./retain.ts";

export interface Bank {
  /** As the client names it. */
  readonly id: string;
  readonly retain: Retain;
  readonly file: BankFile;
  readonly operations: Operations;
  readonly retaining: Retaining;
  /** Call it after each write: embeds and refreshes mental models soon, in the background. */
  wrote(): void;
}

interface OpenBank extends Bank {
  /** Stops background work and closes the memory. */
  close(): void;
}

interface Entry {
  readonly opened: Promise<OpenBank>;
  /** Counted before the bank is open, so that it isn't closed meanwhile. */
  users: number;
}

/** Open at the same time: each holds a database and watches its directories. */
const MOST_OPEN = 32;

export class Banks {
  /** By id, the least recently used first. */
  readonly #open = new Map<string, Entry>();
  readonly #operations = new Map<string, Operations>();

  constructor(
    private readonly home: Retain,
    private readonly report: (error: Error) => void,
  ) {}

  /** Throws 422 for an id that no bank can have. */
  async use<T>(id: string, work: (bank: Bank) => Promise<T>): Promise<T> {
    const entry = this.#open.get(id) ?? { opened: this.#opened(id), users: 0 };
    this.#open.delete(id);
    this.#open.set(id, entry);
    entry.users++;
    try {
      return await work(await this.#orForget(id, entry));
    } finally {
      entry.users--;
      await this.#closeUnused();
    }
  }

  /** The ids of the banks that exist, from a to z. A bank with a damaged file is reported, and has its directory's name. */
  async list(): Promise<string[]> {
    const ids: string[] = [];
    for (const name of await this.home.banks.list()) {
      using bank = await this.home.banks.open(name);
      const file = new BankFile(bank.workspace.root);
      if (isThere({ retain: bank, file })) ids.push(this.#idIn(file) ?? name);
    }
    return ids.sort();
  }

  #idIn(file: BankFile): string | undefined {
    try {
      return file.read().bank_id;
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      this.report(error);
      return undefined;
    }
  }

  /** Closes all banks; their background work ends. */
  async close(): Promise<void> {
    const opened = [...this.#open.values()].map((entry) => entry.opened);
    for (const bank of await Promise.allSettled(opened)) if (bank.status === "fulfilled") bank.value.close();
    this.#open.clear();
  }

  async #opened(id: string): Promise<OpenBank> {
    const retain = await this.home.banks.open(directoryName(id));
    try {
      return this.#bank(id, retain);
    } catch (error) {
      retain.close();
      throw error;
    }
  }

  #bank(id: string, retain: Retain): OpenBank {
    const file = new BankFile(retain.workspace.root);
    const { bank_id = id } = file.read();
    if (bank_id !== id) throw new ApiError(409, `The name '${id}' is taken by the bank '${bank_id}'.`);
    const operations = this.#operations.get(id) ?? new Operations();
    this.#operations.set(id, operations);
    // What fails here is done at the next search or refresh.
    const catchUp = new CatchUp(
      () => upkeep(retain),
      () => {},
    );
    return {
      ...{ id, retain, file, operations },
      retaining: new Retaining(retain, () => file.create(id, retain.now())),
      wrote: () => catchUp.wrote(),
      close() {
        catchUp.stop();
        retain.close();
      },
    };
  }

  /** A bank that can't be opened now may be openable later. */
  async #orForget(id: string, entry: Entry): Promise<OpenBank> {
    try {
      return await entry.opened;
    } catch (error) {
      if (this.#open.get(id) === entry) this.#open.delete(id);
      throw error;
    }
  }

  async #closeUnused(): Promise<void> {
    for (const [id, entry] of this.#open) {
      if (this.#open.size <= MOST_OPEN) return;
      if (entry.users > 0) continue;
      const { operations, close } = await entry.opened;
      if (entry.users > 0 || operations.isBusy || this.#open.get(id) !== entry) continue;
      this.#open.delete(id);
      close();
    }
  }
}

/** A mental model without new sources costs no model call. */
async function upkeep(retain: Retain): Promise<void> {
  await retain.index.embed();
  for (const { name, state } of await retain.mentalModels.list())
    if (state === "fresh") await retain.mentalModels.refresh({ name });
}

/** Whether a client created the bank, or it has memories from elsewhere. */
export function isThere({ retain, file }: Pick<Bank, "retain" | "file">): boolean {
  return file.exists || !retain.index.isEmpty();
}

/** The id itself if it is a plain lower-case name; otherwise a readable form of it with a hash. */
function directoryName(id: string): string {
  if (isNewName("id", id) && id === id.toLowerCase()) return id;
  return `${slugify(id) || "bank"}-${sha256(id).slice(0, 12)}`;
}
