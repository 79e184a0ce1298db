/** The slash commands. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/app.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, Conversing, endOf, only } from "../helpers/chat.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const outputOf = (events: Parameters<typeof only>[0]) => only(events, "output")[0]?.text ?? "";

test("SLASH-1: every command appears in help and completion with its description", async () => {
  const chat = await new ChatRoom(null).open();
  const names =
    "search sessions resume new retry compact remember review confirm learn saved edit forget undo memory why mental-models context skills model setup tools export title tag incognito help quit";
  expect(chat.chat.complete("/").map(({ value }) => value)).toEqual(
    names.split(" ").map((name) => `/${name}`),
  );
  expect(chat.chat.complete("/re").map(({ value }) => value)).toEqual([
    "/resume",
    "/retry",
    "/remember",
    "/review",
  ]);
  expect(chat.chat.complete("/tools a").map(({ value }) => value)).toEqual(["/tools ask", "/tools all"]);
  expect(chat.chat.complete("/").every(({ detail }) => detail.length > 3)).toBe(true);
  const [help] = only(await chat.say("/help"), "picker");
  expect(help?.picker.items.map(({ label }) => label.split(" ")[0])).toEqual([
    "Keys",
    ...names.split(" ").map((name) => `/${name}`),
  ]);
  for (const { value, detail } of help?.picker.items ?? [])
    expect(outputOf(await chat.say(`${help?.picker.command} ${value}`)).length).toBeGreaterThan(
      detail.length,
    );
  expect(only(await chat.say("/help serach"), "error")[0]?.hint).toContain("/search");
  expect(only(await chat.say("/quit"), "quit").length).toBe(1);
});

test("SLASH-1: a mistyped command is an error with a suggestion, and a path is a message", async () => {
  const chat = await new ChatRoom(null).open();
  const [error] = only(await chat.say("/serach x"), "error");
  expect(error?.hint).toBe("Did you mean /search?");
  const [command] = only(await chat.say("/facts"), "error");
  expect(command?.hint).toBe("Did you mean /memory?");
  const events = await chat.say("/usr/bin is full");
  expect(only(events, "user")[0]?.text).toBe("/usr/bin is full");
});

test("SLASH-3: /remember, /memory, /why, /search and /forget work on facts", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  const [saved] = only(await chat.say("/remember The boat is called Nautilus"), "memory");
  expect(saved?.saved).toEqual(["The boat is called Nautilus"]);
  const listed = outputOf(await chat.say("/memory"));
  const id = /`([0-9a-v]{10})`/.exec(listed)?.[1] ?? "";
  expect(listed).toContain("The boat is called Nautilus");
  expect(outputOf(await chat.say(`/why ${id}`))).toContain("by remember");
  const [hits] = only(await chat.say("/search nautilus"), "picker");
  expect(hits?.picker.items[0]?.value).toBe(`fact ${id}`);
  expect(outputOf(await chat.say(`${hits?.picker.command} ${hits?.picker.items[0]?.value}`))).toContain(
    "Nautilus",
  );
  const [which] = only(await chat.say("/forget nautilus"), "picker");
  expect(await room.retain.facts.list()).toHaveLength(1);
  await chat.say(`${which?.picker.command} ${which?.picker.items[0]?.value}`);
  expect(await room.retain.facts.list()).toEqual([]);
  expect(only(await chat.say("/search"), "error")[0]?.code).toBe("usage");
});

test("SLASH-3: /why with words finds the fact, or lists those that may be meant; /undo with words says what it takes", async () => {
  const chat = await new ChatRoom(null).open();
  const facts = ["The dentist is Dr. Kim", "The dentist closes at 5", "Standup is at 10"];
  for (const fact of facts) await chat.say(`/remember ${fact}`);
  expect(outputOf(await chat.say("/why standup"))).toContain("**Standup is at 10**");
  const [several] = only(await chat.say("/why dentist"), "picker");
  const items = several?.picker.items ?? [];
  expect(items.map(({ label }) => label).sort()).toEqual(facts.slice(0, 2).sort());
  expect(items.every(({ value, detail }) => detail.endsWith(value.replace("fact ", "")))).toBe(true);
  expect(outputOf(await chat.say(`${several?.picker.command} ${items[0]?.value}`))).toContain(
    items[0]?.label ?? "?",
  );
  expect(only(await chat.say("/why xylophone"), "picker")).toEqual([]);

  const [refused] = only(await chat.say("/undo dentist"), "error");
  expect(refused?.hint).toContain("/undo takes a fact's id");
  expect(outputOf(await chat.say("/memory")).split("\n")).toHaveLength(facts.length);
});

test("FORGET-1: /forget shows messages that contain the words, and offers no other fact for removal", async () => {
  const chat = await new ChatRoom(null).open();
  await chat.say("/remember Works at Acme in Berlin");
  await chat.say("My sister Eva lives in Graz");
  const events = await chat.say("/forget eva");
  expect(only(events, "picker")).toEqual([]);
  expect(String(only(events, "notice")[0]?.text)).toContain("message 1  My sister Eva lives in Graz");
  expect(only(await chat.say("/forget submarine"), "picker")).toEqual([]);
});

test("TUI-20: /why without an id lists the memories of the last reply, with text, date and id", async () => {
  await using server = await new AnthropicServer(() => ({ text: "At pier nine." })).start();
  const [asking, offline] = [new ChatRoom(server), new ChatRoom(null)];
  await asking.retain.documents.put({ id: "harbour", content: "# Harbour\n\nThe boat lies at pier nine." });
  const { saved } = await offline.retain.facts.remember("The boat lies at pier nine");
  for (const [room, name] of [
    [asking, "harbour"],
    [offline, saved[0]?.id ?? ""],
  ] as const) {
    const chat = await room.open();
    expect(only(await chat.say("/why"), "picker")).toEqual([]);
    await chat.say("Where does the boat lie?");
    const [listed] = only(await chat.say("/why"), "picker");
    expect(listed?.picker.items).toHaveLength(1);
    const { label = "", detail = "", value } = listed?.picker.items[0] ?? {};
    expect(label).toContain("The boat lies at pier nine");
    expect(detail).toMatch(/^\d{4}-\d\d-\d\d, /);
    expect(detail).toEndWith(name);
    expect(outputOf(await chat.say(`${listed?.picker.command} ${value}`))).toContain("pier nine");
  }
});

test("SLASH-3: /undo undoes the last change and shows it", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  await chat.say("/remember The boat is called Nautilus");
  expect(outputOf(await chat.say("/undo"))).toContain("- The boat is called Nautilus");
  expect(await room.retain.facts.list()).toEqual([]);
  expect(only(await chat.say("/undo"), "error")[0]?.code).toBe("not_found");
});

test("SLASH-3: /undo calls a request to remember what the command line calls it", async () => {
  const chat = await new ChatRoom(null).open();
  await chat.say("remember that the boat is called Nautilus");
  expect(outputOf(await chat.say("/undo"))).toStartWith("Undone: remember (");
});

test("SLASH-3: /memory shows what /search found, including a note and a chunk of a document", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.log("Parcel: it waits on the ninth floor");
  const parts = Array.from(
    { length: 8 },
    (_, at) => `## Part ${at}\n\n${`Filler ${at} is dull. `.repeat(60)}`,
  );
  const content = `# Manual\n\n## Beeswax\n\nPolish the manual with it.\n\n${parts.join("\n\n")}`;
  await room.retain.documents.put({ id: "manual", content });
  const chat = await room.open();
  const chosen = async (query: string) => {
    const [found] = only(await chat.say(`/search ${query}`), "picker");
    return outputOf(await chat.say(`${found?.picker.command} ${found?.picker.items[0]?.value}`));
  };
  expect(await chosen("ninth floor")).toContain("it waits on the ninth floor");
  expect(await chosen("filler 5")).toContain("Filler 5 is dull");
});

test("SLASH-3: /memory shows the message of the home conversation that /search found, not the project's with the same id", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["--model", "none", "We met a heron by the lake"]);
  await sandbox.makeProject();
  sandbox.ok(["--model", "none", "We talk about gliders"]);
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: {} });
  const [project, home] = await retain.sessions.list();
  expect(project?.id).toBe(home?.id ?? "");
  const chat = new Conversing(await retain.chat({ interactive: true, model: "none", resume: "last" }));
  const [found] = only(await chat.say("/search heron"), "picker");
  expect(found?.picker.items[0]?.value).toMatch(new RegExp(`^message \\d+ of ${home?.id} in home$`));
  const shown = outputOf(await chat.say(`/memory ${found?.picker.items[0]?.value}`));
  expect(shown).toContain("We met a heron by the lake");
  expect(outputOf(await chat.say(`/memory session ${project?.id}`))).toContain("We talk about gliders");
});

test("SLASH-3: /memory lists the facts that contain the given words", async () => {
  const chat = await new ChatRoom(null).open();
  await chat.say("/remember The boat is called Nautilus");
  await chat.say("/remember The cat is called Ink");
  for (const words of ["nautilus", "boat is"])
    expect(outputOf(await chat.say(`/memory ${words}`))).toMatch(/^- The boat is called Nautilus.*$/);
  expect(outputOf(await chat.say("/memory boat of ours"))).toContain('"boat of ours"');
});

test("SLASH-4: /new, /sessions and /resume switch conversations", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  await chat.say("We talk about gliders");
  expect(only(await chat.say("/new"), "session")[0]).toMatchObject({ id: null, past: [] });
  await chat.say("We talk about kites");
  const [picker] = only(await chat.say("/sessions"), "picker");
  expect(picker?.picker.command).toBe("/resume");
  expect(picker?.picker.items.map(({ label }) => label)).toEqual(["We talk about gliders"]);
  const [back] = only(await chat.say(`/resume ${picker?.picker.items[0]?.value}`), "session");
  expect(back?.past[0]?.text).toBe("We talk about gliders");
  expect(only(await chat.say("/resume 19991231"), "error")[0]?.code).toBe("not_found");
  await chat.close();
  const summaries = (await room.retain.sessions.list()).map(({ summary }) => summary);
  expect(summaries.length).toBe(2);
  expect(summaries).not.toContain(null);
});

test("SLASH-4: /title and /tag change a conversation, and /export writes it to a new file", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  expect(only(await chat.say("/title x"), "error").length).toBe(1);
  await chat.say("hello there");
  const [named] = only(await chat.say("/title Plans for Lisbon"), "named");
  expect(named?.title).toBe("Plans for Lisbon");
  await chat.say("/tag travel, fun");
  await chat.say("/tag -fun");
  const session = await room.retain.sessions.find("last");
  expect([session.title, session.tags]).toEqual(["Plans for Lisbon", ["travel"]]);
  await chat.say("/export json");
  const file = join(room.sandbox.work, `${session.id}.json`);
  expect(JSON.parse(readFileSync(file, "utf8")).title).toBe("Plans for Lisbon");
  expect(only(await chat.say("/export json"), "error")[0]?.code).toBe("exists");
  expect(endOf(await chat.say("/export pdf"))).toBe("failed");
});

test("SLASH-1: /context shows the model's context, part by part with sizes and reasons", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("The deploy runs on Fridays");
  const chat = await room.open();
  await chat.say("when do we deploy?");
  const table = outputOf(await chat.say("/context"));
  expect(table).toMatch(/\| Base instructions[^|]*\| \d+ \|[^|]*\| yes \|/i);
  expect(table).toMatch(/\d+ of \d+ tokens\./);
});

test("SLASH-1: /context shows what was sent: memories, tools, the conversation, and what is left of the window", async () => {
  await using server = await new AnthropicServer(() => ({ text: "On Fridays." })).start();
  const room = new ChatRoom(server);
  await room.retain.documents.put({ id: "ferry", content: "The ferry to Skye leaves at nine" });
  const chat = await room.open();
  await chat.say("when does the ferry to Skye leave?");
  const shown = outputOf(await chat.say("/context"));
  expect(shown).toMatch(/^- document \S*ferry/m);
  expect(shown).toMatch(/\| Tools \(\d+\) \| [1-9]\d+ \| \d/);
  expect(shown).toMatch(/\| Conversation \(2 messages\) \| [1-9]/);
  expect(shown).toMatch(/\d+ of 200000 tokens used.*\d+ left \(\d+%\)/);
  expect(server.requests).toHaveLength(1);
});

test("SLASH-1: /model changes the model; /tools limits the tools", async () => {
  await using server = await new AnthropicServer([{ text: "By model." }]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  expect(only(await chat.say("/model none"), "model")[0]?.name).toBeNull();
  expect(only(await chat.say("who?"), "text")[0]?.text).toContain("No relevant memories");
  const [picker] = only(await chat.say("/model"), "picker");
  expect(picker?.picker.items.map(({ value }) => value)).toContain("anthropic/claude-haiku-4-5");
  await chat.say("/model anthropic/claude-haiku-4-5");
  expect(only(await chat.say("hi"), "message")[0]?.text).toBe("By model.");
  expect(only(await chat.say("/model nonsense"), "error")[0]?.code).toBe("usage");
  expect(only(await chat.say("/model claude"), "error")[0]?.hint).toContain("anthropic/claude-haiku-4-5");
  expect(only(await chat.say("/tools none"), "tools")[0]?.mode).toBe("none");
  expect(only(await chat.say("/tools perhaps"), "error")[0]?.code).toBe("usage");
});

test("CHAT-8: /incognito starts a conversation that is not stored, and /new ends it", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  expect(only(await chat.say("/incognito"), "session")[0]?.incognito).toBe(true);
  await chat.say("the secret handshake");
  expect(only(await chat.say("/remember my secret"), "error")[0]?.code).toBe("conflict");
  expect(await room.retain.sessions.list()).toEqual([]);
  expect(only(await chat.say("/new"), "session")[0]?.incognito).toBe(false);
});

test("SLASH-3: /search finds messages of the open conversation, and /memory says where one came from", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  await chat.say("We moor the barge below the old weir");
  const [found] = only(await chat.say("/search weir"), "picker");
  const item = found?.picker.items.find(({ detail }) => detail.includes("this conversation"));
  const events = await chat.say(`${found?.picker.command} ${item?.value}`);
  const { id } = await room.retain.sessions.find("last");
  expect(outputOf(events)).toContain("We moor the barge below the old weir");
  expect(outputOf(events)).toContain(id);
  const [actions] = only(events, "picker");
  expect(actions?.picker.isDetail).toBe(true);
  const commands = actions?.picker.items.map(({ command }) => command) ?? [];
  expect(commands).toContain("/memory");
  expect(commands).not.toContain("/resume");
});

test("SLASH-3: /memory offers what applies to a fact: confirm, edit, an earlier version", async () => {
  const room = new ChatRoom(null);
  const { facts } = room.retain;
  const source = { by: "learn", session: null, message: null, trust: "inferred", tags: [] } as const;
  const nest = { text: "The heron nests on the weir", category: null, chat: null, source };
  await facts.writeUnconfirmed([{ about: "project", fact: nest }]);
  await facts.remember("Mondays", { key: "Deploy day" });
  await facts.remember("Fridays", { key: "Deploy day" });
  const chat = await room.open();
  const actionsFor = async (words: string) => {
    const fact = (await facts.list()).find(({ text }) => text.includes(words));
    const [picker] = only(await chat.say(`/memory fact ${fact?.id}`), "picker");
    return picker?.picker.items ?? [];
  };
  const heron = await actionsFor("heron");
  expect(heron.map(({ command }) => command)).toEqual(["/confirm", "/edit", "/forget", undefined]);
  const deploy = await actionsFor("Fridays");
  expect(deploy.map(({ command }) => command)).toEqual(["/edit", "/undo", "/forget", undefined]);
  await chat.say(`/undo ${deploy[1]?.value}`);
  expect((await facts.list()).map(({ text }) => text)).toContain("Deploy day: Mondays");
});

test("SLASH-3: /memory restores an earlier version of a document", async () => {
  const room = new ChatRoom(null);
  const { documents } = room.retain;
  await documents.put({ id: "moorings", content: "# Moorings\n\nThe barge lies at the weir." });
  await documents.update("moorings", { content: "# Moorings\n\nThe barge lies at the lock." });
  const chat = await room.open();
  const follow = async (line: string, choose: RegExp) => {
    const events = await chat.say(line);
    const [shown] = only(events, "picker");
    const item = shown?.picker.items.find(({ label }) => choose.test(label));
    return { events, next: `${item?.command ?? shown?.picker.command} ${item?.value}` };
  };
  const { next: found } = await follow("/search barge", /barge/);
  const { events, next: versions } = await follow(found, /version/);
  expect(outputOf(events)).toMatch(/line \d+/);
  const { next: restore } = await follow(versions, /./);
  await chat.say(restore);
  expect((await documents.get("moorings")).content).toContain("at the weir");
});

test("SLASH-1: /model lists prices and context sizes, marks the model in use, and says what others need", async () => {
  await using server = await new AnthropicServer([]).start();
  const chat = await new ChatRoom(server).open();
  const [list] = only(await chat.say("/model"), "picker");
  const detailOf = (name: string) => list?.picker.items.find(({ label }) => label === name)?.detail ?? "";
  expect(detailOf("anthropic/claude-haiku-4-5")).toMatch(/^in use, \$1 in, \$5 out.*200k/);
  expect(detailOf("anthropic/claude-sonnet-4-5")).toMatch(/^\$3 in/);
  expect(detailOf("openai/gpt-5-mini")).toBe("needs OPENAI_API_KEY");
  expect(only(await chat.say("/model openai/gpt-5-mini"), "error")[0]?.hint).toContain("OPENAI_API_KEY");
});
