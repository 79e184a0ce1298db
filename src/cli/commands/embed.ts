import { Option } from "commander";
import type { Retain } from "../../app.ts";
import { plural } from "../../util/in-words.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";

interface EmbedOptions extends CommonOptions {
  to?: string;
}

export const embed: CliCommand<EmbedOptions> = {
  define(command) {
    command.addOption(
      new Option("--to <index>", "then upload all vectors to the hosted index").choices(["upstash"]),
    );
    addExamples(command, ["retain embed", "retain embed --global"]);
  },

  async run(context, _, { to }) {
    const retain = context.open();
    if (to !== undefined) await retain.vectors.check();
    const { embedded, waiting, model } = await embedWithBar(context, retain);
    const rest = waiting === 0 ? "" : `; another process is embedding ${waiting}`;
    const text =
      model === null
        ? "Embedding is off (embedding = none). Search matches words only."
        : embedded === 0 && waiting === 0
          ? "Everything is already embedded."
          : `✓ Embedded ${plural(embedded, "chunk")}${rest}`;
    const counts = { embedded, waiting, model };
    if (to === undefined) return { data: counts, text, quiet: "" };
    return upload(context, retain, counts);
  },
};

/** Says what it costs before it starts. */
async function upload(context: Context, retain: Retain, counts: object): Promise<Output> {
  const { terminal } = context;
  let draw = (_done: number) => {};
  context.onInterrupt(() => "Stopped. Continue with: retain embed --to upstash");
  const { memories, vectors, toDelete, requests } = await retain.vectors.backfill({
    begin({ host, memories, vectors, toDelete, requests }) {
      const gone = toDelete === 0 ? "" : ` and deleting ${plural(toDelete, "memory", "memories")}`;
      if (requests > 0)
        terminal.say(
          `Uploading ${plural(memories, "memory", "memories")} (${plural(vectors, "vector")})${gone}: ${plural(requests, "request")} to ${host}.`,
        );
      draw = terminal.progress("Uploading", vectors);
    },
    progress: (vectors) => draw(vectors),
    paused: tellPauses(context),
  });
  const gone = toDelete === 0 ? "" : `, deleted ${toDelete}`;
  return {
    data: { ...counts, uploaded: memories, vectors, deleted: toDelete, requests },
    text:
      requests === 0
        ? "The index is up to date."
        : `✓ Uploaded ${plural(memories, "memory", "memories")}${gone} in ${plural(requests, "request")}`,
    quiet: "",
  };
}

/** Shows a progress bar on a terminal. */
export async function embedWithBar(context: Context, retain: Retain) {
  let total = 0;
  let draw = (_done: number) => {};
  let done = 0;
  context.onInterrupt(() => `Stopped after ${plural(done, "chunk")}. Continue with: retain embed`);
  return retain.index.embed({
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
