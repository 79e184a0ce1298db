import type { IndexCounts } from "../../index.ts";
import { plural } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";
import { embedWithBar } from "./embed.ts";

export const reindex: CliCommand = {
  define(command) {
    addExamples(command, ["retain reindex", "retain reindex --global"]);
  },

  async run(context) {
    const retain = context.open();
    const { documents, facts, notes, messages, chunks } = await retain.reindex();
    context.onInterrupt(() => "The index is rebuilt; vectors are still missing. Go on with: retain embed");
    const { embedded, waiting } = await embedWithBar(context, retain);
    return {
      data: { documents, facts, notes, messages, chunks, embedded, waiting },
      text: `✓ Rebuilt from the files: ${contents({ documents, facts, notes, messages })} in ${plural(chunks, "part")}, ${embedded} with vectors`,
      quiet: "",
    };
  },
};

/** "2 documents, 1 fact": what there is of, documents in any case. */
export function contents(counts: Pick<IndexCounts, "documents" | "facts" | "notes" | "messages">): string {
  const kinds = ["documents", "facts", "notes", "messages"] as const;
  return kinds
    .filter((kind) => kind === "documents" || counts[kind] > 0)
    .map((kind) => plural(counts[kind], kind.slice(0, -1)))
    .join(", ");
}
