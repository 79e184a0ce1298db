/** Serves one client over this process's stdin and stdout, until the client disconnects or the signal aborts. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { instructionsFor } from "./instructions.ts";
import { ResourceWatch } from "./resource-watch.ts";
import { listResources, resourceText } from "./resources.ts";
import { memoryServer, type Served } from "./server.ts";
import { type Pipes, StdioWire } from "./stdio-wire.ts";

/** Clients kill a server that is still running two seconds after they closed its stdin. */
const GRACE_MS = 1_200;
/** How long cancelled calls may take to finish writing. */
const SETTLE_MS = 600;

export interface StdioEnd {
  readonly signal: AbortSignal;
  /** For the log: errors that belong to no request. */
  report(error: Error): void;
}

/** Resolves when all calls have ended. */
export async function serveOverPipes(
  served: Served,
  pipes: Pick<Pipes, "input" | "write" | "maxLineBytes">,
  { signal, report }: StdioEnd,
): Promise<void> {
  const { retain, chat } = served;
  const watch = new ResourceWatch({
    directories: () => retain.index.directories({ missing: true }),
    list: async () => JSON.stringify(await listResources(retain)),
    read: (uri) => resourceText(retain, uri, chat),
    report: (error) => report(error instanceof Error ? error : new Error(String(error))),
  });
  const wire = new StdioWire({ ...pipes, graceMs: GRACE_MS, heard: (message) => watch.heard(message) });
  const handle = serveStdio(
    async ({ era }) => {
      const mcp = await memoryServer(served, await instructionsFor(retain), null, watch);
      watch.tell(mcp.server, era === "legacy");
      return mcp;
    },
    { transport: wire, onerror: report },
  );
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const heard = wire.onclose;
  wire.onclose = () => {
    heard?.();
    resolve();
  };
  const stop = () => {
    void handle.close();
    // Don't wait for a client that doesn't read its answers.
    setTimeout(resolve, SETTLE_MS).unref();
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  await over;
  signal.removeEventListener("abort", stop);
  watch.close();
  await served.running.settled(SETTLE_MS);
}
