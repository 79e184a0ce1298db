import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

/** The same name, decomposed as on macOS and composed as most keyboards type it. */
const NFD = "cafe\u0301";
const NFC = "caf\u00e9";
const EITHER = [NFD, NFC];
const ENV = { RETAIN_EMBEDDING: "none" };
const note = (text: string) => ({ stdin: `# Note\n\n${text}\n` });

test("ID-3: a document is found by either Unicode form of its id and its collection", () => {
  const sandbox = new Sandbox();
  for (const stored of EITHER) {
    const collection = `${stored}-shelf`;
    sandbox.ok(["put", "-", "--id", stored, "--collection", collection], note(`first ${stored.length}`));
    for (const said of EITHER) {
      const named = [said, "--collection", `${said}-shelf`];
      expect(sandbox.ok(["get", said, "--format", "raw"]).stdout).toContain("first");
      expect(sandbox.ok(["get", ...named, "--format", "raw"]).stdout).toContain("first");
      expect(sandbox.ok(["list", "-q", "--collection", `${said}-shelf`]).stdout).toBe(`${NFC}\n`);
      const found = sandbox.ok(["search", "first", "--collection", `${said}-shelf`, "--json"]);
      expect(found.json.data.results).toHaveLength(1);
      sandbox.ok(["update", ...named, "--tags", `tag${stored.length}${said.length}`]);
      expect(sandbox.ok(["versions", ...named]).stdout).toContain("v1");
      expect(sandbox.run(["diff", ...named]).exitCode).toBe(0);
      sandbox.ok(["delete", ...named]);
      sandbox.ok(["restore", ...named]);
    }
  }
  expect(readdirSync(join(sandbox.memory, "collections"))).toEqual([`${NFC}-shelf`]);
  expect(sandbox.ok(["list", "--json"]).json.data.total).toBe(1);
});

test("ID-3: a file and a collection named in the other form by another system are found, without duplicates", () => {
  const sandbox = new Sandbox();
  const directory = join(sandbox.memory, "collections", `${NFD}-shelf`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${NFD}.md`), "# Copied\n\nby rsync\n");
  for (const said of EITHER) {
    const named = [said, "--collection", `${said}-shelf`];
    expect(sandbox.ok(["get", said, "--format", "raw"]).stdout).toContain("by rsync");
    expect(sandbox.ok(["get", ...named, "--format", "raw"]).stdout).toContain("by rsync");
    expect(sandbox.ok(["list", "-q", "--collection", `${said}-shelf`]).stdout).toContain(`${NFD}\n`);
    const found = sandbox.ok(["search", "rsync", "--collection", `${said}-shelf`, "--json"]);
    expect(found.json.data.results).toHaveLength(1);
    const text = `# Copied\n\nby rsync, then ${said.length}\n`;
    sandbox.ok(["put", "-", "--id", said, "--collection", `${said}-shelf`], { stdin: text });
    sandbox.ok(["put", "-", "--id", "other", "--collection", `${said}-shelf`], note(said));
  }
  expect(readdirSync(join(sandbox.memory, "collections"))).toEqual([`${NFD}-shelf`]);
  expect(
    readdirSync(directory)
      .filter((name) => name.endsWith(".md"))
      .sort(),
  ).toEqual([`${NFD}.md`, "other.md"]);
  sandbox.ok(["delete", NFC]);
  expect(existsSync(join(directory, `${NFD}.md`))).toBe(false);
  sandbox.ok(["restore", NFC]);
  expect(existsSync(join(directory, `${NFD}.md`))).toBe(true);
});

test("ID-3: filters, tags, chats, sessions and facts accept either form", () => {
  const sandbox = new Sandbox();
  const env = ENV;
  sandbox.ok(["put", "-", "--id", "a", "--tags", NFD], note("a"));
  sandbox.ok(["put", "-", "--id", "b", "--tags", NFC], note("b"));
  const session = ["--session", `${NFD}-talk`, "--chat", `${NFD}-chat`];
  sandbox.ok(["ingest", "-", ...session], { stdin: "Hello there.\n\n[MEMORY] Owls sleep\n", env });
  sandbox.ok(["log", `${NFD}: came by`, "--chat", `${NFD}-chat`], { env });
  sandbox.ok(["remember", `The ${NFD} opens at nine`], { env });
  for (const said of EITHER) {
    expect(
      sandbox
        .ok(["list", "-q", "--filter", `tags=${said}`])
        .stdout.split("\n")
        .sort(),
    ).toEqual(["", "a", "b"]);
    expect(sandbox.ok(["sessions", "show", `${said}-talk`], { env }).stdout).toContain("Hello there.");
    expect(sandbox.ok(["sessions", "list", "--chat", `${said}-chat`, "--json"], { env }).stdout).toContain(
      "talk",
    );
    expect(sandbox.ok(["facts", "--chat", `${said}-chat`, "-q"], { env }).stdout).toBe("");
    expect(sandbox.ok(["notes", "--chat", `${said}-chat`], { env }).stdout).toContain("came by");
    const forget = sandbox.run(["forget", `The ${said} opens at nine`, "--dry-run"], { env });
    expect([said, forget.exitCode]).toEqual([said, 0]);
    const more = ["--session", `${said}-talk`, "--chat", `${said}-chat`];
    expect(sandbox.run(["ingest", "-", ...more], { stdin: "Again.\n", env }).exitCode).toBe(0);
    expect(sandbox.run(["compact", "--chat", `${said}-chat`, "--dry-run"], { env }).exitCode).toBe(0);
    expect(sandbox.run(["context", "--chat", `${said}-chat`], { env }).stdout).toContain("came by");
  }
  expect(sandbox.ok(["sessions", "list", "--json"], { env }).json.data.sessions).toHaveLength(1);
  expect(readdirSync(join(sandbox.memory, "memories/chats"))).toEqual([`${NFC}-chat`]);
});

test("ID-3: a folder's documents accept either form", () => {
  const sandbox = new Sandbox();
  sandbox.write(`vault/${NFD}/${NFD}.md`, "# Vault\n\ntext\n");
  sandbox.ok(["folders", "add", join(sandbox.work, "vault"), "--name", "vault"]);
  for (const said of EITHER)
    expect(sandbox.ok(["get", `${said}/${said}`, "--format", "raw"]).stdout).toContain("text");
});
