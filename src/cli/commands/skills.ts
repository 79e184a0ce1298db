import { Argument } from "commander";
import type { Skill } from "../../agent/skills/skills.ts";
import { type ActionOf, actionsOf } from "../../core/command-effects.ts";
import { RetainError } from "../../core/errors.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions, refuseSurplus } from "../options.ts";
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
    refuseSurplus("skills", action, action === "list" ? name : more[0]);
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
    const data = await context.open().skills.create(name, description);
    const fill =
      description === "" ? "Write in it when to use the skill and what to do." : "Write in it what to do.";
    const next = data.trusted ? fill : `${fill} Then: retain skills trust ${name}`;
    const created = context.terminal.style("green", `✓ Created ${data.path}`);
    return { data, text: `${created}\n${context.terminal.style("dim", next)}`, quiet: data.path };
  },

  async trust(context, name) {
    const data = await context.open().skills.trust(name);
    const done = data.changed
      ? `✓ Trusted '${name}' in its current version`
      : `✓ '${name}' is already trusted`;
    const note = `${data.path}\nIf it changes, you must trust it again.`;
    const text = `${context.terminal.style("green", done)}\n${context.terminal.style("dim", note)}`;
    return { data, text, quiet: "" };
  },

  async untrust(context, name) {
    const data = await context.open().skills.untrust(name);
    const done = data.changed ? `✓ '${name}' is no longer trusted` : `✓ '${name}' was not trusted`;
    return { data, text: context.terminal.style("green", done), quiet: "" };
  },
};

async function listed(context: Context): Promise<Output> {
  const { skills: found, problem } = await context.open().skills.list();
  if (problem !== null) context.warn(problem);
  const rows = found.map((skill): Cell[] => [
    { text: skill.name, style: "cyan" },
    skill.origin,
    stateOf(skill),
    skill.problem ?? skill.description,
  ]);
  const hasStrangers = found.some((skill) => !skill.trusted && skill.problem === null);
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
