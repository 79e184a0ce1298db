/** The tools' names, schemas and examples are correct. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { MemoryTool } from "../../src/agent/memory-tool.ts";
import { misfit, ToolPlace } from "./memory-tools-place.ts";

const NAMES = [
  "retain",
  "recall",
  "reflect",
  "context",
  "memory_put",
  "memory_get",
  "memory_update",
  "memory_delete",
  "memory_list",
  "memory_forget",
  "memory_undo",
];
const READING = ["recall", "reflect", "context", "memory_get", "memory_list"];

/** The input that a tool suggests to a model whose input was wrong. */
function exampleOf(tool: MemoryTool): Record<string, unknown> {
  const [, example = ""] = /For example: (\{.*\})$/.exec(tool.check({ nonsense: true }) ?? "") ?? [];
  return JSON.parse(example);
}

test("MEMTOOL-1: the tools have their names, say which only read, and give a valid example", async () => {
  const place = new ToolPlace();
  const tools = await place.retain.memoryTools();
  expect(tools.map(({ name }) => name)).toEqual(NAMES);
  expect(tools.filter(({ readOnly }) => readOnly).map(({ name }) => name)).toEqual(READING);
  for (const tool of tools) {
    const input = exampleOf(tool);
    expect([tool.name, misfit(tool.schema, input), tool.check(input)]).toEqual([tool.name, null, null]);
    expect(tool.description.length).toBeLessThan(400);
    expect(tool.schema.type).toBe("object");
    expect(tool.readOnly && tool.destructive).toBe(false);
    const called = await place.call(tool.name, input);
    expect(typeof called.ok).toBe("boolean");
  }
});

test("MEMTOOL-1: wrong input returns what is wrong, the accepted fields, and an example", async () => {
  const place = new ToolPlace();
  const wrong: [tool: string, input: unknown, said: string][] = [
    ["retain", { items: [] }, "'items'"],
    ["retain", { items: [{ content: "x".repeat(2_001) }] }, "'items.0.content'"],
    ["retain", { items: [{ text: "x" }] }, "'items.0"],
    ["retain", { items: "Ada likes tea" }, "'items' must be an array, not a string"],
    ["recall", {}, "'query' is missing"],
    ["recall", { query: "x", budget: 3 }, "'budget'"],
    ["recall", { query: "x", kinds: ["thought"] }, "'kinds.0'"],
    ["memory_forget", { id: "x", confirm: true }, "'confirm' must be a string, not a boolean"],
    ["memory_update", { id: "x", ifVersion: 3 }, "unknown field 'ifVersion'"],
    ["recall", { question: "x" }, "unknown field 'question'"],
    ["memory_list", null, "must be an object, not null"],
    ["reflect", "why?", "object"],
  ];
  for (const [name, input, said] of wrong) {
    const { ok, text, data } = await place.call(name, input);
    expect([ok, data.error.code]).toEqual([false, "invalid_input"]);
    expect(text).toContain(` input for ${name}: `);
    expect(text).toContain(said);
    expect(text).toMatch(/ Fields: .* For example: \{/);
    const tool = await place.tool(name);
    expect(tool.check(input)).toBe(text);
    expect(misfit(tool.schema, input)).not.toBeNull();
  }
  expect(place.sandbox.tree(place.sandbox.home)).toEqual([]);
});

/** As the schema offers it: without null for an absent field, and with a version's number as text. */
function offered(said: unknown, required: readonly string[]): unknown {
  if (typeof said !== "object" || said === null || Array.isArray(said)) return said;
  const entries = Object.entries(said).filter(([key, value]) => value !== null || required.includes(key));
  const isVersion = ([key, value]: [string, unknown]) =>
    ["version", "if_version"].includes(key) && Number.isInteger(value);
  return Object.fromEntries(
    entries.map((entry) => (isVersion(entry) ? [entry[0], String(entry[1])] : entry)),
  );
}

test("MEMTOOL-1: input is accepted exactly if it matches the tool's schema; null is an absent field", async () => {
  const tools = await new ToolPlace().retain.memoryTools();
  const value = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.integer({ min: -5, max: 2_000 }),
    fc.boolean(),
    fc.constantFrom(null, 1.5, "both", "fact", "updated", ["fact"], ["x", 3], [], {}, { a: { b: [1] } }),
    fc.array(
      fc.record({ content: fc.string({ maxLength: 4 }), context: fc.string() }, { requiredKeys: [] }),
      {
        maxLength: 3,
      },
    ),
  );
  for (const tool of tools) {
    const keys = [...Object.keys(tool.schema.properties as object), "other"];
    const example = exampleOf(tool);
    const input = fc
      .uniqueArray(fc.constantFrom(...keys), { maxLength: 3 })
      .chain((some) => fc.record(Object.fromEntries(some.map((key) => [key, value]))))
      .map((some) => ({ ...example, ...some }));
    fc.assert(
      fc.property(fc.oneof(input, value), (said) => {
        const isUnknown = typeof said === "object" && said !== null && "other" in said;
        const plain = isUnknown ? said : offered(said, tool.schema.required ?? []);
        expect(tool.check(said) === null).toBe(misfit(tool.schema, plain) === null);
      }),
      { numRuns: 200 },
    );
  }
});

test("MEMTOOL-1: a call cancelled before it began does nothing, and says so", async () => {
  const place = new ToolPlace();
  const retain = await place.tool("retain");
  const stopped = await retain.run({ items: [{ content: "Ada likes tea" }] }, AbortSignal.abort());
  expect(stopped).toMatchObject({ ok: false, data: { error: { code: "interrupted" } } });
  expect(await place.retain.facts.list()).toEqual([]);
});
