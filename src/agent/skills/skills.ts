/**
 * Skills: instructions for one kind of task, `skills/<name>/SKILL.md` in a workspace, which a model loads when it needs them.
 * Skills in the home workspace are the user's own. A project's skills come with its repository, so a model sees one only after the
 * user has trusted its current content.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseMarkdown } from "../../core/documents/frontmatter.ts";
import { isNewName } from "../../core/documents/names.ts";
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import { command, hint } from "../../core/hint.ts";
import { entriesIfThere, isAbsence, isInside, resolveLinks } from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";
import { decodeUtf8, oneLine, truncate } from "../../util/text.ts";
import { isTrusted, readTrust, type Trust } from "./trust.ts";

export interface Skill {
  readonly name: string;
  /** On one line, without control characters; "" if missing. */
  readonly description: string;
  /** Path of its SKILL.md, links resolved. */
  readonly path: string;
  readonly origin: "home" | "project";
  readonly trusted: boolean;
  /** Why it cannot be used; null if it can. */
  readonly problem: string | null;
  /** Of the file's bytes; "" if it cannot be read. */
  readonly sha256: string;
}

const DIRECTORY = "skills";
const FILE = "SKILL.md";
const LARGEST_FILE = 100_000;
const LONGEST_DESCRIPTION = 400;
const MOST_IN_PROMPT = 50;

/** The path of a skill in a workspace. */
export function skillFile(root: string, name: string): string {
  return join(root, DIRECTORY, name, FILE);
}

export function isSkillName(name: string): boolean {
  return isNewName("id", name);
}

/** All skills by name, including broken and untrusted ones; of two with the same name, the user's own comes first. */
export function findSkills(
  homeRoot: string,
  projectRoot: string | null,
  trust: Trust = readTrust(homeRoot),
): Skill[] {
  const own = skillsIn(homeRoot, "home", trust);
  const names = new Set(own.map(({ name }) => name));
  const others = projectRoot === null ? [] : skillsIn(projectRoot, "project", trust);
  const shadowed = others.map((skill) =>
    names.has(skill.name)
      ? { ...skill, problem: "Your own skill with the same name is used instead." }
      : skill,
  );
  return [...own, ...shadowed].sort((a, b) => compare(a.name, b.name) || compare(a.origin, b.origin));
}

/** Whether a model may see it. */
export function isUsable({ trusted, problem }: Skill): boolean {
  return trusted && problem === null;
}

/** The skills section of the system prompt, one line per usable skill; "" if there are none. */
export function skillsPrompt(skills: readonly Skill[]): string {
  const usable = skills.filter(isUsable).sort((a, b) => compare(a.name, b.name));
  if (usable.length === 0) return "";
  const lines = usable
    .slice(0, MOST_IN_PROMPT)
    .map(
      ({ name, description }) => `- ${name}: ${truncate(oneLine(description).trim(), LONGEST_DESCRIPTION)}`,
    );
  const head =
    "Skills: instructions for specific tasks. Before you start such a task, load its skill by name with load_skill.";
  return [head, ...lines].join("\n");
}

/** The skill's text. Throws `unsafe` if it may not be used or changed since it was trusted, `io` if it cannot be read. */
export function readSkill(skill: Skill): string {
  const { name, path, origin } = skill;
  if (!isUsable(skill)) throw new RetainError("unsafe", `The skill '${name}' cannot be used.`);
  const read = readAt(path);
  if (read.text === null) throw new RetainError("io", `The skill '${name}' cannot be read: ${read.problem}`);
  if (origin === "project" && read.sha256 !== skill.sha256)
    throw new RetainError(
      "unsafe",
      `The skill '${name}' has changed since it was trusted.`,
      hint`Read it, then trust it again: ${command("skills trust", name)}`,
    );
  return read.text;
}

function skillsIn(root: string, origin: Skill["origin"], trust: Trust): Skill[] {
  return directoriesIn(join(root, DIRECTORY)).map((name) => {
    const file = skillFile(root, name);
    const path = resolveLinks(file);
    if (origin === "project" && !isInside(root, file))
      return broken(name, path, origin, "It is a link out of the project's workspace.");
    const read = readAt(path);
    if (read.text === null) return broken(name, path, origin, read.problem);
    const trusted = origin === "home" || isTrusted(trust, { path, sha256: read.sha256 });
    return { name: oneLine(name), path, origin, trusted, sha256: read.sha256, ...described(name, read.text) };
  });
}

function directoriesIn(path: string): string[] {
  try {
    const entries = entriesIfThere(path).filter((entry) => !entry.name.startsWith("."));
    return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  } catch {
    // An unreadable directory counts as empty.
    return [];
  }
}

function broken(name: string, path: string, origin: Skill["origin"], problem: string): Skill {
  return {
    name: oneLine(name),
    description: "",
    path,
    origin,
    trusted: origin === "home",
    problem,
    sha256: "",
  };
}

/** The description, and the skill's problem, if any. */
function described(directory: string, text: string): Pick<Skill, "description" | "problem"> {
  const { fields, problem, yaml } = parseMarkdown(text);
  const { name = directory, description } = fields;
  const said = typeof description === "string" ? oneLine(description).trim() : "";
  const wrong = () => {
    if (problem !== null) return `Line ${problem.line}: ${oneLine(problem.message)}`;
    if (!isSkillName(directory)) return "Its directory name is not a valid skill name.";
    if (yaml === null) return "It has no frontmatter with a description.";
    if (String(name) !== directory) return "Its name differs from its directory's name.";
    return said === "" ? "It has no description. Add one sentence on when to use it." : null;
  };
  return { description: said, problem: wrong() };
}

function readAt(path: string): { text: string; sha256: string } | { text: null; problem: string } {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { text: null, problem: `${FILE} is not a regular file.` };
    if (stats.size > LARGEST_FILE) return { text: null, problem: `${FILE} is larger than 100 KB.` };
    const bytes = readFileSync(path);
    const text = decodeUtf8(bytes);
    return text === null ? { text, problem: `${FILE} is not UTF-8 text.` } : { text, sha256: sha256(bytes) };
  } catch (error) {
    const problem = isAbsence(error)
      ? `There is no ${FILE}.`
      : messageOf(ioError(error, `Cannot read ${FILE}`));
    return { text: null, problem };
  }
}

/** By code units, so that the order is the same everywhere. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
