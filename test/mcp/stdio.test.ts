/** `retain mcp` over stdio: messages, start and end. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { overPipes, REVISIONS } from "./clients.ts";
import { GREETING, keep, keptIn, messagesIn, request } from "./lines.ts";

for (const revision of REVISIONS)
  test(`MCP-1: a client of revision ${revision} is served over stdio`, async () => {
    const { client, said } = await overPipes(new Sandbox(), [], { revision });
    expect(client.getProtocolEra()).toBe(revision === "legacy" ? "legacy" : "modern");
    expect(client.getServerVersion()).toMatchObject({ name: "retain", title: "Retain" });
    expect(client.getServerCapabilities()).toMatchObject({
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
    });
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    expect(said()).toBe("");
  });

test("MCP-1: stdout contains only messages; problems are reported on stderr", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument("# Good", { id: "good" });
  Bun.write(sandbox.path("memory", "bad"), "---\ntags: [\n---\nText.\n");
  const asked = [...GREETING, request(1, "resources/list"), "nonsense"];
  const { stdout, stderr, exitCode } = sandbox.run(["mcp", "--verbose"], { stdin: `${asked.join("\n")}\n` });
  expect(messagesIn(stdout).map(({ id }) => id)).toContainAllValues([0, 1, null]);
  expect(stderr).toContain("workspace: ");
  expect(stderr).toContain("bad.md cannot be read");
  expect(exitCode).toBe(0);
});

test("MCP-1: a line that isn't a message gets an error response, and the next one is served", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["config", "set", "--global", "max_document_bytes", "1000"]);
  const long = JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "ping",
    params: { pad: "x".repeat(1_100_000) },
  });
  const lines = [
    ...GREETING,
    "{",
    "",
    Buffer.from([0x22, 0xff, 0x22]),
    '{"id":5,"method":"ping"}',
    "[]",
    long,
    request(9, "ping"),
  ];
  const stdin = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\r\n")]));
  const answers = messagesIn(sandbox.run(["mcp"], { stdin }).stdout);
  const errors = answers.filter(({ error }) => error !== undefined);
  expect(errors.map(({ id, error }) => [id, error?.code, error?.message])).toEqual([
    [null, -32700, expect.stringContaining("JSON")],
    [null, -32700, expect.stringContaining("UTF-8")],
    [5, -32600, expect.stringContaining("JSON-RPC")],
    [null, -32600, expect.stringContaining("JSON-RPC")],
    [null, -32600, expect.stringContaining("1 MB")],
  ]);
  expect(answers.find(({ id }) => id === 9)?.result).toEqual({});
});

test("MCP-9: when stdin ends, pending requests are answered first, including a last line without newline", () => {
  const sandbox = new Sandbox();
  const facts = Array.from(
    { length: 5 },
    (_, number) => `The port of service ${number} is ${4_000 + number}.`,
  );
  const asked = [...GREETING, ...facts.map((fact, number) => keep(number + 1, fact))];
  const { stdout, exitCode } = sandbox.run(["mcp"], { stdin: asked.join("\n") });
  const answered = messagesIn(stdout).filter(({ id }) => (id ?? 0) > 0);
  expect(answered.map(keptIn).toSorted()).toEqual(facts);
  expect(exitCode).toBe(0);
  expect(sandbox.ok(["facts", "--json"]).json.data.total).toBe(5);
});

for (const [signal, code] of [
  ["SIGTERM", 0],
  ["SIGHUP", 0],
  ["SIGINT", 130],
] as const)
  test(`MCP-9: ${signal} during calls ends the server, with nothing half-written and no process left`, async () => {
    const sandbox = new Sandbox();
    const server = Bun.spawn([RETAIN, "mcp"], {
      cwd: sandbox.work,
      env: sandbox.env(),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const facts = Array.from(
      { length: 60 },
      (_, number) => `Room ${number} is painted in colour ${number * 7}.`,
    );
    server.stdin.write(
      `${[...GREETING, ...facts.map((fact, number) => keep(number + 1, fact))].join("\n")}\n`,
    );
    server.stdin.flush();
    let printed = "";
    for await (const chunk of server.stdout) {
      if (!printed.includes("stored as")) {
        printed += Buffer.from(chunk).toString();
        if (printed.includes("stored as")) server.kill(signal);
      } else printed += Buffer.from(chunk).toString();
    }
    expect(await server.exited).toBe(code);
    const acknowledged = messagesIn(printed)
      .map(keptIn)
      .filter((fact) => fact !== undefined);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(processesOf(sandbox)).toEqual([]);
    const stored: string[] = sandbox
      .ok(["facts", "--json"])
      .json.data.facts.map(({ text }: { text: string }) => text);
    for (const fact of acknowledged) expect(stored).toContain(fact);
    expect(sandbox.tree(sandbox.memory).filter((path) => path.includes(".tmp-"))).toEqual([]);
    expect(sandbox.ok(["doctor", "--json"]).json.ok).toBe(true);
  });

/** The processes whose environment names this sandbox. */
function processesOf(sandbox: Sandbox): string[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${sandbox.home}\0`);
      } catch {
        return false;
      }
    });
}

test("MCP-9: a client that disconnects leaves no server behind", async () => {
  const sandbox = new Sandbox();
  const shell = `(printf '%s\\n' "$ASKED"; sleep 0.2) | { "$RETAIN" mcp; echo "ended with $?" >&2; } | true`;
  const asked = [
    ...GREETING,
    ...Array.from({ length: 50 }, (_, id) => request(id + 1, "resources/list")),
  ].join("\n");
  const env = sandbox.env({ ASKED: asked, RETAIN });
  const run = Bun.spawnSync(["bash", "-c", shell], { cwd: sandbox.work, env });
  expect(run.stderr.toString()).toBe("ended with 0\n");
  expect(processesOf(sandbox)).toEqual([]);
});

test("MCP-9: a client that no longer reads its answers leaves no server behind", async () => {
  const sandbox = new Sandbox();
  const server = Bun.spawn([RETAIN, "mcp"], {
    cwd: sandbox.work,
    env: sandbox.env(),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  server.stdin.write(`${GREETING.join("\n")}\n`);
  server.stdin.flush();
  const answers = server.stdout.getReader();
  await answers.read();
  await answers.cancel();
  // The first write may still succeed before the pipe is closed.
  for (let id = 1; server.exitCode === null; id++) {
    try {
      server.stdin.write(`${request(id, "tools/list")}\n`);
      await server.stdin.flush();
    } catch {
      // It has closed its end, and exits.
      await server.exited;
    }
    await Promise.race([server.exited, Bun.sleep(20)]);
  }
  expect(server.exitCode).toBe(0);
});

test("MCP-10: the instructions say what the memory currently holds, and how to use it", async () => {
  const sandbox = new Sandbox();
  const told = async () => (await overPipes(sandbox)).client.getInstructions() ?? "";
  expect(await told()).toMatch(/empty[\s\S]*user's own memory, which all projects share/);
  await sandbox.addFact("The deploy runs on Fridays.");
  await sandbox.addDocument("# Plan", { id: "plan" });
  const instructions = await told();
  expect(instructions).toContain("It holds 1 fact and 1 document.");
  expect(instructions).toContain("call `recall` with the question");
  expect(instructions.length).toBeLessThan(1_000);
});

test("MCP-1: the workspace is chosen as in every command, and --chat chooses whose memory is added", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  await sandbox.addFact("The project is called Heron.");
  await sandbox.addFact("The user is called Ada.", {}, { scope: "global" });
  await sandbox.addFact("At work everybody speaks French.", { chat: "work" }, { scope: "global" });
  const told = async (args: string[], cwd = sandbox.work) => {
    const { client } = await overPipes(sandbox, args, { cwd });
    const { contents } = await client.readResource({ uri: "memory://context" });
    return `${client.getInstructions()}\n${JSON.stringify(contents)}`;
  };
  for (const here of [
    await told([]),
    await told(["--local"]),
    await told(["--directory", sandbox.work], "/"),
  ]) {
    expect(here).toMatch(/(?:stored in|stays with) this project/);
    expect(here).toContain("Heron");
  }
  const global = await told(["--global"]);
  expect(global).toMatch(/user's own.*all projects/);
  expect(global).not.toContain("Heron");
  expect(global).not.toContain("French");
  expect(await told(["--global", "--chat", "work"])).toContain("French");
  expect(sandbox.run(["mcp", "--local"], { cwd: "/" }).exitCode).toBe(2);
  expect(sandbox.run(["mcp", "--port", "8000"]).stderr).toContain("--http");
});
