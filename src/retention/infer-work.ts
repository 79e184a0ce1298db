/** How work is done: what was decided and why, when something is due, what a project's customs are. */

import { aboutThem, phrase, thirdPerson, trimmed, value, wordCount } from "./infer-grammar.ts";
import { DEFINITE, EVENTS, HABITS, POINTING } from "./infer-lexicon.ts";
import { type InferenceRule, inferred } from "./infer-rule.ts";
import { areTools, isPlain, isTool, NEGATED, toolName } from "./infer-tools.ts";

/** The reason goes along, where there is one. */
function withReason(rest: string): { what: string; why: string } {
  const [before = "", ...after] = rest.split(/,?\s+(?:because|since|as it|so that|due to)\s+/i);
  const why = trimmed(after.join(" because "));
  const usable =
    why !== "" && wordCount(why) <= 20 && !/\b(?:this|that|these|those|he|she|him|her|you|your)\b/i.test(why);
  return { what: phrase(before), why: usable ? ` because ${aboutThem(why)}` : "" };
}

/** What is decided for longer than a day, and not "to meet at noon". */
const LASTING =
  /^(?:move|migrate|switch|replace|stay|host|deploy|support|ship|release|publish|rewrite|split|merge|standardi[sz]e|rename|deprecate|licen[cs]e|learn|study|become|sell|rent|hire|launch|postpone|target|require|limit|separate|extract|upgrade|retire|redesign|open-source|marry) \S/i;
/** The same of something that has a name: "to use a map" is for now. */
const LASTING_OF_NAMED =
  /^(?:use|adopt|drop|keep|build|write|store|remove|avoid|cache|buy|go (?:with|for)|stick (?:with|to)) (.*)/is;

/** A verb's own, or a thing that has a name: "a red button" is for now. */
function isLasting(what: string, link: string): boolean {
  if (/\binstead$/i.test(what)) return false;
  if (link === "to") {
    const [, thing] = LASTING_OF_NAMED.exec(what) ?? [];
    return thing === undefined ? LASTING.test(what) : isTool(thing) || /[\p{Lu}\d]/u.test(thing);
  }
  return link === "against" ? !DEFINITE.test(what) : areTools(what);
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
  if (!isLasting(what, link.toLowerCase())) return null;
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

const OF_A_LIFE = /\b(?:anniversary|wedding|holiday|vacation|trip|party|flight|move|birthday)\b/i;

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
  const isTheirs = /^my$/i.test(owner) || (/^our$/i.test(owner) && OF_A_LIFE.test(what));
  const whose = isTheirs ? "The user's" : "The";
  return inferred("date", `${whose} ${what} ${verb.toLowerCase()} ${link.toLowerCase()} ${day}`, what);
};

/** What "we" do at home. */
const OF_A_FAMILY =
  /^(?:eat|drink|sleep|smoke|swim|walk|wear|wake|vote|exercise|cook|shop|fly|drive|cycle|travel|brew|play|pay|buy)$/i;

const custom: InferenceRule = (clause) => {
  const here =
    /^(?:in|for|on) (?:this|our|the) (?:repo|repository|project|codebase|team|company|service|package|app|monorepo),? (?:we|everyone|everybody) (.+)$/iu.exec(
      clause,
    );
  const always =
    here === null
      ? /^we (always|never) (.+?)(?: in (?:this|our|the) (?:repo|repository|project|codebase))?$/iu.exec(
          clause,
        )
      : null;
  if (here === null && always === null) return null;
  const [, often = "", verb = "", rest = ""] =
    /^(?:(always|never|only|usually|generally) )?([a-z]+) (.+)$/iu.exec(
      here?.[1] ?? `${always?.[1]} ${always?.[2]}`,
    ) ?? [];
  const what = phrase(rest);
  if (!HABITS.has(verb.toLowerCase()) || OF_A_FAMILY.test(verb)) return null;
  if (!isPlain(what) || DEFINITE.test(what)) return null;
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

export const aboutWork: readonly InferenceRule[] = [decided, custom, dated, convention];
