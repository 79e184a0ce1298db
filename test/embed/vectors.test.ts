import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedding } from "../../src/core/senses.ts";
import { MiniLm } from "../../src/embed/minilm/minilm.ts";
import { openWasmEngine } from "../../src/embed/minilm/wasm-engine.ts";
import { testNeeding } from "../helpers/needs.ts";
import { processesWith } from "./processes.ts";
import { cosine, referenceVectors } from "./reference.ts";
import { sampleTexts } from "./sample-texts.ts";
import { sharedCache } from "./shared-model.ts";

const texts = sampleTexts();
const surroundings = { cacheDirectory: sharedCache(), warn: (message: string) => expect(message).toBe("") };
const embedder = new MiniLm(surroundings);
afterAll(() => embedder.close());

const bulk = embedder.embed(texts);

describe("against the reference", () => {
  test("a thousand vectors match the 32-bit reference", async () => {
    const expected = referenceVectors();
    const vectors = await bulk;
    const cosines = vectors.map(({ vector }, at) => cosine(vector, expected[at] ?? []));
    expect(texts.filter((_, at) => !((cosines[at] ?? 0) >= 0.98))).toEqual([]);
    expect(cosines.reduce((sum, value) => sum + value) / cosines.length).toBeGreaterThanOrEqual(0.998);
  });

  test("the reference still returns the recorded vectors", async () => {
    const reference = openWasmEngine();
    const kept = referenceVectors();
    for (let at = 0; at < texts.length; at += 50) {
      if ((texts[at] ?? "").length > 400) continue;
      const now = reference.embed(texts[at] ?? "");
      expect(cosine(now.vector, kept[at] ?? [])).toBeGreaterThan(0.9995);
      expect(cosine(now.vector, (await bulk)[at]?.vector ?? [])).toBeGreaterThanOrEqual(0.98);
    }
    reference.close();
  });

  test("a vector has 384 dimensions and unit length, whatever the text", async () => {
    for (const { vector } of await bulk) {
      expect(vector).toBeInstanceOf(Float32Array);
      expect(vector.length).toBe(384);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  test("similar meanings have similar vectors", async () => {
    const [dog = [], puppy = [], invoice = []] = (
      await embedder.embed([
        "The dog sleeps on the sofa.",
        "A puppy is napping on the couch.",
        "The invoice is due on Friday.",
      ])
    ).map(({ vector }) => vector);
    expect(cosine(dog, puppy)).toBeGreaterThan(cosine(dog, invoice) + 0.4);
  });
});

describe("a vector depends on its own text alone", () => {
  const few = texts.slice(0, 40).filter((text) => text.length < 200);

  test("one by one, together, in any order: the same bits", async () => {
    const together = await embedder.embed(few);
    const backwards = await embedder.embed([...few].reverse());
    const alone: Embedding[] = [];
    for (const text of few) alone.push(...(await embedder.embed([text])));
    expect(together).toEqual(alone);
    expect(backwards.reverse()).toEqual(alone);
  });

  test("in this process or in helpers: the same bits", async () => {
    const here = await embedder.embed(few);
    expect((await bulk).slice(0, 40).filter((_, at) => (texts[at] ?? "").length < 200)).toEqual(here);
  });

  test("text after the 256th token changes nothing", async () => {
    const long = "The quick brown fox jumps over the lazy dog. ".repeat(30);
    const [short, longer] = await embedder.embed([long, `${long} And then something else happened.`]);
    expect(short).toEqual(longer as Embedding);
  });
});

describe("many texts", () => {
  test("repeated texts are embedded once, counted each, and each gets its vector", async () => {
    const repeated = Array.from(
      { length: 200 },
      (_, at) => `note number ${at % 7} of seven, which says little`,
    );
    const seen: number[] = [];
    const vectors = await embedder.embed(repeated, (done) => seen.push(done));
    expect(seen.length).toBe(7);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(200);
    const [first] = await embedder.embed([repeated[3] ?? ""]);
    expect(vectors[10]).toEqual(first as Embedding);
  });

  test("changing a returned vector changes no other", async () => {
    const [first, second] = await embedder.embed(["same", "same"]);
    first?.vector.fill(0);
    expect(Math.hypot(...(second?.vector ?? []))).toBeCloseTo(1, 5);
  });

  test("closing rejects pending texts, and later calls work again", async () => {
    const closing = new MiniLm(surroundings);
    const waiting = closing.embed(texts);
    await Promise.resolve();
    closing.close();
    await expect(waiting).rejects.toMatchObject({ code: "embedding" });
    expect((await closing.embed(["again"])).length).toBe(1);
    closing.close();
  });

  testNeeding("/proc/locks")("a killed helper is an error, and the next call works", async () => {
    const place = mkdtempSync(join(tmpdir(), "retain-test-helpers-"));
    const cacheDirectory = join(place, "cache");
    symlinkSync(sharedCache(), cacheDirectory);
    const bereaved = new MiniLm({ ...surroundings, cacheDirectory });
    const waiting = bereaved.embed(texts);
    waiting.catch(() => {});
    let helpers = processesWith(cacheDirectory);
    for (; helpers.length === 0; helpers = processesWith(cacheDirectory)) await Bun.sleep(5);
    for (const helper of helpers) process.kill(helper, "SIGKILL");
    await expect(waiting).rejects.toMatchObject({
      code: "embedding",
      message: expect.stringContaining("helper process exited (SIGKILL)"),
    });
    expect((await bereaved.embed(texts.slice(60, 160))).length).toBe(100);
    bereaved.close();
    rmSync(place, { recursive: true });
  });

  test("a question doesn't wait for the texts of a long call", async () => {
    let done = 0;
    const long = new MiniLm({ ...surroundings, inHelper: true });
    const waiting = long.embed(texts, (count) => {
      done = count;
    });
    waiting.catch(() => {});
    await long.embed(["a question"]);
    expect(done).toBeLessThan(texts.length / 2);
    long.close();
    await expect(waiting).rejects.toMatchObject({ code: "embedding" });
  });

  testNeeding("/proc/locks")(
    "EMB-10: a server's embedder uses one helper for each text, until it is closed",
    async () => {
      const place = mkdtempSync(join(tmpdir(), "retain-test-helpers-"));
      const cacheDirectory = join(place, "cache");
      symlinkSync(sharedCache(), cacheDirectory);
      const serving = new MiniLm({ ...surroundings, cacheDirectory, inHelper: true });
      expect(await serving.embed(["one"])).toEqual(await embedder.embed(["one"]));
      const helpers = processesWith(cacheDirectory);
      expect(helpers).toHaveLength(1);
      await serving.embed(["two"]);
      expect(processesWith(cacheDirectory)).toEqual(helpers);
      serving.close();
      while (processesWith(cacheDirectory).length > 0) await Bun.sleep(5);
      rmSync(place, { recursive: true });
    },
  );

  test("no text, no vector", async () => {
    expect(await embedder.embed([])).toEqual([]);
  });
});
