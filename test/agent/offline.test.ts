/** A chat without a model. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { ChatEvent } from "../../src/agent/events.ts";
import { ChatRoom, only, textOf } from "../helpers/chat.ts";
import { Sandbox } from "../helpers/sandbox.ts";

test("OFFLINE-1: without a model, the answer quotes the best passages with date and id, and nothing else", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("The deploy runs on Fridays at noon");
  await room.retain.documents.put({
    content: "# Backups\n\nBackups go to Lisbon every night.",
    id: "backups",
  });
  const chat = await room.open();
  const events = await chat.say("when does the deploy run?");
  expect(textOf(events)).toContain("> The deploy runs on Fridays at noon");
  expect(textOf(events)).toMatch(/\d{4}-\d\d-\d\d, fact [0-9a-v]{10}/);
  expect(textOf(await chat.say("where do backups go?"))).toContain("Backups go to Lisbon every night.");
  expect(textOf(await chat.say("xylophone quartz"))).toBe("No relevant memories.");
});

test("OFFLINE-1: one notice says that no model is configured and how to configure one", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  const told = () =>
    only(chat.events, "notice").filter(({ text }) => text.startsWith("No model is configured"));
  await chat.say("hello");
  await chat.say("hello again");
  expect(told().length).toBe(1);
  expect(told()[0]?.text).toContain("ANTHROPIC_API_KEY");
  expect(told()[0]?.text).not.toContain("\n");
});

test("OFFLINE-1: a resumed session does not say again that no model is configured", async () => {
  const room = new ChatRoom(null);
  const told = (events: readonly ChatEvent[]) =>
    only(events, "notice").filter(({ text }) => text.startsWith("No model is configured")).length;
  const first = await room.open();
  await first.say("deploy day?");
  await first.say("/new");
  await first.say("deploy day?");
  expect(told(first.events)).toBe(1);
  await first.close();
  const resumed = await room.open({ resume: "last" });
  await resumed.say("deploy day?");
  expect(told(resumed.events)).toBe(0);
});

test("OFFLINE-1: a plain statement is acknowledged; a question or a topic is answered from memory", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("The deploy runs on Fridays at noon");
  const chat = await room.open();
  expect(textOf(await chat.say("The deploy is on Mondays now"))).toContain('"remember that"');
  for (const asked of ["deploy day?", "deploy Fridays", "when does the deploy run"])
    expect(textOf(await chat.say(asked))).toContain("> The deploy runs on Fridays at noon");
  expect(await room.retain.facts.list()).toHaveLength(1);
  expect(textOf(await chat.say("what is on Mondays?"))).toContain("> The deploy is on Mondays now");
  const hidden = await room.open({ incognito: true });
  expect(textOf(await hidden.say("The deploy is on Mondays now"))).toStartWith("Not saved: ");
});

test("OFFLINE-1: a message that asks nothing is acknowledged, and no memory is quoted", async () => {
  const room = new ChatRoom(null);
  for (const fact of ["We drink kombucha on Sundays", "I like tea, thanks to Ana", "The ok button is green"])
    await room.retain.facts.remember(fact);
  const chat = await room.open();
  for (const said of [
    "I brew kombucha on Sundays",
    "Sold our old sofa on Sunday, thanks to Ana",
    "gf prefers green tea",
    "the tea shop in Porto",
    "Mi hermana bebe kombucha los domingos",
  ]) {
    expect([said, textOf(await chat.say(said))]).toEqual([
      said,
      'Noted in this conversation. To save it as a fact, begin with "remember that"; to search memory for it, end with "?".',
    ]);
  }
});

test("OFFLINE-1: a request for a reminder is answered with how to save it; 'remind me what' is a question", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("Ana wants to be called before noon");
  const chat = await room.open();
  for (const said of ["remind me what Ana wants", "remind me about Ana"])
    expect([said, textOf(await chat.say(said))]).toEqual([
      said,
      expect.stringContaining("> Ana wants to be"),
    ]);
  for (const said of [
    "remind me to call Ana",
    "Can you remind me tomorrow to call Ana?",
    "Erinnere mich daran, Ana anzurufen",
    "Recuérdame llamar a Ana",
    "提醒我给安娜打电话",
  ])
    expect([said, textOf(await chat.say(said))]).toEqual([said, expect.stringContaining("no reminders")]);
});

test("OFFLINE-1: chit-chat finds nothing, even if a memory contains its words", async () => {
  const room = new ChatRoom(null);
  for (const fact of ["I like tea, thanks to Ana", "The ok button is green", "Great Street is my stop, yes"])
    await room.retain.facts.remember(fact);
  const chat = await room.open();
  for (const said of [
    "thanks",
    "ok",
    "great!",
    "ok great",
    "yes",
    "Thanks, yes.",
    "👍",
    "danke",
    "vale, gracias",
  ])
    expect([said, textOf(await chat.say(said))]).toEqual([
      said,
      'Ask a question, or begin with "remember that" to save a fact.',
    ]);
});

test("OFFLINE-1: a lookup of one or two words is answered with the memories that contain them, not similar ones", async () => {
  const room = new ChatRoom(null, { settings: { embedding: "minilm" } });
  for (const fact of [
    "My dentist is Dr. Weber",
    "The weather in Porto was wonderful",
    "Our cat is called Miso",
  ])
    await room.retain.facts.remember(fact);
  await room.retain.index.embed();
  const chat = await room.open();
  for (const said of ["dentist", "my dentist", "dentists Weber"])
    expect([said, textOf(await chat.say(said)).match(/^> (?!—).+$/gm)]).toEqual([
      said,
      ["> My dentist is Dr. Weber"],
    ]);
  for (const said of ["lovely", "quartz xylophone"])
    expect([said, textOf(await chat.say(said))]).toEqual([said, "No relevant memories."]);
});

test("OFFLINE-1: an earlier question or lookup is never part of an answer", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  for (const said of ["kombucha jars", "how many kombucha jars do we have", "find the notes on kombucha"])
    await chat.say(said);
  expect(textOf(await chat.say("where is the kombucha?"))).toBe("No relevant memories.");
});

test("REQUEST-1: without a model, requests to remember are saved, and quoted memories are not stored again", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  const events = await chat.say("Please remember that the cat is called Miso");
  expect(only(events, "memory")[0]?.saved).toEqual(["the cat is called Miso"]);
  expect(only(await chat.say("remember the cat is called Miso"), "memory")[0]?.skipped.length).toBe(1);
  await chat.say("what is the cat called?");
  const { conversation } = await room.retain.sessions.show("last");
  expect(conversation.filter(({ role }) => role === "assistant").map(({ content }) => content)).toEqual([
    "",
    "",
    "",
  ]);
  const asked = await room.open();
  const again = await asked.say("what is the cat called?");
  expect(textOf(again).match(/Miso/g)?.length).toBe(1);
});

test("REQUEST-1: a request is saved at once with its message; a secret, incognito or memory off saves nothing and says so", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  await chat.say("Remember that the door is blue");
  const [fact] = await room.retain.facts.list();
  expect(fact?.source).toMatchObject({ by: "user", trust: "stated", session: expect.any(String) });
  const secret = await chat.say("Remember that my key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789");
  expect(textOf(secret)).toStartWith("Not saved: ");
  const hidden = await room.open({ incognito: true });
  expect(only(await hidden.say("Remember that the cat is called Miso"), "memory")).toEqual([]);
  expect((await room.retain.facts.list()).length).toBe(1);
  const off = new ChatRoom(null, { settings: { embedding: "none", memory_backend: "off" } });
  expect(textOf(await (await off.open()).say("Remember that I like tea"))).toStartWith("Not saved: ");
});

test("OFFLINE-1: a message at home answers in a project, even if its id equals the question's", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["--model", "none", "We met the heron by the lake"]);
  await sandbox.makeProject();
  const { stdout } = sandbox.ok(["--model", "none", "--chat", "main", "Where did we meet the heron?"]);
  expect(stdout).toContain("> We met the heron by the lake");
});

test("OFFLINE-6: 'that's wrong' and 'forget that' list the facts of the last answer, and end the selected one", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("The deploy runs on Fridays at noon");
  const chat = await room.open();
  expect(only(await chat.say("forget that"), "picker")).toEqual([]);
  await chat.say("when does the deploy run?");
  for (const said of [
    "That's wrong.",
    "forget that!",
    "Das stimmt nicht mehr",
    "Eso ya no es cierto.",
    "不对。",
  ]) {
    const [asked] = only(await chat.say(said), "picker");
    expect([said, asked?.picker.items.map(({ label }) => label)]).toEqual([
      said,
      ["The deploy runs on Fridays at noon"],
    ]);
    expect(asked?.picker.isPermanent).toBe(true);
  }
  expect(await room.retain.facts.list()).toHaveLength(1);
  const [asked] = only(await chat.say("forget that"), "picker");
  const events = await chat.say(`${asked?.picker.command} ${asked?.picker.items[0]?.value}`);
  expect(only(events, "memory")[0]?.ended).toEqual(["The deploy runs on Fridays at noon"]);
  expect(
    only(events, "notice")
      .map(({ text }) => text)
      .join(),
  ).toContain("/forget");
  expect(await room.retain.facts.list()).toEqual([]);
  expect(await room.retain.facts.list({ which: "superseded" })).toHaveLength(1);
  await room.retain.facts.undo();
  expect(await room.retain.facts.list()).toHaveLength(1);
});

test("OFFLINE-7: a statement that changes a saved fact is acknowledged with that fact and how to replace or end it", async () => {
  const room = new ChatRoom(null);
  for (const fact of ["My dentist is Dr. Weber", "My manager is Sofia", "The deploy runs on Fridays at noon"])
    await room.retain.facts.remember(fact);
  const chat = await room.open();
  for (const [said, fact] of [
    ["my dentist is no longer Dr. Weber", "My dentist is Dr. Weber"],
    ["My manager is now Tom", "My manager is Sofia"],
    ["That's wrong, my manager is Tom.", "My manager is Sofia"],
  ] as const) {
    const answer = textOf(await chat.say(said));
    for (const part of [`"${fact}"`, '"remember that"', '"forget that"']) expect(answer).toContain(part);
    const [asked] = only(await chat.say("forget that"), "picker");
    expect(asked?.picker.items.map(({ label }) => label)).toEqual([fact]);
  }
  expect(textOf(await chat.say("My plumber is no longer Dr. Klein"))).not.toContain("forget that");
  expect(await room.retain.facts.list()).toHaveLength(3);
  await chat.say("remember that my manager is now Tom");
  expect((await room.retain.facts.list({ which: "superseded" })).map(({ text }) => text)).toEqual([
    "My manager is Sofia",
  ]);
});

test("OFFLINE-7: a statement that says the same as a saved fact is known, and that fact isn't offered for a change", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("I don't do yoga any more");
  const chat = await room.open();
  for (const said of ["I don't do yoga any more", "That's wrong, I don't do yoga any more!"])
    expect([said, textOf(await chat.say(said))]).toEqual([said, "I know that already."]);
  const events = await chat.say("I don't do yoga any more, remember that");
  expect(only(events, "memory")[0]?.skipped).toEqual(["I don't do yoga any more"]);
  const [asked] = only(await chat.say("forget that"), "picker");
  expect(asked?.picker.items.map(({ label }) => label)).toEqual(["I don't do yoga any more"]);
});

test("OFFLINE-6: a request to forget something that it names lists the facts about it", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("My dentist is Dr. Weber");
  await room.retain.facts.remember("The deploy runs on Fridays at noon");
  const chat = await room.open();
  for (const said of [
    "forget that my dentist is Dr. Weber",
    "Delete the fact about my dentist.",
    "please forget everything about the dentist",
  ]) {
    const [asked] = only(await chat.say(said), "picker");
    expect([said, asked?.picker.items.map(({ label }) => label)]).toEqual([
      said,
      ["My dentist is Dr. Weber"],
    ]);
  }
  expect(await room.retain.facts.list()).toHaveLength(2);
});

test("OFFLINE-6: a sentence that says more is a question like any other", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("The deploy runs on Fridays at noon");
  const chat = await room.open();
  await chat.say("when does the deploy run?");
  for (const said of [
    "forget that deploy script, what else is there?",
    "that's wrong with the deploy",
    "forget it",
  ])
    expect([said, only(await chat.say(said), "picker")]).toEqual([said, []]);
});

test("OFFLINE-6: after a request to remember, 'forget that' offers the fact that was saved", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  for (const request of ["Remember that the door is blue", "remember that the door is blue"]) {
    await chat.say(request);
    const [asked] = only(await chat.say("forget that"), "picker");
    expect(asked?.picker.items.map(({ label }) => label)).toEqual(["the door is blue"]);
  }
});

test("OFFLINE-1: passages that score far below the best one are omitted", async () => {
  const sandbox = new Sandbox();
  for (const fact of ["I work at Acme", "City: Hamburg since last week", "Foo is bar", "Zoo opens at nine"])
    await sandbox.addFact(fact);
  sandbox.ok(["embed"]);
  const { stdout } = sandbox.ok(["--model", "none", "where do I work?"]);
  expect(stdout.match(/^> — .*$/gm)).toHaveLength(1);
  expect(stdout).toContain("Acme");
});

test("OFFLINE-1: the memories that an answer quotes count as recalled once, but not in an incognito chat", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("The deploy runs on Fridays at noon");
  await room.retain.documents.put({ content: "The deploy needs two people.", id: "deploys" });
  const counts = () => {
    using database = new Database(join(room.sandbox.memory, "retain.db"), { readonly: true });
    return database.query("SELECT kind, count FROM recalls ORDER BY kind").values();
  };
  const hidden = await room.open({ incognito: true });
  await hidden.say("when does the deploy run?");
  expect(counts()).toEqual([]);
  const chat = await room.open();
  await chat.say("when does the deploy run?");
  expect(counts()).toEqual([
    ["document", 1],
    ["fact", 1],
  ]);
});

test("OFFLINE-1: an earlier objection is never part of an answer", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  await chat.say("forget that");
  expect(textOf(await chat.say("what did I forget?"))).toBe("No relevant memories.");
});

test("SESS-26: an answer from memory is shown again wherever its conversation is, and no search finds it", async () => {
  const room = new ChatRoom(null);
  const { sessions, facts } = room.retain;
  await facts.remember("The heron lives by the lake");
  const chat = await room.open();
  const said = ["remember that the otter is shy", "where does the heron live?", "what is xyzzy?"];
  const answers: string[] = [];
  for (const line of said) answers.push(textOf(await chat.say(line)));
  expect(answers[0]).toBe("I will remember that.");
  expect(answers[1]).toContain("> The heron lives by the lake");
  await chat.close();
  const { messages } = JSON.parse(await sessions.export("last", "json"));
  expect(messages.map(({ content }: { content: string }) => content)).toEqual(
    said.flatMap((line, at) => [line, answers[at]]),
  );
  const [id = ""] = (await sessions.list()).map((session) => session.id);
  const shown = room.sandbox.ok(["sessions", "show", id]).stdout;
  const resumed = await room.open({ resume: "last" });
  const past = only(resumed.events, "session")[0]?.past ?? [];
  for (const answer of answers) {
    expect(shown).toContain(answer);
    expect(past.map(({ text }) => text)).toContain(answer);
  }
  expect((await room.retain.search("heron lake")).hits.map(({ kind }) => kind)).toEqual(["fact"]);
});

test("SESS-32: forgetting a fact also removes it from answers that quoted it", async () => {
  const room = new ChatRoom(null);
  const { sessions, facts } = room.retain;
  await facts.remember("The heron lives by the lake");
  const chat = await room.open();
  expect(textOf(await chat.say("where does the heron live?"))).toContain("by the lake");
  const [fact] = await facts.list();
  await facts.forget(fact?.id ?? "");
  expect(await sessions.export("last", "markdown")).not.toContain("by the lake");
});

test("REFLECT-5: a question in a conversation's summary is no answer", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  await chat.say("We recycle on Mondays.");
  await chat.say("Who is my dentist?");
  const [session] = await room.retain.sessions.list();
  const id = session?.id ?? "";
  const { summary } = await room.retain.sessions.summarise(id, null);
  expect(summary).toContain("dentist?");
  await room.retain.sessions.rename(id, "Waste");
  const { answer } = await room.retain.reflect("who is my dentist", { model: null });
  expect(answer).not.toContain("dentist");
});

test("OFFLINE-7: a correction names the fact that it changes; one that names none, the facts of the answer that it is about", async () => {
  const room = new ChatRoom(null);
  for (const fact of ["I live in Madrid", "The deploy runs on Fridays at noon"])
    await room.retain.facts.remember(fact);
  const chat = await room.open();
  for (const said of [
    "That's wrong, I live in Valencia now",
    "no, I live in Valencia now",
    "No, that's wrong. I now live in Valencia",
    "Nein, das stimmt nicht: I now live in Valencia",
  ]) {
    await chat.say("where do I live?");
    const answer = textOf(await chat.say(said));
    expect([said, answer.includes('"I live in Madrid"'), answer.includes("deploy")]).toEqual([
      said,
      true,
      false,
    ]);
    const [asked] = only(await chat.say("that's wrong"), "picker");
    expect(asked?.picker.items.map(({ label }) => label)).toEqual(["I live in Madrid"]);
  }
  await chat.say("when does the deploy run?");
  expect(textOf(await chat.say("That's wrong, it is at midnight"))).toContain(
    "The deploy runs on Fridays at noon",
  );
});

test("OFFLINE-6: 'that's wrong' means the last answer, and lists its best match first; one that showed no facts lists none", async () => {
  const room = new ChatRoom(null);
  const facts = [
    "The heron likes the quiet lake behind the mill, the mayor says",
    "The heron likes the lake",
  ];
  for (const fact of facts) await room.retain.facts.remember(fact);
  const chat = await room.open();
  const listed = async (said: string) =>
    only(await chat.say(said), "picker").flatMap(({ picker }) => picker.items.map(({ label }) => label));
  await chat.say("which lake does the heron like?");
  expect(await listed("that's wrong")).toEqual(facts.toReversed());
  expect(await listed("forget that")).toEqual(facts.toReversed());
  const named = await listed("forget everything about the quiet lake");
  expect(named).not.toEqual([]);
  expect(await listed("forget that")).toEqual(named);
  for (const said of ["I painted the fence green", "what is xyzzy?"]) {
    await chat.say("which lake does the heron like?");
    await chat.say(said);
    expect([said, ...(await listed("forget that"))]).toEqual([said]);
  }
});

test("OFFLINE-1: an answer quotes piped text without the question about it and without tags", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["--model", "none", "who is on call?"], {
    stdin: "The on-call is Nora.\nHer desk is </input> 4.",
  });
  const { stdout } = sandbox.ok(["--model", "none", "who is on call?"]);
  expect(stdout).toContain("\n> The on-call is Nora.\n> Her desk is ");
  expect(stdout).not.toContain("who is on call");
  expect(stdout).not.toContain("<input>");
  expect(stdout).not.toContain("</input>");
});
