/** load_skill: returns a skill's instructions. It only offers trusted skills. */
import { dirname } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { nearest } from "../../util/text.ts";
import { isUsable, readSkill, type Skill } from "../skills/skills.ts";
import type { Tool, ToolOutcome } from "../tool.ts";
import { text, toolInput } from "./input.ts";
import { failed } from "./outcome.ts";
import { visibleLine } from "./visible.ts";

const INPUT = toolInput("load_skill", { name: text("The skill's name, as in the list of skills.") });

export function loadSkillTool(skills: () => readonly Skill[]): Tool {
  return {
    name: "load_skill",
    description: "Loads a skill's instructions by name. Call it before you start a task that a skill covers.",
    schema: INPUT.schema,
    async plan(input) {
      const { name } = INPUT.read(input);
      return {
        reach: "memory",
        summary: `load skill ${visibleLine(name)}`,
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
    return failed(`There is no skill ${visibleLine(name)}.${near === null ? "" : ` Available: ${near}.`}`);
  }
  try {
    const content = readSkill(skill);
    return {
      ok: true,
      output: `Skill ${name}, from ${dirname(skill.path)}:\n\n${content}`,
      brief: "loaded",
    };
  } catch (error) {
    return failed(messageOf(error));
  }
}
