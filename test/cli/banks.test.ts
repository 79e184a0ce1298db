import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MapBackend } from "../../examples/map-backend.ts";
import type { RetainOptions } from "../../src/app/retain-options.ts";
import { openRetain } from "../../src/app.ts";
import { chooseBank } from "../../src/config/bank-scope.ts";
import { Sandbox } from "../helpers/sandbox.ts";

/** A machine with this scoping, two repositories, and a place outside of both. */
class Banks extends Sandbox {
  readonly app = join(this.work, "app");
  readonly other = join(this.work, "other");

  constructor(scoping: string) {
    super();
    for (const directory of [this.app, this.other]) {
      mkdirSync(join(directory, "src"), { recursive: true });
      this.git(["init", "-q", "-b", "main"], directory);
    }
    mkdirSync(this.memory);
    writeFileSync(join(this.memory, "config.yaml"), `mnemopi:\n  scoping: ${scoping}\nembedding: none\n`);
  }

  remember(fact: string, cwd = this.work, ...flags: string[]): void {
    this.ok(["remember", fact, ...flags], { cwd });
  }

  facts(cwd = this.work, ...flags: string[]): string[] {
    const { facts } = this.ok(["facts", "--json", ...flags], { cwd }).json.data;
    return facts.map(({ text }: { text: string }) => text).sort();
  }

  recall(query: string, cwd: string): string {
    return this.ok(["recall", query], { cwd }).stdout;
  }

  where(cwd: string) {
    return this.ok(["where", "--json"], { cwd }).json.data;
  }
}

test("BANK-11: global uses one memory even in a project with a workspace; --local still selects that workspace", () => {
  const banks = new Banks("global");
  banks.ok(["init"], { cwd: banks.app });
  banks.remember("Global one.", banks.app);
  banks.remember("Local one.", banks.app, "--local");
  expect(banks.facts()).toEqual(["Global one."]);
  expect(banks.facts(banks.app)).toEqual(["Global one."]);
  expect(banks.facts(banks.app, "--local")).toEqual(["Local one."]);
  expect(banks.where(banks.app)).toMatchObject({ bank: "global", scoping: "global", root: banks.memory });
});

test("BANK-11: per-project isolates each repository in its own bank, created by the first write", () => {
  const banks = new Banks("per-project");
  banks.remember("Home likes tea.");
  const { root, exists, bank } = banks.where(banks.app);
  expect([exists, existsSync(join(banks.memory, "banks"))]).toEqual([false, false]);
  expect(root).toBe(join(banks.memory, "banks", bank));
  banks.remember("App likes tea.", join(banks.app, "src"));
  banks.remember("Other likes tea.", banks.other);
  expect(banks.facts(banks.app)).toEqual(["App likes tea."]);
  expect(banks.facts(banks.other)).toEqual(["Other likes tea."]);
  expect(banks.facts()).toEqual(["Home likes tea."]);
  expect(banks.facts(banks.app, "--global")).toEqual(["Home likes tea."]);
  const recalled = banks.recall("who likes tea", banks.app);
  expect(recalled).toContain("App likes tea.");
  expect(recalled).not.toContain("Home likes tea.");
  expect(statSync(root).mode & 0o777).toBe(0o700);
  expect(banks.tree(banks.app).filter((path) => !path.startsWith(".git/"))).toEqual([]);
  expect(banks.facts(banks.app, "--local")).toEqual(["App likes tea."]);
  for (const args of [
    ["config", "set", "max_versions", "3"],
    ["connect", "claude-code"],
    ["skills", "new", "x"],
  ]) {
    const { exitCode, stderr } = banks.run([...args, "--local"], { cwd: banks.app });
    expect([args, exitCode, stderr]).toEqual([args, 2, expect.stringContaining("retain init")]);
  }
  banks.ok(["put", "-", "--id", "doc"], { cwd: banks.app, stdin: "# Doc\n" });
  expect(existsSync(join(root, "collections/memory/doc.md"))).toBe(true);
});

test("BANK-11: a project's own workspace takes precedence, in all its worktrees", () => {
  const banks = new Banks("per-project");
  banks.ok(["init"], { cwd: banks.app });
  banks.git(["commit", "-q", "--allow-empty", "-m", "x"], banks.app);
  banks.git(["worktree", "add", "-q", "../linked", "-b", "linked"], banks.app);
  banks.remember("App fact.", join(banks.work, "linked"));
  expect(readFileSync(join(banks.app, ".retain/memories/MEMORY.md"), "utf8")).toContain("App fact.");
  expect(banks.facts(banks.app)).toEqual(["App fact."]);
  banks.git(["commit", "-q", "--allow-empty", "-m", "x"], banks.other);
  banks.git(["worktree", "add", "-q", "../linked-other", "-b", "linked"], banks.other);
  expect(banks.where(join(banks.work, "linked-other")).bank).toBe(banks.where(banks.other).bank);
});

test("BANK-11: with per-project, a workspace above a repository does not belong to it", () => {
  const banks = new Banks("per-project");
  banks.ok(["init"]);
  banks.remember("Around.", banks.work);
  banks.remember("Inside.", banks.app);
  expect(banks.facts(banks.work)).toEqual(["Around."]);
  expect(banks.facts(banks.app)).toEqual(["Inside."]);
  const env = { RETAIN_LOCAL_SCOPING: "per-project-tagged" };
  const { stdout } = banks.ok(["where", "-q"], { cwd: banks.app, env });
  expect(stdout.trim()).toBe(join(banks.work, ".retain"));
});

test("BANK-11: per-project-tagged, once called auto, writes to the project's bank and also reads the home workspace", () => {
  const banks = new Banks("auto");
  expect(banks.where(banks.app).scoping).toBe("per-project-tagged");
  banks.remember("Home likes tea.");
  banks.remember("App likes tea.", banks.app);
  banks.remember("Other likes tea.", banks.other);
  expect(banks.facts()).toEqual(["Home likes tea."]);
  const recalled = banks.recall("who likes tea", banks.app);
  for (const fact of ["App likes tea.", "Home likes tea."]) expect(recalled).toContain(fact);
  expect(recalled).not.toContain("Other likes tea.");
});

test("BANK-10: where shows the bank and the reasons, for a bank on a server too", () => {
  const banks = new Banks("per-project");
  const text = banks.ok(["where"], { cwd: banks.app }).stdout;
  expect(text).toMatch(/^Bank +app-[0-9a-f]{8}$/m);
  expect(text).toContain("local_scoping is 'per-project'");
  expect(text).toContain(`${banks.app} is a repository`);
  const env = { RETAIN_MEMORY_BACKEND: "hindsight", RETAIN_HINDSIGHT_URL: "http://localhost:1" };
  const { hindsight, bank } = banks.ok(["where", "--json"], { cwd: banks.app, env }).json.data;
  expect(hindsight).toEqual({ bank: "retain", tags: [`project:${bank}`], formerTags: [] });
  const everywhere = banks.ok(["where", "--global", "--json"], { cwd: banks.app, env }).json.data;
  expect(everywhere.hindsight).toMatchObject({ bank: "retain", tags: [] });
  expect(banks.ok(["where", "--json"], { env }).json.data.hindsight).toMatchObject({
    ...{ bank: "retain", tags: [] },
  });
  expect(banks.where(banks.work)).toMatchObject({ bank: "global", hindsight: null });
});

test("BANK-8: neither a home directory under git nor another user's repository is a project", () => {
  const banks = new Banks("per-project");
  banks.git(["init", "-q"], banks.home);
  const documents = join(banks.home, "documents");
  mkdirSync(documents);
  expect(banks.where(documents)).toMatchObject({ bank: "global" });
  const surroundings = { cwd: banks.app, env: {}, homeDirectory: banks.home };
  const { uid } = statSync(banks.app);
  const ours = chooseBank({ ...surroundings, userId: uid === 0 ? 0 : uid }, "auto", "per-project");
  expect(ours.workspace.bank?.name).toBe("app");
  if (uid === 0) return;
  const strangers = chooseBank({ ...surroundings, userId: uid + 1 }, "auto", "per-project");
  expect(strangers.workspace.kind).toBe("home");
  expect(strangers.reasons.join()).toContain("another user's repository");
});

test("BANK-16: a bank uses the user's settings and ignores a config.yaml in it", () => {
  const banks = new Banks("per-project");
  banks.remember("A fact.", banks.app);
  const { root, config_file } = banks.where(banks.app);
  expect(existsSync(join(root, "config.yaml"))).toBe(false);
  writeFileSync(join(root, "config.yaml"), "nonsense: true\n");
  expect(banks.facts(banks.app)).toEqual(["A fact."]);
  banks.ok(["config", "set", "editor", "vi"], { cwd: banks.app });
  expect(config_file).toBe(join(banks.memory, "config.yaml"));
  expect(readFileSync(config_file, "utf8")).toContain("editor: vi");
});

test("BANK-16: forgetting in the home workspace does not touch banks", () => {
  const banks = new Banks("per-project");
  const fact = "The gate code is zyxqwv17.";
  banks.remember(fact);
  banks.remember(fact, banks.app);
  const [{ id }] = banks.ok(["facts", "--json"]).json.data.facts;
  expect(banks.ok(["forget", id, "--yes", "--json"]).json.data.left).toEqual([]);
  expect(banks.facts()).toEqual([]);
  expect(banks.facts(banks.app)).toEqual([fact]);
});

test("BANK-19: a repository that gains a remote keeps its bank and queries Hindsight under both names", () => {
  const banks = new Banks("per-project");
  banks.remember("Kept before the remote.", banks.app);
  const { root, bank } = banks.where(banks.app);
  banks.git(["remote", "add", "origin", "git@example.org:team/app.git"], banks.app);
  expect(banks.facts(banks.app)).toEqual(["Kept before the remote."]);
  banks.remember("Kept after the remote.", banks.app);
  const env = { RETAIN_MEMORY_BACKEND: "hindsight", RETAIN_HINDSIGHT_URL: "http://localhost:1" };
  const where = banks.ok(["where", "--json"], { cwd: banks.app, env }).json.data;
  expect([where.root, where.bank]).toEqual([root, bank]);
  expect(where.reasons.join()).toContain("before the repository had a remote");
  expect(where.hindsight.formerTags).toEqual([`project:${bank}`]);
  expect(where.hindsight.tags).not.toContain(`project:${bank}`);
});

test("BANK-19: a repository that gained a remote keeps its bank when it is moved or cloned later", () => {
  const banks = new Banks("per-project");
  const before = "Kept before the remote.";
  banks.remember(before, banks.app);
  const { root, bank } = banks.where(banks.app);
  banks.git(["remote", "add", "origin", "git@example.org:team/app.git"], banks.app);
  expect(banks.facts(banks.app)).toEqual([before]);
  const [moved, clone] = [join(banks.work, "moved"), banks.other];
  renameSync(banks.app, moved);
  banks.git(["remote", "add", "origin", "https://example.org/team/app"], clone);
  for (const place of [moved, clone]) {
    expect(banks.where(place)).toMatchObject({ root, bank });
    expect(banks.facts(place)).toEqual([before]);
  }
  banks.remember("Kept in the clone.", clone);
  expect(banks.facts(moved)).toEqual([before, "Kept in the clone."]);
  // Another remote is another project, and a bank that was deleted begins empty.
  banks.git(["remote", "set-url", "origin", "git@example.org:team/fork.git"], clone);
  expect(banks.facts(clone)).toEqual([]);
  rmSync(root, { recursive: true });
  banks.remember("Kept after the loss.", moved);
  expect(banks.facts(moved)).toEqual(["Kept after the loss."]);
});

test("LIB-1: a child shares the program's own backend, and only the parent closes it", async () => {
  const sandbox = new Sandbox();
  let closed = 0;
  const backend = Object.assign(new MapBackend(), { close: () => void closed++ });
  const parent = opened(sandbox, { backend });
  const child = parent.child();
  expect(await child.backend()).toBe(backend);
  await child.facts.retain([{ content: "Likes tea." }]);
  child.close();
  expect((await parent.recall("tea")).text).toContain("Likes tea.");
  expect(closed).toBe(0);
  parent.close();
  await Promise.resolve();
  expect(closed).toBe(1);
});

function opened(sandbox: Sandbox, options: RetainOptions = {}) {
  const env = { ...sandbox.env() };
  return openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env, ...options });
}

test("LIB-1: closing a child handle leaves the memory open; closing the parent closes the child", async () => {
  const sandbox = new Sandbox();
  const warnings: string[] = [];
  const parent = opened(sandbox, { onWarning: (message) => warnings.push(message) });
  const child = parent.child();
  const grandchild = child.child();
  await grandchild.facts.remember("Likes tea.");
  await child.documents.put({ content: "# Doc\n", id: "doc" });
  expect((await parent.facts.list()).map(({ text }) => text)).toEqual(["Likes tea."]);
  expect((await parent.documents.get("doc")).id).toBe("doc");
  expect(await child.backend()).toBeNull();
  const sibling = parent.child();
  child.close();
  for (const closed of [child, grandchild]) {
    expect(closed.documents.list()).rejects.toMatchObject({ code: "usage" });
    expect(() => closed.index.isEmpty()).toThrow("closed");
    expect(() => closed.child()).toThrow("closed");
  }
  expect((await sibling.recall("tea")).text).toContain("Likes tea.");
  expect(parent.index.isEmpty()).toBe(false);
  parent.close();
  expect(sibling.documents.list()).rejects.toMatchObject({ code: "usage" });
  expect(sibling.facts.list()).rejects.toMatchObject({ code: "usage" });
  expect(warnings).toEqual([]);
});
