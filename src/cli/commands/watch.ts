import type { Retain } from "../../app.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { watchDirectories, watchFiles } from "../../files/watch/watcher.ts";
import { plural } from "../../util/in-words.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples } from "../options.ts";
import { tellPauses } from "./embed.ts";

export const watch: CliCommand = {
  define(command) {
    addExamples(command, ["retain watch", "retain watch --global"]);
  },

  async run(context) {
    const retain = context.open();
    if (retain.index.directories().length === 0)
      throw new RetainError(
        "not_found",
        "Nothing to watch yet.",
        "Store something first: retain put notes.md",
      );
    let changes = 0;
    context.onInterrupt(() => `Stopped watching. Indexed ${plural(changes, "change")}.`);
    await keepWatching(context, retain, (count) => {
      changes += count;
    });
    return new Promise(() => {});
  },
};

/** Runs until interrupted; restarts when the config changes. */
async function keepWatching(context: Context, first: Retain, count: (changes: number) => void) {
  let current = first;
  let stop = () => {};
  let announced = "";
  /** Serialises the work, so that Retain isn't closed during a sync. */
  let turn = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch((error: unknown) => context.warn(messageOf(error)));
    return turn;
  };
  const begin = async () => {
    const directories = current.index.directories();
    const documents = watchDirectories(
      directories,
      () => inTurn(() => takeIn(context, current, count)),
      (directory, cause) => context.warn(`Cannot watch ${directory}: ${messageOf(cause)}`),
    );
    const { home, project } = current.choice;
    const configs = [home, ...(project === null ? [] : [project])].map(({ configFile }) => configFile);
    const settings = watchFiles(configs, () => inTurn(beginAnew));
    stop = () => {
      documents.close();
      settings.close();
      current.close();
    };
    const watching = `Watching ${directories.join(", ")}. Press Ctrl-C to stop.`;
    if (watching !== announced) context.terminal.say(watching);
    announced = watching;
    await takeIn(context, current, count);
  };
  /** Warns about an invalid config and keeps using the previous one. */
  const beginAnew = async () => {
    const next = context.open();
    stop();
    current = next;
    await begin();
  };
  await inTurn(begin);
}

async function takeIn(context: Context, retain: Retain, count: (changes: number) => void): Promise<void> {
  const { changed, removed, embedded } = await retain.index.embed({ paused: tellPauses(context) });
  await retain.uploads.flush();
  if (changed + removed + embedded === 0) return;
  count(changed + removed);
  const gone = removed === 0 ? "" : `, ${removed} removed`;
  context.terminal.say(
    `${plural(changed, "document")} indexed${gone}, ${plural(embedded, "chunk")} embedded`,
  );
}
