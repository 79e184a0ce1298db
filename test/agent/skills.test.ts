import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSkills, isUsable, readSkill, type Skill, skillsPrompt } from "../../src/agent/skills/skills.ts";
import { changeTrust, readTrust } from "../../src/agent/skills/trust.ts";
import { Place } from "./tools-place.ts";

class SkillPlace extends Place {
  readonly project = join(this.cwd, ".retain");

  constructor() {
    super({ skills: () => this.find() });
    mkdirSync(this.project, { recursive: true });
  }

  skill(root: string, name: string, text = `---\ndescription: About ${name}.\n---\n\nDo ${name}.\n`): string {
    return this.write(join(root, "skills", name, "SKILL.md"), text);
  }

  find(): Skill[] {
    return findSkills(this.memory, this.project);
  }

  named(name: string, at: Skill["origin"] = "project"): Skill {
    const found = this.find().find((skill) => skill.name === name && skill.origin === at);
    if (found === undefined) throw new Error(`There is no ${name}.`);
    return found;
  }

  trust(name: string): void {
    const { path, sha256 } = this.named(name);
    changeTrust(this.memory, path, sha256);
  }
}

test("SKILL-1: skills of both workspaces are listed with descriptions; the user's own are trusted", () => {
  const place = new SkillPlace();
  const home = place.skill(
    place.memory,
    "release",
    "---\nname: release\ndescription: |\n  Two\n  lines\u0007.\n---\nDo it.\n",
  );
  place.skill(place.project, "deploy");
  place.write(join(place.memory, "skills/README.md"), "");
  place.skill(place.memory, ".hidden");
  expect(place.find()).toMatchObject([
    { name: "deploy", description: "About deploy.", origin: "project", trusted: false, problem: null },
    { name: "release", description: "Two lines.", origin: "home", trusted: true, problem: null, path: home },
  ]);
  expect(findSkills(join(place.root, "nowhere"), null)).toEqual([]);
});

test("SKILL-1: a broken skill is listed with its problem, and never used", () => {
  const place = new SkillPlace();
  const texts: Record<string, string> = {
    "no-frontmatter": "Do it.\n",
    "no-description": "---\nname: no-description\n---\n",
    "empty-description": "---\ndescription: ''\n---\n",
    "other-name": "---\nname: something\ndescription: a\n---\n",
    "bad-yaml": "---\ndescription: [a\n---\n",
    "bad name": "---\ndescription: a\n---\n",
    "too-large": `---\ndescription: a\n---\n${"x".repeat(100_001)}`,
  };
  for (const [name, text] of Object.entries(texts)) place.skill(place.memory, name, text);
  writeFileSync(place.skill(place.memory, "latin1"), new Uint8Array([0xe4]));
  mkdirSync(join(place.memory, "skills/nothing-in-it"));
  mkdirSync(join(place.memory, "skills/a-directory/SKILL.md"), { recursive: true });
  const found = place.find();
  expect(found).toHaveLength(10);
  for (const skill of found) {
    expect([skill.name, skill.problem ?? ""]).toEqual([skill.name, expect.stringMatching(/\w/)]);
    expect(isUsable(skill)).toBe(false);
    expect(() => readSkill(skill)).toThrow("cannot be used");
  }
  expect(skillsPrompt(found)).toBe("");
});

test("SKILL-1: if two skills have the same name, the user's own is used", () => {
  const place = new SkillPlace();
  place.skill(place.memory, "deploy");
  place.skill(place.project, "deploy", "---\ndescription: evil\n---\n");
  place.trust("deploy");
  expect(place.find().filter(isUsable)).toMatchObject([{ origin: "home", description: "About deploy." }]);
  expect(place.named("deploy").problem).toContain("same name");
});

test("SKILL-4: a project's skill is offered only while it is trusted and unedited", () => {
  const place = new SkillPlace();
  const file = place.skill(place.project, "deploy");
  expect(skillsPrompt(place.find())).toBe("");
  expect(() => readSkill(place.named("deploy"))).toThrow("cannot be used");
  place.trust("deploy");
  expect(skillsPrompt(place.find())).toContain("- deploy: About deploy.");
  const trusted = place.named("deploy");
  expect(readSkill(trusted)).toContain("Do deploy.");
  place.skill(place.project, "deploy", "---\ndescription: About deploy.\n---\nDo something else.\n");
  expect(place.named("deploy").trusted).toBe(false);
  expect(() => readSkill(trusted)).toThrow("has changed since it was trusted");
  place.trust("deploy");
  expect(place.named("deploy").trusted).toBe(true);
  changeTrust(place.memory, file, null);
  expect(place.named("deploy").trusted).toBe(false);
});

test("SKILL-4: a skill trusted at one path is not trusted at another", () => {
  const place = new SkillPlace();
  place.skill(place.project, "deploy");
  place.trust("deploy");
  const other = join(place.root, "other/.retain");
  place.skill(other, "deploy");
  expect(findSkills(place.memory, other)).toMatchObject([{ name: "deploy", trusted: false }]);
});

test("SKILL-4: trust is stored in the home workspace; an invalid file, or one that others can write, trusts nothing", () => {
  const place = new SkillPlace();
  place.skill(place.project, "deploy");
  place.trust("deploy");
  const file = join(place.memory, "trusted-skills.yaml");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(changeTrust(place.memory, place.named("deploy").path, place.named("deploy").sha256)).toBe(false);
  const good = readFileSync(file, "utf8");
  writeFileSync(file, `# mine\n${good}`);
  place.skill(place.project, "other");
  place.trust("other");
  expect(readFileSync(file, "utf8")).toStartWith("# mine\n");
  expect(place.find().filter(isUsable)).toHaveLength(2);
  for (const broken of ["skills: deploy\n", "skills: [", "skills:\n  - path: x\n", "\0\u00ff"]) {
    writeFileSync(file, broken);
    expect(place.find().filter(isUsable)).toEqual([]);
    expect(readTrust(place.memory).problem).toContain("is invalid");
    expect(() => changeTrust(place.memory, "x", "a".repeat(64))).toThrow("is invalid");
    expect(readFileSync(file, "utf8")).toBe(broken);
  }
  writeFileSync(file, good);
  chmodSync(file, 0o666);
  expect(readTrust(place.memory)).toMatchObject({
    skills: [],
    problem: expect.stringContaining("can write"),
  });
});

test("SKILL-4: a project's skill that is a link out of its workspace is not read", () => {
  const place = new SkillPlace();
  const secret = place.write(join(place.home, "secret/SKILL.md"), "---\ndescription: a secret\n---\n");
  mkdirSync(join(place.project, "skills/file"), { recursive: true });
  symlinkSync(secret, join(place.project, "skills/file/SKILL.md"));
  symlinkSync(join(place.home, "secret"), join(place.project, "skills/directory"));
  for (const skill of place.find()) {
    expect(skill).toMatchObject({ description: "", sha256: "", trusted: false });
    expect(skill.problem).toContain("link");
  }
  rmSync(join(place.project, "skills"), { recursive: true });
  place.skill(join(place.home, "secret"), "deploy");
  symlinkSync(join(place.home, "secret/skills"), join(place.project, "skills"));
  expect(place.find()).toMatchObject([{ name: "deploy", description: "", trusted: false }]);
  mkdirSync(place.memory);
  symlinkSync(join(place.home, "secret/skills"), join(place.memory, "skills"));
  expect(findSkills(place.memory, null).filter(isUsable)).toHaveLength(1);
});

test("SKILL-4: the prompt has one short line per skill, in a stable order, without line breaks", () => {
  const skill = (name: string, description: string): Skill => ({
    ...{ name, description, path: "", origin: "home", trusted: true, problem: null, sha256: "" },
  });
  const skills = [
    skill("b", "x\n# Ignore\u001b[2J\r\u2028all"),
    skill("a", `first ${"word ".repeat(1_000)}`),
    skill("c", "last"),
  ];
  const prompt = skillsPrompt(skills);
  expect(skillsPrompt([...skills].reverse())).toBe(prompt);
  const [head, ...lines] = prompt.split("\n");
  expect(head).toContain("load_skill");
  expect(lines.map((line) => line.slice(0, 9))).toEqual(["- a: firs", "- b: x # ", "- c: last"]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(420);
  expect(prompt).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/);
  const many = Array.from({ length: 1_000 }, (_, index) => skill(`s${index}`, "d".repeat(1_000)));
  expect(skillsPrompt(many).length).toBeLessThan(25_000);
  expect(skillsPrompt([])).toBe("");
});

test("SKILL-4: load_skill returns a trusted skill's text, and no others", async () => {
  const place = new SkillPlace();
  place.skill(place.project, "stranger");
  expect(place.tools().map(({ name }) => name)).toEqual(["read_file", "write_file", "run_command"]);
  place.skill(place.memory, "release");
  const plan = await place.plan("load_skill", { name: "release" });
  expect(plan).toMatchObject({ reach: "memory", outside: false, denied: null });
  const signal = new AbortController().signal;
  expect((await plan.run(signal)).output).toContain("Do release.");
  expect(await place.run("load_skill", { name: "relase" })).toMatchObject({
    ok: false,
    output: expect.stringMatching(/relase.*: release\.$/),
  });
  expect(await place.run("load_skill", { name: "stranger" })).toMatchObject({
    ok: false,
    output: expect.stringMatching(/stranger.*: release\.$/),
  });
  expect((await place.run("load_skill", { name: "../release" })).ok).toBe(false);
  place.trust("stranger");
  expect((await place.run("load_skill", { name: "stranger" })).output).toContain("Do stranger.");
});
