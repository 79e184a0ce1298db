/** Asks a model through the real adapter and collects its events. */
import { expect } from "bun:test";
import type { ModelEvent, ModelMessage, ModelRequest, ToolSpec } from "../../src/core/model.ts";
import { openChatModel } from "../../src/llm/chat-model.ts";
import type { ModelSpec } from "../../src/llm/spec.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { FakeTiming } from "../helpers/fake-timing.ts";
import type { ModelServer, Script } from "../helpers/model-server.ts";
import { OpenAiServer } from "../helpers/openai-server.ts";
import { type Api, KEY, specFor } from "./asking-spec.ts";

export { APIS, type Api, KEY, specFor } from "./asking-spec.ts";

export async function serve(api: Api, script: Script): Promise<AnthropicServer | OpenAiServer> {
  return (api === "anthropic" ? new AnthropicServer(script) : new OpenAiServer(script)).start();
}

export const READ: ToolSpec = {
  name: "read_file",
  description: "Reads a file.",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

export function requestOf(changes: Partial<ModelRequest> | string = {}): ModelRequest {
  const change = typeof changes === "string" ? { messages: [said(changes)] } : changes;
  return { system: "", recalled: "", messages: [said("Hello?")], tools: [], ...change };
}

export function said(text: string): ModelMessage {
  return { role: "user", text };
}

export function replied(text: string, more: object = {}): ModelMessage {
  return { role: "assistant", text, calls: [], thinking: [], ...more };
}

export interface Asked {
  readonly events: ModelEvent[];
  readonly text: string;
  readonly last: ModelEvent | undefined;
  readonly timing: FakeTiming;
}

interface AskOptions {
  readonly request?: ModelRequest;
  readonly spec?: Partial<ModelSpec>;
  readonly timing?: FakeTiming;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ModelEvent) => void;
}

export async function ask(server: ModelServer, api: Api, options: AskOptions = {}): Promise<Asked> {
  const timing = options.timing ?? new FakeTiming();
  const model = openChatModel(specFor(api, server.origin, options.spec), timing);
  const signal = options.signal ?? new AbortController().signal;
  const events: ModelEvent[] = [];
  for await (const event of model.stream(options.request ?? requestOf(), signal)) {
    events.push(event);
    options.onEvent?.(event);
  }
  expect(events.slice(0, -1).filter(({ type }) => type === "end" || type === "failure")).toEqual([]);
  expect(JSON.stringify(events)).not.toContain(KEY);
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { events, text, last: events.at(-1), timing };
}

/** The failure that a stream ended with. */
export function failureOf({ last }: Pick<Asked, "last">) {
  if (last?.type !== "failure") throw new Error(`No failure: ${JSON.stringify(last)}`);
  const { hint } = last.failure;
  return { ...last.failure, hint: hint && String(hint) };
}

export function callsOf({ events }: Asked) {
  return events.flatMap((event) => (event.type === "call" ? [event.call] : []));
}
