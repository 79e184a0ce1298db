/**
 * The mental models that Retain starts with. A change here changes none that exist: a file is made once, and is its owner's from
 * then on. Their words are also what is searched for, so they name what such memories are likely to say.
 */

export interface BuiltIn {
  readonly name: string;
  readonly question: string;
  /** Where it lives: what is known of the person is not a project's, nor the other way round. */
  readonly origin: "home" | "project";
  /** "person": from facts and the person's own messages alone. Documents may be about others, and replies are an assistant's words. */
  readonly from: MentalModelSources;
}

export type MentalModelSources = "person" | "all";

export const BUILT_IN: readonly BuiltIn[] = [
  {
    name: "user-preferences",
    origin: "home",
    from: "person",
    question:
      "What does the user prefer, like and dislike: how they want to be answered, which tools, languages and habits they have, " +
      "what they always or never want, and who they are?",
  },
  {
    name: "project-conventions",
    origin: "project",
    from: "all",
    question:
      "Which conventions does this project follow: code style, naming, formatting, structure, tests, tools and commands, commits, " +
      "branches, reviews, releases, and what must always or never be done?",
  },
  {
    name: "project-decisions",
    origin: "project",
    from: "all",
    question:
      "Which decisions were made in this project, when and why: architecture, libraries, data, interfaces, deployment; what the " +
      "team decided, chose or agreed on, what was rejected or replaced, and what is still open?",
  },
];

/** The home workspace has some for repositories without a workspace; they say nothing of a project that has one. */
export function isProjects({ name, builtIn: isBuiltIn }: { name: string; builtIn: boolean }): boolean {
  return isBuiltIn && builtIn(name)?.origin === "project";
}

export function builtIn(name: string): BuiltIn | null {
  return BUILT_IN.find((one) => one.name === name) ?? null;
}

/** One's own model that has the name of a built-in one draws on everything. */
export function sourcesOf({
  name,
  builtIn: isBuiltIn,
}: {
  name: string;
  builtIn: boolean;
}): MentalModelSources {
  return (isBuiltIn ? builtIn(name)?.from : null) ?? "all";
}
