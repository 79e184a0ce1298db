/**
 * Commands that are asked about in every mode, as a list of rules to read: what they would do cannot be told before they run,
 * or reaches further than the files of the working directory.
 */
import { join } from "node:path";
import { deletesWhatItReads, mayMostlySweep, touchesMemory } from "./deletions.ts";
import { filesRun, runsWhatItIsGiven } from "./deny.ts";
import { hasRunningOption, hasRunningSetting, readGit, settingChange } from "./git-call.ts";
import { isActingAwk, isActingDatabase, isGivenCode } from "./interpreted.ts";
import { isWrapper, REMOVERS, SEDS } from "./programs.ts";
import { isRetain, retainVerdict } from "./retain-verbs.ts";
import { sedEffects } from "./sed-script.ts";
import { killsOthers, runsLater } from "./signals.ts";
import { type Rule, type Step, textsOf } from "./step.ts";

export const UNCLEAR = "What it would run cannot be told before it runs.";

const RULES: readonly Rule[] = [
  {
    why: UNCLEAR,
    applies: (step) =>
      runsWhatItIsGiven(step) ||
      isGivenCode(step) ||
      isActingAwk(step) ||
      isActingDatabase(step) ||
      isFedEmpty(step),
  },
  {
    why: UNCLEAR,
    applies: ({ program, args }) =>
      program === "alias" ||
      (program === "hash" && args.some(({ text }) => text.startsWith("-p"))) ||
      (program === "enable" && args.some(({ text }) => text.startsWith("-f"))) ||
      (SEDS.has(program) && sedEffects(args).unclear) ||
      (program === "env" && args.some(({ text }, index) => /\\/.test(text) && isSplit(args, index))),
  },
  {
    why: "It tells git to run another program.",
    applies: ({ program, args }) => {
      const call = readGit(args);
      return program === "git" && (hasRunningSetting(call) || hasRunningOption(call, args));
    },
  },
  {
    why: "It would change the settings of git.",
    applies: ({ program, args }) => program === "git" && settingChange(readGit(args)) !== null,
  },
  {
    why: "It would run other commands while it packs or unpacks.",
    applies: ({ program, args }) =>
      /^(?:tar|bsdtar|gtar)$/.test(program) &&
      args.some(({ text }) => /^--(?:to-c|checkpoint-a|inf|new-v|rsh|use-c)|^-F/.test(text)),
  },
  {
    why: "Which files it would change cannot be told before it runs.",
    applies: (step) => changesUnknown(step) || deletesWhatItReads(step) || mayMostlySweep(step),
  },
  {
    why: "It would delete files that git does not keep.",
    applies: ({ program, args }) => {
      const { verb, args: own } = readGit(args);
      return (
        program === "git" && verb === "clean" && textsOf(own).some((text) => /^-\w*[fx]|^--f/i.test(text))
      );
    },
  },
  {
    why: "It would change what is remembered.",
    applies: (step) => touchesMemory(step) || (isRetain(step.program) && retainVerdict(step) === "ask"),
  },
  {
    why: "It would end programs that it did not start.",
    applies: killsOthers,
  },
  {
    why: "It would have something run later, or outside of this command.",
    applies: runsLater,
  },
  {
    why: "It would run what may have come from the network.",
    applies: (step) =>
      step.fetched && filesRun(step).some((file) => /[./]/.test(file) && !isThereNow(file, step)),
  },
];

/** Why this step is asked about in every mode; null where it is not. */
export function cautionStep(step: Step): string | null {
  return RULES.find((rule) => rule.applies(step))?.why ?? null;
}

function changesUnknown({ program, args, isUnknown }: Step): boolean {
  if (REMOVERS.has(program) || /^(?:chmod|chown|mv|ln)$/.test(program)) return args.some(isUnknown);
  if (/^(?:cp|install|rsync)$/.test(program)) return args.slice(-1).some(isUnknown);
  return program === "tee" && args.some((word) => isUnknown(word) && /^[$`]/.test(word.text));
}

/** What another program prints is the command: `xargs env`, `xargs -I% %`. */
function isFedEmpty({ program, args, fed }: Step): boolean {
  const own = textsOf(args).filter((text) => !/^-|^\w+=/.test(text));
  const isPackage = /^(?:npx|bunx|pnpx|uvx)$/.test(program) && own.length > 0 && own[0] === args[0]?.text;
  if (fed && isWrapper(program) && !isPackage) return true;
  const sign = args.flatMap(({ text }, index) => {
    if (/^(?:-I|--replace)$/.test(args[index - 1]?.text ?? "")) return [text];
    return /^(?:-I|--replace=)(.+)$/s.exec(text)?.[1] ?? [];
  });
  return (
    program === "xargs" && own.slice(sign.length > 0 ? 0 : own.length).some((text) => sign.includes(text))
  );
}

/** `env` reads escapes of its own in what it splits. */
function isSplit(args: Step["args"], index: number): boolean {
  const option = /^(?:-[a-zA-Z0]*S|--s)/;
  return option.test(args[index]?.text ?? "") || option.test(args[index - 1]?.text ?? "");
}

/** What is there before the command begins did not come by it. */
function isThereNow(file: string, { places }: Step): boolean {
  return places.isThere(file.startsWith("/") ? file : join(places.cwd, file));
}
