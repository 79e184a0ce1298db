/** `retain undo` after changes of documents, and after changes that cannot be undone. */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseMarkdown } from "../../src/core/documents/frontmatter.ts";
import { stateHash } from "../../src/documents/write.ts";
import { body, Repository } from "../helpers/repository.ts";
import { Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";
import { writeAll } from "../migrate/place.ts";

const put = (sandbox: Sandbox, text: string) => sandbox.addDocument(body(text).stdin, { id: "doc" });

const ids = (sandbox: Sandbox) => sandbox.ok(["list", "--quiet"]).stdout.split("\n").filter(Boolean).sort();
const facts = (sandbox: Sandbox) =>
  sandbox.ok(["facts", "--json"]).json.data.facts.map((fact: { text: string }) => fact.text);

test("UNDO-5: undo after put, update, edit, delete and restore reverts that change, not an older fact", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "Likes tea"]);
  sandbox.ok(["put", "-", "--id", "doc"], body("one"));
  const first = sandbox.document("memory", "doc");
  sandbox.ok(["put", "-", "--id", "doc"], body("two"));
  sandbox.ok(["update", "doc", "--content", "-"], body("three"));
  sandbox.ok(["edit", "doc"], { env: { EDITOR: "sed -i s/three/four/" } });
  const fourth = sandbox.document("memory", "doc");
  sandbox.ok(["delete", "doc"]);
  sandbox.ok(["restore", "doc"]);

  const content = () => sandbox.ok(["get", "doc", "--format", "raw"]).stdout;
  expect(sandbox.ok(["undo"]).stdout).toContain("restore");
  expect(ids(sandbox)).toEqual([]);
  expect(sandbox.ok(["undo"]).stdout).toContain("delete");
  expect(sandbox.document("memory", "doc")).toBe(fourth);
  sandbox.ok(["undo"]);
  expect(content()).toContain("three");
  sandbox.ok(["undo"]);
  expect(content()).toContain("two");
  sandbox.ok(["undo"]);
  expect(content()).toBe(first.slice(first.indexOf("# Doc")));
  expect(facts(sandbox)).toEqual(["Likes tea"]);
  sandbox.ok(["undo"]);
  expect(ids(sandbox)).toEqual([]);
  expect(sandbox.ok(["search", "--json", "--text", "one"]).json.data.results).toEqual([]);
  expect(facts(sandbox)).toEqual(["Likes tea"]);
  sandbox.ok(["undo"]);
  expect(facts(sandbox)).toEqual([]);
});

test("UNDO-7: an undone state of a document can be restored", async () => {
  const sandbox = new Sandbox();
  await put(sandbox, "one");
  sandbox.ok(["undo"]);
  sandbox.ok(["restore", "doc"]);
  await put(sandbox, "two");
  sandbox.ok(["undo"]);
  sandbox.ok(["restore", "doc"]);
  expect(sandbox.document("memory", "doc")).toContain("two");
});

test("UNDO-7: undo of a change to one document shows the lines that it removed and brought back", async () => {
  const sandbox = new Sandbox();
  await put(sandbox, "one\ntwo\nthree");
  await put(sandbox, "one\n2\nthree\nfour");
  const [, ...lines] = sandbox.ok(["undo"]).stdout.trim().split("\n");
  expect(lines).toEqual(["memory/doc", "- 2", "+ two", "- four"]);
  await put(sandbox, Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n"));
  const long = sandbox.ok(["undo"]).stdout.trim().split("\n");
  expect(long.length).toBeLessThan(30);
  const [, command = ""] = /: retain (diff .+)$/.exec(long.at(-1) ?? "") ?? [];
  expect(sandbox.ok(command.split(" ")).stdout).toContain("-line 59");
  expect(sandbox.ok(["undo"]).stdout).toContain("- memory/doc");
});

test("UNDO-7: a put of many files is one change", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  await put(sandbox, "one");
  for (let number = 0; number < 70; number++) sandbox.write(`notes/n${number}.md`, `# N${number}\n\ntext\n`);
  sandbox.write("notes/doc.md", "---\nid: doc\n---\n# Doc\n\ntwo\n");
  sandbox.ok(["put", "notes"]);
  expect(ids(sandbox)).toHaveLength(71);
  sandbox.ok(["undo"]);
  expect(ids(sandbox)).toEqual(["doc"]);
  expect(sandbox.document("memory", "doc")).toContain("one");
});

test("UNDO-7: undo after a put that failed in the middle reverts what was stored, not an older change", async () => {
  const sandbox = new Sandbox();
  await put(sandbox, "one");
  await sandbox.addFact("Likes tea");
  for (let number = 10; number < 80; number++) sandbox.write(`notes/n${number}.md`, `# N${number}\n\ntext\n`);
  sandbox.write("notes/z.md", "---\nid: doc\n---\n# Doc\n\ntwo\n");
  // The old version of 'doc', which comes in the second batch, can't be kept.
  const versions = join(dirname(sandbox.path("memory", "doc")), ".versions");
  writeFileSync(versions, "in the way");
  expect(sandbox.run(["put", "notes"]).exitCode).not.toBe(0);
  expect(ids(sandbox)).toHaveLength(65);
  rmSync(versions);
  sandbox.ok(["undo"]);
  expect(ids(sandbox)).toEqual(["doc"]);
  expect(facts(sandbox)).toEqual(["Likes tea"]);
});

test("UNDO-7: an undo that was killed halfway is finished by the next one", () => {
  const sandbox = new Sandbox();
  for (const id of ["a", "b"]) sandbox.write(`notes/${id}.md`, `# ${id}\n\ntext\n`);
  sandbox.ok(["put", "notes"]);
  rmSync(sandbox.path("memory", "a"));
  sandbox.ok(["undo"]);
  expect(ids(sandbox)).toEqual([]);
});

test("UNDO-5: versions that git has are restored from git", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("one");
  repository.put("two");
  repository.retain(["undo"]);
  expect(readFileSync(repository.file, "utf8")).toContain("one");
});

test("UNDO-2: a document that changed since, or whose old text was not kept, stays as it is", async () => {
  const sandbox = new Sandbox();
  await put(sandbox, "one");
  sandbox.ok(["update", "doc", "--content", "-"], { ...body("two"), env: { RETAIN_AUTO_VERSION: "false" } });
  const notKept = sandbox.run(["undo"]);
  expect(notKept.exitCode).toBe(3);
  expect(notKept.stderr).toContain("retain undo --skip");
  sandbox.ok(["undo", "--skip"]);
  const edited = `${sandbox.document("memory", "doc")}by hand\n`;
  await put(sandbox, "three");
  writeFileSync(sandbox.path("memory", "doc"), edited);
  expect(sandbox.run(["undo"]).exitCode).toBe(3);
  expect(sandbox.document("memory", "doc")).toBe(edited);
});

test("UNDO-7: after forgetting or deleting a session, undo says that it is permanent and changes nothing", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  await sandbox.addFact("The door code is on the fridge");
  sandbox.ok(["forget", "door code", "--yes"]);
  const forgotten = sandbox.run(["undo"]);
  expect(forgotten.exitCode).toBe(3);
  expect(forgotten.stderr).toContain("retain undo --skip");
  expect(facts(sandbox)).toEqual(["Likes tea"]);

  sandbox.ok(["ingest", "-", "--session", "s1"], { stdin: "Hello.\n" });
  sandbox.ok(["sessions", "delete", "s1", "--yes"]);
  expect(sandbox.run(["undo"]).exitCode).toBe(3);
  sandbox.ok(["undo", "--skip"]);
  sandbox.ok(["undo", "--skip"]);
  sandbox.ok(["undo"]);
  expect(facts(sandbox)).toEqual([]);
});

test("UNDO-7: after clear, undo says that it is permanent, and changes nothing at home", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  await sandbox.addFact("Likes tea", {}, { scope: "global" });
  await sandbox.addFact("The build uses Bun");
  sandbox.ok(["clear", "--yes"]);
  const refused = sandbox.run(["undo"]);
  expect(refused.exitCode).toBe(3);
  expect(refused.stderr).toContain("clear");
  expect(refused.stderr).toContain("backups");
  expect(refused.stderr).toContain("retain undo --skip");
  expect(facts(sandbox)).toEqual(["Likes tea"]);
  expect(sandbox.ok(["clear", "--yes", "--json"]).json.data.backup).toBeNull();
  sandbox.ok(["undo", "--skip"]);
  sandbox.ok(["undo"]);
  expect(facts(sandbox)).toEqual([]);
});

test("UNDO-7: one undo reverts a whole import, except its conversations", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  const memory = () => [facts(sandbox), ids(sandbox), sandbox.tree(join(sandbox.memory, "memories"))];
  const before = memory();
  writeAll(join(sandbox.work, "old"), {
    "memories/MEMORY.md": "- Lives in Oslo\n\nSome other text.\n",
    "memories/USER.md": "# User\n\n- Is a gardener\n",
    "memories/2026-02-07.md": "## 10:30 - Seeds\nStupice\n",
    "memories/chats/team/MEMORY.md": "- Meets on Monday\n",
    "memories/working/s1.md": "scratch\n",
    "sessions/garden.jsonl": '{"role": "user", "content": "Which tomatoes?"}\n',
    "plans/release.md": "---\nid: release\ncollection: plans\n---\n# Release\n\nShip it.\n",
  });
  expect(sandbox.ok(["migrate", "old"]).stdout).toContain("retain undo (sessions stay)");
  const imported = memory();
  expect(imported).not.toEqual(before);
  expect(sandbox.ok(["undo"]).stdout).toContain("plans/release");
  expect(memory()).toEqual(before);
  expect(sandbox.ok(["sessions", "--quiet"]).stdout).toContain("garden");
  sandbox.ok(["migrate", "old"]);
  expect([facts(sandbox), ids(sandbox)]).toEqual(imported.slice(0, 2));
  sandbox.ok(["undo"]);
  sandbox.ok(["undo"]);
  expect(facts(sandbox)).toEqual([]);
});

test("UNDO-6: a record that names a document outside of the workspace changes nothing", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  const undo = join(sandbox.work, ".retain/.undo");
  mkdirSync(undo);
  const outside = sandbox.write("outside.md", "# Mine\n");
  const after = stateHash(parseMarkdown("# Mine\n"));
  const documents = [{ collection: "../../..", id: "outside", before: null, after }];
  const record = { label: "put", at: "2026-01-01T00:00:00Z", files: [], documents };
  writeFileSync(join(undo, "00000001.json"), JSON.stringify(record));
  expect(sandbox.run(["undo"]).exitCode).toBe(2);
  expect(readFileSync(outside, "utf8")).toBe("# Mine\n");
});

test("UNDO-7: undoing step by step loses no version, and brings back the exact bytes", async () => {
  const sandbox = new Sandbox();
  const most = 4;
  mkdirSync(sandbox.memory);
  writeFileSync(join(sandbox.memory, "config.yaml"), `max_versions: ${most}\n`);
  const states: string[] = [];
  for (let number = 1; number <= most; number++) {
    await put(sandbox, `real version ${number}`);
    states.push(sandbox.document("memory", "doc"));
  }
  const kept = () => sandbox.ok(["versions", "doc", "--json"]).json.data.versions.length;
  const before = kept();
  for (const state of states.slice(0, -1).reverse()) {
    sandbox.ok(["undo"]);
    expect(sandbox.document("memory", "doc")).toBe(state);
  }
  expect(kept()).toBe(before);
  sandbox.ok(["undo"]);
  expect(ids(sandbox)).toEqual([]);
});

test("UNDO-2: a removed line comes back next to its neighbours, although one of them was forgotten", async () => {
  const sandbox = new Sandbox();
  for (const text of ["I prefer tabs", "My dentist is Dr. Weber", "My dentist is Dr. Klein", "Likes tea"])
    await sandbox.addFact(text);
  const [older] = sandbox
    .ok(["facts", "--json"])
    .json.data.facts.filter(({ text }: { text: string }) => text.endsWith("Weber"));
  sandbox.ok(["review", older.id, "--newer"]);
  sandbox.ok(["forget", "I prefer tabs", "--yes"]);
  sandbox.ok(["undo", "--skip"]);
  sandbox.ok(["undo"]);
  expect(facts(sandbox)).toEqual(["My dentist is Dr. Weber", "My dentist is Dr. Klein", "Likes tea"]);
});

test("UNDO-5: documents deleted by one command come back together, and an added mental model goes", async () => {
  const sandbox = new Sandbox();
  for (const id of ["a", "b"]) await sandbox.addDocument(body(id).stdin, { id });
  sandbox.ok(["delete", "a", "b"]);
  sandbox.ok(["undo"]);
  expect(ids(sandbox)).toEqual(["a", "b"]);
  sandbox.ok(["mental-models", "add", "sport", "What sport do I do?"]);
  sandbox.ok(["undo"]);
  expect(sandbox.run(["mental-models", "show", "sport"]).exitCode).toBe(1);
  expect(ids(sandbox)).toEqual(["a", "b"]);
});

test("UNDO-5: undo of a decision that both facts hold, or of a last day, says in words what it reverts", () => {
  const sandbox = new Sandbox(WITH_MEANING);
  for (const text of ["The lease ends in May 2026.", "The lease ends in June 2027."])
    sandbox.ok(["remember", text]);
  const [older] = sandbox.ok(["facts", "--json"]).json.data.facts;
  sandbox.ok(["review", older.id, "--both"]);
  const undone = () => sandbox.ok(["undo"]).stdout.trim().split("\n").slice(1);
  expect(undone()).toEqual(["- both are true: The lease ends in June 2027."]);
  for (const day of ["2199-11-20", "2199-11-21"])
    sandbox.ok(["remember", "--until", day, "Nora is on leave"]);
  expect(undone()).toEqual(["- until 2199-11-21: Nora is on leave"]);
});
