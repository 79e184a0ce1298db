/** Facts with a key whose value says whose it is. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { compareFact, FactMatcher } from "../../src/retention/dedup.ts";

const kind = async (known: string, added: string) =>
  (await compareFact(added, [{ id: "0", text: known }])).kind;

const VALUES = {
  Birthday: ["March 15", "April 2", "3 May"],
  Phone: ["555-1234", "+49-170-555", "020-7946-0958"],
  Deadline: ["on May 3", "Friday", "2027-01-31", "mid June"],
  Email: ["a@example.com", "b@example.org"],
  Age: ["7", "almost 9"],
  Port: ["5432", "8080"],
} as const;

const keyed = fc
  .constantFrom(...Object.entries(VALUES))
  .chain(([key, values]) =>
    fc.tuple(fc.constant(key), fc.constantFrom(...values), fc.constantFrom(...values)),
  );
const owner = fc.constantFrom(
  "Anna",
  "Bob",
  "anna maria",
  "report",
  "taxes",
  "Mia's",
  "my mother's",
  "the wifi",
);

test("DEDUP-15: values of different owners stand beside each other; one of the same owner takes the other's place", async () => {
  await fc.assert(
    fc.asyncProperty(keyed, owner, owner, async ([key, old, fresh], whose, other) => {
      const known = `${key}: ${whose} ${old}`;
      const others = [...(whose === other ? [] : [`${key}: ${other} ${fresh}`]), `${key}: ${fresh}`];
      for (const added of others) {
        expect([known, added, await kind(known, added)]).not.toContain("supersedes");
        expect([added, known, await kind(added, known)]).not.toContain("supersedes");
      }
      const renewed = await kind(known, `${key}: ${whose} ${fresh}`);
      expect([known, fresh, renewed]).toEqual([known, fresh, old === fresh ? "same" : "supersedes"]);
    }),
    { numRuns: 300 },
  );
});

test("DEDUP-15: the owner may stand in the key or in the value, and the user's name is the user", async () => {
  expect(await kind("Anna's birthday is March 15", "Birthday: Anna March 16")).toBe("supersedes");
  expect(await kind("Birthday: Anna March 15", "Anna's birthday: March 16")).toBe("supersedes");
  const known = new FactMatcher([
    { id: "name", text: "Name: Jamie" },
    { id: "old", text: "Birthday: March 15" },
  ]);
  expect(await compareFact("Birthday: Jamie March 16", known)).toMatchObject({ kind: "supersedes" });
  expect(await compareFact("Birthday: Anna March 16", known)).toEqual({ kind: "new" });
});
