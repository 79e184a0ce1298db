/**
 * Finds values that a name makes secret: `password: ...`, `API_KEY=...`, "my PIN is ...", `"token": "..."`, a row of a table. Searches
 * for the name, then for what joins it to a value. Each step reads a bounded length, so the work is linear.
 */

import { kindOfName, NAME, type SecretName } from "./names.ts";
import type { Secret } from "./secret.ts";
import {
  isDense,
  isPlaceholder,
  isSlug,
  isUuid,
  looksLikeChosenWord,
  looksLikePassphrase,
  looksLikePassword,
  looksRandom,
  trimEnd,
} from "./values.ts";

const CLOSING_MARKS = "(?:\\\\?[\"'`]|[*_\\])]){0,4}";
const SUFFIX =
  "(?:[_-](?:prod(?:uction)?|dev(?:elopment)?|stag(?:ing|e)|test|live|base|value|default)|[_-]?\\d{1,2})?";
const ABOUT =
  "(?:[ \\t]+(?:for|of|to|on|at|in|für|vom|von|zum|zur|der|de|del|du|des|pour|di|della|da|do|van)[ \\t][^\\n:=.!?|]{1,40}?|[ \\t]*\\([^()\\n]{1,40}\\))?";
const SIGN =
  "[ \\t]*(?::=|=>|->|→|={1,3}|:|：|＝)[ \\t]*(?:(?:\\r?\\n[ \\t]*){1,2}(?:`{3}\\w*\\r?\\n[ \\t]*|[-*>] )?)?";
const VERB =
  "(?:['’]s|[ \\t]+(?:is|was|ist|lautet|war|es|est|è|é|är|jest))(?:[ \\t]+(?:now|still|currently|just|simply|jetzt|ahora))?:?[ \\t]+";
const CHANGE = "[ \\t]+(?:(?:is|was|has been|got)[ \\t]+)?(?:changed|set|updated|reset)[ \\t]+to:?[ \\t]+";
/** Only after "set", "change" and similar: see SETTING. */
const TO = "[ \\t]+to:?[ \\t]+";
const CJK_VERB = "[ \\t]*(?:是|为|為|は|는|은)[ \\t]*";
const VALUE_FIELD = ",?\\s{1,40}[\"']?value[\"']?[ \\t]*[:=][ \\t]*";
const ASSIGNMENT = new RegExp(
  `(${NAME})${SUFFIX}${CLOSING_MARKS}(?:(</\\w{1,10}>\\s{0,20}<\\w{1,10}>|>)|${ABOUT}(?:(${VALUE_FIELD}|${SIGN}|[ \\t]*\\|[ \\t]*)|(${CHANGE}|${VERB}|${CJK_VERB}))|(${TO})|([ \\t]+))(?:[*_]{1,2}[ \\t]*)?(\\\\?["'\`“‘«„]|)`,
  "gi",
);

const LONGEST_VALUE = 256;
const CLOSING_QUOTE: Readonly<Record<string, string>> = { "“": "”", "‘": "’", "«": "»", "„": "“" };
/** Where an unquoted value ends: another field, a tag, a table's bar, an escape, CJK text. */
const VALUE_END =
  /[&;,][\w .%-]{1,40}[=:]|["'`]|<|\||\\[nrt"]|[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uff65]/;
const UNIT = /^\s*-?(?:char|digit|bit|byte|letter|word|second|minute|hour|day|week|month|year|time|user|%)/i;

const OPTION = /(?:^|\s)--?(?:[a-z]+-){0,3}$/i;
const SETTING = /\b(?:set|chang|reset|updat|switch)\w*\b[^.\n]*$/i;
const OWNER = /\b(?:my|our|his|her|their)\b[^.\n]*$/i;

export function findAssignments(text: string): Secret[] {
  const found: Secret[] = [];
  ASSIGNMENT.lastIndex = 0;
  for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
    const [all, word = "", tag, sign, verb, to, space, quote = ""] = match;
    const name = kindOfName(text, match.index, word);
    const value = name && valueAt(text, match.index + all.length, quote);
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    const join: Join = {
      sign: tag ?? sign,
      isBare: (space !== undefined && !OPTION.test(before)) || (to !== undefined && !SETTING.test(before)),
      isQuoted: verb !== undefined && quote !== "" && OWNER.test(before),
      isWhole: value !== null && isWhole(text, match.index, value.end, quote),
      isOwned: verb !== undefined && OWNER.test(before),
      after: value ? text.slice(value.end, value.end + 12) : "",
    };
    if (name && value && isSecretValue(name, value.text, join)) {
      const end = value.text.length < LONGEST_VALUE ? value.end : endOfRun(text, value.end);
      found.push({ what: name.what, start: value.start, end });
      ASSIGNMENT.lastIndex = end;
    } else ASSIGNMENT.lastIndex = match.index + word.length;
  }
  return found;
}

/** What is between a name and its value, and after it. */
interface Join {
  /** A colon, an equals sign and the like; undefined for a verb. */
  readonly sign: string | undefined;
  /** Nothing but white space, and the name isn't an option (`--password value`). */
  readonly isBare: boolean;
  /** "my password is 'swordfish'": a plain word counts. */
  readonly isQuoted: boolean;
  /** At most another field follows, so the value isn't the first word of a sentence or a variable in code. */
  readonly isWhole: boolean;
  /** "my password is ...". */
  readonly isOwned: boolean;
  readonly after: string;
}

interface Value {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const LONGEST_LINE = 400;

function isWhole(text: string, start: number, end: number, quote: string): boolean {
  const after = text.slice(end, end + 60);
  if (quote !== "") return after.startsWith(CLOSING_QUOTE[quote] ?? quote);
  if (/^[.!]?[ \t]*(?:\r?\n|$)/.test(after)) return true;
  const before = /[^\n]*$/.exec(text.slice(Math.max(0, start - LONGEST_LINE), start))?.[0] ?? "";
  return /^[,;] ?[\w .-]{1,30}[:=]/.test(after) && !/[{}()<>[\]]/.test(before);
}

/** The quoted text, or the next word without punctuation; null if there is none. */
function valueAt(text: string, start: number, quote: string): Value | null {
  const rest = text.slice(start, start + LONGEST_VALUE);
  const closing = quote === "" ? -1 : rest.indexOf(CLOSING_QUOTE[quote] ?? quote);
  if (closing >= 0) return { text: rest.slice(0, closing), start, end: start + closing };
  const word = /^\S+/.exec(rest)?.[0] ?? "";
  const stop = word.slice(1).search(VALUE_END);
  const isCut = stop < 0 && word.length === LONGEST_VALUE;
  const value = isCut ? word : trimEnd(stop < 0 ? word : word.slice(0, stop + 1), ".,;:)]}>\"'`\\");
  return value === "" ? null : { text: value, start, end: start + value.length };
}

/** The end of a value longer than LONGEST_VALUE. */
function endOfRun(text: string, start: number): number {
  const length = text.slice(start).search(/[\s"'`<|]/);
  return length >= 0 ? start + length : text.length;
}

export function isSecretValue(name: SecretName, value: string, join: Join): boolean {
  if (/\s/.test(value)) return name.kind === "password" && looksLikePassphrase(value);
  const isNumber = /^\d+$/.test(value);
  if (isNumber && (UNIT.test(join.after) || join.isBare)) return false;
  if (join.sign?.includes("\n") && !/^[!?.,;)"'`]*[ \t]*(?:\r?\n|$)/.test(join.after)) return false;
  if (name.digits !== undefined) return name.digits.test(value);
  if (name.kind === "key") return !join.isBare && isSecretKey(value, name.isCompound);
  if (join.isBare) return name.mayBeBare && isStrong(value);
  if (name.kind === "password" && join.isQuoted && value.length >= 4 && !isPlaceholder(value)) return true;
  if (name.kind === "password")
    return (!isNumber || name.mayBeNumber) && (looksLikePassword(value) || isWordForName(name, value, join));
  return (
    (name.kind === "secret" && join.sign !== undefined && isChosenSecret(value)) || looksRandom(value, 10)
  );
}

/** "password: correcthorse". After "pass", a word is more likely a test result. */
function isWordForName(name: SecretName, value: string, join: Join): boolean {
  if (!name.mayBeBare || !join.isWhole) return false;
  if (join.sign !== undefined) return looksLikeChosenWord(value, 8);
  return join.isOwned && looksLikeChosenWord(value, 10);
}

/** After "secret", a value may be a password, but is more often the name of a secret. */
function isChosenSecret(value: string): boolean {
  const isMixed = value.length >= 8 && /\p{L}/u.test(value) && /\d/.test(value);
  return isMixed && !isSlug(value) && looksLikePassword(value);
}

/** Most keys are names, and a value after a bare "key" is often a hash. So only unambiguous values count. */
function isSecretKey(value: string, isCompound: boolean): boolean {
  if (!/^[\w+/=-]+$/.test(value) || isUuid(value) || !looksRandom(value, 20)) return false;
  return /^[0-9a-f]+$/i.test(value) ? isCompound : isDense(value, 2.8);
}

/** Without a sign or verb after the name, the value alone must look like a secret. */
function isStrong(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[!@#$%^&*?]/].filter((kind) => kind.test(value)).length;
  return value.length >= 8 && kinds >= 3 && looksRandom(value, 8);
}

const SAID_BEFORE =
  /(?<![^\s"'`“(])["'`“]?([^\s"'`“”]{6,64})["'`”]?[ \t]+(?:is|was)[ \t]+(?:my|our|the|his|her|their|your)[ \t]+(?:[\w-]{1,20}[ \t]+){0,3}(?:password|passcode|passphrase|pwd)(?![\w-]|[ \t]+(?:manager|policy|field|reset|hash))/gi;

/** "hunter2 is my password". */
export function findSaidBefore(text: string): Secret[] {
  return Array.from(text.matchAll(SAID_BEFORE))
    .filter(([, value = ""]) => looksLikePassword(value))
    .map((match) => {
      const start = match.index + match[0].indexOf(match[1] ?? "");
      return { what: "a password", start, end: start + (match[1]?.length ?? 0) };
    });
}
