/** Revisions of the memory, as the page follows them and as the list of memories uses them. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../../src/index.ts";
import { Changes } from "../../../src/serve/page/changes.ts";
import { afterThisTest } from "../../helpers/clean-up.ts";
import { Sandbox } from "../../helpers/sandbox.ts";

test("a file that changes while no browser listens is in the list that a browser gets next", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "plan"], { stdin: "# Plan\n\nTea.\n" });
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() },
    settings: { embedding: "none" },
  });
  afterThisTest(() => retain.close());
  const changes = new Changes(retain, (error) => {
    throw error;
  });
  const listed = async () => {
    let seen = "";
    const leave = changes.subscribe(({ id }) => {
      seen = id;
    });
    const { items } = await retain.memories.page({ seen });
    leave();
    return items.map(({ text }) => text);
  };
  expect(await listed()).toEqual(["Tea."]);
  const { file_path } = await retain.documents.get("plan");
  writeFileSync(join(file_path, "..", "other.md"), "# Other\n\nCoffee.\n");
  expect((await listed()).sort()).toEqual(["Coffee.", "Tea."]);
});
