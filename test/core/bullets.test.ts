import { expect, test } from "bun:test";
import fc from "fast-check";
import { bulletsOf, GENERAL, withBullet, withoutBullet, withReplaced } from "../../src/core/facts/bullets.ts";

const facts = (content: string) => bulletsOf(content).map(({ category, text }) => `${category}: ${text}`);

const SAMPLE = `# KenoBot Memory

Some words of the owner.

## User Preferences
- Prefers concise responses
* Primary language: Spanish,
  English for technical topics
1. Timezone: America/Mexico_City

## Empty

## Pets
- Dogs:
  - Rex
  - [x] Max
- [ ]
-
- A cat
• Typed one
• Typed two

\`\`\`
- not a fact
\`\`\`
<!--
- neither
-->
`;

test("FACT-1: every bullet is a fact, and the heading above it its category", () => {
  expect(facts(SAMPLE)).toEqual([
    "User Preferences: Prefers concise responses",
    "User Preferences: Primary language: Spanish, English for technical topics",
    "User Preferences: Timezone: America/Mexico_City",
    "Pets > Dogs: Rex",
    "Pets > Dogs: Max",
    "Pets: A cat",
    "Pets: Typed one",
    "Pets: Typed two",
  ]);
  expect(facts("- a\n- b\r\n- c")).toEqual(["general: a", "general: b", "general: c"]);
  expect(facts("# T\n- a\n# Other\n- b\n")).toEqual(["general: a", "Other: b"]);
});

test("FACT-1: private text has no facts; a tag mentioned in code hides nothing", () => {
  expect(facts("- a\n<private>\n- b\n</private>\n- c <private>d</private> e\n")).toEqual([
    "general: a",
    "general: c e",
  ]);
  expect(facts("- Hide with `<private>`\n- still here\n")).toEqual([
    "general: Hide with `<private>`",
    "general: still here",
  ]);
});

test("FACT-1: frontmatter has no facts", () => {
  expect(facts("---\ntags:\n- t1\n---\n# M\n\n- a\n")).toEqual(["general: a"]);
  expect(facts("---\n- a\n")).toEqual(["general: a"]);
});

test("FACT-4: a new fact goes to the end of its category; nothing else moves", () => {
  expect(withBullet("", "a", GENERAL)).toBe("# Memory\n\n- a\n");
  expect(withBullet("", "a", "Work")).toBe("# Memory\n\n## Work\n\n- a\n");
  expect(withBullet("# M\n\n- a\n", "b", GENERAL)).toBe("# M\n\n- a\n- b\n");
  expect(withBullet("# M\n\n## W\n- a\n\n## X\n- c\n", "b", "w")).toBe(
    "# M\n\n## W\n- a\n- b\n\n## X\n- c\n",
  );
  expect(withBullet("# M\n\n## W\n- a\n", "b", GENERAL)).toBe("# M\n\n- b\n\n## W\n- a\n");
  expect(withBullet("# M\n\n## W\n- a", "b", "New")).toBe("# M\n\n## W\n- a\n\n## New\n\n- b\n");
  expect(withBullet("# M\n\n## W\n\n## X\n- c\n", "b", "W")).toBe("# M\n\n## W\n\n- b\n\n## X\n- c\n");
  expect(withBullet("# M\n\n## Tools:\n- a\n", "b", "tools")).toBe("# M\n\n## Tools:\n- a\n- b\n");
  expect(withBullet("- a\r\n", "b", GENERAL)).toBe("- a\r\n- b\r\n");
});

test("FACT-4: a replaced fact keeps its position, indentation and marker; a removed one is removed with all its lines", () => {
  const [, language, , rex] = bulletsOf(SAMPLE);
  if (language === undefined || rex === undefined) throw new Error("missing");
  expect(withReplaced(SAMPLE, language, "Primary language: French")).toBe(
    SAMPLE.replace("Spanish,\n  English for technical topics", "French"),
  );
  expect(withReplaced(SAMPLE, rex, "Bello")).toBe(SAMPLE.replace("  - Rex", "  - Bello"));
  expect(withoutBullet(SAMPLE, rex)).toBe(SAMPLE.replace("  - Rex\n", ""));
});

test("FACT-4: bullets nested under a removed fact move up and stay facts", () => {
  const content = "- Parent\n    - child one\n        - grandchild\n\n    - child two\n- Next\n";
  const [parent] = bulletsOf(content);
  if (parent === undefined) throw new Error("missing");
  expect(withoutBullet(content, parent)).toBe("- child one\n    - grandchild\n\n- child two\n- Next\n");
});

test("FACT-4: in plain lists, removing a fact keeps all others", () => {
  const item = fc.record({
    depth: fc.nat({ max: 3 }),
    tab: fc.boolean(),
    text: fc.stringMatching(/^[a-z]{3,9}$/),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(item, { minLength: 1, maxLength: 12, selector: ({ text }) => text }),
      fc.nat(),
      (items, pick) => {
        let depth = -1;
        const rows = items.map((one) => {
          depth = Math.min(one.depth, depth + 1);
          return `${(one.tab ? "\t" : "    ").repeat(depth)}- ${one.text}`;
        });
        const content = `${rows.join("\n")}\n`;
        const bullets = bulletsOf(content);
        const bullet = bullets[pick % Math.max(1, bullets.length)];
        if (bullet === undefined) return;
        const left = bulletsOf(withoutBullet(content, bullet)).map(({ text }) => text);
        expect(left.sort()).toEqual(
          bullets
            .filter((one) => one !== bullet)
            .map(({ text }) => text)
            .sort(),
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

const line = fc.oneof(
  fc.stringMatching(/^[ -~]{0,20}$/),
  fc.constantFrom(
    "- a",
    "* b",
    "  - c",
    "## H",
    "# T",
    "```",
    "",
    "1. x",
    "• y",
    "text",
    "<!-- -->",
    "---",
    "\r",
  ),
);
const document = fc.array(line, { maxLength: 25 }).map((lines) => lines.join("\n"));
const fact = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9 :,.']{0,30}[a-z0-9]$/)
  .map((text) => text.replace(/\s+/g, " "));

test("FACT-4: in any file, adding a fact keeps every line, in order", () => {
  fc.assert(
    fc.property(document, fact, fc.constantFrom(GENERAL, "H", "New"), (content, text, category) => {
      const added = withBullet(content, text, category);
      const without = added.split("\n");
      const kept = content.split("\n").filter((row) => row.trim() !== "");
      let at = 0;
      for (const row of without) if (at < kept.length && row.trim() === kept[at]?.trim()) at++;
      if (content.trim() !== "") expect(at).toBe(kept.length);
    }),
    { numRuns: 3_000 },
  );
});

test("FACT-4: in any file, an edit leaves all other bytes alone", () => {
  fc.assert(
    fc.property(document, fact, fc.nat(), (content, text, pick) => {
      const bullets = bulletsOf(content);
      const bullet = bullets[pick % Math.max(1, bullets.length)];
      if (bullet === undefined) return;
      const edited = withReplaced(content, bullet, text);
      expect(edited.startsWith(content.slice(0, bullet.start))).toBe(true);
      expect(edited.endsWith(content.slice(bullet.end))).toBe(true);
      const texts = bulletsOf(withReplaced(content, bullet, text)).map((one) => one.text);
      expect(texts.some((one) => one.startsWith(text))).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

const LINE = fc.constantFrom(
  ...[
    "- a",
    "- b:",
    "  - c",
    "    - d",
    "* e",
    "1. f",
    "10) g",
    "• h",
    "–  i",
    "-",
    "- ",
    "- [x] j",
    "  more",
    "text",
    "",
  ],
  ...[
    "# T",
    "## S",
    "##",
    "Heading\n===",
    "---",
    "-- | --",
    "a | b",
    "```",
    "- ```",
    "~~~",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
  ],
  ...[
    "<private>",
    "</private>",
    "- k <private>l",
    "m</private> n",
    "`<private>`",
    "> q",
    "- r\r",
    "\t- s",
    "***",
    "\uFEFF- t",
  ],
);
const TEXT = fc.array(LINE, { maxLength: 14 }).map((lines) => lines.join("\n"));

/** Distinct texts, enough to fill the cache. */
function forgetWhatWasRead(): void {
  for (const number of [1, 2, 3, 4, 5]) bulletsOf(`${number}${Math.random()}`);
}

test("a text that extends another one has the same bullets as if parsed alone", () => {
  fc.assert(
    fc.property(TEXT, TEXT, TEXT, TEXT, fc.boolean(), (start, one, other, end, ending) => {
      const [before, after] = [one, other].map(
        (middle) => [start, middle, end].join("\n") + (ending ? "\n" : ""),
      );
      forgetWhatWasRead();
      const alone = bulletsOf(after ?? "");
      forgetWhatWasRead();
      bulletsOf(before ?? "");
      expect(bulletsOf(after ?? "")).toEqual(alone);
    }),
    { numRuns: 3_000 },
  );
});

test("a text with a new bullet has the same bullets as if parsed alone", () => {
  fc.assert(
    fc.property(
      TEXT,
      LINE,
      fc.array(fc.constantFrom("general", "S", "T"), { maxLength: 4 }),
      (text, said, categories) => {
        let grown = text;
        for (const [number, category] of categories.entries())
          grown = withBullet(grown, `${said} ${number}`, category);
        const known = bulletsOf(grown);
        forgetWhatWasRead();
        expect(bulletsOf(grown)).toEqual(known);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("text before the first difference isn't parsed again", () => {
  const list = Array.from({ length: 20 }, (_, number) => `- fact ${number}\n`).join("");
  const before = bulletsOf(`# M\n\n${list}`);
  const after = bulletsOf(`# M\n\n${list}- one more\n`);
  expect(after).toHaveLength(21);
  expect(after.filter((bullet, at) => bullet === before[at])).toHaveLength(19);
});
