/** How work is done: what is used and in which version, what was decided and why, when something is due, what a project's customs are. */

import { aboutThem, thirdPerson, trimmed, value, wordCount } from "./infer-grammar.ts";
import { EVENTS, HABITS, PARTS, POINTING, TECHNOLOGY } from "./infer-lexicon.ts";
import { type InferenceRule, inferred } from "./infer-rule.ts";

const MOST_WORDS = 14;
const NEGATED = /\b(?:not|never|no|none|nothing|cannot|hardly|barely)\b|n['’]t\b/i;

/** Understood by itself, and not too long to be one thing. */
function isPlain(words: string): boolean {
  return words !== "" && wordCount(words) <= MOST_WORDS && !POINTING.test(words) && !NEGATED.test(words);
}

/** A program, a language or a product by its name: known, or with a capital or a number in it. */
function isTool(words: string): boolean {
  const first = words.replace(/^(?:the|an?) /i, "").split(/[\s,]/)[0] ?? "";
  if (TECHNOLOGY.has(first.toLowerCase())) return true;
  return (
    /^(?:\p{Lu}[\p{L}\p{N}.+#-]+|\p{Ll}+\p{Lu}[\p{L}\p{N}]*|[\p{L}]+\d[\w.]*)$/u.test(first) &&
    !/^(?:The|A|An|My|Our|I|English|God)$/.test(first)
  );
}

const USES =
  /^(I|we|the (?:project|app|application|repo|repository|codebase|backend|frontend|service|team|site|website|api)|our (?:team|project|company|app|backend|frontend|service|api|codebase|repo)) (?:(?:currently|now|mainly|mostly|primarily|usually|generally|exclusively|already|all|also|still) )?(?:use|uses|am using|are using|is using|run on|runs on|deploy to|deploys to|deploy on|deploys on|deploy with|deploys with|run|runs|host on|code in|program in|develop in|develop on) (.+)$/iu;
const USING =
  /^(I['’]m|we['’]re) (?:(?:currently|now|mainly|mostly|always|still|already) )?(?:using|running|running on|deploying to) (.+)$/iu;

function whoIs(subject: string): string {
  if (/^I\b/i.test(subject)) return "The user";
  if (/^we\b/i.test(subject)) return "The project";
  return `The ${subject.replace(/^(?:the|our) /i, "").toLowerCase()}`;
}

const uses: InferenceRule = (clause) => {
  const direct = USES.exec(clause);
  const said = direct ?? USING.exec(clause);
  if (said === null) return null;
  const what = value(said[2] ?? "");
  if (!isPlain(what) || !isTool(what) || /\b(?:I|we|me|us)\b/.test(what)) return null;
  const manner = /\b(deploy|run|host|code|program|develop)(?:s|ing)?(?: (to|on|with|in))?\b/i.exec(
    clause.slice(0, clause.length - (said[2] ?? "").length),
  );
  const verb =
    manner === null ? "uses" : [thirdPerson(manner[1] ?? "use"), manner[2]].filter(Boolean).join(" ");
  return inferred("tool", `${whoIs(said[1] ?? "")} ${verb.toLowerCase()} ${aboutThem(what)}`, toolName(what));
};

/** "Postgres 16 for the orders" -> "Postgres 16". */
function toolName(what: string): string {
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
      : `The ${subject.replace(/ is$/i, "").replace(/^the /i, "").toLowerCase()}`;
  return inferred("tool", `${who} is on ${what}`, what);
};

const isPart: InferenceRule = (clause) => {
  const said = new RegExp(
    `^(my|our|the project['’]s) ((?:main |default |preferred |current )?(?:${PARTS})) (?:is|runs on|uses|consists of) (.+)$`,
    "iu",
  ).exec(clause);
  if (said === null) return null;
  const [, owner = "", part = "", rest = ""] = said;
  const what = value(rest);
  if (!isPlain(what) || !isTool(what)) return null;
  const whose = /^my$/i.test(owner) ? "user" : "project";
  return inferred(
    "tool",
    `The ${whose}'s ${part.toLowerCase().replace(/\b(?:ci|ide|db|os|orm)\b/g, (word) => word.toUpperCase())} is ${what}`,
    toolName(what),
  );
};

/** The reason goes along, where there is one. */
function withReason(rest: string): { what: string; why: string } {
  const [before = "", ...after] = rest.split(/,?\s+(?:because|since|as it|so that|due to)\s+/i);
  const why = trimmed(after.join(" because "));
  const usable =
    why !== "" && wordCount(why) <= 20 && !/\b(?:this|that|these|those|he|she|him|her|you|your)\b/i.test(why);
  return { what: value(before), why: usable ? ` because ${aboutThem(why)}` : "" };
}

const decided: InferenceRule = (clause) => {
  const said =
    /^(?:(I|we)(?:['’]ve| have)? (?:just |finally |now |already )?(decided|agreed|chose|chosen|picked|settled|opted)|(?:(we)['’]ll|(we) will|(let['’]?s)|(we)['’]re going to) (go|stick) with) ?(?:(to|on|against|for|upon) )?(.+)$/iu.exec(
      clause,
    );
  if (said === null) return null;
  const [, who = "", verb = "", , , , , go = "", link = "", rest = ""] = said;
  const { what, why } = withReason(rest);
  if (
    !isPlain(what) ||
    /\b(?:I|me|us|we)\b/.test(what) ||
    /^(?:a|the) (?:look|break|walk|chance)\b/i.test(what)
  )
    return null;
  const lower = verb.toLowerCase();
  if (go !== "")
    return inferred(
      "decision",
      `It was decided to ${go.toLowerCase()} with ${aboutThem(what)}${why}`,
      toolName(what),
    );
  if ((lower === "decided" || lower === "agreed" || lower === "settled" || lower === "opted") && link === "")
    return null;
  if (/^(?:up|out|off|apart)\b/i.test(what)) return null;
  const chosen = lower === "chose" || lower === "chosen" || lower === "picked";
  if (chosen && link !== "" && link !== "to") return null;
  const to =
    link === "to"
      ? `to ${aboutThem(what)}`
      : link === "against"
        ? `against ${aboutThem(what)}`
        : `to go with ${aboutThem(what)}`;
  const subject = /^I$/i.test(who) ? "The user decided" : "It was decided";
  return inferred(
    "decision",
    `${subject} ${to}${why}`,
    toolName(what.replace(/^(?:use|using|go with|switch to|move to|adopt|migrate to|drop) /i, "")),
  );
};

const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DATE = `(?:(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(?:the )?(?:\\d{4}-\\d\\d-\\d\\d|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \\d{4})?|${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?|\\d{1,2}\\.\\d{1,2}\\.\\d{4}))`;
const DATED = new RegExp(
  `^(my|our|the) ((?:[\\p{L}\\p{N}.-]+ ){0,3}?(?:${EVENTS}|birthday)(?: (?:date|day|party))?(?: (?:of|for|with) [\\p{L}\\p{N}. ]{2,30}?)?) (is(?: (?:due|scheduled|planned|set))?|starts|ends|begins|happens|takes place|was moved|has been moved|moved) (?:(on|by|for|to) )?(${DATE})$`,
  "iu",
);

const dated: InferenceRule = (clause) => {
  const said = DATED.exec(
    trimmed(
      clause.replace(
        /,? (?:at (?:\d|noon|midnight)|in the (?:morning|afternoon|evening)|in \p{Lu}|because|so|and|which).*$/u,
        "",
      ),
    ),
  );
  if (said === null) return null;
  const [, owner = "", what = "", verb = "", link = "on", day = ""] = said;
  if (POINTING.test(what) || NEGATED.test(what)) return null;
  const whose = /^my$/i.test(owner) ? "The user's" : "The";
  return inferred("date", `${whose} ${what} ${verb.toLowerCase()} ${link.toLowerCase()} ${day}`, what);
};

const custom: InferenceRule = (clause) => {
  const here =
    /^(?:in|for|on) (?:this|our|the) (?:repo|repository|project|codebase|team|company|service|package|app|monorepo),? (?:we|everyone|everybody) (.+)$/iu.exec(
      clause,
    );
  const always = here === null ? /^we (always|never) (.+)$/iu.exec(clause) : null;
  if (here === null && always === null) return null;
  const [, often = "", verb = "", rest = ""] =
    /^(?:(always|never|only|usually|generally) )?([a-z]+) (.+)$/iu.exec(
      here?.[1] ?? `${always?.[1]} ${always?.[2]}`,
    ) ?? [];
  const what = value(rest);
  if (!HABITS.has(verb.toLowerCase()) || !isPlain(what)) return null;
  const how = often === "" ? "" : `${often.toLowerCase()} `;
  return inferred(
    "convention",
    `The project's team ${how}${thirdPerson(verb.toLowerCase())} ${aboutThem(what)}`,
    what,
  );
};

const convention: InferenceRule = (clause) => {
  const said =
    /^our (?:(?:coding |naming |commit |branch |team )?(?:convention|policy|rule|style guide|standard|guideline|practice)s?) (?:is|are|says|requires?|is to|are to) (?:that |to )?(.+)$/iu.exec(
      clause,
    );
  if (said === null) return null;
  const what = value(said[1] ?? "");
  if (!isPlain(what) || wordCount(what) < 2) return null;
  return inferred("convention", `The project's convention is: ${aboutThem(what)}`, what);
};

export const aboutWork: readonly InferenceRule[] = [decided, custom, uses, isOn, isPart, dated, convention];
