/** One document that cannot be read, or not be indexed, among others: it is named everywhere, and costs no other anything. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { ClaudeCode } from "../agent/hooks-transcript.ts";
import { ChatRoom, only } from "../helpers/chat.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes } from "../mcp/clients.ts";

const CIRCULAR = "---\na: &a [*a]\n---\nA compass.\n";
const MANY_KEYS = `---\n${Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join("\n")}\n---\nAn anchor.\n`;
const DEEP = `---\na: ${"[".repeat(100_000)}\n---\nA rudder.\n`;

function write(box: Sandbox, id: string, content: string): void {
  const path = box.path("memory", id);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content);
}

const WORDS = { env: { RETAIN_EMBEDDING: "none" } };
const found = (box: Sandbox, query: string) => box.ok(["search", query, "-q"]).stdout.trim();

test("INDEX-10: unindexable frontmatter does not hide the document", () => {
  const box = new Sandbox();
  write(box, "before", "# Before\n\nThe walrus sleeps.\n");
  expect(found(box, "walrus")).toBe("before");
  write(box, "circular", CIRCULAR);
  write(box, "many-keys", MANY_KEYS);
  write(box, "deep", DEEP);
  write(box, "after", "# After\n\nThe penguin dives.\n");
  const findAll = () => {
    for (const [query, id] of [
      ["penguin", "after"],
      ["walrus", "before"],
      ["compass", "circular"],
      ["anchor", "many-keys"],
      ["rudder", "deep"],
    ] as const)
      expect(found(box, query)).toBe(id);
  };
  findAll();
  expect(box.ok(["reindex", "--json"]).json.data.documents).toBe(5);
  findAll();
  rmSync(join(box.memory, "retain.db"));
  findAll();
});

test("INDEX-10: a document whose rows cannot be stored is reported and hides no other", async () => {
  const box = new Sandbox();
  write(box, "before", "# Before\n\nThe walrus sleeps.\n");
  let warnings: string[] = [];
  using retain = openRetain({
    ...{ cwd: box.work, homeDirectory: box.home, env: box.env(WORDS.env) },
    onWarning: (message) => warnings.push(message),
  });
  const ids = async (query: string) => (await retain.search(query)).hits.map(({ id }) => id);
  expect(await ids("walrus")).toEqual(["before"]);
  // A process that opens the database now would take it for damaged; this one has it open.
  using database = new Database(join(box.memory, "retain.db"));
  database.run(`CREATE TRIGGER strange BEFORE INSERT ON chunks WHEN NEW.source = 'memory/strange'
    BEGIN SELECT RAISE(ABORT, 'something unexpected'); END`);
  write(box, "strange", "# Strange\n\nA compass.\n");
  write(box, "after", "# After\n\nThe penguin dives.\n");
  for (let time = 0; time < 2; time++) {
    warnings = [];
    expect(await ids("penguin")).toEqual(["after"]);
    expect(warnings).toEqual([expect.stringContaining("memory/strange (something unexpected)")]);
  }
  expect(await retain.index.rebuild()).toMatchObject({ documents: 3 });
  expect(await ids("walrus")).toEqual(["before"]);
  const problem = "something unexpected";
  expect((await retain.index.check()).unread).toMatchObject([
    { collection: "memory", id: "strange", problem },
  ]);
  await retain.documents.put({ content: "# Other\n\nA puffin.", id: "other" });
  expect(await ids("puffin")).toEqual(["other"]);
  database.run("DROP TRIGGER strange");
  warnings = [];
  expect(await ids("compass")).toEqual(["strange"]);
  expect(warnings).toEqual([]);
});

test("INDEX-10: every command that reads documents, and the library, reports invalid frontmatter", async () => {
  const box = new Sandbox();
  write(box, "note", "# Note\n\nThe penguin dives.\n");
  write(box, "circular", CIRCULAR);
  for (const args of [
    ["search", "penguin"],
    ["search", "penguin", "--filter", "tags!=x"],
    ["recall", "penguin"],
    ["context"],
    ["list"],
    ["get", "circular"],
    ["embed"],
    ["reindex"],
  ]) {
    const { stderr } = box.ok(args);
    expect([args, stderr]).toEqual([args, expect.stringMatching(/circular.*contains itself/)]);
    expect(box.ok([...args, "--json"]).json.warnings).toHaveLength(1);
  }
  const { exitCode, stdout } = box.run(["doctor"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^✗ frontmatter: .*\n {2}memory\/circular: line 2: .*\n {2}Fix it: retain edit <id>$/m,
  );
  const warnings: string[] = [];
  using retain = openRetain({
    cwd: box.work,
    homeDirectory: box.home,
    env: box.env(WORDS.env),
    onWarning: (message) => warnings.push(message),
  });
  await retain.search("penguin");
  expect(warnings).toEqual([expect.stringContaining("memory/circular")]);
  write(box, "circular", "# Fixed\n\nA compass.\n");
  expect(box.ok(["search", "penguin"]).stderr).toBe("");
  box.ok(["doctor"]);
});

test("INDEX-10: hooks log it, and memory tools add it to their results", async () => {
  const box = new Sandbox();
  write(box, "note", "# Note\n\nThe penguin dives.\n");
  write(box, "circular", CIRCULAR);
  const claude = new ClaudeCode(box);
  claude.hook("session-start", { source: "startup" }, WORDS.env);
  claude.hook("user-prompt-submit", { prompt: "Where does the penguin dive?" }, WORDS.env);
  expect(claude.log()).toHaveLength(2);
  for (const line of claude.log()) expect(line).toContain("warning: ");
  for (const line of claude.log()) expect(line).toContain("memory/circular");
  const { client } = await overPipes(box, []);
  for (const [name, input] of [
    ["recall", { query: "penguin" }],
    ["recall", { query: "xylophone" }],
    ["memory_list", {}],
    ["memory_get", { id: "circular" }],
    ["context", {}],
  ] as const) {
    const { content } = await client.callTool({ name, arguments: input });
    expect([name, content]).toEqual([
      name,
      [{ type: "text", text: expect.stringMatching(/circular.* contains itself/) }],
    ]);
  }
  const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
  const refused = await client.callTool({
    name: "memory_put",
    arguments: { content: "# Deep\n\nText.", metadata: { deep } },
  });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("64 levels") }] });
});

test("INDEX-10: a chat shows one notice", async () => {
  const room = new ChatRoom(null);
  await room.retain.documents.put({ content: "# Note\n\nThe penguin dives.", id: "note" });
  const { collections } = room.retain.workspace;
  writeFileSync(join(collections, "memory/circular.md"), CIRCULAR);
  const chat = await room.open();
  const told = () => only(chat.events, "notice").filter(({ text }) => text.includes("memory/circular"));
  await chat.say("where does the penguin dive?");
  await chat.say("where does the penguin dive, again?");
  expect(told()).toEqual([{ type: "notice", level: "warning", text: expect.stringContaining("itself") }]);
});

test("INDEX-10: such a file in a user's folder hides no other file", () => {
  const box = new Sandbox();
  box.write("vault/circular.md", CIRCULAR);
  box.write("vault/note.md", "# Note\n\nThe penguin dives.\n");
  const { stderr } = box.ok(["folders", "add", "vault"]);
  expect(stderr).not.toContain("JSON");
  expect(found(box, "penguin")).toBe("note");
  expect(box.ok(["search", "compass"]).stderr).toContain("vault/circular");
});

test("FM-5: elsewhere, invalid frontmatter or config is an error of that file only", () => {
  const box = new Sandbox();
  const circular = box.write("circular.md", CIRCULAR);
  expect(box.run(["put", "circular.md"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("line 2"),
  });
  const deep = `{"deep": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  expect(box.run(["put", "-", "--metadata", deep], { stdin: "# Deep\n\nText.\n" })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("64 levels"),
  });
  box.write("many/good.md", "# Good\n\nThe penguin dives.\n");
  box.write("many/circular.md", CIRCULAR);
  expect(box.run(["put", "many"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("circular"),
  });
  expect(found(box, "penguin")).toBe("good");

  write(box, "edited", CIRCULAR);
  expect(box.run(["update", "edited", "--tags", "x"]).exitCode).toBe(2);
  expect(box.document("memory", "edited")).toBe(CIRCULAR);
  box.ok(["edit", "edited"], { env: { ...WORDS.env, EDITOR: "sed -i 's/&a .*/b/'" } });
  expect(box.run(["restore", "edited", "--version", "v1"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("version 'v1' cannot be read"),
  });
  expect(box.ok(["get", "edited", "--version", "v1", "--format", "raw"]).stdout).toBe("A compass.\n");
  box.ok(["diff", "edited", "--from", "v1"]);

  box.write("agent-memory/notes/circular.md", CIRCULAR);
  box.write("agent-memory/notes/fine.md", "# Fine\n\nThe puffin nests.\n");
  const migrated = box.run(["migrate", "agent-memory"]);
  expect(migrated.stdout + migrated.stderr).toContain("circular");
  expect(found(box, "puffin")).toBe("fine");

  for (const file of ["skills/compass/SKILL.md", "memories/models/compass.md", "memories/MEMORY.md"]) {
    const path = join(box.memory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `---\nquestion: x\na: &a [*a]\n---\n- The compass hangs in the hall.\n`);
  }
  expect(box.ok(["skills"]).stdout).toMatch(/compass[\s\S]*itself/);
  expect(box.run(["mental-models"]).stdout).toContain("compass");
  expect(box.ok(["facts", "--json"]).stdout).toContain("hangs in the hall");

  for (const file of [".arcaneum", ".retain/config.yaml"]) {
    const path = box.write(file, "retain: &r\n  enabled: true\n  more: *r\n");
    expect(box.run(["list"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${path}:3: `),
    });
    rmSync(path);
  }
  expect(box.run(["list"], { env: { RETAIN_MAX_VERSIONS: "&a [*a]" } })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("itself"),
  });
  expect(readFileSync(circular, "utf8")).toBe(CIRCULAR);
});

test("INDEX-10: fields named like built-in object properties are plain text", () => {
  const box = new Sandbox();
  const names = ["constructor", "__proto__", "toString"];
  for (const name of names)
    write(
      box,
      `owl-${name.replaceAll("_", "x")}`,
      `---\n${name}: 1\npriority: ${name}\ntags: [${name}]\n---\nAn owl of ${name.length} years sat in tree ${name}.\n`,
    );
  const { json, stderr } = box.ok(["search", "owl", "--json"]);
  expect(json.data.results).toHaveLength(names.length);
  expect([json.warnings, stderr]).toEqual([[], ""]);
  for (const name of names)
    expect(box.ok(["list", "-q", "--filter", `priority=${name};tags=${name}`]).stdout).not.toBe("");
});
