import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { MODEL_CACHE, Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";

const LIBRARY: Record<string, string> = {
  auth: "---\ntags: [auth, api]\npriority: high\n---\n# Auth\n\nAccess tokens rotate every 15 minutes. Sessions are kept in Redis.\n",
  deploy:
    "---\ntags: [ops]\n---\n# Deploys\n\nWe ship to production on Tuesdays, after the canary has been quiet for an hour.\n",
  dog: "# Pets\n\nAda's puppy is a border collie called Biscuit.\n",
  gpu: "---\ntags: [gpu]\n---\n# GPU patterns\n\nMetal beats CUDA on laptops for small batches.\n",
  zh: "# 笔记\n\n我们每周二发布新版本，机器学习模型也一起更新。\n",
};

/** A home workspace with these documents. */
function library(): Sandbox {
  const box = new Sandbox(WITH_MEANING);
  for (const [id, text] of Object.entries(LIBRARY)) write(box, id, text);
  return box;
}

/** As a person does it, in an editor. */
function write(box: Sandbox, id: string, text: string): string {
  const path = box.path("memory", id);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
  return path;
}

function found(box: Sandbox, ...args: string[]): string[] {
  const { json } = box.ok(["search", ...args, "--json"]);
  return json.data.results.map(({ id }: { id: string }) => id);
}

test("SEARCH-1: a question finds its answer by keyword and meaning, even without a common word", () => {
  const box = library();
  expect(found(box, "how often do tokens rotate?")[0]).toBe("auth");
  expect(found(box, "which dog breed does she own")[0]).toBe("dog");
  expect(found(box, "--semantic", "release schedule")[0]).toBe("deploy");
  const { json, stderr } = box.ok(["search", "canine companion", "--json"]);
  expect(json.data.by).toBe("both");
  expect(json.data.results[0]).toMatchObject({
    kind: "document",
    collection: "memory",
    id: "dog",
    origin: "home",
    heading: "Pets",
    text: expect.stringContaining("border collie"),
    score: expect.any(Number),
  });
  expect(json.warnings).toEqual([]);
  expect(stderr).toBe("");
});

test("SEARCH-1: --text searches only by keyword, --semantic only by meaning", () => {
  const box = library();
  expect(found(box, "--text", "canine companion")).toEqual([]);
  expect(found(box, "--text", "puppy")).toEqual(["dog"]);
  expect(box.ok(["search", "--text", "puppy", "--json"]).json.data.by).toBe("text");
  expect(box.ok(["search", "--semantic", "puppy", "--json"]).json.data.by).toBe("semantic");
  expect(box.run(["search", "--text", "--semantic", "x"]).exitCode).toBe(2);
});

test("SEARCH-3: collection, filter, tag, kind, dates and limit narrow a search", async () => {
  const box = library();
  await box.addDocument("---\ncreated_at: 2020-03-01T10:00:00Z\n---\n# Old\n\nTokens never rotated then.\n", {
    id: "old",
    collection: "archive",
  });
  expect(found(box, "tokens", "--collection", "archive")).toEqual(["old"]);
  expect(found(box, "tokens", "--filter", "priority=high")).toEqual(["auth"]);
  expect(found(box, "tokens", "tag:auth")).toEqual(["auth"]);
  expect(found(box, "tag:gpu")).toEqual(["gpu"]);
  expect(found(box, "tokens", "--kind", "fact")).toEqual([]);
  expect(found(box, "tokens", "--kind", "documents")).toContain("auth");
  expect(found(box, "tokens", "--until", "2020-12-31")).toEqual(["old"]);
  expect(found(box, "tokens", "--since", "2021-01-01")).not.toContain("old");
  expect(found(box, "tokens", "--since", "last year", "--text")).toEqual(["auth"]);
  expect(found(box, "tokens", "--limit", "1")).toHaveLength(1);
  expect(found(box, "tokens", "--min-score", "5")).toEqual([]);
});

test("SEARCH-4: phrases must occur, words after '-' must not, 'auth*' is a prefix", () => {
  const box = library();
  expect(found(box, '"tokens rotate"')).toEqual(["auth"]);
  expect(found(box, '"rotate tokens"')).toEqual([]);
  expect(found(box, "tokens", "laptops", "-cuda")).not.toContain("gpu");
  expect(found(box, "--text", "prod*")).toEqual(["deploy"]);
});

test("SEARCH-5: a search finds inflected words, CJK and parts of words, and misspelt ones if nothing else matches", () => {
  const box = library();
  write(box, "code", "# Code\n\nCall `getUserById` before rendering.\n");
  expect(found(box, "--text", "rotating token")[0]).toBe("auth");
  expect(found(box, "--text", "prodction")).toEqual(["deploy"]);
  expect(found(box, "--text", "UserBy")).toEqual(["code"]);
  expect(found(box, "机器学习")[0]).toBe("zh");
  expect(found(box, "--text", "发布")).toEqual(["zh"]);
  expect(found(box, "--text", "周")).toEqual(["zh"]);
  expect(found(box, "--text", "模型 -机器")).toEqual([]);
  write(box, "mixed", "# Phone\n\nMy iPhone手机 is old.\n");
  expect(found(box, "--text", "iphone")).toEqual(["mixed"]);
  expect(box.ok(["search", "--text", "prodction"]).stdout).toContain("1 memory (similar spelling only)");
});

test("SEARCH-4: a query that names nothing is refused, with what to type instead", () => {
  const box = library();
  for (const [verb, query] of [
    ["search", "*"],
    ["search", "-"],
    ["search", "tag:"],
    ["recall", "((("],
  ] as const) {
    const { exitCode, stdout, stderr } = box.run([verb, "--", query]);
    expect([query, exitCode, stdout]).toEqual([query, 2, ""]);
    expect(stderr).toContain("retain search");
  }
});

test("SEARCH-4: no input is a syntax error", () => {
  const box = library();
  for (const query of [
    'AND OR NOT NEAR("a" b) ^tokens {x}: -',
    '"unbalanced tokens',
    "🦆 tokens 🐕‍🦺",
    "foo:bar tokens*",
    "'; DROP TABLE chunks; --",
    "-draft",
    "(((((((tokens",
    Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(" "),
  ]) {
    const { exitCode, stderr } = box.run(["search", "--json", "--", query]);
    expect({ query: query.slice(0, 40), exitCode, stderr }).toEqual({
      query: query.slice(0, 40),
      exitCode: 0,
      stderr: "",
    });
  }
});

test("CLI-5: an empty query and invalid options exit with 2 and a hint", () => {
  const box = library();
  for (const args of [
    [""],
    ["   "],
    ["x", "--filter", "nonsense"],
    ["x", "--kind", "documnt"],
    ["x", "--since", "soonish"],
    ["x", "--limit", "0"],
    ["x", "--min-score", "high"],
    [],
  ]) {
    const { exitCode, stderr } = box.run(["search", ...args]);
    expect({ args, exitCode, lines: stderr.trim().split("\n").length }).toEqual({
      args,
      exitCode: 2,
      lines: 2,
    });
  }
  const { json } = box.ok(["search", "tokens", "--collection", "memry", "--json"]);
  expect(json.data.results).toEqual([]);
  expect(json.warnings).toEqual(["There is no collection 'memry'. Did you mean 'memory'?"]);
});

test("SEARCH-8: --explain says in words what each part of a score means", () => {
  const box = library();
  const { stdout } = box.ok(["search", "access tokens rotate", "--explain"]);
  expect(stdout).toMatch(/\+0\.\d{3} words match/);
  expect(stdout).toMatch(/\+0\.\d{3} similar meaning/);
  expect(stdout).toMatch(/every word/);
  const [hit] = box.ok(["search", "access tokens rotate", "--explain", "--json"]).json.data.results;
  const sum = hit.parts.reduce((total: number, { value }: { value: number }) => total + value, 0);
  expect(sum).toBeCloseTo(hit.score, 9);
});

test("SEARCH-8: --explain omits parts that score zero, and says 'near' only of times that are near", () => {
  const box = library();
  const near = box.ok(["search", "--text", "tokens yesterday", "--explain"]).stdout;
  expect(near).toMatch(/time .* or near it/);
  const far = box.ok(["search", "--text", "tokens 5 years ago", "--explain"]).stdout;
  expect(far).toContain("words match");
  expect(far).not.toContain("0.000");
  expect(far).not.toContain("near it");
});

test("--quiet prints ids; otherwise a hit has id, heading, origin and the words around the match", () => {
  const box = library();
  expect(box.ok(["search", "--text", "canary", "--quiet"]).stdout).toBe("deploy\n");
  const { stdout } = box.ok(["search", "--text", "canary"]);
  expect(stdout).toMatch(
    /^deploy {2}Deploys {2}\(memory, \d{4}-\d\d-\d\d, 0\.\d\d, tags: ops\)\n {2}We ship to production/,
  );
  expect(box.ok(["search", "--text", "xyzzyplugh"]).stdout).toBe("No relevant memories.\n");
});

test("SEARCH-10: inside a project both workspaces are searched, the project first; --local and --global choose one", async () => {
  const box = library();
  await box.makeProject();
  await box.addDocument(
    "# Deploys\n\nWe ship to production on Fridays, after the tests have been green for an hour.\n",
    { id: "ours" },
  );
  const both = found(box, "when do we ship to production");
  expect(both.slice(0, 2)).toEqual(["ours", "deploy"]);
  expect(found(box, "production", "--local")).toEqual(["ours"]);
  expect(found(box, "production", "--global")[0]).toBe("deploy");
});

test("INDEX-2: the next search sees a put, update, delete or restore, by meaning too", () => {
  const box = new Sandbox(WITH_MEANING);
  box.ok(["put", "-", "--id", "pet", "--title", "Note"], { stdin: "Biscuit is a border collie puppy.\n" });
  expect(found(box, "--semantic", "dog")).toEqual(["pet"]);
  box.ok(["update", "pet", "--content", "-"], { stdin: "The invoice was paid by wire transfer.\n" });
  expect(found(box, "--text", "collie")).toEqual([]);
  expect(found(box, "--semantic", "payment")).toEqual(["pet"]);
  box.ok(["delete", "pet"]);
  expect(found(box, "payment invoice")).toEqual([]);
  box.ok(["restore", "pet"]);
  expect(found(box, "payment")).toEqual(["pet"]);
});

test("INDEX-2: the next search sees files that a person adds, changes, renames or removes", () => {
  const box = library();
  expect(found(box, "--text", "biscuit")).toEqual(["dog"]);
  const path = write(box, "cat", "# Cat\n\nMittens sleeps all day.\n");
  expect(found(box, "--text", "mittens")).toEqual(["cat"]);
  appendFileSync(path, "\nShe hates the vacuum cleaner.\n");
  expect(found(box, "--text", "vacuum")).toEqual(["cat"]);
  renameSync(path, box.path("memory", "tom"));
  expect(found(box, "--text", "mittens")).toEqual(["tom"]);
  rmSync(box.path("memory", "tom"));
  expect(found(box, "--text", "mittens")).toEqual([]);
});

function rows(box: Sandbox, sql: string): unknown[][] {
  using database = new Database(join(box.memory, "retain.db"), { readonly: true });
  return database.query(sql).values();
}

test("INDEX-3: reindex, and a deleted database, give the same results", () => {
  const box = library();
  box.ok(["embed"]);
  const queries = ["tokens", "which dog breed does she own", "机器学习", "release schedule", "prodction"];
  const answers = () => queries.map((query) => box.ok(["search", query, "--json"]).json.data);
  const before = answers();
  const { json } = box.ok(["reindex", "--json"]);
  expect(json.data).toMatchObject({ documents: 5, chunks: 5, embedded: 5, waiting: 0 });
  expect(answers()).toEqual(before);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(box.memory, `retain.db${suffix}`), { force: true });
  expect(answers()).toEqual(before);
});

test("INDEX-3: a damaged database is set aside with a message, and the search still answers", () => {
  const box = library();
  found(box, "tokens");
  writeFileSync(join(box.memory, "retain.db"), "this is no database ".repeat(1_000));
  for (const suffix of ["-wal", "-shm"]) rmSync(join(box.memory, `retain.db${suffix}`), { force: true });
  const { json } = box.ok(["search", "tokens rotate", "--json"]);
  expect(json.data.results[0].id).toBe("auth");
  expect(json.warnings[0]).toContain("damaged");
});

test("FORMAT-1: an index of the first version is migrated, one of a newer version is refused with a reason", () => {
  const box = library();
  found(box, "tokens");
  const path = join(box.memory, "retain.db");
  const first = new Database(path);
  for (const table of [
    "words",
    "trigrams",
    "chunks",
    "vectors",
    "senses",
    "pending",
    "models",
    "recalls",
    "messages",
    "state",
  ])
    first.run(`DROP TABLE ${table}`);
  first.run("DROP TABLE facts");
  first.run("DROP TABLE sessions");
  first.run("ALTER TABLE documents DROP COLUMN format");
  first.run("PRAGMA user_version = 1");
  first.close();
  expect(found(box, "tokens")[0]).toBe("auth");
  const newer = new Database(path);
  newer.run("PRAGMA user_version = 99");
  newer.close();
  const { exitCode, stderr } = box.run(["search", "tokens"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("newer version of Retain");
});

test("VEC-3: unchanged text keeps its vectors: an edit embeds only the changed part, a rename nothing", () => {
  const box = new Sandbox(WITH_MEANING);
  const sections = ["One", "Two", "Three"].map(
    (name) => `## ${name}\n\n${`The ${name} section has its own words about ${name}. `.repeat(12)}\n`,
  );
  const path = write(box, "long", `# Long\n\n${sections.join("\n")}`);
  expect(box.ok(["embed", "--json"]).json.data).toMatchObject({ embedded: 3, waiting: 0 });
  appendFileSync(path, "\nA new last sentence in the third.\n");
  expect(box.ok(["embed", "--json"]).json.data).toMatchObject({ embedded: 1, waiting: 0 });
  renameSync(path, box.path("memory", "renamed"));
  expect(box.ok(["embed", "--json"]).json.data).toMatchObject({ embedded: 0, waiting: 0 });
  expect(rows(box, "SELECT count(DISTINCT chunk_id) FROM vectors")).toEqual([[3]]);
  expect(found(box, "last sentence")).toEqual(["renamed"]);
});

test("INDEX-7: doctor accepts a good index, and says what to do about an outdated one", () => {
  const box = library();
  box.ok(["embed"]);
  chmodSync(box.memory, 0o700);
  const { stdout } = box.ok(["doctor"]);
  expect(stdout).toContain("✓ index: ok: 5 documents in 5 chunks");
  expect(stdout).toContain("✓ model: minilm-l6-v2, 384 dimensions");
  const database = new Database(join(box.memory, "retain.db"));
  database.run("DELETE FROM words WHERE rowid = 1");
  database.close();
  const { exitCode, stdout: told } = box.run(["doctor"]);
  expect(exitCode).toBe(1);
  expect(told).toMatch(/✗ index: .*'words'.* 1/);
  expect(told).toContain("retain reindex");
  box.ok(["reindex"]);
  box.ok(["doctor"]);
});

test("with embedding off, doctor reports nothing as not embedded yet", () => {
  const box = library();
  chmodSync(box.memory, 0o700);
  expect(box.ok(["doctor"]).stdout).toMatch(/5 chunks not embedded yet\n.*retain embed/);
  const { stdout } = box.ok(["doctor"], { env: { RETAIN_EMBEDDING: "none" } });
  expect(stdout).toContain("✓ vectors: 0 stored\n✓ model: none");
});

test("RECALL-1: recall prints memories within the budget, each with its source, and counts them", () => {
  const box = library();
  const { stdout } = box.ok(["recall", "how often do tokens rotate", "--budget", "60"]);
  expect(stdout).toMatch(/^### memory\/auth: Auth \(\d{4}-\d\d-\d\d\)\n\n/);
  expect(stdout).toContain("Access tokens rotate every 15 minutes.");
  const { json } = box.ok(["recall", "how often do tokens rotate", "--budget", "60", "--json"]);
  expect(json.data.tokens).toBeLessThanOrEqual(60);
  expect(json.data.memories.map(({ id }: { id: string }) => id)).toEqual(["auth"]);
  expect(rows(box, "SELECT kind, source, count FROM recalls WHERE source = 'memory/auth'")).toEqual([
    ["document", "memory/auth", 2],
  ]);
  expect(box.ok(["recall", "--text", "xyzzyplugh"]).stdout).toBe("No relevant memories.\n");
  expect(box.run(["recall", "x", "--budget", "none"]).exitCode).toBe(2);
});

test("INDEX-2: watch indexes changed files until Ctrl-C", async () => {
  const box = library();
  const watching = box.start(["watch"]);
  const told = watching.stderr.getReader();
  const until = async (text: string) => {
    let seen = "";
    while (!seen.includes(text)) {
      const { value, done } = await told.read();
      if (done) throw new Error(`'watch' ended before '${text}': ${seen}`);
      seen += new TextDecoder().decode(value);
    }
  };
  await until("5 documents indexed, 5 chunks embedded");
  write(box, "cat", "# Cat\n\nMittens sleeps all day.\n");
  await until("1 document indexed, 1 chunk embedded");
  rmSync(box.path("memory", "cat"));
  await until("0 documents indexed, 1 removed");
  expect(rows(box, "SELECT count(*) FROM vectors")).toEqual([[5]]);
  watching.kill("SIGINT");
  expect(await watching.exited).toBe(130);
});

test("VEC-5: a search embeds pending text only briefly, answers, and says how to embed the rest", async () => {
  const box = library();
  using slow = Bun.serve({
    port: 0,
    async fetch(request) {
      const { input } = (await request.json()) as { input: string[] };
      await Bun.sleep(600);
      return Response.json({ data: input.map((_, index) => ({ index, embedding: [1, index + 1, 0, 0] })) });
    },
  });
  for (let number = 0; number < 40; number++)
    write(box, `more-${number}`, `# More ${number}\n\nTokens, number ${number}.\n`);
  const env = endpoint(slow.url);
  const searching = box.start(["search", "tokens", "--json"], { env });
  const { data, warnings } = JSON.parse(await new Response(searching.stdout).text());
  expect(data.results.length).toBe(10);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^\d+ .*retain embed$/);
});

function endpoint(url: URL | string): Record<string, string> {
  return {
    RETAIN_EMBEDDING: "endpoint",
    RETAIN_EMBEDDING_URL: `${url}v1`,
    RETAIN_EMBEDDING_MODEL: "some-model",
  };
}

test("VEC-5: without a usable embedding model a search answers by keyword and says so once; with 'none' it says nothing", () => {
  const box = library();
  const { json } = box.ok(["search", "tokens", "--json"], { env: endpoint("http://127.0.0.1:9/") });
  expect(json.data.by).toBe("text");
  expect(json.data.results[0].id).toBe("auth");
  expect(json.warnings).toHaveLength(1);
  const off = box.ok(["search", "tokens", "--json"], { env: { RETAIN_EMBEDDING: "none" } });
  expect(off.json.data).toMatchObject({ by: "text", results: [{ id: "auth" }] });
  expect(off.json.warnings).toEqual([]);
  expect(box.ok(["embed"], { env: { RETAIN_EMBEDDING: "none" } }).stdout).toContain("embedding = none");
});

test("SEARCH-10: filters apply in each workspace, and fuzzy matches count only if neither has others", () => {
  const box = new Sandbox(WITH_MEANING);
  const put = (args: string[], stdin: string) => box.ok(["put", "-", "--quiet", ...args], { stdin });
  put(["--id", "x", "--priority", "high", "--title", "Home"], "The cache is warm, concatenate the logs.\n");
  box.ok(["init"]);
  put(["--id", "x", "--priority", "low", "--title", "Project"], "The cache is cold. The cat sleeps.\n");
  const { json } = box.ok(["search", "cache", "--filter", "priority=high", "--json"]);
  expect(json.data.results.map(({ origin }: { origin: string }) => origin)).toEqual(["home"]);
  const cat = box.ok(["search", "--text", "cat", "--json"]).json.data.results;
  expect(cat.map(({ origin }: { origin: string }) => origin)).toEqual(["project"]);
});

test("CLI-5: a search in an empty home creates nothing", () => {
  const box = new Sandbox(WITH_MEANING);
  for (const args of [["search", "x"], ["recall", "x"], ["embed"], ["doctor"]]) box.ok(args);
  expect(box.tree(box.home)).toEqual([]);
});

test("INDEX-2: a search doesn't wait for a writer, and reports nothing false", async () => {
  const box = library();
  box.ok(["embed"]);
  write(box, "new", "# New\n\nSomething else about tokens.\n");
  const writer = new Database(join(box.memory, "retain.db"));
  writer.run("BEGIN IMMEDIATE");
  const { json } = box.ok(["recall", "tokens rotate", "--json"]);
  writer.run("ROLLBACK");
  writer.close();
  expect(json.data.memories[0].id).toBe("auth");
  expect(json.warnings).toEqual([]);
});

test("INDEX-3: a search notices damage deep in the database and still answers", () => {
  const box = library();
  box.ok(["embed"]);
  const path = join(box.memory, "retain.db");
  const database = new Database(path);
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const [[page]] = database
    .query("SELECT rootpage FROM sqlite_master WHERE name = 'words_data'")
    .values() as [[number]];
  const [[size]] = database.query("PRAGMA page_size").values() as [[number]];
  database.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
  const { json } = box.ok(["search", "tokens rotate", "--json"]);
  expect(json.data.results[0].id).toBe("auth");
  expect(json.warnings[0]).toContain("was damaged");
  box.ok(["reindex"]);
});

test("INDEX-3: a database replaced while memory is open is noticed", async () => {
  const box = library();
  using retain = openRetain({ cwd: box.work, homeDirectory: box.home, env: { RETAIN_CACHE: MODEL_CACHE } });
  expect((await retain.search("canine companion")).hits[0]?.id).toBe("dog");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(box.memory, `retain.db${suffix}`), { force: true });
  write(box, "cat", "# Cat\n\nMittens sleeps all day.\n");
  box.ok(["embed"]);
  expect((await retain.search("canine companion")).hits[0]?.id).toBe("dog");
  expect((await retain.search("mittens")).hits[0]?.id).toBe("cat");
});

test("INDEX-3: simultaneous searches and a reindex leave a complete index", async () => {
  const box = library();
  box.ok(["embed"]);
  const running = ["search tokens", "reindex", "search tokens", "reindex", "search tokens"].map((line) =>
    box.start(line.split(" ")),
  );
  expect(await Promise.all(running.map(({ exited }) => exited))).toEqual([0, 0, 0, 0, 0]);
  expect(found(box, "tokens")[0]).toBe("auth");
  expect(box.ok(["doctor", "--json"], {}).json.data.findings[1]).toMatchObject({
    name: "index",
    ok: true,
    detail: "ok: 5 documents in 5 chunks",
  });
});

test("VEC-3: two embed commands share the work, and the next continues after one that was killed", async () => {
  const box = new Sandbox(WITH_MEANING);
  for (let number = 0; number < 150; number++)
    write(
      box,
      `note-${number}`,
      `# Note ${number}\n\nThe ${number}th meeting was about budgets and plan ${number}.\n`,
    );
  const killed = box.start(["embed"]);
  while (Number(rowsIfThere(box, "SELECT count(*) FROM vectors")?.[0]?.[0] ?? 0) === 0) await Bun.sleep(5);
  killed.kill("SIGKILL");
  await killed.exited;
  const both = [box.start(["embed", "--json"]), box.start(["embed", "--json"])];
  const done = await Promise.all(
    both.map(async ({ stdout }) => JSON.parse(await new Response(stdout).text()).data.embedded),
  );
  const before = 150 - done[0] - done[1];
  expect(before).toBeGreaterThan(0);
  expect(rows(box, "SELECT count(*) FROM vectors")).toEqual([[150]]);
  expect(rows(box, "SELECT count(*) FROM pending")).toEqual([[0]]);
});

function rowsIfThere(box: Sandbox, sql: string): unknown[][] | null {
  try {
    return rows(box, sql);
  } catch {
    return null;
  }
}

test("RECALL-1: a budget applies to text without spaces too, and one that is too small says so", () => {
  const box = new Sandbox(WITH_MEANING);
  write(box, "zh", `# 笔记\n\n${"机器学习模型每周二更新".repeat(60)}\n`);
  const { json } = box.ok(["recall", "机器学习", "--text", "--budget", "90", "--json"]);
  expect(json.data.text).toContain("机器学习");
  expect(json.data.tokens).toBeLessThanOrEqual(90);
  expect(box.ok(["recall", "机器学习", "--text", "--budget", "5"]).stdout).toBe(
    "Found 1 memory, but none fits the budget. Raise --budget.\n",
  );
});

test("SEARCH-3: a plain date in a document is a day in the reader's time zone", () => {
  const box = new Sandbox(WITH_MEANING);
  write(box, "day", "---\ncreated_at: 2020-03-01\n---\n# Day\n\nTokens then.\n");
  const env = { TZ: "America/Los_Angeles" };
  const { json } = box.ok(["search", "tokens", "--since", "2020-03-01", "--until", "2020-03-01", "--json"], {
    env,
  });
  expect(json.data.results).toHaveLength(1);
  expect(box.run(["search", "x", "--since", "2021", "--until", "2020"]).exitCode).toBe(2);
  expect(box.run(["search", "x", "--since", "Monday"]).exitCode).toBe(0);
  expect(box.run(["search", "x", "--since", "garbage yesterday rubbish"]).exitCode).toBe(2);
});

test("RECALL-1: barely relevant memories are omitted, and the best one is cut rather than omitted", () => {
  const box = library();
  write(box, "long", `# Rotation\n\n${"Tokens rotate, and here is at length how and why. ".repeat(20)}\n`);
  const { json } = box.ok(["recall", "tokens rotate at length how", "--text", "--budget", "50", "--json"]);
  expect(json.data.memories[0].id).toBe("long");
  expect(json.data.tokens).toBeLessThanOrEqual(50);
});

test("SEARCH-5: a fuzzy match doesn't rank before a text with the same meaning", () => {
  const box = new Sandbox(WITH_MEANING);
  write(box, "move", "# Billing\n\nThe migration of the invoices took a week.\n");
  write(
    box,
    "coffee",
    "# Coffee\n\nEighteen grams of beans to thirty-six grams of brew, pulled in 28 seconds.\n",
  );
  expect(found(box, "espresso ratio")[0]).toBe("coffee");
  expect(found(box, "--text", "a".repeat(50_000))).toEqual([]);
});

test("SEARCH-4: a word with a leading dash is excluded, and so is a phrase", () => {
  const box = library();
  expect(found(box, "tokens", '-"every 15"')).not.toContain("auth");
  expect(box.run(["search", "tokens", "-x"]).exitCode).toBe(0);
});
