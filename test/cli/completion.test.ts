import { expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

interface Remembered {
  readonly sandbox: Sandbox;
  /** The id of a fact. */
  readonly fact: string;
  readonly unconfirmed: string;
}

/** A workspace with something of every kind, and no index. */
function withSomethingToOffer(): Remembered {
  const sandbox = new Sandbox();
  const put = (id: string, collection: string, ...more: string[]) =>
    sandbox.ok(["put", "-", "--id", id, "--collection", collection, ...more], { stdin: "# A\n" });
  put("gpu-patterns", "knowledge", "--tags", "metal,gpu");
  put("in-memory", "memory");
  put("long-gone", "memory");
  sandbox.ok(["delete", "long-gone"]);
  sandbox.ok(["remember", "Likes tea"]);
  sandbox.ok(["ingest", "-", "--session", "monday", "--chat", "work"], { stdin: "Noted." });
  sandbox.ok(["sessions", "rename", "monday", "Token rotation"]);
  sandbox.ok(["folders", "add", sandbox.work, "--name", "vault"]);
  sandbox.ok(["model", "add", "lab", "https://llm.example.org/v1"]);
  sandbox.ok(["skills", "new", "release-notes"]);
  mkdirSync(join(sandbox.memory, "memories/models"), { recursive: true });
  writeFileSync(join(sandbox.memory, "memories/models/team.md"), "Ada and Bo.\n");
  writeFileSync(join(sandbox.memory, "memories/INFERRED.md"), "- Owns a bicycle\n");
  const idOf = (...args: string[]) => sandbox.ok(["facts", "-q", ...args]).stdout.trim();
  const unconfirmed = idOf("--unconfirmed");
  const fact = idOf().replace(unconfirmed, "").trim();
  sandbox.write("here.md", "# Here\n");
  rmSync(join(sandbox.memory, "retain.db"));
  return { sandbox, fact, unconfirmed };
}

/** The words offered for the last one, by name, with their descriptions. */
function offered(sandbox: Sandbox, ...words: string[]): Record<string, string> {
  const { stdout, stderr } = sandbox.ok(["completion", "zsh", "--", ...words]);
  expect(stderr).toBe("");
  const [, ...lines] = stdout.replace(/\n$/, "").split("\n");
  return Object.fromEntries(lines.map((line) => line.split("\t") as [string, string]));
}

function snapshot(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => `${path} ${lstatSync(join(directory, path)).mtimeMs}`)
    .sort();
}

test("CLI-25: completion offers what each argument takes, and writes nothing", () => {
  const { sandbox, fact, unconfirmed } = withSomethingToOffer();
  const before = snapshot(sandbox.root);
  const documents = ["gpu-patterns", "in-memory"];
  const expected: readonly [words: string[], names: string[]][] = [
    [["upd"], ["update"]],
    [["help", "upd"], ["update"]],
    [["--global", "upd"], ["update"]],
    ...["update", "edit", "delete", "versions", "diff"].map((name): [string[], string[]] => [
      [name, ""],
      documents,
    ]),
    [["delete", "in-memory", "gp"], ["gpu-patterns"]],
    [
      ["restore", ""],
      ["long-gone", ...documents],
    ],
    [["restore", "long-gone", "--version", ""], ["v1"]],
    [
      ["get", "--collection", ""],
      ["knowledge", "memory", "vault"],
    ],
    [["get", "--collection=k"], ["--collection=knowledge"]],
    [["get", "--format", "r"], ["raw"]],
    [["get", "--show"], ["--show-versions"]],
    [["get", "h"], ["here"]],
    [["why", fact.slice(0, 3)], [fact]],
    [["forget", fact.slice(0, 3)], [fact]],
    [["remember", "--replaces", `x,${fact.slice(0, 3)}`], [`x,${fact}`]],
    [["confirm", ""], [unconfirmed]],
    [["review", ""], [unconfirmed]],
    [["sessions", "sh"], ["show"]],
    [["sessions", "show", "mo"], ["monday"]],
    [["sessions", "rename", "monday", ""], []],
    [["--resume", "mo"], ["monday"]],
    [["chat", "--resume", "mo"], ["monday"]],
    [["facts", "--chat", ""], ["work"]],
    [["config", "get", "max_v"], ["max_versions"]],
    [["config", "unset", "max_v"], ["max_versions"]],
    [
      ["config", "set", "versioning", ""],
      ["auto", "git", "custom"],
    ],
    [
      ["config", "set", "history", ""],
      ["true", "false"],
    ],
    [["config", "set", "model", "openai/gpt-5-"], ["openai/gpt-5-mini"]],
    [["config", "list", ""], []],
    [["model", "use", "anthropic/claude-h"], ["anthropic/claude-haiku-4-5"]],
    [["model", "key", "la"], ["lab"]],
    [["model", "remove", ""], ["lab"]],
    [["connect", "cu"], ["cursor"]],
    [["skills", "trust", ""], ["release-notes"]],
    [["mental-models", "show", ""], ["team"]],
    [["mental-models", "add", ""], []],
    [["folders", "remove", ""], ["vault"]],
    [["put", "x.md", "--tags", "metal,g"], ["metal,gpu"]],
    [["list", "--filter", "prio"], ["priority="]],
    [["list", "--filter", "tags=gpu,m"], ["tags=gpu,metal"]],
    [["search", "--kind", "fac"], ["fact"]],
    [["completion", "z"], ["zsh"]],
    [["nonsense", ""], []],
    [["get", "in-memory", "surplus"], []],
  ];
  for (const [words, names] of expected)
    expect({ words, names: Object.keys(offered(sandbox, ...words)) }).toEqual({ words, names });
  expect(snapshot(sandbox.root)).toEqual(before);
  expect(offered(sandbox, "why", fact)[fact]).toBe("Likes tea");
  expect(offered(sandbox, "sessions", "show", "mo").monday).toBe("Token rotation");
});

test("CLI-25: completion shows no secret, and no stored text while memory is off", async () => {
  const sandbox = new Sandbox();
  const secret = "The wifi password: Xk9#mPq2vL8z";
  await sandbox.addFact(secret, { allowSecret: true });
  const id = sandbox.ok(["facts", "-q"]).stdout.trim();
  expect(offered(sandbox, "why", "")).toEqual({ [id]: "" });
  const fields = "---\npassword: Xk9mPq2vL8z\ntags: [open, <private>closed</private>]\n---\n";
  await sandbox.addDocument(`${fields}# Router\n`, { id: "router" });
  expect(offered(sandbox, "list", "--filter", "password=")).toEqual({});
  expect(Object.keys(offered(sandbox, "list", "--filter", "tags="))).toEqual(["tags=open"]);
  await sandbox.addFact("Prefers window seats");
  const off = sandbox.ok(["completion", "zsh", "--", "why", ""], { env: { RETAIN_MEMORY_BACKEND: "off" } });
  expect(off.stdout).toContain(id);
  expect(off.stdout).not.toContain("window");
  const incognito = sandbox.ok(["completion", "zsh", "--", "why", ""], { env: { RETAIN_INCOGNITO: "1" } });
  expect(incognito.stdout).toContain("window");
});

test("CLI-25: completion is silent about errors and asks no server", async () => {
  const sandbox = new Sandbox();
  let requests = 0;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(String(++requests)) });
  const config = `memory_backend: hindsight\nhindsight_url: http://127.0.0.1:${server.port}\n`;
  mkdirSync(sandbox.memory);
  writeFileSync(join(sandbox.memory, "config.yaml"), config);
  for (const words of [
    ["why", ""],
    ["get", ""],
    ["model", "use", ""],
  ])
    expect(await sandbox.start(["completion", "zsh", "--", ...words]).exited).toBe(0);
  await server.stop(true);
  expect(requests).toBe(0);
  writeFileSync(join(sandbox.memory, "config.yaml"), "no_such_setting: [\n");
  expect(offered(sandbox, "get", "")).toEqual({});
  expect(offered(sandbox, "get", "x", "--local", "--global", "")).toEqual({});
});

const AWKWARD = ["$(touch PWNED)", "it's here", 'say "hi"', "two words", "semi;colon", "star*"];

function withAwkwardNames(): Sandbox {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "seen"], { stdin: "# A\n" });
  for (const name of [...AWKWARD, "new\nline", "bell\u0007"])
    writeFileSync(join(sandbox.memory, "collections/memory", `${name}.md`), `# Read ${name}\n`);
  return sandbox;
}

const withRetain = (sandbox: Sandbox) => sandbox.env({ PATH: `${join(RETAIN, "..")}:${process.env.PATH}` });

function inShell(sandbox: Sandbox, command: string[]): string[] {
  const { stdout, stderr } = Bun.spawnSync(command, { cwd: sandbox.work, env: withRetain(sandbox) });
  expect(stderr.toString()).toBe("");
  return stdout.toString().trimEnd().split("\n").sort();
}

function completeInBash(sandbox: Sandbox, line: string): string[] {
  const script = `eval "$(retain completion bash)"; compopt() { :; }; COMP_LINE=$1; COMP_POINT=\${#1}
    _retain; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return inShell(sandbox, ["bash", "-c", script, "bash", line]);
}

test("CLI-25: bash gets quoted words that continue the line as typed", () => {
  const sandbox = withAwkwardNames();
  for (const [line, words] of [
    ["retain get tw", ["two\\ words"]],
    ["retain get two\\ w", ["two\\ words"]],
    ["retain get 'it", ["it'\\''s here"]],
    ['retain get "say', ['say \\"hi\\"']],
    ['retain get "$', ["\\$(touch PWNED)"]],
    ["retain get --format=r", ["raw"]],
    ["retain put x --title 'a b' --collection m", ["memory"]],
  ] as const)
    expect({ line, words: completeInBash(sandbox, line) }).toEqual({ line, words: [...words] });
  expect(completeInBash(sandbox, "retain get ")).toHaveLength(AWKWARD.length + 1);
  expect(existsSync(join(sandbox.work, "PWNED"))).toBe(false);
});

testNeeding("fish")(
  "CLI-25: fish offers names with descriptions, and files where an argument takes one",
  () => {
    const sandbox = withAwkwardNames();
    sandbox.write("here.md", "# Here\n");
    const ask = (line: string) =>
      inShell(sandbox, ["fish", "-N", "-c", "retain completion fish | source; complete -C $argv[1]", line]);
    expect(ask("retain get tw")).toEqual(["two words\tmemory"]);
    expect(ask("retain get ")).toHaveLength(AWKWARD.length + 1);
    expect(ask("retain get --format r")).toEqual(["raw"]);
    expect(ask("retain ingest he")).toEqual(["here.md"]);
    expect(ask("retain remember he")).toEqual([""]);
    expect(existsSync(join(sandbox.work, "PWNED"))).toBe(false);
  },
);

const INTERACTIVE = {
  bash: { start: "bash --norc --noprofile -i", load: 'eval "$(retain completion bash)"' },
  zsh: { start: "zsh -f -i", load: 'autoload -Uz compinit; compinit -u -D; eval "$(retain completion zsh)"' },
  fish: { start: "fish -N -i", load: "retain completion fish | source" },
} as const;

/** Types each name's first letters, Tab and Enter in a real shell: the document that is printed must be the one meant. */
async function useInteractively(shell: keyof typeof INTERACTIVE): Promise<void> {
  const sandbox = withAwkwardNames();
  const { start, load } = INTERACTIVE[shell];
  const screen = new TerminalScreen(sandbox, start, {}, 160, 50);
  try {
    screen.type(`${load}; echo rea''dy`, "Enter");
    await screen.shows("ready");
    for (const [typed, name] of [
      ["tw", "two words"],
      ["it", "it's here"],
      ["'sa", 'say "hi"'],
      ["sem", "semi;colon"],
      ["st", "star*"],
      ["'$", "$(touch PWNED)"],
    ] as const) {
      screen.type("-l", `clear; retain get ${typed}`);
      screen.type("Tab");
      screen.type("Enter");
      await screen.shows(`Read ${name}`);
    }
    expect(existsSync(join(sandbox.work, "PWNED"))).toBe(false);
  } finally {
    screen.close();
  }
}

testNeeding("tmux")("CLI-25: Tab in bash completes awkward names", () => useInteractively("bash"));
testNeeding("zsh")("CLI-25: Tab in zsh completes awkward names", () => useInteractively("zsh"));
testNeeding("fish")("CLI-25: Tab in fish completes awkward names", () => useInteractively("fish"));
