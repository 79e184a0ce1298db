/** The hooks of coding agents that Retain handles, by their names in Claude Code, and the time limit of each, process start included. */

export const HOOK_EVENTS = [
  "session-start",
  "user-prompt-submit",
  "subagent-start",
  "stop",
  "subagent-stop",
  "pre-compact",
  "session-end",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/**
 * Someone waits for the first three; the next hook finishes what the others could not. Claude Code cancels a plugin's SessionEnd
 * hook after 1.5 s, whatever hooks.json says, and tells the user.
 */
export const BOUND_MS: Readonly<Record<HookEvent, number>> = {
  "session-start": 3_000,
  "user-prompt-submit": 1_000,
  "subagent-start": 2_000,
  stop: 5_000,
  "subagent-stop": 5_000,
  "pre-compact": 10_000,
  "session-end": 1_200,
};

/** Hooks that save turns. */
export const STORING_EVENTS: ReadonlySet<HookEvent> = new Set([
  "stop",
  "subagent-stop",
  "pre-compact",
  "session-end",
]);

/** Also accepts Claude Code's spelling, "SessionStart". null for an unknown event. */
export function hookEvent(said: string): HookEvent | null {
  const name = said.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  return HOOK_EVENTS.find((event) => event === name) ?? null;
}

/** Claude Code's spelling: "SessionStart". */
export function nameInClaudeCode(event: HookEvent): string {
  return event.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
