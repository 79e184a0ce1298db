import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HIDING } from "./tools-commands.ts";
import { Place } from "./tools-place.ts";

/** Ended, or only waiting for somebody to ask how it ended. */
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

/** Leaves its session, where the system has a program for it and a list of processes to find it by. */
const LEAVER = Bun.which("setsid") === null || !existsSync("/proc/uptime") ? "" : "setsid";

/** A child with children of its own: one plain, one that ignores TERM, one in a session of its own. */
const FAMILY = `
  sleep 1000 & echo $! >> pids
  sh -c 'trap "" TERM; echo $$ >> pids; while :; do sleep 1000; done' &
  ${LEAVER} sh -c 'echo $$ >> pids; exec sleep 1000' &
`;

test("TOOL-8: run_command gives what is printed, in its order, and the exit code", async () => {
  const place = new Place();
  const both = await place.run("run_command", { command: "echo a; echo b >&2; echo c; exit 3" });
  expect(both).toEqual({ ok: false, output: "Exit code 3.\n\na\nb\nc\n", brief: "exit 3, 3 lines" });
  const quiet = await place.run("run_command", { command: "pwd > where" });
  expect(quiet).toEqual({ ok: true, output: "Exit code 0.\n\nIt printed nothing.", brief: "exit 0" });
  expect(place.read("where")).toBe(`${place.cwd}\n`);
  expect((await place.run("run_command", { command: "cat; echo $?" })).output).toEndWith("\n\n0\n");
  expect((await place.run("run_command", { command: "kill -SEGV $$" })).brief).toBe("ended by SIGSEGV");
  expect((await place.run("run_command", { command: "echo 'a" })).ok).toBe(false);
});

test("TOOL-8: a working directory that is gone is a failure", async () => {
  const place = new Place();
  const plan = await place.plan("run_command", { command: "ls" });
  Bun.spawnSync(["rmdir", place.cwd]);
  expect(await plan.run(new AbortController().signal)).toMatchObject({ ok: false, brief: "failed" });
});

test("TOOL-8: what is printed loses its control sequences, and its middle where it is long", async () => {
  const place = new Place();
  const colours = String.raw`printf '\033[31mred\033[0m \033]0;title\007 50%%\r100%%\n\000\b'`;
  expect((await place.run("run_command", { command: colours })).output).toBe(
    "Exit code 0.\n\nred  50%\n100%\n",
  );
  const long = await place.run("run_command", { command: "seq 1 200000; echo the end" });
  expect(long.output.length).toBeLessThan(31_000);
  expect(long.output).toStartWith("Exit code 0.\n\n1\n2\n3\n");
  expect(long.output).toEndWith("\n200000\nthe end\n");
  const leftOut = Number(/\[… (\d+) bytes left out …\]/.exec(long.output)?.[1]);
  const whole = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join("").length + 8;
  expect(leftOut).toBe(whole - 30_000);
  const wide = await place.run("run_command", { command: "yes ÄÖÜäöü | head -c 99996" });
  expect(wide.output.includes("left out") && !wide.output.includes("\ufffd")).toBe(true);
});

test("TOOL-9: stopped, a command ends with everything that it started", async () => {
  const place = new Place();
  const stop = new AbortController();
  const running = place.run("run_command", { command: `${FAMILY} echo started; sleep 1000` }, stop.signal);
  const pids = await place.lines("pids", 3);
  expect(pids.every((pid) => !isDead(Number(pid)))).toBe(true);
  stop.abort();
  expect(await running).toEqual({
    ok: false,
    output: "Stopped by the person.\n\nstarted\n",
    brief: "stopped",
  });
  await expectAllDead(pids);
});

test("TOOL-9: after its time limit, a command ends with everything that it started", async () => {
  let limit = 0;
  let ring = () => {};
  const timer = (milliseconds: number, then: () => void) => {
    limit = milliseconds;
    ring = then;
    return () => {};
  };
  const place = new Place({ timer });
  const running = place.run("run_command", { command: `${FAMILY} wait`, timeout_seconds: 7 });
  const pids = await place.lines("pids", 3);
  expect(limit).toBe(7_000);
  ring();
  const { ok, output, brief } = await running;
  expect({ ok, brief }).toEqual({ ok: false, brief: "timed out" });
  expect(output).toStartWith("Stopped after 7 seconds, its time limit.");
  await expectAllDead(pids);
});

test("TOOL-9: when a command is done, nothing of it stays in the background", async () => {
  const place = new Place();
  const command = `${FAMILY} while [ "$(wc -l < pids)" -lt 3 ]; do sleep 0.01; done; echo done`;
  const { ok, output } = await place.run("run_command", { command });
  expect({ ok, output }).toEqual({ ok: true, output: "Exit code 0.\n\ndone\n" });
  await expectAllDead(await place.lines("pids", 3));
});

test("TOOL-9: a command that is stopped before it begins is not run", async () => {
  const place = new Place();
  const stop = new AbortController();
  stop.abort();
  const outcome = await place.run("run_command", { command: "touch made" }, stop.signal);
  expect(outcome).toMatchObject({ ok: false, brief: "stopped" });
  expect(existsSync(join(place.cwd, "made"))).toBe(false);
});

test("TOOL-10: a command does not get the keys of those who answer", async () => {
  const keys = {
    ANTHROPIC_API_KEY: "secret1",
    OPENAI_API_KEY: "secret2",
    SOME_API_KEY: "secret3",
    RETAIN_EMBEDDING_KEY: "secret4",
    ANTHROPIC_AUTH_TOKEN: "secret5",
    MY_GATEWAY: "secret6",
  };
  const env = { PATH: process.env.PATH, KEYBOARD: "de", ...keys };
  const place = new Place({ env, secrets: ["MY_GATEWAY"] });
  const { output } = await place.run("run_command", { command: "env" });
  expect(output).not.toContain("secret");
  expect(output).toContain("KEYBOARD=de");
});

test("TOOL-11: a command is shown as it is run, and one with unseen characters is not taken", async () => {
  const place = new Place();
  const command = "echo  'a\n\tb' # and so on";
  const plan = await place.plan("run_command", { command });
  expect(plan.preview).toEqual({ kind: "command", text: command });
  expect(plan.summary).toBe("run `echo 'a b' # and so on`");
  for (const hidden of ["\r", "\u001b[2K", "\u202e", "\u009b", "\0", "\u2066", ...HIDING])
    await expect(place.plan("run_command", { command: `ls ${hidden}; rm x` })).rejects.toThrow("not seen");
  const pictures = "echo 👩‍🚀 ❤️ 1️⃣ 🏳️‍🌈";
  expect((await place.plan("run_command", { command: pictures })).preview?.text).toBe(pictures);
  await expect(place.plan("run_command", { command: "x".repeat(50_001) })).rejects.toThrow("longer than");
});
