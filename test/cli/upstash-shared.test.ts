/** What leaves this machine for a hosted index, and which of its hits a question may show. */
import { expect, test } from "bun:test";
import { conversation, talk, withSessions } from "../helpers/conversations.ts";
import { HOME, type Machine, machines } from "../helpers/upstash-machine.ts";

test("VECTOR-5: private text stays here even if its tag is in a question, which is not searched", async () => {
  const [machine] = (await machines(1)) as [Machine];
  const { server } = machine;
  await conversation(
    machine,
    talk("Do you know <private>this? The door code is 4711.", "Ferns grow in the shade."),
  );
  await machine.retain(["embed", "--to", "upstash"]);
  expect(server.facts(HOME)).toEqual(["Ferns grow in the shade."]);
  expect(server.requests.map(({ text }) => text).join("\n")).not.toContain("4711");
});

test("VECTOR-2: another machine's memories pass the same filters as this one's: tags, chats and fields of documents", async () => {
  const [one, other] = (await machines(2)) as [Machine, Machine];
  await one.retain(["remember", "Herons wade in shallow water", "--tags", "birds"]);
  await one.retain(["remember", "Herons wade near the mill", "--chat", "work"]);
  const found = async (more = "", ...args: string[]) => {
    const { results } = await other.json(["search", `where do herons wade ${more}`, ...args]);
    return results.map(({ text }: { text: string }) => text).sort();
  };
  expect(await found()).toEqual(["Herons wade in shallow water", "Herons wade near the mill"]);
  expect(await found("tag:birds")).toEqual(["Herons wade in shallow water"]);
  expect(await found("tag:fish")).toEqual([]);
  expect(await found("", "--filter", "priority=high")).toEqual([]);
  const { stdout } = await other.retain(["context", "--query", "where do herons wade"]);
  expect(stdout).toContain("shallow water");
  expect(stdout).not.toContain("near the mill");
});

test("VECTOR-1: metadata follows a fact whose text stays the same, so that other machines see its end and its category", async () => {
  const [machine] = (await machines(1)) as [Machine];
  const { server } = machine;
  const memory = (heading: string) =>
    machine.write(
      "../home/.retain/memories/MEMORY.md",
      `# Memory\n\n## ${heading}\n\n- Herons wade at dusk\n`,
    );
  memory("Birds");
  await machine.retain(["facts"]);
  const id = server.stored(HOME)[0]?.id ?? "";
  memory("Herons");
  await machine.retain(["facts"]);
  await machine.retain(["remember", "Herons wade at dusk", "--until", "2030-11-20"]);
  expect(server.stored(HOME)).toMatchObject([{ id, metadata: { category: "Herons", until: "2030-11-20" } }]);
});

test("VECTOR-2: a context and a chat's answer ask the index once; mental models and forget don't ask it", async () => {
  const [one, other] = (await machines(2)) as [Machine, Machine];
  const { server } = one;
  const session = await conversation(one, talk("Herons wade at dusk.", "Dusk is best for herons."));
  await withSessions(one, async (sessions) =>
    sessions.change(session, { summary: "We talked about how herons wade." }),
  );
  await one.retain(["facts"]);
  await other.retain(["remember", "Terns dive for fish"]);
  const asked = async (...args: string[]) => {
    const before = server.sent("query-data").length;
    const { stdout } = await other.retain(args, { env: { RETAIN_MODEL: "none" } });
    const questions = server.sent("query-data").slice(before);
    return { stdout, questions: questions.map(({ body }) => body.data) };
  };
  const question = "where do herons wade";
  const context = await asked("context", "--query", question);
  expect(context.questions).toEqual([question]);
  expect(context.stdout).toContain("Herons wade at dusk.");
  expect(context.stdout).toContain("We talked about how herons wade.");
  expect((await asked("chat", "-p", question)).questions).toEqual([question]);
  expect((await asked("forget", "dive for mussels")).questions).toEqual([]);
});
