/**
 * oh-my-pi's memory as a library, without its limit of 1,000 rows. "text" is its keyword search; "hybrid" uses Retain's embedding
 * model, since its own comes from the network.
 */
import { join } from "node:path";
import { openEmbedder } from "../../../src/embed/open.ts";
import { measurePeer } from "./peer.ts";

interface Beam {
  remember(content: string): string;
  rememberBatch(items: readonly { content: string }[]): string[];
  flushExtractions(): Promise<void>;
  recall(query: string, limit: number): Promise<{ id: string }[]>;
  close(): void;
}
interface MnemopiModule {
  BeamMemory: new (options: { dbPath: string; config: { workingMemoryLimit: number } }) => Beam;
}
type Embeddings =
  | { disabled: true }
  | {
      model: string;
      provider: { embed(texts: readonly string[]): AsyncIterable<number[][]> };
    };
interface RuntimeOptionsModule {
  withMnemopiRuntimeOptions<T>(options: { embeddings: Embeddings }, work: () => T): T;
}

const NO_LIMIT = 0;

await measurePeer(async ({ corpus, modules, scratch, mode }) => {
  const source = join(modules, "@oh-my-pi/pi-mnemopi/src");
  const { BeamMemory } = (await import(join(source, "index.ts"))) as MnemopiModule;
  const { withMnemopiRuntimeOptions } = (await import(
    join(source, "core/runtime-options.ts")
  )) as RuntimeOptionsModule;
  const embeddings = mode === "hybrid" ? retainEmbeddings() : ({ disabled: true } as const);
  const within = <T>(work: () => T): T => withMnemopiRuntimeOptions({ embeddings }, work);

  const beam = new BeamMemory({
    dbPath: join(scratch, "mnemopi.db"),
    config: { workingMemoryLimit: NO_LIMIT },
  });
  const noteOf = new Map<string, string>();
  return {
    fill: () =>
      within(async () => {
        const ids = beam.rememberBatch(corpus.notes.map(({ text }) => ({ content: text })));
        await beam.flushExtractions();
        for (const [index, id] of ids.entries()) noteOf.set(id, corpus.notes[index]?.id ?? "");
      }),
    search: (query) =>
      within(async () => (await beam.recall(query, 10)).map(({ id }) => noteOf.get(id) ?? "")),
    put: async (text) => {
      within(() => beam.remember(text));
    },
    settle: () => beam.flushExtractions(),
    close: () => beam.close(),
  };
});

function retainEmbeddings(): Embeddings {
  const settings = {
    embedding: "minilm",
    embedding_url: "",
    embedding_model: "",
    embedding_key: "",
  } as const;
  const cacheDirectory = process.env.RETAIN_CACHE ?? "";
  const embedder = openEmbedder(settings, { cacheDirectory, warn: console.error });
  if (embedder === null) throw new Error("no embedder");
  return {
    model: "BAAI/bge-small-en-v1.5",
    provider: {
      async *embed(texts) {
        yield (await embedder.embed([...texts])).map(({ vector }) => Array.from(vector));
      },
    },
  };
}
