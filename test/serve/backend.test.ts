/** Retain against Retain: the backend contract on the Hindsight backend, with `retain serve` as its server. */
import { HindsightBackend } from "../../src/backends/hindsight/hindsight.ts";
import { settings } from "../backends/hindsight-kit.ts";
import { newDirectory, Time } from "../backends/spool-kit.ts";
import { backendContract } from "../contract/backend.ts";
import { serveHere, TOKEN } from "./kit.ts";

for (const tags of [[], ["project:aurora"]])
  backendContract(`retain serve with ${tags.length === 0 ? "a bank of its own" : "a tag"}`, async () => {
    const { url } = await serveHere();
    const time = new Time();
    const backend = new HindsightBackend({
      ...{
        url,
        key: TOKEN,
        bank: "Team memory/1",
        tags,
        settings: settings(),
        spoolDirectory: newDirectory(),
      },
      clock: () => new Date(time.now++),
      timing: time,
      notice: () => {},
      self: "here:1",
      isGone: () => false,
    });
    const settle = async () => {
      await backend.flush(new AbortController().signal);
      // So much later that only the server's results count.
      time.now += 600_000;
    };
    return { backend, settle, close: () => backend.close() };
  });
