/** Lists skills, creates them, and trusts those of a project. Each call reads the files again. */
import { exclusively, prepareWorkspace } from "../../backends/workspaces.ts";
import { type Choice, noProject, type Scope, type Surroundings } from "../../config/workspace.ts";
import { RetainError, requireText } from "../../core/errors.ts";
import { command, hint } from "../../core/hint.ts";
import { resolveLinks } from "../../util/fs.ts";
import { nearest } from "../../util/text.ts";
import { newSkill } from "./new.ts";
import { findSkills, type Skill, skillFile } from "./skills.ts";
import { changeTrust, readTrust } from "./trust.ts";

interface SkillsPorts {
  readonly choice: Choice;
  readonly scope: Scope;
  readonly surroundings: Surroundings;
}

export function openSkills({ choice: { workspace, home, project }, scope, surroundings }: SkillsPorts) {
  const setTrust = (path: string, sha256: string | null) =>
    exclusively(home, () => changeTrust(home.root, path, sha256));

  return {
    /** All skills by name, including broken and untrusted ones. `problem`: why no project skill is trusted; null if some may be. */
    async list(): Promise<{ skills: Skill[]; problem: string | null }> {
      const trust = readTrust(home.root);
      return { skills: findSkills(home.root, project?.root ?? null, trust), problem: trust.problem };
    },

    /** Creates a skill from a template. A project's must then be trusted. Throws `invalid_name`, `exists`, `unsafe`, `io`. */
    async create(name: string, description = "") {
      requireText(name, "A skill's name");
      requireText(description, "A skill's description");
      if (scope === "local" && project === null) throw noProject(surroundings);
      // A bank has no skills, so the skill goes into the home workspace.
      const owner = workspace.bank === null ? workspace : home;
      prepareWorkspace(owner);
      const path = newSkill(owner.root, name, description);
      return { name, path, origin: owner.kind, trusted: owner.kind === "home" };
    },

    /** Trusts a project's skill in its current version. Throws `not_found`, `no_project`, `usage`, `invalid_input`. */
    async trust(name: string) {
      requireText(name, "A skill's name");
      const { path, sha256, problem } = projectSkill(name);
      if (problem !== null)
        throw new RetainError("invalid_input", `The skill '${name}' cannot be used: ${problem}`, path);
      return { name, path, sha256, trusted: true, changed: await setTrust(path, sha256) };
    },

    /** Ends the trust, also in a skill that no longer exists. Throws `not_found`, `no_project`, `usage`. */
    async untrust(name: string) {
      requireText(name, "A skill's name");
      if (project === null) throw trustNeedsProject();
      const path = resolveLinks(skillFile(project.root, name));
      const isKnown = readTrust(home.root).skills.some((skill) => skill.path === path);
      if (!isKnown) projectSkill(name);
      return { name, path, trusted: false, changed: await setTrust(path, null) };
    },
  };

  /** Throws `no_project`, `usage` for a user's skill, `not_found`. */
  function projectSkill(name: string): Skill {
    const found = findSkills(home.root, project?.root ?? null);
    const skill = found.find((one) => one.name === name && one.origin === "project");
    if (skill !== undefined) return skill;
    if (found.some((one) => one.name === name))
      throw new RetainError(
        "usage",
        `'${name}' is your own skill, which is always trusted.`,
        "To remove it, delete its directory.",
      );
    if (project === null) throw trustNeedsProject();
    const names = found.filter(({ origin }) => origin === "project").map((one) => one.name);
    const guess = nearest(name, names);
    throw new RetainError(
      "not_found",
      `This project has no skill '${name}'.`,
      guess === null ? hint`List the skills: ${command("skills")}` : `Did you mean '${guess}'?`,
    );
  }
}

function trustNeedsProject(): RetainError {
  return new RetainError(
    "no_project",
    "Not in a project, and only project skills need trust.",
    "Run this in the project's directory.",
  );
}
