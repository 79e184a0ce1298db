import { expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

const skillsOf = (sandbox: Sandbox) =>
  sandbox
    .ok(["skills", "--json"])
    .json.data.skills.map(({ name, origin, trusted, problem }: Record<string, unknown>) => [
      name,
      origin,
      trusted,
      problem === null,
    ]);

test("SKILL-1: skills new writes a template to the project's or home workspace, and overwrites nothing", async () => {
  const sandbox = new Sandbox();
  const home = sandbox.ok(["skills", "new", "release", "--description", "Use it: for releases."]);
  const file = join(sandbox.memory, "skills/release/SKILL.md");
  expect(home.stdout).toContain(`✓ Created ${file}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toStartWith(
    '---\nname: release\ndescription: "Use it: for releases."\n---\n\n# ',
  );
  writeFileSync(file, "mine");
  const again = sandbox.run(["skills", "new", "release"]);
  expect([again.exitCode, readFileSync(file, "utf8")]).toEqual([3, "mine"]);
  expect(sandbox.run(["skills", "new", "deploy", "--local"]).exitCode).toBe(2);

  await sandbox.makeProject();
  expect(sandbox.ok(["skills", "new", "deploy", "--json"]).json.data).toEqual({
    name: "deploy",
    path: join(sandbox.work, ".retain/skills/deploy/SKILL.md"),
    origin: "project",
    trusted: false,
  });
  sandbox.ok(["skills", "new", "mine", "--global"]);
  expect(existsSync(join(sandbox.memory, "skills/mine/SKILL.md"))).toBe(true);
  for (const name of ["../x", "a b", "", ".x", "a/b"])
    expect([name, sandbox.run(["skills", "new", name]).exitCode]).toEqual([name, 2]);
});

test("SKILL-1: skills list shows each skill's location, trust and problems", async () => {
  const sandbox = new Sandbox();
  expect(sandbox.ok(["skills"]).stdout).toContain("retain skills new <name>");
  sandbox.ok(["skills", "new", "blank"]);
  await sandbox.makeProject();
  sandbox.write(".retain/skills/deploy/SKILL.md", "---\ndescription: Deploys\u001b[2J.\n---\nDo it.\n");
  const { stdout } = sandbox.ok(["skills"]);
  expect(stdout).toMatch(/blank +home +invalid +\S.*description/);
  expect(stdout).toMatch(/deploy +project +not trusted +Deploys/);
  expect(stdout).not.toContain("\u001b");
  expect(stdout).toContain("retain skills trust <name>");
  expect(sandbox.ok(["skills", "list", "-q"]).stdout).toBe("blank\ndeploy\n");
  expect(skillsOf(sandbox)).toEqual([
    ["blank", "home", true, false],
    ["deploy", "project", false, true],
  ]);
});

test("SKILL-4: skills trust and untrust apply to a project's skill in its current state", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  const file = sandbox.write(".retain/skills/deploy/SKILL.md", "---\ndescription: Deploys.\n---\nDo it.\n");
  expect(sandbox.ok(["skills", "trust", "deploy"]).stdout).toContain("✓ Trusted 'deploy'");
  expect(sandbox.ok(["skills", "trust", "deploy"]).stdout).toContain("already trusted");
  expect(skillsOf(sandbox)).toEqual([["deploy", "project", true, true]]);
  appendFileSync(file, "And more.\n");
  expect(skillsOf(sandbox)).toEqual([["deploy", "project", false, true]]);
  sandbox.ok(["skills", "trust", "deploy"]);
  expect(sandbox.ok(["skills", "untrust", "deploy", "--json"]).json.data.changed).toBe(true);
  expect(sandbox.ok(["skills", "untrust", "deploy", "--json"]).json.data.changed).toBe(false);
  expect(skillsOf(sandbox)).toEqual([["deploy", "project", false, true]]);
});

test("SKILL-4: an untrustable skill is refused with a hint", async () => {
  const sandbox = new Sandbox();
  const fails = (args: string[], code: string, text: string) => {
    const { error } = sandbox.run(["skills", ...args, "--json"]).json;
    expect([error.code, `${error.message} ${error.hint}`]).toEqual([code, expect.stringContaining(text)]);
  };
  fails(["trust", "deploy"], "no_project", "project's directory");
  await sandbox.makeProject();
  sandbox.write(".retain/skills/deploy/SKILL.md", "---\ndescription: Deploys.\n---\nDo it.\n");
  sandbox.write(".retain/skills/broken/SKILL.md", "Do it.\n");
  sandbox.ok(["skills", "new", "own", "--global", "--description", "a"]);
  fails(["trust", "depoy"], "not_found", "Did you mean 'deploy'?");
  fails(["trust", "broken"], "invalid_input", "no frontmatter");
  fails(["trust", "own"], "usage", "always trusted");
  fails(["untrust", "nothing"], "not_found", "retain skills");
  fails(["trust"], "usage", "name is missing");
  fails(["list", "deploy"], "usage", "'deploy'");
  fails(["trust", "deploy", "more"], "usage", "");
  fails(["trust", "deploy", "--description", "a"], "usage", "'skills new'");
});

test("SKILL-4: many processes that trust at once lose nothing", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  const names = ["a1", "b2", "c3", "d4"];
  for (const name of names)
    sandbox.write(`.retain/skills/${name}/SKILL.md`, `---\ndescription: About ${name}.\n---\nDo it.\n`);
  const codes = await Promise.all(names.map((name) => sandbox.start(["skills", "trust", name]).exited));
  expect(codes).toEqual(names.map(() => 0));
  expect(skillsOf(sandbox)).toEqual(names.map((name) => [name, "project", true, true]));
});
