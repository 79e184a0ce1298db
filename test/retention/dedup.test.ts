/** How a new fact is compared with what is known. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  compareFact,
  FactMatcher,
  type Help,
  type KnownFact,
  type Likeness,
  type Verdict,
} from "../../src/retention/dedup.ts";
import { AGAINST, FIRST, HELD_OUT, isWanted, SECOND } from "./fact-pairs.ts";

const facts = (...texts: string[]): KnownFact[] => texts.map((text, at) => ({ id: String(at), text }));

async function compare(known: string | string[], added: string, help: Help = {}): Promise<Verdict> {
  return compareFact(added, facts(...[known].flat()), help);
}

async function kind(known: string | string[], added: string, help: Help = {}): Promise<string> {
  return (await compare(known, added, help)).kind;
}

const alike =
  (cosine: number | null): Likeness =>
  async (_, known) =>
    known.map(() => cosine);

const bothWays = (known: string, added: string) =>
  [
    [known, added],
    [added, known],
  ] as const;

test("DEDUP-4: with nothing known, or nothing like it, a fact is new", async () => {
  expect(await compare([], "Likes tea")).toEqual({ kind: "new" });
  expect(await compare(["Lives in Berlin", "Timezone: CET"], "Likes tea")).toEqual({ kind: "new" });
});

test("DEDUP-4: the same words are the same fact, the subject said or not, with or without a category", async () => {
  const ways = [
    "User prefers concise answers",
    "Prefers concise answers",
    "I prefer concise responses",
    "User preference: prefers concise answers",
    "Note: user prefers concise replies",
  ];
  for (const known of ways)
    for (const added of ways)
      expect([known, added, await kind(known, added)]).toEqual([known, added, "same"]);
  expect(await compare("Likes tea", "User loves tea")).toEqual({
    kind: "same",
    as: "0",
    why: "the same words",
  });
  expect(await kind("Has a dog", "Has dogs")).not.toBe("same");
  expect(await kind("Takes vitamin A", "Takes vitamin")).not.toBe("same");
});

test("DEDUP-4: of every pair of facts becomes what should, by words alone", async () => {
  const pairs = [...FIRST, ...SECOND, ...HELD_OUT, ...AGAINST];
  const wrong = [];
  for (const [known, added, wanted] of pairs) {
    const got = await kind(known, added);
    if (!isWanted(wanted, got as Verdict["kind"])) wrong.push({ known, added, wanted, got });
  }
  expect(pairs.length).toBeGreaterThan(150);
  expect(wrong).toEqual([]);
});

test("DEDUP-5: a known fact with more detail covers the new one; a new one with more detail takes its place", async () => {
  const details = [
    ["Uses Bun", "Uses Bun 1.4 as the JS runtime"],
    ["JR loves skiing", "JR enjoys skiing at Taos"],
    ["Name: Jamie", "Name: Jamie Reyes"],
    ["Timezone: Mexico City", "Timezone: America/Mexico_City"],
    ["Speaks French", "Speaks Spanish, French and German"],
  ] as const;
  for (const [less, more] of details) {
    expect([more, await kind(less, more)]).toEqual([more, "supersedes"]);
    expect([less, await kind(more, less)]).toEqual([less, "same"]);
  }
});

test("DEDUP-5: words that go on are no detail, and a condition or a denial is not left out", async () => {
  for (const [less, more] of [
    ["Likes Go", "Likes Go karts"],
    ["Plays Portal", "Plays Portal 2"],
    ["Drinks coffee", "Drinks coffee only on weekends"],
    ["Does not push to main", "Does not push to main without review"],
    ["Does not like coffee", "Does not like coffee in the morning"],
    ["Uses 5", "Uses 5 000 rows"],
  ] as const)
    expect([more, await kind(more, less)]).not.toEqual([more, "same"]);
});

test("DEDUP-5: a condition is none the less one where it stands behind other details", async () => {
  for (const [less, more] of [
    ["Tests run with bun test", "Tests run with bun test in CI only"],
    ["Deploys with Ansible", "Deploys with Ansible from the laptop when CI is down"],
    ["The service is down", "The service is down on Sundays"],
    ["Works from home", "Works from home on Fridays"],
  ] as const)
    expect([more, await kind(more, less)]).toEqual([more, "unsure"]);
});

test("DEDUP-19: an identifier is compared letter by letter", async () => {
  for (const [known, added] of [
    ["getUser throws on missing", "getUsers throws on missing"],
    ["Ids come from makeId in core", "Ids come from makeIds in core"],
    ["UserStore is a singleton", "UserStores is a singleton"],
  ] as const)
    for (const [a, b] of bothWays(known, added)) expect([b, await kind(a, b)]).not.toEqual([b, "same"]);
  expect(await kind("Likes cats", "Likes cat")).toBe("same");
});

test("DEDUP-20: a rate is compared with one of the same unit", async () => {
  expect(await kind("Price: 5 EUR per month", "Price: 50 EUR per year")).toBe("unsure");
  expect(await kind("Rate limit: 100 per minute", "Rate limit: 5000 per day")).toBe("unsure");
  expect(await kind("Price: 5 EUR per month", "Price: 6 EUR per month")).toBe("supersedes");
  expect(await kind("Price: 5 EUR", "Price: 5 EUR per month")).toBe("supersedes");
});

test("DEDUP-22: a value may say in brackets for what it holds", async () => {
  for (const [known, added] of [
    ["Email: a@x.com (work)", "Email: b@y.com (private)"],
    ["Phone: 123 (mobile)", "Phone: 456 (office)"],
    ["Deadline: May 3 (draft)", "Deadline: June 3 (final)"],
    ["Laptop: ThinkPad (work)", "Laptop: MacBook"],
    ["Runs on port 3000 in dev", "Runs on port 80 in prod"],
  ] as const)
    for (const [a, b] of bothWays(known, added)) expect([b, await kind(a, b)]).toEqual([b, "unsure"]);
  expect(await kind("Email: a@x.com (work)", "Email: c@x.com (work)")).toBe("supersedes");
  expect(await kind("Timezone: Madrid (CET)", "Timezone: Lima (PET)")).toBe("supersedes");
  expect(await kind("Devices: laptop, phone", "Devices: phone")).toBe("same");
});

test("DEDUP-21: one stem with two endings is two words, however alike the vectors", async () => {
  for (const [known, added] of [
    ["Su hermana vive en Madrid", "Su hermano vive en Madrid"],
    ["Interviewer picks the room", "Interviewee picks the room"],
    ["Ihre Chefin kommt aus Ulm", "Ihre Chef kommt aus Ulm"],
  ] as const)
    for (const [a, b] of bothWays(known, added))
      expect([b, await kind(a, b, { likeness: alike(0.99) })]).toEqual([b, "unsure"]);
  expect(
    await kind("Buys bread at the bakery", "Fetches bread at the bakery", { likeness: alike(0.99) }),
  ).toBe("supersedes");
});

test("DEDUP-6: a new value of the same attribute of the same subject takes the old one's place", async () => {
  expect(await compare("Timezone: Mexico City", "Timezone: Madrid")).toEqual({
    kind: "supersedes",
    ids: ["0"],
    why: "same attribute 'timezone', new value",
  });
  for (const [known, added] of [
    ["Lives in Berlin", "Jamie's and my home is in Rome"],
    ["A friend lives in Berlin", "A friend lives in Madrid"],
    ["Anna's timezone: CET", "Timezone: MST"],
  ] as const)
    expect([added, await kind(known, added)]).not.toEqual([added, "supersedes"]);
});

test("DEDUP-6: every known fact that gives the attribute another value is superseded", async () => {
  const known = ["Lives in Berlin", "Likes tea", "User is based in Hamburg", "Location: Potsdam"];
  const verdict = await compare(known, "User moved to Madrid");
  expect(verdict).toMatchObject({ kind: "supersedes", ids: expect.arrayContaining(["0", "2", "3"]) });
  expect(verdict).not.toMatchObject({ ids: expect.arrayContaining(["1"]) });
});

test("DEDUP-6: what is said of a thing by 'is' counts as a value only where it can be one", async () => {
  expect(await kind("The deploy branch is main", "The deploy branch is release")).toBe("supersedes");
  expect(await kind("The deploy branch is main", "The deploy branch is protected")).toBe("new");
  expect(await kind("The owner is Anna", "The owner is angry")).toBe("unsure");
  expect(await kind("Lives in Berlin", "Lives in Germany")).toBe("unsure");
  expect(await kind("Lives in Berlin", "Lives in a small flat")).toBe("new");
  expect(await kind("Jamie lives in Berlin", "Jamie moved to Zed")).toBe("new");
});

test("DEDUP-6: what a known fact says besides is not lost with its value", async () => {
  expect(await kind("Lives in Berlin and works at Acme", "Lives in Madrid")).toBe("unsure");
  expect(await kind("Jamie is 34 years old and lives in Berlin", "Jamie is 35 years old")).toBe("unsure");
  expect(await kind("Likes coffee and tea", "Does not like coffee")).toBe("unsure");
  expect(await kind("Uses VS Code and Vim", "Switched from VS Code to Zed")).toBe("unsure");
});

test("DEDUP-6: a key that other facts speak of is a topic, and its values stay beside each other", async () => {
  expect(await kind("Commute: bike", "Commute: train")).toBe("supersedes");
  expect(await kind(["Docker: compose", "Uses Docker at work"], "Docker: swarm")).toBe("unsure");
  expect(await kind(["Orchard: apples", "Orchard: pears"], "Orchard: plums")).toBe("unsure");
  expect(await kind("KenoBot: written in JavaScript", "KenoBot: runs on a VPS")).toBe("new");
});

test("DEDUP-7: where there can be many, another value is another fact; a longer list takes the shorter one's place", async () => {
  for (const [known, added] of [
    ["Favourite bands: Muse", "Favourite bands: Blur"],
    ["Owns a red bicycle", "Owns a blue bicycle"],
  ] as const)
    expect([added, await kind(known, added, { likeness: alike(0.99) })]).toEqual([added, "new"]);
  expect(await kind("Languages: Spanish", "Languages: English, Spanish")).toBe("supersedes");
  expect(await kind("Languages: English, Spanish", "Languages: Spanish")).toBe("same");
  expect(await kind("Languages: English, Spanish", "Languages: English, French")).toBe("unsure");
});

test("DEDUP-8: what holds at another time, was so once or is only wished for changes nothing", async () => {
  for (const added of [
    "Lives in Rome in winter",
    "Lived in Rome",
    "Might live in Rome",
    "Often lives in Rome",
  ])
    expect([added, await kind("Lives in Berlin", added)]).not.toEqual([added, "supersedes"]);
  expect(await kind("Editor: Zed for Rust", "Editor: VS Code for Python")).toBe("unsure");
});

test("DEDUP-9: a denial takes the place of what it denies, and the other way round; nothing else", async () => {
  for (const [a, b] of [
    ["Likes coffee", "Does not like coffee"],
    ["Likes coffee", "Dislikes coffee"],
    ["Jamie uses Vim", "Jamie no longer uses Vim"],
    ["Drinks coffee", "Stopped drinking coffee"],
    ["Has been to Japan", "Has never been to Japan"],
    ["Allergic to nuts", "Not allergic to nuts"],
  ] as const) {
    expect([b, await kind(a, b)]).toEqual([b, "supersedes"]);
    expect([a, await kind(b, a)]).toEqual([a, "supersedes"]);
  }
  expect(await kind("Likes coffee with milk", "Does not like coffee")).toBe("supersedes");
  for (const [a, b] of [
    ["Likes coffee", "Does not like coffee with milk"],
    ["Is allergic to pollen", "Is not allergic to nuts"],
    ["Likes coffee", "Does not dislike coffee"],
  ] as const)
    expect([b, await kind(a, b, { likeness: alike(0.9) })]).not.toEqual([b, "supersedes"]);
});

test("DEDUP-9: what was switched from is superseded; a preference the other way round too", async () => {
  expect(await compare("Uses VS Code for Rust", "Switched from VS Code to Zed")).toMatchObject({
    kind: "supersedes",
  });
  expect(await kind("Uses VS Code Insiders", "Switched from VS Code to Zed")).not.toBe("supersedes");
  expect(await kind("Prefers tabs over spaces", "Prefers spaces over tabs")).toBe("supersedes");
  expect(await kind("Migrated from MySQL to Postgres", "Migrated from Postgres to MySQL")).toBe("unsure");
});

test("DEDUP-10: likeness merges the same words from 0.90 on, other words from 0.97", async () => {
  const merged = async (known: string, added: string, cosine: number) =>
    kind(known, added, { likeness: alike(cosine) });
  expect(await merged("The onion is sliced by Tom", "An onion was being sliced by Tom", 0.99)).toBe("unsure");
  expect(await merged("Tom calls Anna on Mondays", "Tom calls Anna Mondays", 0.91)).toBe("same");
  expect(await merged("Tom calls Anna on Mondays", "Tom calls Anna Mondays", 0.89)).toBe("unsure");
  expect(await merged("Buys bread at the bakery", "Gets bread at the bakery", 0.98)).toBe("supersedes");
  expect(await merged("Buys bread at the bakery", "Gets bread at the bakery", 0.96)).toBe("unsure");
  expect(await merged("Buys bread at the bakery", "Gets bread at the bakery", 0.84)).toBe("new");
  expect(await merged("Buys good bread at the bakery", "Buys bread at the bakery", 0.98)).toBe("same");
  expect(await merged("Buys bread at the bakery", "Buys good bread at the bakery", 0.98)).toBe("supersedes");
  const near = { likeness: alike(0.99), nearest: ["0"] };
  expect(await kind("Buys dark bread", "Gets white rolls", near)).toBe("unsure");
});

test("DEDUP-10: however alike, what differs in a number, name, date, denial, order or degree is not merged", async () => {
  const letters = (number: number) =>
    String(number).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
  const words = (count: number) => Array.from({ length: count }, (_, at) => `x${letters(at)}`).join(" ");
  const apart = [
    ["The nightly build takes about 4 minutes", "The nightly build takes 5 minutes"],
    ["Calls Lisbon on Mondays", "Calls Porto Mondays"],
    ["The review happens on Monday", "The review happens Tuesday"],
    ["The dog chases the cat at noon", "The cat chases the dog noon"],
    ["All the tests pass on Linux", "Some tests pass Linux"],
    ["The door may open at night", "The door must open nights"],
    ["Keeps the public key at home", "Keeps the private key home"],
    ["Sends letters to Rome at noon", "Sends letters from Rome noon"],
    ["Tom keeps bees", "Ben keeps bees"],
    ["Tom's bees make honey", "Tom makes honey"],
    ["Backup port: 5432", "Metrics port: 5432"],
    [`The key ${"of the old house ".repeat(4)}is red`, `The key ${"of the old house ".repeat(4)}is rusty`],
    [words(250), `${words(250)} in xzz`],
    ["喜欢咖啡", "喜欢茶"],
    ["Любит кофе", "Любит чай"],
  ] as const;
  for (const [known, added] of apart) {
    const got = await kind(known, added, { likeness: alike(1) });
    expect([known, added, got === "unsure" || got === "new"]).toEqual([known, added, true]);
  }
});

test("DEDUP-10: a denial needs 0.75, and no words of its own", async () => {
  const deny = (added: string, cosine: number) =>
    kind("A boy is walking across the bridge", added, { likeness: alike(cosine) });
  expect(await deny("There is no boy walking across the bridge", 0.76)).toBe("supersedes");
  expect(await deny("There is no boy walking across the bridge", 0.74)).toBe("new");
  expect(await deny("There is no girl walking across the bridge", 0.76)).not.toBe("supersedes");
});

test("DEDUP-11: a judge decides what is unsure; without one, or when it fails, it stays unsure", async () => {
  const known = ["Meeting on Monday at 10", "Meeting on Friday at 10"];
  const asked: string[] = [];
  const judge = (answer: (text: string) => "same" | "supersedes" | "different") => ({
    judge: async (_: string, { id, text }: KnownFact) => {
      asked.push(id);
      return answer(text);
    },
  });
  const added = "Meeting on Tuesday at 10";
  expect(await compare(known, added)).toMatchObject({ kind: "unsure", about: ["0", "1"] });
  expect(await compare(known, added, { judge: judge(() => "different") })).toEqual({ kind: "new" });
  expect(asked).toEqual(["0", "1"]);
  const monday = judge((text) => (text.includes("Monday") ? "supersedes" : "different"));
  expect(await compare(known, added, { judge: monday })).toMatchObject({ kind: "supersedes", ids: ["0"] });
  const friday = judge((text) => (text.includes("Friday") ? "same" : "supersedes"));
  expect(await compare(known, added, { judge: friday })).toMatchObject({ kind: "same", as: "1" });
  const broken = { judge: () => Promise.reject(new Error("no model")) };
  expect(await kind(known, added, { judge: broken })).toBe("unsure");
  asked.length = 0;
  await compare("Timezone: CET", "Timezone: MST", { judge: monday });
  await compare("Likes tea", "Lives in Rome", { judge: monday });
  expect(asked).toEqual([]);
});

test("DEDUP-12: facts that name the user are about the user, once the name is known", async () => {
  expect(await kind("Birthday: March 15", "Jamie's birthday is March 15")).not.toBe("same");
  const known = ["Name: Jamie Reyes", "Lives in Berlin", "Birthday: March 15"];
  expect(await compare(known, "Jamie's birthday is 15 March")).toMatchObject({ kind: "same", as: "2" });
  expect(await compare(known, "Jamie Reyes moved to Madrid")).toMatchObject({
    kind: "supersedes",
    ids: ["1"],
  });
  expect(await kind(known, "Anna moved to Madrid")).toBe("new");
  const named = new FactMatcher(facts("Lives in Berlin"), ["Jamie"]);
  expect(await compareFact("Jamie now lives in Madrid", named)).toMatchObject({
    kind: "supersedes",
    ids: ["0"],
  });
});

test("DEDUP-13: only a shortlist is asked for its likeness, and what the caller holds to be near", async () => {
  const known = Array.from({ length: 3000 }, (_, at) => ({
    id: `k${at}`,
    text: `Tom wrote report ${at} about bees`,
  }));
  known.push({ id: "far", text: "Honey comes from hives" });
  const matcher = new FactMatcher(known);
  let asked: readonly KnownFact[] = [];
  const likeness: Likeness = async (_, some) => {
    asked = some;
    return some.map(() => null);
  };
  await compareFact("Tom read a report about bees", matcher, { likeness, nearest: ["far", "gone"] });
  expect(asked.length).toBeLessThanOrEqual(51);
  expect(asked.some(({ id }) => id === "far")).toBe(true);
  await compareFact("Tom lives in Rome", new FactMatcher(facts(...Array(200).fill("Anna lives in Rome"))), {
    likeness,
  });
  expect(asked.length).toBeLessThanOrEqual(50);
});

test("DEDUP-13: facts can be added, replaced and removed", async () => {
  const matcher = new FactMatcher(facts("Timezone: CET", "Name: Jamie"));
  matcher.add({ id: "0", text: "Timezone: MST" });
  expect(await compareFact("Timezone: CET", matcher)).toMatchObject({ kind: "supersedes", ids: ["0"] });
  expect(matcher.remove("0")).toBe(true);
  expect(matcher.remove("0")).toBe(false);
  expect(await compareFact("Timezone: CET", matcher)).toEqual({ kind: "new" });
  matcher.add({ id: "2", text: "Lives in Berlin" });
  expect(await compareFact("Jamie lives in Berlin", matcher)).toMatchObject({ kind: "same", as: "2" });
  matcher.remove("1");
  expect((await compareFact("Jamie lives in Berlin", matcher)).kind).not.toBe("same");
  expect(matcher.size).toBe(1);
});

test("DEDUP-13: among ten thousand facts the one that matters is found", async () => {
  const known = Array.from({ length: 10_000 }, (_, at) => ({
    id: `k${at}`,
    text: `Tom ${at % 2 === 0 ? "uses" : "likes"} tool ${at % 997} for project ${at}`,
  }));
  const matcher = new FactMatcher([...known, ...facts("Tom uses Bun", "Timezone: CET", "Tom likes bees")]);
  expect(await compareFact("Tom uses Bun 1.4 for project 7 and project 9", matcher)).toMatchObject({
    ids: ["0"],
  });
  expect(await compareFact("Time zone: MST", matcher)).toMatchObject({ kind: "supersedes", ids: ["1"] });
  expect(await compareFact("Tom dislikes bees", matcher)).toMatchObject({ kind: "supersedes", ids: ["2"] });
  const longer = Array.from({ length: 200 }, (_, at) => `Tom likes tea with milk, honey and cake ${at}`);
  const added = "Tom likes tea at noon with milk, honey and cake";
  expect(await compare([...longer, "Tom likes tea"], added)).toMatchObject({ ids: ["200"] });
});

const WORDS =
  `user Jamie Anna the a is are was likes uses lives moved works prefers has not no never in at to from for with over and
  or but only Berlin Madrid Bun Node coffee tea tabs spaces port main dog timezone: name: likes: languages: favorite editor
  branch years old 5 10 1.4 2024 10:30 March Monday , ; ( ) ? 时区 喜欢 café don't user's Jamie's constructor: __proto__`.split(
    /\s+/,
  );
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 })
  .map((words) => words.join(" "));
const anything = fc.oneof(sentence, fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));
const cosines = fc.constantFrom(null, 0, 0.8, 0.93, 1);
const numbersIn = (text: string) => text.match(/\d+(?:[.:]\d+)*/g) ?? [];

function idsOf(verdict: Verdict): readonly string[] {
  if (verdict.kind === "same") return [verdict.as];
  if (verdict.kind === "supersedes") return verdict.ids;
  return verdict.kind === "unsure" ? verdict.about : [];
}

test("DEDUP-16: a question is no statement, and a smile no frown", async () => {
  for (const [known, added] of [
    ["Prefers dark mode", "Prefers dark mode?"],
    ["Is the port 5432?", "Is the port 5432"],
    ["Mood 🙂", "Mood 🙁"],
  ] as const)
    expect(await compareFact(added, [{ id: "a", text: known }], { likeness: async () => [0.99] })).toEqual({
      kind: "new",
    });
});

test("DEDUP-14: nothing throws, ids are of known facts, and a known text is always the same", async () => {
  const texts = fc.array(anything, { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(texts, anything, cosines, async (texts, added, cosine) => {
      const known = facts(...texts);
      const named = idsOf(await compareFact(added, known, { likeness: alike(cosine) }));
      expect(named.every((id) => known.some((fact) => fact.id === id))).toBe(true);
      expect(new Set(named).size).toBe(named.length);
      for (const text of texts) expect((await compareFact(text, known)).kind).toBe("same");
    }),
    { numRuns: 400 },
  );
});

test("DEDUP-14: a fact with another number is never left out, however alike", async () => {
  await fc.assert(
    fc.asyncProperty(sentence, sentence, cosines, async (known, added, cosine) => {
      const verdict = await compareFact(added, facts(known), { likeness: alike(cosine) });
      if (verdict.kind === "same") expect(numbersIn(known)).toEqual(expect.arrayContaining(numbersIn(added)));
    }),
    { numRuns: 3000 },
  );
  await fc.assert(
    fc.asyncProperty(sentence, fc.nat(8), async (text, place) => {
      const words = text.split(" ");
      const at = (number: number) => words.toSpliced(place, 0, String(number)).join(" ");
      expect(await kind(at(77), at(78), { likeness: alike(1) })).not.toBe("same");
    }),
    { numRuns: 1000 },
  );
});

test("DEDUP-14: a fact with a denial more is never left out, however alike", async () => {
  const plain = sentence.map((text) => text.replace(/\b(?:not|no|never|don't)\b/g, "tea"));
  await fc.assert(
    fc.asyncProperty(plain, fc.nat(8), async (text, place) => {
      const denied = text.split(" ").toSpliced(place, 0, "not").join(" ");
      expect(await kind(text, denied, { likeness: alike(1) })).not.toBe("same");
      expect(await kind(denied, text, { likeness: alike(1) })).not.toBe("same");
    }),
    { numRuns: 1000 },
  );
});

test("DEDUP-14: a likeness that fails or says too little is as if there were none", async () => {
  const broken: Likeness = () => Promise.reject(new Error("no model"));
  expect(await kind("Buys bread", "Gets bread", { likeness: broken })).toBe("new");
  expect(await kind("Buys bread", "Gets bread", { likeness: async () => [] })).toBe("new");
  const throwing: Likeness = () => {
    throw new Error("no model");
  };
  expect(await kind("Buys bread", "Gets bread", { likeness: throwing })).toBe("new");
});
