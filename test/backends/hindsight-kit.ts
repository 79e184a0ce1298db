/** A Hindsight backend with its own spool, a fake server, and a manual clock. */
import { HindsightBackend, type HindsightOptions } from "../../src/backends/hindsight/hindsight.ts";
import { SETTINGS } from "../../src/config/schema.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { HindsightServer } from "../helpers/hindsight-server.ts";
import { newDirectory, Time } from "./spool-kit.ts";

export class HindsightKit {
  readonly server = new HindsightServer();
  readonly time = new Time();
  readonly notices: string[] = [];
  readonly directory = newDirectory();

  static async start(): Promise<HindsightKit> {
    const kit = new HindsightKit();
    await kit.server.start();
    afterThisTest(() => kit.server.stop());
    return kit;
  }

  open(more: Partial<HindsightOptions> = {}): HindsightBackend {
    const backend = new HindsightBackend({
      url: this.server.url,
      key: "",
      bank: "retain",
      tags: [],
      settings: settings(),
      spoolDirectory: this.directory,
      clock: () => new Date(this.time.now++),
      timing: this.time,
      notice: (text) => this.notices.push(text),
      self: "here:1",
      isGone: () => false,
      ...more,
    });
    afterThisTest(() => backend.close());
    return backend;
  }

  /** So much later that only the server's results count. */
  serverHasLearned(): void {
    this.time.now += 600_000;
  }

  bank(name = "retain") {
    return this.server.bank(name);
  }
}

export function settings(more: Partial<HindsightOptions["settings"]> = {}): HindsightOptions["settings"] {
  return {
    hindsight_key_env: SETTINGS.hindsight_key_env.default,
    hindsight_bank_mission: SETTINGS.hindsight_bank_mission.default,
    hindsight_retain_context: SETTINGS.hindsight_retain_context.default,
    hindsight_recall_timeout_ms: SETTINGS.hindsight_recall_timeout_ms.default,
    hindsight_recall_budget: "mid",
    hindsight_recall_max_tokens: SETTINGS.hindsight_recall_max_tokens.default,
    ...more,
  };
}

/** Sends all pending entries, without a time limit. */
export async function flush(backend: HindsightBackend): Promise<void> {
  await backend.flush(new AbortController().signal);
}
