/** Which commands run without asking, which ask, and which are blocked; with real links and git. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import fc from "fast-check";
import type { ToolMode } from "../../src/agent/tool.ts";
import { Approvals } from "../../src/agent/tools/approval.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { EFFECTS, effectOf } from "../../src/core/command-effects.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, only } from "../helpers/chat.ts";
import { ALWAYS_ASKED, ASKED, FREE_IN_ALL, NEVER, PLAIN } from "./shell-commands.ts";
import { Place } from "./tools-place.ts";

const SECRET = "swordfish-4711";

/** A project with links out of it, a repository, and files that may contain secrets. */
function project(): Place {
  const place = new Place();
  const bin = join(place.root, "bin");
  const there = new Place({
    cwd: place.cwd,
    homeDirectory: place.home,
    roots: [place.memory, join(place.cwd, ".retain")],
    env: { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: place.home },
  });
  chmodSync(place.write(join(bin, "retain"), "#!/bin/sh\necho retain\n"), 0o755);
  place.write(join(place.home, "other/secret.txt"), `${SECRET}\n`);
  place.write(join(place.home, ".ssh/id_ed25519"), `${SECRET}\n`);
  place.write("notes.txt", "one\ntwo\nthree\n");
  place.write("src/a.ts", "export const a = 1;\n");
  place.write("src/deep/b.ts", "export const b = 2;\n");
  place.write("conf/.env", "A=1\n");
  place.write(".retain/memories/MEMORY.md", "- A fact\n");
  symlinkSync("../other", join(place.cwd, "link"));
  symlinkSync("../../other/secret.txt", join(place.cwd, "src/link.txt"));
  Bun.spawnSync(["git", "init", "-q", "--template="], { cwd: place.cwd });
  return there;
}

async function verdict(place: Place, mode: ToolMode, command: string): Promise<string> {
  return new Approvals(mode).judge(await place.plan("run_command", { command })).verdict;
}

async function table(place: Place, mode: ToolMode, commands: readonly string[]): Promise<string[]> {
  return Promise.all(commands.map(async (command) => `${await verdict(place, mode, command)}: ${command}`));
}

const all = (word: string, commands: readonly string[]) => commands.map((command) => `${word}: ${command}`);

test("APPROVE-2: plain commands that only read inside the working directory run without asking", async () => {
  const place = project();
  expect(await table(place, "ask", PLAIN)).toEqual(all("allow", PLAIN));
  expect(await table(place, "read", PLAIN)).toEqual(all("allow", PLAIN));
  for (const command of PLAIN) {
    const { output } = await place.run("run_command", { command });
    expect([command, output.slice(0, 12), output.includes(SECRET)]).toEqual([command, "Exit code 0.", false]);
  }
});

test("APPROVE-1: every other command asks", async () => {
  const place = project();
  const others = [...ASKED, ...ALWAYS_ASKED, ...FREE_IN_ALL];
  expect(await table(place, "ask", others)).toEqual(all("ask", others));
  expect(await table(place, "read", others)).toEqual(all("refuse", others));
});

test("APPROVE-7: mode all asks about outside paths, possible keys and files that run later", async () => {
  const place = project();
  expect(await table(place, "all", ALWAYS_ASKED)).toEqual(all("ask", ALWAYS_ASKED));
  expect(await table(place, "all", FREE_IN_ALL)).toEqual(all("allow", FREE_IN_ALL));
  for (const command of ALWAYS_ASKED)
    expect([command, (await place.plan("run_command", { command })).pattern]).toEqual([command, null]);
});

test("APPROVE-4: commands on the deny list are blocked in every mode", async () => {
  const place = project();
  for (const mode of ["ask", "all"] as const)
    expect(await table(place, mode, NEVER)).toEqual(all("refuse", NEVER));
  const plan = await place.plan("run_command", { command: "rm -rf ~" });
  expect(await plan.run(new AbortController().signal)).toMatchObject({
    ok: false,
    brief: expect.stringContaining("blocked: "),
  });
});

test("APPROVE-3: a command allowed for the session allows exactly the same text", async () => {
  const place = project();
  const approvals = new Approvals("ask");
  const judge = async (command: string) =>
    approvals.judge(await place.plan("run_command", { command })).verdict;
  for (const command of ["git status", "npm test", "make 'a b'", "ls; ls"])
    approvals.allowForSession(await place.plan("run_command", { command }));
  for (const command of ["git status", "npm test", "make 'a b'", "ls; ls"])
    expect([command, await judge(command)]).toEqual([command, "allow"]);
  for (const command of [
    "git status -s",
    "git status; rm x",
    "git  status",
    "npm test -- --script-shell=x",
    "npm test\nrm x",
    "make a b",
    "ls; ls; rm x",
    "A=1 git status",
  ])
    expect([command, await judge(command)]).toEqual([command, "ask"]);
  expect((await place.plan("run_command", { command: "make a\nmake b" })).pattern).toBeNull();
});

test("APPROVE-2: a project's own program with a plain command's name asks", async () => {
  const place = project();
  chmodSync(place.write(join(place.options.cwd ?? "", "node_modules/.bin/ls"), "#!/bin/sh\nid\n"), 0o755);
  symlinkSync("/bin/rm", join(place.options.cwd ?? "", "node_modules/.bin/cat"));
  const path = `node_modules/.bin${delimiter}${process.env.PATH}`;
  for (const PATH of [path, `${place.options.cwd}/${path}`]) {
    const hijacked = new Place({ ...place.options, env: { PATH } });
    expect(await table(hijacked, "ask", ["ls", "cat notes.txt", "head notes.txt"])).toEqual([
      "ask: ls",
      "ask: cat notes.txt",
      "allow: head notes.txt",
    ]);
  }
  const here = new Place({ ...place.options, env: { PATH: `${delimiter}${process.env.PATH}` } });
  place.write(join(place.options.cwd ?? "", "wc"), "");
  chmodSync(join(place.options.cwd ?? "", "wc"), 0o755);
  expect(await verdict(here, "ask", "wc -l notes.txt")).toBe("ask");
});

test("APPROVE-2: a recursive search asks if the directory contains secrets or is too large to check", async () => {
  const place = project();
  const cwd = place.options.cwd ?? "";
  expect(await table(place, "ask", ["grep -r x conf", "grep -r x .", "grep -rn x"])).toEqual(
    all("ask", ["grep -r x conf", "grep -r x .", "grep -rn x"]),
  );
  const without = "grep -rn --exclude-dir=.git --exclude-dir=conf x .";
  expect(await verdict(place, "ask", without)).toBe("allow");
  Bun.spawnSync(["sh", "-c", "mkdir many && cd many && seq 5001 | xargs touch"], { cwd });
  expect(await verdict(place, "ask", "grep -r x many")).toBe("ask");
});

test("APPROVE-10: Retain's commands that read run, those that write ask, and the others are blocked", async () => {
  const place = project();
  expect(Object.keys(EFFECTS).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  for (const [name, effect] of Object.entries(EFFECTS)) {
    const calls =
      typeof effect === "string"
        ? [[name, effect]]
        : Object.entries(effect).map(([action, one]) => [`${name} ${action}`, one]);
    for (const [call = "", one = ""] of calls) {
      const wanted = { read: "allow", write: "ask", remove: "refuse", setup: "refuse" }[one];
      expect([call, await verdict(place, "ask", `retain ${call} x`)]).toEqual([call, wanted ?? ""]);
      expect([call, await verdict(place, "ask", `npx retain ${call} x`)]).toEqual([call, "ask"]);
      const inAll = one === "read" || one === "write" ? "allow" : "ask";
      expect([call, await verdict(place, "all", `npx retain ${call} x`)]).toEqual([call, inAll]);
    }
  }
  for (const words of [
    "",
    "why?",
    "-p list",
    "--tools all list",
    "$X",
    "--json forget x",
    "sessions --json delete x",
  ])
    expect([words, await verdict(place, "all", `retain ${words}`)]).toEqual([words, "refuse"]);
  expect(effectOf(["sessions"])).toBe("read");
  expect(effectOf(["__proto__"])).toBe("setup");
});

/** All files below a directory with their contents; links are not followed. */
function contents(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path} ${entry.isFile() ? `${readFileSync(path, "utf8")} ${statSync(path).mtimeMs}` : ""}`;
  });
}

const PIECES = [
  ..."ls cat head tail wc grep find sort uniq cut pwd tar sed rm".split(" "),
  ..."-r -R -L -H -l -n -rn -nR -c -o -e -f -k2 -exec -delete -name -follow -type f -- - --include='*' --files0-from=x".split(
    " ",
  ),
  ..."link link/secret.txt src/link.txt src . .. ../other ./link/../secret.txt notes.txt l* {link,src} ~ $HOME .git x 1".split(
    " ",
  ),
  ...["'link'", '"link/secret.txt"', "l\\ink", "'*.ts'", "swordfish", ".", "'.'"],
  ...[
    "|",
    "||",
    "&",
    "&&",
    ";",
    "\n",
    ">x",
    "<link/secret.txt",
    "$(cat link/secret.txt)",
    "`id`",
    "A=1",
    "#",
    "!",
    "é",
  ],
];

test("APPROVE-2: no command that runs without asking reads outside or changes a file", async () => {
  const place = project();
  const home = place.options.homeDirectory ?? "";
  mkdirSync(join(home, "work/empty"));
  const before = contents(home);
  const first = fc.constantFrom(..."ls cat head tail wc grep find sort uniq cut".split(" "));
  const line = fc
    .tuple(first, fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }))
    .map(([word, pieces]) => [word, ...pieces].join(" "));
  let free = 0;
  await fc.assert(
    fc.asyncProperty(line, async (command) => {
      if ((await verdict(place, "ask", command)) !== "allow") return;
      free++;
      const { output } = await place.run("run_command", { command });
      expect([command, output.includes(SECRET)]).toEqual([command, false]);
      expect([command, contents(home)]).toEqual([command, before]);
    }),
    { numRuns: 1_000 },
  );
  expect(free).toBeGreaterThan(50);
}, 120_000);

test("APPROVE-1: in a chat, plain commands run, others ask, and blocked ones do not ask", async () => {
  const run = (command: string) => ({ name: "run_command", input: { command } });
  const attributes = { path: ".git/info/attributes", content: "* filter=x\n" };
  await using server = await new AnthropicServer([
    { calls: [run("grep -n one notes.txt")] },
    { calls: [run("grep -R swordfish ."), run("tar chf - link | cat")] },
    { calls: [run("echo '* filter=x' > .git/info/attributes"), { name: "write_file", input: attributes }] },
    { calls: [run("retain clear --yes"), run("retain mental-models remove team")] },
    { text: "Done." },
  ]).start();
  const room = new ChatRoom(server);
  const { sandbox } = room;
  sandbox.git(["init", "-q"]);
  sandbox.write("notes.txt", "one\n");
  mkdirSync(join(sandbox.home, "other"));
  symlinkSync(join(sandbox.home, "other"), join(sandbox.work, "link"));
  const chat = await room.open();
  chat.onEvent = (event) => {
    if (event.type === "approval") chat.chat.answer(event.id, { answer: "session" });
  };
  sandbox.write("../home/other/secret.txt", `${SECRET}\n`);
  const events = await chat.say("Look around");
  const asked = only(events, "approval").map(({ summary, pattern }) => [summary, pattern]);
  expect(asked).toEqual([
    ["run `grep -R swordfish .`", "run exactly grep -R swordfish ."],
    ["run `tar chf - link | cat`", null],
    ["run `echo '* filter=x' > .git/info/attributes`", null],
  ]);
  expect(only(events, "result").map(({ brief }) => brief.replace(/ ·.*|:.*/, ""))).toEqual([
    "exit 0",
    "exit 0",
    "exit 0",
    "exit 0",
    "blocked",
    "blocked",
    "blocked",
  ]);
});
