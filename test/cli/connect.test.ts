/** `retain connect`: another program's config gets one entry, and what else is in it stays. */
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseYaml } from "yaml";
import { afterThisTest } from "../helpers/clean-up.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const LAUNCHER = realpathSync(RETAIN);
const CONFIG = process.platform === "darwin" ? "Library/Application Support" : ".config";

/** A sandbox whose working directory is a project. */
function inProject(): Sandbox {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  return sandbox;
}

function place(file: string, content: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

interface Expected {
  readonly user: string;
  readonly project: string | null;
  readonly section: string;
  /** A file with content of others, in the client's format. */
  readonly theirs: string;
  readonly parse: (text: string) => Record<string, Record<string, unknown>>;
  /** Starts servers in the directory that it works in. */
  readonly here?: true;
}

const JSON_THEIRS = (section: string) => `{
  // Mine.
  "theme": "dark", /* and this */
  "${section}": {
    "other": { "command": "other", "args": ["--key", "abc"] },
  },
}
`;
const json = (section: string) => ({
  section,
  theirs: JSON_THEIRS(section),
  parse: (text: string) => parseJsonc(text),
});

const FILES: Record<string, Expected> = {
  "claude-code": { user: ".claude.json", project: ".mcp.json", here: true, ...json("mcpServers") },
  "claude-desktop": {
    user: `${CONFIG}/Claude/claude_desktop_config.json`,
    project: null,
    ...json("mcpServers"),
  },
  codex: {
    user: ".codex/config.toml",
    project: ".codex/config.toml",
    here: true,
    section: "mcp_servers",
    theirs: `# Mine.
model = "m" # and this

[mcp_servers.other]
command = "other"

[projects."/a.b"]
trust_level = "trusted"
`,
    parse: (text) => Bun.TOML.parse(text) as Record<string, Record<string, unknown>>,
  },
  gemini: {
    user: ".gemini/settings.json",
    project: ".gemini/settings.json",
    here: true,
    ...json("mcpServers"),
  },
  opencode: {
    user: ".config/opencode/opencode.jsonc",
    project: "opencode.json",
    here: true,
    ...json("mcp"),
  },
  omp: { user: ".omp/agent/mcp.json", project: ".omp/mcp.json", here: true, ...json("mcpServers") },
  cursor: { user: ".cursor/mcp.json", project: ".cursor/mcp.json", ...json("mcpServers") },
  windsurf: { user: ".codeium/windsurf/mcp_config.json", project: null, ...json("mcpServers") },
  vscode: { user: `${CONFIG}/Code/User/mcp.json`, project: ".vscode/mcp.json", ...json("servers") },
  cline: { user: ".cline/data/settings/cline_mcp_settings.json", project: null, ...json("mcpServers") },
  zed: { user: ".config/zed/settings.json", project: ".zed/settings.json", ...json("context_servers") },
  goose: {
    user: ".config/goose/config.yaml",
    project: null,
    here: true,
    section: "extensions",
    theirs: `# Mine.
GOOSE_MODEL: m # and this
extensions:
  # The first.
  developer:
    enabled: true
    type: builtin

other: [1, 2]
`,
    parse: (text) => parseYaml(text),
  },
};

test("CONNECT-1: every client in the help has a row in this table", () => {
  const { stdout } = new Sandbox().ok(["connect", "--json"]);
  const known = JSON.parse(stdout).data.map(({ client }: { client: string }) => client);
  expect(known.sort()).toEqual(Object.keys(FILES).sort());
});

for (const [client, { user, project, section, parse, here }] of Object.entries(FILES))
  test(`CONNECT-1: ${client} gets an entry that starts this installation's server, wherever it is started`, async () => {
    const sandbox = new Sandbox();
    place(join(sandbox.work, ".retain/config.yaml"), "");
    place(join(sandbox.work, ".retain/memories/MEMORY.md"), "# Memory\n\n- The project is called Heron.\n");
    place(join(sandbox.memory, "memories/USER.md"), "# User\n\n- The user is called Ada.\n");
    const ways = [
      { args: ["--global"], file: join(sandbox.home, user), told: "Ada" },
      ...(project === null ? [] : [{ args: ["--local"], file: join(sandbox.work, project), told: "Heron" }]),
    ];
    for (const { args, file, told } of ways) {
      const { stdout } = sandbox.ok(["connect", client, ...args]);
      expect(stdout).toStartWith(`Added 'retain' to ${file}.\n`);
      const start = startOf(parse(readFileSync(file, "utf8"))[section]?.retain);
      expect(start.command).toBe(LAUNCHER);
      const cwd = here && told === "Heron" ? sandbox.work : "/";
      expect(await contextBy(sandbox, start, cwd)).toContain(told);
    }
  });

/** The command of an entry, in whichever fields the client has it. */
function startOf(entry: unknown): { command: string; args: string[]; env?: object } {
  const { command, cmd, args = [], env, environment, envs } = entry as Record<string, never>;
  const [first, ...more] = [command ?? cmd].flat() as unknown as string[];
  return { command: first ?? "", args: [...more, ...args], env: env ?? environment ?? envs };
}

for (const [client, { user, theirs, section, parse }] of Object.entries(FILES))
  test(`CONNECT-2, CONNECT-4: ${client}: printed, added, added again, removed; everything else stays`, () => {
    const sandbox = new Sandbox();
    const env = { RETAIN_HOME: join(sandbox.root, "else where") };
    const file = place(join(sandbox.home, user), theirs);
    const run = (...args: string[]) => sandbox.ok(["connect", client, ...args], { env });
    const now = () => readFileSync(file, "utf8");
    const paste = run("--print", "--quiet").stdout;
    expect(now()).toBe(theirs);
    expect(run("--json").json.data.action).toBe("added");
    const connected = now();
    const { [section]: entries = {}, ...rest } = parse(connected);
    const { [section]: before = {}, ...restBefore } = parse(theirs);
    expect(rest).toEqual(restBefore);
    expect(entries).toEqual({ ...before, retain: parse(paste)[section]?.retain });
    for (const line of theirs.split("\n")) expect(connected).toContain(line);
    expect(run("--json").json.data.action).toBe("unchanged");
    expect(now()).toBe(connected);
    // Another installation's entry, with an option and a variable that somebody added.
    writeFileSync(file, connected.replace(LAUNCHER, "/old/bin/retain").replace("RETAIN_HOME", "MINE"));
    expect(run("--json").json.data.action).toBe("updated");
    const updated = startOf(parse(now())[section]?.retain);
    expect(updated).toMatchObject({ command: LAUNCHER, env: { MINE: env.RETAIN_HOME, ...env } });
    expect(run("--undo", "--json").json.data.action).toBe("removed");
    expect(parse(now())).toEqual(parse(theirs));
    writeFileSync(file, theirs);
    run();
    run("--undo");
    expect(now()).toBe(theirs);
  });

for (const [client, { user, section, parse }] of Object.entries(FILES))
  test(`CONNECT-2: ${client}: a file that can't be parsed, or another server's entry, stays as it is`, () => {
    const sandbox = new Sandbox();
    const file = join(sandbox.home, user);
    const foreign = {
      json: `{"${section}": {"retain": {"command": "docker"}}}`,
      toml: `${section}.retain.command = "docker"\n`,
      yaml: `${section}: {retain: {cmd: docker}}\n`,
    }[/\.(json|toml|yaml)/.exec(user)?.[1] ?? ""];
    const broken: [string | Uint8Array, number][] = [
      ["{ not : [ valid", 2],
      [new Uint8Array([0x7b, 0xff, 0x7d]), 2],
      [foreign ?? "", 3],
    ];
    for (const [content, code] of broken) {
      place(file, "");
      writeFileSync(file, content);
      const { exitCode, stderr, stdout } = sandbox.run(["connect", client, "--global"]);
      expect([content, exitCode, stderr]).toEqual([
        content,
        code,
        expect.stringContaining("Nothing was changed."),
      ]);
      expect(startOf(parse(stdout)[section]?.retain).command).toBe(LAUNCHER);
      expect(new Uint8Array(readFileSync(file))).toEqual(Uint8Array.from(Buffer.from(content)));
    }
  });

/** What a server says that is started as the entry has it, with little else in its environment. */
async function contextBy(
  sandbox: Sandbox,
  entry: { command: string; args: string[]; env?: object },
  cwd: string,
) {
  const env = { HOME: sandbox.home, PATH: "/usr/bin:/bin", ...entry.env };
  const transport = new StdioClientTransport({ command: entry.command, args: entry.args, env, cwd });
  const client = new Client({ name: "retain-test", version: "1" });
  await client.connect(transport);
  try {
    return JSON.stringify(await client.readResource({ uri: "memory://context" }));
  } finally {
    await client.close();
  }
}

test("CONNECT-1: inside a project it changes the project's config, elsewhere the user's", () => {
  const sandbox = inProject();
  const file = (cwd: string, args: string[] = []) =>
    sandbox.ok(["connect", "cursor", "--print", "--json", ...args], { cwd }).json.data.file;
  expect(file(sandbox.work)).toBe(join(sandbox.work, ".cursor/mcp.json"));
  expect(file(sandbox.root)).toBe(join(sandbox.home, ".cursor/mcp.json"));
  expect(file(sandbox.work, ["--global"])).toBe(join(sandbox.home, ".cursor/mcp.json"));
  expect(sandbox.run(["connect", "cursor", "--local"], { cwd: sandbox.root }).exitCode).toBe(2);
  const desktop = sandbox.run(["connect", "claude-desktop", "--local"]);
  expect(desktop).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--local"),
  });
});

test("CONNECT-1: a custom home workspace is part of the entry", async () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_HOME: join(sandbox.root, "elsewhere") };
  sandbox.ok(["remember", "The user is called Ada."], { env });
  const { entry } = sandbox.ok(["connect", "cursor", "--json"], { env }).json.data;
  expect(entry.env).toEqual(env);
  expect(await contextBy(sandbox, entry, "/")).toContain("Ada");
});

const COMMENTED = `{
\t// Servers that I use.
\t"servers": {
\t\t"other": { "command": "other", "args": ["--key", "abc"] }, // keep this
\t},
\t"inputs": [],
}
`;

test("CONNECT-2: the file's comments, order, permissions and symlinks stay", () => {
  const sandbox = inProject();
  const real = place(join(sandbox.root, "dotfiles/mcp.json"), COMMENTED);
  chmodSync(real, 0o640);
  mkdirSync(join(sandbox.work, ".vscode"));
  const file = join(sandbox.work, ".vscode/mcp.json");
  symlinkSync(real, file);
  sandbox.ok(["connect", "vscode"]);
  const lines = readFileSync(real, "utf8").split("\n");
  const ours = lines.slice(4, -4);
  expect(ours.join("\n")).toStartWith('\t\t"retain": {\n\t\t\t"type": "stdio",');
  expect([...lines.slice(0, 4), ...lines.slice(-4)].join("\n")).toBe(COMMENTED);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(sandbox.root, "dotfiles"))).toEqual(["mcp.json"]);
});

test("CONNECT-2: a new file gets permissions that fit its directory", () => {
  const sandbox = inProject();
  sandbox.ok(["connect", "claude-code", "--local"]);
  sandbox.ok(["connect", "claude-code", "--global"]);
  expect(statSync(join(sandbox.work, ".mcp.json")).mode & 0o777).toBe(0o666 & ~process.umask());
  expect(statSync(join(sandbox.home, ".claude.json")).mode & 0o777).toBe(0o600);
});

test("CONNECT-1: running it twice changes nothing; another installation's entry is updated", () => {
  const sandbox = inProject();
  const file = place(join(sandbox.work, ".mcp.json"), '{ "mcpServers": { "a": {} } }\n');
  sandbox.ok(["connect", "claude-code"]);
  const once = readFileSync(file, "utf8");
  const { mtimeMs } = statSync(file);
  const again = sandbox.ok(["connect", "claude-code", "--json"]).json.data;
  expect(again).toMatchObject({ action: "unchanged", backup: null });
  expect(readFileSync(file, "utf8")).toBe(once);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  writeFileSync(file, once.replace(LAUNCHER, "/old/place/bin/retain"));
  expect(sandbox.ok(["connect", "claude-code", "--json"]).json.data.action).toBe("updated");
  expect(readFileSync(file, "utf8")).toBe(once);
});

test("CONNECT-4: --undo restores the file byte for byte, and removes a file it created", () => {
  const sandbox = inProject();
  for (const before of [COMMENTED, "{}", "{ }\n", '{"servers":{}}', '{"a":1,}\n', "", "\n"]) {
    const file = place(join(sandbox.work, ".vscode/mcp.json"), before);
    sandbox.ok(["connect", "vscode"]);
    expect(readFileSync(file, "utf8")).toContain(LAUNCHER);
    const { stdout } = sandbox.ok(["connect", "vscode", "--undo"]);
    expect(stdout).toStartWith(`Removed 'retain' from ${file}.`);
    expect(readFileSync(file, "utf8")).toBe(before);
  }
  sandbox.ok(["connect", "cursor"]);
  sandbox.ok(["connect", "cursor", "--undo"]);
  expect(existsSync(join(sandbox.work, ".cursor"))).toBe(false);
  expect(sandbox.ok(["connect", "cursor", "--undo", "--json"]).json.data.action).toBe("absent");
});

test("CONNECT-4: after --undo, a client that isn't installed is not found", () => {
  const sandbox = new Sandbox();
  const clients = () => sandbox.ok(["connect", "--json"]).json.data as { client: string; state: string }[];
  const before = clients();
  const missing = before.filter(({ state }) => state === "not found").map(({ client }) => client);
  expect(missing).toContain("windsurf");
  for (const client of missing) sandbox.ok(["connect", client]);
  for (const client of ["gemini", "opencode"]) sandbox.ok(["connect", client, "--hooks"]);
  const kept = place(join(sandbox.home, ".cline/notes.txt"), "Mine.");
  for (const client of missing) sandbox.ok(["connect", client, "--undo"]);
  expect(readdirSync(sandbox.home).filter((name) => name !== ".retain")).toEqual([".cline"]);
  expect(readdirSync(dirname(kept))).toEqual(["notes.txt"]);
  rmSync(dirname(kept), { recursive: true });
  expect(clients()).toEqual(before);
});

test("CONNECT-1: a misspelled client gets a suggestion", () => {
  const sandbox = new Sandbox();
  expect(sandbox.ok(["connect", "cursr"]).stdout).toContain("Did you mean 'cursor'?");
  expect(sandbox.run(["connect", "cursr", "--undo"]).stderr).toContain("Did you mean 'cursor'?");
  expect(sandbox.ok(["connect", "some-editor"]).stdout).not.toContain("Did you mean");
});

test("CONNECT-4: --undo keeps later changes and another program's server", () => {
  const sandbox = inProject();
  const file = place(join(sandbox.work, ".vscode/mcp.json"), COMMENTED);
  sandbox.ok(["connect", "vscode"]);
  writeFileSync(file, readFileSync(file, "utf8").replace('"inputs": []', '"inputs": [1]'));
  sandbox.ok(["connect", "vscode", "--undo"]);
  expect(readFileSync(file, "utf8")).toBe(COMMENTED.replace('"inputs": []', '"inputs": [1]'));
  const foreign = '{ "servers": { "retain": { "command": "docker", "args": ["run", "retain"] } } }';
  writeFileSync(file, foreign);
  expect(sandbox.run(["connect", "vscode", "--undo"]).exitCode).toBe(3);
  expect(readFileSync(file, "utf8")).toBe(foreign);
});

test("CONNECT-2: an invalid file stays unchanged, and the lines to paste are printed", () => {
  const sandbox = inProject();
  const file = join(sandbox.work, ".mcp.json");
  const broken: [string | Uint8Array, string, number][] = [
    ['{\n  "mcpServers": {\n', ":3: ", 2],
    ["not json", ":1: ", 2],
    ["[]", ":1: ", 2],
    ['{"mcpServers": 5}', "'mcpServers'", 2],
    [new Uint8Array([0x7b, 0xff, 0x7d]), "UTF-8", 2],
    ['{"mcpServers": {"retain": {"command": "docker"}}}', "'retain'", 3],
  ];
  for (const [content, why, code] of broken) {
    writeFileSync(file, content);
    const { exitCode, stderr, stdout } = sandbox.run(["connect", "claude-code"]);
    expect([content, exitCode]).toEqual([content, code]);
    expect(stderr).toContain(why);
    expect(stderr).toContain("Nothing was changed.");
    expect(JSON.parse(stdout).mcpServers.retain.command).toBe(LAUNCHER);
    expect(new Uint8Array(readFileSync(file))).toEqual(Uint8Array.from(Buffer.from(content)));
    const { json } = sandbox.run(["connect", "claude-code", "--json"]);
    expect(json).toMatchObject({
      ok: false,
      data: { snippet: { mcpServers: { retain: { args: ["mcp"] } } } },
    });
  }
  expect(readdirSync(sandbox.work).sort()).toEqual([".mcp.json", ".retain"]);
});

test("CONNECT-2: --print and an unknown client print the lines and change nothing", () => {
  const sandbox = inProject();
  const { stdout } = sandbox.ok(["connect", "vscode", "--print"]);
  expect(stdout).toStartWith(
    `For ${join(sandbox.work, ".vscode/mcp.json")}:\n{\n  "servers": {\n    "retain": {\n`,
  );
  const other = sandbox.ok(["connect", "some-editor"]);
  expect(other.stdout).toStartWith("'some-editor' is not one of claude-code, ");
  const { snippet } = sandbox.ok(["connect", "some-editor", "--json"]).json.data;
  const { args, command } = snippet.mcpServers.retain;
  expect({ args, command }).toEqual({ args: ["mcp", "--directory", sandbox.work], command: LAUNCHER });
  expect(sandbox.run(["connect", "some-editor", "--undo"]).exitCode).toBe(2);
  expect(sandbox.run(["connect", "vscode", "--undo", "--print"]).exitCode).toBe(2);
  expect(sandbox.run(["connect", "--undo"]).exitCode).toBe(2);
  expect(readdirSync(sandbox.work)).toEqual([".retain"]);
});

test("CONNECT-4: the backup of the file is readable only by its owner", () => {
  const sandbox = inProject();
  place(join(sandbox.work, ".vscode/mcp.json"), COMMENTED);
  const { backup } = sandbox.ok(["connect", "vscode", "--json"]).json.data;
  expect(dirname(backup)).toBe(join(sandbox.memory, "connect"));
  expect(readFileSync(backup, "utf8")).toBe(COMMENTED);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(backup)).mode & 0o777).toBe(0o700);
});

test("CONNECT-6: without a client it lists all, with what it finds on this machine", () => {
  const sandbox = inProject();
  mkdirSync(join(sandbox.home, ".codeium/windsurf"), { recursive: true });
  const bin = join(sandbox.root, "bin");
  place(join(bin, "codex"), "#!/bin/sh\n");
  chmodSync(join(bin, "codex"), 0o755);
  sandbox.ok(["connect", "cursor"]);
  const { json, stdout } = sandbox.ok(["connect", "--json"], { env: { PATH: `${bin}:/usr/bin:/bin` } });
  const states = json.data.map(({ client, state }: Record<string, string>) => [client, state]);
  expect(Object.fromEntries(states)).toMatchObject({
    cursor: "connected",
    windsurf: "found",
    codex: "found",
    zed: "not found",
  });
  expect(stdout).not.toContain("Connect ");
  const listed = sandbox.ok(["connect"], { env: { PATH: `${bin}:/usr/bin:/bin` } });
  expect(listed.stdout).toContain("retain connect windsurf");
  expect(existsSync(join(sandbox.home, ".codeium/windsurf/mcp_config.json"))).toBe(false);
});

testNeeding("tmux")("CONNECT-6: at a terminal it asks about each client it finds", async () => {
  const sandbox = new Sandbox();
  for (const directory of [".cursor", ".codeium/windsurf"])
    mkdirSync(join(sandbox.home, directory), { recursive: true });
  const screen = new TerminalScreen(sandbox, "retain connect", { PATH: "/usr/bin:/bin" });
  afterThisTest(() => screen.close());
  await screen.shows("Connect Cursor? [y/N]");
  screen.type("y", "Enter");
  await screen.shows("Connect Windsurf? [y/N]");
  screen.type("Enter");
  await screen.shows("[exit 0]");
  expect(existsSync(join(sandbox.home, ".cursor/mcp.json"))).toBe(true);
  expect(existsSync(join(sandbox.home, ".codeium/windsurf/mcp_config.json"))).toBe(false);
});
