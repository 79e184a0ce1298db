import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { LearningFiles } from "../../agent/learn/files.ts";
import type { LedgerLine } from "../../agent/learn/ledger.ts";
import { workOff } from "../../agent/learn/worker.ts";
import { openRetain } from "../../app.ts";
import { dollars, plural } from "../../util/in-words.ts";
import { hasEnded, processName } from "../../util/process.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";

interface LearnOptions extends CommonOptions {
  all?: boolean;
  worker?: boolean;
}

const SILENT: Output = { data: null, text: "", streamed: true };

export const learn: CliCommand<LearnOptions> = {
  define(command) {
    command
      .option("--all", "also read conversations from before learning was turned on")
      .option(
        "--worker",
        "process due turns of every workspace, silently; Retain runs this in the background",
      );
    addExamples(command, [
      "retain model learning ollama/llama3.2   # choose the model first",
      "retain learn                            # read pending turns now",
      "retain learn --json",
    ]);
  },

  async run(context, _, { all = false, worker = false }) {
    const retain = context.open();
    if (worker) {
      await work(retain.choice.home.root);
      return SILENT;
    }
    const stop = new AbortController();
    context.handlesInterrupts();
    process.once("SIGINT", () => stop.abort());
    const { batches, stopped } = await retain.learning.run({ all, signal: stop.signal });
    const ids = new Set(batches.flatMap(({ kept }) => kept));
    const facts = (await retain.facts.list({ unconfirmed: true }))
      .filter(({ id }) => ids.has(id))
      .map(({ id, text }) => ({ id, text }));
    return {
      data: { facts, batches, stopped, pending: (await retain.learning.status()).pending },
      text: textOf(context, facts, batches, stopped),
      quiet: facts.map(({ id }) => id).join("\n"),
    };
  },
};

function textOf(
  { terminal }: Context,
  facts: readonly { readonly id: string; readonly text: string }[],
  batches: readonly LedgerLine[],
  stopped: string | null,
): string {
  const sum = (count: (line: LedgerLine) => number | null) =>
    batches.reduce((total, line) => total + (count(line) ?? 0), 0);
  const [replaced, ended, decided] = [sum((b) => b.replaced), sum((b) => b.ended), sum((b) => b.decided)];
  const also = [
    ...(replaced > 0 ? [`${replaced} replaced`] : []),
    ...(ended > 0 ? [`${ended} ended`] : []),
    ...(decided > 0 ? [`${plural(decided, "pair")} decided`] : []),
  ];
  const tokens = sum((b) => b.input_tokens) + sum((b) => b.output_tokens);
  const costs = `${plural(batches.length, "call")}, ${tokens} tokens, ${dollars(sum((b) => b.cost))}`;
  return [
    ...(stopped === null ? [] : [terminal.style("yellow", `Stopped: ${stopped}`)]),
    ...facts.map(({ id, text }) => `${terminal.style("green", "✓")} ${text} ${terminal.style("dim", id)}`),
    batches.length === 0
      ? "Nothing new to read."
      : `Learned ${plural(facts.length, "fact")}${also.length === 0 ? "" : ` (${also.join(", ")})`}: ${costs}.`,
    ...(facts.length === 0 ? [] : [terminal.style("dim", "Confirm or reject them: retain review")]),
  ].join("\n");
}

async function work(home: string): Promise<void> {
  const host = hostname();
  const files = new LearningFiles(home);
  const lease = files.lease({
    clock: () => new Date(),
    self: processName(host, process.pid),
    isGone: (holder) => hasEnded(holder, host),
  });
  await workOff({
    files,
    lease,
    async learnAt({ root, cwd }) {
      if (!existsSync(cwd)) return null;
      using retain = openRetain({ cwd });
      if (retain.workspace.root !== root) return null;
      return await retain.learning.runDue(() => lease.renew());
    },
  });
}
