/** Matching edited bullets to the old ones. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { hunksOf, pairs } from "../../src/facts/sync/match-edits.ts";

interface Line {
  readonly id: string;
  readonly text: string;
  readonly category: string;
}

const line = (text: string, category = "general"): Line => ({ id: `${category}/${text}`, text, category });
const byId = (lines: readonly Line[]) => new Map(lines.map((one) => [one.id, one]));

/** The texts of each pair when the first lines are replaced by the second. */
function paired(before: readonly Line[], after: readonly Line[]): [text: string, old: string][] {
  const [old, now] = [byId(before), byId(after)];
  const lost = new Map([...old].filter(([id]) => !now.has(id)));
  const fresh = new Map([...now].filter(([id]) => !old.has(id)));
  const took = pairs(hunksOf([...old.keys()], [...now.keys()]), lost, fresh);
  return [...took].map(([id, from]) => [now.get(id)?.text ?? "", old.get(from)?.text ?? ""]);
}

test("FACT-5: a line that was edited in place, moved or sorted replaces its old text; a different line doesn't", () => {
  const lines = ["Likes tea", "Lives in Berlin", "Owns a red bicycle"].map((text) => line(text));
  const [tea, berlin, bicycle] = lines as [Line, Line, Line];
  const madrid = line("Lives in Madrid");
  expect(paired(lines, [tea, madrid, bicycle])).toEqual([["Lives in Madrid", "Lives in Berlin"]]);
  expect(paired(lines, [madrid, bicycle, tea])).toEqual([["Lives in Madrid", "Lives in Berlin"]]);
  expect(paired([tea, berlin], [line("Lives in Berlin, Germany"), line("Likes green tea")]).sort()).toEqual([
    ["Likes green tea", "Likes tea"],
    ["Lives in Berlin, Germany", "Lives in Berlin"],
  ]);
  expect(paired(lines, [tea, line("Works at Acme"), bicycle])).toEqual([
    ["Works at Acme", "Lives in Berlin"],
  ]);
  expect(paired(lines, [tea, line("Works at Acme", "Job"), bicycle])).toEqual([]);
  expect(paired(lines, [tea, line("Works at Acme"), line("Has two cats"), bicycle])).toEqual([]);
  expect(paired(lines, [tea, bicycle])).toEqual([]);
});

const word = fc.constantFrom(..."user likes tea cake red blue car Berlin Madrid a b c 1 2 3".split(" "));
const someLines = fc.uniqueArray(
  fc
    .tuple(fc.array(word, { maxLength: 5 }), fc.constantFrom("general", "Home"))
    .map(([words, category]) => line(words.join(" "), category)),
  { selector: ({ id }) => id, maxLength: 40 },
);

test("FACT-5: pairs are one to one, each of a removed and a new fact", () => {
  fc.assert(
    fc.property(someLines, someLines, (before, after) => {
      const [old, now] = [byId(before), byId(after)];
      const found = hunksOf([...old.keys()], [...now.keys()]);
      const lost = new Map([...old].filter(([id]) => !now.has(id)));
      const fresh = new Map([...now].filter(([id]) => !old.has(id)));
      const took = pairs(found, lost, fresh);
      expect(new Set(took.values()).size).toBe(took.size);
      for (const [id, from] of took) expect([fresh.has(id), lost.has(from)]).toEqual([true, true]);
    }),
    { numRuns: 300 },
  );
});

test("FACT-5: if every line was edited in place, they are paired line by line", () => {
  const texts = fc.uniqueArray(fc.array(word, { minLength: 2, maxLength: 6 }), {
    selector: (words) => words.join(" "),
    maxLength: 40,
  });
  fc.assert(
    fc.property(texts, fc.array(fc.nat(5), { minLength: 40, maxLength: 40 }), (lines, where) => {
      const before = lines.map((words) => words.join(" "));
      const after = lines.map((words, index) =>
        words.with((where[index] ?? 0) % words.length, `new${index}`).join(" "),
      );
      expect(
        paired(
          before.map((text) => line(text)),
          after.map((text) => line(text)),
        ),
      ).toEqual(after.map((text, index) => [text, before[index] ?? ""]));
    }),
    { numRuns: 300 },
  );
});

test("FACT-5: hunks turn one list into the other, and contain nothing that stayed in place", () => {
  const ids = fc.uniqueArray(fc.nat(30).map(String), { maxLength: 30 });
  fc.assert(
    fc.property(ids, ids, (before, after) => {
      const found = hunksOf(before, after);
      const gone = found.flatMap((hunk) => hunk.gone);
      const come = found.flatMap((hunk) => hunk.come);
      expect(before.filter((id) => !gone.includes(id))).toEqual(after.filter((id) => !come.includes(id)));
      expect(found.every((hunk) => hunk.gone.length + hunk.come.length > 0)).toBe(true);
      if (before.join() === after.join()) expect(found).toEqual([]);
    }),
  );
  expect(hunksOf(["a", "b", "c", "d"], ["a", "x", "c", "d", "y"])).toEqual([
    { gone: ["b"], come: ["x"] },
    { gone: [], come: ["y"] },
  ]);
});

test("FACT-5: twenty thousand changed lines are each processed once, whether or not the count stays the same", () => {
  const count = 20_000;
  let looked = 0;
  const watched = (text: string): Line => ({
    id: text,
    category: "general",
    get text() {
      looked++;
      return text;
    },
  });
  const texts = (name: string, length: number) =>
    Array.from({ length }, (_, index) => `${name} likes thing ${index} of kind ${index % 97} very much`);
  const common = (name: string, length: number) =>
    Array.from(
      { length },
      (_, index) =>
        `${name} ${[...String(index + 10_000)].map((digit, at) => `${"abcde"[at]}${digit}`).join(" ")}`,
    );
  for (const [make, more] of [
    [texts, 0],
    [texts, 1],
    [common, 1],
  ] as const) {
    const before = byId(make("User", count).map(watched));
    const after = byId(make("Jamie", count + more).map(watched));
    looked = 0;
    const took = pairs(hunksOf([...before.keys()], [...after.keys()]), before, after);
    expect(looked).toBeLessThanOrEqual(2 * count + more);
    expect(took.size).toBe(count);
    for (const [id, old] of took) expect(old === id.replace("Jamie", "User")).toBe(true);
  }
});
