import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { hindsightScope } from "../../src/config/bank-scope.ts";
import { remotesIn } from "../../src/config/git-config.ts";
import { projectIdentity } from "../../src/config/project-identity.ts";
import { repositoryAddress } from "../../src/config/repository-address.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/);

test("BANK-8: ssh, https and short forms of a repository's URL are equal", () => {
  const path = fc.array(word, { minLength: 1, maxLength: 3 });
  const secret = fc.stringMatching(/^[A-Z0-9]{12}$/);
  fc.assert(
    fc.property(word, path, secret, fc.nat(65_535), (host, parts, password, port) => {
      const server = `${host}.example.org`;
      const place = parts.join("/");
      const spellings = [
        `https://${server}/${place}`,
        `https://${server}/${place}.git`,
        `https://user:${password}@${server}/${place}.git/`,
        `https://${password}@${server}:${port}/${place}.git?token=${password}#x`,
        `http://${server.toUpperCase()}//${place}`,
        `ssh://git@${server}:${port}/${place}.git`,
        `git://${server}/${place}.git`,
        `git@${server}:${place}.git`,
        `${server}:${place}`,
        `git@ssh.${server}:/${place}/`,
      ];
      for (const url of spellings) {
        const address = repositoryAddress(url, "/base");
        expect([url, address]).toEqual([url, `${server}/${place}`]);
        expect(address).not.toContain(password);
      }
    }),
  );
});

test("BANK-8: paths stay paths, and invalid URLs are null", () => {
  const cases: [string, string | null][] = [
    ["/srv/git/a.git", "/srv/git/a"],
    ["file:///srv/git/a.git/", "/srv/git/a"],
    ["../a.git", "/a"],
    ["./with:colon/a", "/base/with:colon/a"],
    ["user@[::1]:a.git", "::1/a"],
    ["ssh://git@[::1]:22/a.git", "::1/a"],
    ["https://example.org/%61", "example.org/a"],
    ["https://example.org/%zz", "example.org/%zz"],
    ["ext::ssh -i key host %S", null],
    ["https://", null],
    ["https://example.org/", null],
    ["", null],
  ];
  for (const [url, address] of cases) expect([url, repositoryAddress(url, "/base")]).toEqual([url, address]);
  fc.assert(
    fc.property(fc.string(), (url) => {
      const address = repositoryAddress(url, "/base");
      expect(address === null || address.length > 0).toBe(true);
    }),
  );
});

test("BANK-8: remotes are read as git reads them", () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q"]);
  const config = join(sandbox.work, ".git/config");
  const url = fc
    .string({ unit: fc.constantFrom(...'ab/:@."\\#; \t%=['), minLength: 1 })
    .filter((text) => text.trim() !== "");
  const name = fc.constantFrom("origin", "up.stream", "a-b", "UP");
  fc.assert(
    fc.property(fc.array(fc.tuple(name, url), { maxLength: 3 }), (remotes) => {
      writeFileSync(config, "");
      for (const [remote, address] of remotes) sandbox.git(["config", `remote.${remote}.url`, address]);
      const found = new Map(remotesIn(readFileSync(config, "utf8")).map((one) => [one.name, one.url]));
      for (const [remote] of remotes)
        expect(found.get(remote)).toBe(
          sandbox
            .git(["config", `remote.${remote}.url`])
            .slice(0, -1)
            .trim(),
        );
    }),
    { numRuns: 12 },
  );
  const odd =
    '; url = no\n[core]\n\turl = no\n[REMOTE.Old] url = "a b" # x\n[remote "x\\"y"]\nurl=c\\\nd\nURL = e\n[remote "none"]\n';
  expect(remotesIn(odd)).toEqual([
    { name: "old", url: "a b" },
    { name: 'x"y', url: "cd" },
  ]);
});

function repository(sandbox: Sandbox, path: string, remote?: string): string {
  const directory = join(sandbox.work, path);
  mkdirSync(join(directory, "src"), { recursive: true });
  sandbox.git(["init", "-q", "-b", "main"], directory);
  sandbox.git(["commit", "-q", "--allow-empty", "-m", "x"], directory);
  if (remote !== undefined) sandbox.git(["remote", "add", "origin", remote], directory);
  return directory;
}

const idOf = (directory: string) => projectIdentity(directory).id;

test("BANK-8: a project is the same in all its worktrees, and after a move with its remote", () => {
  const sandbox = new Sandbox();
  const withRemote = repository(sandbox, "one/app", "git@example.org:team/App.git");
  const without = repository(sandbox, "two/app");
  for (const main of [withRemote, without]) {
    sandbox.git(["worktree", "add", "-q", "../linked", "-b", "linked"], main);
    const linked = join(main, "../linked");
    expect(idOf(linked)).toBe(idOf(main));
    expect(idOf(join(main, "src"))).toBe(idOf(main));
  }
  expect(projectIdentity(withRemote)).toMatchObject({
    name: "app",
    id: expect.stringMatching(/^app-[0-9a-f]{8}$/),
  });
  const before = idOf(withRemote);
  renameSync(withRemote, join(sandbox.work, "moved"));
  expect(idOf(join(sandbox.work, "moved"))).toBe(before);
  const clone = repository(sandbox, "clone", "https://me:secret@example.org/team/app");
  expect(idOf(clone)).toBe(before);
  symlinkSync(without, join(sandbox.work, "link"));
  expect(idOf(join(sandbox.work, "link"))).toBe(idOf(without));
});

test("BANK-8: worktrees of a bare repository are one project, and the first remote is used if there is no origin", () => {
  const sandbox = new Sandbox();
  const main = repository(sandbox, "main");
  sandbox.git(["clone", "-q", "--bare", main, join(sandbox.work, "app.git")]);
  const bare = join(sandbox.work, "app.git");
  sandbox.git(["remote", "remove", "origin"], bare);
  for (const name of ["a", "b"])
    sandbox.git(["worktree", "add", "-q", join(sandbox.work, name), "-b", name], bare);
  const [a, b] = [join(sandbox.work, "a"), join(sandbox.work, "b")];
  expect(projectIdentity(a)).toEqual(projectIdentity(b));
  expect(projectIdentity(a).name).toBe("app");
  sandbox.git(["remote", "add", "upstream", "https://example.org/other"], bare);
  expect(projectIdentity(b).name).toBe("other");
});

test("BANK-8: two projects with the same name differ, with and without git", () => {
  const sandbox = new Sandbox();
  const ids = [
    idOf(repository(sandbox, "a/app", "git@example.org:a/app.git")),
    idOf(repository(sandbox, "b/app", "git@example.org:b/app.git")),
    idOf(repository(sandbox, "c/app")),
    idOf(repository(sandbox, "d/app")),
  ];
  for (const path of ["e/app", "f/app"]) {
    mkdirSync(join(sandbox.work, path), { recursive: true });
    ids.push(idOf(join(sandbox.work, path)));
  }
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^app-[0-9a-f]{8}$/);
  mkdirSync(join(sandbox.work, "???"));
  expect(idOf(join(sandbox.work, "???"))).toMatch(/^project-[0-9a-f]{8}$/);
});

test("BANK-8: an unconfirmed .git file does not change a directory's project", () => {
  const sandbox = new Sandbox();
  const own = repository(sandbox, "own");
  sandbox.git(["worktree", "add", "-q", "../linked", "-b", "linked"], own);
  const strange = join(sandbox.work, "strange");
  mkdirSync(strange);
  for (const pointer of [join(own, ".git"), join(own, ".git/worktrees/linked"), "/nowhere"]) {
    writeFileSync(join(strange, ".git"), `gitdir: ${pointer}\n`);
    expect(idOf(strange)).not.toBe(idOf(own));
  }
});

test("BANK-10: Hindsight's bank and tags follow the scoping; tags from before there was a remote are queried too", () => {
  type Scoping = "global" | "per-project" | "per-project-tagged";
  const identity = { id: "app-1a2b3c4d", former: ["app-0f0f0f0f"] };
  const scope = (hindsight_scoping: Scoping, whose: typeof identity | null) =>
    hindsightScope({ hindsight_bank: "work", hindsight_scoping }, whose);
  const none = { tags: [], formerTags: [] };
  expect(scope("global", identity)).toEqual({ bank: "work", ...none });
  expect(scope("per-project", identity)).toEqual({ bank: "work-app-1a2b3c4d", ...none });
  expect(scope("per-project-tagged", identity)).toEqual({
    bank: "work",
    tags: ["project:app-1a2b3c4d"],
    formerTags: ["project:app-0f0f0f0f"],
  });
  for (const scoping of ["global", "per-project", "per-project-tagged"] as const)
    expect(scope(scoping, null)).toEqual({ bank: "work", ...none });
});
