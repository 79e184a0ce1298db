/** Chats that browsers follow, over HTTP: the real command and a stand-in model. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoggedEvent, PageChatEvent } from "../../../src/serve/page/chat-log.ts";
import { AnthropicServer, type Script } from "../../helpers/anthropic-server.ts";
import { KEY } from "../../helpers/chat.ts";
import { afterThisTest } from "../../helpers/clean-up.ts";
import { OpenAiServer } from "../../helpers/openai-server.ts";
import { Sandbox } from "../../helpers/sandbox.ts";
import { startServe, TOKEN } from "../kit.ts";

async function chatServer(script: Script, args: readonly string[] = []) {
  const sandbox = new Sandbox();
  const model = await new AnthropicServer(script).start();
  afterThisTest(() => model[Symbol.asyncDispose]());
  const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
  const server = await startServe(sandbox, ["--no-open", ...args], env);
  const ask = async (name: string, input: unknown) => server.ask(`/app/${name}`, { body: input });
  return { ...server, env, ask, model };
}

/** Reads a chat's stream until an event fits; then the connection is dropped. */
async function follow(
  url: string,
  chat: string,
  until: (event: PageChatEvent) => boolean,
  after?: string,
): Promise<LoggedEvent[]> {
  const headers = {
    Authorization: `Bearer ${TOKEN}`,
    ...(after !== undefined && { "Last-Event-ID": after }),
  };
  const stop = new AbortController();
  const response = await fetch(`${url}/app/chats/${chat}/events`, { headers, signal: stop.signal });
  expect(response.status).toBe(200);
  const events: LoggedEvent[] = [];
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id = "", data = ""] = /^id: (.+)\nevent: chat\ndata: (.+)$/.exec(block) ?? [];
      if (id === "") continue;
      const event = JSON.parse(data) as PageChatEvent;
      events.push({ id, event });
      if (!until(event)) continue;
      stop.abort();
      return events;
    }
  }
  throw new Error("The stream ended early.");
}

const isDone = ({ type }: PageChatEvent) => type === "done";
const textIn = (events: readonly LoggedEvent[]) =>
  events.map(({ event }) => (event.type === "text" ? event.text : "")).join("");

test("WEB-3: a dropped stream continues where it was, in the middle of a reply", async () => {
  const gate = Promise.withResolvers<void>();
  const words = Array.from({ length: 40 }, (_, index) => `word${index} `);
  const { url, ask } = await chatServer([
    { chunks: words, before: (event) => (event === 22 ? gate.promise : null) },
  ]);
  const { chat } = (await ask("chat-open", {})).body;
  await follow(url, chat, isDone);
  expect((await ask("chat-send", { chat, line: "Count" })).status).toBe(200);
  const first = await follow(url, chat, ({ type }) => type === "text");
  expect((await ask("chat-send", { chat, line: "Now" })).status).toBe(409);
  const last = first.at(-1)?.id;
  gate.resolve();
  const rest = await follow(url, chat, isDone, last);
  expect(textIn(first) + textIn(rest)).toBe(words.join(""));
  expect(rest[0]?.event.type).toBe("text");
  // What the server can't place gets the conversation from its beginning.
  const all = await follow(url, chat, ({ type }) => type === "message", "999.0");
  expect(all[0]?.event.type).toBe("session");
  expect(textIn(all)).toBe(words.join(""));
  const [sent] = all.filter(({ event }) => event.type === "sent");
  expect(sent?.event).toEqual({ type: "sent", line: "Count" });
});

test("WEB-4: one chat for each session: two tabs share it, and another process can't write to it", async () => {
  const { url, ask, sandbox, env, process } = await chatServer([{ text: "Noted." }]);
  const { chat } = (await ask("chat-open", {})).body;
  await follow(url, chat, isDone);
  await ask("chat-send", { chat, line: "I like tea" });
  let done = 0;
  const events = await follow(url, chat, (event) => isDone(event) && ++done === 2);
  const named = events.flatMap(({ event }) => (event.type === "named" ? event.id : []));
  const [session = ""] = named;
  expect((await ask("chat-open", { session })).body).toEqual({ chat, session });
  const inTerminal = ["chat", "--resume", session, "--model", "none", "-p", "tea?"];
  const other = sandbox.run(inTerminal, { env });
  expect(other.exitCode).not.toBe(0);
  expect(other.stderr).toContain("open in another process");
  const { body } = await ask("chat-open", {});
  expect((await ask("chat-send", { chat: body.chat, line: `/resume ${session}` })).status).toBe(409);

  // A closed chat, or a stopped server, releases it.
  expect((await ask("chat-close", { chat })).status).toBe(200);
  expect((await ask("chat-send", { chat, line: "hi" })).status).toBe(404);
  sandbox.ok(inTerminal, { env });
  const again = (await ask("chat-open", { session })).body;
  await follow(url, again.chat, isDone);
  expect(sandbox.run(inTerminal, { env }).exitCode).not.toBe(0);
  process.kill("SIGTERM");
  await process.exited;
  sandbox.ok(inTerminal, { env });
});

test("a chat that isn't open, or an invalid decision, is refused", async () => {
  const { ask, url } = await chatServer([]);
  expect((await ask("chat-send", { chat: "x", line: "hi" })).status).toBe(404);
  expect((await ask("chat-open", { session: "no-such-session" })).status).toBe(404);
  expect((await ask("chat-answer", { chat: "x", call: "1", decision: { answer: "yes" } })).status).toBe(422);
  const headers = { Authorization: `Bearer ${TOKEN}` };
  expect((await fetch(`${url}/app/chats/x/events`, { headers })).status).toBe(404);
});

/** Opens a chat, sends a line and waits for its reply. */
async function saidIn({ url, ask }: Awaited<ReturnType<typeof chatServer>>, line: string) {
  const { chat } = (await ask("chat-open", {})).body;
  await follow(url, chat, isDone);
  await ask("chat-send", { chat, line });
  let done = 0;
  const events = await follow(url, chat, (event) => isDone(event) && ++done === 2);
  const [session = ""] = events.flatMap(({ event }) => (event.type === "named" ? event.id : []));
  return { chat, session };
}

test("WEB-14: deleting a session closes the server's own chat first, so that nothing of it comes back", async () => {
  const server = await chatServer([{ text: "Noted." }]);
  const { url, ask, sandbox, env } = server;
  const { chat, session } = await saidIn(server, "I like tea");
  const closed = follow(url, chat, ({ type }) => type === "closed");
  expect((await ask("session-delete", { id: session, force: false })).status).toBe(200);
  await closed;
  expect((await ask("chat-send", { chat, line: "And coffee" })).status).toBe(404);
  expect((await ask("session", { id: session })).status).toBe(404);
  expect(sandbox.ok(["sessions", "--json"], { env }).stdout).not.toContain(session);
});

test("a chat opens while another one waits for its summary", async () => {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = await chatServer([
    { text: "Noted." },
    {
      text: "Likes tea.",
      before: () => {
        asked.resolve();
        return gate.promise;
      },
    },
  ]);
  const { ask } = server;
  const { chat, session } = await saidIn(server, "I like tea");
  const closed = ask("chat-close", { chat });
  await asked.promise;
  const other = await ask("chat-open", {});
  expect(other.status).toBe(200);
  expect((await ask("chat-send", { chat, line: "And coffee" })).status).toBe(404);
  // Whoever wants the closing session again waits for it, and gets a chat that works.
  const again = ask("chat-open", { chat, session });
  gate.resolve();
  expect((await closed).status).toBe(200);
  expect((await again).body.chat).not.toBe(chat);
});

test("MODEL-7: a running server's chats use a model and an endpoint that are set meanwhile", async () => {
  const { ask, url, sandbox, model } = await chatServer([{ text: "From Claude." }]);
  const endpoint = await new OpenAiServer([{ text: "From my server." }, { text: "Again." }]).start();
  afterThisTest(() => endpoint[Symbol.asyncDispose]());
  const { chat: before } = (await ask("chat-open", {})).body;
  sandbox.ok(["model", "add", "gw2", endpoint.url]);
  sandbox.ok(["model", "use", "gw2/big"]);
  const { chat } = (await ask("chat-open", {})).body;
  await ask("chat-send", { chat, line: "Hello" });
  expect(textIn(await follow(url, chat, ({ type }) => type === "message"))).toBe("From my server.");
  expect(model.requests).toHaveLength(0);
  let done = 0;
  await ask("chat-send", { chat: before, line: "/model gw2/big" });
  await follow(url, before, (event) => isDone(event) && ++done === 2);
  await ask("chat-send", { chat: before, line: "Hello" });
  expect(textIn(await follow(url, before, ({ type }) => type === "message"))).toBe("Again.");
});

test("WEB-19: on a network, the page's chat reads and writes no files and runs no commands", async () => {
  const args = ["--host", "0.0.0.0", "--allow-remote"];
  const server = await chatServer([{ text: "Noted." }], args);
  const { url, ask, sandbox, model } = server;
  writeFileSync(join(sandbox.work, "plans.txt"), "the harbour plans");
  const { chat } = await saidIn(server, "What is in @plans.txt ?");
  const [request] = model.requests;
  expect(JSON.stringify(request?.body)).not.toContain("the harbour plans");
  expect(JSON.stringify(request?.body)).not.toContain("run_command");
  expect((await ask("chat-files", { part: "plans" })).body).toEqual([]);
  for (const [index, line] of ["/tools read", "/tools ask", "/tools all", "/export"].entries()) {
    expect((await ask("chat-send", { chat, line })).status).toBe(200);
    let done = 0;
    const events = await follow(url, chat, (event) => isDone(event) && ++done === index + 3);
    expect(events.filter(({ event }) => event.type === "error")).toHaveLength(index + 1);
    expect(events.flatMap(({ event }) => (event.type === "tools" ? event.mode : []))).toEqual(["none"]);
  }
  expect(sandbox.tree(sandbox.work)).toEqual(["plans.txt"]);
});
