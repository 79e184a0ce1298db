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
    const { documents, chunks } = await retain.reindex();
    context.onInterrupt(() => "The index is rebuilt; vectors are still missing. Go on with: retain embed");
    const { embedded, waiting } = await embedWithBar(context, retain);
    return {
      data: { documents, chunks, embedded, waiting },
      text: `✓ Rebuilt from the files: ${plural(documents, "document")} in ${plural(chunks, "part")}, ${embedded} with vectors`,
      quiet: "",
    };
  },
};
