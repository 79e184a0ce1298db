/** Keeping, changing and finding documents from a program. Run it with: bun examples/01-documents.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain, RetainError, toContextText } from "retain-memory";

const home = mkdtempSync(join(tmpdir(), "retain-example-"));
const retain = openRetain({ cwd: home, env: { RETAIN_HOME: home } });

const stored = await retain.documents.put({
  content: "# GPU Patterns\n\nMetal needs explicit synchronisation; CUDA streams do not.\n",
  collection: "knowledge",
  tags: ["gpu", "metal"],
  context: "Research for issue 183",
});
console.log(`stored ${stored.id}, version ${stored.version}`);

await retain.documents.update("gpu-patterns", { tags: ["benchmark"], mergeTags: true, ifVersion: "1" });

try {
  await retain.documents.update("gpu-patterns", { priority: "high", ifVersion: "1" });
} catch (error) {
  if (!(error instanceof RetainError)) throw error;
  console.log(`refused: ${error.code}`);
}

const { documents, total } = await retain.documents.list({ filters: ["tags=gpu", "created_at>=2020-01-01"] });
console.log(`found ${total}: ${documents.map((document) => document.id).join(", ")}`);

console.log(toContextText(await retain.documents.get("gpu-patterns")));

const { hunks } = await retain.documents.diff("gpu-patterns");
console.log(hunks.flatMap((hunk) => hunk.lines.filter((line) => /^[+-]/.test(line))).join("\n"));

await retain.documents.delete("gpu-patterns");
await retain.documents.restore("gpu-patterns");
console.log(
  `back again, with versions ${(await retain.documents.versions("gpu-patterns")).versions.map((v) => v.version).join(", ")}`,
);

retain.close();
rmSync(home, { recursive: true });
