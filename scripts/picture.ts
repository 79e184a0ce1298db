/**
 * Draws screens of the real chat in a real terminal (tmux) with a fake model. Run: bun run picture. It writes docs/images; with
 * --all it writes every screen, dark and light and at three sizes, to a temporary directory.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, AnthropicServer } from "../test/helpers/anthropic-server.ts";
import { RETAIN } from "../test/helpers/command.ts";
import { TerminalScreen } from "../test/helpers/tmux.ts";
import { PALETTES, screenToSvg } from "./ansi-svg.ts";

interface Scene {
  readonly title: string;
  readonly answers: readonly Answer[];
  /** Leads to the screen to draw, from a chat that waits for the first message. */
  play(screen: TerminalScreen): Promise<void>;
  /** Text of that screen. */
  readonly shows: string;
  readonly rows: number;
}

const READY = "Type a message";
/** Below the header, once the chat is open. */
const OPEN = "model  ";

const AFTER = `export function parse(line: string): string[] {
	return line.trim().split(/\\s*,\\s*/);
}
`;

const REPLY = `You keep the parser in \`src/parse.ts\`. With tabs, in one pass:

\`\`\`ts
${AFTER}\`\`\`

| version | passes | allocations |
|---|--:|--:|
| before | 2 | 7 |
| **after** | 1 | 4 |

[MEMORY] parse() splits at commas with one regular expression`;

const SCENES: Readonly<Record<string, Scene>> = {
  start: { title: "The chat after its start", answers: [], play: async () => {}, shows: OPEN, rows: 16 },
  chat: {
    title: "A reply with code, a table and a saved fact",
    answers: [
      {
        text: "Let me look.",
        calls: [{ name: "read_file", input: { path: "src/parse.ts" } }],
        usage: { input: 2100, output: 60 },
      },
      { text: REPLY, usage: { input: 400, output: 120, cacheRead: 2100 } },
    ],
    async play(screen) {
      screen.type("make the parser one pass", "Enter");
      await screen.shows("Memory saved");
    },
    shows: READY,
    rows: 36,
  },
  approval: {
    title: "An approval with a diff",
    answers: [{ calls: [{ name: "write_file", input: { path: "src/parse.ts", content: AFTER } }] }],
    async play(screen) {
      screen.type("write it", "Enter");
    },
    shows: "Enter deny",
    rows: 24,
  },
  memories: {
    title: "The memories that a reply used",
    answers: [{ text: "On Fridays, after the release notes are out." }],
    async play(screen) {
      screen.type("when do we deploy the parser?", "Enter");
      await screen.shows("Ctrl-T");
      screen.type("C-t");
    },
    shows: "Enter select",
    rows: 22,
  },
};

const BEFORE = `export function parse(line: string): string[] {
  return line.trim().split(",").map((part) => part.trim());
}
`;
const DOCUMENTS = {
  releases: "# Releases\n\nThe parser is deployed on Fridays, after the release notes are out.",
  rollback: "# Rollback\n\nIf a deploy of the parser fails, run make rollback and tell the team.",
};

async function draw(scene: Scene, columns: number, rows: number): Promise<string> {
  let number = 0;
  await using server = await new AnthropicServer(() => scene.answers[number++] ?? { text: "Yes." }).start();
  const home = mkdtempSync(join(tmpdir(), "retain-picture-"));
  const work = join(home, "parser");
  mkdirSync(join(work, "src"), { recursive: true });
  writeFileSync(join(work, "src/parse.ts"), BEFORE);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    RETAIN_EMBEDDING: "none",
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: "sk-ant-stand-in-0123456789",
  };
  Bun.spawnSync([RETAIN, "init"], { cwd: work, env });
  for (const [id, content] of Object.entries(DOCUMENTS))
    Bun.spawnSync([RETAIN, "put", "--id", id, "-"], {
      cwd: work,
      env,
      stdin: new TextEncoder().encode(content),
    });
  const place = { work, env: (more: object = {}) => ({ ...env, ...more }) };
  const screen = new TerminalScreen(place, "clear; retain", {}, columns, rows);
  try {
    await screen.shows(OPEN);
    await screen.hides("Starting");
    await scene.play(screen);
    await screen.shows(scene.shows);
    return await screen.shows("", true);
  } finally {
    screen.close();
    rmSync(home, { recursive: true });
  }
}

const isAll = process.argv.includes("--all");
const directory = isAll
  ? mkdtempSync(join(tmpdir(), "retain-pictures-"))
  : join(import.meta.dir, "../docs/images");
mkdirSync(directory, { recursive: true });
for (const [name, scene] of Object.entries(SCENES)) {
  for (const [columns, rows] of isAll
    ? ([
        [44, 15],
        [80, 24],
        [200, 50],
      ] as const)
    : ([[84, scene.rows]] as const)) {
    const shown = await draw(scene, columns, rows);
    for (const [theme, palette] of Object.entries(isAll ? PALETTES : { dark: PALETTES.dark })) {
      const file = isAll ? `${name}-${columns}x${rows}-${theme}.svg` : `${name}.svg`;
      writeFileSync(join(directory, file), screenToSvg(shown, columns, scene.title, palette));
    }
  }
}
console.log(directory);
process.exit(0);
