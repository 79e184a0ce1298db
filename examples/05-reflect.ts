/** Questions that need several memories put together, with their sources. Run it with: bun examples/05-reflect.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain } from "retain-memory";

const home = mkdtempSync(join(tmpdir(), "retain-example-"));
const retain = openRetain({ cwd: home, env: { RETAIN_HOME: home } });

await retain.facts.remember("We moved from MySQL to Postgres in March.");
await retain.facts.remember("The move to Postgres was made for its JSON queries.");
await retain.facts.remember("Ada planned the move to Postgres.");
await retain.facts.remember("Lunch is at noon.");

const question = "Why did we move to Postgres, and who planned it?";

// Without a model: the sentences that answer, as they stand.
const extract = await retain.reflect(question, { model: null });
console.log(extract.answer);

// A model of your own is one function; the configured one is asked by default. What it cites is checked.
const model = {
  async complete(prompt: string): Promise<string> {
    const [id] = /\[(\w+)\][^\n]*JSON queries/.exec(prompt)?.slice(1) ?? [];
    return `For its JSON queries [${id}], and because everybody does [zq81kd02ma].`;
  },
};
const { answer, citations, removed, notices } = await retain.reflect(question, { model });
console.log(answer.replace(/\[\w+\]/, "[its id]"));
console.log(citations.map(({ text }) => text));
console.log(removed, notices);

retain.close();
rmSync(home, { recursive: true });
