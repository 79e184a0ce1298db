/** Whatever happens, in whatever order, no unacknowledged entry is lost. */
import { expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { SpoolEntry, Verdict } from "../../src/backends/spool/entry.ts";
import { listingOf, newQueued } from "../../src/backends/spool/names.ts";
import type { Spool } from "../../src/backends/spool/spool.ts";
import { backoff } from "../../src/util/backoff.ts";
import { DONE, entry, Kit, later, refused, settled } from "./spool-kit.ts";

type Step =
  | { readonly kind: "add"; readonly process: number; readonly keys: readonly number[] }
  | { readonly kind: "flush"; readonly process: number; readonly answers: readonly Answer[] }
  | { readonly kind: "die"; readonly process: number }
  | { readonly kind: "retry"; readonly process: number }
  | { readonly kind: "time"; readonly ms: number };
type Answer = "done" | "refused" | "later" | "throw" | "short" | "die" | "add";

const process = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    process,
    keys: fc.array(fc.nat(4), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant("flush" as const),
    process,
    answers: fc.array(fc.constantFrom<Answer>("done", "refused", "later", "throw", "short", "die", "add"), {
      maxLength: 8,
    }),
  }),
  fc.record({ kind: fc.constant("die" as const), process }),
  fc.record({ kind: fc.constant("retry" as const), process }),
  fc.record({ kind: fc.constant("time" as const), ms: fc.integer({ min: -700_000, max: 700_000 }) }),
);

/** Three processes at one spool, and the entries they know were accepted. */
class World {
  readonly kit: Kit;
  /** The newest number added under each key, and the newest that the server accepted. */
  readonly added = new Map<string, number>();
  readonly taken = new Map<string, number>();
  readonly #spools: Spool[] = [];
  #number = 0;
  #started = 0;

  constructor(directory: string) {
    this.kit = new Kit(directory);
    for (let index = 0; index < 3; index++) this.#begin(index);
  }

  async do(step: Step): Promise<void> {
    if (step.kind === "time") this.kit.time.now += step.ms;
    else if (step.kind === "add") await this.#add(step.process, step.keys);
    else if (step.kind === "retry") this.#spools[step.process]?.retryStuck();
    else if (step.kind === "die") this.#end(step.process);
    else await this.#flush(step.process, step.answers);
  }

  /** With a server that accepts everything. */
  async finish(): Promise<void> {
    for (const index of [0, 1, 2]) this.#end(index);
    this.#spools[0]?.retryStuck();
    await this.#flush(0, []);
  }

  check(): void {
    const kept = new Map(this.#spools[0]?.entries().map(({ key, body }) => [key, body]));
    for (const [key, number] of this.added)
      if ((this.taken.get(key) ?? -1) < number) expect([key, kept.get(key)]).toEqual([key, number]);
  }

  async #add(process: number, keys: readonly number[]): Promise<void> {
    const numbered = new Map(keys.map((key) => [`k${key}`, this.#number++]));
    await this.#spools[process]?.add([...numbered].map(([key, number]) => entry(key, number)));
    for (const [key, number] of numbered) this.added.set(key, number);
  }

  async #flush(process: number, answers: readonly Answer[]): Promise<void> {
    const script = [...answers];
    const ending = new AbortController();
    this.kit.server.answer = async (sent) => {
      const verdicts: Verdict[] = [];
      for (const one of sent) {
        const answer = script.shift() ?? "done";
        if (answer === "throw") throw new Error("no answer");
        if (answer === "add") await this.#add(process, [Number(one.key.slice(1))]);
        if (answer === "die") {
          this.#end(process);
          ending.abort();
          return new Promise(() => {});
        }
        if (answer === "short") return verdicts;
        verdicts.push(answer === "refused" ? refused() : answer === "later" ? later() : DONE);
      }
      for (const [index, one] of sent.entries()) if (verdicts[index]?.kind === "done") this.#take(one);
      return verdicts;
    };
    await this.#spools[process]?.flush(ending.signal);
    await settled();
  }

  /** A sender reports only entries that it saw accepted. */
  #take({ key, body }: SpoolEntry): void {
    if (typeof body === "number") this.taken.set(key, Math.max(this.taken.get(key) ?? -1, body));
  }

  /** As with SIGKILL: the process is gone, and another takes its place. */
  #end(index: number): void {
    this.kit.gone.add(`here:${index}-${this.#started}`);
    for (let name = 0; name <= this.#started; name++) this.kit.gone.add(`here:${index}-${name}`);
    this.#begin(index);
  }

  #begin(index: number): void {
    this.#spools[index] = this.kit.open(`here:${index}-${++this.#started}`);
  }
}

test("SPOOL-14: no order of adding, responses and crashes loses an entry that was not accepted", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "retain-spool-")));
  let run = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25, size: "max" }), async (steps) => {
        const world = new World(join(root, String(run++)));
        for (const one of steps) {
          await world.do(one);
          world.check();
        }
        await world.finish();
        world.check();
        for (const [key, number] of world.added) expect([key, world.taken.get(key)]).toEqual([key, number]);
      }),
      { numRuns: 150 },
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}, 120_000);

test("SPOOL-14: the newest file of a key counts, in whatever order the directory lists them", () => {
  const file = fc.record({
    key: fc.nat(3),
    order: fc.nat(20),
    mark: fc.constantFrom("", "refused", "damaged"),
  });
  fc.assert(
    fc.property(fc.array(file), fc.array(fc.string()), (files, others) => {
      const named = files.map(({ key, order, mark }) => ({ ...newQueued(`k${key}`, order), mark }));
      const names = named.flatMap(({ id, mark }) => [
        `${id}.json`,
        ...(mark === "" ? [] : [`${id}.${mark}.json`]),
      ]);
      const listing = listingOf([...names, ...others].sort());
      expect(listingOf([...others, ...names.reverse()])).toEqual(listing);
      const { pending, refused, damaged, superseded, orphans, last } = listing;
      const all = [...pending, ...refused, ...damaged, ...superseded].map(({ id }) => id);
      expect(all.sort()).toEqual(named.map(({ id }) => id).sort());
      expect(orphans).toEqual([]);
      expect(last).toBe(Math.max(0, ...files.map(({ order }) => order)));
      const current = [...pending, ...refused];
      expect(new Set(current.map(({ hash }) => hash)).size).toBe(current.length);
      for (const old of superseded)
        expect(current.find(({ hash }) => hash === old.hash)?.order).toBeGreaterThanOrEqual(old.order);
    }),
  );
});

test("HIND-10: the backoff never shrinks with more attempts, and stays between 1 s and 10 minutes", () => {
  fc.assert(
    fc.property(fc.nat(), (attempt) => {
      expect(backoff(attempt)).toBeGreaterThanOrEqual(1_000);
      expect(backoff(attempt)).toBeLessThanOrEqual(600_000);
      expect(backoff(attempt + 1)).toBeGreaterThanOrEqual(backoff(attempt));
    }),
  );
  expect([1, 2, 3, 10, 11, 5_000].map((attempt) => backoff(attempt))).toEqual([
    1_000, 2_000, 4_000, 512_000, 600_000, 600_000,
  ]);
});
