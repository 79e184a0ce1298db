/** Who somebody is: their name, their work, where they live, the names of those around them. */

import { trimmed, value, wordCount } from "./infer-grammar.ts";
import { COMPANIONS, POINTING, PROFESSIONS, TECHNOLOGY } from "./infer-lexicon.ts";
import { type InferenceRule, inferred } from "./infer-rule.ts";

/** Words that begin with a capital, with what may stand between them: "Universidad de Chile", "Smith & Sons". */
const NAME =
  /^\p{Lu}[\p{L}\p{N}.'’&+-]*(?: (?:(?:of|de|la|le|der|van|von|du|da|do|dos|di|al|bin|and|&|for|the|upon|am|on) )?\p{Lu}[\p{L}\p{N}.'’&+-]*){0,4}$/u;
const PERSON =
  /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:de|la|le|der|van|von|du|da|di|al|bin) )?\p{Lu}[\p{L}.'’-]*){0,3}$/u;
/** Capitals that name nobody. */
const NO_PERSON =
  /^(?:Mon|Tues?|Wednes|Thurs?|Fri|Satur|Sun)day$|^(?:January|February|March|April|May|June|July|August|September|October|November|December|Crazy|Old|Lucky|Maybe|Not|ASAP|Back|Later|Sir|Madam|OK|Sorry|Sure|Happy|Tired|Sick|Done|Ready|Busy|New|Back|Also|Just|Here|Glad|Looking|Working|Trying|Using|Getting|Having|Running|Seeing|Facing|Building|Writing|Stuck|Lost|Broken|Urgent|Important|Admin|Root|QA|HR|IT|PM|Old-fashioned|Legion|Great|Nice|Awesome|Weird|Strange|Null|Undefined|NaN|None|I)$|['’]$/i;
const DEMONYM = /(?:ese|ish|ch|ian|ean|can|man|Turk|Greek|Thai|Iraqi|Swiss|Dane|Swede|Finn|Pole)$/;

/** "Ada, nice to meet you"; not "Ada, at least in the fixtures". */
const BESIDE_A_NAME =
  /^(?:$|by the way|btw|nice|pleased|glad|and\b|but\b|from|an? |I\b|we\b|my\b|so\b|please|thanks|not\b|last name|(?:\p{L}+ )?(?:lead|manager|developer|engineer|designer)\b)/iu;

const named: InferenceRule = (clause, greeted) => {
  const said =
    /^(?:my (?:(?:full|first|real|given) )?name(?:['’]s| is)|(?:please |you can |just )?call me|I go by|(?:everyone|people|friends|my friends) calls? me|I['’]m called|I am called) (.+)$/iu.exec(
      clause,
    ) ?? (greeted ? /^(?:I['’]m|I am|this is) (.+)$/iu.exec(clause) : null);
  if (said === null) return null;
  const [own = "", beside] = (said[1] ?? "").split(/,\s*(.*)/s);
  if (beside !== undefined && !BESIDE_A_NAME.test(beside)) return null;
  const name = trimmed(own.replace(/ (?:from|at|and) .*$/s, ""));
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

const NO_EMPLOYER = /^(?:Free|Fun|Night|Home|Height|Work|Me|Myself|Now|School|Peace|Money|Food)$/;

/** A name, or "a bank": not "home", not "the moment". */
function employer(words: string): string | null {
  if (NO_EMPLOYER.test(trimmed(words))) return null;
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
  if (place === null && (/^the /i.test(role) || /^(?:this|that|the|an?|my) /i.test(said[2] ?? "")))
    return null;
  return inferred(
    "work",
    `The user is ${role}${place === null ? "" : ` at ${place}`}`,
    place ?? role.replace(/^(?:an?|the) /i, ""),
  );
};

const PLACE =
  /^(?:the )?\p{Lu}[\p{L}.'’-]*(?:,? (?:(?:of|de|la|le|am|an der|upon|on|and) )?\p{Lu}[\p{L}.'’-]*){0,4}$/u;
const NO_PLACE =
  /^(?:God|Hell|Heaven|I|My|The|QA|IT|HR|Reality|Denial|Fear|Peace|Monday)\b|\b(?:Support|Marketing|Sales|Engineering|Team)$/;

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
    )
      .replace(/ (?:now|too|currently)$/i, "")
      .replace(/, (?:CES?T|E[SD]T|P[SD]T|C[SD]T|M[SD]T|UTC|GMT|BST|IST|JST)\b.*$/, ""),
  );
  if (!PLACE.test(place) || NO_PLACE.test(place) || TECHNOLOGY.has(place.toLowerCase())) return null;
  const text = from === undefined ? `The user lives ${near} ${place}` : `The user is from ${place}`;
  return inferred("home", text, place);
};

/** How a value of each looks: "my time zone is off by one" says something else. */
const OWN: readonly (readonly [what: RegExp, its: RegExp])[] = [
  [
    /^time ?zone$/i,
    /^(?:[A-Z]{2,5}|(?:UTC|GMT)? ?[+-]\d{1,2}(?::?\d\d)?|(?:UTC|GMT)[+-]\d\S*|\p{Lu}\w+(?:\/\p{Lu}[\w/]+| \p{Lu}\w+| time)*)$/u,
  ],
  [/^pronouns$/i, /^\p{L}+(?:\/\p{L}+)+$/u],
  [/^(?:native language|mother tongue|first language|nationality)$/i, /^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?$/u],
  [/^home ?town$/i, /^\p{Lu}[\p{L}.'’ -]+$/u],
  [
    /^(?:github (?:handle|username)|nickname)$/i,
    /^(?!(?:taken|missing|wrong|empty|gone|blank|null|undefined|hidden|shown|invalid)$)@?[\w-]+$/,
  ],
  [/^(?:dietary )?allergy$/i, /^[\p{L} ]+$/u],
  [/^blood type$/i, /^(?:A|B|AB|0|O)(?: ?[+-]| (?:positive|negative))?$/i],
  [/^shoe size$/i, /^\d\S*$/],
];

const own: InferenceRule = (clause) => {
  const said =
    /^my (time ?zone|pronouns|native language|mother tongue|first language|home ?town|nationality|(?:dietary )?allergy|blood type|shoe size|github (?:handle|username)|nickname) (?:is|are|=) (.+)$/iu.exec(
      clause,
    );
  if (said === null) return null;
  const [, what = "", rest = ""] = said;
  const its = value(rest);
  if (wordCount(its) > 4 || !OWN.some(([which, like]) => which.test(what) && like.test(its))) return null;
  const verb = /pronouns/i.test(what) ? "are" : "is";
  return inferred(
    /zone|town/i.test(what) ? "home" : "name",
    `The user's ${what.toLowerCase().replace("timezone", "time zone").replace("github", "GitHub")} ${verb} ${its}`,
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

const NO_ALLERGY =
  /\b(?:bugs?|meetings?|mondays?|work|deadlines?|code|yaml|xml|tests?|mornings?|people|stress|css)\b/i;

const state: InferenceRule = (clause) => {
  const what = trimmed(STATE.exec(value(clause))?.[1] ?? "");
  const of = what.replace(/^.*allergic to /i, "");
  if (what === "" || POINTING.test(what) || NO_ALLERGY.test(of) || TECHNOLOGY.has(of.toLowerCase()))
    return null;
  return inferred("person", `The user is ${what}`, what.replace(/^.*allergic to |^a /i, ""));
};

const LANGUAGES =
  /^I (?:also |only )?speak ((?:(?:fluent|some|a little|native|basic) )?\p{Lu}\p{L}+(?:(?:, (?:and )?| and )(?:(?:fluent|some|a little|native|basic) )?\p{Lu}\p{L}+){0,5})$/u;

const speaks: InferenceRule = (clause) => {
  const languages = LANGUAGES.exec(trimmed(clause))?.[1];
  const isOfMachines =
    languages?.split(/, | and | /).some((word) => TECHNOLOGY.has(word.toLowerCase())) ?? true;
  return languages === undefined || isOfMachines
    ? null
    : inferred("person", `The user speaks ${languages}`, languages);
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
