/** Serves one client over this process's own pipes, until it goes or somebody says stop. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { instructionsFor } from "./instructions.ts";
import { memoryServer, type Served } from "./server.ts";
import { type Pipes, StdioWire } from "./stdio-wire.ts";

/** Clients kill a server that is still there two seconds after they closed its input. */
const GRACE_MS = 1_200;
/** What was cancelled may finish what it is writing. */
const SETTLE_MS = 600;

export interface StdioEnd {
  readonly signal: AbortSignal;
  /** Told what is no answer to anybody: for the log. */
  report(error: Error): void;
}

/** Resolves when nothing is being done any more. */
export async function serveOverPipes(
  served: Served,
  pipes: Pick<Pipes, "input" | "write" | "maxLineBytes">,
  { signal, report }: StdioEnd,
): Promise<void> {
  const wire = new StdioWire({ ...pipes, graceMs: GRACE_MS });
  const handle = serveStdio(async () => memoryServer(served, await instructionsFor(served.retain)), {
    transport: wire,
    onerror: report,
  });
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const heard = wire.onclose;
  wire.onclose = () => {
    heard?.();
    resolve();
  };
  const stop = () => {
    void handle.close();
    // A client that does not read its answers keeps nobody here.
    setTimeout(resolve, SETTLE_MS).unref();
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  await over;
  signal.removeEventListener("abort", stop);
  await served.running.settled(SETTLE_MS);
}
