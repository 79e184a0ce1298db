/** Conversations that were also sent to a backend. */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MapBackend } from "../../examples/map-backend.ts";
import type { RetainOptions } from "../../src/app/retain-options.ts";
import { type MemoryBackend, openRetain, type Retain } from "../../src/index.ts";
import { episode } from "../contract/backend.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { conversation, talk } from "../helpers/conversations.ts";
import { HindsightServer } from "../helpers/hindsight-server.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const SAID = ["The heron nests by the weir", "Noted: the heron nests by the weir"];

function open(sandbox: Sandbox, options: RetainOptions = {}, variables = {}) {
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env(variables) },
    settings: { embedding: "none" },
    onWarning: () => {},
    ...options,
  });
  afterThisTest(() => retain.close());
  const origins = async (query: string) => (await retain.search(query)).hits.map(({ origin }) => origin);
  return { retain, origins };
}

async function backendOf(retain: Retain): Promise<MemoryBackend> {
  const backend = await retain.backend();
  if (backend === null) throw new Error("There is no backend");
  return backend;
}

async function withServer(sandbox = new Sandbox()) {
  const server = await new HindsightServer().start();
  afterThisTest(() => server.stop());
  const variables = { RETAIN_MEMORY_BACKEND: "hindsight", RETAIN_HINDSIGHT_URL: server.url };
  const documents = () => [...server.bank("retain").documents.keys()];
  return { sandbox, server, documents, ...open(sandbox, {}, variables), variables };
}

test("SESS-30: deleting a session also removes it from a program's own backend", async () => {
  const [sandbox, backend] = [new Sandbox(), new MapBackend()];
  const { retain, origins } = open(sandbox, { backend });
  const id = await conversation(sandbox, talk(...SAID));
  await backend.sessions.keep(episode(id, SAID));
  await retain.sessions.remove(id, { dryRun: true });
  expect(new Set(await origins("heron weir"))).toEqual(new Set(["home"]));
  await retain.sessions.remove(id);
  expect(await origins("heron weir")).toEqual([]);
});

test("SESS-30: if the backend doesn't remove a session, nothing is deleted here, and the error says so", async () => {
  const [sandbox, backend] = [new Sandbox(), new MapBackend()];
  const { retain } = open(sandbox, { backend });
  const id = await conversation(sandbox, talk(...SAID));
  const remove = backend.sessions.remove;
  backend.sessions.remove = async () => {
    throw new TypeError("fetch failed");
  };
  const refusal = {
    code: "remote",
    message: `Not deleted: session ${id}. The memory backend failed (fetch failed).`,
  };
  await expect(retain.sessions.remove(id)).rejects.toMatchObject(refusal);
  await expect(retain.sessions.prune(new Date())).rejects.toMatchObject(refusal);
  expect((await retain.sessions.show(id)).conversation).toHaveLength(2);
  backend.sessions.remove = remove;
  expect(await retain.sessions.prune(new Date())).toMatchObject([{ id }]);
});

test("SESS-30: while the server is down, a deleted session is not found, and neither sent nor left on the server later", async () => {
  const { sandbox, server, documents, retain, origins } = await withServer();
  const id = await conversation(sandbox, talk(...SAID));
  const { sessions } = await backendOf(retain);
  await sessions.keep(episode(id, SAID));
  await retain.uploads.flush();
  expect(documents()).toHaveLength(1);
  server.trouble = { status: 503 };
  await sessions.keep(episode(id, ["The otter left the weir"], 2));
  await retain.sessions.remove(id);
  expect(await origins("heron weir")).toEqual([]);
  expect(await origins("otter weir")).toEqual([]);
  server.trouble = null;
  await retain.uploads.retry();
  expect(documents()).toEqual([]);
  expect(JSON.stringify(server.sent("POST", "/memories").map(({ body }) => body))).not.toContain("otter");
  expect(await origins("heron weir")).toEqual([]);
  expect((await retain.status()).backend.waiting).toBe(0);
});

test("SESS-30: turns of a deleted session are not sent again when the server fails to process them", async () => {
  const { sandbox, server, documents, retain } = await withServer();
  const id = await conversation(sandbox, talk(...SAID));
  const { sessions } = await backendOf(retain);
  server.fails = "the model timed out";
  await sessions.keep(episode(id, SAID));
  await sessions.keep(episode(id, SAID, 2));
  await retain.uploads.flush();
  server.fails = null;
  await retain.sessions.remove(id);
  for (const _ of [1, 2]) await retain.uploads.retry();
  expect(documents()).toEqual([]);
  expect(server.sent("POST", "/memories")).toHaveLength(1);
  expect((await retain.status()).backend.waiting).toBe(0);
});

test("SESS-30: a session of the home workspace that is deleted in a project is removed from the bank of the home workspace", async () => {
  for (const scoping of ["per-project-tagged", "per-project"]) {
    const { sandbox, documents, retain, variables } = await withServer();
    const project = join(sandbox.work, "project");
    mkdirSync(join(project, ".retain"), { recursive: true });
    const more = { ...variables, RETAIN_HINDSIGHT_SCOPING: scoping };
    const inProject = open(sandbox, { cwd: project }, more);
    const id = await conversation(sandbox, talk(...SAID));
    await (await backendOf(retain)).sessions.keep(episode(id, SAID));
    await retain.uploads.flush();
    expect(documents()).toHaveLength(1);
    expect(await inProject.retain.sessions.remove(id)).toMatchObject({ id, origin: "home" });
    await inProject.retain.uploads.flush();
    expect(documents()).toEqual([]);
    expect(await inProject.origins("heron weir")).toEqual([]);
  }
});
