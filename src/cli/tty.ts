/**
 * Terminal detection. Merely touching `process.stdout` loads all of Bun's streams (10 ms, a third of a command), so
 * `fstat` rules out files and pipes first.
 */
import { fstatSync, statSync, writeSync } from "node:fs";
import { errorCode } from "../util/fs.ts";
import { terminalSafe } from "../util/unseen.ts";

const STREAMS = { stdin: 0, stdout: 1, stderr: 2 } as const;

export function isTerminal(stream: keyof typeof STREAMS): boolean {
  try {
    const status = fstatSync(STREAMS[stream]);
    if (!status.isCharacterDevice() || status.rdev === statSync("/dev/null").rdev) return false;
    return Boolean(process[stream].isTTY);
  } catch {
    return false;
  }
}

/** The terminal's width; null without a terminal. */
export function terminalWidth(): number | null {
  return isTerminal("stdout") ? process.stdout.columns || null : null;
}

/** Variables that name a terminal with OSC 8 links, and their values. */
const WITH_LINKS: Readonly<Record<string, RegExp>> = {
  TERM: /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour)/,
  TERM_PROGRAM: /^(?:iTerm\.app|WezTerm|ghostty|vscode|zed|rio|Hyper)$/,
  VTE_VERSION: /^(?:5[0-9]|[6-9][0-9])[0-9]{2}$/,
  KONSOLE_VERSION: /./,
  WT_SESSION: /./,
};

/**
 * Whether the terminal opens links that are written as OSC 8. In tmux and screen that depends on the terminal around them, so
 * there it is false. FORCE_HYPERLINK decides it, as in other programs.
 */
export function opensLinks(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.FORCE_HYPERLINK) return env.FORCE_HYPERLINK !== "0";
  if (env.TMUX || env.STY || /^(?:screen|tmux|dumb)/.test(env.TERM ?? "")) return false;
  return Object.entries(WITH_LINKS).some(([name, values]) => values.test(env[name] ?? ""));
}

/** Prints to the terminal, with control characters in stored text escaped. */
export function writeToTerminal(text: string): void {
  writeError(terminalSafe(text));
}

/** Writes to stderr synchronously, escape codes included. A closed stderr isn't an error. */
export function writeError(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(STREAMS.stderr, bytes.subarray(offset));
    } catch (error) {
      if (errorCode(error) === "EAGAIN") Bun.sleepSync(1);
      else return;
    }
  }
}
