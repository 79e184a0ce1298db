/** A store of your own as Retain's memory: one class with the port of all backends. Run it with: bun examples/03-custom-backend.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain } from "retain-memory";
import { MapBackend } from "./map-backend.ts";

const home = mkdtempSync(join(tmpdir(), "retain-example-"));
const retain = openRetain({
  cwd: home,
  env: { RETAIN_HOME: home },
  settings: { embedding: "none" },
  backend: new MapBackend(),
});

// Tools, `remember` and what a model marks go there; secrets are refused before, and hits are ranked after.
const tools = await retain.memoryTools();
const run = async (name: string, input: unknown) => {
  const tool = tools.find((one) => one.name === name);
  return (await tool?.run(input, new AbortController().signal))?.text ?? `There is no tool ${name}.`;
};

console.log(await run("retain", { items: [{ content: "The staging server is called heron." }] }));
console.log(await run("retain", { items: [{ content: "The admin password is kR7-vexing-Plum" }] }));
await retain.documents.put({
  content: "# Release plan\n\nWe release on Fridays, after the backup.",
  collection: "plans",
});

for (const { origin, kind, text } of (await retain.search("What is the staging server called?")).hits)
  console.log(`${origin}, ${kind}: ${text}`);

const { name, location } = (await retain.status()).backend;
console.log(`${name} (${location})`);

retain.close();
rmSync(home, { recursive: true });
