/** One process at a time sends, for all of them, and none waits for one that has ended. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Lease } from "../../src/backends/spool/lease.ts";
import { DONE, entries, entry, Kit, never, settled } from "./spool-kit.ts";

/** The first process is in the middle of a batch. */
async function withOneSending(kit: Kit): Promise<{ answer: () => void; flushed: Promise<void> }> {
  const first = kit.open("here:1");
  await first.add([entry("a")]);
  const { promise, resolve } = Promise.withResolvers<void>();
  kit.server.answer = async (sent) => {
    await promise;
    return sent.map(() => DONE);
  };
  const flushed = first.flush(never);
  await settled();
  kit.server.answer = (sent) => sent.map(() => DONE);
  return { answer: resolve, flushed };
}

describe("SPOOL-4", () => {
  test("SPOOL-14: while one process sends, another neither sends nor waits; the first sends for both", async () => {
    const kit = new Kit();
    const { answer, flushed } = await withOneSending(kit);
    const second = kit.open("here:2");
    await second.add([entry("b")]);
    await second.flush(never);
    expect(kit.server.batches).toEqual([["a"]]);
    answer();
    await flushed;
    expect(kit.server.batches).toEqual([["a"], ["b"]]);
    expect(second.status().waiting).toBe(0);
  });

  test("SPOOL-14: an entry queued just as the other process ends is sent by one of them", async () => {
    for (let turns = 0; turns < 16; turns++) {
      const kit = new Kit();
      const [first, second] = [kit.open("here:1"), kit.open("here:2")];
      await first.add([entry("a")]);
      const flushed = first.flush(never);
      for (let turn = 0; turn < turns; turn++) await null;
      await Promise.all([second.add([entry("b")]), second.flush(never), flushed]);
      expect([turns, kit.server.received]).toEqual([turns, ["a", "b"]]);
    }
  });

  test("SPOOL-14: a process that found another one sending checks again shortly", async () => {
    const kit = new Kit();
    await withOneSending(kit);
    const second = kit.open("here:2");
    await second.add([entry("b")]);
    await kit.time.pass(5_000);
    expect(kit.server.batches).toEqual([["a"]]);
    kit.gone.add("here:1");
    await kit.time.pass(5_000);
    expect(kit.server.received).toEqual(["a", "a", "b"]);
  });

  test("SPOOL-14: a batch interrupted by the end of its process is sent again", async () => {
    const kit = new Kit();
    await withOneSending(kit);
    kit.gone.add("here:1");
    const second = kit.open("here:2");
    await second.flush(never);
    expect(kit.server.received).toEqual(["a", "a"]);
    expect(second.status().waiting).toBe(0);
  });

  test("SPOOL-14: an unknown or suspended holder keeps the lease for fifteen minutes", async () => {
    const kit = new Kit();
    const { answer, flushed } = await withOneSending(kit);
    const second = kit.open("elsewhere:2");
    await second.add(entries(40));
    kit.time.now += 15 * 60_000;
    await second.flush(never);
    expect(kit.server.batches).toHaveLength(1);
    kit.time.now += 1;
    const before = kit.server.batches.length;
    await second.flush(never);
    expect(kit.server.batches.length - before).toBe(3);
    await second.add([entry("late")]);
    // The suspended process continues: its verdicts count, and it sends no more.
    answer();
    await flushed;
    expect(kit.server.received).not.toContain("late");
    expect(second.status().waiting).toBe(1);
  });

  test("SPOOL-14: a holder with a wrong clock doesn't keep the lease for years", async () => {
    const kit = new Kit();
    kit.time.now += 5 * 365 * 86_400_000;
    await withOneSending(kit);
    kit.time.now -= 5 * 365 * 86_400_000;
    await kit.open("elsewhere:2").flush(never);
    expect(kit.server.received).toEqual(["a", "a"]);
  });

  test("SPOOL-14: exactly one of many processes takes an abandoned lease, and one file remains", () => {
    const kit = new Kit();
    const processes = Array.from({ length: 8 }, (_, number) => ({
      number,
      lease: new Lease(kit.directory, leaseOptions(kit, number)),
    }));
    for (let round = 0; round < 7; round++) {
      const running = processes.filter(({ number }) => !kit.gone.has(`here:${number}`));
      const taken = running.filter(({ lease }) => lease.take());
      expect([round, taken.length]).toEqual([round, 1]);
      expect(running.filter(({ lease }) => lease.renew())).toEqual(taken);
      for (const { number, lease } of taken) {
        if (round % 2 === 0) lease.giveBack();
        else kit.gone.add(`here:${number}`);
      }
      expect(readdirSync(kit.directory)).toEqual([`lease-${round + 1}`]);
    }
  });

  test("SPOOL-14: a process that looked before others took and released the lease doesn't take it too", () => {
    const kit = new Kit();
    mkdirSync(kit.directory, { recursive: true });
    writeFileSync(join(kit.directory, "lease-5"), "here:gone\n");
    const options = leaseOptions(kit, 1);
    const [second, third] = [new Lease(kit.directory, options), new Lease(kit.directory, options)];
    let thirdHolds = false;
    const slow = new Lease(kit.directory, {
      ...options,
      // Between its look and its attempt, one process takes and releases the lease, and another takes it.
      isGone: () => {
        expect(second.take()).toBe(true);
        second.giveBack();
        thirdHolds = third.take();
        return true;
      },
    });
    expect(slow.take()).toBe(false);
    expect(thirdHolds).toBe(true);
    expect(third.renew()).toBe(true);
    expect(slow.renew()).toBe(false);
    expect(readdirSync(kit.directory)).toEqual(["lease-7"]);
  });
});

function leaseOptions(kit: Kit, number: number) {
  const isGone = (holder: string) => holder === "here:gone" || kit.gone.has(holder);
  return { clock: kit.time.clock, self: `here:${number}`, isGone };
}
