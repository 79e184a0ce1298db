/** A fact as text: normal form, id, key. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { factId, keyedFact, keyOf, normalForm, plainFact } from "../../src/core/facts/fact-text.ts";

test("DEDUP-4: case, white space, typographic variants, marks and a final period don't make another fact", () => {
  const spellings = [
    "Prefers dark mode",
    "prefers  dark\tmode.",
    "- **Prefers dark mode**",
    "* Prefers **dark** mode!",
    "• _Prefers dark mode_",
    '"Prefers dark mode."',
    "“Prefers dark mode”",
    "Prefers `dark` mode…",
    "Ｐrefers dark mode。",
    "\u200bPrefers dark\u00a0mode\n",
    "- - Prefers dark mode;",
  ];
  expect([...new Set(spellings.map(normalForm))]).toEqual(["prefers dark mode"]);
  expect(normalForm("Jamie’s dog — Rex – is 3‑4")).toBe("jamie's dog - rex - is 3-4");
  expect(normalForm("时区：马德里。")).toBe(normalForm("时区: 马德里"));
});

test("DEDUP-4: a text with another meaning is another fact", () => {
  const different = [
    ["likes Go", "likes Go-karts"],
    ["Likes C", "Likes C++"],
    ["Likes C", "Likes C#"],
    ["Ignores src/*.ts and test/*.ts", "Ignores src/.ts and test/.ts"],
    ["Uses __init__.py", "Uses init.py"],
    ["It is -5 outside", "It is 5 outside"],
    ["Likes coffee", "Likes coffee?"],
    ["~~Likes coffee~~", "Likes coffee"],
    ["Docs: [here](https://a.example)", "Docs: [here](https://b.example)"],
    ["Uses .NET", "Uses NET"],
    ["Answer to 'who' and 'what'", "Answer to who' and 'what"],
  ] as const;
  for (const [a, b] of different) expect(normalForm(a)).not.toBe(normalForm(b));
});

test("DEDUP-4: a normal form's normal form is itself, and only white space has an empty one", () => {
  const marks = fc.constantFrom(
    "*",
    "**",
    "_",
    "`",
    '"',
    "'",
    "- ",
    "• ",
    ".",
    "…",
    " ",
    "：",
    "İ",
    "ß",
    "ﬁ",
    "a",
    "B",
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(marks, { maxLength: 14 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const normal = normalForm(text);
      expect(normalForm(normal)).toBe(normal);
      expect(plainFact(plainFact(text))).toBe(plainFact(text));
    }),
    { numRuns: 2000 },
  );
  expect(normalForm("...")).not.toBe("");
  expect(normalForm(" \n ")).toBe("");
});

test("DEDUP-4: normalizing a long text of marks terminates", () => {
  for (const part of ["*", "`", ". ", "- ", "a:", "*a", '"'])
    for (const tail of ["", "x"]) {
      const text = part.repeat(300_000) + tail;
      expect(normalForm(text).length).toBeLessThanOrEqual(text.length);
      expect(keyOf(text)).toBeNull();
    }
});

test("HIST-1: an id is ten characters, derived from the normal form and the chat, and stable", () => {
  expect(factId("Prefers dark mode", null)).toBe(factId("- **prefers dark mode.**", null));
  expect(factId("Prefers dark mode", null)).toMatch(/^[0-9a-v]{10}$/);
  expect(factId("Prefers dark mode", null)).toBe("ma56jtg2a8");
  expect(factId("Prefers dark mode", "work")).not.toBe(factId("Prefers dark mode", null));
  expect(factId("Prefers dark mode", "")).not.toBe(factId("Prefers dark mode", null));
  const ids = Array.from({ length: 20_000 }, (_, at) => factId(`Fact ${at}`, null));
  expect(new Set(ids).size).toBe(ids.length);
});

test("DEDUP-5: a fact's key has one canonical spelling", () => {
  const keys: readonly (readonly [string, string | null])[] = [
    ["Timezone: Madrid", "timezone"],
    ["- **Time zone:** America/Mexico_City", "timezone"],
    ["time-zone: x", "timezone"],
    ["User's timezone: CET", "timezone"],
    ["My timezone: CET", "timezone"],
    ["Anna's timezone: CET", "anna's timezone"],
    ["Favourite editor: Zed", "favorite editor"],
    ["E-mail address: a@b.c", "email"],
    ["Date of birth: 1990-03-15", "birthday"],
    ["Staging port: 5432", "staging port"],
    ["Work email: a@b.c", "work email"],
    ["时区：马德里", "时区"],
    ["Zeitzone: Wien", "zeitzone"],
    ["Likes: tea", "likes"],
    ["API base URL: https://a.example", "api base url"],
  ];
  for (const [text, key] of keys) expect([text, keyOf(text)]).toEqual([text, key]);
});

test("DEDUP-5: a category, an address, a time and the start of a sentence aren't keys", () => {
  const none = [
    "User preference: prefers concise answers",
    "Note: standup is at 9",
    "TODO: renew passport",
    "Project: Retain",
    "Fact: x",
    "https://example.com",
    "Docs at https://example.com: read them",
    "10:30 standup",
    "Standup at 10:30",
    "Jamie said: hello there",
    "Remember this: x",
    "A very long beginning of a sentence that goes on: x",
    "One, two: three",
    "Timezone:",
    ": x",
    "",
  ];
  for (const text of none) expect([text, keyOf(text)]).toEqual([text, null]);
  expect(keyedFact("User preference: prefers X")).toMatchObject({ isCategory: true, value: "prefers X" });
});
