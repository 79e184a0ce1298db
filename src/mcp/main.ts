/** Entry point of the MCP server's bundle, which contains the SDK. No other command loads it. */
import { CatchUp } from "../util/catch-up.ts";
import { type McpService, mcpService } from "./http.ts";
import { Running } from "./running.ts";
import { Semaphore } from "./semaphore.ts";
import type { Served } from "./server.ts";
import { type StdioEnd, serveOverPipes } from "./stdio.ts";

export { isIncognito, toolsOf } from "./incognito.ts";

interface Offered extends Omit<Served, "running" | "writes" | "catchUp"> {
  reportBug(error: unknown): void;
}

/** JSON may be twice as large as the document it contains. */
const MESSAGE_SHARE = 2;
const MESSAGE_ROOM_BYTES = 1_000_000;

const WRITES_AT_ONCE = 4;

function servedOf(offered: Offered, report: (error: Error) => void) {
  const { retain, reportBug } = offered;
  const failed = (error: unknown) => report(error instanceof Error ? error : new Error(String(error)));
  return {
    ...offered,
    running: new Running(reportBug),
    writes: new Semaphore(WRITES_AT_ONCE),
    catchUp: new CatchUp(async () => {
      await retain.index.embed();
      await retain.uploads.flush();
    }, failed),
  };
}

function maxMessageBytes({ retain }: Offered): number {
  return MESSAGE_SHARE * retain.config.settings.max_document_bytes + MESSAGE_ROOM_BYTES;
}

/** Serves stdin and stdout until stdin ends or the signal aborts. */
export async function serveStdin(offered: Offered, end: StdioEnd): Promise<void> {
  const output = Bun.stdout.writer();
  const write = async (text: string) => {
    await output.write(text);
    await output.flush();
  };
  const pipes = { input: Bun.stdin.stream(), write, maxLineBytes: maxMessageBytes(offered) };
  const served = servedOf(offered, end.report);
  await serveOverPipes(served, pipes, end);
  served.catchUp.stop();
}

export function serviceOf(offered: Offered, report: (error: Error) => void): McpService {
  const served = servedOf(offered, report);
  const service = mcpService(served, maxMessageBytes(offered), report);
  return {
    ...service,
    async stop() {
      served.catchUp.stop();
      await service.stop();
    },
  };
}
