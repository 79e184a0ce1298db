/** Whether an interpreter is given code among its words, or something else that cannot be read here. */
import { AWKS, isLanguage } from "./programs.ts";
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
const WITH_WORD = /^(?:-[WXIrCd]|--(?:require|import|loader|experimental-loader|conditions|input-type|env-file|config|cwd|preload))$/;

export function isGivenCode({ program, args, piped, given }: Step): boolean {
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
    ({ text }) => AWK_ACTS.test(text.replace(STRINGS, '""')) || (QUOTE_IN_PATTERN.test(text) && AWK_ACTS.test(text)),
  );
}
