/**
 * Retain's own commands, where a model would run them. What removes from memory or takes back, and how Retain is set up, is for
 * the person to say; what else changes memory is asked about; what reads is free. A command that is not known here is asked
 * about too.
 */
import type { Step } from "./step.ts";
import { namesOf, textsOf } from "./step.ts";

/** With a subcommand: which of them read, and which are never run. */
interface Actions {
  readonly reading: RegExp;
  readonly never: RegExp;
}

const NOTHING = /(?!)/;
const READING = new Set(
  "search recall context facts get list collections notes why reflect versions diff where doctor completion demo help".split(
    " ",
  ),
);
const REMOVING = new Set(["forget", "delete", "undo"]);
const ACTIONS: Readonly<Record<string, Actions>> = {
  sessions: { reading: /^(?:list|show|search|export)$/, never: /^delete$/ },
  index: { reading: /^list$/, never: NOTHING },
  skills: { reading: /^list$/, never: /^(?:un)?trust$/ },
  config: { reading: /^(?:list|get|path)$/, never: /^(?:set|unset|edit)$/ },
  model: { reading: /^list$/, never: /^(?:use|key|add|remove)$/ },
};

/** By whatever name it is called: `retain`, `bin/retain`, `retain@1.2`, `dist/retain.js`. */
export function isRetain(program: string): boolean {
  return /^retain(?:@.*|\.(?:[cm]?[jt]s|exe|cmd))?$/.test(program);
}

export type RetainVerdict = "never" | "ask" | "free";

export function retainVerdict({ args }: Pick<Step, "args">): RetainVerdict {
  const texts = textsOf(args);
  const [verb = "", ...rest] = namesOf(args);
  if (isHelp(texts)) return "free";
  // A chat that is given tools would say yes to itself.
  if (texts.some((text) => /^--tools\b/.test(text))) return "never";
  if (REMOVING.has(verb)) return "never";
  const actions = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
  if (actions === undefined) return READING.has(verb) && !isChat(texts) ? "free" : "ask";
  // Behind an option, its value and the action cannot be told apart.
  const next = texts[texts.indexOf(verb) + 1] ?? "list";
  const possible = next.startsWith("-") ? rest : [next];
  if (possible.some((word) => actions.never.test(word))) return "never";
  return possible.every((word) => actions.reading.test(word)) ? "free" : "ask";
}

/** `retain forget --help` forgets nothing. */
function isHelp(texts: readonly string[]): boolean {
  const last = texts.at(-1) ?? "";
  return (
    texts.length <= 3 &&
    /^(?:--help|-h|--version|-V)$/.test(last) &&
    !texts.slice(0, -1).some((text) => text.startsWith("-"))
  );
}

/** Options before the command's name that make a question of it: `retain -p list`. */
function isChat(texts: readonly string[]): boolean {
  const first = texts.findIndex((text) => !text.startsWith("-"));
  return texts
    .slice(0, first < 0 ? undefined : first)
    .some((text) => !/^(?:--(?:local|global|json|quiet|verbose|version|help)|-[qvVh])$/.test(text));
}
