/** Ids: what one command prints, others take; and a project sees the documents of the home workspace. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtOnce } from "../helpers/built-once.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN } from "../helpers/sandbox.ts";

/** A home workspace with one memory of each kind, seen from inside a project. */
const oneOfEach = builtOnce(async (sandbox) => {
  await sandbox.addDocument("# Owls\n\nOwls hunt at dusk.\n", { id: "owls" });
  await sandbox.addFact("Owls like barns");
  sandbox.ok(["log", "Barn: saw two owls"]);
  sandbox.ok(["--model", "none", "Where do owls nest?"]);
  await sandbox.makeProject();
});

async function projectAndHome() {
  const { sandbox } = await oneOfEach();
  return { sandbox, run: (...args: string[]) => sandbox.run(args) };
}

test("ID-6: every id that a search prints can be given to get, why and forget", async () => {
  const { run } = await projectAndHome();
  // The summary quotes the message, so that a search of all kinds shows only the message.
  const searches = [["owls"], ["owls", "--kind", "summary"]];
  const results = searches.flatMap((search) => run("search", ...search, "--json").json.data.results);
  const kinds = results.map(({ kind }: { kind: string }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["document", "fact", "note", "message", "summary"]));
  for (const { id, kind, text } of results) {
    const got = run("get", id);
    expect([kind, got.exitCode]).toEqual([kind, 0]);
    if (kind !== "summary") expect(got.stdout).toContain(text.trim());
    expect([kind, run("why", id).exitCode]).toEqual([kind, 0]);
    expect([kind, run("forget", id, "--dry-run").exitCode]).toEqual([kind, 0]);
  }
});

test("ID-6: forget removes a document with its versions, and a conversation", async () => {
  const { sandbox, run } = await projectAndHome();
  run("update", "owls", "--tags", "birds");
  const directory = join(sandbox.memory, "collections/memory");
  expect(readdirSync(join(directory, ".versions/owls"))).toHaveLength(1);
  expect(run("forget", "owls").exitCode).toBe(3);
  expect(run("forget", "owls", "--yes").exitCode).toBe(0);
  expect(existsSync(join(directory, "owls.md"))).toBe(false);
  expect(existsSync(join(directory, ".versions/owls"))).toBe(false);
  expect(run("restore", "owls").exitCode).toBe(1);
  const [{ id }] = run("sessions", "--json").json.data.sessions;
  expect(run("forget", id, "--yes").exitCode).toBe(0);
  expect(run("sessions", "-q").stdout).toBe("");
});

test("ID-6: forget removes a message from conversations, and leaves documents and facts that say the same", async () => {
  const { sandbox, run } = await projectAndHome();
  const said = "Where do owls nest?";
  sandbox.ok(["put", "-", "--id", "faq"], { stdin: `# FAQ\n\n${said} In barns.\n` });
  const [session] = run("sessions", "--json").json.data.sessions;
  const [message] = run("sessions", "show", session.id, "--json").json.data.conversation;
  expect(message.content).toBe(said);
  const id = String(message.id);
  expect(run("forget", id).exitCode).toBe(3);
  expect(run("forget", id, "--yes").exitCode).toBe(0);
  expect(run("get", "faq").stdout).toContain(`${said} In barns.`);
  expect(run("facts", "-q").stdout).not.toBe("");
  expect(run("sessions", "show", "last").stdout).not.toContain(said);
});

test("DOC-21: inside a project, commands find the home workspace's documents; --local leaves them out", async () => {
  const { sandbox, run } = await projectAndHome();
  sandbox.ok(["put", "-", "--id", "bats"], { stdin: "# Bats\n" });
  const listed = run("list", "--sort", "id", "--json").json.data.documents;
  expect(listed.map(({ id, origin }: Record<string, string>) => [id, origin])).toEqual([
    ["bats", "project"],
    ["owls", "home"],
  ]);
  expect(run("get", "owls").stdout).toContain("Owls hunt at dusk.");
  expect(run("update", "owls", "--tags", "birds").exitCode).toBe(0);
  expect(run("versions", "owls").stdout).toContain("v1");
  expect(run("delete", "owls").exitCode).toBe(0);
  expect(run("restore", "owls").exitCode).toBe(0);
  expect(run("get", "owls", "--global").stdout).toContain("Tags: birds");
  expect(run("list", "--local", "-q").stdout).toBe("bats\n");
  expect(run("get", "owls", "--local").exitCode).toBe(1);
});

test("DOC-21: where both workspaces have a document of one id, the project's is meant", async () => {
  const { sandbox, run } = await projectAndHome();
  sandbox.ok(["put", "-", "--id", "owls"], { stdin: "# Owls of this project\n" });
  expect(run("get", "owls").stdout).toContain("# Owls of this project");
  expect(run("delete", "owls").exitCode).toBe(0);
  expect(run("get", "owls").stdout).toContain("Owls hunt at dusk.");
});

test("DOC-21: a similar id is suggested from the project and from the home workspace", async () => {
  const { sandbox, run } = await projectAndHome();
  sandbox.ok(["put", "-", "--id", "kestrels"], { stdin: "# Kestrels\n" });
  for (const [typo, id] of [
    ["owlz", "owls"],
    ["kestrel", "kestrels"],
  ] as const)
    expect(run("get", typo, "--json").json.error.hint).toContain(`'${id}'`);
  expect(run("get", "owlz", "--local", "--json").json.error.hint).not.toContain("owls");
});

testNeeding("strace")(
  "DOC-21: reading a document of the home workspace examines none of the project's",
  async () => {
    const { sandbox } = await projectAndHome();
    for (const id of ["bats", "bees"]) sandbox.ok(["put", "-", "--id", id], { stdin: `# ${id}\n` });
    const log = join(sandbox.root, "calls");
    const traced = Bun.spawnSync(["strace", "-f", "-o", log, "-e", "trace=file", RETAIN, "get", "owls"], {
      cwd: sandbox.work,
      env: sandbox.env(),
    });
    expect(traced.stdout.toString()).toContain("Owls hunt at dusk.");
    const files = readFileSync(log, "utf8").match(/(?:owls|bats|bees)\.md/g);
    expect(new Set(files)).toEqual(new Set(["owls.md"]));
  },
);

test("DOC-8: every command on a deleted document says that it was deleted, when, and how to restore it", async () => {
  const { run } = await projectAndHome();
  const before = Math.floor(Date.now() / 1000) * 1000;
  expect(run("delete", "owls").exitCode).toBe(0);
  const told = [
    ...["get", "edit", "delete", "diff"].map((verb) => run(verb, "owls")),
    run("get", "owls", "--collection", "memory"),
    run("update", "owls", "--tags", "birds"),
    run("versions", "owls"),
  ].map(({ stdout, stderr }) => stdout + stderr);
  for (const text of told) {
    expect(text).toMatch(/'owls' was deleted/);
    expect(text).toContain("retain restore owls --collection memory");
    const [time = ""] = /\d{4}-\d\d-\d\dT[\d:]+Z/.exec(text) ?? [];
    expect(Date.parse(time)).toBeWithin(before, Date.now() + 1);
  }
  expect(run("restore", "owls", "--collection", "memory").exitCode).toBe(0);
  expect(run("get", "owls").stdout).toContain("Owls hunt at dusk.");
});

test("FLT-1: list and search filter by origin, also if a document's frontmatter has a key of that name", async () => {
  const { sandbox, run } = await projectAndHome();
  sandbox.ok(["put", "-", "--id", "bats"], { stdin: "---\norigin: a cave\n---\n# Bats\n\nNo owls.\n" });
  for (const [filter, id] of [
    ["origin=home", "owls"],
    ["origin!=home", "bats"],
    ["origin=project", "bats"],
    ["origin=Project", "bats"],
  ] as const) {
    expect([filter, run("list", "--filter", filter, "-q").stdout]).toEqual([filter, `${id}\n`]);
    expect([filter, run("search", "owls", "--filter", filter, "-q").stdout]).toEqual([filter, `${id}\n`]);
  }
  const [bats] = run("list", "--filter", "id=bats", "--json").json.data.documents;
  expect(bats.origin).toBe("project");
});

test("FLT-1: a filter on a field that no document has is a warning that names the fields", async () => {
  const { sandbox, run } = await projectAndHome();
  sandbox.ok(["put", "-", "--id", "bats"], { stdin: "---\nhabitat: cave\n---\n# Bats\n" });
  for (const command of [["list"], ["search", "owls"], ["recall", "owls"]]) {
    const warnings = (filter: string) => run(...command, "--filter", filter, "--json").json.warnings.join();
    expect(warnings("kind=fact")).toMatch(/'kind'.*\btags\b.*\borigin\b/);
    expect(warnings("prioritty!=low")).toContain("'priority'");
    for (const known of ["habitat=cave", "priority=high", "origin=bank"]) expect(warnings(known)).toBe("");
  }
});
