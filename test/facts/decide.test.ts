/** Decisions about a new fact: the rules of facts/compare/relation.ts, without files and without a model. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { saysChange } from "../../src/core/language/change-words.ts";
import { decide } from "../../src/facts/compare/decide.ts";
import { FactList } from "../../src/facts/compare/fact-list.ts";
import { AGAINST, FIRST, HALVES, HELD_OUT, OTHERS, SECOND } from "./fact-pairs.ts";

/** `cosine` is null without vectors. */
function verdict(known: string | readonly string[], added: string, cosine: number | null = null) {
  const texts = typeof known === "string" ? [known] : known;
  return decide(
    added,
    texts.map((text) => ({ id: text, text, cosine })),
  );
}

const kindOf = (known: string, added: string, cosine: number | null = null) =>
  verdict(known, added, cosine).kind;

test("a text that is too long for a fact is compared with nothing, in both directions", () => {
  const long = "The deploy is on Mondays ".repeat(100);
  expect(kindOf("Deploy day: Monday", "Deploy day is now Tuesday", 0.9)).toBe("supersedes");
  expect(kindOf(`${long} now`, "The deploy is on Tuesdays now", 0.99)).toBe("new");
  expect(kindOf("The deploy is on Mondays", `${long} no more`, 0.99)).toBe("new");
});

test("DEDUP-4: the same words are the same fact, whether or not the user is named", () => {
  for (const [known, added] of [
    ["Prefers tabs over spaces", "The user prefers tabs over spaces."],
    ["User's editor is Helix", "The user's editor is Helix"],
    ["- **Prefers dark mode**", "prefers dark mode"],
  ] as const)
    expect([added, kindOf(known, added)]).toEqual([added, "same"]);
  expect(kindOf("Likes C", "Likes C++")).not.toBe("same");
  expect(kindOf("Flight to Madrid", "Flight from Madrid", 0.99)).not.toBe("same");
});

test("DEDUP-5: another value of a single-valued key replaces the known ones; any other word before a colon isn't a key", () => {
  expect(verdict(["Timezone: Mexico City", "Likes tea"], "Time zone: Madrid")).toMatchObject({
    kind: "supersedes",
    ids: ["Timezone: Mexico City"],
  });
  expect(kindOf("Staging port: 5432", "Staging port: 5433")).toBe("supersedes");
  for (const [known, added] of [
    ["Likes: coffee", "Likes: tea"],
    ["Note: the roof leaks", "Note: the door is blue"],
    ["Hobby: chess", "Hobby: climbing"],
    ["Phone: Anna 555-1234", "Phone: 555-9876"],
    ["Editor: Zed for Rust", "Editor: VS Code for Python"],
  ] as const)
    expect([added, /new|unsure/.test(kindOf(known, added, 0.7))]).toEqual([added, true]);
});

test("DEDUP-5: a list under the same key that has all values of the known one and more replaces it", () => {
  for (const [known, added] of [
    ["Likes: jazz, tea", "Likes: jazz, tea, flamenco"],
    ["Likes: jazz and tea", "Likes: Flamenco, tea and jazz"],
    ["Stack: Bun", "Stack: Bun, SQLite"],
  ] as const)
    expect([added, kindOf(known, added)]).toEqual([added, "supersedes"]);
  for (const [known, added] of [
    ["Likes: jazz, tea", "Likes: jazz, flamenco, chess"],
    ["Likes: jazz, tea", "Dislikes: jazz, tea, flamenco"],
    ["Likes: jazz, tea, flamenco", "Likes: jazz, tea"],
    ["Likes: Go", "Likes: Go-karts, tea"],
    ["Note: milk", "Note: milk, eggs"],
  ] as const)
    expect([added, kindOf(known, added)]).not.toEqual([added, "supersedes"]);
});

test("DEDUP-5: a denial replaces the fact it denies, and a number that is a value the older number", () => {
  expect(kindOf("Likes coffee", "Does not like coffee", 0.8)).toBe("supersedes");
  expect(kindOf("Does not like coffee", "Likes coffee", 0.8)).toBe("supersedes");
  expect(kindOf("Likes spicy food", "Doesn't dislike spicy food", 0.8)).not.toBe("supersedes");
  expect(kindOf("Mia is 7 years old.", "Mia is 8 years old.", 0.97)).toBe("supersedes");
  expect(kindOf("The cluster is in us-east-1.", "The cluster is in us-east-2.", 0.97)).toBe("supersedes");
  expect(kindOf("Writer 3 has note 1", "Writer 3 has note 2", 0.97)).toBe("unsure");
  expect(kindOf("I weigh 80 kg", "I weigh 78 kg", 0.9)).toBe("supersedes");
  expect(kindOf("User's invoice 1041 is paid", "User's invoice 1042 is paid", 0.97)).not.toBe("supersedes");
  expect(kindOf("Deploys are on Tuesdays", "Deploys are on Wednesdays, not Tuesdays", 0.94)).toBe(
    "supersedes",
  );
  expect(kindOf("We have 15 employees", "We don't have 15 employees, we have 14", 0.9)).toBe("supersedes");
  expect(kindOf("Deploys are on Tuesdays", "Hotfix deploys are not on Tuesdays", 0.9)).not.toBe("supersedes");
});

test("DEDUP-5: another end replaces the older one, but not another closing time on another day", () => {
  for (const [known, added] of [
    ["The lease of the office runs until May 2026", "The lease of the office runs until June 2027"],
    ["Nora is away until Friday", "Nora is away until the end of May"],
    ["Der Vertrag läuft bis März 2026", "Der Vertrag läuft bis Juni 2027"],
  ] as const)
    expect([added, kindOf(known, added, 0.9)]).toEqual([added, "supersedes"]);
  for (const [known, added] of [
    ["The shop is open until 8 on Mondays", "The shop is open until 6 on Saturdays"],
    ["The lease of the office runs until May 2026", "The lease of the flat runs until June 2027"],
    ["Ada is on call until the fix is out", "Ada is on call until Bob is back"],
  ] as const)
    expect([added, kindOf(known, added, 0.9)]).not.toEqual([added, "supersedes"]);
});

test("DEDUP-5: a change of one of two things that a fact says leaves the fact in doubt", () => {
  for (const [known, added] of [
    ["I'm allergic to peanuts and shellfish", "I'm not allergic to peanuts any more"],
    ["Tom and Jana are on call", "Tom is no longer on call"],
    ["We support Chrome, Firefox and Safari", "We no longer support Safari"],
    ["Backups run nightly and are stored in S3", "Backups are now stored in GCS"],
    ["Mr. Li is our landlord, phone 555-1234", "Mr. Li's phone is now 555-9999"],
    ["Mi madre se llama Carmen y vive en Sevilla", "Mi madre ahora vive en Málaga"],
  ] as const)
    expect([added, kindOf(known, added, 0.8)]).toEqual([added, "unsure"]);
  expect(kindOf("Deploys are on Tuesdays and Thursdays", "Deploys are on Fridays now", 0.84)).toBe(
    "supersedes",
  );
  expect(kindOf("User works at Acme, a bakery", "User left Acme and now works at Globex", 0.8)).toBe(
    "supersedes",
  );
});

test("DEDUP-5: 'is now' with another name replaces the older name, even if other facts are more similar", () => {
  const known = ["Manager: Tom", "My manager is Sofia", "Tom is an engineer"];
  expect(verdict(known, "My manager is now Tom", 0.4)).toMatchObject({
    kind: "supersedes",
    ids: ["My manager is Sofia"],
  });
  expect(kindOf("Mein Chef ist Jens", "Mein Chef ist jetzt Petra")).toBe("supersedes");
  expect(kindOf("Mi médico es Ruiz", "Mi médico ahora es Vega")).toBe("supersedes");
  expect(kindOf("Tom is German", "Tom is now Head of Sales")).not.toBe("supersedes");
  expect(kindOf("My car is red", "My car is now electric")).not.toBe("supersedes");
});

test("DEDUP-5: a change of something else replaces nothing", () => {
  for (const [known, added, expected] of [
    ["My dentist is Dr. Patel", "My son's dentist is now Dr. Kim", "new"],
    ["Ana's flight is BA 117", "Tom's flight is now BA 209", "new"],
    ["Tom likes tea", "Tom no longer likes jazz", "unsure"],
    ["Tom plays chess", "Tom stopped playing football", "unsure"],
    ["Tom plays chess", "Tom gave up chess because of his new job", "supersedes"],
  ] as const)
    expect([added, kindOf(known, added, 0.8)]).toEqual([added, expected]);
  expect(kindOf("I play the guitar", "I now also play the piano", 0.6)).toBe("new");
  expect(kindOf("I work at Acme as a designer", "I no longer work at Acme", 0.8)).toBe("supersedes");
  expect(kindOf("The API's port is 8080", "The API moved to port 9400", 0.8)).toBe("supersedes");
});

test("DEDUP-5: a change of somebody else's thing is another fact, and one of a part of it is in doubt", () => {
  for (const [known, added, expected] of [
    ["I drink coffee", "My mother no longer drinks coffee", "new"],
    ["Jonas lives in Kiel", "Jonas's brother now lives in Bremen", "new"],
    ["Ada works from Lisbon", "Ada's team now works from Porto", "new"],
    ["Karl arbeitet bei Bosch", "Karls Frau arbeitet jetzt bei Siemens", "unsure"],
    ["Mi hermana vive en Lima", "La hija de mi hermana ahora vive en Cusco", "new"],
    ["Staging runs on Node 20", "The staging database now runs on Node 22", "unsure"],
    ["My sister lives in Lima", "My sister now lives in Cusco", "supersedes"],
    ["Anna's school is in Ulm", "Anna's school is now in Bonn", "supersedes"],
    ["The staging database runs on Node 20", "The staging database now runs on Node 22", "supersedes"],
  ] as const)
    expect([added, kindOf(known, added, 0.8)]).toEqual([added, expected]);
});

test("DEDUP-5: a change back is about the fact that differs, not the one that says the same or plans it", () => {
  const known = ["Zeynep lives in Bonn", "Zeynep lives in Mainz", "Zeynep is thinking about moving to Bonn"];
  expect(verdict(known, "Zeynep moved back to Bonn", 0.8)).toMatchObject({
    kind: "unsure",
    about: "Zeynep lives in Mainz",
  });
  expect(kindOf("Zeynep lives in Bonn", "Zeynep moved back to Bonn", 0.8)).toBe("new");
});

test("DEDUP-5: a change that names what ended, or gives another value in its place, ends a fact", () => {
  for (const [known, added] of [
    ["We use Jenkins for CI", "We switched from Jenkins to GitHub Actions"],
    ["Raw data are on the server of the institute", "Raw data were moved from the institute's server"],
    ["I have a Golf", "I sold the Golf"],
    ["Ich habe ein Abo bei Netflix", "Ich habe das Abo bei Netflix gekündigt"],
    ["Deploys go out on Thursdays after standup", "Deploys are on Tuesdays now"],
    ["Der Chor probt dienstags im Pfarrsaal", "Der Chor probt jetzt donnerstags"],
    ["User works at Acme", "User works at Globex now"],
    ["My boss is Elena", "Tomasz is my boss now"],
    ["User's daughter Frieda is 5", "Frieda turned 6"],
  ] as const)
    expect([added, kindOf(known, added, 0.8)]).toEqual([added, "supersedes"]);
});

test("DEDUP-5: a change of another person or thing, or of something else about it, ends nothing", () => {
  for (const [known, added] of [...OTHERS, ...HALVES])
    for (const cosine of [null, 0.5, 0.7, 0.85]) {
      const { kind } = verdict(known, added, cosine);
      expect([known, added, cosine, kind === "new" || kind === "unsure"]).toEqual([
        known,
        added,
        cosine,
        true,
      ]);
    }
});

test("DEDUP-5: a state is replaced again and again, and moving back ends the later place", () => {
  expect(kindOf("Deploys are on Tuesdays now", "Deploys are on Fridays now", 0.9)).toBe("supersedes");
  expect(kindOf("I live in Valencia now", "I live in Madrid again", 0.7)).toBe("supersedes");
  expect(kindOf("I now work at Globex", "I now work at Initech", 0.7)).toBe("supersedes");
  expect(kindOf("I have two cats", "I have three cats", 0.94)).toBe("supersedes");
  expect(kindOf("Mi alquiler es de 950 euros", "Mi alquiler es de 1020 euros", 0.9)).toBe("supersedes");
});

test("FACT-26: a change in a sentence that begins the same is in doubt, however little the vectors say", () => {
  for (const [known, added] of [
    ["I work at Acme as a product designer", "I now work at Nebula"],
    ["Trabajo en Acme como diseñadora", "Ahora trabajo en Nébula"],
    ["Trabajo en Acme como diseñadora", "He dejado Acme"],
    ["Deploys of the shop are on Mondays", "From next month deploys of the shop are on Fridays"],
  ] as const)
    expect([added, kindOf(known, added, 0.42)]).toEqual([added, "unsure"]);
});

test("DEDUP-4: 'left' as a side and 'war' as a name are no change and no past", () => {
  expect(kindOf("My right ear hurts", "My left ear hurts", 0.8)).toBe("new");
  expect(kindOf("My favourite film is Alien", "My favourite film is War Games", 0.9)).toBe("unsure");
});

test("DEDUP-5: a change that is to come leaves the fact in doubt, and a statement about the past leaves it alone", () => {
  for (const [known, added, expected] of [
    ["The gym costs 30 euros a month", "The gym costs 35 euros a month from January 2027", "unsure"],
    ["Yoga is on Tuesdays", "From May on yoga is on Thursdays", "unsure"],
    ["The lecture is on May 3", "The lecture was postponed from May 3 to June 9", "supersedes"],
    ["The price is 30 euros", "The price used to be 25 euros", "new"],
    ["The team has 6 members", "The team had 4 members last year", "new"],
    ["The fee is 20 euros", "The fee was 15 euros", "new"],
  ] as const)
    expect([added, kindOf(known, added, 0.85)]).toEqual([added, expected]);
});

test("DEDUP-4: a number that names a thing makes another fact, without doubt", () => {
  for (const [known, added] of [
    ["Invoice 1041 is paid", "Invoice 1042 is paid"],
    ["Port 5432 is for staging", "Port 5433 is for staging"],
    ["Server web-1 is in Frankfurt", "Server web-2 is in Frankfurt"],
    ["Printer on floor 2 is broken", "The printer on floor 3 is broken"],
  ] as const)
    expect([added, kindOf(known, added, 0.97)]).toEqual([added, "new"]);
  expect(kindOf("Standup starts at 9:30", "Standup starts at 10:00", 0.97)).toBe("unsure");
  expect(kindOf("We use Postgres 15", "We use Postgres 16", 0.97)).toBe("unsure");
});

test("DEDUP-5: a fact with a word of change replaces the most similar known fact, in several languages", () => {
  const known = ["Backups run on Mondays.", "The office is in Lyon.", "User has a parrot called Kiwi."];
  expect(verdict(known, "Backups run on Sundays now.", 0.6)).toMatchObject({
    kind: "supersedes",
    ids: ["Backups run on Mondays."],
  });
  for (const [old, added] of [
    ["Der Chor probt dienstags", "Der Chor probt jetzt donnerstags"],
    ["La oficina está en Vigo", "La oficina ahora está en Cádiz"],
    ["Le bureau est à Lyon", "Le bureau est maintenant à Nantes"],
  ] as const)
    expect([added, kindOf(old, added, 0.8)]).toEqual([added, "supersedes"]);
  // In these, nothing tells a name from a thing: "ist jetzt im Urlaub".
  for (const [old, added] of [
    ["Das Büro ist in der Hafenstraße", "Das Büro ist jetzt in der Marktstraße"],
    ["La oficina está en la calle Mayor", "La oficina ahora está en la plaza Nueva"],
    ["办公室在北京", "办公室现在在上海"],
  ] as const)
    expect([added, kindOf(old, added, 0.8)]).toEqual([added, "unsure"]);
});

test("DEDUP-5: a shared name alone isn't enough, and a change doesn't replace the record of another change", () => {
  expect(kindOf("Jamie lives in Berlin", "Jamie moved to a new team", 0.62)).toBe("unsure");
  expect(kindOf("Jamie works at Acme", "Jamie works at Globex now", 0.3)).toBe("unsure");
  expect(kindOf("Jamie works at Acme", "Jamie is at the dentist now", 0.4)).toBe("new");
  expect(kindOf("Moved from Oslo to Bergen", "Moved from Bergen to Oslo", 0.95)).toBe("unsure");
  expect(kindOf("The roof is green", "Anna now plays chess", 0.2)).toBe("new");
});

test("DEDUP-5: if several known facts are nearly as similar, none of them is replaced", () => {
  const known = ["Backups of the shop run on Mondays.", "Backups of the blog run on Mondays."];
  expect(verdict(known, "Backups run on Sundays now.", 0.7)).toMatchObject({ kind: "unsure" });
});

test("FACT-26: very similar facts both stay, and the newer one records the doubt about the older", () => {
  expect(
    verdict(["The lease ends in May 2026.", "Likes tea"], "The lease ends in June 2027.", 0.9),
  ).toMatchObject({ kind: "unsure", about: "The lease ends in May 2026." });
  expect(kindOf("Uses React", "Uses React Native", 0.81)).toBe("unsure");
  expect(kindOf("Has a dog named Rex", "Has a cat named Tom", 0.5)).toBe("new");
});

test("FACT-26: a third value is in doubt with the newer one of a pair in doubt", () => {
  const [older, newer] = ["Deploys are on Mondays", "Deploys are on Wednesdays"];
  const known = (doubts: string | null) => [
    { id: older, text: older, cosine: 0.8, doubts: null },
    { id: newer, text: newer, cosine: 0.8, doubts },
  ];
  for (const third of ["Deploys are on Fridays", "Deploys moved to Fridays"])
    expect(decide(third, known(older))).toMatchObject({ kind: "unsure", about: newer });
  expect(decide("Deploys are on Fridays", known(null)).kind).toBe("new");
});

test("DEDUP-4: facts about different things are not in doubt, although all other words are the same", () => {
  for (const [known, added] of [
    ["Coffee costs 3 euros", "Tea costs 2 euros"],
    ["The Berlin office has 20 people", "The Munich office has 35 people"],
  ] as const)
    expect([added, kindOf(known, added, 0.75)]).toEqual([added, "new"]);
});

test("FACT-26: a change is linked to the known fact about the same subject that is nearest in meaning", () => {
  const near = (texts: Readonly<Record<string, number>>) =>
    Object.entries(texts).map(([text, cosine]) => ({ id: text, text, cosine }));
  const known = near({ "I live in Lisbon": 0.6, "My sister lives in Madrid": 0.55, "I play chess": 0.2 });
  expect(decide("I moved to Porto", known)).toMatchObject({ kind: "unsure", about: "I live in Lisbon" });
  expect(decide("I moved to Porto", near({ "I live in Lisbon": 0.6, "I stay in Sintra": 0.55 })).kind).toBe(
    "new",
  );
  expect(decide("I visited Porto", known).kind).toBe("new");
  expect(decide("Anna moved to Porto", near({ "My sister moved to Berlin": 0.55 })).kind).toBe("new");
});

/** "moved to Tuesday" expresses a change. */
const CHANGES = new Set(["Meeting with Anna moved to Tuesday"]);

test("DEDUP-4: facts that only look similar stay separate, with and without vectors", () => {
  const both = [...FIRST, ...SECOND, ...HELD_OUT, ...AGAINST].filter(
    ([, added, wanted]) => wanted === "both" && !CHANGES.has(added),
  );
  for (const [known, added] of both)
    for (const cosine of [null, 0.5, 0.6, ...(saysChange(added) ? [] : [0.7, 0.85, 0.99])]) {
      const { kind } = verdict(known, added, cosine);
      expect([known, added, cosine, kind === "new" || kind === "unsure"]).toEqual([
        known,
        added,
        cosine,
        true,
      ]);
    }
});

test("DEDUP-4: a fact with another number or an added denial is never skipped", () => {
  const fact = fc.array(
    fc.constantFrom("Anna", "uses", "port", "is", "the", "blue", "not", "5", "6", "Monday"),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(fact, fact, fc.option(fc.float({ min: 0, max: 1, noNaN: true })), (known, added, cosine) => {
      const { kind } = verdict(known.join(" "), added.join(" "), cosine);
      const numbers = (words: readonly string[]) => words.filter((word) => /\d/.test(word)).join();
      const denials = (words: readonly string[]) => words.filter((word) => word === "not").length;
      if (numbers(known) !== numbers(added) || denials(known) !== denials(added))
        expect(kind).not.toBe("same");
    }),
  );
});

test("a fact list finds facts that share words, rarest first, even after facts were replaced and removed", () => {
  const list = new FactList([
    { id: "a", text: "Anna plays chess" },
    { id: "b", text: "Anna plays the violin" },
    { id: "c", text: "The boat is blue" },
  ]);
  expect(list.sharing("Who plays violin with Anna?").map(({ id }) => id)).toEqual(["b", "a"]);
  list.add({ id: "b", text: "The boat has sails" });
  list.remove("c");
  expect(list.sharing("a blue boat").map(({ id }) => id)).toEqual(["b"]);
  expect(list.sharing("violin")).toEqual([]);
});
