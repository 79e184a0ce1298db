import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

/** Characters that reverse text, hide in it or fill it with blanks. */
const CHARACTERS = [
  ..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c\u200e\u200f", // direction
  ..."\u200b\u2060\u2064\u206a\ufeff\u00ad\u180e\u034f", // no width
  ..."\u115f\u1160\u3164\uffa0\ufff9\ufffb\u2028\u2029", // fillers, annotations, line ends
  ..."\u{e0041}\u{e007f}", // tags
];
const SPOOF = CHARACTERS.join("x");
const SPOOFING = new RegExp(CHARACTERS.join("|"), "u");
const ENV = { RETAIN_EMBEDDING: "none" };

/** A workspace with such characters in every kind of text and name. */
function spoofed(): Sandbox {
  const sandbox = new Sandbox();
  const collection = join(sandbox.memory, `collections/notes\u202ex`);
  const memories = join(sandbox.memory, "memories");
  for (const directory of [collection, memories]) mkdirSync(directory, { recursive: true });
  const stdin = `---\ntitle: "Owl ${SPOOF}"\ntags: ["tag\u202ex"]\nauthor: "Ada\u202ex"\n---\n# Owl ${SPOOF}\n\nowls ${SPOOF} fly\n`;
  sandbox.ok(["put", "-", "--id", "owl"], { stdin });
  sandbox.ok(["put", "-", "--id", "owl"], { stdin: `${stdin}more ${SPOOF}\n` });
  writeFileSync(join(collection, `name\u202ex.md`), `# Heading ${SPOOF}\n\nowls again\n`);
  writeFileSync(join(memories, "MEMORY.md"), `- Fact owls ${SPOOF} end\n- Another owls ${SPOOF} end\n`);
  writeFileSync(join(memories, "2026-01-31.md"), `## 10:00 - Note \u202ex\nowls ${SPOOF}\n`);
  const reply = `owls ${SPOOF}\n\n[MEMORY] Kept ${SPOOF} text\n`;
  sandbox.ok(["ingest", "-", "--session", "s1"], { stdin: reply });
  sandbox.ok(["sessions", "rename", "s1", `Title ${SPOOF}`]);
  return sandbox;
}

const COMMANDS = [
  ...["get owl", "get owl --format raw", "list", "versions owl", "diff owl", "collections", "search owls"],
  ...["recall owls", "facts", "notes 2026-01-31", "sessions", "sessions show s1", "sessions search owls"],
  ...["where", "status", "context", "search owls --json", "get owl --json", "list --json", "reflect owls"],
  ...['get "$EVIL"', 'list --filter "$EVIL"', '"--$EVIL"', 'search owls --collection "$EVIL"', "-p owls?"],
];

testNeeding("tmux")(
  "CLI-15: no stored text or name changes the terminal's text direction or hides in it",
  async () => {
    const sandbox = spoofed();
    const file = join(sandbox.root, "written");
    const all = COMMANDS.map((command) => `retain ${command}`).join("; ");
    const screen = new TerminalScreen(
      sandbox,
      `stty -echo; read go; ${all}; retain forget owls; retain sessions delete s1`,
      { EVIL: `no\u202ex\u200b`, LANG: "C.UTF-8" },
      200,
      50,
    );
    screen.record(file);
    screen.type("go", "Enter");
    await screen.shows("Which one?");
    screen.type("1", "Enter");
    await screen.shows("[y/N]");
    screen.type("n", "Enter");
    await screen.shows("this session");
    screen.type("n", "Enter");
    await screen.shows("[exit ");
    screen.close();
    const written = readFileSync(file, "utf8");
    expect(written.split("\n").filter((line) => SPOOFING.test(line))).toEqual([]);
    const said = ["Owl ", "Fact owls", "Note ", "Title ", "Heading ", "namex", "notesx", "tagx"];
    expect(said.filter((text) => !written.includes(text))).toEqual([]);
  },
  60_000,
);

testNeeding("tmux")("CLI-15: scripts and emoji that need joiners keep them on a terminal", async () => {
  const sandbox = new Sandbox();
  const text = "می\u200cخواهم क्\u200dष 👩\u200d🚀 ❤\ufe0f";
  await sandbox.addDocument(`${text}\n`, { id: "letters" });
  const file = join(sandbox.root, "written");
  const screen = new TerminalScreen(sandbox, "stty -echo; read go; retain get letters --format raw", ENV);
  screen.record(file);
  screen.type("go", "Enter");
  await screen.shows("[exit 0]");
  screen.close();
  expect(readFileSync(file, "utf8")).toContain(text);
});

test("CLI-15: a pipe gets such text byte for byte, and JSON escapes it", () => {
  const sandbox = spoofed();
  expect(sandbox.ok(["get", "owl", "--format", "raw"]).stdout).toContain(`owls ${SPOOF} fly`);
  expect(sandbox.ok(["notes", "2026-01-31"]).stdout).toContain(`owls ${SPOOF}`);
  const { stdout, json } = sandbox.ok(["get", "owl", "--json"]);
  expect(stdout).not.toMatch(SPOOFING);
  expect(JSON.stringify(json.data)).toContain(`owls ${SPOOF} fly`);
});
