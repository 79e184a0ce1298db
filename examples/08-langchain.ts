/** Memory in LangChain: tools for a model that you call in a loop. Run it with: bun examples/08-langchain.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { openRetain } from "retain-memory";

const home = mkdtempSync(join(tmpdir(), "retain-example-"));
const retain = openRetain({ cwd: home, env: { RETAIN_HOME: home }, settings: { embedding: "none" } });
await retain.facts.remember("Deploys run on Fridays after the backup.");

const tools = (await retain.memoryTools()).map(({ name, description, schema, run }) =>
  tool(async (input: unknown, { signal = new AbortController().signal }) => (await run(input, signal)).text, {
    name,
    description,
    schema: schema as object,
  }),
);

// Replaces a real model, such as ChatAnthropic, so that this runs without a key.
const model = fakeModel()
  .respondWithTools([{ name: "recall", args: { query: "When do deploys run?" }, id: "1" }])
  .respondWithTools([
    { name: "retain", args: { items: [{ content: "Ada approves every deploy." }] }, id: "2" },
  ])
  .respond(new AIMessage("On Fridays, after the backup."))
  .bindTools(tools);

const messages: BaseMessage[] = [
  new SystemMessage((await retain.context({ query: "deploys" })).text),
  new HumanMessage("When do deploys run? And remember that Ada approves them."),
];
let reply = await model.invoke(messages);
while (reply.tool_calls?.length) {
  messages.push(reply);
  for (const { name, args, id = "" } of reply.tool_calls) {
    const content = String(await tools.find((one) => one.name === name)?.invoke(args));
    console.log(`${name}: ${content}`);
    messages.push(new ToolMessage({ content, tool_call_id: id }));
  }
  reply = await model.invoke(messages);
}
console.log(reply.text);
for (const fact of await retain.facts.list()) console.log(`- ${fact.text}`);

retain.close();
rmSync(home, { recursive: true });
