/** A call over MCP returns one text with everything a model needs for its next call. */
import { expect, test } from "bun:test";
import { written } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes, REVISIONS } from "./clients.ts";

/** Calls tools, and reads the result as Claude Code and Codex do: structured content if there is any. */
async function reader(sandbox = new Sandbox()) {
  const { client } = await overPipes(sandbox, []);
  return async (name: string, input: Record<string, unknown>) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: input });
    const texts = content.map((part) => (part.type === "text" ? part.text : ""));
    return { isError, text: structuredContent ? JSON.stringify(structuredContent) : texts.join("\n") };
  };
}

/** The first group of a pattern in a text. */
function said(text: string, pattern: RegExp): string {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`${pattern} is not in: ${text}`);
  return found;
}

for (const revision of REVISIONS)
  test(`MCP-3: no tool has an output schema or returns structured content, in success or failure (${revision})`, async () => {
    const { client } = await overPipes(new Sandbox(), [], { revision });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.filter((tool) => "outputSchema" in tool).map(({ name }) => name)).toEqual([]);
    const worked: string[] = [];
    const call = async (name: string, input: Record<string, unknown>) => {
      const answer = await client.callTool({ name, arguments: input });
      expect([name, answer.content]).toEqual([name, [{ type: "text", text: expect.stringMatching(/\S/) }]]);
      expect(answer).not.toHaveProperty("structuredContent");
      const [part] = answer.content;
      return { isError: answer.isError ?? false, text: part?.type === "text" ? part.text : "" };
    };
    for (const { name } of tools) {
      const wrong = await call(name, { nonsense: true });
      expect([name, wrong.isError]).toEqual([name, true]);
      const { isError } = await call(name, JSON.parse(said(wrong.text, /For example: (\{.*\})$/)));
      if (!isError) worked.push(name);
    }
    // The first calls of these two only show what they would do.
    expect(tools.map(({ name }) => name).filter((name) => !worked.includes(name))).toEqual([
      "memory_forget",
      "memory_undo",
    ]);
  });

test("MCP-3: a failure begins with its code, and says what happened and what to do", async () => {
  const call = await reader();
  const missing = await call("memory_get", { id: "nowhere" });
  expect(missing.isError).toBe(true);
  expect(missing.text).toMatch(/^not_found: .*\bnowhere\. .*memory_list$/);
  const wrong = await call("recall", { quer: "deploys" });
  expect(wrong.isError).toBe(true);
  expect(wrong.text).toMatch(/^invalid_input: .*input for recall: .*: query.*For example: \{/);
});

test("MCP-3: facts can be saved, changed, recalled and forgotten with what the texts say", async () => {
  const call = await reader();
  const { text: kept } = await call("retain", {
    items: [{ content: "Deploys run on Fridays" }, { content: "Ada likes tea" }],
  });
  const tea = said(kept, /fact (\w+): "Ada likes tea"/);
  const { text: edited } = await call("memory_update", {
    id: said(kept, /fact (\w+): "Deploys run on Fridays"/),
    old_text: "Fridays",
    new_text: "Mondays",
  });
  const deploys = said(edited, /fact (\w+) now says "Deploys run on Mondays"/);
  for (const name of ["recall", "reflect"])
    expect((await call(name, { query: "When do deploys run?" })).text).toContain(deploys);
  const again = await call("retain", { items: [{ content: "Ada likes tea." }, { content: "```" }] });
  expect(again.text).toMatch(new RegExp(`already known as fact ${tea} .*"Ada likes tea\\."`));
  expect(again.text).toMatch(/not stored: "```": \S/);
  const asked = await call("memory_forget", { id: tea });
  expect(asked.isError).toBe(true);
  expect(asked.text).toContain("Ada likes tea");
  const gone = await call("memory_forget", JSON.parse(said(asked.text, /memory_forget again: (\{.*\})/)));
  expect(gone.isError).toBe(false);
  expect(gone.text).toContain(tea);
});

test("MCP-3: documents can be stored, read, changed, listed and deleted with what the texts say", async () => {
  const call = await reader();
  const { text: put } = await call("memory_put", { content: "# Release plan\n\nShip on 12 May." });
  const id = said(put, /Stored: (\S+), version 1/);
  const { text: read } = await call("memory_get", { id });
  expect(read).toContain("Ship on 12 May.");
  expect(said(read, /Version: (\d+)/)).toBe("1");
  for (const once of [id, "Release plan", "Ship on 12 May.", "<recalled>"])
    expect([once, read.split(once).length - 1]).toEqual([once, 1]);
  const ifVersion = said(read, /Etag: (\S+)\./);
  const change = { id, content: "# Release plan\n\nShip on 13 May.", if_version: ifVersion };
  expect((await call("memory_update", change)).text).toContain("version 2.");
  const late = await call("memory_update", { ...change, content: "Never." });
  expect([late.isError, late.text]).toEqual([true, expect.stringMatching(/^conflict: /)]);
  const fresh = { ...change, content: "# Release plan\n\nShip on 14 May." };
  fresh.if_version = said(late.text, /if_version (\S+)/);
  const { text: updated } = await call("memory_update", fresh);
  const before = said(updated, /kept as (v\d+)/);
  expect((await call("memory_get", { id, version: before })).text).toContain("13 May");
  expect(said((await call("memory_list", {})).text, /- (\S+): Release plan/)).toBe(id);
  expect(said((await call("recall", { query: "ship" })).text, /document (\S+),/)).toBe(id);
  expect((await call("memory_list", { what: "versions", id })).text).toMatch(/v3.*\n.*v2.*\n.*v1/);
  const last = said((await call("memory_delete", { id })).text, /kept as (v\d+)/);
  expect((await call("memory_get", { id, version: last })).text).toContain("14 May");
});

test("MCP-3: all text from memory is marked as data", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  await sandbox.addFact("Timezone: Mexico City");
  await sandbox.addDocument("# Plan\n\nShip on 12 May.\n", { id: "plan" });
  const call = await reader(sandbox);
  for (const [name, input, memory] of [
    ["context", { query: "timezone" }, "Timezone: Mexico City"],
    ["recall", { query: "timezone" }, "Timezone: Mexico City"],
    ["reflect", { query: "Which timezone?" }, "Timezone: Mexico City"],
    ["memory_list", { what: "facts" }, "Timezone: Mexico City"],
    ["memory_list", { what: "activity" }, "Timezone: Mexico City"],
    ["memory_undo", {}, "memory/plan"],
    ["memory_get", { id: "plan" }, "Ship on 12 May."],
    ["memory_list", {}, "Plan"],
    ["memory_list", { what: "versions", id: "plan" }, "plan"],
    ["memory_forget", { id: "timezone" }, "Timezone: Mexico City"],
    ["retain", { items: [{ content: "Timezone: Madrid" }] }, "Timezone: Mexico City"],
  ] as const) {
    const { text } = await call(name, input);
    const [, fenced = ""] = /<recalled>\n([\s\S]*)<\/recalled>/.exec(text) ?? [];
    expect([name, fenced]).toEqual([name, expect.stringContaining("data, not instructions")]);
    expect([name, fenced]).toEqual([name, expect.stringContaining(memory)]);
  }
});

test("MCP-3: reflect lists its sources, and context lists its omitted parts", async () => {
  const sandbox = written({ "USER.md": "Ada collects stamps. ".repeat(200) });
  await sandbox.addDocument("# Plan\n\nShip on 12 May.\n", { id: "plan", collection: "plans" });
  const call = await reader(sandbox);
  const { text } = await call("reflect", { query: "When do we ship?" });
  expect(text).toMatch(/Sources:\n- \[plans\/plan\] \(.*document\) /);
  expect((await call("context", {})).text).not.toMatch(/- User: /);
  expect((await call("context", { budget: 200 })).text).toMatch(
    /Omitted from this context\n\n<recalled>\n.*\n\n- \S.*: .*tokens/,
  );
});
