/**
 * Commands that no approval allows, as a list of rules to read. It is a net under a person's judgement, not a wall around a
 * program: what a script or a test does once it runs is not seen here. So it holds what nobody means to say yes to, and what
 * cannot be understood is asked about instead (caution.ts).
 */
import { basename } from "node:path";
import { deletesHistory, deletesMemory, isRecursive, movedOf, sweeps, writesIntoGit } from "./deletions.ts";
import { KEYS_ARE_SECRET } from "./deny-paths.ts";
import { readGit, settingChange } from "./git-call.ts";
import { isInterpreter, isLanguage, SHELLS } from "./programs.ts";
import { isRetain, retainVerdict } from "./retain-verbs.ts";
import { killsEverybody } from "./signals.ts";
import { namesOf, type Rule, type Step } from "./step.ts";

const OTHER_USERS =
  /^(?:sudo(?:edit|-rs|\.ws)?|doas|su|pkexec|run0|runuser|gosu|su-exec|setuidgid|chpst|sg|newgrp|machinectl|please)$/;

const RULES: readonly Rule[] = [
  {
    why: "It would act as another user.",
    applies: ({ program }) => OTHER_USERS.test(program),
  },
  {
    why: "It would delete the working directory, the home directory, or what is above them.",
    applies: sweeps,
  },
  {
    why: "It would delete the project's history.",
    applies: deletesHistory,
  },
  {
    why: "It would delete a memory of Retain's as a whole.",
    applies: deletesMemory,
  },
  {
    why: "It would put files where git runs them by itself later.",
    applies: writesIntoGit,
  },
  {
    why: "It would move the home directory, or what is above it.",
    applies: (step) => step.program === "mv" && movedOf(step).some((word) => step.isVital(word, false)),
  },
  {
    why: "It would change who may read and write everything.",
    applies: (step) =>
      /^(?:chmod|chown|chgrp|setfacl)$/.test(step.program) &&
      isRecursive(step) &&
      step.args.some((word) => step.isVital(word, false)),
  },
  {
    why: "It would write over a disk.",
    applies: ({ program, args }) =>
      /^(?:mkfs(?:\..+)?|mke2fs|mkswap|wipefs|s?fdisk|s?gdisk|parted|blkdiscard)$/.test(program) ||
      (program === "dd" && args.some(({ text }) => /^of=\/dev\/(?!null$|stdout$|stderr$)/.test(text))),
  },
  {
    why: "It would switch the machine off.",
    applies: ({ program, args }) =>
      /^(?:shutdown|reboot|halt|poweroff)$/.test(program) ||
      (/^(?:init|telinit)$/.test(program) && args.some(({ text }) => /^[06]$/.test(text))) ||
      (program === "systemctl" && args.some(({ text }) => /^(?:poweroff|reboot|halt|kexec)$/.test(text))),
  },
  {
    why: "It would end every program there is, or this one.",
    applies: killsEverybody,
  },
  {
    why: "It would run what the network answers, unseen.",
    applies: (step) =>
      step.fetched &&
      (runsWhatItIsGiven(step) || filesRun(step).some((file) => step.fetchedNames.has(basename(file)))),
  },
  {
    why: "It would change how git works in every project, or have it run a program by itself.",
    applies: ({ program, args }) =>
      program === "git" && /all projects|that runs/.test(settingChange(readGit(args)) ?? ""),
  },
  {
    why: "What is taken out of memory, what Retain trusts and how it is set up is the person's to decide.",
    applies: (step) => isRetain(step.program) && retainVerdict(step) === "never",
  },
];

/** A function that starts itself twice, in the background. */
const FORK_BOMB = /(?<![\w:.])([\w:.]+)\s{0,9}\(\s{0,9}\)\s{0,9}\{[^}]{0,99}\1\s{0,9}\|\s{0,9}\1\s{0,9}&/;
/** What it is given as input, by a name. */
const INPUT = /^\/(?:dev\/stdin|dev\/fd\/\d+|proc\/self\/fd\/\d+)$/;
/** Keys by name, however a program would come by them. */
const KEYS_BY_NAME = /\.ssh\/id_|\.aws\/credentials|\/etc\/shadow|\/proc\/[^\s/]+\/environ/i;

/** Why this step is never run; null where it may be. */
export function deniedStep(step: Step): string | null {
  return RULES.find((rule) => rule.applies(step))?.why ?? null;
}

/** Why this text of a command is never run, whatever its words mean; null where it may be. */
export function deniedText(command: string): string | null {
  if (FORK_BOMB.test(command)) return "It would start itself until the machine stands still.";
  return KEYS_BY_NAME.test(command) ? KEYS_ARE_SECRET : null;
}

/** Whether the program runs its input, or what a word of it turns out to be. */
export function runsWhatItIsGiven({ program, args, piped }: Step): boolean {
  if ((isSourcing(program) || SHELLS.has(program)) && args.some(({ expands }) => expands)) return true;
  if (!piped) return false;
  if (args.some(({ text }) => INPUT.test(text)) && (isSourcing(program) || isInterpreter(program)))
    return true;
  if (SHELLS.has(program)) return namesOf(args).length === 0 || args.some(({ text }) => /^-\w*s/.test(text));
  return isLanguage(program) && args.every(({ text }) => text === "-" || /^-(?![cem])/.test(text));
}

/** The script that it would run, or itself where it is named by a path. */
export function filesRun({ program, name, args, inputs }: Step): readonly string[] {
  const own = name.includes("/") ? [name] : [];
  if (!isSourcing(program) && !isInterpreter(program)) return own;
  const isModule = args.some(({ text }) => /^-[a-zA-Z]*[mc]$/.test(text));
  return [...own, ...inputs, ...(isModule ? [] : namesOf(args).slice(0, 1))];
}

export function isSourcing(program: string): boolean {
  return program === "eval" || program === "source" || program === ".";
}
