/** The memory tools on real files: every result is checked against the schema that its tool gives. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import type { MemoryTool, MemoryToolResult } from "../../src/agent/memory-tool.ts";
import type { MemoryToolsOptions } from "../../src/agent/memory-tools/ports.ts";
import { openRetain, type Retain, type RetainOptions } from "../../src/app.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const validator = new AjvJsonSchemaValidator();

/** What is wrong with a value by a schema; null where it fits. */
export function misfit(schema: Readonly<Record<string, unknown>>, value: unknown): string | null {
  const result = validator.getValidator(schema)(value);
  return result.valid ? null : result.errorMessage;
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
    const wrong = misfit(tool.output, result.data);
    if (wrong !== null) throw new Error(`The data of ${name} does not fit its schema: ${wrong}`);
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
