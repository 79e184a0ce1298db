/** A model's reply through the real command: marks are saved, the rest is shown. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseHistory } from "../../src/core/facts/history.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const memories = (sandbox: Sandbox, file: string) => join(sandbox.memory, "memories", file);
const read = (sandbox: Sandbox, file: string) => readFileSync(memories(sandbox, file), "utf8");
const bullets = (sandbox: Sandbox, file = "MEMORY.md") =>
  existsSync(memories(sandbox, file))
    ? read(sandbox, file)
        .split("\n")
        .filter((line) => line.startsWith("- "))
    : [];

const REPLY = `Got it, Jamie. <memory>User preference: prefers bullet points</memory>

[MEMORY] Updated facts:
- Uses Bun as the JS runtime
- Prefers concise responses

\`\`\`
[MEMORY] not this one
\`\`\`
<chat-memory>Topic: AI regulation</chat-memory>
<working-memory>
- Topic: EU AI Act
</working-memory>
Bye.
`;

const SHOWN = `Got it, Jamie.

\`\`\`
[MEMORY] not this one
\`\`\`
Bye.
`;

function ingest(sandbox: Sandbox, reply: string, ...options: string[]) {
  return sandbox.ok(["ingest", "-", "--json", ...options], { stdin: reply }).json.data;
}

test("INGEST-1: marks become facts, notes and working memory; the rest is printed unchanged", () => {
  const sandbox = new Sandbox();
  const result = sandbox.ok(["ingest", "-", "--session", "s1", "--chat", "work"], { stdin: REPLY });
  expect(result.stdout).toBe(SHOWN);
  expect(result.stderr).toContain("✦ Memory saved: Uses Bun as the JS runtime");
  expect(bullets(sandbox)).toEqual(["- Uses Bun as the JS runtime", "- Prefers concise responses"]);
  const logs = readdirSync(memories(sandbox, "")).filter((name) => /^\d/.test(name));
  expect(read(sandbox, logs[0] ?? "")).toMatch(/^## \d\d:\d\d - User preference\nprefers bullet points\n$/);
  expect(read(sandbox, `chats/work/${logs[0]}`)).toContain("- Topic\nAI regulation");
  expect(read(sandbox, "working/s1.md")).toBe("- Topic: EU AI Act\n");
});

test("MARK-9: a reply that only talks about marks is printed unchanged, and nothing is saved", () => {
  const sandbox = new Sandbox();
  const reply = `You can write [MEMORY] before a sentence, or "<memory>Title: text</memory>".

> [MEMORY] Somebody else's fact
> <memory>Title: quoted</memory>

    [MEMORY] in indented code
`;
  const result = sandbox.ok(["ingest", "-"], { stdin: reply });
  expect(result.stdout).toBe(reply);
  expect(result.stderr).not.toContain("saved");
  expect(sandbox.tree(memories(sandbox, ""))).toEqual([]);
});

test("INGEST-1: the reply becomes a message of its session, searchable by its visible text", () => {
  const sandbox = new Sandbox();
  const { session, message } = ingest(
    sandbox,
    "The zeppelin flies.\n<memory>Hidden: quokka</memory>\n",
    "--session",
    "s1",
  );
  expect({ session, message }).toEqual({ session: "s1", message: 1 });
  const hits = (query: string) =>
    sandbox.ok(["search", "--json", "--text", "--kind", "message", query]).json.data.results;
  expect(hits("zeppelin")).toMatchObject([{ kind: "message", session: "s1" }]);
  expect(hits("quokka")).toEqual([]);
});

test("INGEST-1: --json says what was saved, skipped, superseded and refused, and why", () => {
  const sandbox = new Sandbox();
  ingest(sandbox, "[MEMORY] Timezone: Oslo\n[MEMORY] Likes tea\n");
  const key = `sk-ant-api03-${"Ab3x".repeat(23)}`;
  const data = ingest(
    sandbox,
    `[MEMORY] Timezone: Rome\n[MEMORY] likes tea\n[MEMORY] The key is ${key}\nok\n`,
  );
  expect(data.saved.map(({ text }: { text: string }) => text)).toEqual(["Timezone: Rome"]);
  expect(data.skipped).toMatchObject([{ text: "likes tea" }]);
  expect(data.superseded).toMatchObject([{ text: "Timezone: Oslo", by: data.saved[0].id }]);
  expect(data.refused).toEqual([
    { text: "The key is [secret removed]", why: expect.stringContaining("key") },
  ]);
  expect(data.visible).toBe("ok\n");
});

test("INGEST-3: neither secrets nor private text reach the disk", () => {
  const sandbox = new Sandbox();
  const key = `sk-ant-api03-${"Ab3x".repeat(23)}`;
  const result = sandbox.ok(["ingest", "-"], {
    stdin: `Hi ${key}. <private>my secret diagnosis</private>\n<memory>Key: ${key}</memory>\n<working-memory>${key}</working-memory>\n`,
  });
  expect(result.stderr).toContain("Not saved");
  for (const file of sandbox.tree(sandbox.memory)) {
    const bytes = readFileSync(join(sandbox.memory, file), "latin1");
    expect([file, bytes.includes(key), bytes.includes("diagnosis")]).toEqual([file, false, false]);
  }
});

test("INGEST-3: a title or category that turns a text into a secret is checked too", () => {
  const sandbox = new Sandbox();
  const data = ingest(
    sandbox,
    '<memory>The admin password: Tr0ub4dor&3x9</memory>\n[MEMORY category="api key: Tr0ub4dor3x9Zq"] x is y\n',
  );
  expect(data.saved).toEqual([]);
  expect(data.refused).toHaveLength(2);
  expect(
    sandbox.run(["ingest", "-", "--session", `sk-ant-api03-${"Ab3x".repeat(20)}`], { stdin: "x" }).exitCode,
  ).toBe(3);
});

test("INGEST-1: recalled text is not saved again", () => {
  const sandbox = new Sandbox();
  ingest(sandbox, "Sure.\n<recalled>\n- the heron nests here\n[MEMORY] never this\n</recalled>\nDone.\n");
  expect(bullets(sandbox)).toEqual([]);
  expect(sandbox.ok(["search", "--json", "--text", "heron"]).json.data.results).toEqual([]);
});

test("INGEST-1: a failed write is reported with the reason, and the rest is saved", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  sandbox.ok(["remember", "--global", "Likes tea"]);
  writeFileSync(memories(sandbox, "MEMORY.md"), new Uint8Array([0xff, 0x00]));
  const result = sandbox.run(["ingest", "-", "--json"], {
    stdin: '[MEMORY] Uses Bun here\n[MEMORY scope="global"] Birthday: March 15\n',
  });
  expect(result.exitCode).toBe(1);
  expect(result.json.data).toMatchObject({
    saved: [{ text: "Uses Bun here" }],
    failed: [{ text: "Birthday: March 15" }],
  });
});

test("MARK-10: an unclosed mark is hidden and saved as a note; working memory stays", () => {
  const sandbox = new Sandbox();
  ingest(sandbox, "<working-memory>good</working-memory>\n", "--session", "s1");
  const data = ingest(sandbox, "Shown.\n<working-memory>half a thou", "--session", "s1");
  expect(data).toMatchObject({ visible: "Shown.", working: "unchanged", saved: [{ kind: "note" }] });
  expect(read(sandbox, "working/s1.md")).toBe("good\n");
  ingest(
    sandbox,
    "<working-memory>one</working-memory><working-memory>two</working-memory>",
    "--session",
    "s1",
  );
  expect(read(sandbox, "working/s1.md")).toBe("two\n");
  expect(ingest(sandbox, "<working-memory></working-memory>", "--session", "s1").working).toBe("cleared");
  expect(existsSync(memories(sandbox, "working/s1.md"))).toBe(false);
});

test("FACT-8: in a project, marks go to the project; global ones go to the home workspace", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  ingest(
    sandbox,
    '[MEMORY] Uses Bun here\n[MEMORY scope="global"] Birthday: March 15\n<memory scope="global">Trip: to Rome</memory>\n',
  );
  expect(readFileSync(join(sandbox.work, ".retain/memories/MEMORY.md"), "utf8")).toContain("- Uses Bun here");
  expect(bullets(sandbox)).toEqual(["- Birthday: March 15"]);
  expect(sandbox.ok(["notes", "--global", "--json"]).json.data.notes).toMatchObject([{ title: "Trip" }]);
});

test("ID-3: names that could leave the workspace, and empty replies, are refused", () => {
  const sandbox = new Sandbox();
  for (const args of [
    ["--session", "../x"],
    ["--chat", "a/b"],
    ["--session", ""],
  ])
    expect(sandbox.run(["ingest", "-", ...args], { stdin: "x" }).exitCode).toBe(2);
  expect(sandbox.run(["ingest", "-"], { stdin: " \n" }).exitCode).toBe(2);
  expect(existsSync(sandbox.memory)).toBe(false);
});

test("INGEST-8: eight processes at once lose nothing and save nothing twice", async () => {
  const sandbox = new Sandbox();
  const runs = Array.from({ length: 8 }, async (_, writer) => {
    for (let turn = 0; turn < 4; turn++) {
      const stdin = [
        `[MEMORY] Everybody knows fact number ${turn}`,
        `[MEMORY] Writer ${writer} has note ${turn}`,
        `[MEMORY] Timezone: City-${writer}-${turn}`,
      ].join("\n");
      const child = sandbox.start(["ingest", "-", "--session", `w${writer}`], { stdin });
      expect(await child.exited).toBe(0);
    }
  });
  await Promise.all(runs);
  const found = bullets(sandbox);
  expect(new Set(found).size).toBe(found.length);
  expect(found).toHaveLength(4 + 8 * 4 + 1);
  expect(found.filter((line) => line.includes("Timezone"))).toHaveLength(1);
  expect(parseHistory(read(sandbox, "HISTORY.md"))).toHaveLength(4 + 8 * 4 + 8 * 4);
  const listed = sandbox.ok(["facts", "--quiet"]).stdout.trim().split("\n");
  expect(listed).toHaveLength(37);
  expect(sandbox.ok(["doctor"]).exitCode).toBe(0);
});

test("FACT-25: a mark replaces the facts it names, in one change that undo reverts; an unknown id is reported and ignored", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("The shop closes at noon");
  await sandbox.addFact("The violin lessons are on Fridays");
  const ids = new Map<string, string>(
    JSON.parse(sandbox.ok(["facts", "--json"]).stdout).data.facts.map(
      ({ id, text }: { id: string; text: string }) => [text, id.slice(0, 6)],
    ),
  );
  const reply = [
    "Noted.",
    `[MEMORY replaces ${ids.get("The shop closes at noon")}] Opening hours run to midnight`,
    "[MEMORY replaces zzzz99] The cat is grey",
    `[MEMORY ends ${ids.get("The violin lessons are on Fridays")}]`,
  ].join("\n");
  const { data } = JSON.parse(sandbox.ok(["ingest", "-", "--json"], { stdin: reply }).stdout);
  expect(data.superseded).toMatchObject([{ text: "The shop closes at noon", why: expect.any(String) }]);
  expect(data.ended).toMatchObject([{ text: "The violin lessons are on Fridays" }]);
  expect(data.unknown).toEqual(["zzzz99"]);
  expect(bullets(sandbox)).toEqual(["- Opening hours run to midnight", "- The cat is grey"]);
  sandbox.ok(["reindex"]);
  expect(sandbox.ok(["facts", "--superseded", "--quiet"]).stdout).toContain(
    ids.get("The shop closes at noon") ?? "",
  );
  sandbox.ok(["undo"]);
  expect(bullets(sandbox)).toEqual(["- The shop closes at noon", "- The violin lessons are on Fridays"]);
});

test("FACT-25: a mark with a known text still ends the facts it names, but never the known fact itself", () => {
  const sandbox = new Sandbox();
  const remember = (text: string) => sandbox.ok(["remember", text, "--quiet"]).stdout.trim();
  const [old, known] = [remember("The shop closes at noon"), remember("Opening hours run to midnight")];
  const ingest = (mark: string) =>
    JSON.parse(sandbox.ok(["ingest", "-", "--json"], { stdin: mark }).stdout).data;
  expect(ingest(`[MEMORY replaces ${known}] Opening hours run to midnight.`).superseded).toEqual([]);
  const data = ingest(`[MEMORY replaces ${old}] Opening hours run to midnight`);
  expect(data.superseded).toMatchObject([{ id: old, by: known }]);
  expect(data.skipped).toMatchObject([{ as: known }]);
  expect(bullets(sandbox)).toEqual(["- Opening hours run to midnight"]);
  sandbox.ok(["reindex"]);
  expect(sandbox.ok(["facts", "--superseded", "--quiet"]).stdout).toContain(old);
  sandbox.ok(["undo"]);
  expect(bullets(sandbox)).toEqual(["- The shop closes at noon", "- Opening hours run to midnight"]);
});

test("FACT-25: in a project, a mark that names a fact of the home workspace changes it there", async () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_EMBEDDING: "none" };
  const [id = ""] = sandbox.ok(["remember", "Lives in Rome", "--quiet"]).stdout.split("\n");
  await sandbox.makeProject();
  sandbox.ok(["ingest", "-"], {
    env,
    stdin: `[MEMORY replaces ${id.slice(0, 6)}] Home is Oslo\n[MEMORY] The build is red`,
  });
  expect(bullets(sandbox)).toEqual(["- Home is Oslo"]);
});

test("FACT-24: a fact with a key replaces the old one, whatever its text, even after an edit by hand", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["ingest", "-"], { stdin: '[MEMORY key="Deploy day"] Thursdays after standup' });
  expect(bullets(sandbox)).toEqual(["- Deploy day: Thursdays after standup"]);
  sandbox.ok(["remember", "--key", "deploy day", "Mondays, if nothing burns"]);
  expect(bullets(sandbox)).toEqual(["- deploy day: Mondays, if nothing burns"]);
  const file = join(sandbox.memory, "memories/MEMORY.md");
  writeFileSync(file, read(sandbox, "MEMORY.md").replace("Mondays, if nothing burns", "Wednesdays"));
  sandbox.ok(["facts"]);
  sandbox.ok(["reindex"]);
  sandbox.ok(["ingest", "-"], { stdin: '[MEMORY key="Deploy day"] Deploy day: whenever it is green' });
  expect(bullets(sandbox)).toEqual(["- Deploy day: whenever it is green"]);
  sandbox.ok(["remember", "Likes: coffee"]);
  sandbox.ok(["remember", "Likes: tea"]);
  expect(bullets(sandbox)).toHaveLength(3);
});

test("FACT-25: remember --replaces ends the named facts; for an unknown id it exits with 1 and saves nothing", () => {
  const sandbox = new Sandbox();
  const id = sandbox.ok(["remember", "The shop closes at noon", "--quiet"]).stdout.trim();
  const later = sandbox.ok(["remember", "Open until midnight", "--replaces", id, "--quiet"]).stdout.trim();
  expect(bullets(sandbox)).toEqual(["- Open until midnight"]);
  const { exitCode, stderr } = sandbox.run(["remember", "The cat is grey", "--replaces", `${later},zzzz99`]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("zzzz99");
  expect(bullets(sandbox)).toEqual(["- Open until midnight"]);
});
