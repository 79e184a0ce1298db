/** Variables by which programs run something: "GIT_SSH_COMMAND=…", "PAGER=…", "BASH_ENV=…". */
import type { ShellWord } from "./shell-word.ts";

/** Their value is a command. */
const COMMANDS =
  /^(?:\w*(?:EDITOR|PAGER|ASKPASS|BROWSER|_COMMAND|_SSH|_RSH)|VISUAL|GIT_EXTERNAL_DIFF|LESSOPEN|LESSCLOSE|PS[0-4])$/;
/** Their value names files or settings that are taken in unseen. */
const UNSEEN =
  /^(?:BASH_\w+|LD_(?:PRELOAD|AUDIT)|DYLD_INSERT\w*|GIT_CONFIG\w*|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|PERL5OPT|PYTHONSTARTUP|RUBYOPT|TAR_OPTIONS)$/;
const NODE_LOADS = /(?:^|\s)(?:-r|--(?:require|import|loader|experimental-loader))/;

export interface RiskyValue {
  /** What would be run as a command; "" where nothing is. */
  readonly script: string;
  readonly unclear: boolean;
}

/** What is to be feared of "NAME=value". */
export function riskyValue({ text }: ShellWord): RiskyValue {
  const [, name = "", value = ""] = /^(\w+)(?:\[[^\]]*\])?\+?=(.*)$/s.exec(text) ?? [];
  const isQuiet = /^(?:|[01]|\/dev\/null)$/.test(value);
  return {
    script: COMMANDS.test(name) ? value : "",
    unclear: (UNSEEN.test(name) && !isQuiet) || (name === "NODE_OPTIONS" && NODE_LOADS.test(value)),
  };
}

/** Whether words of the program set variables. */
export function setsVariables(program: string): boolean {
  return /^(?:env|export|declare|typeset|readonly|local|make|gmake)$/.test(program);
}
