/** Facts through the real command: kept, listed, edited by hand, explained, taken back. */
import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";

const memories = (sandbox: Sandbox, file: string) => join(sandbox.memory, "memories", file);
const read = (sandbox: Sandbox, file: string) => readFileSync(memories(sandbox, file), "utf8");

interface ListedFact {
  id: string;
  text: string;
  category: string;
  origin: string;
  chat: string | null;
  created_at: string;
  ended_at: string | null;
  superseded_by: string | null;
  source: { by: string; session: string | null; message: number | null; trust: string; tags: string[] };
}

function facts(sandbox: Sandbox, ...options: string[]): ListedFact[] {
  return sandbox.ok(["facts", "--json", ...options]).json.data.facts;
}

const texts = (sandbox: Sandbox, ...options: string[]) => facts(sandbox, ...options).map(({ text }) => text);

/** A home workspace whose memory files a person wrote. */
function written(files: Record<string, string>): Sandbox {
  const sandbox = new Sandbox();
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(memories(sandbox, file), ".."), { recursive: true });
    writeFileSync(memories(sandbox, file), content);
  }
  return sandbox;
}

test("FACT-24: colons and spaces at the end of a key, or several spaces in it, make no other key", () => {
  for (const [first, second] of [
    ["Gym day:", "Gym day"],
    ["Gym day", "Gym  day :"],
    ["Gym  day", "gym day"],
  ] as const) {
    const sandbox = new Sandbox();
    sandbox.ok(["remember", "--key", first, "On Mondays"]);
    sandbox.ok(["remember", "--key", second, "Tuesdays after work"]);
    expect(texts(sandbox).map((text) => text.toLowerCase())).toEqual(["gym day: tuesdays after work"]);
    // The text alone has the key too.
    sandbox.ok(["remember", `${texts(sandbox)[0]?.split(":")[0]}: never`]);
    expect(texts(sandbox)).toHaveLength(1);
  }
});

test("FACT-24: an empty key is refused, and nothing is saved", () => {
  const sandbox = new Sandbox();
  for (const key of ["", "  ", ":"]) {
    const { exitCode, stderr } = sandbox.run(["remember", "--key", key, "Tuesdays"]);
    expect([key, exitCode]).toEqual([key, 2]);
    expect(stderr).toContain("key");
  }
  expect(texts(sandbox)).toEqual([]);
});

test("FACT-4: a fact is a bullet in MEMORY.md and a line in HISTORY.md, and is searchable at once", () => {
  const sandbox = new Sandbox();
  const { data } = sandbox.ok(["remember", "--json", "Prefers", "TypeScript", "--tags", "code, style"]).json;
  expect(data.saved).toMatchObject([{ kind: "fact", text: "Prefers TypeScript", file: "MEMORY.md" }]);
  expect(read(sandbox, "MEMORY.md")).toBe("# Memory\n\n- Prefers TypeScript\n");
  const [{ id }] = data.saved;
  expect(read(sandbox, "HISTORY.md")).toMatch(
    new RegExp(
      `added ${id} "Prefers TypeScript"; in MEMORY.md; section general; by remember; trust stated; tags "code, style"`,
    ),
  );
  expect(sandbox.ok(["search", "--json", "typescript"]).json.data.results).toMatchObject([
    { kind: "fact", id, text: "Prefers TypeScript", tags: ["code", "style"] },
  ]);
});

test("FACT-4: a known fact is skipped; a new value replaces the old line, and nothing else changes", () => {
  const layout = "# Mine\n\n## About\n* Likes Go\n  1) Timezone: Mexico City\n\nSome words.\n";
  const sandbox = written({ "MEMORY.md": layout });
  expect(sandbox.ok(["remember", "--json", "likes go."]).json.data).toMatchObject({
    saved: [],
    skipped: [{}],
  });
  sandbox.ok(["remember", "Likes Go-karts"]);
  const { data } = sandbox.ok(["remember", "--json", "Timezone: Madrid"]).json;
  expect(data.superseded).toMatchObject([{ text: "Timezone: Mexico City", by: data.saved[0].id }]);
  expect(read(sandbox, "MEMORY.md")).toBe(
    "# Mine\n\n- Likes Go-karts\n\n## About\n* Likes Go\n  1) Timezone: Madrid\n\nSome words.\n",
  );
  expect(texts(sandbox, "--superseded")).toEqual(["Timezone: Mexico City"]);
  expect(sandbox.ok(["facts", "--all"]).stdout).toMatch(/Mexico City.* \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/);
  expect(sandbox.ok(["search", "--text", "Mexico"]).stdout).not.toContain("Mexico");
});

test("FACT-4: a superseded fact is removed from every file that contains it", () => {
  const sandbox = written({
    "MEMORY.md": "- Timezone: Oslo\n- timezone: oslo.\n- Likes tea\n",
    "USER.md": "# Me\n- **Timezone: Oslo**\n",
  });
  sandbox.ok(["remember", "Timezone: Rome"]);
  expect(read(sandbox, "MEMORY.md")).toBe("- Timezone: Rome\n- Likes tea\n");
  expect(read(sandbox, "USER.md")).toBe("# Me\n");
  expect(texts(sandbox)).toEqual(["Timezone: Rome", "Likes tea"]);
});

test("FACT-5: an edit by hand is indexed at the next read and recorded in HISTORY.md", async () => {
  const sandbox = new Sandbox();
  for (const fact of ["Likes tea", "Lives in Berlin", "Plays chess"]) await sandbox.addFact(fact);
  const [tea, berlin, chess] = facts(sandbox);
  writeFileSync(
    memories(sandbox, "MEMORY.md"),
    "# Memory\n\n- Likes tea\n- Lives in Potsdam, near Berlin\n\n## Work\n- Codes in Zig\n",
  );
  const now = facts(sandbox, "--all");
  const of = (text: string) => now.find((fact) => fact.text === text);
  expect(of("Likes tea")).toEqual(tea as ListedFact);
  expect(of("Codes in Zig")).toMatchObject({ category: "Work", source: { by: "hand", trust: "stated" } });
  expect(of("Lives in Berlin")).toMatchObject({
    id: berlin?.id ?? "",
    superseded_by: of("Lives in Potsdam, near Berlin")?.id ?? "",
  });
  expect(of("Plays chess")).toMatchObject({ id: chess?.id ?? "", superseded_by: null });
  expect(of("Plays chess")?.ended_at).toBeString();
  expect(read(sandbox, "HISTORY.md")).toContain(`removed ${chess?.id} "Plays chess"`);
  expect(sandbox.ok(["search", "--json", "zig"]).json.data.results[0]).toMatchObject({
    text: "Codes in Zig",
  });
  expect(sandbox.ok(["search", "--text", "chess"]).stdout).toContain("No relevant");
});

test("FACT-5: an edit of only upper and lower case is indexed too", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("likes github and typescript");
  const content = read(sandbox, "MEMORY.md").replace(
    "likes github and typescript",
    "Likes GitHub and TypeScript.",
  );
  writeFileSync(memories(sandbox, "MEMORY.md"), content);
  expect(texts(sandbox)).toEqual(["Likes GitHub and TypeScript."]);
  expect(sandbox.ok(["search", "github"]).stdout).toContain("Likes GitHub and TypeScript.");
});

test("FACT-4: a fact replaces one in its category, or the only one with its key in any category", () => {
  const layout =
    "# M\n\n## Alice\n\n- Lives in Berlin\n\n## Bob\n\n- Lives in Rome\n\n## Staging\n\n- Port: 3000\n\n## Production\n\n- Port: 4000\n";
  const sandbox = written({ "MEMORY.md": layout });
  sandbox.ok(["remember", "Lives in Paris"]);
  sandbox.ok(["remember", "Port: 5000", "--category", "Staging"]);
  expect(read(sandbox, "MEMORY.md")).toBe(
    layout.replace("# M\n\n", "# M\n\n- Lives in Paris\n\n").replace("Port: 3000", "Port: 5000"),
  );
});

test("FACT-4: the beginning of a fact is kept unless it is a bullet mark", () => {
  const sandbox = new Sandbox();
  for (const fact of [
    "1. FC Koeln is his club",
    "2. FC Koeln is his club",
    "# of seats is 12",
    "- a bullet that was copied",
  ])
    sandbox.ok(["remember", fact]);
  expect(texts(sandbox)).toEqual([
    "1. FC Koeln is his club",
    "2. FC Koeln is his club",
    "# of seats is 12",
    "a bullet that was copied",
  ]);
});

test("FACT-1: private, secret or conflicting text in a file is not indexed or not copied", () => {
  const key = `ghp_${"a1B2".repeat(9)}`;
  const sandbox = written({
    "MEMORY.md": `# M\n\n- open\n<private>\n- hidden one\n</private>\n- Token: ${key}\n`,
    "team.md": "<<<<<<< HEAD\n- ours\n=======\n- theirs\n>>>>>>> other\n",
  });
  const { stdout, stderr } = sandbox.ok(["facts"]);
  expect(stdout).toContain("open");
  expect(stdout).not.toMatch(/hidden one|ours|theirs/);
  expect(stderr).toContain("a GitHub");
  expect(stderr).toContain("git conflicts");
  expect(read(sandbox, "HISTORY.md")).not.toContain(key);
});

test("FACT-5: indexing an edit changes only HISTORY.md, once", () => {
  const content = "no title\r\n- a fact\r\n-   spaced   one\r\n\t* nested\n";
  const sandbox = written({ "MEMORY.md": content, "USER.md": "- Name: Jamie\n" });
  facts(sandbox);
  const history = read(sandbox, "HISTORY.md");
  facts(sandbox);
  expect(read(sandbox, "MEMORY.md")).toBe(content);
  expect(read(sandbox, "HISTORY.md")).toBe(history);
  expect(texts(sandbox)).toEqual(["a fact", "spaced one", "nested", "Name: Jamie"]);
});

test("HIST-1: without retain.db ids, dates, sources, trust and links come back from the files", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["ingest", "-", "--session", "s1"], { stdin: "[MEMORY] Timezone: Rome\n" });
  await sandbox.addFact("Timezone: Oslo", { tags: ["place"] });
  await sandbox.addFact("Deploys on Fridays", { chat: "work" });
  appendFileSync(memories(sandbox, "MEMORY.md"), "- By hand\n");
  const before = facts(sandbox, "--all");
  expect(before).toHaveLength(4);
  for (const name of ["retain.db", "retain.db-wal", "retain.db-shm"])
    rmSync(join(sandbox.memory, name), { force: true });
  sandbox.ok(["reindex"]);
  expect(facts(sandbox, "--all")).toEqual(before);
  expect(before.find(({ text }) => text === "Timezone: Rome")).toMatchObject({
    source: { by: "[MEMORY]", session: "s1", message: 1, trust: "inferred" },
    superseded_by: before.find(({ text }) => text === "Timezone: Oslo")?.id ?? "",
  });
});

test("HIST-1: git merges the histories of two clones, and the facts of both keep their sources", async () => {
  const sandbox = new Sandbox();
  const identity = ["-c", "user.name=ada", "-c", "user.email=ada@example.com"];
  const git = (directory: string, ...args: string[]) => sandbox.git([...identity, ...args], directory);
  const save = (directory: string, ...args: string[]) => {
    sandbox.ok(["remember", "--local", ...args], { cwd: directory });
    git(directory, "add", "-A");
    git(directory, "commit", "-qm", "facts");
  };
  const [first, second] = [sandbox.work, join(sandbox.root, "clone")];
  git(first, "init", "-q", "-b", "main");
  await sandbox.makeProject();
  save(first, "The build uses Bun");
  save(first, "The docs are in Spanish", "--category", "Docs");
  git(first, "clone", "-q", first, second);
  save(first, "The deploy is on Fridays", "--tags", "ops");
  save(second, "The manual has an index", "--category", "Docs", "--tags", "manual");
  git(second, "pull", "-q", "--no-rebase", first, "main");
  const listed: ListedFact[] = sandbox.ok(["facts", "--json"], { cwd: second }).json.data.facts;
  expect(listed.map(({ text, source }) => [text, source.by, source.tags])).toEqual([
    ["The build uses Bun", "remember", []],
    ["The deploy is on Fridays", "remember", ["ops"]],
    ["The docs are in Spanish", "remember", []],
    ["The manual has an index", "remember", ["manual"]],
  ]);
  expect(sandbox.ok(["doctor"], { cwd: second }).stdout).not.toContain("conflict");
});

test("FACT-1: bullets of any Markdown file in memories/ are facts, except in HISTORY.md and logs", () => {
  const sandbox = written({
    "USER.md": "# User\n- Name: Jamie\n",
    "PREFERENCES.md": "- Short answers\n",
    "team.md": "## People\n- Ana leads design\n",
    "2026-01-02.md": "## 10:00 - List\n- not a fact\n",
    "chats/work/MEMORY.md": "- Deploys on Fridays\n",
    "HISTORY.md": "- hello\n",
  });
  expect(facts(sandbox).map(({ text, category, chat }) => [text, category, chat])).toEqual([
    ["Short answers", "general", null],
    ["Name: Jamie", "general", null],
    ["Deploys on Fridays", "general", "work"],
    ["Ana leads design", "People", null],
  ]);
  expect(texts(sandbox, "--chat", "work")).toEqual(["Deploys on Fridays"]);
});

test("FACT-1: an unreadable file is reported, and its facts are not treated as removed", () => {
  const sandbox = written({ "MEMORY.md": "- Stays\n", "team.md": "- Ana leads design\n" });
  expect(texts(sandbox)).toHaveLength(2);
  writeFileSync(memories(sandbox, "team.md"), new Uint8Array([0xff, 0xfe, 0x00, 0x41]));
  const result = sandbox.ok(["facts"]);
  expect(result.stdout).toContain("Ana leads design");
  expect(result.stderr).toContain("team.md");
  expect(read(sandbox, "HISTORY.md")).not.toContain("removed");
});

test("FACT-1: an unreadable HISTORY.md stays unchanged, and nothing is written until it is fixed", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  const broken = Buffer.concat([readFileSync(memories(sandbox, "HISTORY.md")), Buffer.from([0xff])]);
  writeFileSync(memories(sandbox, "HISTORY.md"), broken);
  const { stdout, stderr } = sandbox.ok(["facts"]);
  expect(stdout).toContain("Likes tea");
  expect(stderr).toContain("HISTORY.md");
  expect(sandbox.run(["remember", "Likes coffee"]).exitCode).toBe(2);
  expect(readFileSync(memories(sandbox, "HISTORY.md"))).toEqual(broken);
  expect(read(sandbox, "MEMORY.md")).not.toContain("coffee");
});

test("FACT-5: facts of a file that an editor briefly emptied come back unchanged", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["ingest", "-", "--session", "s1"], { stdin: "[MEMORY] Timezone: Rome\n" });
  const [before] = facts(sandbox);
  const content = read(sandbox, "MEMORY.md");
  writeFileSync(memories(sandbox, "MEMORY.md"), "");
  expect(facts(sandbox)).toEqual([]);
  writeFileSync(memories(sandbox, "MEMORY.md"), content);
  const [after] = facts(sandbox);
  expect({ id: after?.id, source: after?.source, created_at: after?.created_at }).toEqual({
    id: before?.id,
    source: before?.source,
    created_at: before?.created_at,
  });
});

test("FACT-8: facts go to the project's workspace; both are read", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  sandbox.ok(["remember", "Uses Bun here"]);
  sandbox.ok(["remember", "--global", "Birthday: March 15"]);
  expect(readFileSync(join(sandbox.work, ".retain/memories/MEMORY.md"), "utf8")).toContain("Uses Bun here");
  expect(facts(sandbox).map(({ text, origin }) => [origin, text])).toEqual([
    ["project", "Uses Bun here"],
    ["home", "Birthday: March 15"],
  ]);
  expect(texts(sandbox, "--local")).toEqual(["Uses Bun here"]);
});

test("FACT-9: facts as of a date are those valid at the end of that day", () => {
  const line = (at: string, rest: string) => `- ${at} ${rest}\n`;
  const sandbox = written({
    "MEMORY.md": "- Timezone: Rome\n",
    "HISTORY.md":
      line(
        "2026-01-10T09:00:00Z",
        'added aaaa1 "Timezone: Oslo"; in MEMORY.md; section general; by remember; trust stated',
      ) +
      line(
        "2026-02-10T09:00:00Z",
        'added aaaa2 "Likes tea"; in MEMORY.md; section general; by remember; trust stated',
      ) +
      line("2026-03-10T09:00:00Z", 'removed aaaa2 "Likes tea"; from MEMORY.md; by hand') +
      line(
        "2026-04-10T09:00:00Z",
        'added aaaa3 "Timezone: Rome"; in MEMORY.md; section general; by remember; trust stated; supersedes aaaa1 "Timezone: Oslo"',
      ),
  });
  expect(texts(sandbox, "--as-of", "2026-01-09")).toEqual([]);
  expect(texts(sandbox, "--as-of", "2026-01-10")).toEqual(["Timezone: Oslo"]);
  expect(texts(sandbox, "--as-of", "2026-02-28")).toEqual(["Timezone: Oslo", "Likes tea"]);
  expect(texts(sandbox, "--as-of", "2026-05-01")).toEqual(["Timezone: Rome"]);
  expect(sandbox.run(["facts", "--as-of", "someday"]).exitCode).toBe(2);
});

test("FACT-10: why shows a fact's source message, its neighbours, and what the fact replaced", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["ingest", "-", "--session", "s1"], { stdin: "We talked about the move.\n" });
  sandbox.ok(["ingest", "-", "--session", "s1"], { stdin: "Noted!\n[MEMORY] Timezone: Rome\n" });
  sandbox.ok(["ingest", "-", "--session", "s1"], { stdin: "Anything else?\n" });
  await sandbox.addFact("Timezone: Oslo");
  const [oslo] = facts(sandbox);
  const [rome] = facts(sandbox, "--superseded");
  const { data } = sandbox.ok(["why", "--json", rome?.id ?? ""]).json;
  expect(data.message).toMatchObject({ session: "s1", content: "Noted!\n[MEMORY] Timezone: Rome\n" });
  expect(data.around.map(({ content }: { content: string }) => content)).toEqual([
    "We talked about the move.\n",
    "Anything else?\n",
  ]);
  expect(data.after.id).toBe(oslo?.id);
  const shown = sandbox.ok(["why", (oslo?.id ?? "").slice(0, 5)]).stdout;
  expect(shown).toContain("replaces Timezone: Rome");
  expect(sandbox.run(["why", "nothing"]).exitCode).toBe(1);
});

test("FACT-10: why with words explains the only current memory with them, or lists them with their ids", async () => {
  const sandbox = new Sandbox();
  for (const fact of ["Timezone: Rome", "Timezone: Oslo", "Dentist: Dr. Kim"]) await sandbox.addFact(fact);
  expect(sandbox.ok(["why", "timezone"]).stdout).toContain("replaces Timezone: Rome");
  sandbox.ok(["log", "The dentist was late"]);
  expect(sandbox.ok(["why", "the", "dentist"]).stdout).toContain("the log of");
  const listed = sandbox.run(["why", "dentist"]);
  expect(listed.exitCode).toBe(2);
  expect(listed.stderr).toContain("retain why <id>");
  const [, ...rows] = listed.stdout.trim().split("\n");
  expect(rows).toHaveLength(2);
  for (const row of rows) sandbox.ok(["why", row.split(" ")[0] ?? ""]);
});

test("FACT-10: why with an empty text asks for an id or words", () => {
  const { exitCode, stderr } = new Sandbox().run(["why", ""]);
  expect([exitCode, stderr.includes("retain facts"), stderr.includes("gpu-patterns")]).toEqual([
    2,
    true,
    false,
  ]);
});

test("FACT-10: a message of another session is never shown as the source", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["ingest", "-", "--session", "one"], { stdin: "[MEMORY] Timezone: Rome\n" });
  for (const name of ["retain.db", "retain.db-wal", "retain.db-shm", "sessions"])
    rmSync(join(sandbox.memory, name), { force: true, recursive: true });
  sandbox.ok(["ingest", "-", "--session", "two"], { stdin: "A private talk about salary.\n" });
  const [rome] = facts(sandbox);
  const { stdout } = sandbox.ok(["why", rome?.id ?? ""]);
  expect(stdout).not.toContain("salary");
  expect(stdout).toContain("no longer exists");
});

test("FACT-11: control characters are removed, and odd categories and tags cannot break files", () => {
  const sandbox = new Sandbox();
  const script = `import { openRetain } from ${JSON.stringify(join(import.meta.dir, "../../src/index.ts"))};
    const retain = openRetain();
    await retain.facts.remember("Zero\\0byte and \\u001b[2J escape", { category: "#", tags: ["a, b"] });
    for (const wrong of [undefined, 5, {}]) await retain.facts.remember(wrong).catch((error) => console.log(error.code));`;
  const child = Bun.spawnSync([process.execPath, "-e", script], { cwd: sandbox.work, env: sandbox.env() });
  expect([child.stderr.toString(), child.stdout.toString()]).toEqual(["", "usage\nusage\nusage\n"]);
  expect(read(sandbox, "MEMORY.md")).toBe("# Memory\n\n- Zerobyte and [2J escape\n");
  expect(facts(sandbox)).toMatchObject([{ category: "general", source: { tags: ["a", "b"] } }]);
});

test("FACT-11: invalid facts are refused, and nothing is written", () => {
  const sandbox = new Sandbox();
  const key = `sk-ant-api03-${"Ab3x".repeat(23)}`;
  for (const [args, code] of [
    [["remember", "  "], 2],
    [["remember", `My key is ${key}`], 3],
    [["remember", "--chat", "../evil", "x is y"], 2],
    [["remember", "<private>my diagnosis</private>"], 2],
    [["log", `Key: ${key}`], 3],
    [["remember", "--category", "password: Tr0ub4dor-3", "x is y"], 3],
    [["remember", "--tags", `a,${key}`, "x is y"], 3],
    [["remember", "--chat", key, "x is y"], 3],
  ] as const)
    expect([args[1], sandbox.run([...args]).exitCode]).toEqual([args[1], code]);
  expect(existsSync(memories(sandbox, "MEMORY.md"))).toBe(false);
  expect(sandbox.ok(["remember", "--allow-secret", `My key is ${key}`]).stdout).toContain("saved");
});

test("FACT-11: remember refuses a question and says how to search; a key or other words make it a fact", () => {
  const sandbox = new Sandbox();
  for (const said of ["where is my key?", "¿Dónde está mi llave?", "Who is Tom? And when does he come?"]) {
    const asked = sandbox.run(["remember", said, "--json"]);
    expect([said, asked.exitCode, asked.json.error.hint]).toEqual([
      said,
      2,
      expect.stringContaining("retain search "),
    ]);
  }
  expect(sandbox.run(["facts", "--quiet"]).stdout).toBe("");
  for (const args of [
    ["Open question: do we ship on Friday?"],
    ["--key", "Open question", "do we ship on Friday?"],
    ["Who leaves last switches off the light"],
    ["Where is the key? Under the mat"],
  ])
    sandbox.ok(["remember", ...args]);
  sandbox.ok(["ingest", "-"], { stdin: "[MEMORY] where is my key?\n" });
});

test("FACT-11: a text that is too long for a fact is refused at once, from every writer, and points to put", () => {
  const sandbox = new Sandbox();
  const long = "word ".repeat(401).trim();
  for (const stdin of [long, "k".repeat(5_000_000)]) {
    const { exitCode, stderr } = sandbox.run(["remember", "-"], { stdin });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/2,000 characters.*\n?.*retain put/)]);
    expect(stderr.length).toBeLessThan(300);
  }
  const { data, warnings } = sandbox.ok(["ingest", "-", "--json"], {
    stdin: `[MEMORY] Likes tea\n[MEMORY] ${long}\n<memory>Notes: ${long}</memory>`,
  }).json;
  expect(data.saved.map(({ kind }: { kind: string }) => kind)).toEqual(["fact", "note"]);
  expect(data.refused).toMatchObject([{ why: expect.stringContaining("2,000 characters") }]);
  expect(JSON.stringify(warnings)).not.toContain("allow-secret");
  expect(texts(sandbox)).toEqual(["Likes tea"]);
  expect(sandbox.ok(["remember", long.slice(0, 1_900)]).stdout.length).toBeLessThan(300);
  expect(sandbox.run(["remember", "--key", "k".repeat(101), long.slice(0, 1_900)]).exitCode).toBe(2);
  appendFileSync(memories(sandbox, "MEMORY.md"), `- By hand: ${long}\n`);
  expect(texts(sandbox)).toContain(`By hand: ${long}`);
});

test("FACT-11: a secret that was typed into a memory file is reported, and never copied", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "The router is in the hall."]);
  appendFileSync(memories(sandbox, "MEMORY.md"), "- The password for the router is Xk29dk2Lq9!x.\n");
  expect(sandbox.run(["facts"]).stderr).toContain("MEMORY.md, line 4, contains a password");
  const history = read(sandbox, "HISTORY.md");
  expect(history).toContain("The password for the router is [secret removed]");
  expect(history).not.toContain("Xk29dk2Lq9");
  expect(sandbox.run(["facts"]).stderr).toBe("");
});

test("FACT-11: a fact that cannot be written as a bullet is an error that says where to look", () => {
  const sandbox = written({ "MEMORY.md": "# M\n\n```\nnever closed\n" });
  const result = sandbox.run(["remember", "Likes tea"]);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain("code block");
  expect(read(sandbox, "MEMORY.md")).toBe("# M\n\n```\nnever closed\n");
});

test("UNDO-1: half-written files of a dead process are removed", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea", { chat: "work" });
  const left = [".tmp-1-x", "chats/work/.tmp-2-y", "../.undo/.tmp-3-z"].map((name) =>
    memories(sandbox, name),
  );
  for (const path of left) writeFileSync(path, "- half a fa");
  expect(texts(sandbox)).toEqual(["Likes tea"]);
  expect(left.filter((path) => existsSync(path))).toEqual([]);
});

test("FACT-26: a change is linked to a fact about the same thing that shares no word with it", () => {
  const sandbox = new Sandbox(WITH_MEANING);
  for (const text of ["I live in Lisbon", "My sister lives in Madrid", "I am learning Spanish"])
    sandbox.ok(["remember", text]);
  const [moved] = sandbox.ok(["remember", "I moved to Porto", "--json"]).json.data.saved;
  expect(moved.doubts).toBe("I live in Lisbon");
  for (const list of [["facts"], ["search", "where do I live"]])
    expect(sandbox.ok(list).stdout).toContain(`may be outdated by ${moved.id}`);
  expect(facts(sandbox)).toHaveLength(4);
});

test("FACT-26: a change is linked to a fact that was saved just before and isn't embedded yet", () => {
  const sandbox = new Sandbox(WITH_MEANING);
  sandbox.ok(["remember", "I live in Lisbon"]);
  const [moved] = sandbox.ok(["remember", "I moved to Porto", "--json"]).json.data.saved;
  expect(moved.doubts).toBe("I live in Lisbon");
});

test("UNDO-5: undo reverts the last change in files, rows and history", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Timezone: Oslo");
  const before = {
    memory: read(sandbox, "MEMORY.md"),
    history: read(sandbox, "HISTORY.md"),
    facts: facts(sandbox, "--all"),
  };
  sandbox.ok(["remember", "Timezone: Rome"]);
  expect(texts(sandbox)).toEqual(["Timezone: Rome"]);
  expect(sandbox.ok(["undo"]).stdout).toContain("Timezone: Oslo");
  expect({
    memory: read(sandbox, "MEMORY.md"),
    history: read(sandbox, "HISTORY.md"),
    facts: facts(sandbox, "--all"),
  }).toEqual(before);
  expect(sandbox.ok(["search", "--json", "--text", "Oslo"]).json.data.results).toHaveLength(1);
  sandbox.ok(["undo"]);
  expect(texts(sandbox, "--all")).toEqual([]);
  expect(sandbox.run(["undo"])).toMatchObject({ exitCode: 1 });
});

test("UNDO-5: --skip passes over a change that can no longer be undone", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  await sandbox.addFact("Timezone: Rome");
  writeFileSync(
    memories(sandbox, "MEMORY.md"),
    read(sandbox, "MEMORY.md").replace("Timezone: Rome", "Somewhere else"),
  );
  const refused = sandbox.run(["undo"]);
  expect(refused.exitCode).toBe(3);
  expect(refused.stderr).toContain("retain undo --skip");
  sandbox.ok(["undo", "--skip"]);
  sandbox.ok(["undo"]);
  expect(texts(sandbox)).toEqual(["Somewhere else"]);
});

test("FACT-9: a fact written down long after it was noted counts from when it was noted", () => {
  const sandbox = written({
    "2026-01-10.md": "## 08:00 - Timezone\nTimezone: Rome\n",
    "2026-02-10.md": "## 08:00 - Timezone\nTimezone: Paris\n",
  });
  sandbox.ok(["compact", "--quiet"]);
  expect(texts(sandbox, "--as-of", "2026-01-20")).toEqual(["Timezone: Rome"]);
  expect(texts(sandbox, "--as-of", "2026-03-01")).toEqual(["Timezone: Paris"]);
});

test("NOTE-5: a note is added to today's log in the user's time zone, and shown by its day", () => {
  const sandbox = new Sandbox();
  const env = { TZ: "Pacific/Kiritimati" };
  const { data } = sandbox.ok(["log", "--json", "Release: 0.2 is out\nwith notes"], { env }).json;
  sandbox.ok(["log", "--chat", "work", "Met Ana"], { env });
  sandbox.ok(["log", "Release: 0.2 is out\nwith notes"], { env });
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone: env.TZ }).format(new Date());
  expect(data.saved).toMatchObject([{ kind: "note", file: `${day}.md` }]);
  expect(read(sandbox, `${day}.md`)).toMatch(/^## \d\d:\d\d - Release\n0\.2 is out\nwith notes\n$/);
  expect(read(sandbox, `chats/work/${day}.md`)).toMatch(/^## \d\d:\d\d - Met Ana\n/);
  const shown = sandbox.ok(["notes", "--json"], { env }).json.data.notes;
  expect(shown).toMatchObject([
    { title: "Release", chat: null },
    { title: "Met Ana", chat: "work" },
  ]);
  expect(sandbox.ok(["notes", "2020-01-01"], { env }).stdout).toContain("No notes");
  expect(sandbox.ok(["search", "--json", "release notes"], { env }).json.data.results[0]).toMatchObject({
    kind: "note",
  });
});

test("NOTE-1: a note that an open code block would swallow is refused, with where to look", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["log", "Standup: all fine"]);
  const [log = ""] = sandbox.tree(memories(sandbox, "")).filter((name) => /^\d/.test(name));
  appendFileSync(memories(sandbox, log), "```\nnever closed\n");
  const result = sandbox.run(["log", "Deploy: shipped v2"]);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain("code block");
  expect(read(sandbox, log)).not.toContain("shipped");
});

test("NOTE-5: notes edited or removed by hand are searched in their current state", () => {
  const sandbox = written({
    "2026-01-02.md": "## 10:00 - Plan\nBuy a zeppelin\n\n## 11:00 - Other\nStays here\n",
  });
  const hits = (query: string) => sandbox.ok(["search", "--json", "--text", query]).json.data.results;
  expect(hits("zeppelin")).toMatchObject([{ kind: "note", heading: "Plan" }]);
  writeFileSync(
    memories(sandbox, "2026-01-02.md"),
    "## 10:00 - Plan\nBuy a kite\n\n## 11:00 - Other\nStays here\n",
  );
  expect(hits("zeppelin")).toEqual([]);
  expect(hits("kite")).toHaveLength(1);
  rmSync(memories(sandbox, "2026-01-02.md"));
  expect(hits("stays")).toEqual([]);
});
