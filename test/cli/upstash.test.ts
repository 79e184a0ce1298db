/** The real command against a stand-in Upstash index: what several machines share, and what a person sees when it fails. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { conversation, talk, withSessions } from "../helpers/conversations.ts";
import { HOME, type Machine, machines } from "../helpers/upstash-machine.ts";

test("VECTOR-1: facts, summaries and messages get content-hash ids, metadata and a namespace per scope, and survive a rebuild", async () => {
  const [machine] = (await machines(1)) as [Machine];
  const { server } = machine;
  const session = await conversation(machine, talk("Herons wade at dusk.", "Dusk is best for herons."), {
    title: "Birds",
  });
  await withSessions(machine, async (sessions) =>
    sessions.change(session, { summary: "We talked about herons." }),
  );
  await machine.retain(["remember", "Terns dive for fish", "--category", "Birds"]);
  await machine.retain(["put", "-", "--id", "plan", "--collection", "notes"], {
    stdin: "# Plan\n\nOsprey nest\n",
  });
  await machine.retain(["log", "Walk: saw an osprey"]);
  expect(server.facts(HOME)).toEqual([
    "Dusk is best for herons.",
    "Herons wade at dusk.",
    "Terns dive for fish",
    "We talked about herons.",
  ]);
  const about = server.stored(HOME).map(({ metadata }) => metadata);
  expect(about).toContainEqual(
    expect.objectContaining({ type: "fact", category: "Birds", fact: "Terns dive for fish" }),
  );
  expect(about).toContainEqual(
    expect.objectContaining({
      type: "summary",
      title: "Birds",
      session_id: session,
      date: expect.any(Number),
    }),
  );
  expect(about).toContainEqual(expect.objectContaining({ type: "message", session_id: session }));

  const ids = server.stored(HOME).map(({ id }) => id);
  for (const file of ["retain.db", "retain.db-wal", "retain.db-shm"])
    rmSync(join(machine.memory, file), { force: true });
  const before = server.requests.length;
  await machine.retain(["facts"]);
  await machine.retain(["embed", "--to", "upstash"]);
  expect(server.stored(HOME).map(({ id }) => id)).toEqual(ids);
  expect(server.requests.slice(before).map(({ endpoint }) => endpoint)).toEqual(["info"]);

  machine.git(["init", "--quiet"]);
  await machine.retain(["remember", "The build uses tabs"]);
  const [project = ""] = [...server.namespaces.keys()].filter((name) => name !== HOME);
  expect(project).toMatch(/^retain-work-[0-9a-f]{8}$/);
  expect(server.facts(project)).toEqual(["The build uses tabs"]);
});

test("VECTOR-2: a machine recalls what another one saved, labelled bank, in one request for each namespace", async () => {
  const [one, other] = (await machines(2)) as [Machine, Machine];
  const { server } = one;
  await one.retain(["remember", "Herons wade in shallow water"]);
  await other.retain(["remember", "Terns dive for fish"]);
  const before = server.requests.length;
  expect(await other.found("where do herons wade")).toEqual(["bank: Herons wade in shallow water"]);
  const asked = server.requests.slice(before);
  expect(asked.map(({ endpoint, namespace }) => `${endpoint}/${namespace}`)).toEqual([`query-data/${HOME}`]);
  expect(asked[0]?.body.filter).toBe("type IN ('fact', 'summary', 'message')");
  await other.retain(["search", "herons", "--kind", "fact", "--since", "2020-01-01"]);
  expect(server.requests.at(-1)?.body.filter).toBe(
    `type IN ('fact') AND date >= ${Date.parse("2020-01-01T00:00")}`,
  );
  expect((await other.retain(["recall", "where do herons wade"])).stdout).toContain("Herons wade");
  const { stdout } = await one.retain(["search", "shallow", "--explain"]);
  expect(stdout).toContain("hosted index");
  const count = server.requests.length;
  await one.retain(["search", "herons", "--text"]);
  await one.retain(["search", "herons", "--kind", "document"]);
  expect(server.requests.length).toBe(count);
});

test("VECTOR-3: while the index is down, recall answers from this machine and says so once; what was saved is uploaded later", async () => {
  const [machine] = (await machines(1)) as [Machine];
  const { server } = machine;
  await machine.retain(["remember", "Herons wade in shallow water"]);
  for (const trouble of [
    { status: 429, headers: { "retry-after": "0" } },
    { status: 500 },
    { hang: true },
    { cut: "before" as const },
    { cut: "after" as const },
  ]) {
    server.trouble = trouble;
    const counts: number[] = [];
    for (const _ of ["first", "second"]) {
      const { stdout, stderr, exitCode } = await machine.retain(["search", "herons"], {
        env: { RETAIN_UPSTASH_TIMEOUT_MS: "50" },
      });
      expect({ trouble, exitCode, has: stdout.includes("Herons wade") }).toEqual({
        trouble,
        exitCode: 0,
        has: true,
      });
      expect(stderr.match(/from this machine only/g)).toHaveLength(1);
      counts.push(server.requests.length);
    }
    // The second one doesn't ask again so soon.
    expect(counts[1]).toBe(counts[0] ?? 0);
    machine.forgetFailure();
  }
  server.trouble = { status: 503, headers: { "retry-after": "600" } };
  const saved = await machine.retain(["remember", "Terns dive for fish"]);
  expect(saved.stdout).toContain("Memory saved");
  expect(saved.stderr).toContain("1 memory not uploaded yet");
  expect((await machine.json(["status"])).vectors).toMatchObject([{ stored: 1, toSend: 1, toDelete: 0 }]);
  const asked = server.requests.length;
  await machine.retain(["facts"]);
  expect(server.requests.length).toBe(asked);
  server.trouble = null;
  await machine.retain(["status", "--send"]);
  expect(server.facts(HOME)).toEqual(["Herons wade in shallow water", "Terns dive for fish"]);
  expect((await machine.json(["status"])).vectors).toMatchObject([{ stored: 2, toSend: 0, problem: null }]);
});

test("VECTOR-3: an expired token is reported without the token, and without one recall stays local", async () => {
  const [machine] = (await machines(1)) as [Machine];
  const { server, variables: env } = machine;
  const { token } = server;
  server.token = "another-token";
  await machine.retain(["remember", "Herons wade"], { env });
  for (const args of [
    ["search", "herons"],
    ["status"],
    ["status", "--json"],
    ["embed", "--to", "upstash"],
    ["config"],
    ["doctor"],
  ]) {
    const { stdout, stderr } = await machine.retain(args, { env });
    expect(stdout + stderr).not.toContain(token);
  }
  expect((await machine.retain(["status"], { env })).stdout).toContain("UPSTASH_VECTOR_REST_TOKEN");
  const without = await machine.retain(["search", "herons"], { env: { UPSTASH_VECTOR_REST_TOKEN: "" } });
  expect(without.stdout).toContain("Herons wade");
  expect(without.stderr).toContain("UPSTASH_VECTOR_REST_TOKEN is not set");
});

test("VECTOR-4: forget deletes a memory from the index, later if that fails, and it never comes back as another machine's", async () => {
  const [machine, other] = (await machines(2)) as [Machine, Machine];
  const { server } = machine;
  const long = `Grebes build nests. ${"They float on the lake near the old mill and the reeds. ".repeat(8)}`;
  for (const fact of ["Herons wade in shallow water", "Terns dive for fish", "Egrets stalk frogs", long])
    await machine.retain(["remember", fact]);
  expect(server.stored(HOME).length).toBeGreaterThan(3);
  await machine.retain(["forget", "Grebes build nests", "--yes"]);
  expect(server.facts(HOME)).toEqual([
    "Egrets stalk frogs",
    "Herons wade in shallow water",
    "Terns dive for fish",
  ]);

  server.trouble = { status: 503 };
  const { stdout, stderr } = await machine.retain(["forget", "Herons wade in shallow water", "--yes"]);
  expect(stdout).toContain("Forgotten");
  expect(stderr).toContain("1 memory not deleted from it yet");
  const second = await machine.retain(["forget", "Egrets stalk frogs", "--yes"]);
  expect(second.stderr).toContain("2 memories not deleted");
  rmSync(join(machine.memory, "retain.db"));
  server.trouble = null;
  server.isBehind = true;
  expect(await machine.found("herons wade")).not.toContain("bank: Herons wade in shallow water");
  await machine.retain(["status", "--send"]);
  expect(await machine.found("herons wade")).not.toContain("bank: Herons wade in shallow water");
  server.settle();
  expect(server.facts(HOME)).toEqual(["Terns dive for fish"]);
  expect(await other.found("herons wade")).toEqual([]);
  await machine.retain(["clear", "--yes"]);
  expect(server.facts(HOME)).toEqual([]);
});

test("VECTOR-4: an index that another process is still rebuilding deletes nothing", async () => {
  const [machine] = (await machines(1)) as [Machine];
  const { server } = machine;
  await conversation(machine, talk("Herons wade at dusk."));
  await machine.retain(["remember", "Terns dive for fish"]);
  expect(server.stored(HOME)).toHaveLength(2);
  for (const file of ["retain.db", "retain.db-wal", "retain.db-shm"])
    rmSync(join(machine.memory, file), { force: true });
  using lock = new Database(join(machine.memory, ".lock"));
  lock.run("BEGIN IMMEDIATE");
  await machine.retain(["search", "herons"]);
  lock.run("ROLLBACK");
  expect(server.sent("delete")).toEqual([]);
});

test("VECTOR-4: a memory that only another machine has can be forgotten by its id, also while the index is down", async () => {
  const [machine, other] = (await machines(2)) as [Machine, Machine];
  const { server } = machine;
  await machine.retain(["remember", "Herons wade in shallow water"]);
  const [{ id }] = (await other.json(["search", "herons wade"])).results;
  expect((await other.retain(["search", "herons wade"])).stdout).toContain(", bank, ");
  expect((await other.retain(["get", id])).stderr).toContain("another machine");
  expect((await other.retain(["forget", id])).exitCode).toBe(3);
  const unknown = await other.retain(["forget", `fact:${"0".repeat(20)}`, "--yes"]);
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
  server.trouble = { status: 503 };
  const { stdout, stderr } = await other.retain(["forget", id, "--yes"]);
  expect(stdout).toContain("Forgotten");
  expect(stdout).toContain("other machine");
  expect(stderr).toContain("1 memory not deleted from it yet");
  server.trouble = null;
  expect(await other.found("herons wade")).toEqual([]);
  await other.retain(["status", "--send"]);
  expect(server.stored(HOME)).toEqual([]);
  expect(await machine.found("herons wade")).toEqual(["home: Herons wade in shallow water"]);
  expect((await machine.retain(["forget", id, "--yes"])).stdout).toContain("Forgotten");
  expect(await machine.found("herons wade")).toEqual([]);
});

test("VECTOR-5: secrets, private text, unconfirmed facts and incognito questions never reach the index", async () => {
  const [machine] = (await machines(1)) as [Machine];
  const { server } = machine;
  const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  await conversation(
    machine,
    talk(`The token is ${key}.`, "Rotate it in May.", "Ferns grow. <private>The code is 4711.</private>"),
  );
  await machine.retain(["remember", `Deploys use ${key}`, "--allow-secret"]);
  machine.write("../home/.retain/memories/INFERRED.md", "# Unconfirmed\n\n- Prefers gannets\n");
  await machine.retain(["facts"]);
  await machine.retain(["search", `herons ${key}`]);
  await machine.retain(["chat", "-p", "where do herons wade", "--incognito"], {
    env: { RETAIN_MODEL: "none" },
  });
  await machine.retain(["embed", "--to", "upstash"]);
  expect(server.facts(HOME)).toEqual(["Rotate it in May."]);
  expect((await machine.json(["status"])).vectors).toMatchObject([{ stored: 1, toSend: 0 }]);
  const sent = server.requests.map(({ text }) => text).join("\n");
  for (const hidden of [key, "4711", "gannets", "where do herons"]) expect(sent).not.toContain(hidden);
  expect(server.sent("query-data")).toHaveLength(1);
});

test("VECTOR-6: embed --to says what it costs, continues after a kill and a rate limit, and refuses an index that doesn't fit", async () => {
  const [machine] = (await machines(1)) as [Machine];
  const { server } = machine;
  const env = { RETAIN_VECTORS: "local" };
  const facts = Array.from({ length: 1_200 }, (_, index) => `- Bird number ${index} is a heron`);
  machine.write("../home/.retain/memories/MEMORY.md", `# Memory\n\n## Birds\n\n${facts.join("\n")}\n`);
  await machine.retain(["facts"], { env });
  const refused = await machine.retain(["embed", "--to", "upstash"], { env });
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toContain("config set --global vectors upstash");

  server.similarity = "EUCLIDEAN";
  const unfit = await machine.retain(["embed", "--to", "upstash"]);
  expect(unfit.exitCode).toBe(2);
  expect(unfit.stderr).toContain("COSINE");
  server.similarity = "COSINE";

  const uploads = server.sent("upsert-data").length;
  const half = machine.start(["embed", "--to", "upstash"], { env: machine.variables });
  server.trouble = {
    hang: true,
    on: ({ endpoint }) => endpoint === "upsert-data" && server.sent("upsert-data").length > uploads + 1,
  };
  while (server.sent("upsert-data").length < uploads + 2) await Bun.sleep(5);
  half.kill("SIGKILL");
  await half.exited;
  server.trouble = null;
  const stored = server.stored(HOME).length;
  expect(stored).toBeGreaterThan(0);
  let limits = 2;
  const on = ({ endpoint }: { endpoint: string }) => endpoint === "upsert-data" && limits-- > 0;
  server.trouble = { status: 429, headers: { "retry-after": "0" }, on };
  const { stdout, stderr } = await machine.retain(["embed", "--to", "upstash"]);
  const requests = Math.ceil((1_200 - stored) / 500);
  expect(stderr).toContain(`Uploading ${1_200 - stored} memories`);
  expect(stdout).toContain(`Uploaded ${1_200 - stored} memories in ${requests} request`);
  expect(server.facts(HOME)).toHaveLength(1_200);
  expect((await machine.retain(["embed", "--to", "upstash"])).stdout).toContain("up to date");
});

test("VECTOR-6: with this machine's embedding model, its vectors are uploaded, and an index of another dimension is refused", async () => {
  const [machine, other] = (await machines(2)) as [Machine, Machine];
  const { server } = machine;
  const env = { RETAIN_EMBEDDING: "minilm", RETAIN_UPSTASH_EMBEDDING: "local" };
  server.dimension = 1_536;
  await machine.retain(["remember", "Herons wade in shallow water"], { env });
  const refused = await machine.retain(["embed", "--to", "upstash"], { env });
  expect(refused.stderr).toContain("1536 dimensions");
  expect(refused.stderr).toContain("384");
  server.dimension = 384;
  await machine.retain(["embed", "--to", "upstash"], { env });
  expect(server.stored(HOME)).toMatchObject([{ metadata: { fact: "Herons wade in shallow water" } }]);
  expect(server.sent("upsert").at(-1)?.body[0].data).toBeUndefined();
  expect(await other.found("which birds walk through ponds", { env })).toEqual([
    "bank: Herons wade in shallow water",
  ]);
});

test("VECTOR-7: a project's config cannot choose the index or its namespace", async () => {
  const [machine] = (await machines(1)) as [Machine];
  machine.git(["init", "--quiet"]);
  machine.ok(["init"]);
  const settings = [
    "vectors: upstash",
    "upstash_namespace: theirs",
    "upstash_embedding: upstash",
    "upstash_timeout_ms: 9",
  ];
  for (const setting of settings) {
    machine.write(".retain/config.yaml", `${setting}\n`);
    const { stderr } = await machine.retain(["remember", "The build uses tabs"], {
      env: { RETAIN_VECTORS: undefined },
    });
    expect(stderr).toContain("user setting");
  }
  expect(machine.server.requests).toEqual([]);
});

test("VECTOR-4: a memory whose upload was stored but never confirmed is deleted when it is forgotten", async () => {
  const [machine, other] = (await machines(2)) as [Machine, Machine];
  const { server } = machine;
  server.trouble = { cut: "after", on: ({ endpoint }) => endpoint === "upsert-data" };
  await machine.retain(["remember", "Herons wade in shallow water"]);
  expect(server.facts(HOME)).toEqual(["Herons wade in shallow water"]);
  expect((await machine.json(["status"])).vectors).toMatchObject([{ stored: 0, toSend: 1, toDelete: 0 }]);
  await machine.retain(["forget", "Herons wade in shallow water", "--yes"]);
  server.trouble = null;
  expect(await machine.found("where do herons wade")).toEqual([]);
  await machine.retain(["status", "--send"]);
  expect(server.facts(HOME)).toEqual([]);
  expect(await other.found("where do herons wade")).toEqual([]);
});
