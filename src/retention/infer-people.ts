/** Who somebody is: their name, their work, where they live, the names of those around them. */

import { trimmed, value, wordCount } from "./infer-grammar.ts";
import { COMPANIONS, POINTING, PROFESSIONS } from "./infer-lexicon.ts";
import { type InferenceRule, inferred } from "./infer-rule.ts";

/** Words that begin with a capital, with what may stand between them: "Universidad de Chile", "Smith & Sons". */
const NAME =
  /^\p{Lu}[\p{L}\p{N}.'’&+-]*(?: (?:(?:of|de|la|le|der|van|von|du|da|do|dos|di|al|bin|and|&|for|the|upon|am|on) )?\p{Lu}[\p{L}\p{N}.'’&+-]*){0,4}$/u;
const PERSON =
  /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:de|la|le|der|van|von|du|da|di|al|bin) )?\p{Lu}[\p{L}.'’-]*){0,3}$/u;
/** Capitals that name nobody. */
const NO_PERSON =
  /^(?:Mon|Tues?|Wednes|Thurs?|Fri|Satur|Sun)day$|^(?:January|February|March|April|May|June|July|August|September|October|November|December|Crazy|Old|Lucky|Maybe|Not|ASAP|Back|Later|Sir|Madam|OK|Sorry|Sure|Happy|Tired|Sick|Done|Ready|Busy|New|Back|Also|Just|Here|Glad|Looking|Working|Trying|I)$/i;
const DEMONYM = /(?:ese|ish|ch|ian|ean|can|man|Turk|Greek|Thai|Iraqi|Swiss|Dane|Swede|Finn|Pole)$/;

const named: InferenceRule = (clause, greeted) => {
  const said =
    /^(?:my (?:(?:full|first|real|given) )?name(?:['’]s| is)|(?:please |you can |just )?call me|I go by|(?:everyone|people|friends|my friends) calls? me|I['’]m called|I am called) (.+)$/iu.exec(
      clause,
    ) ?? (greeted ? /^(?:I['’]m|I am|this is) (.+)$/iu.exec(clause) : null);
  if (said === null) return null;
  const name = trimmed((said[1] ?? "").replace(/,.*$| (?:from|at|and) .*$/s, ""));
  const isIntroduction = /^(?:I|this)/i.test(clause) && greeted;
  if (!PERSON.test(name) || NO_PERSON.test(name) || (isIntroduction && DEMONYM.test(name))) return null;
  return inferred("name", `The user's name is ${name}`, name);
};

const companion: InferenceRule = (clause) => {
  const pattern = new RegExp(
    `^(my|our) ((?:(?:older|younger|little|big|new|first|oldest|youngest) )?(?:${COMPANIONS}))(?:['’]s name is| is called| is named) (.+)$`,
    "iu",
  );
  const [, owner = "", who = "", rest = ""] = pattern.exec(clause) ?? [];
  const name = value(rest);
  if (name === "" || !NAME.test(name) || NO_PERSON.test(name)) return null;
  const whose = owner.toLowerCase() === "our" && /^(?:project|app|product|team|company|startup)$/i.test(who);
  return inferred(
    "name",
    whose
      ? `The ${who.toLowerCase()} is called ${name}`
      : `The user's ${who.toLowerCase()} is called ${name}`,
    name,
  );
};

/** "a senior backend engineer": the last word says what it is. */
function profession(words: string): string | null {
  const role = trimmed(words);
  const last = role.split(/[\s-]/).at(-1)?.toLowerCase() ?? "";
  if (
    wordCount(role) > 6 ||
    /\b(?:not|bit|good|bad|great|terrible|better|huge|big|fan|real|such|lucky|happy|proud|fellow|kind|sort|former|ex|aspiring|retired|future|wannabe)\b/i.test(
      role,
    )
  )
    return null;
  return PROFESSIONS.has(last) ? role : null;
}

/** A name, or "a bank": not "home", not "the moment". */
function employer(words: string): string | null {
  const place = trimmed(words.replace(/^the (?=\p{Lu})/u, ""));
  if (NAME.test(place)) return words.startsWith("the ") ? `the ${place}` : place;
  const plain =
    /^an? (?:[\p{L}-]+ ){0,3}(?:bank|startup|start-up|school|university|hospital|clinic|agency|company|firm|nonprofit|non-profit|charity|studio|lab|library|museum|restaurant|bakery|shop|store|consultancy|newspaper|publisher|law firm|college|kindergarten|pharmacy|garage|hotel|farm|factory)$/iu;
  return plain.test(place) ? place : null;
}

const works: InferenceRule = (clause) => {
  const said =
    /^I (?:currently |now |also )?work (?:full[- ]time |part[- ]time )?(?:(?:at|for) (.+?)(?: as ((?:an? |the |their |one of their )?.+))?|as (an? .+?)(?: (?:at|for) (.+))?)$/iu.exec(
      value(clause),
    );
  if (said === null) return null;
  const [, first, roleAfter, roleBefore, second] = said;
  const place = first ?? second;
  const where =
    place === undefined
      ? null
      : employer(place.replace(/ (?:in|on|doing|from|with|since|building|where|remotely) .*$/i, ""));
  if (place !== undefined && where === null) return null;
  const saidRole = roleAfter ?? roleBefore;
  const role = saidRole === undefined ? null : profession(saidRole);
  if (saidRole !== undefined && role === null && where === null) return null;
  const as = role === null ? "" : ` as ${/^(?:an?|the|their|one) /i.test(role) ? role : `a ${role}`}`;
  const at = where === null ? "" : ` at ${where}`;
  return inferred("work", `The user works${at}${as}`, where ?? role ?? "");
};

const isA: InferenceRule = (clause) => {
  const said = /^(?:I['’]m|I am) (?:currently )?((?:an?|the) .+?)(?: (?:at|for|in|with) (.+))?$/iu.exec(
    value(clause),
  );
  if (said === null) return null;
  const role = profession(said[1] ?? "");
  if (role === null) return null;
  const place = said[2] === undefined || !/ (?:at|for) /.test(clause) ? null : employer(said[2]);
  if (place === null && /^the /i.test(role)) return null;
  return inferred(
    "work",
    `The user is ${role}${place === null ? "" : ` at ${place}`}`,
    place ?? role.replace(/^(?:an?|the) /i, ""),
  );
};

const PLACE =
  /^(?:the )?\p{Lu}[\p{L}.'’-]*(?:,? (?:(?:of|de|la|le|am|an der|upon|on|and) )?\p{Lu}[\p{L}.'’-]*){0,4}$/u;
const NO_PLACE = /^(?:God|Hell|Heaven|I|My|The)\b/;

const lives: InferenceRule = (clause) => {
  const said =
    /^(?:(I (?:currently |now |still )?live|I['’]m (?:currently |now )?based|I am based|I reside) (in|near|outside|just outside) |(I['’]m|I am) (?:originally )?(from) )(.+)$/iu.exec(
      clause,
    );
  if (said === null) return null;
  const [, , near, , from] = said;
  const place = trimmed(
    value(
      (said[5] ?? "").replace(
        /,? (?:with|for|since|now|right now|these days|at the moment|because|near the|and) .*$/i,
        "",
      ),
    ).replace(/ (?:now|too|currently)$/i, ""),
  );
  if (!PLACE.test(place) || NO_PLACE.test(place)) return null;
  const text = from === undefined ? `The user lives ${near} ${place}` : `The user is from ${place}`;
  return inferred("home", text, place);
};

const own: InferenceRule = (clause) => {
  const said =
    /^my (time ?zone|pronouns|native language|mother tongue|first language|home ?town|nationality|(?:dietary )?allergy|blood type|shoe size|github (?:handle|username)|nickname) (?:is|are|=) (.+)$/iu.exec(
      clause,
    );
  if (said === null) return null;
  const [, what = "", rest = ""] = said;
  const its = value(rest);
  if (its === "" || wordCount(its) > 4 || /^(?:not|different|the|a|very|wrong|set|also|in|on)\b/i.test(its))
    return null;
  const verb = /pronouns/i.test(what) ? "are" : "is";
  return inferred(
    /zone|town/i.test(what) ? "home" : "name",
    `The user's ${what.toLowerCase().replace("timezone", "time zone")} ${verb} ${its}`,
    its,
  );
};

const HAS =
  /^I (?:also )?have (an?|one|two|three|four|five|six|seven|twin|\d) ((?:(?:\d+[- ]year[- ]old|little|big|older|younger|old|young|small|grown|adult|teenage|wonderful|beautiful|lovely|sweet|rescue|golden|black|white|ginger|tabby) ){0,3}(?:dogs?|cats?|pupp(?:y|ies)|pups?|kittens?|kids?|child(?:ren)?|sons?|daughters?|brothers?|sisters?|siblings?|horses?|rabbits?|parrots?|grandchild(?:ren)?|grandkids?|snakes?|turtles?|guinea pigs?|hamsters?|chickens?))(?:,? (named|called) (.+))?$/iu;

const has: InferenceRule = (clause) => {
  const said = HAS.exec(value(clause));
  if (said === null) return null;
  const [, count = "", who = "", called, names = ""] = said;
  if (called !== undefined && !names.split(/, (?:and )?| and /).every((name) => PERSON.test(name)))
    return null;
  const its = called === undefined ? "" : ` ${called} ${names}`;
  return inferred("person", `The user has ${count.toLowerCase()} ${who.toLowerCase()}${its}`, names || who);
};

const STATE =
  /^(?:I['’]m|I am) ((?:severely |very |highly )?allergic to [\p{L}-]+(?: [\p{L}-]+){0,4}|(?:a )?(?:strict )?(?:vegetarian|vegan|pescatarian)|lactose[- ]intolerant|gluten[- ]intolerant|left-handed|right-handed|colou?r-?blind|dyslexic|deaf|blind|diabetic|married|divorced|retired|bilingual)$/iu;

const state: InferenceRule = (clause) => {
  const what = trimmed(STATE.exec(value(clause))?.[1] ?? "");
  if (what === "" || POINTING.test(what)) return null;
  return inferred("person", `The user is ${what.toLowerCase()}`, what.replace(/^.*allergic to |^a /i, ""));
};

const LANGUAGES =
  /^I (?:also |only )?speak ((?:(?:fluent|some|a little|native|basic) )?\p{Lu}\p{L}+(?:(?:, (?:and )?| and )(?:(?:fluent|some|a little|native|basic) )?\p{Lu}\p{L}+){0,5})$/u;

const speaks: InferenceRule = (clause) => {
  const languages = LANGUAGES.exec(trimmed(clause))?.[1];
  return languages === undefined ? null : inferred("person", `The user speaks ${languages}`, languages);
};

export const aboutPeople: readonly InferenceRule[] = [
  named,
  companion,
  works,
  isA,
  lives,
  own,
  has,
  state,
  speaks,
];
