import { expect, test } from "bun:test";
import type { ChunkTraits } from "../../src/core/memory.ts";
import type { Embedder } from "../../src/core/ports/documents.ts";
import { vectorOnly } from "../../src/core/senses.ts";
import { distinctHits } from "../../src/recall/distinct.ts";
import { SqliteMemorySearch } from "../../src/sqlite/search/memory-search.ts";
import { letters, NOW, Store } from "../helpers/store.ts";

/** All texts are equally similar, so that the rest decides; or as similar as the test says. */
function model(near: Record<string, number>): Embedder {
  return {
    model: "chosen",
    embed: async (texts) =>
      texts.map((text) => {
        const cosine = near[text] ?? 0;
        const vector = new Float32Array(16);
        vector[0] = text.startsWith("?") ? 1 : cosine;
        vector[1 + (Bun.hash.crc32(text) % 15)] = text.startsWith("?") ? 0 : Math.sqrt(1 - cosine ** 2);
        return vectorOnly(vector);
      }),
    close() {},
  };
}

const DAY = 86_400_000;

test("SEARCH-1: a hit with every word never ranks below one with none", async () => {
  const store = new Store([model({ "Wir fahren morgen los.": 1, "The zygote report is done.": 0.01 })]);
  await store.put({ text: "Wir fahren morgen los." }, { text: "The zygote report is done." });
  for (let number = 0; number < 30; number++)
    await store.put({ text: `Filler number ${number} about the weather.` });
  await store.embed();
  const answers = await store.ask("?zygote");
  expect(answers[0]).toBe("The zygote report is done.");
  expect(answers).toContain("Wir fahren morgen los.");
});

test("RECALL-5: the same text is shown once, but every message counts", async () => {
  const store = new Store();
  await store.put(
    { text: "Tokens rotate daily.", source: "a" },
    { text: "Tokens rotate daily.", source: "b" },
    { text: "Keys rotate weekly.", source: "c" },
  );
  expect((await store.ask("rotate")).sort()).toEqual(["Keys rotate weekly.", "Tokens rotate daily."]);
  const chunks = ["one rotate", "two rotate"].map((text, line) => ({ heading: "", text, line }));
  await store.put({ text: "", source: "long", chunks });
  expect(await store.ask("rotate", { onePerMemory: true })).toHaveLength(3);
  expect(await store.ask("rotate", { onePerMemory: false })).toHaveLength(4);
});

test("RANK-3: tool output ranks below a person's statements, important memories above", async () => {
  const store = new Store();
  await store.put(
    { text: "The port is 80 here.", trust: "tool" },
    { text: "The port is 81 here.", trust: "stated" },
    { text: "The port is 82 here.", trust: "stated", importance: 0.9 },
    { text: "The port is 83 here.", trust: "stated", importance: 0.1 },
  );
  expect(await store.ask("port")).toEqual([
    "The port is 82 here.",
    "The port is 81 here.",
    "The port is 83 here.",
    "The port is 80 here.",
  ]);
});

test("RANK-3: a dated note loses weight with age, a fact does not", async () => {
  const old = NOW.getTime() - 365 * DAY;
  const notes = new Store();
  await notes.put(
    { text: "Standup moved to nine, says Bo.", kind: "note", at: old, importance: 0.55 },
    { text: "Standup moved to ten, says Bo.", kind: "note", at: NOW.getTime() - DAY },
  );
  expect((await notes.ask("standup"))[0]).toBe("Standup moved to ten, says Bo.");
  const facts = new Store();
  await facts.put(
    { text: "Standup moved to nine, says Bo.", at: old, importance: 0.55 },
    { text: "Standup moved to ten, says Bo.", at: NOW.getTime() - DAY },
  );
  expect((await facts.ask("standup"))[0]).toBe("Standup moved to nine, says Bo.");
});

test("turns of the person and the time named in the question rank first", async () => {
  const store = new Store();
  const at = (day: number) => new Date(2026, 9, day, 10).getTime();
  await store.put(
    { text: "I adopted a kitten, it is grey.", kind: "message", speaker: "Mel", at: at(1) },
    { text: "I adopted a kitten, it is black.", kind: "message", speaker: "Caroline", at: at(1) },
    { text: "I adopted a kitten, it is white.", kind: "message", speaker: "Joe", at: at(20) },
  );
  expect((await store.ask("Which kitten did Caroline adopt?"))[0]).toContain("black");
  expect((await store.ask("Which kitten was adopted on 20 October 2026?"))[0]).toContain("white");
});

test("a turn is found by the turns right before and after it, even if added later", async () => {
  const store = new Store();
  const say = (content: string) =>
    store.sessions.append({ id: "s", chat: "main", title: null }, [
      { role: "user", speaker: "Ada", content, timestamp: "2026-11-01T10:00:00Z", token_count: null },
    ]);
  await say("What is your favourite dish?");
  await say("Lasagne, always.");
  await say("With extra béchamel?");
  expect(await store.ask("bechamel")).toContain("Lasagne, always.");
  expect(await store.ask("favourite dish")).toContain("Lasagne, always.");
  expect((await store.ask("lasagne"))[0]).toBe("Lasagne, always.");
});

test("VEC-3: unfinished claims stay pending, two processes claim different chunks, and a dead process's claims are released", async () => {
  const store = new Store([letters]);
  await store.put({ text: "one" }, { text: "two" }, { text: "three" });
  const dead = store.queue(7);
  await dead.useModel("letters");
  const [taken] = await dead.take(1, NOW, true);
  const other = store.queue(8, (id) => id === 7);
  expect((await other.take(10, NOW, true)).map(({ text }) => text)).not.toContain(taken?.text);
  expect(await store.queue(9, () => true).take(10, NOW, true)).toEqual([]);
  const next = store.queue(9, () => false);
  expect((await next.take(10, NOW, true)).map(({ text }) => text).sort()).toEqual(["one", "three", "two"]);
  expect(next.count()).toBe(3);
  const hung = store.queue(10, () => true);
  expect(await hung.take(10, new Date(NOW.getTime() + 60_000), true)).toEqual([]);
  expect(await hung.take(10, new Date(NOW.getTime() + 600_000), true)).toHaveLength(3);
});

test("VEC-3: a text that changed while it was embedded does not get the old vectors", async () => {
  const store = new Store([letters]);
  await store.put({ text: "before", source: "x" });
  const queue = store.queue();
  await queue.useModel("letters");
  const [chunk] = await queue.take(1, NOW, true);
  await store.put({ text: "after", source: "x" });
  if (chunk !== undefined)
    await queue.store("letters", [{ chunk, passages: await letters.embed([chunk.text]) }]);
  expect(store.search.models()).toEqual([]);
  expect(queue.count()).toBe(1);
});

test("VEC-3: a new embedding model embeds everything again, and the old vectors serve until then", async () => {
  const other: Embedder = { ...letters, model: "other" };
  const store = new Store([letters]);
  await store.put({ text: "abc abc" }, { text: "xyz xyz" });
  await store.embed();
  const ask = (embedders: Embedder[]) => {
    store.embedders.splice(0, store.embedders.length, ...embedders);
    return store.ask("aabbcc", { mode: "semantic" });
  };
  await store.queue().useModel("other");
  expect(store.queue().count()).toBe(2);
  expect((await ask([other, letters]))[0]).toBe("abc abc");
  const [first] = await store.queue().take(1, NOW, true);
  if (first !== undefined)
    await store.queue().store("other", [{ chunk: first, passages: await other.embed([first.text]) }]);
  expect(store.search.models().sort()).toEqual(["letters", "other"]);
  expect((await ask([other, letters]))[0]).toBe("abc abc");
  store.embedders.pop();
  await store.embed();
  expect(store.search.models()).toEqual(["other"]);
  expect((await ask([other]))[0]).toBe("abc abc");
});

test("VEC-5: chunks that are not embedded yet are found by keywords", async () => {
  const store = new Store([letters]);
  await store.put({ text: "embedded words" });
  await store.embed();
  await store.put({ text: "waiting words" });
  expect((await store.ask("words")).sort()).toEqual(["embedded words", "waiting words"]);
});

test("SEARCH-1: this holds for a long text with a low score", async () => {
  const long = `The zygote report. ${"It goes on about the weather and the harvest of last year. ".repeat(12)}`;
  const store = new Store([model({ "Wir fahren morgen los.": 0.99 })]);
  await store.put({ text: "Wir fahren morgen los." }, { text: long });
  for (let number = 0; number < 5; number++) await store.put({ text: `Another zygot ${number}, not quite.` });
  await store.embed();
  const answers = await store.ask("?zygote report weather harvest");
  expect(answers.indexOf(long)).toBeLessThan(answers.indexOf("Wir fahren morgen los."));
});

test("RECALL-5: of near-duplicates only the first is shown, except messages", async () => {
  const store = new Store([letters]);
  await store.put({ text: "Deploys go out on Tuesday!" }, { text: "Deploys go out on Tuesday." });
  await store.embed();
  expect(await store.ask("deploys")).toHaveLength(1);
  const said = new Store();
  const turn = { text: "Good night.", kind: "message" as const, speaker: "Ada" };
  await said.put({ ...turn, source: "1" }, { ...turn, source: "2" });
  expect(await said.ask("night")).toHaveLength(2);
});

/** This embedding model gives every text the same vector, so that only words differ. */
const indifferent: Embedder = {
  model: "indifferent",
  embed: async (texts) => texts.map(() => vectorOnly(Float32Array.of(1, 0, 0, 0))),
  close() {},
};

const DIFFERENT: [string, string][] = [
  ["The staging port is 8080.", "The staging port is 8081."],
  ["Tokens rotate every 5 hours in 10 zones.", "Tokens rotate every 10 hours in 5 zones."],
  ["The limit is 5 requests.", "The limit is -5 requests."],
  ["Keep two copies of the key.", "Keep three copies of the key."],
  ["The meeting is on 2026-11-15.", "The meeting is on 2026-11-16."],
  ["Deploys are allowed on Friday.", "Deploys are not allowed on Friday."],
  ["The cache is shared.", "The cache isn’t shared."],
  ["Ada likes the new key layout.", "Bob likes the new key layout."],
  ["The key is for Ada.", "The key is for Bob."],
  ["The key of Ada was given to Bob.", "The key of Bob was given to Ada."],
  ["She likes Go and the key.", "She likes Go-karts and the key."],
  ["每周二发布 key", "每周三发布 key"],
  [
    "Template for the key.\n\nbread and butter, sugar and flour.",
    "Template for the key.\n\nscrews and hammers, planks and nails.",
  ],
];

test("RECALL-5: texts that differ in a number, a negation or a name are both shown, however similar", async () => {
  for (const [one, other] of DIFFERENT) {
    const store = new Store([indifferent]);
    await store.put({ text: one }, { text: other });
    await store.embed();
    const word = ["port", "tokens", "limit", "key", "meeting", "deploys", "cache"].find((candidate) =>
      one.toLowerCase().includes(candidate),
    );
    expect((await store.ask(word ?? "")).sort()).toEqual([one, other].sort());
  }
});

test("RECALL-5: the same statement in nearly the same words is shown once", async () => {
  for (const [one, other] of [
    ["The staging port is 8080.", "- the staging port is **8080**"],
    ["Deploys do not go out on Friday.", "On Friday deploys don't go out."],
    ["The port of the 2 servers is 1,000.", "The servers' port, of the 2, is 1000!"],
  ] as const) {
    const store = new Store([indifferent]);
    await store.put({ text: one }, { text: other });
    await store.embed();
    expect(await store.ask("port deploys")).toHaveLength(1);
  }
});

test("SEARCH-4: excluded words stay out, even if the query has nothing else; a phrase must occur, except in a question", async () => {
  const store = new Store();
  await store.put(
    { text: "Metal and cuda.", tags: ["gpu"] },
    { text: "Metal alone.", tags: ["gpu"] },
    { text: "A cat.", tags: ["Über"] },
  );
  expect(await store.ask("-cuda")).toEqual(["Metal alone.", "A cat."]);
  expect(await store.ask("tag:gpu -cuda")).toEqual(["Metal alone."]);
  expect(await store.ask("tag:über")).toEqual(["A cat."]);
  expect(await store.ask('"metal alone"')).toEqual(["Metal alone."]);
  expect(await store.ask('"alone metal"')).toEqual([]);
  expect((await store.ask('What was said about "alone metal"?')).sort()).toEqual([
    "Metal alone.",
    "Metal and cuda.",
  ]);
  expect((await store.ask('"What is metal and alone?"')).sort()).toEqual(["Metal alone.", "Metal and cuda."]);
});

test("SEARCH-5: of many unknown words, only the eight longest are matched fuzzily", async () => {
  const store = new Store();
  await store.put({ text: "The observatory opens at nine." });
  const unknown = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => `${"qxz".repeat(length)}${at}`).join(" ");
  expect(await store.ask(`${unknown(30, 1)} obsevatory`)).toEqual(["The observatory opens at nine."]);
  expect(await store.ask(`${unknown(7, 6)} obsevatory`)).toEqual(["The observatory opens at nine."]);
  expect(await store.ask(`${unknown(8, 6)} obsevatory`)).toEqual([]);
});

test("SEARCH-5: word frequencies are recounted when texts are added or removed", async () => {
  const store = new Store();
  const query = {
    words: ["alpha", "beta"],
    prefixes: [],
    phrases: [],
    wished: [],
    excluded: [],
    bigrams: [],
  };
  await store.put({ text: "alpha beta" }, { text: "alpha gamma" }, { text: "beta delta" });
  store.search.byWords(query, {});
  for (let number = 0; number < 30; number++) await store.put({ text: `beta ${number}` });
  expect(store.search.byWords(query, {})).toEqual(new SqliteMemorySearch(store.database).byWords(query, {}));
});

test("SEARCH-1: removing near-duplicates does not change that", () => {
  const chunk = (chunkId: number): ChunkTraits => ({
    chunkId,
    kind: "fact",
    length: 0,
    isQuestion: false,
    session: null,
    speaker: null,
    around: [],
    at: null,
    trust: "stated",
    importance: 0.5,
    recalls: 0,
  });
  const candidate = (chunkId: number, words: number, everyWord: boolean) => ({
    candidate: {
      origin: "home" as const,
      chunk: chunk(chunkId),
      words,
      cosine: null,
      isHosted: false,
      around: 0,
      everyWord,
      guessed: false,
    },
    session: 0,
    weakest: 0,
    more: [],
  });
  const exact = { ...candidate(1, 0.1, true), score: 0.07 };
  const meant = { ...candidate(2, 0, false), score: 0.3 };
  const shown = distinctHits([exact, meant], {
    limit: 10,
    onePerMemory: true,
    read: (some) =>
      some.map((one) => {
        const { chunkId } = one.candidate.chunk;
        const text = String(chunkId);
        return {
          ...one,
          shown: {
            chunkId,
            kind: "fact",
            source: text,
            hash: text,
            title: null,
            heading: "",
            text,
            line: 1,
            tags: [],
          },
        };
      }),
    similarity: () => 0,
  });
  expect(shown.map(({ shown: { text } }) => text)).toEqual(["1", "2"]);
});

test("VEC-3: switching the embedding model while another process embeds takes effect", async () => {
  const store = new Store([letters]);
  await store.put({ text: "one" }, { text: "two" });
  const slow = store.queue(7);
  await slow.useModel("letters");
  const taken = await slow.take(10, NOW, true);
  await store.queue(8).useModel("other");
  await slow.store(
    "letters",
    await Promise.all(taken.map(async (chunk) => ({ chunk, passages: await letters.embed([chunk.text]) }))),
  );
  expect(store.queue(8).count()).toBe(2);
  expect(store.search.models()).toEqual([]);
});

test("VEC-5: a text that is not embedded yet ranks by its words among those that are", async () => {
  const others = Array.from({ length: 5 }, (_, at) => `Employee number ${at + 50} has a badge.`);
  const store = new Store([model(Object.fromEntries(others.map((text) => [text, 0.9])))]);
  await store.put(...others.map((text) => ({ text })));
  await store.embed();
  await store.put({ text: "Employee number 42 has a badge." }, { text: "The badge is red." });
  const answers = await store.ask("?employee number 42 badge");
  expect(answers[0]).toBe("Employee number 42 has a badge.");
  expect(answers.at(-1)).toBe("The badge is red.");
});
