/** Whatever is done to the memory files, by commands and by hand, facts are what the files say, and history accounts for all. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { bulletsOf } from "../../src/core/bullets.ts";
import { factId } from "../../src/core/fact-text.ts";
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

class Memory {
  readonly home = mkdtempSync(join(tmpdir(), "retain-model-"));
  readonly #file = join(this.home, "memories/MEMORY.md");
  #seconds = 0;

  async with<T>(use: (retain: ReturnType<typeof openRetain>) => Promise<T>): Promise<T> {
    const retain = openRetain({
      cwd: this.home,
      env: { RETAIN_HOME: this.home, RETAIN_EMBEDDING: "none" },
      clock: () => new Date(Date.now() + 1_000 * this.#seconds++),
    });
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
  }

  async take(one: Step): Promise<void> {
    const { lines } = this;
    const bullets = lines.flatMap((line, index) => (line.startsWith("- ") ? index : []));
    const at = "at" in one ? bullets[one.at % Math.max(1, bullets.length)] : undefined;
    if (one.kind === "remember") {
      const { category } = one;
      await this.with((retain) =>
        retain.memories.remember(one.text, category === undefined ? {} : { category }),
      );
    } else if (one.kind === "undo") {
      await this.with((retain) => retain.memories.undo()).catch((error) => {
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

test("FACT-5: after any steps, by command and by hand, what holds is what the file says, and nothing vanishes unaccounted", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const memory = new Memory();
      try {
        const ever = new Set<string>();
        for (const one of steps) {
          await memory.take(one);
          const ids = bulletsOf(memory.lines.join("\n")).map((bullet) => factId(bullet.text, null));
          const all = await memory.with((retain) => retain.memories.facts({ which: "all" }));
          const holding = all.filter(({ ended_at }) => ended_at === null).map(({ id }) => id);
          expect(new Set(holding)).toEqual(new Set(ids));
          if (one.kind === "undo") ever.clear();
          for (const id of ids) ever.add(id);
          const known = new Set(all.map(({ id }) => id));
          expect([...ever].filter((id) => !known.has(id))).toEqual([]);
          for (const { superseded_by } of all)
            if (superseded_by !== null) expect(known.has(superseded_by)).toBe(true);
        }
        const told = await memory.with((retain) => retain.memories.facts({ which: "all" }));
        await memory.take({ kind: "lose the index" });
        const again = await memory.with((retain) => retain.memories.facts({ which: "all" }));
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
