/** Runs the contract of vector indexes on the local scan and on Upstash, and what a server's failures become. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { RetainError } from "../../src/core/errors.ts";
import { UpstashIndex } from "../../src/embed/upstash/upstash-index.ts";
import { putMemory } from "../../src/sqlite/chunks/chunks.ts";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { LocalVectorIndex } from "../contract/local-index.ts";
import { DIMENSIONS, vectorIndexContract } from "../contract/vector-index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { UpstashServer, type UpstashTrouble } from "../helpers/upstash-server.ts";

vectorIndexContract("the local scan", async (texts) => {
  const ignore = () => {};
  const database = new WorkspaceDatabase(join(new Sandbox().work, "retain.db"), ignore, ignore);
  afterThisTest(() => database.close());
  await database.transaction((rows) => {
    for (const { kind, text, at } of texts)
      putMemory(rows, {
        ...{ kind, source: text, scope: "", tags: [], session: null, speaker: null, at, trust: "stated" },
        ...{ importance: 0.5, chunks: [{ heading: "", text, line: 1 }], neighbours: "" },
      });
  });
  return { index: new LocalVectorIndex(database), settle: ignore };
});

for (const isBehind of [false, true])
  vectorIndexContract(isBehind ? "Upstash, when writes show up late" : "Upstash", async () => {
    const server = await started();
    server.isBehind = isBehind;
    const settle = () => {
      server.settle();
      server.isBehind = isBehind;
    };
    return { index: indexOn(server), settle };
  });

async function started(): Promise<UpstashServer> {
  const server = await new UpstashServer().start();
  afterThisTest(() => server.stop());
  server.dimension = DIMENSIONS;
  return server;
}

function indexOn({ origin: url, token }: UpstashServer): UpstashIndex {
  return new UpstashIndex({ url, token, namespace: "retain-global" });
}

async function failure(
  index: UpstashIndex,
  signal = new AbortController().signal,
): Promise<RetainError & { retryAfterMs?: number }> {
  const asked = { text: "herons", vector: null, kinds: null, since: null, until: null, limit: 1 };
  const error = await index.nearest(asked, signal).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RetainError);
  return error as RetainError;
}

const TROUBLES: [string, UpstashTrouble, RegExp][] = [
  ["a rate limit", { status: 429, headers: { "retry-after": "7" } }, /429/],
  ["a server error", { status: 503, body: "<html>unavailable</html>" }, /503/],
  ["a cut connection", { cut: "before" }, /could not be reached/],
  ["an answer that isn't JSON", { status: 200, body: "hello" }, /invalid response/],
  ["a redirect to another host", { status: 307, headers: { location: "http://127.0.0.2:1/" } }, /redirects/],
];

for (const [name, trouble, says] of TROUBLES)
  test(`${name} is a remote error without the token`, async () => {
    const server = await started();
    server.trouble = trouble;
    const error = await failure(indexOn(server));
    expect(error).toMatchObject({ code: "remote" });
    expect(error.message).toMatch(says);
    expect(`${error.message} ${error.hint}`).not.toContain(server.token);
    expect(error.retryAfterMs).toBe(trouble.status === 429 ? 7_000 : undefined);
  });

test("a server that hangs is given up when the signal aborts", async () => {
  const server = await started();
  server.trouble = { hang: true };
  const ending = new AbortController();
  const error = failure(indexOn(server), ending.signal);
  await server.asked(1);
  ending.abort();
  expect((await error).message).toContain("did not answer in time");
});

test("an expired token and a wrong dimension say what to change", async () => {
  const server = await started();
  const index = indexOn(server);
  server.token = "another";
  expect((await failure(index)).message).toContain("UPSTASH_VECTOR_REST_TOKEN");
  server.token = "ups-token-1234567890";
  const vector = new Float32Array(DIMENSIONS + 1).fill(1);
  const { signal } = new AbortController();
  const asked = { text: "", vector, kinds: null, since: null, until: null, limit: 1 };
  const error = await index.nearest(asked, signal).catch((thrown: unknown) => thrown);
  expect((error as RetainError).hint).toContain("upstash_embedding");
});
