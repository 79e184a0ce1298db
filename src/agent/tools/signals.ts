/** Whom `kill` and its like would end. */
import type { Step } from "./step.ts";
import { textsOf } from "./step.ts";

/** Everybody, the own group, Retain, and the first of all processes. */
const EVERYBODY = /^-?[01]$|PPID/;
/** Started by the command itself. */
const OWN = /^(?:\$[!$]|%\w*|\$\{!\})$/;

interface Kill {
  readonly targets: readonly string[];
  /** It only lists signals, or asks whether somebody is there. */
  readonly isQuestion: boolean;
}

function readKill({ args }: Step): Kill {
  const texts = textsOf(args);
  const [first = "", second = ""] = texts;
  if (/^-[lL]/.test(first) || first === "--list") return { targets: [], isQuestion: true };
  const isNamed = /^(?:-[sn]|--signal)$/.test(first);
  const isSignal = !isNamed && /^-[^-]/.test(first) && texts.length > 1;
  const rest = texts.slice(isNamed ? 2 : isSignal ? 1 : 0);
  const signal = isNamed ? second : isSignal ? first.slice(1) : "";
  return { targets: rest.filter((text) => !/^--/.test(text)), isQuestion: signal === "0" };
}

export function killsEverybody(step: Step): boolean {
  if (step.program === "killall5") return true;
  const { targets, isQuestion } = readKill(step);
  return step.program === "kill" && !isQuestion && targets.some((target) => EVERYBODY.test(target));
}

/** Others than those that the command itself started. */
export function killsOthers(step: Step): boolean {
  const { program, args } = step;
  if (/^(?:pkill|killall|skill|xkill)$/.test(program)) return true;
  if (program === "fuser") return args.some(({ text }) => /^-\w*k|^--k/.test(text));
  if (program !== "kill") return false;
  const { targets, isQuestion } = readKill(step);
  return !isQuestion && (step.fed || targets.some((target) => !OWN.test(target)));
}

const SHOWING = /^(?:status|show|cat|list-.*|is-.*|get-default|list|print|blame|help|--version)$/;

/** It would run by itself later, or go on outside of the command. */
export function runsLater({ program, args }: Step): boolean {
  const texts = textsOf(args);
  if (program === "crontab") return !(texts.length === 1 && texts[0] === "-l");
  if (program === "at") return texts[0] !== "-l";
  if (/^(?:systemctl|launchctl|service|rc-service|loginctl)$/.test(program))
    return !texts.some((text) => SHOWING.test(text));
  return /^(?:batch|systemd-run)$/.test(program);
}
