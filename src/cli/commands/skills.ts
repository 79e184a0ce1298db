import { Argument } from "commander";
import { newSkill } from "../../agent/skills/new.ts";
import { findSkills, type Skill, skillFile } from "../../agent/skills/skills.ts";
import { changeTrust, readTrust } from "../../agent/skills/trust.ts";
import type { Retain } from "../../app.ts";
import { exclusively, prepareWorkspace } from "../../backends/workspaces.ts";
import { type ActionOf, actionsOf } from "../../core/command-effects.ts";
import { RetainError } from "../../core/errors.ts";
import { resolveLinks } from "../../util/fs.ts";
import { nearest } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { type Cell, heading, type Output, table } from "../output.ts";

interface SkillsOptions extends CommonOptions {
  description?: string;
}

type Action = ActionOf<"skills">;

export const skills: CliCommand<SkillsOptions> = {
  define(command) {
    command
      .addArgument(new Argument("[action]", "what to do").choices(actionsOf("skills")).default("list"))
      .argument("[name]", "the skill's name")
      .takes(([action]) => (action === "trust" || action === "untrust" ? "skill" : "text"))
      .option("--description <text>", "with new: when to use the skill")
      .takes("text");
    addExamples(command, [
      "retain skills",
      'retain skills new release-notes --description "Use it to write release notes."',
      "retain skills trust deploy     # a project's skill, in its current version",
    ]);
  },

  async run(context, args, options) {
    const [action = "list", name, ...more] = args;
    const surplus = action === "list" ? name : more[0];
    if (surplus !== undefined)
      throw new RetainError(
        "usage",
        `Unexpected argument '${surplus}' for 'skills ${action}'.`,
        "See: retain skills --help",
      );
    if (action !== "new" && options.description !== undefined)
      throw new RetainError("usage", "--description only works with 'skills new'.");
    if (action === "list") return listed(context);
    if (name === undefined)
      throw new RetainError(
        "usage",
        "The skill's name is missing.",
        `For example: retain skills ${action} deploy`,
      );
    return RUN[action as Exclude<Action, "list">](context, name, options);
  },
};

type Run = (context: Context, name: string, options: SkillsOptions) => Promise<Output>;

const RUN: Record<Exclude<Action, "list">, Run> = {
  async new(context, name, { description = "" }) {
    const retain = context.open();
    // A bank has no skills, so the skill goes into the home workspace.
    const workspace = retain.workspace.bank === null ? retain.workspace : retain.choice.home;
    prepareWorkspace(workspace);
    const path = newSkill(workspace.root, name, description);
    const isOwn = workspace.kind === "home";
    const fill =
      description === "" ? "Write in it when to use the skill and what to do." : "Write in it what to do.";
    const next = isOwn ? fill : `${fill} Then: retain skills trust ${name}`;
    const lines = [context.terminal.style("green", `✓ Created ${path}`), context.terminal.style("dim", next)];
    return {
      data: { name, path, origin: workspace.kind, trusted: isOwn },
      text: lines.join("\n"),
      quiet: path,
    };
  },

  async trust(context, name) {
    const retain = context.open();
    const skill = projectSkill(retain, name);
    if (skill.problem !== null)
      throw new RetainError(
        "invalid_input",
        `The skill '${name}' cannot be used: ${skill.problem}`,
        skill.path,
      );
    const changed = await setTrust(retain, skill.path, skill.sha256);
    const done = changed ? `✓ Trusted '${name}' in its current version` : `✓ '${name}' is already trusted`;
    const note = `${skill.path}\nIf it changes, you must trust it again.`;
    const text = `${context.terminal.style("green", done)}\n${context.terminal.style("dim", note)}`;
    return {
      data: { name, path: skill.path, sha256: skill.sha256, trusted: true, changed },
      text,
      quiet: "",
    };
  },

  async untrust(context, name) {
    const retain = context.open();
    const { project } = retain.choice;
    if (project === null) throw noProject();
    const path = resolveLinks(skillFile(project.root, name));
    const isKnown = readTrust(retain.choice.home.root).skills.some((skill) => skill.path === path);
    if (!isKnown) projectSkill(retain, name);
    const changed = await setTrust(retain, path, null);
    const done = changed ? `✓ '${name}' is no longer trusted` : `✓ '${name}' was not trusted`;
    const text = context.terminal.style("green", done);
    return { data: { name, path, trusted: false, changed }, text, quiet: "" };
  },
};

async function listed(context: Context): Promise<Output> {
  const { choice } = context.open();
  const trust = readTrust(choice.home.root);
  if (trust.problem !== null) context.warn(trust.problem);
  const found = findSkills(choice.home.root, choice.project?.root ?? null, trust);
  const rows = found.map((skill): Cell[] => [
    { text: skill.name, style: "cyan" },
    skill.origin,
    stateOf(skill),
    skill.problem ?? skill.description,
  ]);
  const hasStrangers = found.some(({ trusted, problem }) => !trusted && problem === null);
  const hint = "\nRead a project's skill before you trust it: retain skills trust <name>";
  const text =
    found.length === 0
      ? "No skills yet. Create one: retain skills new <name>"
      : table(context.terminal, [heading("NAME", "ORIGIN", "STATE", "DESCRIPTION"), ...rows], [3]).join("\n");
  return {
    data: { skills: found },
    text: hasStrangers ? `${text}\n${context.terminal.style("dim", hint)}` : text,
    quiet: found.map(({ name }) => name).join("\n"),
  };
}

function stateOf({ trusted, problem }: Skill): Cell {
  if (problem !== null) return { text: "invalid", style: "red" };
  return trusted ? { text: "trusted", style: "green" } : { text: "not trusted", style: "yellow" };
}

/** Throws `no_project`, `usage` for a user's skill, `not_found`. */
function projectSkill({ choice }: Retain, name: string): Skill {
  const found = findSkills(choice.home.root, choice.project?.root ?? null);
  const skill = found.find((one) => one.name === name && one.origin === "project");
  if (skill !== undefined) return skill;
  if (found.some((one) => one.name === name))
    throw new RetainError(
      "usage",
      `'${name}' is your own skill, which is always trusted.`,
      "To remove it, delete its directory.",
    );
  if (choice.project === null) throw noProject();
  const names = found.filter(({ origin }) => origin === "project").map((one) => one.name);
  const guess = nearest(name, names);
  throw new RetainError(
    "not_found",
    `This project has no skill '${name}'.`,
    guess === null ? "List the skills: retain skills" : `Did you mean '${guess}'?`,
  );
}

function noProject(): RetainError {
  return new RetainError(
    "no_project",
    "Not in a project, and only project skills need trust.",
    "Run this in the project's directory.",
  );
}

function setTrust({ choice: { home } }: Retain, path: string, sha256: string | null): Promise<boolean> {
  return exclusively(home, () => changeTrust(home.root, path, sha256));
}
