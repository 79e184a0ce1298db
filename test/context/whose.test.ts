/** Parts that depend on session and chat, without repetition. */
import { expect, test } from "bun:test";
import { isShownNote } from "../../src/context/logs.ts";
import type { RecalledMemory } from "../../src/context/ports.ts";
import { DAY_MS, HOUR_MS, MemoryBox, MINUTE_MS } from "./memory-box.ts";

test("CTX-5: working memory is that of the session, with its age in words", async () => {
  const ages: [number, string][] = [
    [-HOUR_MS, "just now"],
    [59_000, "just now"],
    [MINUTE_MS, "1 minute ago"],
    [59 * MINUTE_MS, "59 minutes ago"],
    [HOUR_MS, "1 hour ago"],
    [2 * HOUR_MS, "2 hours ago"],
    [DAY_MS, "1 day ago"],
    [3 * DAY_MS + HOUR_MS, "3 days ago"],
    [7 * DAY_MS, "7 days ago"],
  ];
  const memories = new MemoryBox().home("working/other.md", "- another session's\n");
  for (const [age, words] of ages) {
    memories.home("working/s1.md", "- mine\n", age);
    expect(await memories.memory({ session: "s1" })).toEqual([
      `### Working memory (updated ${words})\n\n- mine`,
    ]);
  }
  expect(await memories.memory()).toEqual([]);
});

test("CTX-5: working memory older than working_memory_stale_days is left out and reported", async () => {
  const memories = new MemoryBox().home("working/s1.md", "- mine\n", 7 * DAY_MS + 1_000);
  const { text, parts } = await memories.context({ session: "s1" });
  expect(text).not.toContain("mine");
  expect(parts.find(({ name }) => name === "working")).toMatchObject({
    included: false,
    why: expect.stringMatching(/\b7 days ago.*\b7 days/),
  });
  const settings = { embedding: "none", working_memory_stale_days: 8 } as const;
  expect(await memories.memory({ session: "s1" }, { settings })).toHaveLength(1);
});

test("CTX-7: other chats' facts, notes and messages never get in", async () => {
  const memories = new MemoryBox()
    .home("chats/other/MEMORY.md", "- The secret comet is in the other chat\n")
    .home("chats/other/2026-11-15.md", "## 10:00 - Comet\nThe secret comet was noted.\n")
    .home("chats/main/2026-11-01.md", "## 10:00 - Comet\nThis chat's comet was noted.\n")
    .home("2026-11-01.md", "## 10:00 - Comet\nThe open comet was noted.\n");
  using retain = memories.open();
  await retain.facts.ingest("The secret comet, said elsewhere.", { session: "s2", chat: "other" });
  await retain.facts.ingest("This chat's comet, said before.", { session: "s3", chat: "main" });
  const { text } = await retain.context({ query: "comet", session: "s1" });
  expect(text).not.toContain("secret");
  for (const known of ["This chat's comet was noted", "The open comet was noted", "comet, said before"])
    expect(text).toContain(known);
  const other = await retain.context({ query: "comet", chat: "other", session: "s1" });
  expect(other.text).not.toContain("This chat's");
  expect(other.text.match(/secret comet/g)).toHaveLength(4);
});

test("CTX-7: messages of this session are not recalled, since they are in the conversation", async () => {
  const memories = new MemoryBox();
  using retain = memories.open();
  await retain.facts.ingest("The comet was seen here.", { session: "s1" });
  await retain.facts.ingest("The comet was seen there.", { session: "s2" });
  const { text } = await retain.context({ query: "comet", session: "s1" });
  expect(text).toContain("seen there");
  expect(text).not.toContain("seen here");
});

test("CTX-10: memories already in the context are not recalled", async () => {
  const memories = new MemoryBox()
    .home("MEMORY.md", "- The comet returns in **May**.\n")
    .home("USER.md", "- Ada likes the comet\n")
    .home("2026-11-15.md", "## 10:00 - Seen\nThe comet was seen.\n")
    .home("2026-11-01.md", "## 10:00 - Drawn\nThe comet was drawn.\n");
  const { text } = await memories.context({ query: "comet" });
  for (const once of ["returns in", "likes the comet", "comet was seen", "comet was drawn"])
    expect(text.split(once)).toHaveLength(2);
  memories.home("2026-11-01.md", "");
  const { parts } = await memories.context({ query: "comet" });
  const relevant = parts.find(({ name }) => name === "relevant");
  expect(relevant).toMatchObject({ included: false, why: "already in the context" });
});

test("CTX-10: a note cut off from shortened logs is recalled", () => {
  const log = {
    origin: "home",
    path: "2026-11-15.md",
    day: "2026-11-15",
    head: "",
    content: "## 10:00 - T\n    One\n    and all\n",
  } as const;
  const note: RecalledMemory = {
    kind: "note",
    source: "2026-11-15.md#10:00-abcdef",
    origin: "home",
    heading: "",
    text: "One\nand all",
    speaker: null,
    session: null,
    at: null,
    trust: "inferred",
    score: 0.5,
  };
  const shown = `### Recent notes\n\n${log.content}`;
  expect(isShownNote(note, [log], shown)).toBe(true);
  expect(isShownNote(note, [log], "## 10:00 - T\nOne\nand all, among others")).toBe(true);
  expect(isShownNote(note, [log], "## 11:00 - U\nTwo")).toBe(false);
  expect(isShownNote({ ...note, origin: "project" }, [log], shown)).toBe(false);
  expect(isShownNote({ ...note, source: "2026-11-14.md#10:00-abcdef" }, [log], shown)).toBe(false);
  expect(isShownNote({ ...note, kind: "document" }, [log], shown)).toBe(false);
});

test("CTX-10: without a query, or with a blank one, nothing is recalled", async () => {
  const memories = new MemoryBox().home("2026-10-01.md", "## 10:00 - A\nThe comet was drawn.\n");
  for (const query of [undefined, "", " \n"]) {
    const { text, parts } = await memories.context({ query });
    expect(text).not.toContain("comet");
    expect(parts.at(-1)).toMatchObject({ name: "relevant", included: false, why: "no query" });
  }
  const { parts } = await memories.context({ query: "submarines" });
  expect(parts.at(-1)).toMatchObject({ included: false, why: "nothing found" });
});
