/**
 * Draws docs/images/chat.svg: the real chat in a real terminal (tmux) with a fake model, over two sessions. Run: bun run picture
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AnthropicServer } from "../test/helpers/anthropic-server.ts";
import { RETAIN } from "../test/helpers/command.ts";
import { TerminalScreen } from "../test/helpers/tmux.ts";
import { screenToSvg } from "./ansi-svg.ts";

const COLUMNS = 88;
const ROWS = 34;

const FIRST = `Noted: tabs, and short functions.

[MEMORY] Prefers tabs over spaces
[MEMORY] The parser lives in src/parse.ts`;

const SECOND = `You told me that it lives in \`src/parse.ts\`. Let me look.`;

const THIRD = `It trims the line and splits it at commas. With your tabs:

\`\`\`ts
export function parse(line: string): string[] {
\treturn line.trim().split(/\\s*,\\s*/);
}
\`\`\`

- **Faster**: one pass instead of two
- **Same result**: spaces around commas still go

[MEMORY] parse() splits at commas with one regular expression`;

const BEFORE = `export function parse(line: string): string[] {
  return line.trim().split(",").map((part) => part.trim());
}
`;

await using server = await new AnthropicServer([
  { text: FIRST },
  {
    text: SECOND,
    calls: [{ name: "read_file", input: { path: "src/parse.ts" } }],
    usage: { input: 2100, output: 60 },
  },
  { text: THIRD, usage: { input: 400, output: 120, cacheRead: 2100 } },
]).start();
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
await Bun.spawn([RETAIN, "I use tabs and short functions. The parser is in src/parse.ts"], { cwd: work, env })
  .exited;
const place = { work, env: (more: object = {}) => ({ ...env, ...more }) };
const screen = new TerminalScreen(place, "clear; retain", {}, COLUMNS, ROWS);
await screen.shows("Type a message");
screen.type("where was the parser again? make it one pass", "Enter");
await screen.shows("one regular expression");
const shown = await screen.shows("Type a message", true);
screen.close();
const directory = join(import.meta.dir, "../docs/images");
mkdirSync(directory, { recursive: true });
writeFileSync(join(directory, "chat.svg"), screenToSvg(shown, COLUMNS, "A chat with Retain in a terminal"));
rmSync(home, { recursive: true });
process.exit(0);
