/** Replies through the real SDK, against stand-ins that speak the providers' protocols. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ModelMessage, resultLost } from "../../src/core/model.ts";
import { openChatModel } from "../../src/llm/chat-model.ts";
import { messagesOf } from "../../src/llm/messages.ts";
import { APIS, ask, callsOf, KEY, READ, replied, requestOf, said, serve, specFor } from "./asking.ts";

for (const api of APIS) {
  test(`${api}: text streams in pieces, then come the finish reason and the usage`, async () => {
    const usage = { input: 100, output: 7, cacheRead: 30, cacheWrite: 20 };
    await using server = await serve(api, [{ chunks: ["Hel", "lo ", "there."], usage }]);
    const { events, last } = await ask(server, api);
    expect(events.slice(0, -1)).toEqual(["Hel", "lo ", "there."].map((text) => ({ type: "text", text })));
    const counted =
      api === "anthropic"
        ? { input: 150, output: 7, cacheRead: 30, cacheWrite: 20 }
        : { input: 130, output: 7, cacheRead: 30, cacheWrite: null };
    expect(last).toEqual({ type: "end", reason: "stop", usage: counted, thinking: [] });
    const { headers, body, path } = server.last;
    expect(path).toBe(api === "anthropic" ? "/v1/messages" : "/v1/chat/completions");
    expect(headers[api === "anthropic" ? "x-api-key" : "authorization"]).toContain(KEY);
    expect(body).toMatchObject({ stream: true, model: specFor(api, "").model });
    expect(body[api === "anthropic" ? "max_tokens" : "max_completion_tokens"]).toBe(1_000);
  });

  test(`${api}: finish reasons are distinguished`, async () => {
    const stops = {
      anthropic: ["end_turn", "max_tokens", "refusal", "compaction"],
      openai: ["stop", "length", "content_filter", "odd"],
    }[api];
    await using server = await serve(
      api,
      stops.map((stop) => ({ text: "So", stop })),
    );
    const reasons: unknown[] = [];
    for (const _ of stops) {
      const { last } = await ask(server, api);
      reasons.push(last?.type === "end" ? last.reason : last);
    }
    expect(reasons).toEqual(["stop", "length", "refused", "other"]);
  });

  test(`${api}: thinking is separated from text, and collected`, async () => {
    await using server = await serve(api, [{ thinking: "Let me see.", text: "Four." }]);
    const { events, text, last } = await ask(server, api);
    const thought = events.flatMap((event) => (event.type === "thinking" ? [event.text] : []));
    expect(thought.length).toBeGreaterThan(1);
    expect(thought.join("")).toBe("Let me see.");
    expect(text).toBe("Four.");
    expect(last?.type === "end" && last.thinking).toEqual([
      api === "anthropic"
        ? { text: "Let me see.", metadata: { anthropic: { signature: "signature-1" } } }
        : { text: "Let me see." },
    ]);
  });

  test(`${api}: several calls in one reply arrive complete and in order`, async () => {
    const calls = [
      { name: "read_file", input: { path: "a.md" } },
      { name: "read_file", input: { path: "b.md", deep: { list: [1, "zwei"] } } },
      { name: "read_file", input: {} },
    ];
    await using server = await serve(api, [{ text: "I look.", calls }]);
    const asked = await ask(server, api, { request: requestOf({ tools: [READ] }) });
    expect(callsOf(asked).map(({ name, input }) => ({ name, input }))).toEqual(calls);
    expect(new Set(callsOf(asked).map(({ id }) => id)).size).toBe(3);
    expect(asked.last).toMatchObject({ type: "end", reason: "tools" });
    const sent = api === "anthropic" ? server.last.body.tools[0] : server.last.body.tools[0].function;
    expect(sent).toMatchObject({ name: "read_file", description: "Reads a file." });
    expect(sent[api === "anthropic" ? "input_schema" : "parameters"]).toMatchObject(READ.schema);
  });

  test(`${api}: an invalid call carries the reason instead of throwing`, async () => {
    const calls = [
      { name: "read_file", input: '{"path": "a' },
      { name: "no_such", input: { x: 1 } },
      { name: "read_file", input: '["a list"]' },
    ];
    await using server = await serve(api, [{ calls }, { text: "I see." }]);
    const asked = await ask(server, api, { request: requestOf({ tools: [READ] }) });
    expect(callsOf(asked).map(({ id: _, ...call }) => call)).toEqual([
      { name: "read_file", input: '{"path": "a', invalid: expect.stringContaining("JSON") },
      { name: "no_such", input: { x: 1 }, invalid: expect.stringContaining("'no_such'") },
      { name: "read_file", input: ["a list"] },
    ]);
    expect(asked.last).toMatchObject({ type: "end", reason: "tools" });
    const results = callsOf(asked).map(({ id, name }) => ({ id, name, output: "no", ok: false }));
    const messages = [said("Go"), replied("", { calls: callsOf(asked) }), { role: "tool", results } as const];
    await ask(server, api, { request: requestOf({ tools: [READ], messages }) });
    const inputs =
      api === "anthropic"
        ? server.last.body.messages[1].content.map(({ input }: { input: unknown }) => input)
        : server.last.body.messages[1].tool_calls.map((call: { function: { arguments: string } }) =>
            JSON.parse(call.function.arguments),
          );
    expect(inputs).toContainEqual({ invalid: '{"path": "a' });
    expect(inputs).toContainEqual({ invalid: ["a list"] });
  });
}

test("a call without offered tools is marked as invalid", async () => {
  await using server = await serve("anthropic", [{ calls: [{ name: "rm", input: {} }] }]);
  const asked = await ask(server, "anthropic");
  expect(callsOf(asked)).toEqual([
    { id: "toolu_1_1", name: "rm", input: {}, invalid: "There is no tool 'rm'." },
  ]);
});

test("a tool call with finish reason 'stop' counts as a tool call", async () => {
  await using server = await serve("openai", [{ calls: [{ name: "read_file", input: {} }], stop: "stop" }]);
  const { last } = await ask(server, "openai", { request: requestOf({ tools: [READ] }) });
  expect(last).toMatchObject({ type: "end", reason: "tools" });
});

/** A turn with thinking, text, a tool call and its result. */
const TURN: readonly ModelMessage[] = [
  said("What do a and b say?"),
  replied("I look.", {
    calls: [
      { id: "toolu_1", name: "read_file", input: { path: "a" } },
      { id: "toolu_2", name: "read_file", input: { path: "b" } },
    ],
    thinking: [{ text: "Read both.", metadata: { anthropic: { signature: "signed" } } }],
  }),
  {
    role: "tool",
    results: [
      { id: "toolu_1", name: "read_file", output: "A!", ok: true },
      { id: "toolu_2", name: "read_file", output: "There is no b.", ok: false },
    ],
  },
];

test("results go back to Anthropic as tool_result, thinking before them with its signature", async () => {
  await using server = await serve("anthropic", [{ text: "Done." }]);
  await ask(server, "anthropic", { request: requestOf({ tools: [READ], messages: TURN }) });
  expect(unmarked(server.last.body.messages)).toEqual([
    { role: "user", content: [{ type: "text", text: "What do a and b say?" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Read both.", signature: "signed" },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a" } },
        { type: "tool_use", id: "toolu_2", name: "read_file", input: { path: "b" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: "A!" },
        { type: "tool_result", tool_use_id: "toolu_2", content: "There is no b.", is_error: true },
      ],
    },
  ]);
});

test("results go back to OpenAI as tool messages", async () => {
  await using server = await serve("openai", [{ text: "Done." }]);
  await ask(server, "openai", { request: requestOf({ system: "Be kind.", tools: [READ], messages: TURN }) });
  const called = (id: string, path: string) => ({
    id,
    type: "function",
    function: { name: "read_file", arguments: JSON.stringify({ path }) },
  });
  expect(server.last.body.messages).toEqual([
    { role: "system", content: "Be kind." },
    { role: "user", content: "What do a and b say?" },
    { role: "assistant", content: "I look.", tool_calls: [called("toolu_1", "a"), called("toolu_2", "b")] },
    { role: "tool", tool_call_id: "toolu_1", content: "A!" },
    { role: "tool", tool_call_id: "toolu_2", content: "There is no b." },
  ]);
});

test("thinking goes back unchanged, and unsigned thinking does not go to Anthropic", async () => {
  const calls = [{ name: "read_file", input: { path: "a" } }];
  await using server = await serve("anthropic", [
    { thinking: "Hm.", text: "I look.", calls },
    { text: "Done." },
  ]);
  const tools = [READ];
  const asked = await ask(server, "anthropic", { request: requestOf({ tools }) });
  if (asked.last?.type !== "end") throw new Error("No end");
  const unsigned = [...asked.last.thinking, { text: "From elsewhere." }];
  const [call] = callsOf(asked);
  const messages: ModelMessage[] = [
    said("Hello?"),
    replied(asked.text, { calls: [call], thinking: unsigned }),
    { role: "tool", results: [{ id: call?.id ?? "", name: "read_file", output: "A!", ok: true }] },
  ];
  await ask(server, "anthropic", { request: requestOf({ tools, messages }) });
  expect(server.last.body.messages[1].content[0]).toEqual({
    type: "thinking",
    thinking: "Hm.",
    signature: "signature-1",
  });
  expect(server.last.bodyText).not.toContain("From elsewhere.");
});

test("other providers get their thinking back until the turn is over, unless they reject it", async () => {
  await using server = await serve("openai", () => ({ text: "Done." }));
  const thinking = [{ text: "Because." }];
  const messages: ModelMessage[] = [
    said("One?"),
    replied("Yes.", { thinking }),
    said("Two?"),
    replied("", { thinking, calls: [{ id: "c1", name: "read_file", input: {} }] }),
    { role: "tool", results: [{ id: "c1", name: "read_file", output: "x", ok: true }] },
  ];
  const request = requestOf({ tools: [READ], messages });
  const thoughts = async (provider: string) => {
    await ask(server, "openai", { request, spec: { provider } });
    return server.last.body.messages.map(
      (message: { reasoning_content?: string }) => message.reasoning_content,
    );
  };
  expect(await thoughts("deepseek")).toEqual([undefined, undefined, undefined, "Because.", undefined]);
  expect(await thoughts("groq")).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test("a call without a result gets one, and empty messages are not sent", async () => {
  const broken: ModelMessage[] = [
    said("Go"),
    replied("", { calls: [{ id: "c1", name: "read_file", input: {} }] }),
    said("Go on"),
    replied("  "),
    replied("", { thinking: [{ text: "Half a thought" }] }),
    { role: "tool", results: [{ id: "stray", name: "read_file", output: "?", ok: true }] },
    said(""),
    said("Well?"),
  ];
  await using anthropic = await serve("anthropic", [{ text: "Yes." }]);
  await ask(anthropic, "anthropic", { request: requestOf({ tools: [READ], messages: broken }) });
  const missing = expect.stringContaining("lost");
  expect(unmarked(anthropic.last.body.messages)).toEqual([
    { role: "user", content: [{ type: "text", text: "Go" }] },
    { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "read_file", input: {} }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c1", content: missing, is_error: true },
        { type: "text", text: "Go on" },
        { type: "text", text: "Well?" },
      ],
    },
  ]);
  await using openai = await serve("openai", [{ text: "Yes." }]);
  await ask(openai, "openai", { request: requestOf({ tools: [READ], messages: broken }) });
  expect(openai.last.body.messages.map(({ role }: { role: string }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
    "user",
  ]);
});

test("each call is followed by its first result, or by a note that the result was lost", () => {
  const id = fc.constantFrom("c1", "c2", "c3", "c4");
  const call = id.map((one) => ({ id: one, name: "read_file", input: {} }));
  const result = fc
    .tuple(id, fc.string())
    .map(([one, output]) => ({ id: one, name: "read_file", output, ok: true }));
  const message: fc.Arbitrary<ModelMessage> = fc.oneof(
    fc.constant(said("Go")),
    fc
      .uniqueArray(call, { maxLength: 3, selector: ({ id: one }) => one })
      .map((calls) => replied("So", { calls })),
    fc.array(result, { maxLength: 3 }).map((results): ModelMessage => ({ role: "tool", results })),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const sent = messagesOf(requestOf({ messages }), specFor("anthropic", ""));
      const told = sent.flatMap(({ role, content }) => {
        const parts = typeof content === "string" ? [] : content;
        return parts.flatMap((part) =>
          part.type === "tool-call"
            ? [`call ${part.toolCallId}`]
            : part.type === "tool-result"
              ? [`${role} ${part.toolCallId} ${"value" in part.output ? part.output.value : ""}`]
              : [],
        );
      });
      const expected = messages.flatMap((one, at) => {
        if (one.role !== "assistant") return [];
        const rest = messages.slice(at + 1);
        const end = rest.findIndex(({ role }) => role !== "tool");
        const given = rest
          .slice(0, end < 0 ? rest.length : end)
          .flatMap((tool) => (tool.role === "tool" ? tool.results : []));
        return [
          ...one.calls.map((each) => `call ${each.id}`),
          ...one.calls.map((each) => {
            const found = given.find((result) => result.id === each.id) ?? resultLost(each);
            return `tool ${each.id} ${found.output}`;
          }),
        ];
      });
      expect(told).toEqual(expected);
    }),
  );
  // Linear time: each message is processed once.
  const many = Array.from({ length: 50_000 }, (): ModelMessage => ({ role: "tool", results: [] }));
  expect(
    messagesOf(
      requestOf({ messages: [said("Go"), replied("So", { calls: [] }), ...many] }),
      specFor("openai", ""),
    ),
  ).toHaveLength(2);
});

test("call ids from another provider are converted to this provider's format", async () => {
  const messages: ModelMessage[] = [
    said("Go"),
    replied("", { calls: [{ id: "functions.read:0", name: "read_file", input: {} }] }),
    { role: "tool", results: [{ id: "functions.read:0", name: "read_file", output: "x", ok: true }] },
  ];
  const request = requestOf({ tools: [READ], messages });
  await using anthropic = await serve("anthropic", [{ text: "Yes." }]);
  await ask(anthropic, "anthropic", { request });
  const [, call, result] = anthropic.last.body.messages;
  expect(call.content[0].id).toMatch(/^[\w-]+$/);
  expect(result.content[0].tool_use_id).toBe(call.content[0].id);
  await using mistral = await serve("openai", [{ text: "Yes." }]);
  await ask(mistral, "openai", { request, spec: { provider: "mistral" } });
  const [, asked, answered] = mistral.last.body.messages;
  expect(asked.tool_calls[0].id).toMatch(/^[A-Za-z0-9]{9}$/);
  expect(answered.tool_call_id).toBe(asked.tool_calls[0].id);
});

test("CHAT-2: instructions, history and results are cached by Anthropic; recalled memories are only in the last message", async () => {
  await using server = await serve("anthropic", () => ({ text: "Fine." }));
  const history = [said("One"), replied("First."), said("Two"), replied("Second.")];
  const first = requestOf({
    system: "You remember.",
    recalled: "Recalled: one.",
    tools: [READ],
    messages: [...history, said("Three")],
  });
  await ask(server, "anthropic", { request: first });
  const one = server.last.body;
  const mark = { type: "ephemeral" };
  expect(one.system).toEqual([{ type: "text", text: "You remember.", cache_control: mark }]);
  expect(one.messages.at(-2)).toEqual({
    role: "assistant",
    content: [{ type: "text", text: "Second.", cache_control: mark }],
  });
  expect(one.messages.at(-1)).toEqual({
    role: "user",
    content: [
      { type: "text", text: "Recalled: one." },
      { type: "text", text: "Three" },
    ],
  });
  expect(marksIn(one)).toBe(2);

  const next = requestOf({
    system: "You remember.",
    recalled: "Recalled: another.",
    tools: [READ],
    messages: [...history, said("Three"), replied("Fine."), said("Four")],
  });
  await ask(server, "anthropic", { request: next });
  const two = server.last.body;
  const prefix = ({ system, tools, messages }: typeof one) =>
    JSON.stringify(unmarked([tools, system, messages.slice(0, 4)]));
  expect(prefix(two)).toBe(prefix(one));
  expect(JSON.stringify(two.messages[4])).toBe('{"role":"user","content":[{"type":"text","text":"Three"}]}');
  expect(JSON.stringify(two.messages[5])).toContain("cache_control");

  const call = { id: "toolu_9", name: "read_file", input: {} };
  const results = [{ id: "toolu_9", name: "read_file", output: "x", ok: true }];
  const loop = [...next.messages, replied("", { calls: [call] }), { role: "tool", results } as const];
  await ask(server, "anthropic", { request: { ...next, messages: loop } });
  const three = server.last.body;
  expect(three.messages[6].content[0].text).toBe("Recalled: another.");
  expect(three.messages.at(-1).content[0].cache_control).toEqual(mark);
  expect(marksIn(three)).toBe(3);
});

test("CHAT-2: a first message has no history to mark, and without instructions none are sent", async () => {
  await using server = await serve("anthropic", () => ({ text: "Fine." }));
  await ask(server, "anthropic", { request: requestOf({ recalled: "R" }) });
  expect(marksIn(server.last.body)).toBe(0);
  expect(server.last.body.system).toBeUndefined();
});

test("MODEL-1: OpenAI's protocol gets recalled memories and the message as one text", async () => {
  await using server = await serve("openai", [{ text: "Fine." }]);
  await ask(server, "openai", { request: requestOf({ recalled: "Recalled.", messages: [said("Hello?")] }) });
  expect(server.last.body.messages).toEqual([{ role: "user", content: "Recalled.\n\nHello?" }]);
});

test("MODEL-1: requests adapt to servers that reject the usage option or use another name for the limit", async () => {
  const refusal = (message: string) => ({ status: 400, body: { error: { message, type: "invalid" } } });
  await using server = await serve("openai", [
    refusal("Unrecognized request argument supplied: stream_options"),
    refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    { text: "Yes." },
    { text: "Again." },
  ]);
  const model = openChatModel(specFor("openai", server.origin, { provider: "work" }));
  for (const expected of ["Yes.", "Again."]) {
    let text = "";
    for await (const event of model.stream(requestOf(), new AbortController().signal)) {
      expect(["text", "end"]).toContain(event.type);
      if (event.type === "text") text += event.text;
    }
    expect(text).toBe(expected);
  }
  const kinds = server.requests.map(({ body }) => [
    "stream_options" in body,
    "max_tokens" in body,
    "max_completion_tokens" in body,
  ]);
  expect(kinds).toEqual([
    [true, true, false],
    [false, true, false],
    [false, false, true],
    [false, false, true],
  ]);
});

test("MODEL-1: Gemini's signature of a call goes back with the call", async () => {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const call = {
    index: 0,
    id: "call_1",
    type: "function",
    function: { name: "read_file", arguments: "{}" },
    extra_content: { google: { thought_signature: "signed-by-google" } },
  };
  const raw = [chunk({ role: "assistant", tool_calls: [call] }, null), chunk({}, "tool_calls")];
  await using server = await serve("openai", [{ raw }, { text: "Done." }]);
  const spec = { provider: "gemini" };
  const asked = await ask(server, "openai", { request: requestOf({ tools: [READ] }), spec });
  if (asked.last?.type !== "end") throw new Error("No end");
  const thinking = JSON.parse(JSON.stringify(asked.last.thinking));
  const results = [{ id: "call_1", name: "read_file", output: "x", ok: true }];
  const messages = [
    said("Go"),
    replied("", { calls: callsOf(asked), thinking }),
    { role: "tool", results } as const,
  ];
  await ask(server, "openai", { request: requestOf({ tools: [READ], messages }), spec });
  const [, sent] = server.last.body.messages;
  expect(sent.tool_calls[0].extra_content).toEqual(call.extra_content);
  expect(sent.reasoning_content).toBeUndefined();
});

/** Removes the cache breakpoints. */
function unmarked(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner)),
  );
}

function marksIn(body: unknown): number {
  return JSON.stringify(body).split('"cache_control"').length - 1;
}
