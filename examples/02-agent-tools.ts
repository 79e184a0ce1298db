/** Giving an agent of your own a memory: the tools are plain objects. Run it with: bun examples/02-agent-tools.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain } from "retain-memory";

const home = mkdtempSync(join(tmpdir(), "retain-example-"));
const retain = openRetain({ cwd: home, env: { RETAIN_HOME: home }, settings: { embedding: "none" } });

// What a model is told: any provider takes names, descriptions and JSON Schemas.
const tools = await retain.memoryTools({ session: "monday" });
for (const { name, title, readOnly } of tools)
  console.log(`${name}: ${title}${readOnly ? ", only reads" : ""}`);

// What a model asks for, your loop runs. Nothing throws: what went wrong is a result, in words for the model.
async function run(name: string, input: unknown): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return `There is no tool ${name}.`;
  const { ok, text } = await tool.run(input, new AbortController().signal);
  return `${ok ? "ok" : "failed"}: ${text}`;
}

console.log(
  await run("retain", {
    items: [
      { content: "Deploys run on Fridays after the backup.", context: "release planning" },
      { content: "Ada reviews every migration." },
    ],
  }),
);
console.log(await run("retain", { items: [{ content: "Deploys run on Fridays after the backup" }] }));
console.log(await run("recall", { query: "When do deploys run?" }));
console.log(await run("memory_forget", { id: "deploys" }));

// An answer with its sources; where a model is configured, it is written by that.
const { answer, citations } = await retain.reflect("Who reviews migrations?", { model: null });
console.log(answer);
console.log(`from ${citations.map(({ kind, text }) => `${kind} "${text}"`).join(", ")}`);

retain.close();
rmSync(home, { recursive: true });
