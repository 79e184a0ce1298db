import type { Retain } from "../../app.ts";
import { bankName } from "../../config/bank-scope.ts";
import { RetainError } from "../../core/errors.ts";
import { lowerFirst } from "../../util/text.ts";
import { askPerson, canAsk, isYes } from "../ask.ts";
import type { CliCommand, Context } from "../command.ts";
import { hindsightHere } from "../hindsight-here.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";
import { tell } from "../tty.ts";

interface ClearOptions extends CommonOptions {
  yes?: boolean;
}

export const clear: CliCommand<ClearOptions> = {
  define(command) {
    command.option("--yes", "do not ask");
    addExamples(command, ["retain clear", "retain clear --global --yes"]);
  },

  async run(context, _args, { yes }) {
    const retain = context.open();
    const hindsight = hindsightHere(context, retain);
    if (hindsight !== null) return emptyBank(context, retain, hindsight.bank, yes);
    const { workspace } = retain;
    const bank = bankName(workspace);
    if (!yes)
      await confirm(context, {
        bank,
        what: `Every document, fact, note and conversation in ${workspace.root}`,
        stays: "Settings and skills stay, and a backup is made first.",
      });
    const { done, left, backup, undo } = await retain.clearWorkspace();
    const headline =
      backup === null ? `✓ ${bank} is empty already.` : `✓ Cleared ${bank} (${workspace.root}).`;
    const back = backup === null ? [] : [`A backup is in ${backup}. To bring it back:`, `  ${undo}`];
    return {
      data: { bank, root: workspace.root, done, left, backup, undo },
      text: [context.terminal.style("green", headline), ...done, ...left, ...back].join("\n"),
      quiet: backup ?? "",
    };
  },
};

/** Of a bank on a server only what is here can be emptied: what waits for it, of which other projects' stays. */
async function emptyBank(context: Context, retain: Retain, bank: string, yes = false): Promise<Output> {
  const backend = await retain.backend();
  const { location } = await backend.status();
  const { goes, stays } = backend.toEmpty?.() ?? { goes: [], stays: [] };
  if (!yes)
    await confirm(context, {
      bank,
      what:
        goes.length === 0
          ? `The cached answers of ${location}`
          : `What waits here for ${location} (${goes.join(", ")}), and its cached answers`,
      stays: [...stays, "What the bank holds stays on its server."].join("\n"),
    });
  const { done, left } = await retain.emptyBackend();
  return {
    data: { bank: location, done, left },
    text: [context.terminal.style("green", `✓ Cleared what was here of ${location}.`), ...done, ...left].join(
      "\n",
    ),
    quiet: "",
  };
}

interface ToClear {
  readonly bank: string;
  /** What goes. */
  readonly what: string;
  readonly stays: string;
}

/** Throws unless a person says yes, or the bank's name. */
async function confirm({ options }: Context, { bank, what, stays }: ToClear): Promise<void> {
  if (!canAsk(options))
    throw new RetainError(
      "unconfirmed",
      `This would be removed, and nobody is here to say yes: ${lowerFirst(what)}.`,
      "If that is meant: retain clear --yes",
    );
  tell(`This goes: ${lowerFirst(what)}.\n${stays}\n`);
  const answer = await askPerson(`Clear '${bank}'? Its name, or y: `);
  if (answer !== bank && !isYes(answer)) throw new RetainError("unconfirmed", "Nothing was cleared.");
}
