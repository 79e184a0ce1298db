/** What no context is without: the base instructions, which are the user's to change, and how to mark memories. */
import base from "../../prompts/base.md" with { type: "text" };
import marks from "../../prompts/marks.md" with { type: "text" };
import type { Draft } from "./parts.ts";
import type { ContextWorkspace } from "./ports.ts";
import { contentOf, type TellLeft } from "./read-file.ts";

/** Beside `memories`, and read as what is in it. */
const PATH = "../context/system_prompt.md";

/** The user's own in the place of the built-in ones. A project's would be a stranger's: it comes with a repository. */
export function instructions(workspaces: readonly ContextWorkspace[], left: TellLeft): Draft[] {
  const home = workspaces.find(({ origin }) => origin === "home");
  const part = { name: "base", title: "Base instructions", isInstruction: true } as const;
  const own = home === undefined ? null : contentOf(home, PATH, part, left);
  return [
    own ?? { ...part, text: base.trim() },
    { name: "marks", title: "How to mark memories", isInstruction: true, text: marks.trim() },
  ];
}
