/** Incognito: a client reads memory as usual, but Retain stores and counts nothing it does and refuses its writes. */
import type { MemoryTool } from "../agent/memory-tool.ts";
import type { MemoryToolsOptions } from "../agent/memory-tools/ports.ts";
import type { Retain } from "../app.ts";

export const INCOGNITO = "This session is incognito: it can read memory, but nothing is stored or changed.";

export function isIncognito({ config }: Pick<Retain, "config">): boolean {
  return config.settings.incognito;
}

/** Tools that write stay listed, so that the model learns why they refuse. */
export async function toolsOf(retain: Retain, options: MemoryToolsOptions): Promise<readonly MemoryTool[]> {
  const tools = await retain.memoryTools(options);
  if (!isIncognito(retain)) return tools;
  const reading = await retain.memoryTools({ ...options, incognito: true });
  return tools.map((tool) => reading.find(({ name }) => name === tool.name) ?? refusing(tool));
}

function refusing(tool: MemoryTool): MemoryTool {
  return { ...tool, run: async () => ({ ok: false, text: INCOGNITO, data: {}, brief: "incognito" }) };
}
