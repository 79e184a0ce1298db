import type { Retain } from "../../app.ts";
import { plural } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples } from "../options.ts";

export const embed: CliCommand = {
  define(command) {
    addExamples(command, ["retain embed", "retain embed --global"]);
  },

  async run(context) {
    const { embedded, waiting, model } = await embedWithBar(context, context.open());
    const rest = waiting === 0 ? "" : `; another process is embedding ${waiting}`;
    return {
      data: { embedded, waiting, model },
      text:
        model === null
          ? "Embedding is off (embedding = none). Search matches words only."
          : embedded === 0 && waiting === 0
            ? "Everything is already embedded."
            : `✓ Embedded ${plural(embedded, "chunk")}${rest}`,
      quiet: "",
    };
  },
};

/** Shows a progress bar on a terminal. */
export async function embedWithBar(context: Context, retain: Retain) {
  let total = 0;
  let draw = (_done: number) => {};
  let done = 0;
  context.onInterrupt(() => `Stopped after ${plural(done, "chunk")}. Continue with: retain embed`);
  return retain.embed({
    begin(waiting) {
      total = waiting;
      draw = context.terminal.progress("Embedding", total);
    },
    progress(count) {
      done = count;
      draw(Math.min(done, total));
    },
    paused: tellPauses(context),
  });
}

/** Shorter pauses are not reported. */
const LEAST_PAUSE_MS = 1_000;

export function tellPauses({ terminal }: Context) {
  return (cause: Error, ms: number) => {
    if (ms >= LEAST_PAUSE_MS) terminal.say(`${cause.message} Retrying in ${Math.round(ms / 1_000)} s.`);
  };
}
