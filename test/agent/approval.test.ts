import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { ToolMode, ToolPlan } from "../../src/agent/tool.ts";
import { Approvals } from "../../src/agent/tools/approval.ts";
import { judgeCommand } from "../../src/agent/tools/command-judge.ts";
import { patternOf } from "../../src/agent/tools/command-pattern.ts";
import { EACH_TIME, HARMLESS, HERE, INSIDE, MANY_SIDED, NEVER, OUTSIDE, UNCLEAR } from "./tools-commands.ts";
import { Place } from "./tools-place.ts";

const run = (place: Place, command: string) => place.plan("run_command", { command });
const read = (place: Place, path: string) => place.plan("read_file", { path });
const write = (place: Place, path: string) => place.plan("write_file", { path, content: "x" });
const verdict = (mode: ToolMode, plan: ToolPlan) => new Approvals(mode).judge(plan).verdict;

const judge = (command: string) => {
  const judged = judgeCommand(command, HERE);
  return { ...judged, pattern: patternOf(judged) };
};

test("APPROVE-1: the mode decides what is allowed, asked about and refused", async () => {
  const place = new Place();
  place.write(join(place.home, "other.txt"), "");
  const memory: ToolPlan = { ...(await read(place, "a")), reach: "memory" };
  const plans = {
    memory,
    "read inside": await read(place, "a.txt"),
    "read outside": await read(place, "~/other.txt"),
    "read secrets": await read(place, ".env"),
    "write inside": await write(place, "a.txt"),
    "write outside": await write(place, "~/other.txt"),
    run: await run(place, "npm publish"),
    "run outside": await run(place, "ls ~"),
    "run what is unclear": await run(place, "$X a"),
    denied: await run(place, "sudo ls"),
  };
  const table = (mode: ToolMode): Record<string, string> =>
    Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, verdict(mode, plan)]));
  const all = (word: string): Record<string, string> =>
    Object.fromEntries(Object.keys(plans).map((name) => [name, word]));
  expect(table("none")).toEqual(all("refuse"));
  expect(table("read")).toEqual({ ...all("refuse"), memory: "allow", "read inside": "allow" });
  expect(table("ask")).toEqual({ ...all("ask"), memory: "allow", "read inside": "allow", denied: "refuse" });
  expect(table("all")).toEqual({
    ...all("ask"),
    memory: "allow",
    "read inside": "allow",
    "write inside": "allow",
    run: "allow",
    denied: "refuse",
  });
});

test("APPROVE-1: a refusal tells the model why, in a sentence", async () => {
  const place = new Place();
  const refused = new Approvals("read").judge(await run(place, "ls"));
  expect(refused).toEqual({
    verdict: "refuse",
    why: "Not allowed: run `ls`. In this session only files in the working directory are read.",
  });
  expect(new Approvals("all").judge(await run(place, "sudo ls"))).toMatchObject({
    why: expect.stringContaining("never allowed: run `sudo ls`. It would act as another user."),
  });
});

test("APPROVE-2: for a session, a command allows those with the same program and subcommand", async () => {
  const cases: [command: string, pattern: string][] = [
    ["git status", "run git status…"],
    ["git   status --short", "run git status…"],
    ['git "status"', "run git status…"],
    ["git commit -m 'a; b && c | d > e'", "run git commit…"],
    ["npm test", "run npm test…"],
    ["npm run build -- --fast", "run npm run build…"],
    ["cargo clippy", "run cargo clippy…"],
    ["make check", "run exactly make check"],
    ["ls -la src", "run ls…"],
    ["grep -rn '/api/users' src", "run grep…"],
    ["tsc  --noEmit", "run exactly tsc --noEmit"],
    ["python tool.py 'a b'", "run exactly python tool.py 'a b'"],
    ["find . -name '*.ts'", "run exactly find . -name '*.ts'"],
    ["./gradlew build", "run exactly ./gradlew build"],
  ];
  for (const [command, pattern] of cases)
    expect([command, judge(command).pattern]).toEqual([command, pattern]);

  const place = new Place();
  const approvals = new Approvals("ask");
  approvals.allowForSession(await run(place, "git status"));
  expect(approvals.judge(await run(place, "git status -s")).verdict).toBe("allow");
  for (const other of [
    "git diff",
    "git",
    "git statusx",
    "git -c a=b status",
    "./git status",
    "/tmp/git status",
  ])
    expect([other, approvals.judge(await run(place, other)).verdict]).toEqual([other, "ask"]);
  expect(new Approvals("ask").judge(await run(place, "git status")).verdict).toBe("ask");
});

test("APPROVE-2: of a program that may run what a further word says, the very same words are allowed or nothing", () => {
  for (const program of MANY_SIDED) {
    const { pattern } = judge(`${program} notes`);
    expect([program, pattern ?? "none"]).toEqual([
      program,
      EACH_TIME.includes(`${program} notes`) ? "none" : `run exactly ${program} notes`,
    ]);
    for (const more of ["'.shell id'", "-x", "publish", "CC=x"])
      expect([more, pattern === null || judge(`${program} notes ${more}`).pattern !== pattern]).toEqual([
        more,
        true,
      ]);
  }
});

test("APPROVE-3: for a session, a write allows the same file, a read outside the same directory", async () => {
  const place = new Place();
  place.write(join(place.home, "notes/a.txt"), "");
  const approvals = new Approvals("ask");
  approvals.allowForSession(await write(place, "src/a.ts"));
  place.write("src/a.ts", "changed");
  expect(approvals.judge(await write(place, "./src/../src/a.ts")).verdict).toBe("allow");
  expect(approvals.judge(await write(place, "src/b.ts")).verdict).toBe("ask");
  approvals.allowForSession(await read(place, "~/notes/a.txt"));
  expect(approvals.judge(await read(place, "~/notes/b.txt")).verdict).toBe("allow");
  expect(approvals.judge(await read(place, "~/notes")).verdict).toBe("allow");
  for (const path of ["~/a.txt", "~/notes/deeper/a.txt", "~/notes/.env", "~/notes/../b.txt"])
    expect([path, approvals.judge(await read(place, path)).verdict]).toEqual([path, "ask"]);
  expect((await write(place, "~/notes/a.txt")).pattern).toBeNull();
  expect((await write(place, "a\u001b.txt")).pattern).toBeNull();
});

test("APPROVE-4: no approval and no mode allows a command of the deny list, however it is written", async () => {
  for (const command of NEVER) {
    const { denied, pattern } = judge(command);
    expect([command, denied === null, pattern]).toEqual([command, false, null]);
  }
  const place = new Place();
  const plan = await run(place, "sudo ls");
  const approvals = new Approvals("all");
  approvals.allowForSession({ ...plan, pattern: "run sudo…" });
  expect(approvals.judge({ ...plan, pattern: "run sudo…" }).verdict).toBe("refuse");
  const asking = new Approvals("ask");
  asking.allowForSession({ ...plan, pattern: "run sudo…" });
  expect(asking.judge({ ...plan, denied: null, pattern: "run sudo…" }).verdict).toBe("ask");
  expect(await plan.run(new AbortController().signal)).toMatchObject({ ok: false, brief: "refused" });
});

test("APPROVE-4: what only looks like it is not denied", () => {
  for (const command of HARMLESS) expect([command, judge(command).denied]).toEqual([command, null]);
});

test("APPROVE-5: no approval and no mode opens files of the deny list, by whatever path", async () => {
  const place = new Place();
  place.write(join(place.home, ".ssh/id_rsa"), "key");
  place.write(join(place.memory, "keys.yaml"), "anthropic: key");
  symlinkSync(join(place.home, ".ssh"), join(place.cwd, "link"));
  const unread = [
    "~/.ssh/id_rsa",
    "~/.SSH/x",
    "~/.AWS/Credentials",
    "~/.ssh/new",
    "link/id_rsa",
    "link/new",
    "~/.aws/credentials",
    "~/.gnupg/x",
    "~/.netrc",
  ];
  for (const path of [
    ...unread,
    "/proc/self/environ",
    "/etc/shadow",
    "~/.retain/keys.yaml",
    "~/.retain/./keys.yaml",
  ]) {
    const plan = await read(place, path);
    expect([path, verdict("all", plan), plan.pattern]).toEqual([path, "refuse", null]);
    expect([path, (await run(place, `cat ${path}`)).denied === null]).toEqual([path, false]);
    const { ok, output } = await plan.run(new AbortController().signal);
    expect([ok, output.includes("key:")]).toEqual([false, false]);
  }
  const unwritten = [
    "~/.ssh/config",
    "~/.ssh/authorized_keys",
    "link/rc",
    "~/.bashrc",
    "~/.zshrc",
    "~/.profile",
    "~/.gitconfig",
  ];
  const retains = [
    "~/.retain/config.yaml",
    "~/.retain/trusted-skills.yaml",
    "retain.db",
    ".retain/config.yaml",
    "x/retain.db-wal",
  ];
  const gits = [
    ".git/hooks/pre-commit",
    ".git/config",
    "sub/.git/config",
    ".git/modules/a/hooks/b",
    "/dev/sda",
  ];
  for (const path of [...unread, ...unwritten, ...retains, ...gits]) {
    const plan = await write(place, path);
    expect([path, verdict("all", plan), plan.pattern]).toEqual([path, "refuse", null]);
    expect((await plan.run(new AbortController().signal)).ok).toBe(false);
  }
  for (const path of [
    "~/.ssh/config",
    "~/.ssh/id_rsa.pub",
    "~/.bashrc",
    ".git/config",
    "~/.retain/config.yaml",
  ])
    expect([path, (await read(place, path)).denied]).toEqual([path, null]);
});

test("APPROVE-6: what deletes, publishes, installs, fetches or joins commands is asked about each time", () => {
  for (const command of [...EACH_TIME, "ls `ls`", "ls\u00a0-l"])
    expect([command, judge(command).pattern]).toEqual([command, null]);
});

test("APPROVE-7: what cannot be understood, or may hold secrets, is asked about in every mode", async () => {
  const place = new Place();
  mkdirSync(join(place.cwd, "certs"));
  for (const command of [...UNCLEAR, "`echo rm` x"]) {
    const plan = await run(place, command);
    expect([command, verdict("all", plan), verdict("ask", plan), plan.pattern]).toEqual([
      command,
      "ask",
      "ask",
      null,
    ]);
  }
  for (const path of [".env", ".env.production", "certs/a.pem", "id_rsa", "secrets.yaml", ".npmrc"])
    expect([path, verdict("all", await read(place, path))]).toEqual([path, "ask"]);
  for (const path of [".env.example", "env.ts", "key.ts", "pem.md"])
    expect([path, verdict("ask", await read(place, path))]).toEqual([path, "allow"]);
});

test("APPROVE-7: what would become part of the person's own memory is asked about in every mode", async () => {
  const there = new Place();
  const own = new Place({ cwd: there.home, homeDirectory: there.home, roots: [there.memory] });
  expect(verdict("all", await write(own, ".retain/skills/x/SKILL.md"))).toBe("ask");
  expect(verdict("all", await write(own, "elsewhere.md"))).toBe("allow");
  expect(verdict("all", await run(own, "cp x .retain/skills/x/SKILL.md"))).toBe("ask");
});

test("APPROVE-7: a command that names a place outside the working directory is asked about", async () => {
  const place = new Place();
  mkdirSync(join(place.cwd, "src"));
  symlinkSync("/etc", join(place.cwd, "link"));
  for (const command of OUTSIDE)
    expect([command, verdict("all", await run(place, command))]).toEqual([command, "ask"]);
  for (const command of [...INSIDE, `cat ${place.cwd}/a`])
    expect([command, verdict("all", await run(place, command))]).toEqual([command, "allow"]);
});

test("APPROVE-8: no pattern covers a command with an operator, or one that is denied", () => {
  const simple = fc
    .tuple(
      fc.constantFrom(
        "git status",
        "git diff",
        "npm test",
        "npm run build",
        "ls",
        "cat",
        "make check",
        "tsc",
        "echo",
        "rm",
        "find",
      ),
      fc.array(fc.constantFrom("-l", "a", "src", "'a b'", '"c"', "x.ts", "--all", "-rf", ".", "-delete"), {
        maxLength: 4,
      }),
    )
    .map((parts) => parts.flat().join(" "));
  const joint = fc.constantFrom(
    ";",
    "&&",
    "||",
    "|",
    ">",
    ">>",
    "<",
    "&",
    "\n",
    "`",
    "$(",
    "(",
    ")",
    " # ",
    "<<E\n",
    "$x",
    "*",
    "~",
    "\\\n",
  );
  const before = fc.constantFrom("A=1 ", "sudo ", "env ", "! ", "exec ", "command ", "{ ");
  const risky = fc.oneof(
    fc.tuple(simple, joint, simple).map((parts) => parts.join(" ")),
    fc.tuple(simple, joint, simple).map((parts) => parts.join("")),
    fc.tuple(before, simple).map((parts) => parts.join("")),
    fc.constantFrom(...NEVER),
  );
  const place = new Place();
  return fc.assert(
    fc.asyncProperty(fc.array(simple, { minLength: 1, maxLength: 30 }), risky, async (allowed, command) => {
      const approvals = new Approvals("ask");
      for (const one of allowed) approvals.allowForSession(await run(place, one));
      const plan = await run(place, command);
      approvals.allowForSession(plan);
      expect([command, plan.pattern]).toEqual([command, null]);
      expect([command, approvals.judge(plan).verdict]).not.toEqual([command, "allow"]);
    }),
    { numRuns: 150 },
  );
});
