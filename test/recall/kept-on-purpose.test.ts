/** The source of a fact decides between equal matches: through the real command and tools. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/app.ts";
import { Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";

const QUESTION = "which service runs nightly backups";
const fact = (name: string) => `The ${name} service runs nightly backups.`;

/** The names in the found facts, best first. */
function found(sandbox: Sandbox): string[] {
  const { results } = sandbox.ok(["search", "--json", QUESTION]).json.data;
  return results
    .filter(({ kind }: { kind: string }) => kind === "fact")
    .map(({ text }: { text: string }) => /The (\w+) service/.exec(text)?.[1] ?? text);
}

/** Writes inferred facts. */
function conclude(sandbox: Sandbox, ...names: string[]): void {
  mkdirSync(join(sandbox.memory, "memories"), { recursive: true });
  appendFileSync(
    join(sandbox.memory, "memories/INFERRED.md"),
    names.map((name) => `- ${fact(name)}\n`).join(""),
  );
}

async function retainTool(sandbox: Sandbox, text: string): Promise<void> {
  using retain = openRetain({ cwd: sandbox.work, env: {}, homeDirectory: sandbox.home });
  const tool = (await retain.memoryTools({})).find(({ name }) => name === "retain");
  expect(await tool?.run({ items: [{ content: text }] }, new AbortController().signal)).toMatchObject({
    ok: true,
  });
}

test("RANK-3: facts from a person rank above facts saved by a model, and those above inferred facts", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", fact("Aster")]);
  await retainTool(sandbox, fact("Briar"));
  sandbox.ok(["ingest", "-"], { stdin: `Noted.\n\n[MEMORY] ${fact("Cedar")}\n` });
  conclude(sandbox, "Dahlia");
  const [first, ...others] = found(sandbox);
  expect(first).toBe("Aster");
  expect(others.slice(0, 2).toSorted()).toEqual(["Briar", "Cedar"]);
  expect(others.slice(2)).toEqual(["Dahlia"]);
});

test("RANK-3: the order does not depend on which came first", async () => {
  const sandbox = new Sandbox();
  conclude(sandbox, "Dahlia", "Elm");
  expect(found(sandbox)).toHaveLength(2);
  await retainTool(sandbox, fact("Cedar"));
  sandbox.ok(["remember", fact("Juniper")]);
  expect(found(sandbox).slice(0, 2)).toEqual(["Juniper", "Cedar"]);
});

test("RANK-3: a confirmed fact ranks like a person's", async () => {
  const sandbox = new Sandbox();
  conclude(sandbox, "Dahlia", "Elm");
  await retainTool(sandbox, fact("Cedar"));
  expect(found(sandbox)[0]).toBe("Cedar");
  const [dahlia] = sandbox
    .ok(["facts", "--json"])
    .json.data.facts.filter(({ text }: { text: string }) => text === fact("Dahlia"));
  sandbox.ok(["confirm", dahlia.id]);
  expect(found(sandbox)).toEqual(["Dahlia", "Cedar", "Elm"]);
});

test("RANK-3: a matching conversation does not lift its facts above a fact that a person saved explicitly", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", fact("Aster")]);
  const said = `You asked which service runs nightly backups.\n\n[MEMORY] ${fact("Cedar")}\n`;
  sandbox.ok(["ingest", "-", "--session", "s1"], { stdin: said });
  expect(found(sandbox)).toEqual(["Aster", "Cedar"]);
});

test("facts of an older index get the new ranking and keep their vectors", () => {
  const sandbox = new Sandbox(WITH_MEANING);
  sandbox.ok(["remember", fact("Aster")]);
  conclude(sandbox, "Dahlia");
  expect(found(sandbox)).toEqual(["Aster", "Dahlia"]);
  const database = new Database(join(sandbox.memory, "retain.db"));
  const vectors = () => database.query("SELECT vector_id, chunk_id FROM vectors ORDER BY 1").values();
  const before = vectors();
  const state = () => String(database.query("SELECT value FROM state WHERE key = 'memories'").values());
  for (let last = ""; state() !== last || !state().includes("HISTORY.md"); found(sandbox)) last = state();
  database.run("UPDATE chunks SET importance = 0.5");
  database.run("DELETE FROM state WHERE key = 'facts'");
  expect(before).toHaveLength(2);
  expect(found(sandbox)).toEqual(["Aster", "Dahlia"]);
  const importance = database.query("SELECT importance FROM chunks ORDER BY 1").values().flat();
  expect([importance, vectors()]).toEqual([[0.25, 1], before]);
  database.close();
});
