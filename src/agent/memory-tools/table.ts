/** All memory tools, as the chat, MCP and the library offer them. */
import type { MemoryTool } from "../memory-tool.ts";
import { contextTool } from "./context.ts";
import { getTool, listTool, versionsTool } from "./documents-read.ts";
import { deleteTool, putTool, updateTool } from "./documents-write.ts";
import { editTool, forgetTool } from "./facts.ts";
import { inConversation, type MemoryToolPorts, type MemoryToolsOptions } from "./ports.ts";
import { recallTool } from "./recall.ts";
import { reflectTool } from "./reflect.ts";
import { retainTool } from "./retain.ts";
import { searchTool } from "./search.ts";

export function memoryTools(
  memory: MemoryToolPorts,
  options: MemoryToolsOptions = {},
): readonly MemoryTool[] {
  const ports = inConversation(memory, options);
  const { incognito = false, only } = options;
  const { documents } = ports;
  const tools: MemoryTool[] = [];
  const all = [
    retainTool(ports),
    recallTool(ports),
    reflectTool(ports),
    putTool(ports),
    getTool(ports),
    updateTool(ports),
    deleteTool(documents),
    listTool(documents),
    searchTool(ports),
    versionsTool(documents),
    editTool(ports),
    forgetTool(ports),
    contextTool(ports),
  ];
  for (const tool of all.map((among) => among(tools)))
    if ((tool.readOnly || !incognito) && (only?.has(tool.name) ?? true)) tools.push(tool);
  return tools;
}
