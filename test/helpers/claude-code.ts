/**
 * The real Claude Code in a throwaway home, talking to a stand-in for its model. It is never a dependency: RETAIN_CLAUDE names
 * its command, else the PATH does, and tests that need it skip with a sentence where neither has it.
 */
import { test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, AnthropicServer } from "./anthropic-server.ts";
import type { RecordedRequest, ScriptedAnswer } from "./model-server.ts";
import type { Sandbox } from "./sandbox.ts";

export const PLUGIN = join(import.meta.dir, "../../plugin");

export interface PluginHook {
  readonly event: string;
  readonly type: string;
  readonly command: string;
  readonly timeout: number;
}

/** What plugin/hooks/hooks.json asks for, in its order. */
export function pluginHooks(): PluginHook[] {
  const { hooks } = JSON.parse(readFileSync(join(PLUGIN, "hooks/hooks.json"), "utf8"));
  return Object.entries<{ hooks: Omit<PluginHook, "event">[] }[]>(hooks).flatMap(([event, groups]) =>
    groups.flatMap((group) => group.hooks.map((hook) => ({ event, ...hook }))),
  );
}

const CLAUDE = process.env.RETAIN_CLAUDE || Bun.which("claude");

/** `test` where Claude Code is installed. Else a sentence, and none of them: nobody is required to have it. */
export function testNeedingClaude(): (title: string, run: () => void | Promise<void>) => void {
  if (CLAUDE !== null) return test;
  console.warn("Skipping tests: Claude Code is not available on this machine; RETAIN_CLAUDE may name it.");
  return () => {};
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
type ClaudeEvent = any;

export interface ClaudeRun {
  readonly exitCode: number;
  /** What was printed, a JSON object a line. */
  readonly events: readonly ClaudeEvent[];
  readonly stderr: string;
  /** What the model was asked in the conversation; what Claude Code asks for itself, such as titles, is not here. */
  readonly requests: readonly RecordedRequest[];
  /** Each request's messages as one text. */
  readonly messages: readonly string[];
}

export interface ClaudeOptions {
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Prompts of one session, with the answers of its model in order; "Done." once there are no more. */
export async function askClaude(
  sandbox: Sandbox,
  prompts: string | readonly string[],
  answers: readonly ScriptedAnswer[],
  { cwd = sandbox.work, args = ["--plugin-dir", PLUGIN], env = {} }: ClaudeOptions = {},
): Promise<ClaudeRun> {
  const requests: RecordedRequest[] = [];
  await using server = await new AnthropicServer((request): Answer => {
    const { tools, messages } = request.body ?? {};
    if (!Array.isArray(messages) || !Array.isArray(tools) || tools.length === 0) return { text: "A title" };
    const answer = answers[requests.push(request) - 1] ?? { text: "Done." };
    return typeof answer === "function" ? answer(request) : answer;
  }).start();
  const format = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const claude = Bun.spawn([CLAUDE ?? "claude", "-p", ...format, "--include-hook-events", ...args], {
    cwd,
    env: { ...claudeEnv(sandbox), ANTHROPIC_BASE_URL: server.url, ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stderr = new Response(claude.stderr).text();
  const left = [prompts].flat();
  const say = () => {
    const content = left.shift();
    if (content === undefined) return claude.stdin.end();
    claude.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
    return claude.stdin.flush();
  };
  say();
  const events: ClaudeEvent[] = [];
  for await (const line of linesOf(claude.stdout)) {
    const event = JSON.parse(line);
    events.push(event);
    if (event.type === "result") say();
  }
  return {
    exitCode: await claude.exited,
    events,
    stderr: await stderr,
    requests,
    messages: requests.map(({ body }) => textOf(body.messages)),
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of stream) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}

/** `claude plugin …` and the like: what needs no model. */
export function runClaude(sandbox: Sandbox, args: readonly string[]): { exitCode: number; said: string } {
  const result = Bun.spawnSync([CLAUDE ?? "claude", ...args], {
    cwd: sandbox.work,
    env: claudeEnv(sandbox),
  });
  return { exitCode: result.exitCode, said: `${result.stdout}${result.stderr}` };
}

/** It finds nobody's account, asks nothing of the network, and waits for MCP servers, whose tools it lists at once. */
function claudeEnv(sandbox: Sandbox): Record<string, string | undefined> {
  return sandbox.env({
    ANTHROPIC_API_KEY: "a-key-of-no-use",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    ENABLE_TOOL_SEARCH: "false",
    MCP_CONNECTION_NONBLOCKING: "0",
    MCP_CONNECT_TIMEOUT_MS: "60000",
    SHELL: "/bin/bash",
  });
}

/** Every text in a request's messages, in order. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (value === null || typeof value !== "object") return "";
  return Object.values(value).map(textOf).join("\n");
}
