/** load_skill: what a skill says, for a model that is about to do what it is for. Only skills that are trusted are there. */
import { dirname } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { nearest } from "../../util/text.ts";
import { isUsable, readSkill, type Skill } from "../skills/skills.ts";
import type { Tool, ToolOutcome } from "../tool.ts";
import { text, toolInput } from "./input.ts";
import { failed } from "./outcome.ts";
import { visibleLine } from "./visible.ts";

const INPUT = toolInput("load_skill", { name: text("The skill's name, as the list of skills gives it.") });

export function loadSkillTool(skills: () => readonly Skill[]): Tool {
  return {
    name: "load_skill",
    description: "Loads the instructions of a skill by its name. Do it before a task that a skill is for.",
    schema: INPUT.schema,
    async plan(input) {
      const { name } = INPUT.read(input);
      return {
        reach: "memory",
        summary: `load the skill ${visibleLine(name)}`,
        preview: null,
        outside: false,
        pattern: null,
        denied: null,
        run: async () => load(name, skills().filter(isUsable)),
      };
    },
  };
}

function load(name: string, usable: readonly Skill[]): ToolOutcome {
  const skill = usable.find((one) => one.name === name);
  if (skill === undefined) {
    const names = usable.map((one) => one.name);
    const near = nearest(name, names) ?? (names.join(", ") || null);
    return failed(`There is no skill ${visibleLine(name)}.${near === null ? "" : ` There is: ${near}.`}`);
  }
  try {
    const content = readSkill(skill);
    return {
      ok: true,
      output: `The skill ${name}, from ${dirname(skill.path)}:\n\n${content}`,
      brief: "loaded",
    };
  } catch (error) {
    return failed(messageOf(error));
  }
}
