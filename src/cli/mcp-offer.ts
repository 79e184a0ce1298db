/** What the MCP server offers to clients, over any transport. */
import type { Retain } from "../app.ts";
import { messageOf } from "../core/errors.ts";
import type { Context } from "./command.ts";

/** `chat` is the chat whose memory is served; by default the project's, or "main". */
export async function mcpOffer(context: Context, retain: Retain, chat?: string) {
  const { toolsOf } = await import("../mcp/main.ts");
  const inChat = chat === undefined ? {} : { chat };
  return {
    retain,
    tools: (client: () => string) => toolsOf(retain, { ...inChat, client }),
    version: context.version,
    reportBug: (error: unknown) => context.warn((error instanceof Error && error.stack) || messageOf(error)),
    ...inChat,
  };
}
