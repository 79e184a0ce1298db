/** grep over the notes' files: no index, no ranking, one process per search. */
import { basename } from "node:path";
import { measurePeer } from "./peer.ts";

await measurePeer(async ({ files }) => {
  return {
    search: async (query) => {
      const { stdout } = Bun.spawnSync(["grep", "-ri", query, files]);
      const paths = stdout
        .toString()
        .split("\n")
        .map((line) => line.slice(0, line.indexOf(":")));
      return [...new Set(paths)].map((path) => basename(path, ".md"));
    },
  };
});
