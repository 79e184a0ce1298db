/** What a call of git would run or set up besides its own work: settings that name programs, and commands among its words. */
import type { ShellWord } from "./shell-word.ts";
import { textsOf } from "./step.ts";

/** Settings by which git runs a program, takes in other settings, or gives a password away. */
const RUNNING_SETTING = new RegExp(
  "^(?:credential\\..*|pager\\..*|include(?:if\\..*)?\\.path|init\\.templatedir|sequence\\.editor|web\\.browser|" +
    "core\\.(?:hookspath|sshcommand|fsmonitor|editor|pager|askpass|gitproxy|attributesfile|alternaterefscommand|worktree)|" +
    "diff\\.external|diff\\..*\\.(?:command|textconv)|merge\\..*\\.driver|filter\\..*\\.(?:clean|smudge|process)|" +
    "(?:diff|merge)tool\\..*|(?:gpg|browser|man|trailer|tar|sendemail|guitool|interactive)\\..*|" +
    "uploadpack\\.packobjectshook|remote\\..*\\.(?:uploadpack|receivepack|vcs|proxy)|url\\..*|protocol\\..*|submodule\\..*\\.update|" +
    "http\\..*(?:proxy|sslverify|cookiefile|extraheader).*)$",
  "i",
);
/** Nothing is run by these. */
const QUIET_VALUE = /^(?:true|false|:|cat|less(?: -\w+)?|never|auto|\/dev\/null)?$/;

/** Own options of git that take the next word. */
const WITH_WORD = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source)$/;
/** Words that name a program for the other side of a connection, or files that run by themselves later. */
const RUNNING_OPTION =
  /^--(?:upload-p|receive-p|template|exec-path=|config-env|open-files-in-pager|sendmail-cmd|smtp-server)|^ext::/;
/** Where these options name such a program. */
const CONNECTING = /^(?:clone|fetch|ls-remote|archive|push|fetch-pack|send-pack)$/;
/** What follows these words is a command. */
const COMMANDS =
  /^(?:foreach|run)$|^(?:-x|--exec|--extcmd|--(?:tree|index|env|msg|commit|parent|tag-name|blob)-filter)(?:=|$)/;
const WITH_COMMANDS = /^(?:submodule|bisect|rebase|filter-branch|difftool|for-each-repo)$/;

export interface GitCall {
  /** "status"; "" where there is none. */
  readonly verb: string;
  readonly args: readonly ShellWord[];
  /** "name=value", for this call alone. */
  readonly settings: readonly string[];
}

export function readGit(words: readonly ShellWord[]): GitCall {
  const texts = textsOf(words);
  let at = 0;
  while (texts[at]?.startsWith("-")) at += WITH_WORD.test(texts[at] ?? "") ? 2 : 1;
  const settings = texts.flatMap((text, index) => {
    const isHere = index < at || texts[at] === "clone";
    if (!isHere) return [];
    if (/^(?:-c|--config)$/.test(text)) return [texts[index + 1] ?? ""];
    return /^(?:-c|--config=)(.+)$/s.exec(text)?.[1] ?? [];
  });
  return { verb: texts[at] ?? "", args: words.slice(at + 1), settings };
}

/** Texts that git would run as commands. */
export function gitScripts({ verb, args, settings }: GitCall): string[] {
  const values = settings
    .filter((setting) => runs(setting))
    .map((setting) => setting.replace(/^[^=]*=!?/, ""));
  if (!WITH_COMMANDS.test(verb)) return values;
  const texts = textsOf(args);
  const begin = texts.findIndex((text) => COMMANDS.test(text));
  const rest = begin < 0 ? [] : texts.slice(begin);
  const given = rest.map((text) => text.replace(/^--[\w-]+=/, "")).filter((text) => !text.startsWith("-"));
  return [...values, ...given, given.slice(1).join(" ")];
}

/** Whether settings are given for this call that make git run something. */
export function hasRunningSetting({ settings }: GitCall): boolean {
  return settings.some(runs);
}

function runs(setting: string): boolean {
  const [name = ""] = setting.split("=", 1);
  const value = setting.slice(name.length + 1);
  if (/^alias\./i.test(name)) return value.startsWith("!");
  return RUNNING_SETTING.test(name) && !QUIET_VALUE.test(value);
}

/** Whether git is told to run another program, or to set up what runs later. */
export function hasRunningOption({ verb, args }: GitCall, words: readonly ShellWord[]): boolean {
  if (verb === "grep" && args.some(({ text }) => text.startsWith("-O"))) return true;
  const option = verb === "clone" ? /^(?:-u|--exec)/ : /^--exec/;
  if (CONNECTING.test(verb) && args.some(({ text }) => option.test(text))) return true;
  return words.some(({ text }) => RUNNING_OPTION.test(text));
}

const SETTING_WITH_WORD = /^(?:-f|--file|--blob|--type|--default|--comment|--value|--url)$/;
const SHOWS = /^(?:--(?:get|list)|-l$)/;
const CHANGES = /^(?:--(?:add|unset|replace|rename|remove|edit)|-e$)/;
const CHANGING = /^(?:set|unset|rename-section|remove-section|edit)$/;

/** What `git config` would change; null where it only shows. */
export function settingChange({
  verb,
  args,
}: GitCall): "of this project" | "of all projects" | "that runs" | null {
  if (verb !== "config") return null;
  const texts = textsOf(args);
  const names = texts.filter(
    (text, index) => !text.startsWith("-") && !SETTING_WITH_WORD.test(texts[index - 1] ?? ""),
  );
  const [first = "", second = "", third = ""] = names;
  const isVerb = CHANGING.test(first);
  const isShown = /^(?:get|list)$/.test(first) || texts.some((text) => SHOWS.test(text));
  const isChange = isVerb || texts.some((text) => CHANGES.test(text)) || (names.length > 1 && !isShown);
  if (!isChange) return null;
  if (texts.some((text) => /^--(?:gl|sy)/.test(text))) return "of all projects";
  const [name, value] = isVerb ? [second, third] : [first, second];
  return value !== "" && runs(`${name}=${value}`) ? "that runs" : "of this project";
}
