/** Transcript lines and hook events recorded from Claude Code 2.1.197, with each test's own texts. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunResult, Sandbox } from "../helpers/sandbox.ts";

export const SESSION = "8353014b-717e-474e-a752-d17df03f4add";
const COMMON = { userType: "external", entrypoint: "cli", version: "2.1.197", gitBranch: "HEAD" };

let made = 0;

/** A moment after the last one. */
function stamp(): { uuid: string; timestamp: string } {
  made++;
  const uuid = `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`;
  return { uuid, timestamp: new Date(Date.UTC(2030, 0, 1) + made * 1_000).toISOString() };
}

function line(fields: Record<string, unknown>): string {
  return `${JSON.stringify({ parentUuid: null, isSidechain: false, ...fields, ...stamp(), ...COMMON, sessionId: SESSION, ...fields })}\n`;
}

export const user = (text: string, more: Record<string, unknown> = {}) =>
  line({ type: "user", message: { role: "user", content: text }, permissionMode: "default", ...more });

export const assistant = (text: string, more: Record<string, unknown> = {}) =>
  line({
    message: {
      ...{ id: `msg_${made}`, type: "message", role: "assistant", model: "claude-opus-4-8" },
      ...{ content: [{ type: "text", text }], stop_reason: "end_turn", stop_sequence: null },
      ...more,
    },
    type: "assistant",
  });

/** The assistant's text before a tool call, the call, and its result. */
export const toolUse = (said: string, output: string) =>
  assistant(said, { stop_reason: "tool_use" }) + toolCall("Bash", { command: "cat notes" }, output);

export const toolCall = (
  name: string,
  input: Record<string, unknown>,
  output: string,
  is_error = false,
  tool_use_id = `toolu_${made}`,
) =>
  [
    assistant("", {
      content: [{ type: "tool_use", id: tool_use_id, name, input }],
      stop_reason: "tool_use",
    }),
    line({
      type: "user",
      message: {
        role: "user",
        content: [{ tool_use_id, type: "tool_result", content: output, is_error }],
      },
      toolUseResult: { stdout: output, stderr: "", interrupted: false, isImage: false },
    }),
  ].join("");

/** Transcript lines that are not messages. */
export const surroundings = (text: string) =>
  [
    `${JSON.stringify({ type: "queue-operation", operation: "enqueue", timestamp: "2030-01-01T00:00:00Z", sessionId: SESSION, content: text })}\n`,
    line({
      attachment: { type: "hook_additional_context", content: [text], hookName: "SessionStart" },
      type: "attachment",
    }),
    line({
      attachment: { type: "hook_success", hookEvent: "SessionStart", content: "", stdout: text, exitCode: 0 },
      type: "attachment",
    }),
    line({ type: "system", subtype: "compact_boundary", content: text, isMeta: false, level: "info" }),
    user(text, { isVisibleInTranscriptOnly: true, isCompactSummary: true }),
    user(text, { isMeta: true }),
    user(`<command-name>/compact</command-name>\n<command-message>${text}</command-message>`),
    user(`<local-command-stdout>${text}</local-command-stdout>`),
    user(`<system-reminder>${text}</system-reminder>`),
    user(text, { isSidechain: true }),
    assistant(text, { model: "<synthetic>" }),
    assistant(`<recalled>\n${text}\n</recalled>`),
    `${JSON.stringify({ type: "last-prompt", lastPrompt: text, sessionId: SESSION })}\n`,
  ].join("");

/** One session of Claude Code in a sandbox. */
export class ClaudeCode {
  readonly transcript: string;

  constructor(
    readonly sandbox: Sandbox,
    readonly session = SESSION,
    readonly cwd = sandbox.work,
  ) {
    this.transcript = join(sandbox.home, ".claude/projects/-work", `${session}.jsonl`);
  }

  write(...lines: string[]): void {
    mkdirSync(dirname(this.transcript), { recursive: true });
    appendFileSync(this.transcript, lines.join(""));
  }

  event(name: string, fields: Record<string, unknown> = {}): string {
    return JSON.stringify({
      ...{ session_id: this.session, transcript_path: this.transcript, cwd: this.cwd },
      ...{ permission_mode: "default", hook_event_name: name, ...fields },
    });
  }

  /** Fails unless the hook exits with 0 and an empty stderr. */
  hook(event: string, fields: Record<string, unknown> = {}, env: Record<string, string> = {}): string {
    const result = this.sandbox.run(["hook", event], { stdin: this.event(event, fields), env });
    return contextOf(result);
  }

  stop(reply = "", env: Record<string, string> = {}): void {
    this.hook("stop", { stop_hook_active: false, last_assistant_message: reply }, env);
  }

  log(): string[] {
    const path = join(this.sandbox.memory, "hook.log");
    return Bun.spawnSync(["cat", path]).stdout.toString().split("\n").filter(Boolean);
  }
}

/** The text for the model; "" for none. */
export function contextOf({ exitCode, stdout, stderr }: RunResult): string {
  if (exitCode !== 0 || stderr !== "") throw new Error(`The hook ended with ${exitCode}: ${stderr}`);
  if (stdout === "") return "";
  const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput;
  if (!["SessionStart", "UserPromptSubmit", "SubagentStart"].includes(hookEventName))
    throw new Error(hookEventName);
  return additionalContext;
}
