import type { Retain } from "../../app.ts";
import { bankName } from "../../config/bank-scope.ts";
import { RetainError } from "../../core/errors.ts";
import type { MemoryBackend } from "../../core/ports/backend.ts";
import { lowerFirst } from "../../util/text.ts";
import { askPerson, canAsk, isYes } from "../ask.ts";
import type { CliCommand, Context } from "../command.ts";
import { hindsightHere } from "../hindsight-here.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";
import { writeToTerminal } from "../tty.ts";

interface ClearOptions extends CommonOptions {
  yes?: boolean;
}

export const clear: CliCommand<ClearOptions> = {
  define(command) {
    command.option("--yes", "do not ask for confirmation");
    addExamples(command, ["retain clear", "retain clear --global --yes"]);
  },

  async run(context, _args, { yes }) {
    const retain = context.open();
    const hindsight = hindsightHere(context, retain);
    const backend = await retain.backend();
    if (hindsight !== null && backend !== null)
      return emptyBank(context, retain, { backend, bank: hindsight.bank, yes: yes ?? false });
    const { workspace } = retain;
    const bank = bankName(workspace);
    if (!yes)
      await confirm(context, {
        bank,
        what: `Every document, fact, note and conversation in ${workspace.root}`,
        stays: "Settings and skills stay. Retain makes a backup first.",
      });
    const { done, left, backup, undo } = await retain.clearWorkspace();
    const headline =
      backup === null ? `✓ ${bank} is already empty.` : `✓ Cleared ${bank} (${workspace.root}).`;
    const back = backup === null ? [] : [`Backup: ${backup}. To restore it:`, `  ${undo}`];
    return {
      data: { bank, root: workspace.root, done, left, backup, undo },
      text: [context.terminal.style("green", headline), ...done, ...left, ...back].join("\n"),
      quiet: backup ?? "",
    };
  },
};

/** For a bank on a server, this clears only local data: this project's pending items and the cached answers. */
async function emptyBank(
  context: Context,
  retain: Retain,
  { backend, bank, yes }: { backend: MemoryBackend; bank: string; yes: boolean },
): Promise<Output> {
  const { location } = await backend.status();
  const { goes, stays } = backend.toEmpty?.() ?? { goes: [], stays: [] };
  if (!yes)
    await confirm(context, {
      bank,
      what:
        goes.length === 0
          ? `Cached answers from ${location}`
          : `Everything pending for ${location} (${goes.join(", ")}), and its cached answers`,
      stays: [...stays, "Memory in the bank stays on its server."].join("\n"),
    });
  const { done, left } = await retain.emptyBackend();
  return {
    data: { bank: location, done, left },
    text: [context.terminal.style("green", `✓ Cleared local data for ${location}.`), ...done, ...left].join(
      "\n",
    ),
    quiet: "",
  };
}

interface ToClear {
  readonly bank: string;
  /** Shown to the user as what will be removed. */
  readonly what: string;
  readonly stays: string;
}

/** Throws unless the user answers yes or types the bank's name. */
async function confirm({ options }: Context, { bank, what, stays }: ToClear): Promise<void> {
  if (!canAsk(options))
    throw new RetainError(
      "unconfirmed",
      `Removing this needs confirmation: ${lowerFirst(what)}.`,
      "To confirm: retain clear --yes",
    );
  writeToTerminal(`This removes: ${lowerFirst(what)}.\n${stays}\n`);
  const answer = await askPerson(`Clear '${bank}'? Type its name, or y: `);
  if (answer !== bank && !isYes(answer)) throw new RetainError("unconfirmed", "Nothing was cleared.");
}
