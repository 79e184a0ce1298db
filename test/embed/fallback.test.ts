import { afterAll, describe, expect, test } from "bun:test";
import { MiniLm } from "../../src/embed/minilm/minilm.ts";
import { cosine, referenceVectors } from "./reference.ts";
import { sampleTexts } from "./sample-texts.ts";
import { sharedCache } from "./shared-model.ts";

const cacheDirectory = sharedCache();

describe("without the native library", () => {
  const warnings: string[] = [];
  const embedder = new MiniLm({ cacheDirectory, warn: (message) => warnings.push(message) }, () => {
    throw new Error("libonnxruntime.so.1: cannot open shared object file\n    at somewhere");
  });
  afterAll(() => embedder.close());

  test("EMB-4: the slower engine returns the same vectors, with one warning", async () => {
    const texts = sampleTexts().slice(0, 10);
    const vectors = [...(await embedder.embed(texts.slice(0, 5))), ...(await embedder.embed(texts.slice(5)))];
    const expected = referenceVectors();
    for (const [at, { vector }] of vectors.entries())
      expect(cosine(vector, expected[at] ?? [])).toBeGreaterThan(0.9995);
    expect(embedder.model).toBe("minilm-l6-v2");
    expect(warnings).toEqual([
      expect.stringContaining("(libonnxruntime.so.1: cannot open shared object file); using the slower"),
    ]);
  });

  test("EMB-4: the calling process stays responsive", async () => {
    let ticks = 0;
    let running = true;
    const clock = (async () => {
      for (; running; ticks++) await new Promise(setImmediate);
    })();
    await embedder.embed(["a text that takes a while", "and one more"]);
    running = false;
    await clock;
    expect(ticks).toBeGreaterThan(2);
  });
});

describe("without any engine", () => {
  test("VEC-5: the error has its own code and a hint", async () => {
    const broken = new MiniLm({ cacheDirectory, warn: () => {} }, () => ({
      InferenceSession: class {
        constructor() {
          throw new Error("no kernel for this processor");
        }
      } as never,
    }));
    await expect(broken.embed(["text"])).rejects.toMatchObject({
      code: "embedding",
      message: expect.stringContaining("no kernel for this processor"),
      hint: expect.stringContaining("`embedding`"),
    });
  });
});
