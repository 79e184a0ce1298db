/** Memories that wait to be sent to a server or a hosted index. They are durable here until then. */
import type { Handle } from "./handle.ts";

export class Uploads {
  constructor(private readonly handle: () => Handle) {}

  /** Sends pending memories, for up to two seconds to each by default; the rest is sent later. Allowed after closing. */
  async flush(ms?: number): Promise<void> {
    await this.handle().shared.flush(ms);
  }

  /** Like `flush`, but also retries memories that the server refused before. */
  async retry(ms?: number): Promise<void> {
    const { wiring } = this.handle();
    await wiring.remote?.send(ms);
    await (await wiring.hosted())?.send(ms);
  }
}
