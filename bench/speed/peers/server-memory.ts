/** The reference MCP memory server over stdio: a note is an entity with one observation. */
import { join } from "node:path";
import { McpClient } from "./mcp-client.ts";
import { measurePeer } from "./peer.ts";

if (import.meta.main)
  await measurePeer(async ({ corpus, modules, scratch }) => {
    const server = await startServer(modules, scratch);
    const create = (notes: readonly { id: string; text: string }[]) =>
      server.call("create_entities", {
        entities: notes.map(({ id, text }) => ({ name: id, entityType: "note", observations: [text] })),
      });
    return {
      fill: async () => {
        await create(corpus.notes);
      },
      search: async (query) => {
        const { structured } = await server.call<{ entities: { name: string }[] }>("search_nodes", { query });
        return structured.entities.map(({ name }) => name);
      },
      put: async (text, number) => {
        await create([{ id: `more-${number}`, text }]);
      },
      close: () => server.close(),
    };
  });

export function startServer(
  modules: string,
  scratch: string,
  env: Record<string, string | undefined> = process.env,
): Promise<McpClient> {
  const server = join(modules, "@modelcontextprotocol/server-memory/dist/index.js");
  return McpClient.start(["node", server], {
    ...env,
    MEMORY_FILE_PATH: join(scratch, "memory.jsonl"),
  });
}
