/** What no context is without: the base instructions, which are the user's to change, and how to mark memories. */
import base from "../../prompts/base.md" with { type: "text" };
import marks from "../../prompts/marks.md" with { type: "text" };
import type { Draft } from "./parts.ts";
import type { ContextWorkspace } from "./ports.ts";
import { contentOf, type TellLeft, titled } from "./read-file.ts";

/** Beside `memories`, and read as what is in it. */
const PATH = "../context/system_prompt.md";

/** The home workspace's own in the place of the built-in ones, then a project's. `workspaces` has the home workspace first. */
export function instructions(workspaces: readonly ContextWorkspace[], left: TellLeft): Draft[] {
  const own = workspaces.flatMap((workspace) => {
    const part = { name: "base", title: titled("Base instructions", workspace) } as const;
    const draft = contentOf(workspace, PATH, part, left);
    return draft === null ? [] : { place: workspace.place, draft };
  });
  const homes = own.filter(({ place }) => place === "home").map(({ draft }) => draft);
  const builtIn = { name: "base", title: "Base instructions", text: base.trim() } as const;
  return [
    ...(homes.length > 0 ? homes : [builtIn]),
    ...own.filter(({ place }) => place !== "home").map(({ draft }) => draft),
    { name: "marks", title: "How to mark memories", text: marks.trim() },
  ];
}
