/** Endlessly puts, updates, deletes and restores documents, and prints what was acknowledged. Meant to be killed. */
import { openRetain } from "../../src/index.ts";

async function write(seed = "0"): Promise<never> {
  const retain = openRetain({ cwd: process.cwd() });
  for (let round = 0; ; round++) {
    const id = `doc-${(Number(seed) + round) % 5}`;
    const text = `# ${id}\n\n${`${seed}.${round} `.repeat(2_000)}end\n`;
    const { version } = await retain.documents.put({ content: text, id });
    process.stdout.write(`put ${id} ${version} ${Bun.hash(text)}\n`);
    if (round % 7 === 3) {
      await retain.documents.delete(id);
      process.stdout.write(`delete ${id}\n`);
      await retain.documents.restore(id);
      process.stdout.write(`restore ${id} ${version} ${Bun.hash(text)}\n`);
    }
  }
}

void write(process.argv[2]);
