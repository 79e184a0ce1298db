/** Failing requests through the real SDK, and their messages. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openChatModel } from "../../src/llm/chat-model.ts";
import type { ModelSpec } from "../../src/llm/spec.ts";
import { Watch } from "../../src/llm/watch.ts";
import { Wire } from "../../src/llm/wire.ts";
import { FakeTiming } from "../helpers/fake-timing.ts";
import type { Answer } from "../helpers/model-server.ts";
import { APIS, type Api, ask, callsOf, failureOf, KEY, READ, requestOf, serve, specFor } from "./asking.ts";

const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

/** The number of events before the first word. */
const HEAD: Record<Api, number> = { anthropic: 3, openai: 1 };

for (const api of APIS) {
  test(`LLM-10: ${api}: a broken stream yields what arrived, then reports that it was cut off`, async () => {
    const seen = Promise.withResolvers<void>();
    await using server = await serve(api, [
      { chunks: ["One ", "two ", "three"], cutAfter: HEAD[api] + 2, cutWhen: seen.promise },
    ]);
    let text = "";
    const asked = await ask(server, api, {
      onEvent: (event) => {
        if (event.type === "text") text += event.text;
        if (text.includes("two")) seen.resolve();
      },
    });
    expect(asked.text.startsWith("One two ")).toBe(true);
    expect(failureOf(asked)).toMatchObject({ kind: "cut", hint: "Ask again." });
    expect(server.requests.length).toBe(1);
  });

  test(`LLM-10: ${api}: a stream without its last event was cut off, and an incomplete call is dropped`, async () => {
    const calls = [{ name: "read_file", input: { path: "a-long-path.md" } }];
    await using server = await serve(api, [
      { text: "One two", endAfter: HEAD[api] + 1 },
      { calls, endAfter: HEAD[api] + 1 },
      { calls, endAfter: HEAD[api] + 2 },
      { calls, endAfter: HEAD[api] + 3 },
      { text: "", endAfter: 1 },
    ]);
    const text = await ask(server, api);
    expect(text.text).toStartWith("One ");
    expect(failureOf(text).kind).toBe("cut");
    for (let request = 2; request <= 4; request++) {
      const call = await ask(server, api, { request: requestOf({ tools: [READ] }) });
      expect(callsOf(call)).toEqual([]);
      expect(failureOf(call).kind).toBe("cut");
    }
    expect(failureOf(await ask(server, api)).kind).toBe("cut");
    expect(server.requests.length).toBe(5);
  });

  test(`LLM-14: ${api}: an invalid response is a failure, never a crash or a hang`, async () => {
    const nonsense: Answer[] = [
      { raw: ["data: {oops\n\n"] },
      { raw: ['data: {"type":"message_start"}\n\n'] },
      { raw: ["data: null\n\n"] },
      { raw: ["data: [1]\n\n", "data: 7\n\n"] },
      { raw: ["<html>It works!</html>"], headers: { "content-type": "text/html" } },
      { raw: ['{"choices": []}'], headers: { "content-type": "application/json" } },
    ];
    await using server = await serve(api, nonsense);
    for (const answer of nonsense) {
      const asked = await ask(server, api);
      expect([JSON.stringify(answer), failureOf(asked).kind]).toEqual([JSON.stringify(answer), "protocol"]);
      expect(failureOf(asked).hint).toContain("URL");
    }
    expect(server.requests.length).toBe(nonsense.length);
  });

  test(`LLM-14: ${api}: a malformed event in the middle keeps what came before it`, async () => {
    await using server = await serve(api, [{ raw: [...eventsOf(api), "data: {broken\n\n"] }]);
    const asked = await ask(server, api);
    expect(asked.text).toBe("Hello ");
    expect(failureOf(asked).kind).toBe("protocol");
  });

  test(`LLM-14: ${api}: whatever bytes come, the stream ends with an end or a failure`, async () => {
    let raw: string[] = [];
    await using server = await serve(api, () => ({ raw }));
    const piece = fc.oneof(
      fc.constantFrom(...eventsOf(api), "data: [DONE]\n\n", "event: error\n", ":\n\n", "\n", "\r\n\r\n"),
      fc.string().map((text) => `data: ${text}\n\n`),
      fc.json().map((text) => `data: ${text}\n\n`),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        raw = pieces;
        const { last, timing } = await ask(server, api);
        expect(["end", "failure"]).toContain(last?.type ?? "nothing");
        if (last?.type === "failure") expect(last.failure.kind).not.toBe("timeout");
        expect(timing.isAwaited).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test(`LLM-10: ${api}: ten minutes without data are a timeout that keeps what arrived`, async () => {
    const timing = new FakeTiming();
    await using server = await serve(api, [{ text: "One two three", hang: HEAD[api] + 2 }]);
    const asked = await ask(server, api, {
      timing,
      onEvent: (event) => {
        if (event.type === "text" && event.text.includes("two")) setTimeout(() => timing.advance(600_000));
      },
    });
    expect(asked.text).toStartWith("One two ");
    expect(failureOf(asked)).toEqual({
      kind: "timeout",
      message: expect.stringMatching(api === "anthropic" ? /^Anthropic.*10 min/ : /^OpenAI.*10 min/),
      hint: expect.stringContaining("retain config set --global model_timeout_seconds …"),
    });
    await server.last.over;
    expect(server.last.disconnected).toBe(true);
  });

  test(`LLM-10: ${api}: stopping ends the connection at once`, async () => {
    await using server = await serve(api, [{ text: "One two three", hang: HEAD[api] + 2 }]);
    const stop = new AbortController();
    const asked = await ask(server, api, {
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "text") stop.abort();
      },
    });
    expect(asked.text).toStartWith("One ");
    expect(failureOf(asked)).toEqual({ kind: "aborted", message: "The reply was stopped.", hint: null });
    await server.last.over;
    expect(server.last.disconnected).toBe(true);
  });

  test(`LLM-7: ${api}: temporary errors are retried, each with a retry event, until one succeeds`, async () => {
    await using server = await serve(api, [
      { status: 429, body: { error: { type: "rate_limit_error", message: "Slow down" } } },
      { status: 529, body: overloaded },
      { status: 500, body: "<html>Internal</html>" },
      { error: { type: "overloaded_error", message: "Overloaded" } },
      { text: "At last." },
    ]);
    const asked = await ask(server, api);
    const retries = asked.events.filter(({ type }) => type === "retry");
    const why = (text: string) => expect.stringContaining(text);
    expect(retries).toEqual([
      { type: "retry", attempt: 2, of: 5, seconds: 1, why: why("rate limit reached (429)") },
      { type: "retry", attempt: 3, of: 5, seconds: 2, why: why("overloaded (529)") },
      { type: "retry", attempt: 4, of: 5, seconds: 4, why: why("(500)") },
      { type: "retry", attempt: 5, of: 5, seconds: 8, why: why("overloaded") },
    ]);
    expect(asked.timing.pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect([asked.text, asked.last?.type]).toEqual(["At last.", "end"]);
    expect(new Set(server.requests.map(({ bodyText }) => bodyText)).size).toBe(1);
  });

  test(`LLM-7: ${api}: after five attempts it fails; nothing is retried once data has arrived`, async () => {
    await using busy = await serve(api, () => ({ status: 503, body: overloaded }));
    const tired = await ask(busy, api);
    expect(busy.requests.length).toBe(5);
    expect(failureOf(tired).kind).toBe("busy");
    const error = { type: "overloaded_error", message: "Overloaded" };
    await using late = await serve(api, [{ text: "One two", error, errorAfter: HEAD[api] + 1 }]);
    const asked = await ask(late, api);
    expect(asked.text).toStartWith("One ");
    expect(failureOf(asked).kind).toBe("busy");
    expect(late.requests.length).toBe(1);
  });

  test(`LLM-7: ${api}: permanent errors are not retried`, async () => {
    const refusals = [
      [400, "temperature is odd", "rejected"],
      [401, "invalid x-api-key", "auth"],
      [403, "not allowed here", "auth"],
      [404, "model: not found", "model"],
      [400, "API key not valid. Please pass a valid API key.", "auth"],
      [402, "Add credits", "other"],
      [429, "You exceeded your current quota (insufficient_quota)", "other"],
    ] as const;
    await using server = await serve(
      api,
      refusals.map(([status, message]) => ({
        status,
        body: { type: "error", error: { type: "e", message } },
      })),
    );
    for (const [status, , kind] of refusals) {
      const asked = await ask(server, api);
      expect([status, failureOf(asked).kind, asked.events.length]).toEqual([status, kind, 1]);
    }
    expect(server.requests.length).toBe(refusals.length);
  });

  test(`LLM-15: ${api}: an error message is one short line without the key, even if the server repeats the key`, async () => {
    const message = `Your key ${KEY} is\n\n\u001b[31mbad${"!".repeat(500)}`;
    await using server = await serve(api, () => ({
      status: 400,
      body: { type: "error", error: { type: "e", message } },
    }));
    const failure = failureOf(await ask(server, api));
    expect(failure.message).toContain("(400): Your key (key) is [31mbad!!!");
    expect(failure.message.length).toBeLessThan(280);
  });

  test(`LLM-15: ${api}: redirects are not followed, so neither conversation nor key goes to another server`, async () => {
    await using elsewhere = await serve(api, () => ({ text: "Caught." }));
    const location = `${elsewhere.origin}/v1/messages`;
    await using server = await serve(api, [{ status: 307, headers: { location } }]);
    const failure = failureOf(await ask(server, api));
    expect(failure.kind).toBe("network");
    expect(failure.message).toContain(`redirects to 127.0.0.1:${elsewhere.port}`);
    expect(elsewhere.requests).toEqual([]);
  });
}

/** The beginning of a good reply. */
function eventsOf(api: Api): string[] {
  const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", model: "x", content: [], usage };
  return api === "anthropic"
    ? [
        event({ type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } }),
        event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
        event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello " } }),
      ]
    : [
        event({
          choices: [{ index: 0, delta: { role: "assistant", content: "Hello " }, finish_reason: null }],
        }),
      ];
}

test("LLM-14: unknown events are ignored", async () => {
  const later = 'event: news\ndata: {"type":"news","of":"tomorrow"}\n\n';
  const end = [
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 2 },
    },
    { type: "message_stop" },
  ].map((data) => `data: ${JSON.stringify(data)}\n\n`);
  await using server = await serve("anthropic", [{ raw: [...eventsOf("anthropic"), later, ...end] }]);
  const { text, last } = await ask(server, "anthropic");
  expect([text, last]).toEqual(["Hello ", expect.objectContaining({ type: "end", reason: "stop" })]);
});

test("LLM-10: the timeout also applies to the first byte", async () => {
  const timing = new FakeTiming();
  await using server = await serve("anthropic", [{ hang: true }]);
  const asked = ask(server, "anthropic", { timing, spec: { timeoutSeconds: 90 } });
  await server.asked(1);
  timing.advance(90_000);
  expect(failureOf(await asked)).toMatchObject({
    kind: "timeout",
    message: expect.stringContaining("90 s"),
  });
});

test("LLM-10: events without text count as data, since a model may think for long", async () => {
  const timing = new FakeTiming();
  const line = { heardAt: timing.now() };
  const over = new AbortController();
  const watch = new Watch(line, specFor("openai", ""), timing, over.signal, over.signal);
  let gaveUp = false;
  const waiting = watch.orGiveUp(new Promise(() => {})).then((failure) => {
    gaveUp = true;
    return failure;
  });
  for (let minutes = 0; minutes < 60; minutes += 9) {
    timing.advance(9 * 60_000);
    line.heardAt = timing.now();
    await settled();
    expect(gaveUp).toBe(false);
  }
  timing.advance(10 * 60_000);
  expect(await waiting).toMatchObject({ kind: "timeout" });
});

test("LLM-10: time in which nobody reads does not count towards the timeout", async () => {
  const timing = new FakeTiming();
  const over = new AbortController();
  const watch = new Watch({ heardAt: timing.now() }, specFor("openai", ""), timing, over.signal, over.signal);
  timing.advance(3_600_000);
  await settled();
  expect(await watch.orGiveUp(Promise.resolve("a word"))).toBe("a word");
  timing.advance(3_600_000);
  await settled();
  expect(await watch.orGiveUp(settled().then(() => "another"))).toBe("another");
});

test("LLM-10: every byte resets the timeout, even a ping", async () => {
  const timing = new FakeTiming();
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
  await using server = await serve("anthropic", [
    { raw: [ping, ping], before: (event) => (event === 1 ? goOn : null) },
  ]);
  const wire = new Wire(timing);
  const response = await wire.fetch(`${server.origin}/v1/messages`, { method: "POST", body: "{}" });
  const reader = (response.body ?? new ReadableStream()).getReader();
  await reader.read();
  const first = wire.heardAt;
  timing.advance(300_000);
  resolve();
  await reader.read();
  expect(wire.heardAt).toBe(first + 300_000);
});

/** Resolves once all pending callbacks have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

test("LLM-10: stopping ends the wait for a retry; a reader that goes away closes the connection", async () => {
  await using busy = await serve("anthropic", () => ({ status: 529, body: overloaded }));
  const stop = new AbortController();
  const asked = await ask(busy, "anthropic", {
    timing: new FakeTiming(0),
    signal: stop.signal,
    onEvent: ({ type }) => {
      if (type === "retry") setTimeout(() => stop.abort());
    },
  });
  expect(failureOf(asked).kind).toBe("aborted");
  expect(busy.requests.length).toBe(1);
  await using server = await serve("anthropic", [{ text: "One two three", hang: 6 }]);
  const model = openChatModel(specFor("anthropic", server.origin));
  for await (const event of model.stream(requestOf(), new AbortController().signal))
    if (event.type === "text") break;
  await server.last.over;
  expect(server.last.disconnected).toBe(true);
});

test("LLM-10: a request stopped before it starts is not sent", async () => {
  await using server = await serve("anthropic", () => ({ text: "No." }));
  const asked = await ask(server, "anthropic", { signal: AbortSignal.abort() });
  expect(asked.events.map(({ type }) => type)).toEqual(["failure"]);
  expect(failureOf(asked).kind).toBe("aborted");
  expect(server.requests).toEqual([]);
});

test("LLM-7: a refused or reset connection is retried, on this machine only once", async () => {
  await using gone = await serve("anthropic", []);
  const { origin } = gone;
  gone.stop();
  const remote = await ask(gone, "anthropic", { spec: { url: `${origin}/v1` } });
  expect(remote.events.length).toBe(5);
  expect(failureOf(remote)).toMatchObject({ kind: "network", hint: expect.stringContaining("network") });
  const spec = { provider: "ollama", label: "Ollama", local: true, url: `${origin}/v1` };
  const local = await ask(gone, "openai", { spec });
  expect(local.events.length).toBe(2);
  expect(failureOf(local)).toEqual({
    kind: "network",
    message: expect.stringContaining(`${origin}/v1`),
    hint: expect.stringContaining("ollama serve"),
  });
  await using server = await serve("openai", [{ cutAfter: 0 }, { text: "Back." }]);
  const asked = await ask(server, "openai");
  expect(asked.events.map(({ type }) => type)).toEqual(["retry", "text", "end"]);
});

test("LLM-7: retry-after is honoured up to a minute; a longer one fails at once", async () => {
  const timing = new FakeTiming();
  const busy = (headers: Record<string, string>) => ({ status: 429, headers, body: overloaded });
  await using server = await serve("anthropic", [
    busy({ "retry-after": "7" }),
    busy({ "retry-after-ms": "2500", "retry-after": "9" }),
    busy({ "retry-after": new Date(timing.now() + 9_500 + 20_000).toUTCString() }),
    busy({ "retry-after": "soon" }),
    busy({ "retry-after": "3600" }),
    busy({ "retry-after": "3600" }),
  ]);
  const asked = await ask(server, "anthropic", { timing });
  expect(timing.pauses.slice(0, 2)).toEqual([7_000, 2_500]);
  expect(Math.abs((timing.pauses[2] ?? 0) - 20_000)).toBeLessThan(1_000);
  expect(timing.pauses.length).toBe(4);
  expect(timing.pauses[3]).toBe(8_000);
  expect(failureOf(asked).kind).toBe("busy");
  await ask(server, "anthropic", { timing });
  expect(server.requests.length).toBe(6);
  expect(timing.pauses.length).toBe(4);
});

test("LLM-7: without retry-after the pauses double up to half a minute, with jitter", async () => {
  const { pauseAfter } = await import("../../src/llm/retry.ts");
  const trouble = {
    failure: { kind: "busy", message: "", hint: null },
    passing: true,
    status: 529,
    said: "",
    headers: {},
  } as const;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, random) => {
        const pause = pauseAfter(attempt, trouble, {
          now: () => 0,
          sleep: async () => {},
          random: () => random,
        });
        const middle = 1_000 * 2 ** (attempt - 1);
        expect(pause).toBeGreaterThanOrEqual(Math.min(30_000, middle * 0.75) - 1);
        expect(pause).toBeLessThanOrEqual(Math.min(30_000, middle * 1.25) + 1);
      },
    ),
  );
});

test("LLM-14: a failure has a kind, a message and a hint", async () => {
  const anthropic = (type: string, message: string) => ({ type: "error", error: { type, message } });
  const openai = (message: string, code: string | null = null) => ({
    error: { message, type: "invalid_request_error", param: null, code },
  });
  const ollama = { provider: "ollama", label: "Ollama", model: "qwen3", key: null, keyEnv: null };
  const cases: [
    Api,
    Partial<ModelSpec>,
    number,
    unknown,
    /** `message` and `hint` are parts of the texts. */
    { kind: string; message: string; hint: string | null },
  ][] = [
    [
      "anthropic",
      {},
      401,
      anthropic("authentication_error", "invalid x-api-key"),
      {
        kind: "auth",
        message: "key",
        hint: "retain model key anthropic",
      },
    ],
    [
      "openai",
      { provider: "work", label: "work", key: null, keyEnv: null },
      401,
      openai("No key"),
      { kind: "auth", message: "key", hint: "retain model key work" },
    ],
    [
      "openai",
      {},
      403,
      openai("Country is not supported."),
      {
        kind: "auth",
        message: "(403): Country is not supported.",
        hint: "Set OPENAI_API_KEY",
      },
    ],
    [
      "anthropic",
      { model: "claude-nope" },
      404,
      anthropic("not_found_error", "model: claude-nope"),
      {
        kind: "model",
        message: "'claude-nope'",
        hint: "retain model list",
      },
    ],
    [
      "openai",
      ollama,
      404,
      openai('model "qwen3" not found, try pulling it first'),
      {
        kind: "model",
        message: "'qwen3'",
        hint: "ollama pull qwen3",
      },
    ],
    [
      "anthropic",
      {},
      400,
      anthropic("invalid_request_error", "prompt is too long: 212345 tokens > 200000 maximum"),
      {
        kind: "overflow",
        message: "claude-haiku-4-5",
        hint: "/compact",
      },
    ],
    [
      "anthropic",
      {},
      400,
      anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
      {
        kind: "other",
        message: "out of credit: Your credit balance is too low to access the Anthropic API.",
        hint: "retain model list",
      },
    ],
    [
      "openai",
      ollama,
      400,
      openai("registry.ollama.ai/library/gemma3:latest does not support tools"),
      {
        kind: "rejected",
        message: "(400): registry.ollama.ai/library/gemma3:latest does not support tools.",
        hint: "/tools none",
      },
    ],
    [
      "openai",
      {},
      404,
      "404 page not found",
      { kind: "other", message: "(404): 404 page not found.", hint: null },
    ],
  ];
  const answers = cases.map(([, , status, body]) => ({ status, body }));
  for (const api of APIS) {
    const own = cases.map((entry, index) => ({ entry, index })).filter(({ entry }) => entry[0] === api);
    await using server = await serve(
      api,
      own.map(({ index }) => answers[index] ?? {}),
    );
    for (const { entry } of own) {
      const [, spec, , , { kind, message, hint }] = entry;
      expect(failureOf(await ask(server, api, { spec }))).toEqual({
        kind: kind as never,
        message: expect.stringContaining(message),
        hint: hint === null ? null : expect.stringContaining(hint),
      });
    }
  }
});

test("LLM-14: a request that cannot be sent is a failure too", async () => {
  await using server = await serve("anthropic", []);
  const nothing = await ask(server, "anthropic", { request: requestOf({ messages: [] }) });
  expect(failureOf(nothing)).toMatchObject({
    kind: "other",
    message: expect.stringContaining("Anthropic: "),
  });
  const odd = await ask(server, "anthropic", { spec: { key: "bad\nkey" } });
  expect(failureOf(odd).message).not.toContain("bad\nkey");
  expect(server.requests).toEqual([]);
});

test("LLM-14: context overflow is recognised in each server's words", async () => {
  const sayings = [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "prompt too long; exceeded max context length by 12 tokens",
    "the request exceeds the available context size. try increasing the context size or enable context shift",
    "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
    "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
    "input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000 (context window)",
  ];
  await using server = await serve(
    "openai",
    sayings.map((message) => ({
      status: 400,
      body: { error: { message, code: "context_length_exceeded" } },
    })),
  );
  for (const _ of sayings) expect(failureOf(await ask(server, "openai")).kind).toBe("overflow");
  await using plain = await serve(
    "openai",
    sayings.map((message) => ({ status: 400, body: { error: { message } } })),
  );
  for (const saying of sayings)
    expect([saying, failureOf(await ask(plain, "openai")).kind]).toEqual([saying, "overflow"]);
});

test("LLM-14: no failure writes to the terminal or leaves an unhandled rejection", async () => {
  const script = join(import.meta.dir, "failing-child.ts");
  expect(existsSync(script)).toBe(true);
  const child = Bun.spawn([process.execPath, script], { stdout: "pipe", stderr: "pipe", env: {} });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect([err, out]).toEqual(["", "failure failure failure failure failure end\n"]);
});

test("the adapter works as a separate bundle with bytecode", async () => {
  const bundle = join(import.meta.dir, "../../dist/llm.js");
  expect(existsSync(`${bundle}.jsc`)).toBe(true);
  const { streamOnce } = (await import(bundle)) as typeof import("../../src/llm/ai-sdk.ts");
  await using server = await serve("anthropic", [{ text: "Bundled." }]);
  const spec = specFor("anthropic", server.origin);
  const habits = { asksUsage: true, newLimit: false };
  let text = "";
  const { signal } = new AbortController();
  for await (const event of streamOnce(spec, habits, requestOf(), signal, new FakeTiming()))
    if (event.type === "text") text += event.text;
  expect(text).toBe("Bundled.");
});
