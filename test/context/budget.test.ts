import { expect, test } from "bun:test";
import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import { assembleContext, type ContextOptions } from "../../src/context/assemble.ts";
import { CLOSING, OPENING } from "../../src/context/fence.ts";
import { PART_NAMES } from "../../src/context/parts.ts";
import { RetainError } from "../../src/index.ts";
import { MemoryBox, partsIn } from "./memory-box.ts";
import { portsOf } from "./ports-of.ts";

const FENCE_TOKENS = estimateTokenCount(OPENING) + estimateTokenCount(CLOSING);
const INSTRUCTIONS = ["Base instructions", "How to mark memories", "User", "Preferences"];
const LONG = "a word and another one ".repeat(20);

function partOf({ parts }: Awaited<ReturnType<MemoryBox["context"]>>, name: string) {
  return parts.find((part) => part.name === name);
}

/** The smallest budget: the instructions. */
async function least(memories = new MemoryBox()): Promise<number> {
  return (await memories.context()).tokens;
}

test("CTX-11: a budget too small for the instructions is a usage error that names the smallest budget", async () => {
  const memories = new MemoryBox().home("MEMORY.md", "- a fact\n").home("../context/system_prompt.md", LONG);
  const failure = await memories.context({ budget: 10 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RetainError);
  const { code, message, hint } = failure as RetainError;
  expect(code).toBe("usage");
  const enough = Number(/--budget (\d+)/.exec(hint ?? "")?.[1]);
  expect(message).toContain(`the instructions alone take ${enough}`);
  const { text, tokens } = await memories.context({ budget: enough });
  expect(partsIn(text)).toHaveLength(2);
  expect(tokens).toBe(enough);
  await expect(memories.context({ budget: enough - 1 })).rejects.toMatchObject({ code: "usage" });
});

test("CTX-11: the most important parts go in first, and parts that don't fit are left out with a reason", async () => {
  const names = { USER: "user", PREFERENCES: "preferences", other: "files", MEMORY: "memory" } as const;
  const memories = new MemoryBox();
  const body = (name: string) => `${name} ${"word ".repeat(60)}`;
  for (const [file, name] of Object.entries(names)) memories.home(`${file}.md`, body(name));
  memories
    .home("models/m.md", body("models"))
    .home("chats/main/MEMORY.md", body("chat"))
    .home("2026-11-15.md", `## 10:00 - Note\n${body("logs")}\n`)
    .home("working/s1.md", body("working"));
  const included = async (budget: number) => {
    const { parts } = await memories.context({ session: "s1", budget });
    return parts.filter((part) => part.included && part.tokens < 300).map(({ name }) => name as string);
  };
  const start = await least();
  const priority = ["working", "user", "preferences", "memory", "chat", "logs", "files", "models"];
  for (let count = 0; count <= priority.length; count++) {
    const expected = PART_NAMES.filter((name) => priority.slice(0, count).includes(name));
    // Working memory opens the fence of the changing parts, MEMORY.md the other one.
    const fences = ["working", "memory"].filter((name) => priority.indexOf(name) < count).length;
    const budget = start + 20 + 75 * count + fences * FENCE_TOKENS;
    const got = (await included(budget)).filter((name) => name !== "base");
    expect(got).toEqual(expected);
  }
  const { parts } = await memories.context({ session: "s1", budget: start + 20 });
  for (const part of parts.filter(({ name }) => priority.includes(name)))
    expect(part).toMatchObject({
      included: false,
      why: expect.stringMatching(
        new RegExp(`^does not fit: about ${part.tokens} tokens, and (?:17|0) are left$`),
      ),
    });
});

test("CTX-11: facts are shortened by whole bullets, from the top", async () => {
  const bullets = Array.from({ length: 20 }, (_, index) => `- Fact number ${index}\n  that goes on\n`);
  const memories = new MemoryBox().home(
    "USER.md",
    `# Ada\n\n${bullets.slice(0, 10).join("")}\n## More\n\n${bullets.slice(10).join("")}`,
  );
  const start = await least();
  const whole = await memories.context();
  expect(partOf(whole, "user")).toMatchObject({ included: true, shortened: false });
  for (let budget = start; budget < whole.tokens; budget += 7) {
    const context = await memories.context({ budget });
    const [shown] = partsIn(context.text).slice(2);
    const part = partOf(context, "user");
    if (shown === undefined) {
      expect(part).toMatchObject({ included: false, why: expect.stringContaining("does not fit") });
      continue;
    }
    const [, body = ""] = /^### User\n\n# Ada\n\n([\s\S]*)\n\n\(The rest is omitted\.\)$/.exec(shown) ?? [];
    const kept = body.split(/\n+(?=- )/).filter((line) => line.startsWith("- "));
    expect(kept.length).toBeGreaterThan(0);
    for (const [index, bullet] of kept.entries())
      expect(bullet.replace(/\n+## More$/, "")).toBe(bullets[index]?.trim() ?? "");
    expect(body.endsWith("## More")).toBe(false);
    expect(part).toMatchObject({
      included: true,
      shortened: true,
      why: expect.stringContaining("does not fit"),
    });
  }
});

test("CTX-11: text indented under a bullet stays with it", async () => {
  const bullet = "- Fact number one\n\n  and what belongs to it, some lines further down\n\n";
  const memories = new MemoryBox().home("USER.md", bullet.repeat(8));
  const seen = new Set<number>();
  for (let budget = (await least()) + 10; budget < (await memories.context()).tokens; budget += 5) {
    const shown = partsIn((await memories.context({ budget })).text)[2];
    if (shown === undefined) continue;
    const count = shown.split("- Fact number one").length - 1;
    expect(shown).toBe(`### User\n\n${bullet.repeat(count)}(The rest is omitted.)`);
    seen.add(count);
  }
  expect(seen.size).toBe(7);
});

test("CTX-11: logs and files leave room for relevant memories, even if these don't fill it", async () => {
  const notes = Array.from({ length: 8 }, (_, index) => `## 1${index}:00 - N\n${"word ".repeat(40)}\n`);
  const memories = new MemoryBox()
    .home("2026-11-15.md", notes.join("\n"))
    .home("2026-09-01.md", "## 10:00 - C\nA comet.\n");
  const budget = (await least()) + 450;
  expect(partOf(await memories.context({ budget }), "logs")).toMatchObject({
    included: true,
    shortened: false,
  });
  const asked = await memories.context({ query: "comet", budget });
  expect(partOf(asked, "relevant")).toMatchObject({ included: true, shortened: false });
  const logs = partOf(asked, "logs");
  expect(logs).toMatchObject({ included: true, shortened: true });
  expect(logs?.tokens).toBeLessThanOrEqual(450 - Math.floor(budget / 4));
});

test("CTX-11: a recalled item that is too long makes room for the next", async () => {
  const memories = new MemoryBox()
    .home("2026-09-01.md", `## 10:00 - C\nThe comet returns in May. ${"word ".repeat(300)}\n`)
    .home("2026-09-02.md", "## 10:00 - C\nA comet was seen over Madrid.\n");
  const context = await memories.context({ query: "the comet returns in May", budget: 900 });
  expect(context.text).toContain("over Madrid");
  expect(partOf(context, "relevant")).toMatchObject({
    shortened: true,
    why: "1 more does not fit into 225 tokens",
  });
});

test("CTX-11: facts that were cut off are recalled if relevant", async () => {
  const bullets = Array.from({ length: 100 }, (_, index) => `- Machine ${index} stands still\n`);
  const memories = new MemoryBox().home("MEMORY.md", `- The comet returns in May\n${bullets.join("")}`);
  const context = await memories.context({ query: "comet", budget: (await least()) + 400 });
  expect(partOf(context, "memory")?.shortened).toBe(true);
  const [memory, relevant] = partsIn(context.text).slice(2);
  expect(memory).toContain("Machine 99");
  expect(memory).not.toContain("comet");
  expect(relevant).toContain("The comet returns in May");
});

test("CTX-11: shortened logs keep the newest notes, each whole", async () => {
  const memories = new MemoryBox();
  for (const day of ["2026-11-13", "2026-11-14", "2026-11-15"])
    memories.home(
      `${day}.md`,
      ["09:00", "10:00", "11:00"]
        .map((time) => `## ${time} - T\n${day} at ${time} ${"word ".repeat(20)}\n`)
        .join("\n"),
    );
  memories.home("chats/main/2026-11-14.md", `## 10:30 - T\n2026-11-14 at 10:30 ${"word ".repeat(20)}\n`);
  const newest = "15 11 15 10 15 09 14 11 14 10:30 14 10:00 14 09 13 11 13 10 13 09";
  const order = newest.match(/1\d [\d:]+/g) ?? [];
  const whole = await memories.context();
  const counts = new Set<number>();
  for (let budget = (await least()) + FENCE_TOKENS; budget < whole.tokens; budget += 20) {
    const { text } = await memories.context({ budget });
    const shown = partsIn(text)[2] ?? "";
    const found = Array.from(
      shown.matchAll(/2026-11-(\d\d) at (\d\d:\d\d) (?:word ?){20}/g),
      ([, day, time]) => `${day} ${time}`,
    );
    const wanted = order.slice(0, found.length).map((one) => (one.includes(":") ? one : `${one}:00`));
    expect(found.toSorted()).toEqual(wanted.toSorted());
    counts.add(found.length);
  }
  expect(counts.size).toBeGreaterThan(7);
});

test("CTX-11: relevant memories take at most a quarter of the budget, in whole items, best first", async () => {
  const memories = new MemoryBox();
  for (let day = 1; day < 30; day++)
    memories.home(
      `2026-09-${String(day).padStart(2, "0")}.md`,
      `## 10:00 - N\nThe comet ${day} ${"x ".repeat(40)}\n`,
    );
  const context = await memories.context({ query: "comet", budget: 2_000 });
  const part = partOf(context, "relevant");
  expect(part?.tokens).toBeLessThanOrEqual(500);
  expect(part?.tokens).toBeGreaterThan(400);
  expect(part).toMatchObject({ included: true, shortened: true });
  const items = context.text.match(/^- .*comet \d+ (?:x ?)+$/gm) ?? [];
  expect(part?.why).toMatch(new RegExp(`^${8 - items.length} more (?:does|do) not fit into 500 tokens$`));
  const none = await memories.context({ query: "comet", budget: (await least()) + 10 });
  expect(partOf(none, "relevant")).toMatchObject({
    included: false,
    why: expect.stringContaining("none of 8 fits"),
  });
});

test("CTX-11: the budget is the setting context_budget unless one is given", async () => {
  const memories = new MemoryBox();
  const settings = { embedding: "none", context_budget: 900 } as const;
  expect((await memories.context({}, { settings })).budget).toBe(900);
  expect((await memories.context({ budget: 950 }, { settings })).budget).toBe(950);
  for (const budget of [0, -1, 1.5, Number.NaN])
    await expect(memories.context({ budget })).rejects.toMatchObject({ code: "usage" });
  for (const wrong of [{ qurey: "comet" }, { query: 5 }, { chat: null }])
    await expect(memories.context(wrong as object)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(`${Object.keys(wrong)[0]}`),
    });
});

const PATHS = [
  "USER.md",
  "PREFERENCES.md",
  "MEMORY.md",
  "x.md",
  "models/m.md",
  "chats/main/MEMORY.md",
  "chats/main/y.md",
];
/** A project's file has its name in the fence. */
const LOGS = ["2026-11-13.md", "2026-11-15.md", "chats/main/2026-11-14.md", "working/s1.md"];
const line = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "- a bullet",
    "# Heading",
    "",
    "## 10:30 - A note",
    "```",
    "    code",
    "1. one",
    "---",
    "日本語のメモ、",
    "| a | b |",
  ),
);
const content = fc.array(line, { maxLength: 25 }).map((lines) => lines.join("\n").replaceAll("\0", ""));
const files = fc.dictionary(fc.constantFrom(...PATHS, ...LOGS), content);
const recalled = fc.array(
  fc.record({
    kind: fc.constantFrom("fact", "note", "message", "document", "summary"),
    source: fc.string({ minLength: 1, maxLength: 12 }),
    origin: fc.constantFrom("home", "project"),
    heading: fc.string({ maxLength: 10 }),
    text: content,
    speaker: fc.constantFrom(null, "Ada"),
    session: fc.constantFrom(null, "s1", "s2"),
    at: fc.constantFrom(null, 1_700_000_000_000),
    trust: fc.constantFrom("stated", "tool"),
    score: fc.constantFrom(0.1, 0.5),
  }),
  { maxLength: 12 },
);

test("CTX-11: for any files, the budget is never exceeded, the order is fixed, and the same input gives the same bytes", async () => {
  await fc.assert(
    fc.asyncProperty(
      files,
      files,
      recalled,
      fc.integer({ min: 700, max: 1_500 }),
      fc.option(fc.constantFrom("", "comet")),
      async (home, project, memories, budget, query) => {
        const options: ContextOptions = { budget, session: "s1", ...(query === null ? {} : { query }) };
        const ports = portsOf({ home, project, recalled: memories });
        const context = await assembleContext(ports, options);
        expect(estimateTokenCount(context.text)).toBe(context.tokens);
        expect(context.tokens).toBeLessThanOrEqual(budget);
        const isInstruction = (title: string) => INSTRUCTIONS.includes(title);
        const places = context.parts.map(
          ({ name, title }) => PART_NAMES.indexOf(name) + (isInstruction(title) ? 0 : PART_NAMES.length),
        );
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        for (const { included, shortened, why } of context.parts)
          expect(why === null).toBe(included && !shortened);
        let at = 0;
        for (const { title, name } of context.parts.filter((part) => part.included)) {
          const heading = `### ${title}`;
          const found = name === "base" || name === "marks" ? at : context.text.indexOf(heading, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found;
        }
        expect(await assembleContext(ports, options)).toEqual(context);
      },
    ),
    { numRuns: 300 },
  );
});
