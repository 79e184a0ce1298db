/** The files that `@` completes to. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { FileList } from "../../src/agent/attachments/file-list.ts";
import { resolveRoots } from "../../src/agent/tools/roots.ts";
import { GitRepository } from "../../src/files/git/git.ts";
import { Sandbox } from "../helpers/sandbox.ts";

function listOf(sandbox: Sandbox, git = new GitRepository(sandbox.work, sandbox.env())): FileList {
  return new FileList(resolveRoots(sandbox.work, sandbox.home, [sandbox.memory]), git);
}

/** What is found once the list and the sizes are there. */
async function found(list: FileList, part: string): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await list.refresh();
  list.onChange = resolve;
  if (list.find(part).length > 0) await promise;
  return list.find(part).map(({ value }) => value);
}

test("TUI-41: without git, files are found in all directories, without hidden ones, packages and secrets", async () => {
  const sandbox = new Sandbox();
  for (const path of ["a.ts", "x/b.ts", "x/.hidden/c.ts", ".env", "node_modules/d.ts", "credentials.json"])
    sandbox.write(path, "12345");
  const list = listOf(sandbox);
  expect(await found(list, "")).toEqual(["@a.ts", "@x/b.ts"]);
  expect(list.find("b.T")).toEqual([{ value: "@x/b.ts", detail: "5 bytes" }]);
});

test("TUI-41: in a repository, a removed file and a new ignored one are not offered, a new untracked one is", async () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q"]);
  sandbox.write("gone.ts", "");
  sandbox.write("kept.ts", "");
  sandbox.git(["add", "."]);
  rmSync(join(sandbox.work, "gone.ts"));
  const list = listOf(sandbox);
  expect(await found(list, "")).toEqual(["@kept.ts"]);
  sandbox.write(".gitignore", "*.log\n");
  sandbox.write("new.ts", "");
  sandbox.write("new.log", "");
  expect((await found(list, "")).sort()).toEqual(["@kept.ts", "@new.ts"]);
});

test("TUI-41: the best match comes first: the name, its beginning, a part of it, then directories", async () => {
  const sandbox = new Sandbox();
  const paths = [
    "app/main.ts",
    "src/my-app.ts",
    "src/app.ts",
    "lib/wrap/x.ts",
    "deep/down/app",
    "app-state.ts",
  ];
  for (const path of paths) sandbox.write(path, "");
  expect(await found(listOf(sandbox), "app")).toEqual([
    "@deep/down/app",
    "@app-state.ts",
    "@src/app.ts",
    "@src/my-app.ts",
    "@app/main.ts",
  ]);
});

test("TUI-41: of 50,000 files any is found, and finding waits for nothing", async () => {
  const sandbox = new Sandbox();
  sandbox.write("src/part-7/file-49999.ts", "");
  const paths = Array.from({ length: 50_000 }, (_, at) => `src/part-${at % 8}/file-${at}.ts`);
  const output = async () => Buffer.from(paths.join("\0"));
  const list = listOf(sandbox, { output } as unknown as GitRepository);
  expect(list.find("49999")).toEqual([]);
  expect(await found(list, "49999")).toEqual(["@src/part-7/file-49999.ts"]);
});
