/**
 * Gemini CLI's hooks. Its `SessionStart` is Claude Code's; other events have other names, and its event after a reply contains the
 * exchange itself. Retain saves that exchange from a temporary transcript in Claude Code's format, so both agents share the rules
 * for what is saved. The plugin for opencode sends the same event.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeNewFile } from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";
import { isRecord, parseJson } from "../../util/json.ts";
import type { HookEvent } from "./events.ts";
import { type HookInput, readHookInput } from "./input.ts";

interface GeminiEvent {
  /** Gemini CLI's name. */
  readonly name: string;
  /** The hook that does the work. */
  readonly event: HookEvent;
}

/** By the argument of `retain hook`. */
export const GEMINI_EVENTS: ReadonlyMap<string, GeminiEvent> = new Map([
  ["before-agent", { name: "BeforeAgent", event: "user-prompt-submit" }],
  // Each exchange is complete, and no later event has it: save it now, as before a compaction.
  ["after-agent", { name: "AfterAgent", event: "pre-compact" }],
]);

/** Context that hooks added. Gemini CLI puts it into the prompt, with markup escaped. */
const ADDED = /<hook_context>[\s\S]*?<\/hook_context>/g;

/** null unless it is a JSON object. The transcript is deleted when the process exits, also at its time limit. */
export function readGeminiInput(bytes: Uint8Array): HookInput | null {
  const input = readHookInput(bytes);
  const said = parseJson(new TextDecoder().decode(bytes));
  if (input === null || !isRecord(said)) return null;
  const prompt = input.prompt.replace(ADDED, "").trim();
  const { prompt_response: reply, timestamp } = said;
  if (typeof reply !== "string" || typeof timestamp !== "string")
    return { ...input, prompt, transcript: null };
  const directory = mkdtempSync(join(tmpdir(), "retain-hook-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  const transcript = join(directory, "exchange.jsonl");
  const line = (type: "user" | "assistant", content: string) => {
    const uuid = sha256([input.session, timestamp, type, content].join("\n")).slice(0, 32);
    return `${JSON.stringify({ type, uuid, timestamp, message: { role: type, content } })}\n`;
  };
  writeNewFile(transcript, line("user", prompt) + line("assistant", reply));
  return { ...input, prompt, transcript };
}
