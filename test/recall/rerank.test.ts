/** Reranking through the library, on real files, against a fake server with the documented protocol. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/app.ts";
import { openReranker } from "../../src/embed/endpoint/rerank.ts";
import type { RecallPorts } from "../../src/recall/ports.ts";
import { parseQuery } from "../../src/recall/query.ts";
import { rerank } from "../../src/recall/rerank.ts";
import { ClaudeCode } from "../agent/hooks-transcript.ts";
import { jina, prefers, rerankServer, tei } from "../helpers/rerank-server.ts";
import { MODEL_CACHE, Sandbox } from "../helpers/sandbox.ts";

const KEY = "rerank-key-0123456789";

function opened(sandbox: Sandbox, env: Record<string, string>, warnings: string[] = []) {
  return openRetain({
    cwd: sandbox.work,
    env: { RETAIN_EMBEDDING: "none", ...env },
    homeDirectory: sandbox.home,
    onWarning: (message) => warnings.push(message),
  });
}

const endpoint = (url: string, more: Record<string, string> = {}) => ({
  RETAIN_RERANK: "endpoint",
  RETAIN_RERANK_URL: url,
  RETAIN_RERANK_MODEL: "judge",
  // Long enough for a busy machine; only the test of a slow server reaches it.
  RETAIN_RERANK_TIMEOUT_MS: "20000",
  ...more,
});

const FACTS = [
  "The ferry to Lofoten leaves at nine.",
  "The ferry ticket costs forty crowns.",
  "Ferry dogs travel for free.",
  "The lighthouse keeper likes ferry horns.",
];
const QUESTION = "what about the ferry and its price";

function withFacts(facts: readonly string[] = FACTS): Sandbox {
  const sandbox = new Sandbox();
  mkdirSync(join(sandbox.memory, "memories"), { recursive: true });
  writeFileSync(
    join(sandbox.memory, "memories/MEMORY.md"),
    `# Memory\n\n${facts.map((fact) => `- ${fact}\n`).join("")}`,
  );
  return sandbox;
}

async function texts(sandbox: Sandbox, env: Record<string, string>, query = QUESTION) {
  const warnings: string[] = [];
  using retain = opened(sandbox, env, warnings);
  const { hits } = await retain.search(query);
  return { found: hits.map(({ text }) => text.trim()), hits, warnings };
}

test("RERANK-1: by default nothing is reranked or sent", async () => {
  const { url, seen } = rerankServer(jina(prefers("horns")));
  await texts(withFacts(), { RETAIN_RERANK_URL: url, RETAIN_RERANK_MODEL: "judge" });
  expect(seen).toEqual([]);
});

test("RERANK-1: the request follows the documentation of Jina, Cohere and llama.cpp, and the server's order counts", async () => {
  const { url, seen } = rerankServer(jina(prefers("horns")));
  const sandbox = withFacts();
  const before = await texts(sandbox, {});
  expect(before.found[0]).not.toContain("horns");
  const { found, warnings } = await texts(sandbox, { ...endpoint(url), RETAIN_RERANK_KEY: KEY });
  expect(found[0]).toBe(FACTS[3] as string);
  expect(found.toSorted()).toEqual(before.found.toSorted());
  expect(warnings).toEqual([]);
  expect(seen).toEqual([
    {
      path: "/v1/rerank",
      authorization: `Bearer ${KEY}`,
      body: { model: "judge", query: QUESTION, documents: before.found, top_n: 4 },
    },
  ]);
});

test("RERANK-1: a TEI server gets TEI's request format", async () => {
  const { url, seen } = rerankServer(tei(prefers("horns")));
  const { found } = await texts(
    withFacts(),
    endpoint(url, { RETAIN_RERANK: "tei", RETAIN_RERANK_MODEL: "" }),
  );
  expect(found[0]).toBe(FACTS[3] as string);
  const { texts: sent, ...rest } = seen[0]?.body ?? { query: "" };
  expect(sent?.toSorted()).toEqual(FACTS.toSorted());
  expect(rest).toEqual({ query: QUESTION, truncate: true });
});

test("RERANK-1: `--text` and `--semantic` don't use a reranker", async () => {
  const { url, seen } = rerankServer(jina(prefers("horns")));
  using retain = opened(withFacts(), endpoint(url));
  await retain.search(QUESTION, { mode: "text" });
  await retain.search(QUESTION, { mode: "semantic" });
  await retain.search("tag:boats");
  expect(seen).toEqual([]);
});

test("RERANK-1: a hook doesn't use a reranker", async () => {
  const { url, seen } = rerankServer(jina(prefers("horns")));
  const sandbox = withFacts();
  const stdin = new ClaudeCode(sandbox).event("UserPromptSubmit", {
    prompt: "what does the ferry ticket cost?",
  });
  const env = { RETAIN_EMBEDDING: "none", ...endpoint(url) };
  const hook = sandbox.start(["hook", "user-prompt-submit"], { env, stdin });
  expect(await new Response(hook.stdout).text()).toContain("forty crowns");
  expect(seen).toEqual([]);
});

test("RERANK-1: only the best 30 are sent", async () => {
  const { url, seen } = rerankServer(jina(prefers("number 7 ")));
  const facts = Array.from({ length: 45 }, (_, at) => `Ferry number ${at} sails on route ${at * 3}.`);
  const { found } = await texts(withFacts(facts), endpoint(url), "which ferry sails on a route");
  expect(seen.map(({ body }) => body.documents?.length)).toEqual([30]);
  expect(found).toHaveLength(10);
});

const FAILURES: readonly [name: string, answer: () => unknown][] = [
  ["an error", () => new Response("no model loaded", { status: 500 })],
  ["a refused key", () => new Response("who are you", { status: 401 })],
  ["no JSON", () => "<html>hello</html>"],
  ["another shape", () => ({ data: { results: [] } })],
  ["too few scores", () => ({ results: [{ index: 0, relevance_score: 0.9 }] })],
  ["no scores", () => ({ results: [] })],
  ["an index out of range", () => scores([0, 1, 2, 9])],
  ["a negative index", () => scores([0, 1, 2, -1])],
  ["an index that is no number", () => scores([0, 1, 2, "3"])],
  ["no index", () => scores([0, 1, 2, undefined])],
  ["an index twice", () => scores([0, 1, 2, 2])],
  ["a score that is no number", () => scores([0, 1, 2, 3], "high")],
  ["a score that JSON cannot hold", () => scores([0, 1, 2, 3], null)],
  ["NaN", () => '{"results":[{"index":0,"relevance_score":NaN}]}'],
  ["an endless score", () => JSON.stringify(scores([0, 1, 2, 3], 8)).replaceAll(":8}", ":1e999}")],
  ["a redirect elsewhere", () => Response.redirect("http://127.0.0.1:1/v1/rerank", 307)],
];

function scores(indices: readonly unknown[], score: unknown = 0.5) {
  return { results: indices.map((index) => ({ index, relevance_score: score })) };
}

for (const [name, answer] of FAILURES)
  test(`RERANK-3: ${name} leaves the order unchanged, with one warning that contains no key`, async () => {
    const { url, host, seen } = rerankServer(answer);
    const sandbox = withFacts();
    const before = await texts(sandbox, {});
    const after = await texts(sandbox, { ...endpoint(url), RETAIN_RERANK_KEY: KEY });
    expect(after.hits).toEqual(before.hits);
    expect(seen).toHaveLength(1);
    expect(after.warnings).toEqual([expect.stringContaining(host)]);
    expect(after.warnings[0]).not.toContain(KEY);
  });

test("RERANK-3: a slow server times out", async () => {
  const { url, host } = rerankServer(() => new Promise(() => {}));
  const sandbox = withFacts();
  const before = await texts(sandbox, {});
  const after = await texts(sandbox, endpoint(url, { RETAIN_RERANK_TIMEOUT_MS: "50" }));
  expect(after.hits).toEqual(before.hits);
  expect(after.warnings).toEqual([expect.stringContaining(host)]);
  expect(after.warnings[0]).toContain("50 ms");
});

test("RERANK-3: an unreachable server leaves the order unchanged; the command says so and succeeds", async () => {
  const sandbox = withFacts();
  const env = { RETAIN_EMBEDDING: "none", ...endpoint("http://127.0.0.1:1/v1") };
  const { stdout, stderr } = sandbox.ok(["search", ...QUESTION.split(" ")], { env });
  expect(stdout).toContain(FACTS[1] as string);
  expect(stderr.match(/warning:/g)).toHaveLength(1);
  expect(stderr).toContain("127.0.0.1:1");
});

test("RERANK-3: of several recalls for one question, only the first calls a failing server", async () => {
  const { url, seen } = rerankServer(() => new Response("", { status: 503 }));
  const reranker = openReranker({
    ...{ rerank: "endpoint", rerank_url: url, rerank_model: "", rerank_key: "", rerank_timeout_ms: 20_000 },
  });
  const warnings: string[] = [];
  const ports = { reranker, warn: (message: string) => warnings.push(message) } as unknown as RecallPorts;
  const ranked = FACTS.map((text, at) => ({ score: 1 - at / 10, more: [], shown: { text, heading: "" } }));
  const reranking = { query: parseQuery(QUESTION, new Date(0), []), partsOf: () => [], read: () => ranked };
  for (let recalls = 0; recalls < 3; recalls++)
    expect(await rerank(ports, ranked as never, reranking as never)).toBe(ranked as never);
  expect(seen).toHaveLength(1);
  expect(warnings).toHaveLength(1);
});

test("SEARCH-8: the parts add up to the score, and `--explain` names the reranker's part", async () => {
  const { url } = rerankServer(jina(prefers("horns")));
  const sandbox = withFacts();
  const { hits } = await texts(sandbox, endpoint(url));
  expect(hits[0]?.parts.map(({ name }) => name)).toContain("rerank");
  for (const { score, parts } of hits)
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 9);
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
});

test("RERANK-6: a hit with every word stays above one with none, whatever the reranker says", async () => {
  const { url } = rerankServer(jina((text) => (text.includes("walrus") ? -5 : 5)));
  const sandbox = withFacts(["The walrus eats herring.", "Seals catch fish.", "Penguins swim after fish."]);
  const byMeaning = { RETAIN_EMBEDDING: "minilm", RETAIN_CACHE: MODEL_CACHE };
  const { found } = await texts(sandbox, endpoint(url, byMeaning), "walrus herring");
  expect(found).toHaveLength(3);
  expect(found[0]).toBe("The walrus eats herring.");
});

test("RERANK-6: nothing is sent if nothing is relevant", async () => {
  const { url, seen } = rerankServer(jina(prefers("ferry")));
  const facts = Array.from({ length: 30 }, (_, at) => `Ferry number ${at} sails to island ${at * 3}.`);
  const { found } = await texts(withFacts(facts), endpoint(url), "who repaired the quantum harpsichord");
  expect(found).toEqual([]);
  expect(seen).toEqual([]);
});

test("RERANK-6: <private> parts and secrets are never sent, in texts or question", async () => {
  const { url, seen } = rerankServer(jina(prefers("ferry")));
  const sandbox = new Sandbox();
  const token = `ghp_${"a1B2".repeat(9)}`;
  sandbox.write(
    "one.md",
    `# Ferry\n\nThe ferry leaves at nine.\n\n<private>The ferry safe opens with 4711.</private>\n`,
  );
  sandbox.write("two.md", `# Token\n\nThe ferry bot logs in with ${token} every day.\n`);
  const env = { RETAIN_EMBEDDING: "none" };
  sandbox.ok(["put", "one.md", "two.md"], { env });
  await texts(sandbox, endpoint(url), `does the ferry bot still use ${token}`);
  const sent = JSON.stringify(seen);
  expect(seen).toHaveLength(1);
  expect(sent).toContain("ferry bot");
  expect(sent).not.toContain("4711");
  expect(sent).not.toContain(token);
});

test("RERANK-6: a long text is shortened after its secrets are replaced, and never within a character", async () => {
  const sent: string[] = [];
  const reranker = {
    score: async (_: string, texts: readonly string[]) => texts.map((text) => sent.push(text)),
  };
  const token = `ghp_${"a1B2".repeat(9)}`;
  const long = [`${"x".repeat(3_980)} ${token} end`, "🦭".repeat(3_000).slice(1)];
  const candidate = { everyWord: false, words: 0 };
  const shown = long.map((text) => ({ candidate, score: 1, more: [], shown: { text, heading: "" } }));
  const reranking = { query: parseQuery(QUESTION, new Date(0), []), partsOf: () => [], read: () => shown };
  await rerank({ reranker } as unknown as RecallPorts, shown as never, reranking as never);
  expect(sent.join()).not.toContain("ghp_");
  for (const text of sent) expect([text.length <= 4_000, text.isWellFormed()]).toEqual([true, true]);
});

test("CFG-3: a project's config can't choose a reranker", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  for (const line of ["rerank: endpoint", "rerank_url: http://stranger.example/v1", "rerank_key_env: HOME"]) {
    writeFileSync(join(sandbox.work, ".retain/config.yaml"), `${line}\n`);
    const { exitCode, stderr } = sandbox.run(["search", "ferry"]);
    expect([line, exitCode]).toEqual([line, 2]);
    expect(stderr).toContain("config.yaml:1: ");
    expect(stderr).not.toContain("unknown");
  }
});

test("CFG-3: a reranker without an address is rejected, and the hint says what to set", () => {
  const { exitCode, stderr } = withFacts().run(["search", "ferry"], {
    env: { RETAIN_EMBEDDING: "none", RETAIN_RERANK: "endpoint" },
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("rerank_url");
});
