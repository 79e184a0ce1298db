/** Known facts are read when a question may concern them, and the answers are those of a matcher that has read all. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { decide, FactMatcher, gather, type KnownFact, type Likeness } from "../../src/retention/dedup.ts";
import { glanceForAttributes, glanceForTerms } from "../../src/retention/dedup-glance.ts";
import { EMPTY_WORDS, PAST_VERBS, SAME_WORDS, VERB_FORMS } from "../../src/retention/dedup-lexicon.ts";
import { prepare } from "../../src/retention/dedup-matcher.ts";
import { HELD_APART } from "../../src/retention/dedup-words.ts";
import { AGAINST, FIRST, HELD_OUT, SECOND } from "./fact-pairs.ts";

/** Every way to spell a key that `canonicalKey` knows, and every noun that has another's name. */
const KEYS =
  `Time zone|Time-zone|time_zone|TZ|timezone|E-mail|email address|Email|Telephone|Phone number|phone no|User name|username
|Date of birth|DOB|Birth day|birthdate|Birthday|Operating system|OS|Full name|full_name|Name|Favourite colour|Fav color
|fave color|Favorite color|Behaviour|Home city|City|Location|Residence|Home|Job title|Occupation|Profession|Job|Boss
|Supervisor|Manager|Preferred editor|Favorite editor|Company|Workplace|Employer|Current city|Deploy branch|Docker|Languages
|Hobbies|Licence|Age|Port|Likes|my-time zone`
    .replaceAll("\n", "")
    .split("|");
const VALUES =
  `Madrid|Berlin|Anna|Jamie|Jamie Reyes|34|35 years old|555-1234|dark|March 15|10:30|5432|https://a.example/c
|a@b.example|Rome|Acme|tea, coffee|a nurse|main|swarm|C++|boys|_x_|studies`
    .replaceAll("\n", "")
    .split("|");
const VERBS =
  `lives in|resides in|moved to|moved from Lyon to|relocated to|works at|works for|works as|is employed by|was born on
|was born in|reports to|weighs|studies at|runs on port|listens on port|is called|is named|is at|turned|is|are|I'm|it's
|is based in|is not|isn't|doesn't like|dont like|can't stand|won't use|I've|likes|loves|no longer uses|uses|is living in|speaks
|switched from Rome to`
    .replaceAll("\n", "")
    .split("|");

const value = fc.constantFrom(...VALUES);
const keyed = fc
  .tuple(
    fc.constantFrom("", "Anna's ", "My ", "User's "),
    fc.constantFrom(...KEYS),
    fc.constantFrom(": ", " is "),
    value,
  )
  .map((parts) => parts.join(""));
const said = fc
  .tuple(
    fc.constantFrom("", "User ", "Anna ", "Jamie ", "Jamie's sister ", "The deploy branch "),
    fc.constantFrom(...VERBS),
    value,
  )
  .map(([subject, verb, object]) => `${subject}${verb} ${object}`);
const known = fc.constantFrom(
  ...[...FIRST, ...SECOND, ...HELD_OUT, ...AGAINST].flatMap((pair) => pair.slice(0, 2)),
);
const fact = fc.oneof(keyed, said, known);

const cosineOf: Likeness = async (text, facts) =>
  facts.map((other) => [null, 0.8, 0.93, 1][(text.length + other.text.length) % 4] ?? null);

async function answers(matcher: FactMatcher, texts: readonly string[]) {
  const found = [];
  for (const text of texts) {
    const byWords = decide(text, matcher);
    found.push([byWords, decide(text, matcher, await gather(text, matcher, { likeness: cosineOf }))]);
  }
  return found;
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ ask: fact }) },
  { weight: 2, arbitrary: fc.record({ id: fc.nat(30), text: fact }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ read: fc.nat(12) }) },
);

test("DEDUP-17: whatever was asked, added and removed before, the answer is that of a matcher made anew", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fact, { minLength: 12, maxLength: 30 }),
      fc.array(step, { maxLength: 30 }),
      fact,
      async (texts, steps, added) => {
        const facts = new Map<string, KnownFact>();
        const matcher = new FactMatcher();
        const add = (known: KnownFact) => {
          facts.delete(known.id);
          facts.set(known.id, known);
          matcher.add(known);
        };
        for (const [at, text] of texts.entries()) add({ id: String(at), text });
        for (const each of steps) {
          if ("ask" in each) decide(each.ask, matcher);
          else if ("read" in each) matcher.readSome(each.read);
          else if ("text" in each) add({ id: String(each.id), text: each.text });
          else expect(matcher.remove(String(each.remove))).toBe(facts.delete(String(each.remove)));
        }
        expect(matcher.size).toBe(facts.size);
        expect(await answers(matcher, [added])).toEqual(
          await answers(new FactMatcher(facts.values()), [added]),
        );
      },
    ),
    { numRuns: 400 },
  );
});

test("DEDUP-17: what is read ahead is read once, and all of it", () => {
  const matcher = new FactMatcher(
    Array.from({ length: 10 }, (_, at) => ({ id: `${at}`, text: `Has ${at} cats` })),
  );
  const rounds = [1, 2, 3, 4].map(() => matcher.readSome(4));
  expect(rounds).toEqual([true, true, false, false]);
});

test("DEDUP-17: the first question is answered like the hundredth, when all facts have been read", async () => {
  const questions = Array.from({ length: 40 }, (_, at) => `Word${at} stands for key${at}: value${at}`);
  await fc.assert(
    fc.asyncProperty(fc.array(fact, { minLength: 12, maxLength: 60 }), fact, async (texts, added) => {
      const facts = texts.map((text, at) => ({ id: String(at), text }));
      const asked = new FactMatcher(facts);
      for (const question of questions) decide(question, asked);
      expect(await answers(new FactMatcher(facts), [added])).toEqual(await answers(asked, [added]));
    }),
    { numRuns: 400 },
  );
});

test("DEDUP-17: a name holds from when a fact teaches it until that fact is gone", () => {
  const matcher = new FactMatcher([{ id: "home", text: "Lives in Berlin" }]);
  const kind = () => decide("Jamie lives in Madrid", matcher).kind;
  expect(kind()).toBe("new");
  matcher.add({ id: "name", text: "Name: Jamie" });
  expect(kind()).toBe("supersedes");
  matcher.remove("name");
  expect(kind()).toBe("new");
});

const WORDS = [
  ...EMPTY_WORDS,
  ...PAST_VERBS,
  ...SAME_WORDS.keys(),
  ...VERB_FORMS.keys(),
  ...HELD_APART.keys(),
  ...KEYS,
  ...VALUES,
  ..."boys days stories glasses isn't isnt Jamie's James' a/b e.g. x_y ~/.env $20 5% C# ? ★ café 喜欢 user the not".split(
    " ",
  ),
];
const loose = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...WORDS) }, fc.string({ maxLength: 4 })),
      fc.constantFrom(" ", " ", " ", ", ", ": ", "/", "-", "_", "'", "'s ", '"', " (", "+", "*", "`", ". "),
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((parts) => parts.flat().join(""));

test("DEDUP-18: no fact is passed over that has the word or gives the attribute a value", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        loose,
        fact,
        fc.tuple(keyed, loose).map((parts) => parts.join(" ")),
      ),
      (text) => {
        const { normal, terms, statement } = prepare({ id: "", text });
        for (const term of terms)
          expect([term, normal, glanceForTerms([term])(normal)]).toEqual([term, normal, true]);
        const name = statement.attribute?.name;
        if (name !== undefined)
          expect([name, normal, glanceForAttributes([name])(normal)]).toEqual([name, normal, true]);
      },
    ),
    { numRuns: 4000 },
  );
});

test("DEDUP-18: most facts that do not have the word are passed over", () => {
  const [terms, attributes] = [glanceForTerms(["dark", "prefer"]), glanceForAttributes(["timezone"])];
  for (const text of ["user likes tea", "the darkness fell", "anna lives in berlin"]) {
    expect([text, terms(text)]).toEqual([text, false]);
    expect([text, attributes(text)]).toEqual([text, false]);
  }
});
