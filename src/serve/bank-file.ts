/** bank.json in a bank's directory: what clients say about the bank itself, beyond its memories. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import { withFileLock } from "../sqlite/database/with-file-lock.ts";
import { ensureDirectory, fsyncDirectory, readIfThere, removeIfThere, writeFileAtomic } from "../util/fs.ts";
import { parseJson } from "../util/json.ts";
import { decodeUtf8 } from "../util/text.ts";
import * as z from "../util/zod.ts";

const NAME = "bank.json";

const trait = () => z.int().check(z.minimum(1), z.maximum(5));

export const DISPOSITION = z.object({ skepticism: trait(), literalism: trait(), empathy: trait() });

const DIRECTIVE = z.object({
  id: z.string(),
  name: z.string(),
  content: z.string(),
  priority: z.int(),
  is_active: z.boolean(),
  tags: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Directive = z.infer<typeof DIRECTIVE>;

/** What a mental model's file doesn't have. */
const MODEL = z.object({ name: z.string(), max_tokens: z.int(), created_at: z.string() });

const FILE = z.object({
  bank_id: z.optional(z.string()),
  name: z.optional(z.string()),
  mission: z.optional(z.string()),
  disposition: z.optional(DISPOSITION),
  created_at: z.optional(z.string()),
  updated_at: z.optional(z.string()),
  directives: z.optional(z.array(DIRECTIVE)),
  mental_models: z.optional(z.record(z.string(), MODEL)),
});
export type BankFields = z.infer<typeof FILE>;

export class BankFile {
  readonly #path: string;

  constructor(private readonly root: string) {
    this.#path = join(root, NAME);
  }

  get exists(): boolean {
    return existsSync(this.#path);
  }

  /** Throws `invalid_config` if somebody damaged it. */
  read(): BankFields {
    const bytes = readIfThere(this.#path);
    if (bytes === null) return {};
    const read = FILE.safeParse(parseJson(decodeUtf8(bytes) ?? ""));
    if (read.success) return read.data;
    throw new RetainError("invalid_config", `${this.#path} is damaged.`, "Fix its JSON, or delete the file.");
  }

  /** The first write creates the bank. */
  create(bank_id: string, now: Date): void {
    if (this.read().bank_id === undefined)
      this.change((before) => ({ bank_id, created_at: now.toISOString(), ...before }));
  }

  /** Durable on return. No other request or process can interfere. */
  change(change: (fields: BankFields) => BankFields): BankFields {
    try {
      ensureDirectory(this.root);
      return withFileLock(this.#path, () => {
        const fields = change(this.read());
        writeFileAtomic(this.#path, `${JSON.stringify(fields, null, 2)}\n`);
        fsyncDirectory(this.root);
        return fields;
      });
    } catch (error) {
      throw ioError(error, `Cannot write ${this.#path}`);
    }
  }

  remove(): void {
    removeIfThere(this.#path);
  }
}
