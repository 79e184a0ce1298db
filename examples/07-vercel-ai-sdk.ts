/** Memory in the Vercel AI SDK: tools that the model calls, and a system prompt from memory. Run it with: bun examples/07-vercel-ai-sdk.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dynamicTool, generateText, isStepCount, jsonSchema, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { openRetain } from "retain-memory";

const home = mkdtempSync(join(tmpdir(), "retain-example-"));
const retain = openRetain({ cwd: home, env: { RETAIN_HOME: home }, settings: { embedding: "none" } });
await retain.facts.remember("Deploys run on Fridays after the backup.");

const tools: ToolSet = {};
for (const { name, description, schema, run } of await retain.memoryTools())
  tools[name] = dynamicTool({
    description,
    inputSchema: jsonSchema(schema),
    execute: async (input, { abortSignal = new AbortController().signal }) =>
      (await run(input, abortSignal)).text,
  });

const { text: system } = await retain.context({ query: "deploys" });
const { text, steps } = await generateText({
  model: standIn(),
  system,
  prompt: "When do deploys run? And remember that Ada approves them.",
  tools,
  stopWhen: isStepCount(5),
});
for (const { toolResults } of steps)
  for (const { toolName, output } of toolResults) console.log(`${toolName}: ${output}`);
console.log(text);
for (const fact of await retain.facts.list()) console.log(`- ${fact.text}`);

retain.close();
rmSync(home, { recursive: true });

/** Replaces a real model, such as `anthropic("...")` from @ai-sdk/anthropic, so that this runs without a key. */
function standIn() {
  const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const call = (toolName: string, input: object) => ({
    content: [{ type: "tool-call" as const, toolCallId: toolName, toolName, input: JSON.stringify(input) }],
    ...{ finishReason: { unified: "tool-calls" as const, raw: undefined }, usage, warnings: [] },
  });
  return new MockLanguageModelV4({
    doGenerate: [
      call("recall", { query: "When do deploys run?" }),
      call("retain", { items: [{ content: "Ada approves every deploy." }] }),
      {
        content: [{ type: "text", text: "On Fridays, after the backup." }],
        ...{ finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] },
      },
    ],
  });
}
