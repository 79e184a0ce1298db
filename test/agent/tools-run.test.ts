import { expect, test } from "bun:test";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { HIDING } from "./tools-hiding.ts";
import { Place } from "./tools-place.ts";

test("TOOL-8: run_command returns the output in order, and the exit code", async () => {
  const place = new Place();
  const both = await place.run("run_command", { command: "echo a; echo b >&2; echo c; exit 3" });
  expect(both).toEqual({
    ok: false,
    output: "Exit code 3.\n\na\nb\nc\n",
    brief: expect.stringMatching(/^exit 3 · [\d.]+ s · 3 lines$/),
    shown: { kind: "output", text: "a\nb\nc\n" },
  });
  const quiet = await place.run("run_command", { command: "pwd > where" });
  expect(quiet).toMatchObject({ ok: true, output: "Exit code 0.\n\n(no output)" });
  expect(place.read("where")).toBe(`${place.cwd}\n`);
  expect((await place.run("run_command", { command: "cat; echo $?" })).output).toEndWith("\n\n0\n");
  expect((await place.run("run_command", { command: "kill -SEGV $$" })).brief).toStartWith(
    "killed by SIGSEGV",
  );
  expect((await place.run("run_command", { command: "echo 'a" })).ok).toBe(false);
});

test("TOOL-8: a missing working directory is a failure", async () => {
  const place = new Place();
  const plan = await place.plan("run_command", { command: "ls" });
  Bun.spawnSync(["rmdir", place.cwd]);
  expect(await plan.run(new AbortController().signal)).toMatchObject({ ok: false, brief: "failed" });
});

test("TOOL-8: output loses its control sequences, and long output its middle", async () => {
  const place = new Place();
  const colours = String.raw`printf '\033[31mred\033[0m \033]0;title\007 50%%\r100%%\n\000\b'`;
  expect((await place.run("run_command", { command: colours })).output).toBe("Exit code 0.\n\n100%\n");
  const long = await place.run("run_command", { command: "seq 1 200000; echo the end" });
  expect(long.output.length).toBeLessThan(31_000);
  expect(long.output).toStartWith("Exit code 0.\n\n1\n2\n3\n");
  expect(long.output).toEndWith("\n200000\nthe end\n");
  const leftOut = Number(/\[… (\d+) bytes left out …\]/.exec(long.output)?.[1]);
  const whole = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join("").length + 8;
  expect(leftOut).toBe(whole - 30_000);
  // Half a key at the cut could not be recognized.
  const cut = await place.run("run_command", {
    command: "printf '%19990s' x; echo ' abcdefghijklmnop'; seq 1 9999",
  });
  expect(cut.output).not.toContain("abcdef");
  const wide = await place.run("run_command", { command: "yes ÄÖÜäöü | head -c 99996" });
  expect(wide.output.includes("left out") && !wide.output.includes("\ufffd")).toBe(true);
});

test("TOOL-10: a command does not get the model providers' keys", async () => {
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
  for (const command of ["env", "printenv", "export -p", "set"]) {
    const { output } = await place.run("run_command", { command });
    expect([command, /secret\d/.test(output), output.includes("KEYBOARD")]).toEqual([command, false, true]);
  }
});

test("PRIVATE-1: what Retain prints in a model's shell has no private text and no secret", async () => {
  const sandbox = new Sandbox();
  const put = (stdin: string) => sandbox.ok(["put", "-", "--id", "door"], { stdin });
  put("# Door\n\nThe door is green.\n");
  put("# Door\n\nThe door is red. <private>The key is under the mat.</private>\n\npassword: Xk29-vvQm-81\n");
  const place = new Place({ env: sandbox.env({}) });
  for (const words of ["diff door", "get door --format raw", "get door --json"]) {
    const { output } = await place.run("run_command", { command: `${RETAIN} ${words}` });
    expect([words, output.includes("The door is red.")]).toEqual([words, true]);
    expect([words, /under the mat|Xk29/.test(output)]).toEqual([words, false]);
  }
  expect(sandbox.ok(["diff", "door"]).stdout).toContain("under the mat");
});

test("TOOL-4: a command is shown as it is run, and one with unseen characters is not taken", async () => {
  const place = new Place();
  const command = "echo  'a\n\tb' # and so on";
  const plan = await place.plan("run_command", { command });
  expect(plan.preview).toEqual({ kind: "command", text: command });
  expect(plan.summary).toBe("run `echo 'a b' # and so on`");
  for (const hidden of ["\r", "\u001b[2K", "\u202e", "\u009b", "\0", "\u2066", ...HIDING])
    await expect(place.plan("run_command", { command: `ls ${hidden}; rm x` })).rejects.toThrow("invisible");
  const pictures = "echo 👩‍🚀 ❤️ 1️⃣ 🏳️‍🌈";
  expect((await place.plan("run_command", { command: pictures })).preview?.text).toBe(pictures);
  await expect(place.plan("run_command", { command: "x".repeat(50_001) })).rejects.toThrow("longer than");
});
