/** What a person marks as private in a document stays in the file: no search finds it, and no model is told. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";

test("INDEX-14: what is private in a document is in no answer, and the rest keeps its lines", async () => {
  const home = mkdtempSync(join(tmpdir(), "retain-private-"));
  const retain = openRetain({ cwd: home, env: { RETAIN_HOME: home, RETAIN_EMBEDDING: "none" } });
  afterThisTest(() => {
    retain.close();
    rmSync(home, { recursive: true });
  });
  const content =
    "# Plans\n\nThe boat is blue.\n<private>\nThe price is 900 kroner.\n</private>\nIt sails in May.\n";
  await retain.put({ content, id: "boat" });
  expect((await retain.search("kroner")).hits).toEqual([]);
  const { hits } = await retain.recall("boat sails");
  expect(hits).toHaveLength(1);
  expect(JSON.stringify(hits)).not.toContain("kroner");
  expect(JSON.stringify(hits)).toContain("It sails in May.");
  expect((await retain.get("boat")).content).toContain("The price is 900 kroner.");
});
