/** What a person saves in an editor while Retain writes. The clock is asked for each document, right before it is written. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { Sandbox } from "../helpers/sandbox.ts";

/** A memory with three documents; `save` runs once, after the old state of the last one was kept. */
async function replacing(save: (file: string) => void) {
  const sandbox = new Sandbox();
  const directory = join(sandbox.memory, "collections/memory");
  let isSaved = false;
  const clock = () => {
    if (!isSaved && existsSync(join(directory, ".versions/d2"))) {
      isSaved = true;
      save(join(directory, "d2.md"));
    }
    return new Date();
  };
  const retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: {}, clock });
  const documents = (content: string) =>
    [0, 1, 2].map((number) => ({
      name: `d${number}`,
      read: () => ({ id: `d${number}`, content: `# D${number}\n\n${content}\n` }),
    }));
  await retain.documents.putMany(documents("one"));
  const again = () => retain.documents.putMany(documents("two"));
  return { sandbox, retain, again };
}

function saveAs(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

test("DUR-2: a person's save in the middle of a put becomes a version", async () => {
  const { sandbox, retain, again } = await replacing((file) =>
    saveAs(file, readFileSync(file, "utf8").replace("one", "edited by hand")),
  );
  using _ = retain;
  const { stored, failed } = await again();
  expect([stored.map(({ action }) => action), failed]).toEqual([["replaced", "replaced", "replaced"], []]);
  expect(sandbox.document("memory", "d2")).toContain("two");
  const kept = stored[2]?.kept_version ?? "";
  expect(sandbox.ok(["get", "d2", "--version", kept]).stdout).toContain("edited by hand");
  for (const id of ["d0", "d1"])
    expect(sandbox.ok(["versions", id, "--json"]).json.data.versions).toHaveLength(2);
});

test("DUR-2: an update does not overwrite what a person saves at the same moment", async () => {
  const edited = "# D2\n\nedited by hand\n";
  const { sandbox, retain } = await replacing((file) => saveAs(file, edited));
  using _ = retain;
  await expect(retain.documents.update("d2", { tags: ["x"] })).rejects.toMatchObject({ code: "conflict" });
  expect(sandbox.document("memory", "d2")).toBe(edited);
  expect(await retain.documents.update("d2", { tags: ["x"] })).toMatchObject({ action: "updated" });
  expect(sandbox.document("memory", "d2")).toContain("edited by hand");
});
