/** Vectors for comparing facts: computed once, and in sync with changes by other processes. */
import { expect, test } from "bun:test";
import type { Retain } from "../../src/app.ts";
import type { Embedder } from "../../src/core/ports/documents.ts";
import { remember } from "../../src/facts/write/remember.ts";
import { letters } from "../helpers/store.ts";
import { Place, placesOf } from "./compact-place.ts";

/** Records the requested texts. */
function listening(): { embedder: Embedder; embedded: string[] } {
  const embedded: string[] = [];
  const embed: Embedder["embed"] = (texts) => {
    embedded.push(...texts);
    return letters.embed(texts);
  };
  return { embedder: { ...letters, embed }, embedded };
}

const BREAD = [
  "Buys bread at the bakery.",
  "Gets bread at the bakery.",
  "Fetches bread at the bakery.",
  "Orders bread at the bakery.",
];

test("a vector computed to compare a fact is stored with it, and no text is embedded twice", async () => {
  const place = new Place();
  const { embedder, embedded } = listening();
  const keep = (text: string) =>
    place.with((retain) => remember({ ...placesOf(retain), embedders: [embedder] }, text, {}));
  for (const text of BREAD) expect((await keep(text)).saved).toHaveLength(1);
  expect(embedded.toSorted()).toEqual(BREAD.toSorted());
  const { counts } = await place.with((retain) => retain.index.check());
  expect(counts).toMatchObject({ vectors: counts.facts, waiting: 0 });
});

test("the stored vector is for the text that the index has of the fact", async () => {
  const place = new Place();
  const { embedder, embedded } = listening();
  const [bold, plain] = ["Buys **rye bread** at the bakery.", "Gets rye bread at the bakery."];
  for (const text of [bold, plain])
    await place.with((retain) => remember({ ...placesOf(retain), embedders: [embedder] }, text, {}));
  expect(embedded).toContain("Buys rye bread at the bakery.");
  expect(embedded).not.toContain(bold);
});

test("DEDUP-5: without vectors, or if embedding fails, words alone decide", async () => {
  for (const embedders of [
    [],
    [{ ...letters, embed: async () => Promise.reject(new Error("no vectors")) }],
  ]) {
    const place = new Place();
    const keep = (text: string) =>
      place.with((retain) => remember({ ...placesOf(retain), embedders }, text, {}));
    await keep("The backup of the shop runs on Mondays.");
    expect((await keep("The backup of the shop runs on Sundays now.")).superseded).toHaveLength(1);
    expect(place.bullets()).toEqual(["The backup of the shop runs on Sundays now."]);
  }
});

/** Waits until the rows are known to match the files, so that rows are read instead of files. */
async function settled(retain: Retain): Promise<void> {
  const names = () => Object.keys(placesOf(retain).nearest.facts.settled() ?? {});
  while (!["HISTORY.md", "MEMORY.md"].every((file) => names().includes(file))) await retain.facts.list();
}

test("a long-lived process compares with changes that other processes and editors made", async () => {
  const place = new Place();
  using staying = place.open();
  const saved = async (text: string) => (await staying.facts.remember(text)).saved.length;
  expect(await saved("Prefers tea.")).toBe(1);
  await place.with((other) => other.facts.remember("Lives in Oslo."));
  await place.with(settled);
  expect((await staying.facts.list()).map(({ text }) => text)).toEqual(["Prefers tea.", "Lives in Oslo."]);
  expect(await saved("Lives in Oslo.")).toBe(0);
  place.write("MEMORY.md", "# Memory\n\n- Prefers tea.\n- Works at Acme.\n");
  expect(await saved("Works at Acme.")).toBe(0);
  expect(await saved("Lives in Oslo.")).toBe(1);
  place.write("MEMORY.md", "# Memory\n\n- prefers tea!\n");
  expect(await saved("Works at Acme.")).toBe(1);
  const facts = (await staying.facts.list()).map(({ text }) => text);
  expect(facts).toEqual(["prefers tea!", "Works at Acme."]);
});
