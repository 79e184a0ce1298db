/**
 * A stand-in for servers that speak OpenAI's chat completions: POST /v1/chat/completions, streamed as documented. With models
 * of its own it answers as an Ollama does: GET /api/tags.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Answer,
  ModelServer,
  piecesOfInput,
  piecesOfText,
  type Script,
  type ScriptedCall,
} from "./model-server.ts";

export type { Answer, RecordedRequest, Script } from "./model-server.ts";

export class OpenAiServer extends ModelServer {
  constructor(
    script: Script,
    private readonly models: readonly string[] = [],
  ) {
    super(script);
  }

  /** What OPENAI_BASE_URL, or an endpoint's address, is to be. OLLAMA_HOST is `origin`. */
  get url(): string {
    return `${this.origin}/v1`;
  }

  protected override get(request: IncomingMessage, response: ServerResponse): void {
    const models = this.models.map((name) => ({ name, model: name, size: 1 }));
    if (request.url === "/api/tags")
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ models }));
    else super.get(request, response);
  }

  protected override errorEvent(error: { type: string; message: string }): string {
    return event({ error: { ...error, code: error.type } });
  }

  protected override events(answer: Answer, number: number): string[] {
    const { thinking, calls = [], usage, stop } = answer;
    const chunk = (delta: object, finish_reason: string | null = null) =>
      event({ ...about(number), choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
    const thoughts = thinking === undefined ? [] : piecesOfText({ text: thinking });
    const reason = stop ?? (calls.length > 0 ? "tool_calls" : "stop");
    return [
      chunk({ role: "assistant", content: "" }),
      ...thoughts.map((reasoning_content) => chunk({ reasoning_content })),
      ...piecesOfText(answer).map((content) => chunk({ content })),
      ...calls.flatMap((call, index) => callDeltas(call, index, number).map((delta) => chunk(delta))),
      chunk({}, reason),
      ...(usage === undefined ? [] : [event({ ...about(number), choices: [], usage: counted(usage) })]),
      "data: [DONE]\n\n",
    ];
  }
}

function about(number: number) {
  return { id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 1, model: "stand-in" };
}

/** The first delta of a call names it, the others bring its arguments; all have its index. */
function callDeltas(call: ScriptedCall, index: number, number: number): object[] {
  const head = {
    index,
    id: call.id ?? `call_${number}_${index + 1}`,
    type: "function",
    function: { name: call.name, arguments: "" },
  };
  const rest = piecesOfInput(call).map((piece) => ({ index, function: { arguments: piece } }));
  return [head, ...rest].map((delta) => ({ tool_calls: [delta] }));
}

function counted({ input = 0, output = 0, cacheRead = 0 }: NonNullable<Answer["usage"]>) {
  const prompt_tokens = input + cacheRead;
  return {
    prompt_tokens,
    completion_tokens: output,
    total_tokens: prompt_tokens + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
