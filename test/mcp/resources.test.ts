/** Memories as resources, and the prompts. */
import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { documentUri, entryUri, nameInUri, readMemoryUri } from "../../src/mcp/memory-uri.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes, REVISIONS } from "./clients.ts";

const TEMPLATE = { type: "ref/resource" as const, uri: "memory://{+id}" };

for (const revision of REVISIONS)
  test(`MCP-10: the context, and the newest documents, facts and notes, are listed and can be read (${revision})`, async () => {
    const sandbox = new Sandbox();
    await sandbox.addFact("Ada prefers tea.");
    sandbox.ok(["log", "Release: version 2 is out."]);
    await sandbox.addDocument("# The plan\n\nFirst this.", { id: "plan", collection: "plans" });
    await sandbox.addDocument("# Sizes\n\nSmall.", { id: "größe" });
    const { client } = await overPipes(sandbox, [], { revision });
    const { resources } = await client.listResources();
    const texts = new Map<string, string>();
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType: "text/markdown" }]);
      texts.set(uri, (contents[0] as { text: string }).text);
    }
    expect(resources.map(({ title }) => title)).toEqual([
      "Context",
      "Sizes",
      "The plan",
      "Ada prefers tea.",
      "Release",
    ]);
    const [context = "", sizes = "", plan = "", fact = "", note = ""] = texts.values();
    expect(context).toContain("Ada prefers tea.");
    expect(sizes).toContain("Small.");
    expect(plan).toContain("First this.");
    expect(fact).toContain("\n\nAda prefers tea.\n\n- category: ");
    expect(note).toContain("Release\n\nversion 2 is out.");
    expect([...texts.keys()]).toContain("memory://plans/plan");
    expect([...texts.keys()]).toContain("memory://memory/gr%C3%B6%C3%9Fe");
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: TEMPLATE.uri, mimeType: "text/markdown" }]);
  });

test("MCP-10: private parts of a file are not returned", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument("# Plan\n\nOpen. <private>The code is 4711.</private> End.", { id: "plan" });
  const { client } = await overPipes(sandbox);
  const { contents } = await client.readResource({ uri: "memory://memory/plan" });
  expect(JSON.stringify(contents)).not.toContain("4711");
  expect(JSON.stringify(contents)).toContain("End.");
});

test("MCP-10: the context resource doesn't ask for marks, which nothing would read", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Ada prefers tea.");
  const { client } = await overPipes(sandbox);
  const { contents } = await client.readResource({ uri: "memory://context" });
  const [{ text } = { text: "" }] = contents as { text: string }[];
  expect(text).not.toContain("[MEMORY]");
  const called = await client.callTool({ name: "context", arguments: {} });
  const [{ text: told } = { text: "" }] = called.content as { text: string }[];
  expect(told).toStartWith(text);
});

test("MCP-10: an unknown resource is an error that names it", async () => {
  const { client } = await overPipes(new Sandbox());
  for (const uri of [
    "memory://plans/none",
    "memory://abcdefgh",
    "memory://2026-01-01.md%2310:00-abcdef",
    "memory://",
    "memory://a//b",
    "memory://%zz",
    "memory://../../etc/passwd",
    "file:///etc/passwd",
  ]) {
    const error = await client.readResource({ uri }).catch((thrown) => thrown);
    expect([uri, error.code]).toEqual([uri, -32602]);
    expect(error.message.length).toBeGreaterThan(20);
  }
});

test("MCP-10: ids complete as they are typed", async () => {
  const sandbox = new Sandbox();
  for (const id of ["alpha", "alpine", "beta"]) await sandbox.addDocument(`# ${id}`, { id });
  const fact = sandbox.ok(["remember", "Ada prefers tea.", "--json"]).json.data.saved[0].id as string;
  const { client } = await overPipes(sandbox);
  const complete = async (value: string) =>
    (await client.complete({ ref: TEMPLATE, argument: { name: "id", value } })).completion.values;
  expect(await complete("memory/al")).toContainAllValues(["memory/alpha", "memory/alpine"]);
  expect(await complete(fact.slice(0, 5))).toEqual([fact]);
  expect(await complete("nothing")).toEqual([]);
  expect(await complete("")).toContainAllValues([
    "context",
    fact,
    "memory/alpha",
    "memory/alpine",
    "memory/beta",
  ]);
});

test("MCP-10: every id survives its URI", () => {
  const part = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("/"));
  fc.assert(
    fc.property(part, fc.array(part, { minLength: 1, maxLength: 3 }), (first, rest) => {
      const id = rest.join("/");
      expect(readMemoryUri(documentUri(first, id))).toEqual({ kind: "document", collection: first, id });
      if (first !== "context") expect(readMemoryUri(entryUri(first))).toEqual({ kind: "entry", id: first });
      expect(URL.canParse(documentUri(first, id))).toBe(true);
      expect(`memory://${nameInUri(entryUri(first))}`).toBe(entryUri(first));
    }),
  );
});

test("MCP-10: a fact that a person writes into the file is listed at once", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Ada prefers tea.");
  const { client } = await overPipes(sandbox);
  await client.listResources();
  appendFileSync(join(sandbox.memory, "memories/MEMORY.md"), "- Grace prefers coffee.\n");
  const { resources } = await client.listResources();
  expect(resources.map(({ title }) => title)).toContain("Grace prefers coffee.");
});

test("MCP-10: the prompts save something, and answer from memory", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("The deploy runs on Fridays.");
  const { client } = await overPipes(sandbox);
  const { prompts } = await client.listPrompts();
  expect(
    prompts.map(({ name, arguments: takes }) => [name, takes?.map((one) => [one.name, one.required])]),
  ).toEqual([
    ["remember", [["what", false]]],
    ["recall", [["question", true]]],
  ]);
  const textOf = async (name: string, given: Record<string, string>) => {
    const { messages } = await client.getPrompt({ name, arguments: given });
    expect(messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
    const content = messages[0]?.content;
    return content?.type === "text" ? content.text : "";
  };
  expect(await textOf("remember", { what: "We use {what} and $& here." })).toEndWith(
    "We use {what} and $& here.",
  );
  expect(await textOf("remember", {})).toEndWith("This conversation so far.");
  const asked = await textOf("recall", { question: "When is the deploy?" });
  expect(asked).toStartWith("When is the deploy?");
  expect(asked).toContain("The deploy runs on Fridays.");
  const error = await client.getPrompt({ name: "recall" }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: -32602, message: "The prompt 'recall' needs 'question'." });
});
