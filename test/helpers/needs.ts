/** Tests that need what a bare machine lacks skip there with a sentence; RETAIN_REQUIRE_ALL=1 makes that a failure. */
import { test } from "bun:test";

/** Before a command: root without the rights of root, so that permissions hold for the test too. */
export const ORDINARY: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];

/** Node need not be on the PATH: RETAIN_NODE may name it. */
export const NODE = process.env.RETAIN_NODE || "node";
/** Debian's name, or the one that RETAIN_CHROMIUM gives. */
export const CHROMIUM = Bun.which(process.env.RETAIN_CHROMIUM || "chromium") ?? "";
const IS_RECENT =
  'const [major, minor] = process.versions.node.split("."); process.exit(major * 100 + +minor < 2416 ? 1 : 0)';

const cache = new Map<string, boolean>();

function has(check: string): boolean {
  const known = cache.get(check);
  if (known !== undefined) return known;
  const found = Bun.spawnSync(["sh", "-c", check]).exitCode === 0;
  cache.set(check, found);
  return found;
}

/** Agents that no machine is required to have. A variable may name the command: RETAIN_CODEX. */
export const AGENTS = {
  codex: process.env.RETAIN_CODEX || "codex",
  gemini: process.env.RETAIN_GEMINI || "gemini",
  opencode: process.env.RETAIN_OPENCODE || "opencode",
  omp: process.env.RETAIN_OMP || "omp",
} as const;

const CHECKS = {
  tmux: "command -v tmux",
  zsh: "command -v zsh",
  fish: "command -v fish",
  chromium: `test -n "${CHROMIUM}"`,
  "Node 24.16": `"${NODE}" -e '${IS_RECENT}'`,
  "/proc/locks": "test -r /proc/locks",
  "/proc/self/fd": "test -d /proc/self/fd",
  strace: "command -v strace && strace -o /dev/null true",
  "mount namespaces": "unshare -rm true",
  codex: `command -v "${AGENTS.codex}"`,
  gemini: `command -v "${AGENTS.gemini}"`,
  opencode: `command -v "${AGENTS.opencode}"`,
  omp: `command -v "${AGENTS.omp}"`,
  permissions: `test "$(uname)" = Linux && ${[...ORDINARY, "true"].join(" ")}`,
  inotify:
    'test "$(uname)" = Linux && stat -f -c %T "$(dirname "$(mktemp -u)")" | grep -Eqx "ext2/ext3|xfs|btrfs|f2fs|tmpfs|overlayfs"',
} as const;

/** `test` where the machine has the thing; else a sentence that says what is missing, and a skip, or for an agent nothing. */
export function testNeeding(thing: keyof typeof CHECKS): typeof test | typeof test.skip {
  if (has(CHECKS[thing])) return test;
  console.warn(`Skipping a test: ${thing} is not available on this machine.`);
  return thing in AGENTS ? NOT_REQUIRED : test.skip;
}

const NOT_REQUIRED = (() => {}) as unknown as typeof test.skip;
