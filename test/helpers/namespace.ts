/** Disks of a test's own: scripts that run as if they were root on a machine where mounts are nobody else's business. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { RETAIN, type Sandbox } from "./sandbox.ts";

/** What the script printed, stderr last. `retain` and `bun` are found; the mounts end with it. */
export async function inNamespace(
  sandbox: Sandbox,
  script: string,
  more: Record<string, string> = {},
): Promise<string> {
  const path = [dirname(RETAIN), dirname(process.execPath), process.env.PATH].join(":");
  const env = sandbox.env({ RETAIN_EMBEDDING: "none", ...more, PATH: path });
  const child = Bun.spawn(["unshare", "-rm", "sh", "-c", script], {
    cwd: sandbox.work,
    env,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  return `${stdout}${stderr}`;
}

/** A script that makes the home directory read-only for what follows. */
export function readOnlyHome({ home }: Sandbox): string {
  return `mount --bind ${home} ${home} && mount -o remount,bind,ro ${home}\n`;
}

/** A script that mounts a disk of this size; the home workspace is in its directory `retain`. */
export function smallDisk(sandbox: Sandbox, size: string): { disk: string; script: string } {
  const disk = join(sandbox.root, "disk");
  mkdirSync(disk);
  return {
    disk,
    script: `mount -t tmpfs -o size=${size} tmpfs ${disk} && export RETAIN_HOME=${disk}/retain\n`,
  };
}
