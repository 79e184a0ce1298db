/** Shared by the plugin's tests in Claude Code: a project with a memory, and tool results. */
import { join } from "node:path";
import type { ClaudeRun } from "../helpers/claude-code.ts";
import type { Answer } from "../helpers/model-server.ts";
import type { Sandbox } from "../helpers/sandbox.ts";

/** Claude Code's name for a tool of the plugin's MCP server. */
export const tool = (name: string): string => `mcp__plugin_retain_retain__${name}`;

/** The model requests a shell command. */
export function bash(command: string): Answer {
  return { calls: [{ name: "Bash", input: { command, description: "A test" } }] };
}

/** Makes the work directory a project with one fact; returns its MEMORY.md. */
export function project(sandbox: Sandbox): string {
  sandbox.ok(["init"]);
  sandbox.ok(["remember", "Staging deploys from the branch release-candidate."]);
  return join(sandbox.work, ".retain/memories/MEMORY.md");
}

/** Tool results, in order. */
export function results({ requests }: ClaudeRun): { content: string; is_error?: boolean }[] {
  const messages: { content: unknown }[] = requests.at(-1)?.body.messages ?? [];
  return messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter((part) => part.type === "tool_result")
    .map(({ content, is_error }) => ({
      content: typeof content === "string" ? content : JSON.stringify(content),
      is_error,
    }));
}

/** The tools that the model was offered. */
export const toolNames = ({ requests }: ClaudeRun): string[] =>
  (requests[0]?.body.tools ?? []).map(({ name }: { name: string }) => name);
