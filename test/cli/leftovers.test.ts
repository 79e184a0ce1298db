import { expect, test } from "bun:test";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

/** An unfinished write of an ended process, or of this one, with its age in hours. */
function unfinished(directory: string, pid: number, hours: number): string {
  const path = join(directory, `.tmp-${pid}-0b5c1c52-7c0e-4bd5-9d0a-${String(hours).padStart(12, "0")}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "half");
  const then = Date.now() / 1_000 - hours * 3_600;
  utimesSync(path, then, then);
  return path;
}

test("DUR-1: the next write into a directory removes leftovers of killed processes, and nothing of running ones", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  const transcript = join(sandbox.work, "talk.jsonl");
  writeFileSync(transcript, "");
  const stop = JSON.stringify({
    hook_event_name: "Stop",
    session_id: "s",
    cwd: sandbox.work,
    transcript_path: transcript,
  });
  const writes: [directory: string, args: string[], stdin?: string][] = [
    [join(sandbox.work, ".retain"), ["config", "set", "--local", "max_versions", "5"]],
    [sandbox.memory, ["config", "set", "--global", "max_versions", "6"]],
    [sandbox.memory, ["model", "key", "anthropic"], "sk-ant-none\n"],
    [join(sandbox.work, "out"), ["sessions", "export", "s1", "--output", "out/talk.md"]],
  ];
  sandbox.ok(["ingest", "-", "--session", "s1"], { stdin: "Hello.\n" });
  const dead = Bun.spawnSync(["true"]).pid;
  for (const [directory, args, stdin] of writes) {
    const gone = unfinished(directory, dead, 2);
    const fresh = unfinished(directory, dead, 0);
    const running = unfinished(directory, process.pid, 3);
    sandbox.ok(args, { stdin: stdin ?? stop });
    expect([args[0], [gone, fresh, running].map((path) => existsSync(path))]).toEqual([
      args[0] ?? "",
      [false, true, true],
    ]);
  }
});
