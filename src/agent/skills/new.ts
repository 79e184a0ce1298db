/** Creates a skill from a template. */
import { dirname } from "node:path";
import { parseMarkdown, printMarkdown, withFields } from "../../core/documents/frontmatter.ts";
import { ioError, RetainError } from "../../core/errors.ts";
import { command, hint } from "../../core/hint.ts";
import { ensureDirectory, errorCode, isInside, writeNewFile } from "../../util/fs.ts";
import { isSkillName, skillFile } from "./skills.ts";

const BODY = `# Steps

1. What to do first.
2. What to do next.

# Done when

What must be true at the end.
`;

/** Writes it into the workspace; returns its path. Throws `invalid_name`, `exists`, `unsafe`, `io`. */
export function newSkill(root: string, name: string, description: string): string {
  if (!isSkillName(name))
    throw new RetainError(
      "invalid_name",
      `${JSON.stringify(name)} is not a valid skill name.`,
      hint`Use letters, digits and dashes. For example: ${command("skills new", "release-notes")}`,
    );
  const file = skillFile(root, name);
  if (!isInside(root, file))
    throw new RetainError("unsafe", `${file} is a link out of the workspace.`, "Remove the link.");
  const text = printMarkdown(withFields(parseMarkdown(BODY), { name, description }));
  try {
    ensureDirectory(dirname(file));
    writeNewFile(file, text);
    return file;
  } catch (error) {
    if (errorCode(error) === "EEXIST")
      throw new RetainError("exists", `The skill '${name}' already exists.`, `Edit it: ${file}`);
    throw ioError(error, `Cannot write ${file}`);
  }
}
