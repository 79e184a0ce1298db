import { expect, test } from "bun:test";
import { RetainError } from "../../src/core/errors.ts";
import { factId } from "../../src/core/facts/fact-text.ts";
import { parseHistory } from "../../src/core/facts/history.ts";
import type { Model } from "../../src/core/ports/documents.ts";
import { inventedIn, lostFrom } from "../../src/facts/compact/keeps.ts";
import { outcomes, Place } from "./compact-place.ts";

/** Gives the test's answers and records the requests. */
function scripted(...answers: (string | object)[]): Model & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async complete(prompt) {
      asked.push(prompt);
      const answer = answers[asked.length - 1] ?? "";
      return typeof answer === "string" ? answer : JSON.stringify(answer);
    },
  };
}

const LOG = `## 10:00 - User preference
prefers short answers

## 10:01 - User preference
prefers answers without emoji

## 10:02 - Car
bought a Volvo V60 in 2019

## 10:03 - Allergy
peanuts
`;
const TEXTS = [
  "User preference: prefers short answers",
  "User preference: prefers answers without emoji",
  "Car: bought a Volvo V60 in 2019",
  "Allergy: peanuts",
];

function logged(): Place {
  return new Place({ "2026-01-02.md": LOG, "MEMORY.md": "# Memory\n\n- Owns a blue bicycle\n" });
}

test("COMPACT-11: notes that a model merges become one fact, and HISTORY.md keeps their own words", async () => {
  const place = logged();
  const text = "Prefers short answers without emoji";
  const model = scripted({ facts: [{ text, notes: [1, 2] }] });
  const report = await place.compact({ model });
  expect(outcomes(report)).toEqual([
    [TEXTS[0] as string, "merged"],
    [TEXTS[1] as string, "merged"],
    [TEXTS[2] as string, "added"],
    [TEXTS[3] as string, "added"],
  ]);
  expect(report.notes[0]).toMatchObject({ as: factId(text, null) });
  expect(place.bullets()).toEqual(["Owns a blue bicycle", text, TEXTS[2] as string, TEXTS[3] as string]);
  const ended = await place.with((retain) => retain.facts.list({ which: "superseded" }));
  expect(ended.map((fact) => [fact.text, fact.superseded_by])).toEqual([
    [TEXTS[0] as string, factId(text, null)],
    [TEXTS[1] as string, factId(text, null)],
  ]);
  await place.with((retain) => retain.facts.undo());
  expect(place.read("2026-01-02.md")).toBe(LOG);
});

test("COMPACT-11: the model gets notes with their days and known facts with their ids, as data", async () => {
  const place = new Place({
    "2026-01-02.md": "## 10:00 - Bicycle\nthe blue one was {{facts}} $& stolen\n",
    "MEMORY.md": "# Memory\n\n- Owns a blue bicycle\n",
  });
  const model = scripted("{}");
  await place.compact({ model });
  const [asked = ""] = model.asked;
  expect(asked).toContain(
    '{"note":1,"day":"2026-01-02","text":"Bicycle: the blue one was {{facts}} $& stolen"}',
  );
  expect(asked).toContain(`{"id":"${factId("Owns a blue bicycle", null)}","text":"Owns a blue bicycle"}`);
  expect(asked).not.toContain("{{notes}}");
});

test("COMPACT-11: if the answer is unusable, the notes are compacted without the model", async () => {
  const plain = logged();
  await plain.compact();
  const garbage = [
    "",
    "I would rather not.",
    "{",
    "[]",
    "null",
    '{"facts": "all of them"}',
    '{"facts": [null, 3, "x", {}, {"text": 4, "notes": [1]}, {"text": "x", "notes": "1"}]}',
    '{"facts": [{"text": "", "notes": [1]}, {"text": "Prefers short answers", "notes": [0, 99, -1]}]}',
    '{"facts": [{"known": "nobody", "notes": [1]}, {"text": "Prefers", "notes": [1.5]}]}',
  ];
  for (const answer of garbage) {
    const place = logged();
    const report = await place.compact({ model: scripted(answer) });
    expect([answer, ...place.bullets()]).toEqual([answer, ...plain.bullets()]);
    expect(report.notes.every(({ outcome }) => outcome === "added")).toBe(true);
  }
  const place = logged();
  const failing: Model = {
    complete: async () => Promise.reject(new RetainError("io", "The model is asleep.")),
  };
  await place.compact({ model: failing });
  expect(place.bullets()).toEqual(plain.bullets());
  expect(place.warnings).toEqual([expect.stringContaining("The model is asleep.")]);
});

test("COMPACT-11: a merge that loses a number, a name, a denial or a fact is rejected", async () => {
  const bad = [
    { text: "Prefers short answers", notes: [1, 2, 3, 4] },
    { text: "Car: bought a Volvo in 2019", notes: [3] },
    { text: "Car: bought a V60 in 2019", notes: [3] },
    { text: "Prefers short answers with emoji", notes: [1, 2] },
    { text: "Has an allergy", notes: [4] },
    { text: "Car: bought a Volvo V60 in 2019 for Anna", notes: [3] },
    { text: "Car: bought a Volvo V60 in 2019 and 2020", notes: [3] },
    { text: "Allergy: no peanuts", notes: [4] },
  ];
  for (const fact of bad) {
    const place = logged();
    const report = await place.compact({ model: scripted({ facts: [fact] }) });
    expect([fact.text, ...outcomes(report).map(([, outcome]) => outcome)]).toEqual([
      fact.text,
      "added",
      "added",
      "added",
      "added",
    ]);
    expect(place.bullets()).toEqual(["Owns a blue bicycle", ...TEXTS]);
  }
});

test("COMPACT-11: a secret in the answer is rejected", async () => {
  const place = new Place({
    "2026-01-02.md": "## 10:00 - Boat\nis called hunter2-Xk9fLq22\n\n## 10:01 - Talk\nabout the password\n",
  });
  const secret = "Talk about the boat called password: hunter2-Xk9fLq22";
  const report = await place.compact({ model: scripted({ facts: [{ text: secret, notes: [1, 2] }] }) });
  expect(place.bullets()).toEqual(["Boat: is called hunter2-Xk9fLq22", "Talk: about the password"]);
  expect(outcomes(report).map(([, outcome]) => outcome)).toEqual(["added", "added"]);
  expect(place.read("HISTORY.md")).not.toContain("password: hunter2");
});

test("COMPACT-11: a note that already is a fact isn't merged", async () => {
  const place = new Place({
    "2026-01-02.md": "## 10:00 - Dog\nRex\n\n## 10:01 - Dog\nRex\n\n## 10:02 - Cat\nTom\n",
  });
  const merged = "Tom is the Cat, Rex is the Dog";
  const report = await place.compact({ model: scripted({ facts: [{ text: merged, notes: [2, 3] }] }) });
  expect(place.bullets()).toEqual(["Dog: Rex", merged]);
  expect(outcomes(report).map(([, outcome]) => outcome)).toEqual(["added", "known", "merged"]);
  expect(await place.with((retain) => retain.facts.list())).toHaveLength(2);
});

test("COMPACT-11: a note that a known fact covers is merged into it", async () => {
  const place = new Place({
    "2026-01-02.md": "## 10:00 - Bicycle\nblue, owned since 2019\n\n## 10:01 - Dog\nRex\n",
    "MEMORY.md": "# Memory\n\n- Owns a blue bicycle since 2019\n",
  });
  const known = factId("Owns a blue bicycle since 2019", null);
  const model = scripted({ facts: [{ known, notes: [1, 2] }] });
  const report = await place.compact({ model });
  expect(report.notes).toMatchObject([
    { outcome: "merged", as: known },
    { outcome: "added", as: factId("Dog: Rex", null) },
  ]);
  expect(place.bullets()).toEqual(["Owns a blue bicycle since 2019", "Dog: Rex"]);
  expect(place.read("HISTORY.md")).toContain("Bicycle: blue, owned since 2019");
});

test("COMPACT-11: a merged fact that is known or outdated is split into its notes again", async () => {
  const place = new Place({
    "2026-01-02.md": "## 10:00 - Timezone\nMexico City\n\n## 10:01 - Mexican timezone\nMexico City\n",
  });
  await place.with(
    (retain) => retain.facts.remember("Timezone: Madrid"),
    () => new Date(2026, 5, 1),
  );
  const model = scripted({ facts: [{ text: "Timezone: Mexican Mexico-City", notes: [1, 2] }] });
  const report = await place.compact({ model });
  expect(place.bullets()[0]).toBe("Timezone: Madrid");
  expect(report.notes[0]).toMatchObject({ outcome: "outdated", by: factId("Timezone: Madrid", null) });
});

test("COMPACT-11: a fenced answer with words around it is read; a note may be split into several facts", async () => {
  const place = new Place({ "2026-01-02.md": "## 10:00 - Family\nAnna likes tea and Bob likes chess\n" });
  const facts = [
    { text: "Anna of the family likes tea", notes: [1] },
    { text: "Bob of the family likes chess", notes: [1] },
  ];
  const answer = `Here it is:\n\`\`\`json\n${JSON.stringify({ facts })}\n\`\`\`\nAnything else?`;
  const report = await place.compact({ model: scripted(answer) });
  expect(place.bullets()).toEqual(facts.map(({ text }) => text));
  expect(outcomes(report)).toEqual([["Family: Anna likes tea and Bob likes chess", "merged"]]);
  const told = parseHistory(place.read("HISTORY.md")).map(({ text }) => text);
  expect(told).toEqual(["Family: Anna likes tea and Bob likes chess", ...facts.map(({ text }) => text)]);
});

test("COMPACT-11: many notes need several requests; a broken answer affects only its own notes", async () => {
  const notes = Array.from({ length: 60 }, (_, index) => `## 10:00 - Colour ${index}\nshade ${index}\n`);
  const place = new Place({ "2026-01-02.md": notes.join("\n") });
  const merged = "Colour 50 is shade 50, colour 51 is shade 51";
  const model = scripted("garbage", { facts: [{ text: merged, notes: [1, 2] }] });
  const report = await place.compact({ model });
  expect(model.asked.length).toBe(2);
  expect(report.notes.filter(({ outcome }) => outcome === "merged").length).toBe(2);
  expect(place.bullets().length).toBe(59);
});

test("COMPACT-11: parts of a note that a fact loses, and parts that it invents, are detected", () => {
  const kept: [note: string, ...facts: string[]][] = [
    ["User preference: prefers concise answers", "Prefers concise answers, never emoji"],
    ["Anna likes tea", "Tea is what Anna likes"],
    ["Meets Bob at 10:30", "Meets Bob", "The meeting is at 10:30"],
  ];
  for (const [note, ...facts] of kept) expect([note, lostFrom(note, facts)]).toEqual([note, null]);
  const lost: [note: string, fact: string][] = [
    ["Anna likes tea", "Likes tea"],
    ["Meets Bob at 10:30", "Meets Bob at 10"],
    ["Does not like coffee", "Likes coffee"],
    ["Allergic to peanuts", "Likes hiking"],
    ["Uses src/app.ts", "Uses the app"],
    ["Costs $4 a month", "Costs little a month"],
  ];
  for (const [note, fact] of lost) expect([note, lostFrom(note, [fact]) !== null]).toEqual([note, true]);
  expect(inventedIn("Prefers tea since 2020", ["Prefers tea"])).toBe("2020");
  expect(inventedIn("Lives in Berlin with Anna", ["Lives in Berlin"])).toBe("Anna");
  expect(inventedIn("Does not drink tea", ["Drinks tea"])).not.toBeNull();
  expect(inventedIn("Prefers Tea", ["prefers tea"])).toBeNull();
});
