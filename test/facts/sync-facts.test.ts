/** After any changes to memory files, by commands and by hand, facts match the files, and the history accounts for all. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { printedStamp } from "../../src/core/documents/file-stamp.ts";
import { bulletsOf } from "../../src/core/facts/bullets.ts";
import { factId } from "../../src/core/facts/fact-text.ts";
import { openRetain, RetainError } from "../../src/index.ts";

const WORDS = ["tea", "Oslo", "Rome", "chess", "Zig", "Friday", "a dog", "blue"];
const TEXTS = WORDS.flatMap((word) => [
  `Likes ${word}`,
  `Timezone: ${word}`,
  `Met ${word} on day 3`,
  `Never ${word}`,
]);
const text = fc.constantFrom(...TEXTS);

type Step =
  | { kind: "remember"; text: string; category: string | undefined }
  | { kind: "add" | "edit"; text: string; at: number }
  | { kind: "remove" | "move"; at: number }
  | { kind: "undo" | "lose the index" | "empty" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("remember" as const), text, category: fc.constantFrom(undefined, "Work") }),
  fc.record({ kind: fc.constantFrom("add" as const, "edit" as const), text, at: fc.nat({ max: 9 }) }),
  fc.record({ kind: fc.constantFrom("remove" as const, "move" as const), at: fc.nat({ max: 9 }) }),
  fc.record({ kind: fc.constantFrom("undo" as const, "lose the index" as const, "empty" as const) }),
);

type Retain = ReturnType<typeof openRetain>;

class Memory {
  readonly home = mkdtempSync(join(tmpdir(), "retain-model-"));
  readonly #file = join(this.home, "memories/MEMORY.md");
  #seconds = 0;
  /** For commands of a long-lived process. */
  retain: Retain | null = null;

  open(): Retain {
    return openRetain({
      cwd: this.home,
      env: { RETAIN_HOME: this.home, RETAIN_EMBEDDING: "none" },
      clock: () => new Date(Date.now() + 1_000 * this.#seconds++),
    });
  }

  async with<T>(use: (retain: Retain) => Promise<T>): Promise<T> {
    if (this.retain !== null) return use(this.retain);
    const retain = this.open();
    try {
      return await use(retain);
    } finally {
      retain.close();
    }
  }

  get lines(): string[] {
    return existsSync(this.#file) ? readFileSync(this.#file, "utf8").split("\n") : [];
  }

  save(lines: readonly string[]): void {
    mkdirSync(join(this.home, "memories"), { recursive: true });
    writeFileSync(this.#file, lines.join("\n"));
    // As if time had passed since the last write, so that the stamp differs.
    utimesSync(this.#file, 1_700_000_000 + this.#seconds, 1_700_000_000 + this.#seconds++);
  }

  async take(one: Step): Promise<void> {
    const { lines } = this;
    const bullets = lines.flatMap((line, index) => (line.startsWith("- ") ? index : []));
    const at = "at" in one ? bullets[one.at % Math.max(1, bullets.length)] : undefined;
    if (one.kind === "remember") {
      const { category } = one;
      await this.with((retain) =>
        retain.facts.remember(one.text, category === undefined ? {} : { category }),
      );
    } else if (one.kind === "undo") {
      await this.with((retain) => retain.facts.undo()).catch((error) => {
        if (!(error instanceof RetainError)) throw error;
      });
    } else if (one.kind === "lose the index") {
      for (const name of ["retain.db", "retain.db-wal", "retain.db-shm"])
        rmSync(join(this.home, name), { force: true });
    } else if (one.kind === "empty") this.save([]);
    else if (one.kind === "add") this.save([...lines.filter(Boolean), `- ${one.text}`, ""]);
    else if (at !== undefined) {
      const [line = ""] = lines.splice(at, 1);
      if (one.kind === "edit") lines.splice(at, 0, `- ${one.text}`);
      if (one.kind === "move") lines.push(line, "");
      this.save(lines);
    }
  }
}

test("FACT-5: after any steps, by command and by hand, current facts match the file, and no fact disappears unrecorded", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const memory = new Memory();
      try {
        const ever = new Set<string>();
        for (const one of steps) {
          await memory.take(one);
          const ids = bulletsOf(memory.lines.join("\n")).map((bullet) => factId(bullet.text, null));
          const all = await memory.with((retain) => retain.facts.list({ which: "all" }));
          const holding = all.filter(({ ended_at }) => ended_at === null).map(({ id }) => id);
          expect(new Set(holding)).toEqual(new Set(ids));
          if (one.kind === "undo") ever.clear();
          for (const id of ids) ever.add(id);
          const known = new Set(all.map(({ id }) => id));
          expect([...ever].filter((id) => !known.has(id))).toEqual([]);
          for (const { superseded_by } of all)
            if (superseded_by !== null) expect(known.has(superseded_by)).toBe(true);
        }
        const told = await memory.with((retain) => retain.facts.list({ which: "all" }));
        await memory.take({ kind: "lose the index" });
        const again = await memory.with((retain) => retain.facts.list({ which: "all" }));
        const bare = (facts: typeof told) =>
          facts.map(({ position: _, ...fact }) => fact).sort((a, b) => (a.id < b.id ? -1 : 1));
        expect(bare(again)).toEqual(bare(told));
      } finally {
        rmSync(memory.home, { recursive: true });
      }
    }),
    { numRuns: process.env.RETAIN_FIRE ? 600 : 40 },
  );
}, 600_000);

test("FACT-5: long-lived processes have the same facts, in the same order, as one that reads everything again", async () => {
  const LARGE = Array.from(
    { length: 500 },
    (_, number) => `- Room ${number} is kept by person ${number * 7}`,
  );
  const steps = fc.array(fc.tuple(step, fc.nat({ max: 1 })), { minLength: 2, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (taken, isLarge) => {
      const memory = new Memory();
      memory.save(isLarge ? ["# Memory", "", ...LARGE, ""] : []);
      const processes = [memory.open(), memory.open()];
      const told = async (retain: Retain) => {
        const facts = await retain.facts.list({ which: "all" });
        const ended = facts.flatMap(({ position: _, ...fact }) => (fact.ended_at === null ? [] : fact));
        const holding = facts.filter(({ ended_at }) => ended_at === null);
        return { holding, ended: ended.sort((a, b) => (a.id < b.id ? -1 : 1)) };
      };
      try {
        for (const [one, by] of taken) {
          memory.retain = processes[by] ?? null;
          await memory.take(one);
          const [first, second] = await Promise.all(processes.map(told));
          expect(second).toEqual(first);
        }
        const last = await told(processes[0] as Retain);
        memory.retain = null;
        await memory.take({ kind: "lose the index" });
        expect(await memory.with(told)).toEqual(last);
      } finally {
        for (const retain of processes) retain.close();
        rmSync(memory.home, { recursive: true });
      }
    }),
    { numRuns: process.env.RETAIN_FIRE ? 600 : 40 },
  );
}, 600_000);

test("the index knows the history that a sync wrote after an edit by hand, so the next command reads no file again", async () => {
  const memory = new Memory();
  memory.save(["- Likes tea"]);
  await memory.with((retain) => retain.facts.list());
  const database = new Database(join(memory.home, "retain.db"));
  const stamps = database
    .query<{ value: string }, []>("SELECT value FROM state WHERE key = 'memories'")
    .get();
  database.close();
  const { size, mtimeMs, ctimeMs, ino } = statSync(join(memory.home, "memories/HISTORY.md"));
  expect(JSON.parse(stamps?.value ?? "{}")["HISTORY.md"]).toBe(
    printedStamp({ size, mtime: mtimeMs, ctime: ctimeMs, inode: ino }),
  );
});
