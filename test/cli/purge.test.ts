/** Removed text is gone from the bytes of the index too, not only from its rows. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { conversation, talk } from "../helpers/conversations.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const WORD = "quokkaflux";
const TEXT = `The launch word is ${WORD}, and nobody else knows it.`;
const QUIET = { env: { RETAIN_EMBEDDING: "none" } };

/** The index files that contain the word, or its prefix as stored by the full-text index. */
function holding({ memory }: Sandbox): string[] {
  return readdirSync(memory)
    .filter((name) => name.startsWith("retain.db"))
    .filter((name) => readFileSync(join(memory, name), "latin1").toLowerCase().includes("quokka"));
}

/** Among others, so that the index has more than one page. */
async function filled(): Promise<Sandbox> {
  const sandbox = new Sandbox();
  for (const number of [1, 2, 3])
    sandbox.ok(["put", "-", "--id", `other-${number}`], {
      ...QUIET,
      stdin: `# Other ${number}\n\nHarbours and boats.\n`,
    });
  await conversation(sandbox, talk("Where is the harbour?", "In the north."));
  return sandbox;
}

test("PURGE-1: no byte of a deleted session is left in the index", async () => {
  const sandbox = await filled();
  const id = await conversation(sandbox, talk(TEXT, `Noted: ${WORD}.`), { title: `About ${WORD}` });
  sandbox.ok(["sessions", "tag", id, WORD]);
  expect(holding(sandbox)).not.toEqual([]);
  sandbox.ok(["sessions", "delete", id, "--yes"]);
  expect(holding(sandbox)).toEqual([]);
});

test("PURGE-1: no byte of a deleted document is left in the index, and reindex leaves none of removed files", async () => {
  const sandbox = await filled();
  for (const remove of [
    () => sandbox.ok(["delete", "secret-plan"]),
    () => {
      rmSync(join(sandbox.memory, "collections/memory/secret-plan.md"));
      sandbox.ok(["reindex"]);
    },
  ]) {
    await sandbox.addDocument(`# Plan\n\n${TEXT}\n`, { id: "secret-plan" });
    sandbox.ok(["update", "secret-plan", "--tags", WORD]);
    expect(sandbox.ok(["search", WORD, "-q"]).stdout).toContain("secret-plan");
    expect(holding(sandbox)).not.toEqual([]);
    remove();
    expect(holding(sandbox)).toEqual([]);
    rmSync(join(sandbox.memory, "collections/memory/.versions"), { recursive: true, force: true });
  }
});

test("PURGE-3: sessions prune deletes only sessions that have been inactive for the given time", async () => {
  const sandbox = await filled();
  const work = await conversation(sandbox, talk(TEXT), { chat: "work" });
  sandbox.ok(["--model", "none", "What is new?"]);
  const ids = () => sandbox.ok(["sessions", "-q"]).stdout.trim().split("\n");
  const all = ids();
  const dry = sandbox.ok(["sessions", "prune", "--older", "30d", "--dry-run", "--json"]).json.data;
  expect(dry.found.toSorted()).toEqual(all.slice(1).toSorted());
  expect(sandbox.run(["sessions", "prune", "--older", "30d"]).exitCode).not.toBe(0);
  for (const wrong of [["prune"], ["prune", "--older", "soon"], ["prune", "--older", "30d", "more"]])
    expect(sandbox.run(["sessions", ...wrong, "--yes"]).exitCode).toBe(2);
  expect(ids()).toEqual(all);
  expect(sandbox.ok(["sessions", "prune", "--older", "2026-01-01", "--yes", "-q"]).stdout).toBe("");
  sandbox.ok(["sessions", "prune", "--older", "30d", "--chat", "work", "--yes"]);
  expect(ids()).toEqual(all.filter((id) => id !== work));
  expect(holding(sandbox)).toEqual([]);
  sandbox.ok(["sessions", "prune", "--older", "4w", "--yes"]);
  expect(ids()).toEqual(all.slice(0, 1));
});
