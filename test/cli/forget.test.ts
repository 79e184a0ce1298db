/** Forgetting through the real command: a sentence is put everywhere it can be, forgotten, and looked for byte by byte. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseMarkdown } from "../../src/core/documents/frontmatter.ts";
import { changeLine } from "../../src/core/sessions/session-file.ts";
import { sha256 } from "../../src/util/hash.ts";
import { builtOnce } from "../helpers/built-once.ts";
import { filesHolding } from "../helpers/bytes.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const CODE = "Anna's door code is zyxqwv17";
const RARE = "zyxqwv17";

const memories = (sandbox: Sandbox, file: string) => join(sandbox.memory, "memories", file);
const read = (sandbox: Sandbox, file: string) => readFileSync(memories(sandbox, file), "utf8");

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The id of what was saved. */
function kept(sandbox: Sandbox, ...args: string[]): string {
  return sandbox.ok([...args, "--json"]).json.data.saved[0].id;
}

const facts = (sandbox: Sandbox) =>
  sandbox.ok(["facts", "--all", "--json"]).json.data.facts as {
    id: string;
    text: string;
    created_at: string;
    ended_at: string | null;
    superseded_by: string | null;
  }[];

/** Every file's bytes. */
function snapshot(sandbox: Sandbox): Record<string, string> {
  const files = sandbox
    .tree(sandbox.memory)
    .map((path) => [path, sha256(readFileSync(join(sandbox.memory, path)))]);
  return Object.fromEntries(files);
}

/** In every place that a text gets to by itself or by a person's hand; superseded in the end. */
async function saveEverywhere(sandbox: Sandbox): Promise<string> {
  await sandbox.addFact("Likes tea");
  const id = await sandbox.addFact(CODE, { category: "Home" });
  sandbox.ok(["log", `Door: ${CODE}`]);
  sandbox.ok(["log", `Visit: she said that ${CODE.toUpperCase()} today`]);
  sandbox.ok(["log", "--chat", "work", `Also: ${CODE}`]);
  const text = `---\ntitle: ${CODE}\n---\n# Doors\n\nFirst. anna's\n  DOOR code is ${RARE}.\n\n> ${CODE}\n`;
  await sandbox.addDocument(text, { id: "doors" });
  await sandbox.addDocument(`# Gone\n\n${CODE}\n`, { id: "gone" });
  await sandbox.setUp(async ({ documents }) => {
    await documents.update("doors", { tags: ["home"] });
    await documents.delete("gone");
  });
  sandbox.ok(["ingest", "-", "--session", "s1", "--chat", "main"], {
    stdin: `Noted.\n[MEMORY] ${CODE}\n<memory>Code: ${CODE}</memory>\n<working-memory>\n- ${CODE}\n- other\n</working-memory>`,
  });
  sandbox.ok(["ingest", "-", "--session", "s1"], {
    stdin: "What comes after it is found by its neighbours.",
  });
  write(memories(sandbox, "models/door.md"), `---\nquestion: Which code?\n---\nIt is this: ${CODE}\n`);
  write(join(sandbox.memory, "spool/out.json"), JSON.stringify({ said: `a\n${CODE}\nb` }));
  write(join(sandbox.memory, "retain.db.damaged-1700000000000"), `SQLite format 3\0${CODE}`);
  write(join(sandbox.memory, "collections/memory/.tmp-1-x"), CODE);
  write(
    join(sandbox.memory, "sessions/s1.jsonl"),
    readFileSync(join(sandbox.memory, "sessions/s1.jsonl"), "utf8") +
      changeLine({ title: CODE, summary: `About ${CODE}.`, tags: [CODE] }),
  );
  sandbox.ok(["search", "door code"]);
  sandbox.ok(["recall", "door code"]);
  await sandbox.addFact("Anna's door code is 4711", { replaces: [id] });
  await sandbox.addFact(`${CODE}.`, { chat: "work" });
  return id;
}

const everywhere = builtOnce(saveEverywhere);

test("FORGET-2: afterwards no file of the workspace contains the text, or a word that only it had", async () => {
  const { sandbox, built: id } = await everywhere();
  expect(filesHolding(sandbox.memory, RARE).length).toBeGreaterThan(12);
  const { exitCode, stdout, stderr, json } = sandbox.run(["forget", id, "--yes", "--json"]);
  expect([exitCode, stderr, json.data.left]).toEqual([0, "", []]);
  expect(filesHolding(sandbox.memory, RARE, "zyxqw", "anna's door code is z")).toEqual([]);
  expect(stdout.toLowerCase()).not.toContain("zyxq");
  expect(sandbox.ok(["doctor"]).stdout).toContain("index: ok");
  sandbox.ok(["reindex"]);
  expect(filesHolding(sandbox.memory, RARE)).toEqual([]);
});

test("FORGET-3: a bullet or note with only that text is removed; elsewhere '[forgotten]' replaces it, and the rest stays", async () => {
  const { sandbox, built: id } = await everywhere();
  sandbox.ok(["forget", id, "--yes"]);
  expect(read(sandbox, "MEMORY.md")).toBe(
    "# Memory\n\n- Likes tea\n\n## Home\n\n- Anna's door code is 4711\n",
  );
  expect(read(sandbox, "chats/work/MEMORY.md")).toBe("# Memory\n\n");
  expect(read(sandbox, "working/s1.md")).toBe("- [forgotten]\n- other\n");
  expect(read(sandbox, "models/door.md")).toBe("---\nquestion: Which code?\n---\nIt is this: [forgotten]\n");
  const notes = sandbox.ok(["notes", "--json"]).json.data.notes as { title: string; text: string }[];
  expect(notes).toMatchObject([{ title: "Visit", text: "she said that [forgotten] today" }]);
  const document = sandbox.document("memory", "doors");
  expect(document).toContain("# Doors\n\nFirst. [forgotten].\n\n> [forgotten]\n");
  expect(parseMarkdown(document)).toMatchObject({
    problem: null,
    fields: { title: "(forgotten)", tags: ["home"] },
  });
  expect(sandbox.ok(["get", "doors", "--version", "1"]).stdout).toContain("First. [forgotten].");
  expect(sandbox.ok(["restore", "gone"]).exitCode).toBe(0);
  expect(sandbox.document("memory", "gone")).toContain("# Gone\n\n[forgotten]\n");
  expect(readFileSync(join(sandbox.memory, "spool/out.json"), "utf8")).toBe('{"said":"a\\n[forgotten]\\nb"}');
});

test("FORGET-3: frontmatter stays valid if a key and its value are forgotten", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument("---\ntimezone: Madrid\nmood: [good, 'timezone: madrid']\n---\n# Me\n\nText.\n", {
    id: "me",
  });
  const id = await sandbox.addFact("Timezone: Madrid");
  sandbox.ok(["forget", id, "--yes"]);
  const { problem, fields } = parseMarkdown(sandbox.document("memory", "me"));
  expect([problem, fields.timezone, fields.id]).toEqual([null, undefined, "me"]);
  expect(filesHolding(sandbox.memory, "timezone: madrid")).toEqual([]);
});

test("FORGET-2: history keeps other facts and nothing of the forgotten one", async () => {
  const sandbox = new Sandbox();
  const first = await sandbox.addFact("Timezone: Mexico City");
  const second = await sandbox.addFact("Timezone: Madrid");
  const third = await sandbox.addFact("Timezone: Berlin");
  const before = facts(sandbox);
  sandbox.ok(["forget", second, "--yes"]);
  const after = facts(sandbox);
  expect(after.map(({ id }) => id).sort()).toEqual([first, third].sort());
  expect(after.find(({ id }) => id === third)).toMatchObject({ text: "Timezone: Berlin", ended_at: null });
  expect(after.find(({ id }) => id === first)).toMatchObject({
    created_at: before.find(({ id }) => id === first)?.created_at,
    ended_at: before.find(({ id }) => id === first)?.ended_at,
    superseded_by: null,
  });
  expect(read(sandbox, "HISTORY.md")).not.toMatch(/Madrid|by hand/);
  expect(sandbox.run(["why", second]).exitCode).toBe(1);
  sandbox.ok(["reindex"]);
  expect(facts(sandbox)).toEqual(after);
});

test("FORGET-8: forgetting a fact names the one that it had replaced, which stays ended until it is saved again", async () => {
  const sandbox = new Sandbox();
  const [before, after] = ["Deploys are on Mondays", "Deploys are on Tuesdays now"];
  const old = await sandbox.addFact(before);
  const id = await sandbox.addFact(after, { replaces: [old] });
  for (const how of ["--dry-run", "--yes"]) {
    const { stdout } = sandbox.ok(["forget", id, how]);
    for (const part of [before, old, "retain remember"]) expect(stdout).toContain(part);
    expect(stdout).not.toContain("Tuesdays");
  }
  expect(facts(sandbox)).toMatchObject([{ id: old, ended_at: expect.any(String) }]);
  sandbox.ok(["remember", before]);
  expect(facts(sandbox)).toMatchObject([{ id: old, ended_at: null }]);
});

test("FORGET-2: undo does not bring it back; set-aside databases and unfinished writes are removed and reported", async () => {
  const { sandbox, built: id } = await everywhere();
  const { stdout } = sandbox.ok(["forget", id, "--yes"]);
  expect(stdout).toContain("1 file of damaged databases");
  expect(sandbox.tree(sandbox.memory).filter((path) => /damaged|\.tmp-/.test(path))).toEqual([]);
  while (sandbox.run(["undo"]).exitCode === 0);
  expect(filesHolding(sandbox.memory, RARE)).toEqual([]);
});

test("FORGET-3: it is removed from messages, titles and summaries, and no search finds it", async () => {
  const { sandbox, built: id } = await everywhere();
  sandbox.ok(["forget", id, "--yes"]);
  const database = new Database(join(sandbox.memory, "retain.db"), { readonly: true });
  const [message] = database.query("SELECT content FROM messages ORDER BY id").values() as [string][];
  expect(message?.[0]).toContain("[MEMORY] [forgotten]\n<memory>Code: [forgotten]</memory>");
  expect(database.query("SELECT title, summary, tags FROM sessions").all()).toEqual([
    { title: "[forgotten]", summary: "About [forgotten].", tags: '["[forgotten]"]' },
  ]);
  expect(database.query("SELECT * FROM recalls WHERE source = ?").all(id)).toEqual([]);
  database.close();
  const { results } = sandbox.ok(["search", "--text", "--json", RARE]).json.data;
  expect(results).toEqual([]);
  expect(sandbox.ok(["search", "--json", "neighbours"]).json.data.results[0].text).toContain("neighbours");
});

test("FORGET-3: a title truncated within the text loses that part; one that only starts the same stays", async () => {
  const sandbox = new Sandbox();
  const id = await sandbox.addFact("My landlord Weberknecht lives at Hauptstrasse 5 in Ulm with his sister");
  const titles = { s1: "Remember: my landlord Weberknecht lives at Haupt…", s2: "My landlord is…" };
  for (const [session, title] of Object.entries(titles)) {
    sandbox.ok(["ingest", "-", "--session", session], { stdin: "Hello." });
    sandbox.ok(["sessions", "rename", session, title]);
  }
  expect(sandbox.ok(["forget", id, "--yes", "--json"]).json.data.left).toEqual([]);
  expect(filesHolding(sandbox.memory, "Weberknecht")).toEqual([]);
  const database = new Database(join(sandbox.memory, "retain.db"), { readonly: true });
  expect(database.query("SELECT title FROM sessions ORDER BY id").all()).toEqual([
    { title: "Remember: [forgotten]" },
    { title: "My landlord is…" },
  ]);
  database.close();
});

test("FORGET-3: facts that only start the same stay", async () => {
  const sandbox = new Sandbox();
  const id = await sandbox.addFact("Likes Go");
  await sandbox.addFact("Likes Go-karts");
  sandbox.ok(["log", "Talk: He likes golang"]);
  expect(sandbox.ok(["forget", id, "--yes", "--json"]).json.data.left).toEqual([]);
  expect(facts(sandbox).map(({ text }) => text)).toEqual(["Likes Go-karts"]);
  expect(filesHolding(sandbox.memory, "likes golang").length).toBeGreaterThan(0);
});

test("FORGET-17: a very short fact is removed only from its own lines; other texts with its words stay, and that is reported", async () => {
  const sandbox = new Sandbox();
  const id = await sandbox.addFact("Go");
  const hiking = await sandbox.addFact("Likes to go hiking");
  write(memories(sandbox, "chats/work/MEMORY.md"), "# Memory\n\n- go.\n");
  await sandbox.addDocument("---\ntags: [go]\n---\n# Go\n\nLet us go home\n\n- Go\n", { id: "home" });
  sandbox.ok(["log", "Plan: go"]);
  sandbox.ok(["ingest", "-", "--session", "s1"], {
    stdin:
      '[MEMORY category="Go"]\n- Likes to go home early\n- Go\n[/MEMORY]\nGo\n<working-memory>\n- Go\n</working-memory>',
  });
  await sandbox.addDocument("# Last\n\nText.\n", { id: "last" });
  const document = sandbox.document("memory", "home");
  const working = read(sandbox, "working/s1.md");
  const before = snapshot(sandbox);
  const dry = sandbox.ok(["forget", id, "--dry-run", "--json"]).json.data;
  expect(snapshot(sandbox)).toEqual(before);
  const places = dry.places as { what: string; path: string; count?: number }[];
  expect([
    ...new Set(places.map(({ what, path, count }) => `${what} ${path} ${count ?? ""}`.trim())),
  ]).toEqual(
    expect.arrayContaining([
      "fact memories/MEMORY.md",
      "fact memories/chats/work/MEMORY.md",
      "history memories/HISTORY.md",
      "conversation sessions/s1.jsonl",
      "table facts retain.db 2",
      "table messages retain.db 1",
    ]),
  );
  expect(places.some(({ what }) => /document|note|working|version|sessions/.test(what))).toBe(false);
  const { stdout } = sandbox.ok(["forget", "Go", "--yes"]);
  expect(stdout).toContain("too short");
  expect(
    facts(sandbox)
      .map(({ text }) => text)
      .sort(),
  ).toEqual(["Likes to go hiking", "Likes to go home early"]);
  expect(facts(sandbox).map((fact) => fact.id)).toContain(hiking);
  expect(sandbox.document("memory", "home")).toBe(document);
  expect(read(sandbox, "working/s1.md")).toBe(working);
  expect(sandbox.ok(["notes", "--json"]).json.data.notes).toMatchObject([{ title: "Plan", text: "go" }]);
  expect(read(sandbox, "chats/work/MEMORY.md")).toBe("# Memory\n\n");
  expect(read(sandbox, "HISTORY.md")).not.toMatch(new RegExp(`${id}|"go\\.?"; in`, "i"));
  const database = new Database(join(sandbox.memory, "retain.db"), { readonly: true });
  const [message] = database.query("SELECT content FROM messages").values() as [string][];
  database.close();
  expect(message?.[0]).toStartWith(
    '[MEMORY category="Go"]\n- Likes to go home early\n- [forgotten]\n[/MEMORY]\nGo\n',
  );
  while (sandbox.run(["undo"]).exitCode === 0);
  expect(facts(sandbox).map(({ text }) => text)).not.toContain("Go");
  expect(
    filesHolding(sandbox.memory, "[forgotten]", id).map((path) => path.slice(sandbox.memory.length)),
  ).toEqual(["/retain.db", "/sessions/s1.jsonl"]);
  expect(sandbox.run(["forget", id, "--yes"]).exitCode).toBe(1);
});

test("FORGET-17: a short note is removed with its mark; a note that also says other things stays", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["ingest", "-", "--session", "s1"], {
    stdin: "It is ok.\n<memory>Status: ok</memory>\nThe status: ok, I said.",
  });
  sandbox.ok(["log", "Report: the status: ok"]);
  const notes = () => sandbox.ok(["notes", "--json"]).json.data.notes as { id: string; title: string }[];
  const status = notes().find(({ title }) => title === "Status")?.id ?? "";
  const { data } = sandbox.ok(["forget", status, "--yes", "--json"]).json;
  expect(data).toMatchObject({ short: true, left: [] });
  expect(notes()).toMatchObject([{ title: "Report", text: "the status: ok" }]);
  const database = new Database(join(sandbox.memory, "retain.db"), { readonly: true });
  expect(database.query("SELECT content FROM messages").values()).toEqual([
    ["It is ok.\n<memory>[forgotten]</memory>\nThe status: ok, I said."],
  ]);
  database.close();
  const long = await sandbox.addFact(CODE);
  expect(sandbox.ok(["forget", long, "--dry-run", "--json"]).json.data.short).toBe(false);
  expect(sandbox.ok(["forget", long, "--yes"]).stdout).not.toContain("too short");
});

test("FORGET-1: finds a fact by id, prefix or words, ended facts too, and a note by its id", async () => {
  const sandbox = new Sandbox();
  const ended = await sandbox.addFact("Timezone: Madrid");
  await sandbox.addFact("Timezone: Berlin");
  sandbox.ok(["forget", ended.slice(0, 6), "--yes"]);
  expect(facts(sandbox).map(({ text }) => text)).toEqual(["Timezone: Berlin"]);
  sandbox.ok(["forget", "berlin", "--yes"]);
  expect(facts(sandbox)).toEqual([]);
  const note = kept(sandbox, "log", "Status: ok");
  await sandbox.addFact("All is ok here");
  expect(note).toMatch(/^\d{4}-\d\d-\d\d\.md#\d\d:\d\d-[0-9a-f]{6}$/);
  expect(sandbox.ok(["forget", note, "--yes", "--json"]).json.data.forgotten).toEqual([
    { id: note, kind: "note", origin: "home" },
  ]);
  expect(sandbox.ok(["notes", "--json"]).json.data.notes).toEqual([]);
  expect(facts(sandbox).map(({ text }) => text)).toEqual(["All is ok here"]);
  const edited = await sandbox.addFact("Owns a **blue** bicycle");
  writeFileSync(memories(sandbox, "MEMORY.md"), "# Memory\n\n- All is ok here\n* owns a blue\n  bicycle.\n");
  sandbox.ok(["forget", edited, "--yes"]);
  expect(read(sandbox, "MEMORY.md")).toBe("# Memory\n\n- All is ok here\n");
  expect(sandbox.run(["forget", edited, "--yes"])).toMatchObject({ exitCode: 1, stdout: "" });
  expect(sandbox.run(["forget", " ", "--yes"]).exitCode).toBe(2);
});

test("FORGET-1: several ids are all forgotten, and none if one names nothing", async () => {
  const sandbox = new Sandbox();
  const part = await sandbox.addFact("Anna's door code");
  const whole = await sandbox.addFact(CODE);
  const note = kept(sandbox, "log", "Status: ok");
  await sandbox.addFact("Likes tea");
  expect(sandbox.run(["forget", part, "0123456789", "--yes"]).stderr).toContain("0123456789");
  expect(facts(sandbox).length).toBe(3);
  const asked = sandbox.run(["forget", part, whole]);
  expect([asked.exitCode, asked.stderr]).toEqual([3, expect.stringContaining(`${part} ${whole} --yes`)]);
  expect(sandbox.ok(["forget", part, whole, "--dry-run"]).stdout).toContain("nothing was changed");
  const { forgotten } = sandbox.ok(["forget", part, whole, note, part, "--yes", "--json"]).json.data;
  expect(forgotten.map(({ id }: { id: string }) => id).sort()).toEqual([part, whole, note].sort());
  expect(facts(sandbox).map(({ text }) => text)).toEqual(["Likes tea"]);
  expect(filesHolding(sandbox.memory, "door code")).toEqual([]);
});

test("FORGET-23: undo and forget leave nothing of a removed text in the database", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  await sandbox.addFact(CODE);
  sandbox.ok(["undo"]);
  expect(filesHolding(sandbox.memory, RARE)).toEqual([]);
  await sandbox.addDocument(`# Door\n\n${CODE}\n`, { id: "door" });
  write(
    join(sandbox.memory, "collections/memory/door.md"),
    sandbox.document("memory", "door").replace(CODE, "Open."),
  );
  sandbox.ok(["search", "door"]);
  expect(filesHolding(sandbox.memory, RARE).length).toBeGreaterThan(0);
  expect(sandbox.run(["forget", RARE, "--dry-run"]).exitCode).toBe(1);
  expect(filesHolding(sandbox.memory, RARE).length).toBeGreaterThan(0);
  expect(sandbox.run(["forget", RARE, "--yes"]).exitCode).toBe(1);
  expect(filesHolding(sandbox.memory, RARE)).toEqual([]);
});

test("FORGET-8: without a terminal it needs --yes, and else nothing changes", async () => {
  const sandbox = new Sandbox();
  const id = await sandbox.addFact(CODE);
  const before = snapshot(sandbox);
  const refused = sandbox.run(["forget", id], { stdin: "y\n" });
  expect([refused.exitCode, refused.stdout]).toEqual([3, ""]);
  expect(refused.stderr).toContain("--yes");
  expect(sandbox.run(["forget", id, "--json"]).json).toMatchObject({ ok: false, error: { exit_code: 3 } });
  expect(snapshot(sandbox)).toEqual(before);
});

test("FORGET-1: several matches, or else the closest memories, are listed, and nothing changes", async () => {
  const sandbox = new Sandbox();
  const first = await sandbox.addFact("Anna's door code is 4711");
  const second = await sandbox.addFact("The code of the garage is 4712");
  sandbox.ok(["search", "code"]);
  const before = snapshot(sandbox);
  const several = sandbox.run(["forget", "code", "--yes", "--json"]);
  expect(several.exitCode).toBe(2);
  expect(several.json).toMatchObject({ ok: false, error: { code: "ambiguous" } });
  expect(several.json.data.found.map(({ id }: { id: string }) => id).sort()).toEqual([first, second].sort());
  const shown = sandbox.run(["forget", "code", "--yes"]);
  expect([shown.exitCode, shown.stdout.includes(first), shown.stderr.includes("retain forget <id>")]).toEqual(
    [2, true, true],
  );
  const near = sandbox.run(["forget", "--yes", "--json", "entrance", "codes"]);
  expect([near.exitCode, near.json.data.found.length > 0]).toEqual([2, true]);
  expect(sandbox.run(["forget", "0123456789", "--yes"]).exitCode).toBe(1);
  expect(Object.keys(snapshot(sandbox)).sort()).toEqual(Object.keys(before).sort());
  expect(facts(sandbox).length).toBe(2);
});

test("FORGET-8: a dry run lists every occurrence and changes nothing", async () => {
  const { sandbox, built: id } = await everywhere();
  const holding = filesHolding(sandbox.memory, RARE).map((path) => path.slice(sandbox.memory.length + 1));
  const before = snapshot(sandbox);
  const { data } = sandbox.ok(["forget", id, "--dry-run", "--json"]).json;
  expect(data.dry_run).toBe(true);
  const places = data.places as { what: string; path: string; line?: number; count?: number }[];
  expect([...new Set(places.map(({ path }) => path))].sort()).toEqual(expect.arrayContaining(holding.sort()));
  const line =
    read(sandbox, "HISTORY.md")
      .split("\n")
      .findIndex((text) => text.includes(RARE)) + 1;
  expect(places).toContainEqual({ what: "history", path: "memories/HISTORY.md", line });
  expect(places).toContainEqual({ what: "table messages", path: "retain.db", count: 1 });
  expect(sandbox.ok(["forget", id, "--dry-run"]).stdout).toContain("nothing was changed");
  expect(snapshot(sandbox)).toEqual(before);
});

test("FORGET-14: in a git project it names the commits that contain it, including staged, stashed and other branches", async () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "--quiet", "--initial-branch=main"]);
  await sandbox.makeProject();
  await sandbox.addFact("Likes tea");
  const commit = (message: string) => {
    sandbox.git(["add", "--all"]);
    sandbox.git(["commit", "--quiet", "--message", message]);
    return sandbox.git(["rev-parse", "HEAD"]).trim();
  };
  const clean = commit("Start");
  const id = await sandbox.addFact(CODE);
  const guilty = commit("Learn");
  sandbox.git(["switch", "--quiet", "--create", "side", clean]);
  write(join(sandbox.work, ".retain/collections/memory/x.md"), `# X\n\nANNA'S door\ncode is ${RARE}\n`);
  const side = commit("Aside");
  sandbox.git(["switch", "--quiet", "main"]);
  appendFileSync(join(sandbox.work, ".retain/memories/MEMORY.md"), "- More\n");
  sandbox.git(["stash", "--quiet"]);
  write(join(sandbox.work, "elsewhere.md"), CODE);
  sandbox.git(["add", "elsewhere.md"]);
  const outside = commit("Not memory's");
  const { data } = sandbox.ok(["forget", id, "--yes", "--json"]).json;
  const hashes = (data.commits as { commit: string }[]).map((found) => found.commit);
  expect(hashes).toEqual(expect.arrayContaining([guilty, side, "index"]));
  expect(hashes.length).toBeGreaterThan(3);
  expect(hashes).not.toContain(clean);
  expect(hashes).not.toContain(outside);
  expect(filesHolding(join(sandbox.work, ".retain"), RARE)).toEqual([]);
  expect(readFileSync(join(sandbox.work, "elsewhere.md"), "utf8")).toBe(CODE);
  expect(sandbox.git(["rev-parse", "HEAD"]).trim()).toBe(outside);
});

test("FORGET-14: it says that rewriting git's history is up to the owner", async () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "--quiet"]);
  await sandbox.makeProject();
  const id = await sandbox.addFact(CODE);
  sandbox.git(["add", "--all"]);
  sandbox.git(["commit", "--quiet", "--message", `It says ${CODE}`]);
  const { stdout } = sandbox.ok(["forget", id, "--yes"]);
  expect(stdout).toContain("git filter-repo");
  expect(stdout).not.toContain(RARE);
});

test("FORGET-12: a process with the database open keeps no copy of it", async () => {
  const { sandbox, built: id } = await everywhere();
  const hold = `const { Database } = require("bun:sqlite");
    const database = new Database(${JSON.stringify(join(sandbox.memory, "retain.db"))});
    database.query("SELECT count(*) FROM chunks").get();
    console.log("open");
    setInterval(() => {}, 1000);`;
  const other = Bun.spawn([process.execPath, "-e", hold], { stdout: "pipe" });
  try {
    await other.stdout.getReader().read();
    expect(sandbox.ok(["forget", id, "--yes", "--json"]).json.data.left).toEqual([]);
    expect(filesHolding(sandbox.memory, RARE)).toEqual([]);
  } finally {
    other.kill();
    await other.exited;
  }
});

test("FORGET-14: copies that cannot be removed are named, with exit 1: read-only folders, binary files, names, settings", async () => {
  const sandbox = new Sandbox();
  const id = await sandbox.addFact(CODE);
  const folder = join(sandbox.root, "vault");
  write(join(folder, "page.md"), `# Page\n\n${CODE}\n`);
  sandbox.ok(["folders", "add", folder]);
  writeFileSync(memories(sandbox, "2026-01-01.md"), Buffer.from(`## 10:30 - \xff\n${CODE}\n`, "latin1"));
  write(join(sandbox.memory, "photo.bin"), `\0\x01${CODE}\0`);
  write(join(sandbox.memory, "retain.db.bak"), `\0${CODE}`);
  write(join(sandbox.memory, "collections/memory/anna-s-door-code-is-zyxqwv17.md"), "# X\n\nText.\n");
  appendFileSync(join(sandbox.memory, "config.yaml"), `# ${CODE}\n`);
  const { exitCode, json } = sandbox.run(["forget", id, "--yes", "--json"]);
  expect([exitCode, json.ok, json.error.code]).toEqual([1, false, "partial"]);
  expect(
    (json.data.left as { what: string; path: string }[]).map(({ what, path }) => `${what} ${path}`).sort(),
  ).toEqual([
    "config config.yaml",
    "document vault/page",
    "file memories/2026-01-01.md",
    "file photo.bin",
    "file retain.db.bak",
    "name collections/memory/anna-s-door-code-is-zyxqwv17.md",
  ]);
  expect(facts(sandbox)).toEqual([]);
  expect(sandbox.ok(["search", "--json", RARE]).json.data.results[0]).toMatchObject({ id: "page" });
  expect(readFileSync(join(folder, "page.md"), "utf8")).toContain(CODE);
});

test("FORGET-14: it is forgotten in the workspace where it was found; a copy in the other one is reported, with the command to forget it", async () => {
  const sandbox = new Sandbox();
  const id = await sandbox.addFact(CODE, {}, { scope: "global" });
  await sandbox.makeProject();
  expect(await sandbox.addFact(CODE)).toBe(id);
  const { stdout } = sandbox.ok(["forget", id, "--yes"]);
  expect(stdout).toContain(`retain forget --global ${id}`);
  expect(filesHolding(join(sandbox.work, ".retain"), RARE)).toEqual([]);
  expect(filesHolding(sandbox.memory, RARE)).not.toEqual([]);
  expect(sandbox.ok(["forget", "--global", id, "--yes", "--json"]).json.data).toMatchObject({
    left: [],
    elsewhere: [],
  });
  expect(filesHolding(sandbox.memory, RARE)).toEqual([]);
  await sandbox.addFact("Likes tea", {}, { scope: "global" });
  const tea = await sandbox.addFact("Likes tea");
  await sandbox.addFact("Owns a zyxqwv17 lock", {}, { scope: "global" });
  expect(sandbox.ok(["forget", RARE, "--yes", "--json"]).json.data.forgotten).toMatchObject([
    { origin: "home" },
  ]);
  expect(filesHolding(sandbox.memory, RARE)).toEqual([]);
  expect(sandbox.ok(["forget", tea, "--local", "--yes", "--json"]).json.data.elsewhere).toEqual([
    { workspace: "home", id: tea },
  ]);
});

test("FORGET-2: no output after forgetting repeats the text", async () => {
  const { sandbox, built: id } = await everywhere();
  for (const options of [["--json"], ["--quiet"], ["--verbose"]]) {
    const { stdout, stderr } = sandbox.run(["forget", id, "--yes", ...options]);
    expect(`${stdout}${stderr}`.toLowerCase()).not.toMatch(/anna|zyxq/);
  }
  const { data } = sandbox.ok(["forget", "4711", "--yes", "--json"]).json;
  expect(Object.keys(data).sort()).toEqual([
    "commits",
    "dry_run",
    "elsewhere",
    "forgotten",
    "left",
    "places",
    "short",
  ]);
});

const terminal = testNeeding("tmux");

terminal("FORGET-8: at a terminal it shows what will go and asks; only a yes is one", async () => {
  const sandbox = new Sandbox();
  const before = await sandbox.addFact("Anna's door code is 4711");
  const id = await sandbox.addFact(CODE, { replaces: [before] });
  const ask = async (answer: string) => {
    const screen = new TerminalScreen(sandbox, `retain forget ${id}`, {}, 120, 40);
    try {
      const asked = await screen.shows("[y/N]");
      screen.type(answer, "Enter");
      return [asked, await screen.shows("[exit")] as const;
    } finally {
      screen.close();
    }
  };
  const [asked, declined] = await ask("n");
  for (const said of [CODE, id, "Anna's door code is 4711", "memories/HISTORY.md:"])
    expect(asked).toContain(said);
  expect(declined).toContain("Nothing was forgotten.");
  expect(declined).toContain("[exit 3]");
  expect(facts(sandbox).length).toBe(2);
  const [, done] = await ask("y");
  expect(done).toContain("✓ Forgotten");
  expect(done).toContain("[exit 0]");
  expect(filesHolding(sandbox.memory, RARE)).toEqual([]);
});

terminal("FORGET-9: at a terminal the user picks one by number; Ctrl-C changes nothing", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact(CODE);
  await sandbox.addFact("The code of the garage is 4712");
  const before = facts(sandbox);
  const screen = new TerminalScreen(sandbox, "retain forget code");
  try {
    await screen.shows("Which one? [1-2]");
    screen.type("C-c");
    expect(await screen.shows("[exit")).toContain("[exit 130]");
  } finally {
    screen.close();
  }
  expect(facts(sandbox)).toEqual(before);
  const second = new TerminalScreen(sandbox, "retain forget code");
  try {
    const listed = await second.shows("Which one? [1-2]");
    second.type(/^1 {2}Anna/m.test(listed) ? "1" : "2", "Enter");
    await second.shows("[y/N]");
    second.type("yes", "Enter");
    expect(await second.shows("[exit")).toContain("[exit 0]");
  } finally {
    second.close();
  }
  expect(facts(sandbox).map(({ text }) => text)).toEqual(["The code of the garage is 4712"]);
});
