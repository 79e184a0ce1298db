/** Sub-agents that share their parent's memory. Run it with: bun examples/04-sub-agents.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain, type Retain } from "retain-memory";

const home = mkdtempSync(join(tmpdir(), "retain-example-"));
const memory = openRetain({ cwd: home, env: { RETAIN_HOME: home }, settings: { embedding: "none" } });

/** What a sub-agent finds out is known to all of them at once: it is one memory, opened once. */
async function research(child: Retain, finding: string): Promise<void> {
  const tools = await child.memoryTools({ session: "research" });
  const retain = tools.find(({ name }) => name === "retain");
  await retain?.run({ items: [{ content: finding }] }, new AbortController().signal);
  // The parent's stays open.
  child.close();
}

await Promise.all(
  [
    "The API allows 60 requests a minute.",
    "The export takes about two hours.",
    "Invoices are kept for ten years.",
  ].map((finding) => research(memory.child(), finding)),
);

const { text } = await memory.recall("How many requests does the API allow?");
console.log(text);
console.log(`${(await memory.facts.list()).length} facts`);

memory.close();
rmSync(home, { recursive: true });
