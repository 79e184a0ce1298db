/**
 * The chat: time from the command to the first frame, time from a message to the request (recall included), CPU use and the delay of
 * a key while a reply streams, and memory after a thousand messages. The model is a local fake that answers at once, so no
 * provider's time is included. Run: bun bench/chat.ts [submit|start|stream|memory]
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain } from "../src/index.ts";
import { AnthropicServer } from "../test/helpers/anthropic-server.ts";
import { ms, printTable, RETAIN, summarise } from "./measure.ts";
import { MemoryGenerator } from "./speed/generate.ts";

const ROUNDS = 60;
const STARTS = 15;
const STREAM_SECONDS = 15;
const TOKENS_PER_SECOND = 200;
const KEY = "sk-ant-stand-in-0123456789";
/** Linux's unit of CPU time. */
const TICKS_PER_SECOND = 100;

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "retain-bench-"));
  mkdirSync(join(home, ".retain/memories"), { recursive: true });
  return home;
}

function environment(home: string, server: AnthropicServer): Record<string, string> {
  const { PATH = "", RETAIN_CACHE } = process.env;
  return {
    PATH,
    HOME: home,
    TERM: "xterm-256color",
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: KEY,
    RETAIN_LEARNING_MODEL: "none",
    ...(RETAIN_CACHE !== undefined && { RETAIN_CACHE }),
  };
}

/** Time from a message to the request, in turn with recall and context alone. */
async function submitting(size: number): Promise<string[]> {
  let arrived = () => {};
  await using server = await new AnthropicServer(() => {
    arrived();
    return { text: "Yes." };
  }).start();
  const home = newHome();
  const generator = new MemoryGenerator(7);
  const facts = Array.from({ length: size }, () => `- ${generator.text()}`);
  writeFileSync(join(home, ".retain/memories/MEMORY.md"), `# Memory\n\n${facts.join("\n")}\n`);
  using retain = openRetain({ cwd: home, homeDirectory: home, env: environment(home, server) });
  await retain.index.embed();
  const chat = await retain.chat({ interactive: false, tools: "ask" });
  for await (const _ of chat.start());
  const alone: number[] = [];
  const sent: number[] = [];
  for (let round = -5; round < ROUNDS; round++) {
    const [first, second] = [`${generator.question()}?`, `${generator.question()}?`];
    const beforeAlone = performance.now();
    await retain.context({ query: first });
    const afterAlone = performance.now();
    let requested = 0;
    arrived = () => {
      requested = performance.now();
    };
    const before = performance.now();
    for await (const _ of chat.send(second, new AbortController().signal));
    if (round < 0) continue;
    alone.push(afterAlone - beforeAlone);
    sent.push(requested - before);
  }
  rmSync(home, { recursive: true });
  const [base, whole] = [summarise(alone), summarise(sent)];
  return [
    size.toLocaleString("en"),
    ms(base.p50),
    ms(whole.p50),
    ms(whole.p95),
    (whole.p50 / base.p50).toFixed(2),
  ];
}

/** A chat in its own terminal. */
class Screen {
  readonly begun = performance.now();
  #shown = "";
  #changed = () => {};
  readonly process;

  constructor(home: string, env: Record<string, string>, args: string[] = []) {
    this.process = Bun.spawn([RETAIN, ...args], {
      cwd: home,
      env,
      terminal: {
        cols: 80,
        rows: 24,
        data: (_, bytes) => {
          this.#shown += new TextDecoder().decode(bytes);
          this.#changed();
        },
      },
    });
  }

  /** Milliseconds from `from` until the screen shows the text. */
  async until(text: string, from: number): Promise<number> {
    while (!this.#shown.includes(text))
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    return performance.now() - from;
  }

  forget(): void {
    this.#shown = "";
  }

  type(keys: string): void {
    this.process.terminal?.write(keys);
  }

  /** CPU time of the process so far, in seconds. */
  get processorTime(): number {
    const fields = readFileSync(`/proc/${this.process.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  get megabytes(): number {
    return (
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, "utf8"))?.[1]) / 1_024
    );
  }

  async end(): Promise<void> {
    this.process.kill("SIGTERM");
    await this.process.exited;
  }
}

/** Only the changed part of a line is drawn, so it must not begin like the prompt that it replaces. */
const PROMPT = "a message, or /";

async function starting(): Promise<string[][]> {
  await using server = await new AnthropicServer(() => ({ text: "Yes." })).start();
  const home = newHome();
  const frames: number[] = [];
  const nodes: number[] = [];
  for (let round = -2; round < STARTS; round++) {
    const node = performance.now();
    Bun.spawnSync(["node", "-e", "1"]);
    const nodeTime = performance.now() - node;
    const screen = new Screen(home, environment(home, server));
    const frame = await screen.until(PROMPT, screen.begun);
    await screen.end();
    if (round < 0) continue;
    frames.push(frame);
    nodes.push(nodeTime);
  }
  rmSync(home, { recursive: true });
  const [frame, node] = [summarise(frames), summarise(nodes)];
  return [
    ["`node -e 1`", ms(node.p50), ms(node.p95), "1"],
    ["`retain` to its first frame", ms(frame.p50), ms(frame.p95), (frame.p50 / node.p50).toFixed(2)],
  ];
}

/** A character that the screen shows nowhere else. */
const TYPED = "Z";
const KEYS = 40;
const BETWEEN_KEYS_MS = 150;

async function streaming(): Promise<string[]> {
  const words = "word ".repeat(12).trimEnd();
  const text = `${words}\n\n`.repeat((STREAM_SECONDS * TOKENS_PER_SECOND) / 12 + 200);
  await using server = await new AnthropicServer(() => ({
    text,
    tokensPerSecond: TOKENS_PER_SECOND,
  })).start();
  const home = newHome();
  const screen = new Screen(home, environment(home, server));
  await screen.until(PROMPT, screen.begun);
  screen.type("go\r");
  await screen.until("word", 0);
  const [time, used] = [performance.now(), screen.processorTime];
  await Bun.sleep(STREAM_SECONDS * 1_000);
  const share = (screen.processorTime - used) / ((performance.now() - time) / 1_000);
  const echoes: number[] = [];
  for (let key = 0; key < KEYS; key++) {
    await Bun.sleep(BETWEEN_KEYS_MS);
    screen.forget();
    const pressed = performance.now();
    screen.type(TYPED);
    echoes.push(await screen.until(TYPED, pressed));
  }
  await screen.end();
  rmSync(home, { recursive: true });
  const { p50, p95 } = summarise(echoes);
  return [String(TOKENS_PER_SECOND), `${(share * 100).toFixed(0)} %`, ms(p50), ms(p95)];
}

async function lasting(): Promise<string[][]> {
  const answer = "A paragraph of some length, as models write them, with `code` and **weight**. ".repeat(5);
  await using server = await new AnthropicServer((_, number) => ({
    text: `${answer} Done${number}.`,
  })).start();
  const home = newHome();
  const screen = new Screen(home, environment(home, server));
  await screen.until(PROMPT, screen.begun);
  const rows = [["0", screen.megabytes.toFixed(0)]];
  for (let exchange = 1; exchange <= 500; exchange++) {
    screen.forget();
    screen.type(`question ${exchange}\r`);
    await screen.until(`Done${exchange}.`, 0);
    await screen.until(PROMPT, 0);
    if (exchange === 50 || exchange === 500) rows.push([String(exchange * 2), screen.megabytes.toFixed(0)]);
  }
  await screen.end();
  rmSync(home, { recursive: true });
  return rows;
}

const only = process.argv[2];
const wanted = (part: string) => only === undefined || only === part;

if (wanted("submit")) {
  console.log("From a message to the request, by words and meaning, in ms\n");
  const rows: string[][] = [];
  for (const size of [1_000, 10_000]) rows.push(await submitting(size));
  printTable(["memories", "recall and context alone, p50", "message to request, p50", "p95", "ratio"], rows);
}
if (wanted("start")) {
  console.log("\nThe screen, in ms\n");
  printTable(["", "p50", "p95", "ratio"], await starting());
}
if (wanted("stream")) {
  console.log("\nStreaming a reply\n");
  printTable(
    ["tokens a second", "of one core", "a key to its character, p50 ms", "p95 ms"],
    [await streaming()],
  );
}
if (wanted("memory")) {
  console.log("\nMemory\n");
  printTable(["messages", "MB"], await lasting());
}
