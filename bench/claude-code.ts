/**
 * What the plugin adds to `claude -p hi`, its hooks one by one, the start of the MCP server, and the first start of a session with
 * 5,000 facts. Claude Code is not a dependency: RETAIN_CLAUDE names its command. Its model is a local fake. RETAIN_BASELINE names another built checkout,
 * which is measured in turn with this one. An idle plugin, whose hooks do nothing and whose server only repeats what Retain's answered
 * once, shows what Claude Code itself needs. Run: RETAIN_CLAUDE=<path> bun bench/claude-code.ts
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AnthropicServer } from "../test/helpers/anthropic-server.ts";
import { ms, printTable, summarise } from "./measure.ts";
import { MemoryGenerator } from "./speed/generate.ts";

const ROUNDS = 15;
const FACTS = 5_000;
const { PATH = "", RETAIN_CLAUDE = Bun.which("claude") ?? "", RETAIN_BASELINE = "" } = process.env;
const CHECKOUTS = [
  ["this checkout", join(import.meta.dir, "..")],
  ...(RETAIN_BASELINE === "" ? [] : [["the baseline", RETAIN_BASELINE]]),
] as const;

const root = mkdtempSync(join(tmpdir(), "retain-bench-"));
process.on("exit", () => rmSync(root, { recursive: true }));

interface Cost {
  readonly wall: number;
  /** User and system time, with all processes that it waited for. */
  readonly cpu: number;
}

type Run = () => Promise<Cost>;

async function timed(command: string[], cwd: string, env: Record<string, string>, stdin = ""): Promise<Cost> {
  const begun = performance.now();
  const child = Bun.spawn(command, { cwd, env, stdin: new TextEncoder().encode(stdin), stdout: "ignore" });
  const code = await child.exited;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  return { wall: performance.now() - begun, cpu: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000 };
}

/** Measures all in turn, so that a busy machine slows each of them. */
async function compare(runs: Readonly<Record<string, Run>>): Promise<void> {
  const costs = new Map(Object.keys(runs).map((name) => [name, [] as Cost[]]));
  for (let round = -2; round < ROUNDS; round++)
    for (const [name, run] of Object.entries(runs)) {
      const cost = await run();
      if (round >= 0) costs.get(name)?.push(cost);
    }
  const rows = [...costs].map(([name, all]) => {
    const [wall, cpu] = [all.map((one) => one.wall), all.map((one) => one.cpu)];
    return [
      name,
      ms(summarise(wall).p50),
      ms(Math.min(...wall)),
      ms(summarise(cpu).p50),
      ms(Math.min(...cpu)),
    ];
  });
  printTable(["", "p50 ms", "least ms", "p50 CPU ms", "least CPU ms"], rows);
}

async function prompting(): Promise<void> {
  await using server = await new AnthropicServer(() => ({ text: "Hello." })).start();
  const env = {
    ...{ PATH, HOME: root, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "sk-ant-stand-in-0123456789" },
    ...{ DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  };
  const command = [RETAIN_CLAUDE, "-p", "hi"];
  const withPlugin = CHECKOUTS.map(([name, checkout]): [string, Run] => [
    `with the plugin of ${name}`,
    () => timed([...command, "--plugin-dir", join(checkout, "plugin")], root, env),
  ]);
  const idle = idlePlugin();
  await compare({
    "`claude -p hi`": () => timed(command, root, env),
    "with an idle plugin": () => timed([...command, "--plugin-dir", idle], root, env),
    ...Object.fromEntries(withPlugin),
  });
}

function idlePlugin(): string {
  const [[, checkout]] = CHECKOUTS;
  const plugin = join(root, "idle");
  cpSync(join(checkout, "plugin"), plugin, { recursive: true });
  const env = { PATH, HOME: root, RETAIN_MCP_PROMPTS: "false" };
  const { stdout } = Bun.spawnSync([join(checkout, "bin/retain"), "mcp"], {
    ...{ cwd: root, env, stdin: new TextEncoder().encode(OPENING) },
  });
  const results = stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .sort((a, b) => a.id - b.id)
    .map(({ result }, index) => [ASKED[index], result]);
  const server = join(root, "idle.js");
  writeFileSync(
    server,
    `const results = ${JSON.stringify(Object.fromEntries(results))};
    const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
    process.on("SIGINT", () => process.exit(0));
    for await (const line of console) {
      const { id, method } = JSON.parse(line);
      const notifications = { resourcesListChanged: true };
      const _meta = { "io.modelcontextprotocol/subscriptionId": id };
      if (method in results) say({ id, result: results[method] });
      else say({ method: "notifications/subscriptions/acknowledged", params: { notifications, _meta } });
    }`,
  );
  const script = `#!/bin/sh\n[ "$1" = mcp ] || exit 0\nexec "${process.execPath}" "${server}"\n`;
  writeFileSync(join(plugin, "bin/retain"), script);
  return plugin;
}

/** What Claude Code asks before the first prompt. */
const ASKED = ["server/discover", "tools/list", "resources/list"];
const OPENING = ASKED.map((method, id) => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta } })}\n`;
}).join("");

async function serving(): Promise<void> {
  const env = { PATH, HOME: root };
  const runs = CHECKOUTS.map(([name, checkout]): [string, Run] => [
    `\`retain mcp\`, ${name}`,
    () => timed([join(checkout, "bin/retain"), "mcp"], root, env, OPENING),
  ]);
  await compare({ "`node -e 1`": () => timed(["node", "-e", "1"], root, env), ...Object.fromEntries(runs) });
}

/** The hooks of `claude -p hi`, in their order. */
async function hooking(): Promise<void> {
  const transcript = join(root, "transcript.jsonl");
  const said = Object.entries({ user: "hi", assistant: "Hello." }).map(([type, content]) =>
    JSON.stringify({ type, uuid: type, timestamp: new Date().toISOString(), message: { content } }),
  );
  writeFileSync(transcript, `${said.join("\n")}\n`);
  const runs = ["session-start", "user-prompt-submit", "stop", "session-end"].flatMap((event) =>
    CHECKOUTS.map(([name, checkout]): [string, Run] => {
      const home = join(root, `hooks of ${name}`);
      mkdirSync(home, { recursive: true });
      const session = { session_id: "monday", transcript_path: transcript, cwd: home };
      const input = JSON.stringify({ ...session, source: "startup", prompt: "hi" });
      const command = [join(checkout, "bin/retain"), "hook", event];
      return [`${event}, ${name}`, () => timed(command, home, { PATH, HOME: home }, input)];
    }),
  );
  await compare(Object.fromEntries(runs));
}

async function starting(): Promise<void> {
  const generator = new MemoryGenerator(7);
  const facts = Array.from({ length: FACTS }, () => `- ${generator.text()}`).join("\n");
  const runs = CHECKOUTS.flatMap(([name, checkout]): [string, Run][] => {
    const home = join(root, name);
    const env = { PATH, HOME: home };
    const said = JSON.stringify({ session_id: "monday", source: "startup", cwd: home });
    const retain = join(checkout, "bin/retain");
    const start = () => timed([retain, "hook", "session-start"], home, env, said);
    const first = async () => {
      rmSync(home, { recursive: true, force: true });
      mkdirSync(join(home, ".retain/memories"), { recursive: true });
      writeFileSync(join(home, ".retain/memories/MEMORY.md"), `# Memory\n\n${facts}\n`);
      const cost = await start();
      // It indexes the facts in the background, which would slow what comes next. The next command waits for that.
      await timed([retain, "remember", "The facts are indexed", "--quiet"], home, env);
      return cost;
    };
    return [
      [`first session start, nothing indexed, ${name}`, first],
      [`later ones, ${name}`, start],
    ];
  });
  const node: Run = () => timed(["node", "-e", "1"], root, { PATH });
  await compare({ "`node -e 1`": node, ...Object.fromEntries(runs) });
}

if (RETAIN_CLAUDE === "") console.log("Claude Code is missing: RETAIN_CLAUDE may name it.");
else await prompting();
console.log("\nIts hooks\n");
await hooking();
console.log("\nThe MCP server, until it has answered the first requests\n");
await serving();
console.log(`\n${FACTS} facts\n`);
await starting();
