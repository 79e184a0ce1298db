/** Builds the model request: the stable part goes first, so that it is cached; recalled memories go next to the newest message. */
import type { AssembledContext } from "../context/parts.ts";
import { tokensOf } from "../context/tokens.ts";
import type { ModelMessage, ModelRequest, ToolSpec, Usage } from "../core/model.ts";
import type { GivenPart } from "../core/sessions/conversation.ts";
import type { ChatEvent } from "./events.ts";

export function requestOf(
  { text, stable_length }: AssembledContext,
  skills: string,
  messages: readonly ModelMessage[],
  tools: readonly ToolSpec[],
): ModelRequest {
  const stable = text.slice(0, stable_length);
  return {
    system: skills === "" ? stable : `${stable}\n\n${skills}`,
    recalled: text
      .slice(stable_length)
      .replace(/^\s*-{3}\s*/, "")
      .trim(),
    messages,
    tools: tools.map(({ name, description, schema }) => ({ name, description, schema })),
  };
}

/** The included parts, as they are stored with the reply. */
export function givenParts({ parts }: AssembledContext, skills: string): GivenPart[] {
  const given = parts
    .filter(({ included }) => included)
    .map(({ name, title, tokens, memories, scores }) => ({
      ...{ name, title, tokens },
      ...(memories && { memories }),
      ...(scores && { scores: scores.map(asStored) }),
    }));
  return skills === "" ? given : [...given, { name: "skills", title: "Skills", tokens: tokensOf(skills) }];
}

/** Three digits are enough to compare scores. */
export function asStored(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}

export function contextEvent(parts: readonly GivenPart[], tokens: number): ChatEvent {
  const recalled = parts.reduce((sum, { memories = [] }) => sum + memories.length, 0);
  return { type: "context", parts, tokens, recalled };
}

/** An estimate. */
export function tokensOfRequest({ system, recalled, messages, tools }: ModelRequest): number {
  return sizeOf([system, recalled]) + tokensOfMessages(messages) + tokensOfTools(tools);
}

/** An estimate. */
export function tokensOfMessages(messages: readonly ModelMessage[]): number {
  const said = messages.flatMap((message): string[] => {
    if (message.role === "user") return [message.text];
    if (message.role === "tool") return message.results.map(({ output }) => output);
    return [message.text, ...message.calls.map(({ input }) => JSON.stringify(input) ?? "")];
  });
  return sizeOf(said);
}

/** An estimate. */
export function tokensOfTools(tools: readonly ToolSpec[]): number {
  return sizeOf(tools.map(({ name, description, schema }) => JSON.stringify({ name, description, schema })));
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + tokensOf(text), 0);
}

export const NO_USAGE: Usage = { input: null, output: null, cacheRead: null, cacheWrite: null };

export function addUsage(a: Usage, b: Usage): Usage {
  const sum = (x: number | null, y: number | null) => (x === null && y === null ? null : (x ?? 0) + (y ?? 0));
  return {
    input: sum(a.input, b.input),
    output: sum(a.output, b.output),
    cacheRead: sum(a.cacheRead, b.cacheRead),
    cacheWrite: sum(a.cacheWrite, b.cacheWrite),
  };
}
