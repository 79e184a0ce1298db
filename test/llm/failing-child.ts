/** A process whose requests fail in many ways. It prints how each ended; nothing else may print. */
import type { ModelRequest } from "../../src/core/model.ts";
import { openChatModel } from "../../src/llm/chat-model.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { FakeTiming } from "../helpers/fake-timing.ts";
import { specFor } from "./asking-spec.ts";

const server = await new AnthropicServer([
  { status: 400, body: { type: "error", error: { type: "e", message: "no" } } },
  { raw: ["data: {oops\n\n"] },
  { text: "One two three", cutAfter: 5 },
  { text: "One two three", hang: 4 },
  { hang: true },
  { text: "Fine.", calls: [{ name: "nope", input: "{oops" }], stop: "end_turn" },
]).start();
const request: ModelRequest = {
  system: "S",
  recalled: "",
  messages: [{ role: "user", text: "Hello?" }],
  tools: [],
};
const ends: string[] = [];
for (let number = 1; number <= 6; number++) {
  const timing = new FakeTiming();
  // The SDK would warn that this limit is too high for the model.
  const spec = specFor("anthropic", server.origin, {
    model: "claude-3-haiku-20240307",
    maxOutputTokens: 90_000,
  });
  const stop = new AbortController();
  if (number === 5) server.asked(5).then(() => stop.abort());
  let last = "";
  for await (const event of openChatModel(spec, timing).stream(request, stop.signal)) {
    last = event.type;
    if (number === 4 && event.type === "text") setTimeout(() => timing.advance(600_000));
  }
  ends.push(last);
}
server.stop();
await Bun.sleep(20);
console.log(ends.join(" "));
