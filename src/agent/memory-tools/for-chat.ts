/**
 * The memory tools as chat tools: planned first, then run. Changes that can be undone need no approval; removals do, and permanent
 * ones need it in every mode.
 */
import { RetainError } from "../../core/errors.ts";
import { lowerFirst, truncate } from "../../util/text.ts";
import type { MemoryTool, MemoryToolResult } from "../memory-tool.ts";
import type { Tool, ToolPlan } from "../tool.ts";
import { visible, visibleLine } from "../tools/visible.ts";

/** The chat's model gets the context anyway. */
const NOT_OFFERED: ReadonlySet<string> = new Set(["context"]);

export function chatMemoryTools(tools: readonly MemoryTool[]): Tool[] {
  return tools.filter(({ name }) => !NOT_OFFERED.has(name)).map(chatTool);
}

function chatTool(tool: MemoryTool): Tool {
  const { name, description, schema, commands } = tool;
  return {
    ...{ name, description, schema, ...(commands !== undefined && { commands }) },
    async plan(input) {
      const wrong = tool.check(input);
      if (wrong !== null) throw new RetainError("invalid_input", wrong);
      return {
        summary: `${lowerFirst(tool.title)}${briefInput(input)}`,
        outside: false,
        pattern: null,
        denied: null,
        ...(await approvalOf(tool, input)),
        run: async (signal) => outcomeOf(await tool.run(input, signal)),
      };
    },
  };
}

type Approval = Pick<ToolPlan, "reach" | "preview" | "caution">;

async function approvalOf(tool: MemoryTool, input: unknown): Promise<Approval> {
  if (tool.effect !== "remove") return { reach: "memory", preview: null };
  if (!takesConfirmation(tool)) return { reach: "write", preview: null };
  // Without confirmation it only shows what would be removed.
  if (!isConfirmed(input)) return { reach: "memory", preview: null };
  const { confirm: _, ...asked } = input;
  const { text, data } = await tool.run(asked, new AbortController().signal);
  if (!isWaiting(data)) return { reach: "memory", preview: null };
  return {
    reach: "write",
    preview: { kind: "text", text: visible(text) },
    ...(tool.caution !== undefined && { caution: tool.caution }),
  };
}

function takesConfirmation({ schema: { properties = {} } }: MemoryTool): boolean {
  return "confirm" in properties;
}

function isConfirmed(input: unknown): input is { readonly confirm: unknown } {
  return typeof input === "object" && input !== null && "confirm" in input && Boolean(input.confirm);
}

/** Whether a confirmed call would remove something. */
function isWaiting({ error }: MemoryToolResult["data"]): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "unconfirmed";
}

function outcomeOf({ ok, text, brief }: MemoryToolResult) {
  return { ok, output: text, brief: visibleLine(brief ?? (ok ? "done" : "failed")) };
}

const LONGEST_BRIEF = 80;

/** The most telling part of the input: the query, the id, or the first text. */
function briefInput(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const { query, id, title, items, content } = input as Readonly<Record<string, unknown>>;
  const list = Array.isArray(items) ? items : [];
  const said = [query, id, title, list[0]?.content, content].find((one) => typeof one === "string");
  if (said === undefined) return "";
  const more = list.length > 1 ? ` and ${list.length - 1} more` : "";
  return `: ${visibleLine(truncate(said, LONGEST_BRIEF))}${more}`;
}
