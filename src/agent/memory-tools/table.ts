/** All memory tools, as the chat, MCP and the library offer them. */
import type { MemoryTool } from "../memory-tool.ts";
import { contextTool } from "./context.ts";
import { deleteTool, putTool, updateTool } from "./documents-write.ts";
import { forgetTool } from "./forget.ts";
import { getTool } from "./get.ts";
import { listTool } from "./list.ts";
import { inConversation, type MemoryToolPorts, type MemoryToolsOptions } from "./ports.ts";
import { recallTool } from "./recall.ts";
import { reflectTool } from "./reflect.ts";
import { retainTool } from "./retain.ts";
import { undoTool } from "./undo.ts";

export function memoryTools(
  memory: MemoryToolPorts,
  options: MemoryToolsOptions = {},
): readonly MemoryTool[] {
  const ports = inConversation(memory, options);
  const { incognito = false, only } = options;
  const tools: MemoryTool[] = [];
  const all = [
    retainTool(ports),
    recallTool(ports),
    reflectTool(ports),
    contextTool(ports),
    putTool(ports),
    getTool(ports),
    updateTool(ports),
    deleteTool(ports),
    listTool(ports),
    forgetTool(ports),
    undoTool(ports),
  ];
  for (const tool of all.map((among) => among(tools)))
    if ((tool.readOnly || !incognito) && (only?.has(tool.name) ?? true)) tools.push(tool);
  return tools;
}
