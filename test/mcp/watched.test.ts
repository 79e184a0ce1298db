/** Files that an editor, another process or git changes between a server's searches. */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes } from "./clients.ts";

test("INDEX-2: a server's search sees file changes made just before it, however often it is asked", async () => {
  const sandbox = new Sandbox();
  const directory = join(sandbox.memory, "collections", "memory");
  const at = (id: string) => join(directory, `${id}.md`);
  const { client, pid } = await overPipes(sandbox, []);
  const found = async (query: string) => {
    const answer = await client.callTool({ name: "recall", arguments: { query } });
    return JSON.stringify(answer.content).includes(query);
  };
  mkdirSync(directory, { recursive: true });
  writeFileSync(at("a"), "# A\n\nThe parrot sings.\n");
  for (const _ of [1, 2, 3]) expect(await found("parrot")).toBe(true);
  if (process.platform === "linux") expect(openFiles(pid)).toContain("anon_inode:inotify");

  appendFileSync(at("a"), "\nThe walrus swims.\n");
  expect(await found("walrus")).toBe(true);
  writeFileSync(join(sandbox.work, "new"), "# A\n\nThe badger digs.\n");
  renameSync(join(sandbox.work, "new"), at("a"));
  expect(await found("badger")).toBe(true);
  expect(await found("walrus")).toBe(false);
  sandbox.ok(["put", "-", "--id", "b"], { stdin: "# B\n\nThe heron waits.\n" });
  expect(await found("heron")).toBe(true);
  renameSync(directory, join(sandbox.memory, "collections", "animals"));
  expect(await found("badger")).toBe(true);
  rmSync(join(sandbox.memory, "collections", "animals"), { recursive: true });
  expect(await found("badger")).toBe(false);
});

function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((number) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${number}`);
    } catch {
      return [];
    }
  });
}
