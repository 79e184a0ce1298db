/** The moments of a Claude Code session that Retain takes part in, and how long each may take as a whole process. */

export const HOOK_EVENTS = [
  "session-start",
  "user-prompt-submit",
  "stop",
  "subagent-stop",
  "pre-compact",
  "session-end",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/**
 * A person waits for the first two; what the others do not get done is done by the next one. Claude Code cancels what a plugin does
 * at a session's end after a second and a half, whatever its hooks.json says, and tells the person so.
 */
export const BOUND_MS: Readonly<Record<HookEvent, number>> = {
  "session-start": 3_000,
  "user-prompt-submit": 1_000,
  stop: 5_000,
  "subagent-stop": 5_000,
  "pre-compact": 10_000,
  "session-end": 1_200,
};

/** Those that keep what was said. */
export const STORING_EVENTS: ReadonlySet<HookEvent> = new Set([
  "stop",
  "subagent-stop",
  "pre-compact",
  "session-end",
]);

/** null for what is none: also as Claude Code writes it, "SessionStart". */
export function hookEvent(said: string): HookEvent | null {
  const name = said.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  return HOOK_EVENTS.find((event) => event === name) ?? null;
}

/** "SessionStart", as Claude Code names it. */
export function nameInClaudeCode(event: HookEvent): string {
  return event.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
