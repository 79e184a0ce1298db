/** A stand-in for Anthropic's API: POST /v1/messages, streamed as documented. */
import { type Answer, ModelServer, piecesOfInput, piecesOfText, type ScriptedCall } from "./model-server.ts";

export type { Answer, RecordedRequest, Script } from "./model-server.ts";

export class AnthropicServer extends ModelServer {
  /** What ANTHROPIC_BASE_URL is to be. */
  get url(): string {
    return this.origin;
  }

  protected override errorEvent(error: { type: string; message: string }): string {
    return event({ type: "error", error });
  }

  protected override events(answer: Answer, number: number): string[] {
    const { thinking, calls = [], usage = {}, stop } = answer;
    const { input = 10, output = 5, cacheRead = 0, cacheWrite = 0 } = usage;
    const words = piecesOfText(answer);
    const blocks = [
      ...(thinking === undefined ? [] : [thinkingBlock(thinking, number)]),
      ...(words.length === 0 ? [] : [textBlock(words)]),
      ...calls.map((call, index) => callBlock(call, `toolu_${number}_${index + 1}`)),
    ];
    const message = {
      id: `msg_${number}`,
      type: "message",
      role: "assistant",
      model: "claude-stand-in",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: input,
        cache_creation_input_tokens: cacheWrite,
        cache_read_input_tokens: cacheRead,
        output_tokens: 1,
      },
    };
    const reason = stop ?? (calls.length > 0 ? "tool_use" : "end_turn");
    return [
      event({ type: "message_start", message }),
      event({ type: "ping" }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        event({ type: "content_block_start", index, content_block: start }),
        ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
        event({ type: "content_block_stop", index }),
      ]),
      event({
        type: "message_delta",
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: output },
      }),
      event({ type: "message_stop" }),
    ];
  }
}

interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
}

function textBlock(words: readonly string[]): Block {
  return {
    start: { type: "text", text: "" },
    deltas: words.map((text) => ({ type: "text_delta", text })),
  };
}

function thinkingBlock(thinking: string, number: number): Block {
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...piecesOfText({ text: thinking }).map((piece) => ({ type: "thinking_delta", thinking: piece })),
      { type: "signature_delta", signature: `signature-${number}` },
    ],
  };
}

function callBlock(call: ScriptedCall, id: string): Block {
  return {
    start: { type: "tool_use", id: call.id ?? id, name: call.name, input: {} },
    deltas: ["", ...piecesOfInput(call)].map((partial_json) => ({ type: "input_json_delta", partial_json })),
  };
}

function event(data: { readonly type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
