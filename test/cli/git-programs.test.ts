/**
 * A repository may come from a stranger: an unpacked archive, a shared directory. Its .git/config names programs, and
 * git runs them. Here every setting that names one is a trap, and Retain must spring none.
 */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { body, Repository } from "../helpers/repository.ts";
import { overPipes } from "../mcp/clients.ts";

/** Names of settings that may hold a program. */
const MAY_NAME_PROGRAM =
  /alias|askpass|browser|clean|cmd|command|driver|editor|external|fsmonitor|helper|hook|pack$|pager|path|process|program|proxy|smudge|textconv|tool|vcs/i;

/** Settings that `git help --config` leaves out. */
const UNLISTED = [
  "filter.process.process",
  "hook.<name>.command",
  "tar.<format>.command",
  "trailer.<token>.cmd",
  "trailer.<token>.command",
];

/** Hooks that can reject or change a commit. */
const VERIFYING = ["pre-commit", "prepare-commit-msg", "commit-msg"];
const HOOKS = [
  ...VERIFYING,
  ...["post-checkout", "post-commit", "post-index-change", "pre-auto-gc", "reference-transaction"],
];

const DOCUMENT = ".retain/collections/knowledge/doc.md";

/** Four commits. The document's folder is missing from the first and its content from the second, as in a partial clone. */
class TrappedRepository extends Repository {
  /** Holds one link for each trap. A sprung trap leaves `<name>.ran`. */
  readonly #traps = join(this.root, "traps");

  constructor() {
    super();
    mkdirSync(this.#traps);
    this.write("../trap", '#!/bin/sh\n: > "$0.ran"\n');
    chmodSync(join(this.root, "trap"), 0o755);
    for (const text of ["one", "two", "three"]) {
      this.put(text);
      this.commit(text);
    }
    this.write("other.txt", "other\n");
    this.write(".gitattributes", "* filter=trap diff=trap merge=trap\nother.txt filter=process\n");
    this.commit("Another file");
    this.#sign();
    for (const name of ["HEAD~3:.retain/collections/knowledge", `HEAD~2:${DOCUMENT}`]) {
      const object = this.git(["rev-parse", name]).trim();
      rmSync(join(this.work, ".git/objects", object.slice(0, 2), object.slice(2)));
    }
    // Git looks into files that are newer than its index, and filters them for that.
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(this.work, "other.txt"), later, later);
  }

  /** Gives the last commit a signature, which `log.showSignature` checks. */
  #sign(): void {
    const [headers, message] = this.git(["cat-file", "commit", "HEAD"]).split(/\n\n(.*)/s);
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----";
    const file = this.write("../signed", `${headers}\n${signature}\n\n${message}`);
    const commit = this.git(["hash-object", "-t", "commit", "-w", file]).trim();
    this.git(["update-ref", "HEAD", commit]);
  }

  trap(name: string): string {
    const link = join(this.#traps, name);
    if (!existsSync(link)) symlinkSync("../trap", link);
    return link;
  }

  /** The names of the traps that something ran since the last look. */
  sprung(): string[] {
    const markers = readdirSync(this.#traps).filter((name) => name.endsWith(".ran"));
    for (const marker of markers) rmSync(join(this.#traps, marker));
    return markers.map((marker) => marker.slice(0, -".ran".length)).sort();
  }

  set(name: string, value: string): void {
    const [, section, middle, key] = /^([^.]+)\.(?:(.+)\.)?([^.]+)$/.exec(name) ?? [];
    const header = middle === undefined ? `[${section}]` : `[${section} "${middle}"]`;
    appendFileSync(join(this.work, ".git/included"), `${header}\n\t${key} = ${JSON.stringify(value)}\n`);
  }

  /** Every setting of the installed git that takes a program, by another file that the config includes. */
  trapSettings(names = this.settings()): void {
    for (const name of names)
      this.set(name, name.startsWith("alias.") ? `!${this.trap(name)}` : this.trap(name));
    if (names.includes("core.hooksPath")) this.set("core.hooksPath", join(this.work, ".git/hooks"));
    this.set("log.showSignature", "true");
    this.set("gc.auto", "1");
    this.git(["config", "include.path", "included"]);
  }

  /** A boolean or a number with such a name makes git fail: it isn't one of them. */
  settings(): string[] {
    const listed = this.git(["help", "--config"]).split("\n");
    const names = [...listed, ...UNLISTED]
      .filter((name) => MAY_NAME_PROGRAM.test(name) && !/^include|version$/i.test(name))
      .map((name) => name.replace(/^((?:pager|alias)\.).*/, "$1log"))
      // A remote with a helper of its own asks no upload-pack.
      .map((name) => name.replace(/<.*>/, name.endsWith(".vcs") ? "helped" : "trap"))
      .filter((name) => this.#gitTakes(name));
    this.sprung();
    return names;
  }

  #gitTakes(name: string): boolean {
    const command = ["git", "-c", `${name}=${this.trap(name)}`, "commit", "--dry-run", "--allow-empty"];
    return !/bad \w+ config|invalid/i.test(
      Bun.spawnSync(command, { cwd: this.work, env: this.env() }).stderr.toString(),
    );
  }

  /** A fetch of the missing objects tries one after the other. */
  trapRemotes(): void {
    this.git(["config", "core.repositoryFormatVersion", "1"]);
    this.git(["config", "extensions.partialClone", "trap"]);
    const urls = {
      trap: this.work,
      ssh: "ssh://localhost/nowhere",
      proxied: "git://localhost/nowhere",
      helper: `ext::${this.trap("ext")}`,
    };
    for (const [name, url] of Object.entries(urls)) {
      this.set(`remote.${name}.url`, url);
      this.set(`remote.${name}.promisor`, "true");
    }
    this.set("protocol.ext.allow", "always");
  }

  trapHooks(names: readonly string[]): void {
    for (const name of names) {
      this.write(`.git/hooks/${name}`, `#!/bin/sh\nexec '${this.trap(name)}'\n`);
      chmodSync(join(this.work, ".git/hooks", name), 0o755);
    }
  }

  /** A git on PATH that is older than GIT_NO_LAZY_FETCH. */
  olderGit(): string {
    const bin = join(this.root, "bin");
    this.write("../bin/git", `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '${Bun.which("git")}' "$@"\n`);
    chmodSync(join(bin, "git"), 0o755);
    return `${bin}:${process.env.PATH}`;
  }
}

function trapped(hooks: readonly string[] = HOOKS, mayTrap: (setting: string) => boolean = () => true) {
  const repository = new TrappedRepository();
  repository.trapSettings(repository.settings().filter(mayTrap));
  repository.trapRemotes();
  repository.trapHooks(hooks);
  return repository;
}

test("GIT-10: git itself would run the programs used in the next tests", () => {
  const repository = trapped();
  appendFileSync(repository.file, "changed\n");
  const commit = ["-c", "filter.process.process=", "commit", "--allow-empty", "--all", "--message", "Sprung"];
  for (const args of [
    ["cat-file", "blob", `HEAD~2:${DOCUMENT}`],
    ["log", "-1"],
    ["show", "--textconv"],
    ["show", "--ext-diff"],
    [...commit, "--gpg-sign"],
    [...commit, "--no-gpg-sign"],
  ])
    Bun.spawnSync(["git", ...args], { cwd: repository.work, env: repository.env() });
  expect(repository.sprung()).toEqual(
    [
      ...["core.fsmonitor", "core.gitProxy", "core.sshCommand", "ext", "remote.trap.uploadpack"],
      ...["diff.trap.command", "diff.trap.textconv", "gpg.program"],
      ...["filter.process.process", "filter.trap.clean", "filter.trap.smudge"],
      ...HOOKS.filter((hook) => !/checkout|gc/.test(hook)),
    ].sort(),
  );
});

const READING: readonly (readonly string[])[] = [
  ["where"],
  ["init"],
  ["status"],
  ["doctor"],
  ["list"],
  ["search", "two"],
  ["recall", "two"],
  ["context"],
  ["facts"],
  ["versions", "doc"],
  ...["HEAD", "HEAD~1", "HEAD~2", "HEAD~3"].map((version) => ["get", "doc", "--version", version]),
  ["diff", "doc"],
  ["diff", "doc", "--from", "HEAD~3", "--to", "HEAD"],
  ["restore", "doc"],
  ["restore", "doc", "--version", "HEAD~3"],
  ["restore", "doc", "--version", "HEAD"],
  ["update", "doc", "--tags", "x"],
  ["delete", "doc"],
  ["restore", "doc"],
  ["versions", "nothing"],
  ["chat", "What do you know about two?"],
  ["reindex"],
];

for (const age of ["this", "an older"])
  test(`GIT-10: ${age} git runs no program that a repository names, whatever reads`, async () => {
    const repository = trapped();
    const env: Record<string, string> = age === "this" ? {} : { PATH: repository.olderGit() };
    repository.retain(["put", "-", "--id", "new"], { ...body("new"), env });
    const [fact] = repository.retain(["remember", "Anna likes tea", "--json"], { env }).json.data.saved;
    // Git is asked whether it tracks an index that is unknown here.
    rmSync(join(repository.memory, "databases"));
    for (const args of [...READING, ["forget", fact.id, "--yes"]]) {
      repository.fails([...args], { env });
      expect([args, repository.sprung()]).toEqual([args, []]);
    }
    const { client } = await overPipes(repository, [], { env });
    await client.callTool({ name: "memory_list", arguments: { what: "versions", id: "doc" } });
    await client.callTool({ name: "memory_get", arguments: { id: "doc", version: "HEAD~2" } });
    expect(repository.sprung()).toEqual([]);
  });

const COMMIT = ["restore", "doc", "--version", "HEAD~1", "--commit"];
const RUN_FOR_COMMIT = /^(?:core\.hooksPath|filter\..*|gpg\..*|hook\..*)$/;

test("GIT-6: restore --commit refuses to run the repository's programs, before anything changes", () => {
  const repository = trapped();
  const before = readFileSync(repository.file, "utf8");
  const refused = repository.fails(COMMIT);
  expect(refused.exitCode).toBe(1);
  for (const name of ["pre-commit", "core.hookspath", "filter.trap.clean", "gpg.program"])
    expect(refused.stderr).toContain(name);
  expect(readFileSync(repository.file, "utf8")).toBe(before);
  expect(repository.sprung()).toEqual([]);
});

test("GIT-6: without such programs, restore --commit works", () => {
  const repository = trapped(
    HOOKS.filter((hook) => !VERIFYING.includes(hook)),
    (setting) => !RUN_FOR_COMMIT.test(setting),
  );
  repository.put("four");
  const { git_ref } = repository.retain([...COMMIT, "--json"]).json.data;
  expect(repository.git(["rev-parse", "HEAD"]).trim()).toBe(git_ref);
  expect(repository.sprung()).toEqual([]);
});

/** Two commits, and a document that is about to be restored to the first. */
function committed(): Repository {
  const repository = new Repository();
  repository.put("one");
  repository.commit("first");
  repository.put("two");
  repository.commit("second");
  return repository;
}

for (const [scope, name] of [
  ["--local", "filter.mine.clean"],
  ["--local", "filter.mine.process"],
  ["--local", "gpg.program"],
  ["--local", "gpg.ssh.defaultKeyCommand"],
  ["--local", "core.hooksPath"],
  ["--global", "core.hooksPath"],
] as const)
  test(`GIT-6: one ${scope.slice(2)} ${name} is enough to refuse`, () => {
    const repository = committed();
    repository.git(["config", scope, name, "anything"]);
    expect(repository.fails(COMMIT).stderr).toContain(name.toLowerCase());
    expect(repository.raw()).toBe("# Doc\n\ntwo\n");
  });

for (const hook of VERIFYING)
  test(`GIT-6: a ${hook} hook is enough to refuse, once it can be run`, () => {
    const repository = committed();
    repository.write(`.git/hooks/${hook}`, "#!/bin/sh\n");
    chmodSync(join(repository.work, ".git/hooks", hook), 0o755);
    expect(repository.fails(COMMIT).stderr).toContain(hook);
    expect(repository.raw()).toBe("# Doc\n\ntwo\n");
    chmodSync(join(repository.work, ".git/hooks", hook), 0o644);
    repository.retain(COMMIT);
  });

test("GIT-6: a commit runs filters of the user's own config", () => {
  const repository = committed();
  repository.git(["config", "--global", "filter.loud.clean", "tr a-z A-Z"]);
  repository.write(".gitattributes", "*.md filter=loud\n");
  repository.retain(COMMIT);
  expect(repository.git(["show", `HEAD:${DOCUMENT}`])).toEndWith("# DOC\n\nONE\n");
});

test("GIT-12: in a partial clone nothing is fetched, and a missing version is an error", () => {
  const origin = committed();
  const [fact] = origin.retain(["remember", "Anna likes tea", "--json"]).json.data.saved;
  origin.commit("third");
  origin.git(["config", "uploadpack.allowFilter", "true"]);
  origin.git(["config", "uploadpack.allowAnySHA1InWant", "true"]);
  const cwd = join(origin.root, "clone");
  origin.git(["clone", "--quiet", "--filter=blob:none", `file://${origin.work}`, cwd]);
  const objects = origin.tree(join(cwd, ".git/objects"));
  expect(origin.retain(["versions", "doc", "-q"], { cwd }).stdout.trim().split("\n")).toHaveLength(2);
  for (const args of [
    ["get", "doc", "--version", "HEAD~2"],
    ["diff", "doc"],
    ["restore", "doc"],
  ])
    expect(origin.fails(args, { cwd }).stderr).toContain("git fetch --refetch --no-filter");
  expect(origin.retain(["forget", fact.id, "--yes"], { cwd }).stderr).toContain("partial clone");
  expect(origin.tree(join(cwd, ".git/objects"))).toEqual(objects);
  origin.git(["fetch", "--quiet", "--refetch", "--no-filter"], cwd);
  const old = origin.retain(["get", "doc", "--version", "HEAD~2", "--format", "raw"], { cwd });
  expect(old.stdout).toBe("# Doc\n\none\n");
});

test("GIT-12: versions missing from a partial clone are omitted with a warning", () => {
  const repository = new TrappedRepository();
  repository.trapRemotes();
  repository.git(["config", "include.path", "included"]);
  const { stdout, stderr } = repository.retain(["versions", "doc"]);
  expect(stdout).toContain("three");
  expect(stdout).not.toContain("one");
  expect(stderr).toContain("partial clone");
});
