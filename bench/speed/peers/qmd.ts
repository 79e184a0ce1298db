/** qmd as a library: BM25 over the notes' files. Vectors and reranking need models from the network. */
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { measurePeer } from "./peer.ts";

interface QmdModule {
  createStore(options: {
    dbPath: string;
    config: { collections: Record<string, { path: string; pattern: string }> };
  }): Promise<{
    update(): Promise<{ indexed: number }>;
    searchLex(query: string, options: { limit: number }): Promise<{ displayPath: string }[]>;
    close(): Promise<void>;
  }>;
}

await measurePeer(async ({ corpus, files, modules, scratch }) => {
  const { createStore } = (await import(join(modules, "@tobilu/qmd/dist/index.js"))) as QmdModule;
  const store = await createStore({
    dbPath: join(scratch, "library.sqlite"),
    config: { collections: { notes: { path: files, pattern: "**/*.md" } } },
  });
  return {
    fill: async () => {
      const { indexed } = await store.update();
      if (indexed !== corpus.notes.length) throw new Error(`it indexed only ${indexed} notes`);
    },
    search: async (query) =>
      (await store.searchLex(query, { limit: 10 })).map(({ displayPath }) => basename(displayPath, ".md")),
    put: async (text, number) => {
      writeFileSync(join(files, "collection-0", `more-qmd-${number}.md`), `${text}\n`);
      await store.update();
    },
    close: () => store.close(),
  };
});
