/** What leaves this machine for a hosted index, and which of its hits a question may show. */
import { expect, test } from "bun:test";
import { conversation, talk } from "../helpers/conversations.ts";
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
