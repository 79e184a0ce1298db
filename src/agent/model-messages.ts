/** Converts a stored conversation for the model, and for display when it is resumed. */
import { fenced } from "../context/fence.ts";
import type { ModelMessage, ToolCall, ToolResult } from "../core/model.ts";
import { answeredMessages, type Message, shownMessages } from "../core/sessions/conversation.ts";
import { shownText } from "../sessions/prose.ts";
import { fencedFile, shownFile } from "./attachments/attachments.ts";
import type { PastCall, PastMessage } from "./events.ts";

const SUMMARY_TITLE = "The earlier part of this conversation, summarised";

/** The newest summary, and all messages after the ones it replaces, without failed ones. */
export function sinceCompaction(messages: readonly Message[]): {
  summary: Message | null;
  messages: readonly Message[];
} {
  const summary = messages.findLast(({ details }) => details.compactsTo !== undefined) ?? null;
  const after = summary?.details.compactsTo ?? Number.NEGATIVE_INFINITY;
  return {
    summary,
    messages: answeredMessages(messages).filter(({ id, role }) => id > after && role !== "system"),
  };
}

/** As stored. src/llm pairs calls and results before it sends them. */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  const since = sinceCompaction(messages);
  const summary = since.summary === null ? [] : [summaryMessage(since.summary.content)];
  return [...summary, ...since.messages.flatMap(toModelMessage)];
}

function toModelMessage({ role, content, details }: Message): ModelMessage[] {
  const { calls = [], files = [], thinking = [], results = [] } = details;
  switch (role) {
    case "user":
      return [{ role, text: [content, ...files.map(fencedFile)].join("\n\n") }];
    case "assistant":
      return [{ role, text: content, calls, thinking }];
    case "tool":
      return [{ role, results: results.map((result) => withReason(result, content)) }];
    case "system":
      return [];
  }
}

function withReason({ id, name, ok, output }: ToolResult, reason: string): ToolResult {
  return { id, name, ok, output: reason === "" ? output : `The user denied it and says: ${reason}` };
}

/** Fenced, because a model wrote the summary: the next model must not take it for the user's words. */
function summaryMessage(summary: string): ModelMessage {
  return { role: "user", text: fenced(SUMMARY_TITLE, summary) };
}

export function toPast(messages: readonly Message[]): PastMessage[] {
  const results = new Map(
    messages.flatMap(({ content, details: { results = [] } }) =>
      results.map((result) => [result.id, { ...result, reason: content }]),
    ),
  );
  const newest = new Set([...results.keys()].slice(-SHOWN_CALLS));
  return shownMessages(messages).flatMap(({ role, content, timestamp, details }): PastMessage[] => {
    if (role === "tool" || (role === "system" && details.compactsTo === undefined)) return [];
    const tools = (details.calls ?? []).map((call) =>
      pastCall(call, results.get(call.id), newest.has(call.id)),
    );
    const text = role === "assistant" ? shownText({ role, content, details }) : content;
    const shown = role === "system" ? "summary" : role;
    const files = details.files?.map(shownFile);
    return [
      {
        ...{ role: shown, text, at: timestamp, tools, interrupted: details.interrupted ?? false },
        ...(files && { files }),
        ...(details.context && { context: details.context }),
        ...(details.failed && { failed: true }),
      },
    ];
  });
}

/** Of how many calls the user can see the output after resuming. */
const SHOWN_CALLS = 50;

function pastCall(
  { name, input }: ToolCall,
  result: (ToolResult & { readonly reason: string }) | undefined,
  isNew: boolean,
): PastCall {
  const summary = `${name} ${briefInput(input)}`.trim();
  if (result === undefined) return { name, summary, ok: false, brief: "", shown: null };
  const { ok, brief = "", reason, output, diff } = result;
  const shown =
    diff === undefined ? ({ kind: "text", text: output } as const) : ({ kind: "diff", text: diff } as const);
  return {
    ...{ name, summary, ok },
    brief: reason === "" ? brief : `${brief}: ${reason}`,
    shown: isNew ? shown : null,
  };
}

const LONGEST_BRIEF = 60;

/** The first value of an input says most: a path, a command. */
function briefInput(input: unknown): string {
  const values = typeof input === "object" && input !== null ? Object.values(input) : [input];
  const [first] = values;
  const text = (typeof first === "string" ? first : (JSON.stringify(first) ?? "")).replace(/\s+/g, " ");
  return text.length > LONGEST_BRIEF ? `${text.slice(0, LONGEST_BRIEF - 1)}…` : text;
}
