/** Against a fake server with the embeddings protocol documented by OpenAI, Ollama, LM Studio and Voyage. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readEmbeddings } from "../../src/embed/endpoint/answer.ts";
import { Endpoint } from "../../src/embed/endpoint/endpoint.ts";

const KEY = "sk-secret-0123456789";

interface Seen {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: { model: string; input: string[]; encoding_format?: string };
}

type Handler = (seen: Seen, attempt: number) => Response | Promise<Response>;

const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop(true);
});

function serve(handler: Handler): { url: string; seen: Seen[]; host: string } {
  const seen: Seen[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = JSON.parse(await request.text());
      const asked: Seen = {
        path: pathname + search,
        authorization: request.headers.get("authorization"),
        body,
      };
      seen.push(asked);
      return handler(asked, seen.length);
    },
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${server.port}/v1`, seen, host: `127.0.0.1:${server.port}` };
}

/** A vector that identifies its text, not of unit length. */
const vectorFor = (text: string) => [text.length + 1, 2, 3];
const answer = (texts: readonly string[]) =>
  Response.json({
    object: "list",
    model: "m",
    data: texts.map((text, index) => ({ object: "embedding", index, embedding: vectorFor(text) })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
const wellBehaved: Handler = ({ body }) => answer(body.input);

function open(url: string, changes: { key?: string; timeoutMs?: number } = {}) {
  const pauses: number[] = [];
  const embedder = new Endpoint(
    { url, model: "m", key: changes.key ?? KEY },
    { sleep: async (ms) => pauses.push(ms), timeoutMs: changes.timeoutMs ?? 20_000 },
  );
  return { embedder, pauses };
}

async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: "RetainError", code: "embedding", hint: expect.any(String) });
  const { message, hint, stack } = error as { message: string; hint: string; stack: string };
  expect(`${message} ${hint} ${stack} ${JSON.stringify(error)} ${Bun.inspect(error)}`).not.toContain(KEY);
  return message;
}

describe("requests and responses", () => {
  test("EMB-9: sends the protocol's request and returns unit vectors in the order of the texts", async () => {
    const { url, seen, host } = serve(({ body }) =>
      Response.json({
        data: body.input.map((text, index) => ({ index, embedding: vectorFor(text) })).reverse(),
      }),
    );
    const { embedder } = open(`${url}/`);
    const vectors = await embedder.embed(["a", "bbb", "cc", "a"]);
    expect(embedder.model).toBe(`m@${host}`);
    expect(seen).toEqual([
      {
        path: "/v1/embeddings",
        authorization: `Bearer ${KEY}`,
        body: { model: "m", input: ["bbb", "cc", "a"], encoding_format: "float" },
      },
    ]);
    for (const [at, text] of ["a", "bbb", "cc", "a"].entries()) {
      const length = Math.hypot(...vectorFor(text));
      expect(vectors[at]?.vector).toEqual(Float32Array.from(vectorFor(text), (value) => value / length));
    }
  });

  test("EMB-9: the address keeps its query string", async () => {
    const { url, seen } = serve(wellBehaved);
    await open(`${url}?version=3`).embedder.embed(["a"]);
    expect(seen[0]?.path).toBe("/v1/embeddings?version=3");
  });

  test("EMB-9: without a key, no header", async () => {
    const { url, seen } = serve(wellBehaved);
    await open(url, { key: "" }).embedder.embed(["a"]);
    expect(seen[0]?.authorization).toBeNull();
  });

  test("EMB-9: many texts go in batches, with progress", async () => {
    const { url, seen } = serve(wellBehaved);
    const texts = Array.from({ length: 150 }, (_, at) => "x".repeat(at));
    const progress: number[] = [];
    const vectors = await open(url).embedder.embed(texts, (done) => progress.push(done));
    expect(seen.map(({ body }) => body.input.length)).toEqual([64, 64, 22]);
    expect(progress.at(-1)).toBe(150);
    expect(vectors.map(({ vector }) => vector.length)).toEqual(texts.map(() => 3));
  });

  test("EMB-9: a server that rejects the format option does not get it again", async () => {
    const { url, seen } = serve(({ body }) =>
      body.encoding_format === undefined
        ? answer(body.input)
        : Response.json({ detail: "Argument 'encoding_format' is not valid" }, { status: 400 }),
    );
    const { embedder } = open(url);
    await embedder.embed(["a"]);
    await embedder.embed(["b"]);
    expect(seen.map(({ body }) => body.encoding_format)).toEqual(["float", undefined, undefined]);
  });

  test("EMB-9: vectors without an index are taken in order", () => {
    const body = JSON.stringify({ data: [{ embedding: [2, 0] }, { embedding: [0, 5] }] });
    const expected = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    expect(readEmbeddings(body, 2, undefined)).toEqual({ vectors: expected });
  });
});

describe("temporary failures", () => {
  for (const status of [429, 500, 502, 503])
    test(`EMB-9: after ${status} it retries with exponential backoff`, async () => {
      const { url, seen } = serve((request, attempt) =>
        attempt < 4 ? new Response("busy", { status }) : wellBehaved(request, attempt),
      );
      const { embedder, pauses } = open(url);
      expect((await embedder.embed(["a"])).length).toBe(1);
      expect(seen.length).toBe(4);
      expect(pauses).toEqual([500, 1000, 2000]);
    });

  test("EMB-9: it gives up after four tries and says why", async () => {
    const { url, seen, host } = serve(() => new Response(`down, ${KEY}`, { status: 503 }));
    const message = await failureOf(open(url).embedder.embed(["a"]));
    expect(message).toBe(`The embedding server at ${host}: it answered 503.`);
    expect(seen.length).toBe(4);
  });

  test("EMB-9: it waits as long as the server asks, up to a limit", async () => {
    const asks = ["3", "9999", "soon"];
    const { url } = serve((request, attempt) =>
      attempt <= asks.length
        ? new Response("", { status: 429, headers: { "retry-after": asks[attempt - 1] ?? "" } })
        : wellBehaved(request, attempt),
    );
    const { embedder, pauses } = open(url);
    await embedder.embed(["a"]);
    expect(pauses).toEqual([3000, 20_000, 2000]);
  });

  test("VEC-5: each pause is reported with its cause", async () => {
    const { url, host } = serve((request, attempt) =>
      attempt <= 2
        ? new Response(`busy, ${KEY}`, {
            status: 503,
            headers: attempt === 1 ? {} : { "retry-after": "9999" },
          })
        : wellBehaved(request, attempt),
    );
    const told: [string, number][] = [];
    await open(url).embedder.embed(["a"], undefined, ({ message }, ms) => told.push([message, ms]));
    const server = `The embedding server at ${host}: it answered 503`;
    expect(told).toEqual([
      [`${server}.`, 500],
      [`${server} and asks to wait 9999 s.`, 20_000],
    ]);
  });

  test("EMB-9: an unreachable server", async () => {
    const { url } = serve(wellBehaved);
    servers.pop()?.stop(true);
    const { embedder, pauses } = open(url);
    expect(await failureOf(embedder.embed(["a"]))).toContain("The embedding server at 127.0.0.1:");
    expect(pauses.length).toBe(3);
  });

  test("EMB-9: a server that does not answer in time", async () => {
    const { url } = serve(() => new Promise<Response>(() => {}));
    const { embedder, pauses } = open(url, { timeoutMs: 20 });
    expect(await failureOf(embedder.embed(["a"]))).toContain("timed out");
    expect(pauses.length).toBe(3);
  });
});

describe("invalid responses", () => {
  const item = (embedding: unknown, index: unknown = 0) => ({ data: [{ index, embedding }] });
  const cases: [string, string, string][] = [
    ["no JSON", "<html>hello</html>", "not a list of embeddings"],
    ["no list", JSON.stringify({ data: {} }), "not a list of embeddings"],
    ["no objects", JSON.stringify({ data: [null] }), "not a list of embeddings"],
    ["nothing", "", "not a list of embeddings"],
    ["too few", JSON.stringify({ data: [] }), "0 embeddings for 1 texts"],
    ["too many", JSON.stringify({ data: [{}, {}] }), "2 embeddings for 1 texts"],
    ["an index out of range", JSON.stringify(item([1], 1)), "index 1"],
    ["an index that is no number", JSON.stringify(item([1], "x")), "index x"],
    ["text for numbers", JSON.stringify(item("AAAA")), "not a list of numbers"],
    ["words among numbers", JSON.stringify(item([1, "2"])), "not a list of numbers"],
    ["nulls among numbers", JSON.stringify(item([1, null])), "not a list of numbers"],
    ["no numbers", JSON.stringify(item([])), "not a list of numbers"],
    ["zeros", JSON.stringify(item([0, 0])), "not a list of numbers"],
  ];
  for (const [name, body, message] of cases)
    test(`${name}`, async () => {
      const { url, seen } = serve(() => new Response(body));
      expect(await failureOf(open(url).embedder.embed(["a"]))).toContain(message);
      expect(seen.length).toBe(1);
    });

  test("the same index twice", () => {
    const data = [0, 0].map((index) => ({ index, embedding: [1] }));
    expect(readEmbeddings(JSON.stringify({ data }), 2, undefined)).toEqual({
      problem: expect.stringContaining("index 0"),
    });
  });

  test("other dimensions than before", async () => {
    const { url } = serve((_, attempt) => Response.json(item(attempt === 1 ? [1, 2] : [1, 2, 3])));
    const { embedder } = open(url);
    await embedder.embed(["a"]);
    expect(await failureOf(embedder.embed(["b"]))).toContain("3 dimensions instead of 2");
  });

  test("any response is either vectors or an error", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.integer({ min: 1, max: 3 }), (body, count) => {
        const read = readEmbeddings(body, count, undefined);
        expect("problem" in read || read.vectors.length === count).toBeTrue();
      }),
    );
    const embedding = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
      minLength: 4,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(embedding, { minLength: 1, maxLength: 5 }), (embeddings) => {
        const data = embeddings.map((values, index) => ({ index, embedding: values }));
        const read = readEmbeddings(JSON.stringify({ data }), embeddings.length, undefined);
        if ("problem" in read) return;
        for (const vector of read.vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
      }),
    );
  });

  test("a server's error is quoted, shortened", async () => {
    const { url, seen } = serve(
      () => new Response(`model "m" not found ${"x".repeat(1000)}`, { status: 404 }),
    );
    const message = await failureOf(open(url).embedder.embed(["a"]));
    expect(message).toContain('it answered 404: model "m" not found');
    expect(message.length).toBeLessThan(300);
    expect(seen.length).toBe(1);
  });
});

describe("the key", () => {
  for (const status of [400, 401, 403, 404, 418, 500])
    test(`EMB-9: it is not shown if the server echoes it with ${status}`, async () => {
      const { url } = serve(() => new Response(`bad key ${KEY}, really: ${KEY}`, { status }));
      await failureOf(open(url).embedder.embed(["a"]));
    });

  test("EMB-9: a rejected key is reported as rejected", async () => {
    const { url } = serve(() => new Response("", { status: 401 }));
    expect(await failureOf(open(url).embedder.embed(["a"]))).toContain("the key (");
  });

  test("EMB-9: a redirect to another host is rejected, and neither key nor texts are sent there", async () => {
    const other = serve(wellBehaved);
    for (const status of [301, 302, 307, 308]) {
      const { url } = serve(
        () => new Response("", { status, headers: { location: `${other.url}/embeddings` } }),
      );
      expect(await failureOf(open(url).embedder.embed(["private"]))).toContain(`redirects to ${other.host}`);
    }
    expect(other.seen).toEqual([]);
  });

  test("EMB-9: a redirect on the same host is followed with the same request", async () => {
    const { url, seen } = serve((request, attempt) =>
      attempt === 1
        ? new Response("", { status: 308, headers: { location: "/v2/embeddings" } })
        : wellBehaved(request, attempt),
    );
    expect((await open(url).embedder.embed(["a"])).length).toBe(1);
    expect(seen.map(({ path, authorization }) => [path, authorization])).toEqual([
      ["/v1/embeddings", `Bearer ${KEY}`],
      ["/v2/embeddings", `Bearer ${KEY}`],
    ]);
  });

  test("EMB-9: a redirect without a target is an error", async () => {
    const { url } = serve(() => new Response("", { status: 307, headers: { location: "http://[" } }));
    expect(await failureOf(open(url).embedder.embed(["a"]))).toContain("redirects to an invalid address");
  });

  test("EMB-9: a redirect loop ends", async () => {
    const { url } = serve(() => new Response("", { status: 307, headers: { location: "/v1/embeddings" } }));
    expect(await failureOf(open(url).embedder.embed(["a"]))).toContain("in a loop");
  });

  test("EMB-9: a password in the address does not show", async () => {
    const { url, host } = serve(() => new Response("", { status: 404 }));
    const { embedder } = open(url.replace("http://", `http://user:${KEY}@`));
    expect(embedder.model).toBe(`m@${host}`);
    await failureOf(embedder.embed(["a"]));
  });
});
