/** The smallest backend: facts in a map; documents and conversations stay in files. Run it with: bun examples/06-smallest-backend.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { type BackendHit, type MemoryBackend, openRetain } from "retain-memory";

const facts = new Map<string, BackendHit>();
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}+/gu));
const status = { location: "in memory", waiting: 0, stuck: [], problem: null, nextTry: null };

const backend: MemoryBackend = {
  name: "smallest",
  async retain(items) {
    const stored = items.map(({ content: text, context: _, at, ...item }) => {
      const [id, kind] = [`f${facts.size + 1}`, "fact"] as const;
      facts.set(id, { ...item, id, kind, text, at: Date.parse(at), cosine: null, words: null });
      return { id, text };
    });
    return { stored, queued: [], known: [], failed: [] };
  },
  async recall({ query, limit }) {
    const sought = wordsOf(query);
    const share = (text: string) => sought.intersection(wordsOf(text)).size / sought.size;
    const hits = [...facts.values()].map((hit) => ({ ...hit, words: share(hit.text) }));
    return hits.filter(({ words }) => words > 0).slice(0, limit);
  },
  forget: async (id) => facts.delete(id),
  documents: { put: async () => "stored", remove: async () => {} },
  sessions: { keep: async () => "stored", remove: async () => {} },
  flush: async () => {},
  status: async () => ({ name: "smallest", ...status }),
  empty: async () => ({ done: [], left: [`${facts.size} facts, until the program ends`] }),
  close: () => facts.clear(),
};

const home = mkdtempSync("/tmp/retain-example-");
const retain = openRetain({ cwd: home, homeDirectory: home, settings: { embedding: "none" }, backend });
await retain.facts.remember("The staging server is called heron.");
console.log((await retain.search("Which server is for staging?")).hits[0]?.text);
retain.close();
rmSync(home, { recursive: true });
