import { expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createContext } from "../../src/cli/command.ts";
import { facts } from "../../src/cli/commands/facts.ts";
import { notes } from "../../src/cli/commands/notes.ts";
import { Terminal } from "../../src/cli/output.ts";
import { openRetain } from "../../src/index.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const note = { stdin: "# Note\n\ntext\n" };

/** A workspace with one document, and a file outside it that must stay out of reach. */
function withOutside(): { sandbox: Sandbox; outside: string; secret: string; collections: string } {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-"], note);
  const outside = join(sandbox.root, "outside");
  mkdirSync(outside);
  const secret = join(outside, "secret.md");
  writeFileSync(secret, "# Secret\n");
  return { sandbox, outside, secret, collections: join(sandbox.memory, "collections") };
}

test("SAFE-1: a document that links out of the workspace is neither read nor written", () => {
  const { sandbox, secret, collections } = withOutside();
  symlinkSync(secret, join(collections, "memory/evil.md"));
  for (const args of [
    ["get", "evil"],
    ["update", "evil", "--tags", "x"],
    ["put", "-", "--id", "evil"],
    ["delete", "evil"],
  ]) {
    const result = sandbox.run(args, note);
    expect(result.exitCode).toBe(3);
    expect(result.stdout).not.toContain("Secret");
  }
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("note\n");
  expect(readFileSync(secret, "utf8")).toBe("# Secret\n");
});

test("SAFE-1: a collection that links out of the workspace is ignored", () => {
  const { sandbox, outside, collections } = withOutside();
  symlinkSync(outside, join(collections, "evil"));
  expect(sandbox.ok(["collections", "-q"]).stdout).toBe("memory\n");
  expect(sandbox.run(["get", "secret", "--collection", "evil"]).exitCode).toBe(3);
  expect(sandbox.run(["get", "secret"]).exitCode).toBe(1);
  expect(sandbox.run(["put", "-", "--collection", "evil"], note).exitCode).toBe(3);
  expect(readdirSync(outside)).toEqual(["secret.md"]);
});

test("SAFE-1: versions don't follow a link either", () => {
  const { sandbox, outside, collections } = withOutside();
  symlinkSync(outside, join(collections, "memory/.versions"));
  expect(sandbox.run(["update", "note", "--tags", "x"]).exitCode).toBe(3);
  expect(sandbox.document("memory", "note")).not.toContain("tags");
  expect(readdirSync(outside)).toEqual(["secret.md"]);
});

test("SAFE-1: a collections directory that links out of the workspace is refused", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  sandbox.write("../outside/diary/day.md", "# Secret\n");
  symlinkSync(join(sandbox.root, "outside"), join(sandbox.work, ".retain/collections"));
  const commands = [
    ["list"],
    ["get", "day"],
    ["get", "day", "--collection", "diary"],
    ["delete", "day"],
    ["put", "-", "--collection", "diary"],
  ];
  for (const args of commands) {
    const result = sandbox.run(args, note);
    expect([args[0], result.exitCode]).toEqual([args[0], 3]);
    expect(result.stdout).not.toContain("Secret");
  }
  expect(sandbox.tree(join(sandbox.root, "outside"))).toEqual(["diary/day.md"]);
});

test("SAFE-1: a version that is a link shows nothing", () => {
  const { sandbox, secret, collections } = withOutside();
  mkdirSync(join(collections, "memory/.versions/note"), { recursive: true });
  symlinkSync(secret, join(collections, "memory/.versions/note/v7_2020-01-01T00-00-00Z.md"));
  for (const args of [
    ["get", "note", "--version", "v7"],
    ["restore", "note", "--version", "v7"],
  ]) {
    const result = sandbox.run(args);
    expect(result.exitCode).toBe(1);
    expect(result.stdout).not.toContain("Secret");
  }
});

test("SAFE-1: a database that is a link is not opened", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  for (const name of ["retain.db", "retain.db-wal"]) {
    const path = join(sandbox.work, ".retain", name);
    symlinkSync(join(sandbox.root, "target"), path);
    expect(sandbox.run(["put", "-"], note).exitCode).toBe(3);
    expect(existsSync(join(sandbox.root, "target"))).toBe(false);
    unlinkSync(path);
  }
});

test("SAFE-1: init doesn't follow a link, and a link is not a workspace", () => {
  const sandbox = new Sandbox();
  const outside = join(sandbox.root, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(sandbox.work, ".retain"));
  expect(sandbox.run(["init"]).exitCode).toBe(3);
  expect(readdirSync(outside)).toEqual([]);
});

test("SAFE-1: the target of a link inside the workspace is kept as a version before it changes", () => {
  const { sandbox, collections } = withOutside();
  symlinkSync("note.md", join(collections, "memory/alias.md"));
  sandbox.ok(["put", "-", "--id", "alias"], { stdin: "# New\n" });
  expect(sandbox.ok(["get", "alias", "--version", "v1", "--format", "raw"]).stdout).toBe(note.stdin);
});

test("SAFE-1: a link inside the workspace is followed, and stays a link", () => {
  const { sandbox, collections } = withOutside();
  symlinkSync("note.md", join(collections, "memory/alias.md"));
  expect(sandbox.ok(["get", "alias", "--format", "raw"]).stdout).toBe(note.stdin);
  expect(sandbox.ok(["list", "-q", "--sort", "id"]).stdout).toBe("alias\nnote\n");
  sandbox.ok(["update", "alias", "--tags", "x"]);
  expect(lstatSync(join(collections, "memory/alias.md")).isSymbolicLink()).toBe(true);
});

test("SAFE-2: created files are private, whatever the umask", () => {
  const sandbox = new Sandbox();
  Bun.spawnSync(["sh", "-c", `umask 000; exec "$0" put - --id a`, `${import.meta.dir}/../../bin/retain`], {
    cwd: sandbox.work,
    env: sandbox.env(),
    stdin: new TextEncoder().encode("# A\n"),
  });
  sandbox.ok(["update", "a", "--tags", "x"]);
  sandbox.ok(["init"]);
  for (const root of [sandbox.memory, join(sandbox.work, ".retain")]) {
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
      expect([entry.name, mode & 0o077]).toEqual([entry.name, 0]);
    }
  }
});

test("BAD-1: a key such as __proto__ is treated as data", () => {
  const sandbox = new Sandbox();
  const metadata = '{"__proto__": {"polluted": 1}, "constructor": "x", "toString": "y"}';
  sandbox.ok(["put", "-", "--metadata", metadata], note);
  sandbox.ok(["put", sandbox.write("p.md", "---\n__proto__: {tags: [evil]}\n---\n# P\n")]);
  expect(sandbox.ok(["get", "p", "--json"]).json.data.metadata.tags).toEqual([]);
  const { documents } = sandbox.ok(["list", "--filter", "constructor=x", "--json"]).json.data;
  expect(documents).toHaveLength(1);
  expect(documents[0].polluted).toBeUndefined();
  expect(sandbox.ok(["list", "--filter", "hasOwnProperty=x", "-q"]).stdout).toBe("");
});

test("ID-3: names on the command line are checked before they become paths", () => {
  const sandbox = new Sandbox();
  for (const name of ["../evil", "a/b", "..", ".hidden", "con", "x".repeat(300), "dot\u2024md", "a b"]) {
    for (const option of ["--id", "--collection"]) {
      const result = sandbox.run(["put", "-", `${option}=${name}`], note);
      expect(result.exitCode).toBe(2);
      expect(result.stderr).toContain("is not a valid");
    }
    expect([1, 2]).toContain(sandbox.run(["get", name]).exitCode);
    expect([1, 2]).toContain(sandbox.run(["delete", name]).exitCode);
  }
  expect(sandbox.run(["get", "x", "--collection", "../.."]).exitCode).toBe(2);
  expect(sandbox.run(["list", "--collection", "../.."]).exitCode).toBe(2);
  expect(existsSync(sandbox.memory)).toBe(false);
});

/** Terminal escapes that a stored text may contain: colour, clear screen, new title, and their one-byte forms. */
const EVIL = "\x1b[31mred\x1b[39m \x1b[2J\x1b]0;title\x07 \u009b2J end";

function writeMemory(sandbox: Sandbox, path: string, content: string): void {
  mkdirSync(join(sandbox.memory, "memories"), { recursive: true });
  writeFileSync(join(sandbox.memory, "memories", path), content);
}

testNeeding("tmux")(
  "CLI-15: no printed memory controls the terminal, and Retain's own colours stay",
  async () => {
    const sandbox = new Sandbox();
    writeMemory(sandbox, "MEMORY.md", `- Fact ${EVIL}\n`);
    writeMemory(sandbox, "2026-01-31.md", `## 10:00 - Title ${EVIL}\nBody ${EVIL}\n`);
    writeFileSync(join(sandbox.work, "reply.md"), `Reply ${EVIL}\n\n[MEMORY] Kept ${EVIL}\n`);
    const id = sandbox.ok(["facts", "-q"]).stdout.trim();
    const commands = [
      ...["notes 2026-01-31", `why ${id}`, "facts", `remember "$(printf 'Told \\033[31mred')"`],
      ...["ingest reply.md", "context --verbose"],
    ];
    const screen = new TerminalScreen(
      sandbox,
      `echo still here; ${commands.map((command) => `retain ${command}`).join("; ")}`,
      { RETAIN_EMBEDDING: "none" },
      200,
      200,
    );
    const shown = await screen.shows("[exit 0]", true);
    screen.close();
    for (const said of [
      "still here",
      "Title [31mred",
      "Body [31mred",
      "Fact [31mred",
      "Told",
      "Reply [31mred",
    ])
      expect(shown).toContain(said);
    expect(shown).not.toContain("\x1b[31m");
    expect(shown).toContain("\x1b[36m2026-01-31 10:00\x1b[39m Title");
    expect(shown).toMatch(/^\S*PART +TOKENS/m);
    expect(shown).not.toContain("[1mPART");
  },
);

test("CLI-15: a pipe gets a memory unchanged, and JSON contains no terminal control characters", () => {
  const sandbox = new Sandbox();
  writeMemory(sandbox, "2026-01-31.md", `## 10:00 - Title\nBody ${EVIL}\n`);
  expect(sandbox.ok(["notes", "2026-01-31"]).stdout).toContain(`Body ${EVIL}\n`);
  const { stdout, json } = sandbox.ok(["notes", "2026-01-31", "--json"]);
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(json.data.notes[0].text).toBe(`Body ${EVIL}`);
});

test("a session belongs to one chat: a reply for another exits with 3 and stores nothing", () => {
  const sandbox = new Sandbox();
  const ingest = (chat: string, text: string) =>
    sandbox.run(["ingest", "-", "--session", "s1", "--chat", chat], {
      stdin: `${text}\n\n[MEMORY] Fact of ${chat}\n\n<working-memory>\n- ${chat}\n</working-memory>\n`,
      env: { RETAIN_EMBEDDING: "none" },
    });
  expect(ingest("work", "The comet was measured.").exitCode).toBe(0);
  const before = sandbox.tree(join(sandbox.memory, "memories"));
  const { exitCode, stdout, stderr } = ingest("family", "The comet was admired.");
  expect([exitCode, stdout]).toEqual([3, ""]);
  expect(stderr).toMatch(/s1 .*\bwork\b.*\bfamily\b/);
  expect(stderr).toContain("--chat work");
  expect(sandbox.tree(join(sandbox.memory, "memories"))).toEqual(before);
  expect(sandbox.ok(["facts"]).stdout).not.toContain("family");
  expect(readFileSync(join(sandbox.memory, "memories/working/s1.md"), "utf8")).toBe("- work\n");
  expect(sandbox.ok(["search", "comet", "--json"]).stdout).not.toContain("admired");
  expect(ingest("work", "The comet was drawn.").exitCode).toBe(0);
  const unnamed = sandbox.ok(["ingest", "-", "--session", "s1", "--json"], { stdin: "The comet again.\n" });
  expect(unnamed.json.data.chat).toBe("work");
});

/** Runs a command as the command line does, at another time. */
function contextAt(sandbox: Sandbox, now: Date) {
  const context = createContext(new Terminal({}), {}, { commands: [], overview: () => "", version: "" });
  const retain = openRetain({
    cwd: sandbox.work,
    homeDirectory: sandbox.home,
    env: {},
    clock: () => now,
    settings: { embedding: "none" },
  });
  return { ...context, open: () => retain, [Symbol.dispose]: () => retain.close() };
}

test("NOTE-5: 'today' follows the memory's clock", async () => {
  const sandbox = new Sandbox();
  writeMemory(sandbox, "2031-05-07.md", "## 10:00 - Later\nThe dome is old.\n");
  using context = contextAt(sandbox, new Date(2031, 4, 7, 12));
  expect((await notes.run(context, [], {})).text).toContain("The dome is old.");
});

test("FACT-9: 'yesterday' follows the memory's clock too", async () => {
  const sandbox = new Sandbox();
  using context = contextAt(sandbox, new Date(2031, 4, 7, 12));
  await context.open().facts.remember("Likes tea");
  expect((await facts.run(context, [], { asOf: "today" })).text).toContain("Likes tea");
  expect((await facts.run(context, [], { asOf: "yesterday" })).text).not.toContain("Likes tea");
});
