/** Retain as a library, on the existing workspace, with the given search mode. */
import { openRetain } from "../../../src/index.ts";
import type { RecallMode } from "../../../src/recall/recall.ts";
import { measurePeer } from "./peer.ts";

await measurePeer(async ({ mode }) => {
  const retain = openRetain({ onWarning: (message) => console.error(message) });
  return {
    search: async (query) => {
      const { hits, by } = await retain.search(query, { mode: mode as RecallMode, limit: 10 });
      if (by !== mode) throw new Error(`it searched by ${by} instead of ${mode}`);
      return hits.map(({ id }) => id);
    },
    put: async (text, number) => {
      await retain.documents.put({ content: text, id: `more-${mode}-${number}`, collection: "collection-0" });
    },
    close: async () => {
      await retain.index.embed();
      retain.close();
    },
  };
});
