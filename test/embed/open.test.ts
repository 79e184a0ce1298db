import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddingSettings, openEmbedder } from "../../src/embed/open.ts";

const surroundings = { cacheDirectory: "/nowhere", warn: (message: string) => expect(message).toBe("") };
const settings = (changes: Partial<EmbeddingSettings>): EmbeddingSettings => ({
  embedding: "endpoint",
  embedding_url: "http://localhost:11434/v1",
  embedding_model: "nomic-embed-text",
  embedding_key: "",
  ...changes,
});

describe("the settings choose", () => {
  test("EMB-9: `none` has no embedder", () => {
    expect(openEmbedder(settings({ embedding: "none", embedding_url: "" }), surroundings)).toBeNull();
  });

  test("EMB-9: the model's name includes an endpoint's host", () => {
    expect(openEmbedder(settings({ embedding: "minilm" }), surroundings)?.model).toBe("minilm-l6-v2");
    expect(openEmbedder(settings({}), surroundings)?.model).toBe("nomic-embed-text@localhost:11434");
  });

  for (const url of ["", "localhost", "ftp://host/v1", "file:///etc", "http://", "not a url"])
    test(`EMB-9: an endpoint at "${url}" is rejected`, () => {
      const open = () => openEmbedder(settings({ embedding_url: url }), surroundings);
      expect(open).toThrow(expect.objectContaining({ code: "invalid_config" }));
      expect(open).toThrow("embedding_url");
    });

  test("EMB-9: an endpoint without a model is rejected", () => {
    const open = () => openEmbedder(settings({ embedding_model: " " }), surroundings);
    expect(open).toThrow(expect.objectContaining({ code: "invalid_config" }));
    expect(open).toThrow("embedding_model");
  });

  test("EMB-9: nothing is loaded or written before the first text", async () => {
    const directory = mkdtempSync(join(tmpdir(), "retain-test-open-"));
    const cacheDirectory = join(directory, "cache");
    const script = `
      const { openEmbedder } = await import(${JSON.stringify(join(import.meta.dir, "../../src/embed/open.ts"))});
      const embedder = openEmbedder(${JSON.stringify(settings({ embedding: "minilm" }))}, {
        cacheDirectory: ${JSON.stringify(cacheDirectory)}, warn: console.error });
      console.log(JSON.stringify(await embedder.embed([])));
      embedder.close();
      console.log(Object.keys(require.cache).filter((path) => path.endsWith(".node")).length);
    `;
    const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script]);
    expect(`${stdout}${stderr}`).toBe("[]\n0\n");
    expect(existsSync(cacheDirectory)).toBeFalse();
    rmSync(directory, { recursive: true });
  });
});
