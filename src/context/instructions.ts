/** The parts that every context has: the base instructions, which the user can replace, and how to mark memories. */
import base from "../../prompts/base.md" with { type: "text" };
import marks from "../../prompts/marks.md" with { type: "text" };
import type { Draft } from "./parts.ts";
import type { ContextWorkspace } from "./ports.ts";
import { contentOf, type TellLeft } from "./read-file.ts";

/** Next to `memories`, and read relative to it. */
const PATH = "../context/system_prompt.md";

/** The user's own instructions replace the built-in ones. A project's are ignored, since a stranger may have written them. */
export function instructions(workspaces: readonly ContextWorkspace[], left: TellLeft): Draft[] {
  const home = workspaces.find(({ origin }) => origin === "home");
  const part = { name: "base", title: "Base instructions", isInstruction: true } as const;
  const own = home === undefined ? null : contentOf(home, PATH, part, left);
  return [
    own ?? { ...part, text: base.trim() },
    { name: "marks", title: "How to mark memories", isInstruction: true, text: marks.trim() },
  ];
}
