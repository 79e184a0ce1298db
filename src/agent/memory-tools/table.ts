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

/** In an incognito conversation, only tools that change nothing. */
export function memoryTools(all: MemoryToolPorts, options: MemoryToolsOptions = {}): readonly MemoryTool[] {
  const ports = inConversation(all, options);
  const { documents } = ports;
  const tools = [
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
  return options.incognito ? tools.filter(({ readOnly }) => readOnly) : tools;
}
