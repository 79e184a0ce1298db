/** What is used, on what things run, and in which version: programs, languages and services by their names. */

import {
  aboutThem,
  CODE,
  phrase,
  thirdPerson,
  trimmed,
  upperFirst,
  value,
  wordCount,
} from "./infer-grammar.ts";
import { NO_TECHNOLOGY, PARTS, POINTING, TECHNOLOGY } from "./infer-lexicon.ts";
import { type InferenceRule, inferred } from "./infer-rule.ts";

const MOST_WORDS = 14;
export const NEGATED = /\b(?:not|never|no|none|nothing|cannot|hardly|barely)\b|n['’]t\b/i;

/** Of an example, a trial, or somebody else's work. */
const OF_THE_MOMENT =
  /\b(?:tutorial|example|examples|demo|snippet|sample|prototype|fixtures?|homework|assignment|course|exercise|spike|experiment|(?:the|a|this|that) test|clients?['’]s?|customers?['’]s?|client|customer|like crazy|a lot|sometimes|occasionally|rarely|to (?:test|debug|undo|check|try|see|get|fix|find))\b/i;

/** Understood by itself, and not too long to be one thing. */
export function isPlain(words: string): boolean {
  return (
    words !== "" &&
    wordCount(words) <= MOST_WORDS &&
    ![POINTING, NEGATED, CODE, OF_THE_MOMENT].some((pattern) => pattern.test(words))
  );
}

/** A program, a language or a product by its name: known, or one word with a capital that is no class's and nobody's. */
export function isTool(words: string): boolean {
  const [first = "", second = ""] = words.replace(/^(?:the|an?) /i, "").split(/\s+/);
  const name = first.replace(/,$/, "");
  if (TECHNOLOGY.has(name.toLowerCase())) return true;
  if (NO_TECHNOLOGY.test(name) || /^\p{Lu}+$/u.test(name)) return false;
  if (second === "as") return false;
  return /^(?:\p{Lu}[\p{Ll}\p{N}.+#-]+|\p{Ll}+\d[\w.]*)$/u.test(name);
}

/** "Django and React", "Linux at home and Windows at work": all that stands after an "and" is a tool too. */
export function areTools(words: string): boolean {
  return words.split(/,? (?:and|or) |, /).every((one) => isTool(one));
}

const USES =
  /^(I|we|the (?:project|app|application|repo|repository|codebase|backend|frontend|service|team|site|website|api)|our (?:team|project|company|app|backend|frontend|service|api|codebase|repo)) (?:(?:currently|now|mainly|mostly|primarily|usually|generally|exclusively|already|all|also|still) )?(?:use|uses|am using|are using|is using|run on|runs on|deploy to|deploys to|deploy on|deploys on|deploy with|deploys with|run|runs|host on|code in|program in|develop in|develop on) (.+)$/iu;
const USING =
  /^(I['’]m|we['’]re) (?:(?:currently|now|mainly|mostly|always|still|already) )?(?:using|running|running on|deploying to) (.+)$/iu;

function whoIs(subject: string): string {
  if (/^I\b/i.test(subject)) return "The user";
  if (/^we\b/i.test(subject)) return "The project";
  return `The ${subject
    .replace(/^(?:the|our) /i, "")
    .toLowerCase()
    .replace(/^api$/, "API")}`;
}

const uses: InferenceRule = (clause) => {
  const direct = USES.exec(clause);
  const said = direct ?? USING.exec(clause);
  if (said === null) return null;
  const what = phrase(said[2] ?? "");
  if (!isPlain(what) || !areTools(what) || /\b(?:I|[Ww]e|me|us)\b/.test(what)) return null;
  const manner = /\b(deploy|run|host|code|program|develop)(?:s|ing)?(?: (to|on|with|in))?\b/i.exec(
    clause.slice(0, clause.length - (said[2] ?? "").length),
  );
  // Anything can be run: tests, a race, out of memory.
  if (/^runs?$/i.test(manner?.[0] ?? "") && !TECHNOLOGY.has(firstWord(what))) return null;
  const verb =
    manner === null ? "uses" : [thirdPerson(manner[1] ?? "use"), manner[2]].filter(Boolean).join(" ");
  return inferred("tool", `${whoIs(said[1] ?? "")} ${verb.toLowerCase()} ${aboutThem(what)}`, toolName(what));
};

function firstWord(words: string): string {
  return (words.split(/[\s,]/)[0] ?? "").toLowerCase();
}

/** "Postgres 16 for the orders" -> "Postgres 16". */
export function toolName(what: string): string {
  return trimmed(
    what
      .replace(/^(?:the|an?) /i, "")
      .replace(
        /,? (?:for|with|as|to|in|on|instead|because|and|everywhere|exclusively|when|from|over|via|by|at)\b.*$/i,
        "",
      ),
  );
}

const isOn: InferenceRule = (clause) => {
  const said =
    /^(I['’]m|I am|we['’]re|we are|(?:the project|production|prod|staging|the backend|the frontend) is) (?:(?:currently|still|now) )?(?:on|running) ((?:a )?[\p{L}.+#]+(?: (?:[\p{L}]+|v?\d[\w.]*)){0,2})$/iu.exec(
      value(clause),
    );
  if (said === null) return null;
  const what = trimmed(said[2] ?? "");
  const [first = "", second = ""] = what.toLowerCase().split(" ");
  if (
    !TECHNOLOGY.has(first) ||
    (second !== "" && !/^(?:v?\d|lts|pro|server|cloud|mint|linux|[a-z]+$)/.test(second)) ||
    first === "spaces" ||
    first === "tabs"
  )
    return null;
  const subject = said[1] ?? "";
  const who = /^we/i.test(subject)
    ? "The project"
    : /^I/i.test(subject)
      ? "The user"
      : subject.replace(/ is$/i, "").toLowerCase();
  return inferred("tool", `${upperFirst(who)} is on ${what}`, what);
};

const isPart: InferenceRule = (clause) => {
  const said = new RegExp(
    `^(my|our|the project['’]s) ((?:main |default |preferred |current )?(?:${PARTS})) (?:is|runs on|uses|consists of) (.+)$`,
    "iu",
  ).exec(clause);
  if (said === null) return null;
  const [, owner = "", part = "", rest = ""] = said;
  const what = phrase(rest);
  if (!isPlain(what) || !areTools(what)) return null;
  const whose = /^my$/i.test(owner) ? "user" : "project";
  return inferred(
    "tool",
    `The ${whose}'s ${part.toLowerCase().replace(/\b(?:ci|ide|db|os|orm)\b/g, (word) => word.toUpperCase())} is ${what}`,
    toolName(what),
  );
};

export const aboutTools: readonly InferenceRule[] = [uses, isOn, isPart];
