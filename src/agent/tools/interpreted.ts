/** Whether an interpreter is given code among its words, or something else that cannot be read here. */
import { AWKS, DATABASES, EDITORS, isLanguage } from "./programs.ts";
import { type Step, textsOf } from "./step.ts";

/** By which options code is given. Before the first file's name; behind it, options are the script's own. */
const CODE: readonly [program: RegExp, option: RegExp][] = [
  [/^(?:python|pypy)/, /^-(?![WX])[a-zA-Z]*c/],
  [/^perl/, /^-(?![IM])[a-zA-Z0-9]*[eE]/],
  [/^(?:ruby|lua|osascript)/, /^-(?![IrE])[a-zA-Z]*e/],
  [/^(?:node|nodejs|bun)$/, /^(?:-[a-z]*[ep]$|-[ep]|--(?:eval|print))/],
  [/^php$/, /^-(?!d)[a-zA-Z]*[rBRE]/],
  [/^pwsh$/, /^-(?:c|e)/i],
];
/** Options that take the next word. */
const WITH_WORD =
  /^(?:-[WXIrCd]|--(?:require|import|loader|experimental-loader|conditions|input-type|env-file|config|cwd|preload))$/;

/** By these names they are rarer, and their options much the same. */
const RARER =
  /^(?:rscript|julia|ghci?|scala|groovy|jshell|elixir|erl|iex|swift|raku|guile|racket|sbcl|octave|gnuplot|expect|luajit|ts-node|tsx)$/;

export function isGivenCode(step: Step): boolean {
  const { program, args, piped } = step;
  const given = step.texts.length > 0;
  if (RARER.test(program))
    return piped || given || args.some(({ text }) => /^-{1,2}(?:[ecE]$|eval|expr)/.test(text));
  if (EDITORS.has(program)) return piped || given || args.some(({ text }) => /^[-+]/.test(text));
  if (!isLanguage(program)) return false;
  const texts = textsOf(args);
  if (program === "deno") return texts[0] === "eval" || ((piped || given) && texts.includes("-"));
  const option = CODE.find(([name]) => name.test(program))?.[1];
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? "";
    if (text === "-") break;
    if (!text.startsWith("-") || /^-m/.test(text)) return false;
    if (option?.test(text)) return true;
    if (WITH_WORD.test(text) && !texts[at + 1]?.startsWith("-")) at++;
  }
  return piped || given;
}

/** How awk runs commands and writes files. */
const AWK_ACTS = /\bsystem\s*\(|\|&?\s*getline|\bprintf?\b[^;}\n]*[|>]|@\s*\w+\s*\(|@(?:load|include)\b/;
const STRINGS = /"(?:[^"\\\n]|\\.)*"/g;
/** A quote in a pattern, after which what is a string cannot be told. */
const QUOTE_IN_PATTERN = /\/[^/\n]*"/;

export function isActingAwk({ program, args }: Step): boolean {
  if (!AWKS.has(program)) return false;
  return args.some(
    ({ text }) =>
      AWK_ACTS.test(text.replace(STRINGS, '""')) || (QUOTE_IN_PATTERN.test(text) && AWK_ACTS.test(text)),
  );
}

/** How the clients of databases run commands, and read and write files. */
const DATABASE_ACTS =
  /(?:^|\n)\s*\.(?:sh|sy|ou|on|ex|im|lo|sav|back|cl|re)|\\(?:[!gow]|copy)|\b(?:system|readfile|writefile|load_extension|outfile|dumpfile|program)\b/i;

export function isActingDatabase({ program, args, texts }: Step): boolean {
  if (!DATABASES.has(program)) return false;
  return [...textsOf(args), ...texts].some((text) => DATABASE_ACTS.test(text));
}
