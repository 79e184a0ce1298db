/**
 * The built-in mental models. A change here doesn't change existing ones: Retain creates a file once, then the user owns it. The
 * question is also the search query, so it uses the words that such memories are likely to contain.
 */

export interface BuiltIn {
  readonly name: string;
  readonly question: string;
  /** Facts about the user belong to home, facts about a project to the project. */
  readonly origin: "home" | "project";
  /** "person": only facts and the user's own messages. Documents may be about others, and replies are the assistant's words. */
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

/** Earlier versions created these in the home workspace for repositories without a workspace. */
export function isProjects({ name, builtIn: isBuiltIn }: { name: string; builtIn: boolean }): boolean {
  return isBuiltIn && builtIn(name)?.origin === "project";
}

export function builtIn(name: string): BuiltIn | null {
  return BUILT_IN.find((one) => one.name === name) ?? null;
}

/** A user's own mental model with a built-in name uses all sources. */
export function sourcesOf({
  name,
  builtIn: isBuiltIn,
}: {
  name: string;
  builtIn: boolean;
}): MentalModelSources {
  return (isBuiltIn ? builtIn(name)?.from : null) ?? "all";
}
