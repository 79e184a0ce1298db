/**
 * What the plugin adds to `claude -p hi`, and the first start of a session with 5,000 facts. Claude Code is not a dependency:
 * RETAIN_CLAUDE names its command. Its model is a local fake. Run: RETAIN_CLAUDE=<path> bun bench/claude-code.ts
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AnthropicServer } from "../test/helpers/anthropic-server.ts";
import { PLUGIN } from "../test/helpers/claude-code.ts";
import { ms, printTable, RETAIN, summarise } from "./measure.ts";
import { MemoryGenerator } from "./speed/generate.ts";

const ROUNDS = 15;
const FACTS = 5_000;
const { PATH = "", RETAIN_CLAUDE = Bun.which("claude") ?? "" } = process.env;

const root = mkdtempSync(join(tmpdir(), "retain-bench-"));
process.on("exit", () => rmSync(root, { recursive: true }));

function timed(command: string[], cwd: string, env: Record<string, string>, stdin = ""): Promise<number> {
  const begun = performance.now();
  const child = Bun.spawn(command, { cwd, env, stdin: new TextEncoder().encode(stdin), stdout: "ignore" });
  return child.exited.then((code) => {
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
    return performance.now() - begun;
  });
}

async function prompting(): Promise<string[][]> {
  await using server = await new AnthropicServer(() => ({ text: "Hello." })).start();
  const env = {
    ...{ PATH, HOME: root, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "sk-ant-stand-in-0123456789" },
    ...{ DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  };
  const alone: number[] = [];
  const withPlugin: number[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const command = [RETAIN_CLAUDE, "-p", "hi"];
    const times = [
      await timed(command, root, env),
      await timed([...command, "--plugin-dir", PLUGIN], root, env),
    ] as const;
    if (round < 0) continue;
    alone.push(times[0]);
    withPlugin.push(times[1]);
  }
  const [before, after] = [summarise(alone), summarise(withPlugin)];
  return [
    ["`claude -p hi`", ms(before.p50), "1"],
    ["with the plugin", ms(after.p50), (after.p50 / before.p50).toFixed(2)],
  ];
}

async function starting(): Promise<string[][]> {
  const generator = new MemoryGenerator(7);
  const facts = Array.from({ length: FACTS }, () => `- ${generator.text()}`).join("\n");
  const [nodes, first, second]: [number[], number[], number[]] = [[], [], []];
  for (let round = -1; round < ROUNDS; round++) {
    const home = join(root, `home${round}`);
    mkdirSync(join(home, ".retain/memories"), { recursive: true });
    writeFileSync(join(home, ".retain/memories/MEMORY.md"), `# Memory\n\n${facts}\n`);
    const env = { PATH, HOME: home };
    const said = JSON.stringify({ session_id: "monday", source: "startup", cwd: home });
    const start = () => timed([RETAIN, "hook", "session-start"], home, env, said);
    const node = await timed(["node", "-e", "1"], home, env);
    const unindexed = await start();
    await timed([RETAIN, "facts", "--quiet"], home, env);
    const indexed = await start();
    if (round < 0) continue;
    nodes.push(node);
    first.push(unindexed);
    second.push(indexed);
  }
  const node = summarise(nodes).p50;
  const row = (name: string, times: number[]) => {
    const { p50 } = summarise(times);
    return [name, ms(p50), (p50 / node).toFixed(2)];
  };
  return [
    row("`node -e 1`", nodes),
    row("first session start, nothing indexed", first),
    row("later ones", second),
  ];
}

if (RETAIN_CLAUDE === "") console.log("Claude Code is missing: RETAIN_CLAUDE may name it.");
else printTable(["", "p50 ms", "ratio"], await prompting());
console.log(`\n${FACTS} facts\n`);
printTable(["", "p50 ms", "of node -e 1"], await starting());
