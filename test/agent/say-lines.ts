/** Says lines in a chat of a process of its own, on whatever disk it is given, and prints what happens. */
import { openRetain } from "../../src/app.ts";

using retain = openRetain({ settings: { embedding: "none" } });
const chat = await retain.chat({ interactive: true, model: "none" });
for (const line of process.argv.slice(2))
  for await (const event of chat.send(line, new AbortController().signal))
    console.log(JSON.stringify({ line, ...event }));
