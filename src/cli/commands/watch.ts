import type { Retain } from "../../app.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { watchDirectories, watchFiles } from "../../files/watch/watcher.ts";
import { plural } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples } from "../options.ts";
import { tellPauses } from "./embed.ts";

export const watch: CliCommand = {
  define(command) {
    addExamples(command, ["retain watch", "retain watch --global"]);
  },

  async run(context) {
    const retain = context.open();
    if (retain.directories().length === 0)
      throw new RetainError(
        "not_found",
        "There is nothing to watch yet.",
        "Store something first: retain put notes.md",
      );
    let changes = 0;
    context.onInterrupt(() => `Stopped watching; ${plural(changes, "change")} taken in.`);
    await keepWatching(context, retain, (count) => {
      changes += count;
    });
    return new Promise(() => {});
  },
};

/** Goes on for good; with a config that was changed, it begins anew. */
async function keepWatching(context: Context, first: Retain, count: (changes: number) => void) {
  let current = first;
  let stop = () => {};
  let told = "";
  /** One thing after the other: a memory is not closed while it takes something in. */
  let turn = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch((error: unknown) => context.warn(messageOf(error)));
    return turn;
  };
  const begin = async () => {
    const directories = current.directories();
    const documents = watchDirectories(
      directories,
      () => inTurn(() => takeIn(context, current, count)),
      (directory, cause) => context.warn(`${directory} cannot be watched: ${messageOf(cause)}`),
    );
    const { home, project } = current.choice;
    const configs = [home, ...(project === null ? [] : [project])].map(({ configFile }) => configFile);
    const settings = watchFiles(configs, () => inTurn(beginAnew));
    stop = () => {
      documents.close();
      settings.close();
      current.close();
    };
    const watching = `Watching ${directories.join(", ")}; Ctrl-C ends it.`;
    if (watching !== told) context.terminal.say(watching);
    told = watching;
    await takeIn(context, current, count);
  };
  /** A config that cannot be used is told, and the one before serves on. */
  const beginAnew = async () => {
    const next = context.open();
    stop();
    current = next;
    await begin();
  };
  await inTurn(begin);
}

async function takeIn(context: Context, retain: Retain, count: (changes: number) => void): Promise<void> {
  const { changed, removed, embedded } = await retain.embed({ paused: tellPauses(context) });
  if (changed + removed + embedded === 0) return;
  count(changed + removed);
  const gone = removed === 0 ? "" : `, ${removed} removed`;
  context.terminal.say(
    `${plural(changed, "document")} taken in${gone}, ${plural(embedded, "part")} embedded`,
  );
}
