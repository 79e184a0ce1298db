/** Incidents: whichever process finds damage or a failed write first, the user sees it later. */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { assistant, ClaudeCode, user } from "../agent/hooks-transcript.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { builtOnce } from "../helpers/built-once.ts";
import { KEY } from "../helpers/chat.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { asEarlier, overwrite, pagesOf, spoil } from "../helpers/damage.ts";
import { HindsightServer } from "../helpers/hindsight-server.ts";
import { inNamespace } from "../helpers/namespace.ts";
import { ORDINARY, testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";
import { overPipes } from "../mcp/clients.ts";

const QUIET = { RETAIN_EMBEDDING: "none" };
const SECRET = "The harbour master's cat is called Biscuit";

function ask(sandbox: Sandbox, question: string): void {
  sandbox.ok(["--model", "none", question]);
}

function run(sandbox: Sandbox, ...args: string[]) {
  return sandbox.run(args);
}

function sessionFile(sandbox: Sandbox): string {
  const directory = join(sandbox.memory, "sessions");
  const [name = ""] = readdirSync(directory)
    .filter((file) => file.endsWith(".jsonl"))
    .sort();
  return join(directory, name);
}

/** Changes a message but not its checksum. */
function damageSession(sandbox: Sandbox): string {
  const path = sessionFile(sandbox);
  writeFileSync(path, readFileSync(path, "utf8").replace("Biscuit", "Bisquit"));
  return path;
}

const damaged = builtOnce((sandbox) => {
  ask(sandbox, SECRET);
  damageSession(sandbox);
});

async function withDamagedSession(): Promise<{ sandbox: Sandbox; path: string }> {
  const { sandbox } = await damaged();
  return { sandbox, path: sessionFile(sandbox) };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
type Shown = any;

function incidents(sandbox: Sandbox): Shown[] {
  return run(sandbox, "status", "--json").json.data.incidents;
}

function recorded(sandbox: Sandbox): Shown[] {
  const path = join(sandbox.memory, "incidents.jsonl");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function sessionStart(sandbox: Sandbox): { systemMessage?: string; context: string } {
  const stdin = new ClaudeCode(sandbox).event("session-start", { source: "startup" });
  const { exitCode, stdout } = sandbox.run(["hook", "session-start"], { stdin });
  expect(exitCode).toBe(0);
  const { systemMessage, hookSpecificOutput } = stdout === "" ? {} : JSON.parse(stdout);
  return { systemMessage, context: hookSpecificOutput?.additionalContext ?? "" };
}

test("INCIDENT-1: a damaged session file that a hook finds first is recorded, privately and without contents", async () => {
  const { sandbox, path } = await withDamagedSession();
  new ClaudeCode(sandbox).hook("user-prompt-submit", { prompt: "what is the cat called?" }, QUIET);
  expect(recorded(sandbox)).toEqual([
    expect.objectContaining({ type: "incident", kind: "session-file", path, workspace: sandbox.memory }),
  ]);
  const file = join(sandbox.memory, "incidents.jsonl");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).not.toMatch(/Bis[cq]uit|harbour/);
});

test("INCIDENT-1: a session file of a newer version is recorded", () => {
  const sandbox = new Sandbox();
  ask(sandbox, SECRET);
  const path = sessionFile(sandbox);
  writeFileSync(path, readFileSync(path, "utf8").replace('"version":1', '"version":99'));
  run(sandbox, "search", "cat", "-q");
  expect(incidents(sandbox)).toEqual([expect.objectContaining({ kind: "session-file", path })]);
});

testNeeding("permissions")(
  "INCIDENT-1: an unreadable session file is recorded, and hides neither its known messages nor others",
  async () => {
    const sandbox = new Sandbox();
    ask(sandbox, SECRET);
    const path = sessionFile(sandbox);
    await sandbox.addFact("Herons wade at dawn");
    const retain = [...ORDINARY, RETAIN].join(" ");
    const script = `chmod 000 ${path}
      ${retain} search Biscuit -q; echo --
      ${retain} remember 'Owls hoot' -q >/dev/null; rm ${sandbox.memory}/retain.db*
      ${retain} search herons -q; echo --; ${retain} --model none hello >/dev/null || echo failed
      ${retain} doctor 2>/dev/null; echo "exit $?"; echo --
      chmod 600 ${path}; ${retain} search Biscuit -q`;
    const env = sandbox.env();
    const { stdout } = Bun.spawnSync(["sh", "-c", script], { cwd: sandbox.work, env });
    const [known, facts, doctor, again] = stdout.toString().split("--\n");
    expect(known).toBe("1\n");
    expect(facts).toMatch(/^[a-z0-9]{10}\n$/);
    expect(doctor).not.toContain("failed\n");
    expect(doctor).toContain(`${path}: it cannot be read: permission`);
    expect(doctor).toContain("exit 1");
    expect(again).toMatch(/^\d+\n$/);
    expect(recorded(sandbox)).toContainEqual(expect.objectContaining({ kind: "session-file", path }));
  },
);

test("INCIDENT-1: a damaged index that 'search -q' finds first is recorded", () => {
  const sandbox = new Sandbox();
  ask(sandbox, SECRET);
  overwrite(join(sandbox.memory, "retain.db"), 100, Buffer.alloc(3_000, 0xff));
  for (const name of ["retain.db-wal", "retain.db-shm"]) rmSync(join(sandbox.memory, name), { force: true });
  expect(run(sandbox, "search", "cat", "-q").stderr).toBe("");
  expect(incidents(sandbox)).toEqual([
    expect.objectContaining({ kind: "damage", path: join(sandbox.memory, "retain.db") }),
  ]);
});

test("INCIDENT-1: a damaged index that 'config set' finds first is recorded", () => {
  const sandbox = new Sandbox();
  ask(sandbox, SECRET);
  overwrite(join(sandbox.memory, "retain.db"), 100, Buffer.alloc(3_000, 0xff));
  for (const name of ["retain.db-wal", "retain.db-shm"]) rmSync(join(sandbox.memory, name), { force: true });
  expect(run(sandbox, "config", "set", "max_versions", "5").exitCode).toBe(0);
  expect(incidents(sandbox)).toEqual([expect.objectContaining({ kind: "damage" })]);
});

test("INCIDENT-1: a database of an earlier version that was set aside is recorded", () => {
  const sandbox = new Sandbox();
  ask(sandbox, SECRET);
  const path = join(sandbox.memory, "retain.db");
  asEarlier(path);
  overwrite(path, 0, Buffer.alloc(4_096, 0xff));
  run(sandbox, "search", "cat", "-q");
  expect(incidents(sandbox)).toEqual([expect.objectContaining({ kind: "set-aside" })]);
  expect(existsSync(incidents(sandbox)[0].path)).toBe(true);
});

test("INCIDENT-1: turns that a hook could not store are recorded, without the text", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  claude.write(user("What is the cat called?"), assistant(`[MEMORY] ${SECRET}`));
  mkdirSync(sandbox.memory, { mode: 0o700 });
  writeFileSync(join(sandbox.memory, "memories"), "in the way");
  claude.stop(`[MEMORY] ${SECRET}`, QUIET);
  claude.hook("session-end", {}, QUIET);
  expect(claude.log().join("\n")).toContain("failed:");
  const kinds = recorded(sandbox).map(({ kind }) => kind);
  expect(kinds).toContain("failed-write");
  expect(readFileSync(join(sandbox.memory, "incidents.jsonl"), "utf8")).not.toContain("Biscuit");
});

test("INCIDENT-1: a config that prevents hooks from storing anything is recorded, and the next start says so", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  claude.write(user("What is the cat called?"), assistant("I do not know."));
  mkdirSync(sandbox.memory, { mode: 0o700 });
  writeFileSync(join(sandbox.memory, "config.yaml"), "max_versions: many\n");
  claude.stop("I do not know.", QUIET);
  expect(recorded(sandbox)).toEqual([expect.objectContaining({ kind: "failed-write" })]);
  expect(sessionStart(sandbox).systemMessage).toContain("max_versions");
});

test("INCIDENT-1: an unreadable memory file is recorded", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact(SECRET);
  const path = join(sandbox.memory, "memories/MEMORY.md");
  appendFileSync(path, new Uint8Array([0x2d, 0x20, 0xff, 0xfe, 0x0a]));
  run(sandbox, "search", "cat", "-q");
  expect(incidents(sandbox)).toEqual([expect.objectContaining({ kind: "damage", path })]);
});

test("INCIDENT-1: a failed write is recorded, even though its caller saw the error", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Herons wade");
  rmSync(join(sandbox.memory, ".undo"), { recursive: true });
  writeFileSync(join(sandbox.memory, ".undo"), "in the way");
  const failed = run(sandbox, "remember", SECRET, "--json");
  expect(failed.exitCode).toBe(1);
  expect(incidents(sandbox)).toEqual([expect.objectContaining({ kind: "failed-write" })]);
});

test("INCIDENT-1: a document stored without its index rows is recorded", () => {
  const sandbox = new Sandbox();
  const put = (id: string) => sandbox.run(["put", "-", "--id", id, "-q"], { stdin: `# ${id}\n` });
  put("heron");
  const path = join(sandbox.memory, "retain.db");
  spoil(path, pagesOf(path, "words_data"));
  expect(put("owl").exitCode).toBe(0);
  expect(existsSync(sandbox.path("memory", "owl"))).toBe(true);
  expect(incidents(sandbox)).toContainEqual(expect.objectContaining({ kind: "failed-write", path }));
});

test("INCIDENT-1: items that could not be queued for a server, and a damaged entry, are recorded", async () => {
  const sandbox = new Sandbox();
  const env = {
    ...QUIET,
    RETAIN_MEMORY_BACKEND: "hindsight",
    RETAIN_HINDSIGHT_URL: "http://127.0.0.1:9",
  };
  mkdirSync(sandbox.memory, { mode: 0o700 });
  writeFileSync(join(sandbox.memory, "spool"), "in the way");
  expect(sandbox.run(["remember", SECRET, "-q"], { env }).exitCode).not.toBe(0);
  expect(recorded(sandbox)).toEqual([expect.objectContaining({ kind: "failed-write" })]);
  rmSync(join(sandbox.memory, "spool"));
  sandbox.ok(["remember", SECRET, "-q"], { env });
  const [entry = ""] = sandbox.tree(join(sandbox.memory, "spool")).filter((path) => path.endsWith(".json"));
  const path = join(sandbox.memory, "spool", entry);
  writeFileSync(path, "{");
  sandbox.ok(["status", "--send", "-q"], { env });
  expect(recorded(sandbox).slice(1)).toEqual([expect.objectContaining({ kind: "refused", path })]);
  expect(readFileSync(join(sandbox.memory, "incidents.jsonl"), "utf8")).not.toContain("Biscuit");
});

test("INCIDENT-1: an entry that a server refused is recorded, without its text or the server's message", async () => {
  const sandbox = new Sandbox();
  const server = new HindsightServer();
  await server.start();
  afterThisTest(() => server.stop());
  server.refuses = () => true;
  const env = { RETAIN_MEMORY_BACKEND: "hindsight", RETAIN_HINDSIGHT_URL: server.url };
  await sandbox.start(["remember", SECRET, "-q"], { env }).exited;
  const [incident, ...others] = recorded(sandbox);
  expect(others).toEqual([]);
  expect(incident).toMatchObject({ kind: "refused" });
  expect(incident.path).toStartWith(join(sandbox.memory, "spool"));
  expect(JSON.stringify(incident)).not.toContain("Biscuit");
});

test("INCIDENT-1: an interrupted change that cannot be finished is recorded", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact(SECRET);
  const path = join(sandbox.memory, ".undo/00000099.pending.json");
  writeFileSync(path, '{"label":"remember","files":[{"path":"memories/MEM');
  run(sandbox, "search", "cat", "-q");
  expect(incidents(sandbox)).toEqual([expect.objectContaining({ kind: "damage", path })]);
  expect(run(sandbox, "facts").stdout).toContain("Biscuit");
});

test("INCIDENT-1: a damaged session file that an MCP server finds first is recorded", async () => {
  const { sandbox, path } = await withDamagedSession();
  const { client } = await overPipes(sandbox, []);
  await client.callTool({ name: "recall", arguments: { query: "cat" } });
  expect(recorded(sandbox)).toEqual([expect.objectContaining({ kind: "session-file", path })]);
});

testNeeding("mount namespaces")(
  "INCIDENT-1: a damaged index that cannot be replaced is recorded once, even after it was acknowledged",
  async () => {
    const sandbox = new Sandbox();
    await sandbox.makeProject();
    await sandbox.addFact(SECRET);
    const path = join(sandbox.work, ".retain/retain.db");
    overwrite(path, 0, Buffer.alloc(4_096, 0xff));
    const { work } = sandbox;
    const output = await inNamespace(
      sandbox,
      `mount --bind ${work} ${work} && mount -o remount,bind,ro ${work} && cd ${work}
       retain search cat -q >/dev/null; retain doctor --acknowledge --yes --json; retain search cat -q >/dev/null
       retain status --json > ${sandbox.home}/status`,
    );
    expect(JSON.parse(output).data.acknowledged).toEqual([expect.objectContaining({ kind: "damage", path })]);
    expect(JSON.parse(readFileSync(join(sandbox.home, "status"), "utf8")).data.incidents).toEqual([]);
  },
);

test("INCIDENT-2: doctor (exit 1), status and a session's start show an incident until it is acknowledged", async () => {
  const { sandbox, path } = await withDamagedSession();
  run(sandbox, "search", "cat", "-q");
  rmSync(path);
  const doctor = run(sandbox, "doctor");
  expect(doctor.exitCode).toBe(1);
  expect(doctor.stdout).toContain("incidents");
  expect(doctor.stdout).toContain(path);
  expect(doctor.stdout).toContain("retain doctor --acknowledge");
  expect(run(sandbox, "status").stdout).toMatch(/^Incidents +1/m);
  const start = sessionStart(sandbox);
  expect(start.systemMessage?.split("\n")).toHaveLength(1);
  expect(start.systemMessage).toContain(path);
  expect(start.context).not.toContain(path);
  const once = sandbox.ok(["--model", "none", "-p", "hello", "--json"]).stdout;
  expect(once).toContain(path);

  expect(run(sandbox, "doctor", "--acknowledge", "--yes").exitCode).toBe(0);
  expect(run(sandbox, "doctor").exitCode).toBe(0);
  expect(run(sandbox, "status").stdout).not.toContain("Incidents");
  expect(sessionStart(sandbox).systemMessage).toBeUndefined();
  expect(sandbox.ok(["--model", "none", "-p", "hello", "--json"]).stdout).not.toContain(path);
});

testNeeding("tmux")("INCIDENT-2: the chat shows them in one line at its start", async () => {
  const { sandbox } = await withDamagedSession();
  new ClaudeCode(sandbox).hook("user-prompt-submit", { prompt: "what is the cat called?" }, QUIET);
  const screen = new TerminalScreen(sandbox, "retain --model none", QUIET, 200);
  afterThisTest(() => screen.close());
  await screen.shows("Type a message");
  expect(await screen.shows("1 incident")).toContain("retain doctor");
});

test("INCIDENT-2: an incident that happens during a chat is shown after the turn, once", async () => {
  const sandbox = new Sandbox();
  ask(sandbox, SECRET);
  let path = "";
  await using server = await new AnthropicServer(() => {
    if (path === "") path = damageSession(sandbox);
    return { text: "It is called Biscuit." };
  }).start();
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
  const chat = sandbox.start(["-p", "Which cat?", "--json"], { env });
  const events = (await new Response(chat.stdout).text()).split("\n");
  expect(path).not.toBe("");
  const shown = events.findIndex((line) => line.includes(path));
  expect(shown).toBeGreaterThan(events.findIndex((line) => line.includes('"text"')));
  expect(events.filter((line) => line.includes(path))).toHaveLength(1);
});

test("INCIDENT-3: acknowledging needs a person at a terminal or --yes", async () => {
  const { sandbox } = await withDamagedSession();
  run(sandbox, "search", "cat", "-q");
  expect(run(sandbox, "doctor", "--acknowledge").exitCode).toBe(3);
  expect(run(sandbox, "doctor", "--acknowledge", "--json").exitCode).toBe(3);
  expect(run(sandbox, "doctor", "--yes").exitCode).toBe(2);
  expect(run(sandbox, "doctor", "--acknowledge", "--yes", "--deep").exitCode).toBe(2);
  expect(incidents(sandbox)).toHaveLength(1);
});

test("INCIDENT-3: a model's shell cannot acknowledge, whatever tools are allowed", async () => {
  const { sandbox } = await withDamagedSession();
  run(sandbox, "search", "cat", "-q");
  await using server = await new AnthropicServer(({ body }) =>
    JSON.stringify(body.messages.at(-1)).includes("tool_result")
      ? { text: "Done." }
      : { calls: [{ name: "run_command", input: { command: "retain doctor --acknowledge --yes" } }] },
  ).start();
  const PATH = `${dirname(RETAIN)}:${process.env.PATH}`;
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, PATH };
  await sandbox.start(["-p", "--tools", "all", "Tidy up"], { env }).exited;
  expect(server.requests.length).toBeGreaterThan(1);
  expect(incidents(sandbox)).toHaveLength(1);
});

testNeeding("tmux")("INCIDENT-3: at a terminal, doctor shows them and asks", async () => {
  const { sandbox, path } = await withDamagedSession();
  run(sandbox, "search", "cat", "-q");
  const screen = new TerminalScreen(sandbox, "retain doctor --acknowledge", QUIET, 200);
  afterThisTest(() => screen.close());
  expect(await screen.shows("? y:")).toContain(path);
  screen.type("n", "Enter");
  await screen.shows("[exit 3]");
  expect(incidents(sandbox)).toHaveLength(1);
  const again = new TerminalScreen(sandbox, "retain doctor --acknowledge", QUIET, 200);
  afterThisTest(() => again.close());
  await again.shows("? y:");
  again.type("y", "Enter");
  await again.shows("[exit 0]");
  expect(incidents(sandbox)).toEqual([]);
});

test("INCIDENT-3: an acknowledged incident stays in the file with its time, and a lasting problem is still reported", async () => {
  const { sandbox, path } = await withDamagedSession();
  run(sandbox, "search", "cat", "-q");
  const { data } = run(sandbox, "doctor", "--acknowledge", "--yes", "--json").json;
  expect(data.acknowledged).toEqual([expect.objectContaining({ path })]);
  const [incident, acknowledged] = recorded(sandbox);
  expect(incident).toMatchObject({ type: "incident", path });
  expect(acknowledged).toMatchObject({ type: "acknowledged", at: expect.stringMatching(/^\d{4}-/) });
  const doctor = run(sandbox, "doctor");
  expect(doctor.exitCode).toBe(1);
  expect(doctor.stdout).toContain(path);
  // The conversation continues in the damaged file.
  sandbox.ok(["--model", "none", "--continue", "-p", "and the dog?"]);
  run(sandbox, "doctor", "--deep");
  run(sandbox, "reindex");
  expect(incidents(sandbox)).toEqual([]);
  expect(run(sandbox, "doctor", "--acknowledge").exitCode).toBe(0);
});

test("INCIDENT-3: an incident that happens again after it was acknowledged is shown again", () => {
  const sandbox = new Sandbox();
  ask(sandbox, SECRET);
  for (let time = 0; time < 2; time++) {
    overwrite(join(sandbox.memory, "retain.db"), 100, Buffer.alloc(3_000, 0xff));
    for (const name of ["retain.db-wal", "retain.db-shm"])
      rmSync(join(sandbox.memory, name), { force: true });
    run(sandbox, "search", "cat", "-q");
    expect(incidents(sandbox)).toHaveLength(1);
    sandbox.ok(["doctor", "--acknowledge", "--yes"]);
    expect(incidents(sandbox)).toEqual([]);
  }
});

test("INCIDENT-1: the same incident is recorded once, by however many processes", async () => {
  const { sandbox, path } = await withDamagedSession();
  const searches = Array.from({ length: 6 }, () => sandbox.start(["search", "cat", "-q"]));
  await Promise.all(searches.map(({ exited }) => exited));
  expect(incidents(sandbox)).toEqual([expect.objectContaining({ path })]);
  rmSync(join(sandbox.memory, "retain.db"));
  run(sandbox, "search", "cat", "-q");
  expect(incidents(sandbox)).toHaveLength(1);
});

test("INCIDENT-1: a truncated line hides no other", async () => {
  const { sandbox, path } = await withDamagedSession();
  writeFileSync(join(sandbox.memory, "incidents.jsonl"), '{"type":"incident","at":"2026', { mode: 0o600 });
  run(sandbox, "search", "cat", "-q");
  expect(incidents(sandbox)).toEqual([expect.objectContaining({ path })]);
});

test("INCIDENT-1: if incidents cannot be recorded, the work continues and doctor says so", async () => {
  const { sandbox } = await withDamagedSession();
  mkdirSync(join(sandbox.memory, "incidents.jsonl"));
  const { exitCode, stderr } = run(sandbox, "search", "cat");
  expect(exitCode).toBe(0);
  expect(stderr).toContain("cannot be read");
  const doctor = run(sandbox, "doctor");
  expect(doctor.exitCode).toBe(1);
  expect(doctor.stdout).toContain("incidents.jsonl");
});

test("INCIDENT-1: a project's incidents are recorded in the home workspace, with the project's name", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  await sandbox.addFact(SECRET);
  const path = join(sandbox.work, ".retain/memories/MEMORY.md");
  writeFileSync(path, new Uint8Array([0xff, 0xfe, 0x00]));
  run(sandbox, "search", "cat", "-q");
  expect(recorded(sandbox)).toEqual([
    expect.objectContaining({ workspace: join(sandbox.work, ".retain"), path }),
  ]);
  const elsewhere = sandbox.run(["status", "--json"], { cwd: sandbox.home });
  expect(elsewhere.json.data.incidents).toHaveLength(1);
});
