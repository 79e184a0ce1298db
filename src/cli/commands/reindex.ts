import type { IndexCounts } from "../../index.ts";
import { plural } from "../../util/in-words.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";
import { embedWithBar } from "./embed.ts";

export const reindex: CliCommand = {
  define(command) {
    addExamples(command, ["retain reindex", "retain reindex --global"]);
  },

  async run(context) {
    const retain = context.open();
    const { documents, facts, notes, messages, chunks } = await retain.index.rebuild();
    context.onInterrupt(() => "The index is rebuilt but not fully embedded. Continue with: retain embed");
    const { embedded, waiting } = await embedWithBar(context, retain);
    return {
      data: { documents, facts, notes, messages, chunks, embedded, waiting },
      text: `✓ Rebuilt from the files: ${contents({ documents, facts, notes, messages })} in ${plural(chunks, "chunk")}, ${embedded} embedded`,
      quiet: "",
    };
  },
};

/** "2 documents, 1 fact". Leaves out kinds with none, except documents. */
export function contents(counts: Pick<IndexCounts, "documents" | "facts" | "notes" | "messages">): string {
  const kinds = ["documents", "facts", "notes", "messages"] as const;
  return kinds
    .filter((kind) => kind === "documents" || counts[kind] > 0)
    .map((kind) => plural(counts[kind], kind.slice(0, -1)))
    .join(", ");
}
