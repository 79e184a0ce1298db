/** Documents through the tools: what the commands do, with the same checks and the same errors. */
import { expect, test } from "bun:test";
import { refusalOf } from "../../src/mcp/refusal.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { ToolPlace } from "./memory-tools-place.ts";

test("MEMTOOL-8: a document is stored, read, changed, listed, found and deleted as by the commands", async () => {
  const place = new ToolPlace();
  const { sandbox } = place;
  const put = await place.call("memory_put", {
    content: "# Release plan\n\nShip on 12 May.\n",
    collection: "plans",
    tags: ["release"],
    context: "Issue 183",
    priority: "high",
    metadata: { reviewed: true },
    created_by: "Ada",
  });
  expect(put).toMatchObject({ ok: true, text: "Stored: plans/release-plan, version 1." });
  expect(sandbox.ok(["get", "release-plan", "--json"]).json.data.metadata).toMatchObject({
    ...{ tags: ["release"], context: "Issue 183", priority: "high", reviewed: true, created_by: "Ada" },
  });
  const got = await place.call("memory_get", { id: "release-plan" });
  expect(got.text).toContain("Tags: release");
  expect(got.data.content).toBe("# Release plan\n\nShip on 12 May.\n");
  const updated = await place.call("memory_update", {
    id: "release-plan",
    tags: ["q2"],
    merge_tags: true,
    context: null,
    if_version: got.data.etag,
  });
  expect(updated.text).toBe("Updated: plans/release-plan, version 2. What it said before is kept as v1.");
  const { metadata } = sandbox.ok(["get", "release-plan", "--json"]).json.data;
  expect([metadata.tags, metadata.context]).toEqual([["release", "q2"], null]);
  const listed = await place.call("memory_list", { filters: ["tags=q2"], collection: "plans" });
  expect(listed.data).toMatchObject({ total: 1, documents: [{ id: "release-plan", version: 2 }] });
  expect(listed.text).toContain("- plans/release-plan: Release plan (");
  const found = await place.call("memory_search", { query: "ship", collection: "plans", mode: "text" });
  expect(found.data.results).toMatchObject([{ kind: "document", collection: "plans", id: "release-plan" }]);
  expect(found.text).toMatch(/- \d{4}-\d\d-\d\d, document plans\/release-plan, home: Ship on 12 May\./);
  const deleted = await place.call("memory_delete", { id: "release-plan" });
  expect(deleted.text).toContain("retain restore release-plan --collection plans");
  expect(sandbox.run(["get", "release-plan"]).exitCode).toBe(1);
  const versions = await place.call("memory_versions", { id: "plans/release-plan" });
  expect(versions.data).toMatchObject({ deleted: true, versions: [{ version: "v2" }, { version: "v1" }] });
  const old = await place.call("memory_get", { id: "plans/release-plan", version: 1 });
  expect(old.data).toMatchObject({ version: 1, tags: ["release"] });
  sandbox.ok(["restore", "release-plan"]);
});

test("MEMTOOL-8: what is refused is refused with the command's words", async () => {
  const place = new ToolPlace();
  const { sandbox } = place;
  await place.call("memory_put", { content: "# A\n", id: "a" });
  await place.call("memory_put", { content: "# A\n", id: "a", collection: "other" });
  const cases: [tool: string, input: object, command: string[]][] = [
    ["memory_get", { id: "nothing" }, ["get", "nothing"]],
    ["memory_get", { id: "a" }, ["get", "a"]],
    [
      "memory_get",
      { id: "memory/a", version: "v9" },
      ["get", "a", "--collection", "memory", "--version", "v9"],
    ],
    ["memory_put", { content: " " }, ["put", "-"]],
    ["memory_put", { content: "x", id: "../x" }, ["put", "-", "--id", "../x"]],
    [
      "memory_put",
      { content: "# A\n", id: "a", no_overwrite: true },
      ["put", "-", "--id", "a", "--no-overwrite"],
    ],
    [
      "memory_update",
      { id: "memory/a", status: "x", if_version: 7 },
      ["update", "a", "--collection", "memory", "--status", "x", "--if-version", "7"],
    ],
    ["memory_update", { id: "memory/a" }, ["update", "a", "--collection", "memory"]],
    ["memory_list", { filters: ["no condition"] }, ["list", "--filter", "no condition"]],
    ["memory_search", { query: "a", since: "soonish" }, ["search", "a", "--since", "soonish"]],
    ["memory_delete", { id: "nothing" }, ["delete", "nothing"]],
    ["memory_versions", { id: "nothing" }, ["versions", "nothing"]],
  ];
  for (const [tool, input, command] of cases) {
    const result = await place.call(tool, input);
    const said = sandbox.run([...command, "--json"], {
      stdin: "content" in input ? String(input.content) : "",
    });
    const { code, message } = said.json.error;
    expect(result).toMatchObject({ ok: false, data: { error: { code } } });
    expect(message).toStartWith(result.data.error.message);
    expect(result.text).toStartWith(result.data.error.message);
  }
});

test("MEMTOOL-23: a hint that names commands or options is told to a model as the user's; programs get it as it is", async () => {
  const place = new ToolPlace();
  await place.call("memory_put", { content: "# A\n", id: "a" });
  const commands: [tool: string, input: object, hint: string][] = [
    [
      "memory_put",
      { content: "# A\n", id: "a", no_overwrite: true },
      "Choose another --id, or change it with: retain update",
    ],
    ["memory_edit", { id: "nothing", text: "Tea" }, "'retain facts --all' lists them."],
  ];
  for (const [tool, input, hint] of commands) {
    const { text, data } = await place.call(tool, input);
    expect(data.error.hint).toBe(hint);
    expect(text).toBe(`${data.error.message} On the user's command line: ${hint}`);
  }
  const { text, data } = await place.call("memory_put", { content: "\0" });
  expect(text).toBe(`${data.error.message} Give it a text file.`);
  const failure = await place.retain.memories.why("nothing").catch((error: unknown) => error);
  expect(refusalOf(failure)?.text).toEndWith(" On the user's command line: 'retain facts --all' lists them.");
  expect(refusalOf(new Error("a bug"))).toBeNull();
});

test("MEMTOOL-8: what a tool replaces is kept, also where versions are switched off", async () => {
  const place = new ToolPlace(new Sandbox(), { settings: { embedding: "none", auto_version: false } });
  await place.call("memory_put", { content: "# A\n\none", id: "a" });
  const replaced = await place.call("memory_put", { content: "# A\n\ntwo", id: "a" });
  expect(replaced.text).toBe("Replaced: memory/a, version 2. What it said before is kept as v1.");
  const updated = await place.call("memory_update", { id: "a", content: "# A\n\nthree" });
  expect(updated.data.kept_version).toBe("v2");
  expect((await place.call("memory_get", { id: "a", version: "v1" })).data.content).toBe("# A\n\none");
});

test("MEMTOOL-9: a long document comes in parts, and none of it is lost", async () => {
  const place = new ToolPlace();
  const content = `# L\n\n${"🦓".repeat(60_000)}\n`;
  await place.retain.put({ content, id: "long" });
  let whole = "";
  for (let offset = 0; offset < content.length; ) {
    const { text, data } = await place.call("memory_get", { id: "long", offset });
    expect(data.content.length).toBeLessThanOrEqual(50_000);
    expect(data.content.isWellFormed()).toBe(true);
    whole += data.content;
    offset += data.content.length;
    expect(text.includes(`read on with offset ${offset}.`)).toBe(offset < content.length);
  }
  expect(whole).toBe(content);
});
