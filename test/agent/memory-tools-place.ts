/** The memory tools on real files. Checks that each result's text is complete. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import type { MemoryTool, MemoryToolResult } from "../../src/agent/memory-tool.ts";
import type { MemoryToolsOptions } from "../../src/agent/memory-tools/ports.ts";
import type { RetainOptions } from "../../src/app/retain-options.ts";
import { openRetain, type Retain } from "../../src/app.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const validator = new AjvJsonSchemaValidator();

/** Why a value doesn't match a schema; null if it does. */
export function misfit(schema: Readonly<Record<string, unknown>>, value: unknown): string | null {
  const result = validator.getValidator(schema)(value);
  return result.valid ? null : result.errorMessage;
}

/** The data fields that a model needs for its next call. */
const NEEDED: ReadonlySet<string> = new Set([
  ...["id", "by", "version", "etag", "kept_version", "also_in"],
  ...["why", "code", "message", "notices"],
]);

/** Values of those fields that are missing in the text. */
function untold(data: unknown, text: string, key = ""): string[] {
  if (typeof data === "object" && data !== null)
    return Object.entries(data).flatMap(([name, value]) =>
      untold(value, text, Array.isArray(data) ? key : name),
    );
  if (!NEEDED.has(key) || data === null) return [];
  return text.includes(String(data).replace(/\.$/, "")) ? [] : [`${key}: ${data}`];
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever a tool gives
export type Called = Omit<MemoryToolResult, "data"> & { readonly data: any };

export class ToolPlace {
  readonly retain: Retain;

  constructor(
    readonly sandbox = new Sandbox(),
    options: RetainOptions = {},
  ) {
    this.retain = openRetain({
      cwd: sandbox.work,
      homeDirectory: sandbox.home,
      env: sandbox.env(),
      settings: { embedding: "none" },
      ...options,
    });
    afterThisTest(() => this.retain.close());
  }

  async tool(name: string, options?: MemoryToolsOptions): Promise<MemoryTool> {
    const found = (await this.retain.memoryTools(options)).find((tool) => tool.name === name);
    if (found === undefined) throw new Error(`There is no tool ${name}`);
    return found;
  }

  async call(name: string, input: unknown, options?: MemoryToolsOptions): Promise<Called> {
    const tool = await this.tool(name, options);
    const result = await tool.run(input, new AbortController().signal);
    const lacking = untold(result.data, result.text);
    if (lacking.length > 0)
      throw new Error(`The text of ${name} does not tell ${lacking.join(", ")}:\n${result.text}`);
    return result;
  }

  /** How often each memory of the home workspace was recalled. */
  recalls(): Record<string, number> {
    using database = new Database(join(this.sandbox.memory, "retain.db"), { readonly: true });
    const rows = database.query<{ source: string; count: number }, []>("SELECT source, count FROM recalls");
    return Object.fromEntries(rows.all().map(({ source, count }) => [source, count]));
  }
}

export const SECRET = `ghp_${"a1B2".repeat(9)}`;
