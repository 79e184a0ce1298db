import { messageOf, RetainError } from "../../core/errors.ts";
import { watchDirectories } from "../../files/watcher.ts";
import { plural } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples } from "../options.ts";

export const watch: CliCommand = {
  define(command) {
    addExamples(command, ["retain watch", "retain watch --global"]);
  },

  async run(context) {
    const retain = context.open();
    const directories = retain.directories();
    if (directories.length === 0)
      throw new RetainError(
        "not_found",
        "There is nothing to watch yet.",
        "Store something first: retain put notes.md",
      );
    let changes = 0;
    context.onInterrupt(() => `Stopped watching; ${plural(changes, "change")} taken in.`);
    const takeIn = async () => {
      try {
        const { changed, removed } = await retain.sync();
        const { embedded } = await retain.embed();
        if (changed + removed + embedded === 0) return;
        changes += changed + removed;
        const gone = removed === 0 ? "" : `, ${removed} removed`;
        context.terminal.say(
          `${plural(changed, "document")} taken in${gone}, ${plural(embedded, "part")} embedded`,
        );
      } catch (error) {
        context.warn(messageOf(error));
      }
    };
    watchDirectories(directories, takeIn, (directory, cause) =>
      context.warn(`${directory} cannot be watched: ${messageOf(cause)}`),
    );
    context.terminal.say(`Watching ${directories.join(", ")}; Ctrl-C ends it.`);
    await takeIn();
    return new Promise(() => {});
  },
};
