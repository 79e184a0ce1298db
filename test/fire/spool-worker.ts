/**
 * Endlessly queues its own entries, sends anybody's, and prints what is durable. The server is a file that records what was
 * received, from whom, and when that one finished. Meant to be killed.
 */
import { appendFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Sender } from "../../src/backends/spool/entry.ts";
import { Spool } from "../../src/backends/spool/spool.ts";
import { hasEnded, processName } from "../../src/util/process.ts";
import { randomFrom } from "../helpers/random.ts";

const [directory = "", server = "", name = "", from = "0", count = "Infinity", seed = "0"] =
  process.argv.slice(2);
const random = randomFrom(Number(seed) * 2 ** 32);
const write = (text: string) => appendFileSync(server, `${process.pid} ${text}\n`);

const sender: Sender = {
  async send(entries) {
    write("begin");
    const verdicts = entries.map(({ key, body }) => {
      if (random() < 0.1) return { kind: "later" as const, why: "busy", retryAfterMs: 0 };
      write(`take ${key} ${body}`);
      return { kind: "done" as const };
    });
    await Bun.sleep(random() * 2);
    write("end");
    return verdicts;
  },
};

const spool = new Spool({
  directory,
  sender,
  to: "the server",
  clock: () => new Date(),
  notice: () => {},
  self: processName(hostname(), process.pid),
  isGone: (holder) => hasEnded(holder, hostname()),
  batch: 4,
  debounceMs: 1,
});

for (let number = Number(from); number < Number(from) + Number(count); number++) {
  const key = `${name}-${number % 7}`;
  await spool.add([{ key, kind: "retain", body: number, summary: key }]);
  process.stdout.write(`${key} ${number}\n`);
  if (number % 5 === 0) await spool.flush(AbortSignal.timeout(1_000));
  else await Bun.sleep(0);
}
await spool.flush(AbortSignal.timeout(10_000));
spool.close();
