/** Banks by name, through the library. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { MapBackend } from "../../examples/map-backend.ts";
import { openRetain } from "../../src/index.ts";
import { Sandbox } from "../helpers/sandbox.ts";

test("a bank opened by name is its own memory, whatever the directory, the home workspace and the backend", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("I live in Lisbon");
  const surroundings = { cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() };
  using home = openRetain({ ...surroundings, settings: { embedding: "none" }, backend: new MapBackend() });
  using bank = await home.banks.open("team");
  expect(bank.workspace.root).toBe(join(sandbox.memory, "banks/team"));
  expect(await home.banks.list()).toEqual([]);
  await bank.facts.retain([{ content: "I prefer trains" }]);
  expect((await bank.facts.list()).map(({ text }) => text)).toEqual(["I prefer trains"]);
  expect(await bank.backend()).toBeNull();
  expect((await bank.search("Lisbon")).hits).toEqual([]);
  using again = openRetain({ ...surroundings, bank: "team" });
  expect((await again.facts.list()).map(({ text }) => text)).toEqual(["I prefer trains"]);
  expect(await home.banks.list()).toEqual(["team"]);
  for (const name of ["..", "a/b", "", ".hidden", "a\0b"])
    expect(() => openRetain({ ...surroundings, bank: name })).toThrow(
      expect.objectContaining({ code: "invalid_name" }),
    );
});
