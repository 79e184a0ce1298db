/** Where facts go without any setting: facts about the person to home, everything else to the project. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assistant, ClaudeCode, user } from "../agent/hooks-transcript.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes } from "../mcp/clients.ts";

const NONE = { RETAIN_EMBEDDING: "none", RETAIN_MODEL: "none" };

/** Two repositories without a workspace of their own, and a place outside of both. */
class Repositories extends Sandbox {
  readonly app = this.repository("app");
  readonly other = this.repository("other");

  repository(name: string): string {
    const directory = join(this.work, name);
    mkdirSync(directory);
    this.git(["init", "-q", "-b", "main"], directory);
    this.git(["commit", "-q", "--allow-empty", "-m", "x"], directory);
    return directory;
  }

  retain(cwd: string, ...args: string[]): string {
    return this.ok(args, { cwd, env: NONE }).stdout;
  }

  facts(cwd: string): string[] {
    const { facts } = this.ok(["facts", "--json"], { cwd, env: NONE }).json.data;
    return facts.map(({ text }: { text: string }) => text).sort();
  }

  where(cwd: string, ...flags: string[]) {
    return this.ok(["where", "--json", ...flags], { cwd, env: NONE }).json.data;
  }
}

function memoryOf(root: string): string {
  const path = join(root, "memories/MEMORY.md");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

test("BANK-11: a repository's facts stay with it, facts about the person are known everywhere", () => {
  const box = new Repositories();
  const { app, other, work, memory } = box;
  box.retain(work, "remember", "Known since before");
  for (const args of [
    ["facts"],
    ["recall", "tea"],
    ["context"],
    ["list"],
    ["sessions"],
    ["status"],
    ["doctor"],
  ])
    box.run(args, { cwd: app, env: NONE });
  new ClaudeCode(box, "s", app).hook("session-start", { source: "startup" }, NONE);
  expect(existsSync(join(memory, "banks"))).toBe(false);

  box.retain(app, "remember", "The build runs on Bun");
  expect(box.retain(app, "remember", "I prefer tea")).toContain("all projects");
  box.retain(app, "remember", "Answers are short", "--category", "User Preferences");
  box.ok(["put", "-", "--id", "plan"], { cwd: app, env: NONE, stdin: "# Plan\n" });
  const everywhere = ["Answers are short", "I prefer tea", "Known since before"];
  expect(box.facts(app)).toEqual([...everywhere, "The build runs on Bun"]);
  expect(box.facts(other)).toEqual(everywhere);
  expect(box.facts(work)).toEqual(everywhere);
  expect(box.run(["get", "plan"], { cwd: other, env: NONE }).exitCode).toBe(1);

  box.git(["worktree", "add", "-q", "../linked", "-b", "linked"], app);
  expect(box.facts(join(work, "linked"))).toContain("The build runs on Bun");
  for (const directory of [app, other])
    box.git(["remote", "add", "origin", "git@example.org:team/app.git"], directory);
  expect(box.facts(other)).toEqual(everywhere);
  box.git(["clone", "-q", other, "clone"], work);
  box.git(["remote", "set-url", "origin", "https://example.org/team/app"], join(work, "clone"));
  box.retain(other, "remember", "Shared by clones");
  expect(box.facts(join(work, "clone"))).toContain("Shared by clones");
});

test("FACT-8: whoever writes a fact about the person, it goes to home; an explicit scope wins", () => {
  const box = new Repositories();
  const { app, memory } = box;
  const bank = box.where(app).root;
  const claude = new ClaudeCode(box, "s", app);
  const reply =
    'Noted.\n\n[MEMORY scope="global"] Works from Lisbon\n\n[MEMORY category="User preferences"] Likes dark mode\n\n' +
    '[MEMORY scope="project" category="Preferences"] Likes tabs here\n\n[MEMORY] Tests run on Bun';
  claude.write(
    user("Please remember that I live in Porto. Remember that we deploy on Fridays."),
    assistant(reply),
  );
  claude.hook("session-end", { reason: "other" }, NONE);
  box.retain(app, "remember", "--local", "I review this code");
  box.retain(app, "remember", "--global", "Lint before each commit");
  const home = ["Works from Lisbon", "Likes dark mode", "I live in Porto", "Lint before each commit"];
  const project = ["Likes tabs here", "Tests run on Bun", "we deploy on Fridays", "I review this code"];
  for (const fact of home)
    expect([memoryOf(memory), memoryOf(bank)]).toEqual([
      expect.stringContaining(fact),
      expect.not.stringContaining(fact),
    ]);
  for (const fact of project)
    expect([memoryOf(bank), memoryOf(memory)]).toEqual([
      expect.stringContaining(fact),
      expect.not.stringContaining(fact),
    ]);
});

test("FACT-8: a replacement is saved next to the fact it replaces, unless its writer names the scope", () => {
  const box = new Repositories();
  const { app, work, memory } = box;
  const idOf = (text: string) =>
    box
      .ok(["facts", "--json"], { cwd: app, env: NONE })
      .json.data.facts.find((fact: { text: string }) => fact.text === text).id;
  box.retain(work, "remember", "We deploy on Tuesdays");
  box.retain(app, "remember", "--replaces", idOf("We deploy on Tuesdays"), "We deploy on Fridays");
  expect(memoryOf(memory)).toContain("We deploy on Fridays");
  box.retain(app, "remember", "The editor is Zed");
  const bank = box.where(app).root;
  const mark = `[MEMORY replaces ${idOf("The editor is Zed")} scope="global"] The editor is Helix`;
  box.ok(["ingest", "-"], { cwd: app, env: NONE, stdin: `Noted.\n${mark}\n` });
  expect(memoryOf(bank)).not.toContain("The editor is");
  expect(memoryOf(memory)).toContain("The editor is Helix");
});

test("FACT-8: a fact or note that others get with the repository is reported as such, and no other", async () => {
  const box = new Repositories();
  const { app, other, work } = box;
  box.retain(app, "init");
  const isShared = (cwd: string, ...args: string[]) =>
    box.retain(cwd, ...args).includes("everyone on this project");
  expect(isShared(app, "remember", "Elena's therapist is Mrs. Lang")).toBe(true);
  expect(isShared(app, "log", "Talk: with Elena")).toBe(true);
  expect(isShared(app, "remember", "I prefer tea")).toBe(false);
  expect(isShared(app, "remember", "--global", "Deploys are on Mondays")).toBe(false);
  const { stderr } = box.ok(["chat", "--print", "Remember that Nora is on leave"], { cwd: app, env: NONE });
  expect(stderr).toContain("everyone on this project");
  expect(isShared(other, "remember", "Elena's therapist is Mrs. Lang")).toBe(false);
  expect(isShared(work, "remember", "Elena's therapist is Mrs. Lang")).toBe(false);
  const plain = join(work, "plain");
  mkdirSync(plain);
  box.retain(plain, "init");
  expect(isShared(plain, "remember", "Elena's therapist is Mrs. Lang")).toBe(false);

  const { client } = await overPipes(box, [], { cwd: app, env: NONE });
  const stored = async (scope: string) =>
    JSON.stringify(
      await client.callTool({ name: "retain", arguments: { items: [{ content: scope, scope }] } }),
    );
  expect(await stored("project")).toContain("everyone on this project");
  expect(await stored("global")).not.toContain("everyone on this project");
});

test("FACT-8: a fact that is known at home is not saved again in a project", () => {
  const here = new Repositories();
  here.retain(here.app, "remember", "My flight is at nine");
  const stdin = "Fine.\n[MEMORY] My flight is at nine\n";
  here.ok(["ingest", "-"], { cwd: here.app, env: NONE, stdin });
  expect(here.facts(here.app)).toEqual(["My flight is at nine"]);
});

test("UNDO-5: undo inside a project reverts the last change, wherever it was saved", () => {
  const box = new Repositories();
  const { app } = box;
  box.retain(app, "remember", "The build runs on Bun");
  box.retain(app, "remember", "I prefer tea");
  box.retain(app, "undo");
  expect(box.facts(app)).toEqual(["The build runs on Bun"]);
  box.retain(app, "undo");
  expect(box.facts(app)).toEqual([]);
});

/** What a model reads about where its facts go, on one line. */
function sentencesFor(audience: string): string {
  const path = join(import.meta.dir, `../../prompts/scope-${audience}.md`);
  return readFileSync(path, "utf8").trim().replace(/\s+/g, " ");
}

const CASES = ["home", "bank", "project"] as const;
for (const kind of CASES)
  test(`BANK-20: what models and people are shown agrees with what happens (${kind})`, async () => {
    const box = new Repositories();
    const { app, work, memory } = box;
    const cwd = kind === "home" ? work : app;
    if (kind === "project") box.retain(app, "init");
    const rest = {
      home: memory,
      bank: join(memory, "banks", box.where(cwd).bank),
      project: join(app, ".retain"),
    }[kind];
    const reads = [...new Set([rest, memory])];
    expect(box.where(cwd)).toMatchObject({ saves: { person: memory, facts: rest, rest }, reads });
    const shown = box.retain(cwd, "where");
    for (const root of reads) expect(shown).toContain(root);

    const said = sentencesFor(kind);
    const claude = new ClaudeCode(box, "s", cwd);
    const { client } = await overPipes(box, [], { cwd, env: NONE });
    const texts = [
      claude.hook("session-start", { source: "startup" }, NONE),
      client.getInstructions() ?? "",
      box.retain(cwd, "context"),
    ];
    for (const text of texts) expect(text.replace(/\s+/g, " ")).toContain(said);
    expect(said.includes('scope="global"')).toBe(kind !== "home");

    const items = [
      { content: "The tool saves this." },
      { content: "The tool saves this everywhere.", scope: "global" },
    ];
    await client.callTool({ name: "retain", arguments: { items } });
    const reply =
      'Ok.\n\n[MEMORY] The hook saves this.\n\n[MEMORY scope="global"] The hook saves this everywhere.';
    claude.write(user("Go on"), assistant(reply));
    claude.stop(reply, NONE);
    for (const writer of ["tool", "hook"]) {
      expect(memoryOf(rest)).toContain(`The ${writer} saves this.`);
      expect(memoryOf(memory)).toContain(`The ${writer} saves this everywhere.`);
      if (rest === memory) continue;
      expect(memoryOf(memory)).not.toContain(`The ${writer} saves this.`);
      expect(memoryOf(rest)).not.toContain(`The ${writer} saves this everywhere.`);
    }
  });

test("BANK-20: with Hindsight, the sentences follow hindsight_scoping", () => {
  const box = new Repositories();
  const server = { RETAIN_MEMORY_BACKEND: "hindsight", RETAIN_HINDSIGHT_URL: "http://localhost:1" };
  for (const [scoping, audience] of [
    ["per-project-tagged", "bank"],
    ["per-project", "alone"],
    ["global", "home"],
  ] as const) {
    const env = { ...NONE, ...server, RETAIN_HINDSIGHT_SCOPING: scoping };
    const { stdout } = box.ok(["context"], { cwd: box.app, env });
    expect(stdout.replace(/\s+/g, " ")).toContain(sentencesFor(audience));
  }
});
