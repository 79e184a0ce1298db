/** Sends lines to a chat in a separate process, on any disk, and prints the events. */
import { openRetain } from "../../src/app.ts";

using retain = openRetain({ settings: { embedding: "none" } });
const chat = await retain.chat({ interactive: true, model: "none" });
for (const line of process.argv.slice(2))
  for await (const event of chat.send(line, new AbortController().signal))
    console.log(JSON.stringify({ line, ...event }));
