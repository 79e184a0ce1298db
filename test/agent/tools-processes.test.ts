/** A command's processes die with it, and with Retain; tested with real processes. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endGroup, groupOf, kernelTime, lookAt } from "../../src/agent/tools/process-group.ts";
import { Place } from "./tools-place.ts";

/** Ended, or a zombie. */
function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

async function expectAllDead(pids: readonly string[]): Promise<void> {
  for (let round = 0; round < 500 && !pids.every((pid) => isDead(Number(pid))); round++) await Bun.sleep(10);
  expect(pids.filter((pid) => !isDead(Number(pid)))).toEqual([]);
}

/** Leaves its session, on systems with setsid and /proc. */
const LEAVER = Bun.which("setsid") === null || !existsSync("/proc/uptime") ? "" : "setsid";

/**
 * A child with its own children: a plain one, one that ignores TERM, one in its own session, one that also clears its environment, and
 * one that also redirects its output.
 */
const FAMILY = `
  sleep 1000 & echo $! >> pids
  sh -c 'trap "" TERM; echo $$ >> pids; while :; do sleep 1000; done' &
  ${LEAVER} sh -c 'echo $$ >> pids; exec sleep 1000' &
  env -i ${LEAVER} sh -c 'echo $$ >> pids; exec sleep 1000' &
  env -i ${LEAVER} sh -c 'echo $$ >> pids; exec sleep 1000' >/dev/null 2>&1 &
`;
const MEMBERS = 5;

test("TOOL-8: stopping a command kills everything it started", async () => {
  const place = new Place();
  const stop = new AbortController();
  const running = place.run("run_command", { command: `${FAMILY} echo started; sleep 1000` }, stop.signal);
  const pids = await place.lines("pids", MEMBERS);
  expect(pids.every((pid) => !isDead(Number(pid)))).toBe(true);
  stop.abort();
  expect(await running).toMatchObject({
    ok: false,
    output: expect.stringMatching(/^Stopped by the user after [\d.]+ s\.\n\nstarted\n$/),
    brief: expect.stringMatching(/^stopped/),
  });
  await expectAllDead(pids);
});

test("TOOL-8: a command that times out is killed with everything it started", async () => {
  let limit = 0;
  let ring = () => {};
  const timer = (milliseconds: number, then: () => void) => {
    limit = milliseconds;
    ring = then;
    return () => {};
  };
  const place = new Place({ timer });
  const running = place.run("run_command", { command: `${FAMILY} wait`, timeout_seconds: 7 });
  const pids = await place.lines("pids", MEMBERS);
  expect(limit).toBe(7_000);
  ring();
  const { ok, output, brief } = await running;
  expect({ ok, brief }).toEqual({ ok: false, brief: "timed out" });
  expect(output).toContain("after 7 seconds");
  await expectAllDead(pids);
});

test("TOOL-8: a finished command leaves nothing running in the background", async () => {
  const place = new Place();
  const command = `${FAMILY} while [ "$(wc -l < pids)" -lt ${MEMBERS} ]; do sleep 0.01; done; echo done`;
  const { ok, output } = await place.run("run_command", { command });
  expect({ ok, output }).toEqual({ ok: true, output: "Exit code 0.\n\ndone\n" });
  await expectAllDead(await place.lines("pids", MEMBERS));
});

test("TOOL-8: a command stopped before it starts does not run", async () => {
  const place = new Place();
  const stop = new AbortController();
  stop.abort();
  const outcome = await place.run("run_command", { command: "touch made" }, stop.signal);
  expect(outcome).toMatchObject({ ok: false, brief: expect.stringMatching(/^stopped/) });
  expect(existsSync(join(place.cwd, "made"))).toBe(false);
});

test("TOOL-8: background processes of a command that ends at once are killed too", async () => {
  const place = new Place();
  const leaver = `env -i ${LEAVER} sh -c 'echo $$ >> pids; : > gate; exec sleep 1000' >/dev/null 2>&1 &`;
  const { ok } = await place.run("run_command", { command: `mkfifo gate; ${leaver} : < gate` });
  expect(ok).toBe(true);
  await expectAllDead(await place.lines("pids", 1));
});

test.skipIf(LEAVER === "")(
  "TOOL-9: a process once seen as a command's own is still known after it loses every trace",
  async () => {
    const place = new Place();
    const orphan = "env -i setsid sh -c 'echo $$ >> pids; exec sleep 1000' </dev/null >/dev/null 2>&1 9>&- &";
    const since = kernelTime();
    const leader = Bun.spawn(["/bin/sh", "-c", `${orphan} read -r line`], {
      cwd: place.cwd,
      env: { PATH: process.env.PATH },
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    const group = groupOf(leader.pid, "no-mark-at-all", since);
    const [pid = ""] = await place.lines("pids", 1);
    lookAt(group);
    leader.kill("SIGKILL");
    await leader.exited;
    expect(isDead(Number(pid))).toBe(false);
    await endGroup(group, 0);
    await expectAllDead([pid]);
  },
);

test("TOOL-8: if Retain is killed, its command dies with everything it started", async () => {
  for (const [command, count] of [
    [`${FAMILY} echo $$ >> pids; wait`, MEMBERS + 1],
    ["trap '' TERM; kill 0; echo $$ >> pids; while :; do sleep 1000; done", 1],
  ] as const) {
    const place = new Place();
    const retain = Bun.spawn([process.execPath, join(import.meta.dir, "run-alone.ts"), command], {
      cwd: place.cwd,
      env: { PATH: process.env.PATH },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const pids = await place.lines("pids", count);
    expect(pids.every((pid) => !isDead(Number(pid)))).toBe(true);
    retain.kill("SIGKILL");
    await retain.exited;
    await expectAllDead(pids);
  }
});
