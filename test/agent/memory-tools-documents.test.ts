/** The document tools behave like the commands, with the same checks and errors. */
import { expect, test } from "bun:test";
import { hintForModel } from "../../src/agent/error-for-model.ts";
import { command, hint, option } from "../../src/core/hint.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { ToolPlace } from "./memory-tools-place.ts";

test("MEMTOOL-34: without documents, memory_list says how to list the facts; memory_delete of a fact names memory_forget", async () => {
  const place = new ToolPlace();
  const empty = await place.call("memory_list", {});
  expect(empty.text).not.toContain("facts");
  const { id } = place.sandbox.ok(["remember", "Tea is at four", "--json"]).json.data.saved[0];
  const listed = await place.call("memory_list", {});
  expect(listed.data).toMatchObject({ total: 0, documents: [] });
  expect(listed.text).toContain('what: "facts"');
  const deleted = await place.call("memory_delete", { id });
  expect(deleted.ok).toBe(false);
  expect(deleted.text).toContain("memory_forget");
  expect(place.sandbox.ok(["facts", "--json"]).json.data.total).toBe(1);
});

test("MEMTOOL-8: the tools store, read, change, list, find and delete documents like the commands", async () => {
  const place = new ToolPlace();
  const { sandbox } = place;
  const put = await place.call("memory_put", {
    content: "# Release plan\n\nShip on 12 May.\n",
    collection: "plans",
    tags: ["release"],
    metadata: { context: "Issue 183", priority: "high", reviewed: true },
  });
  expect(put).toMatchObject({ ok: true, text: "Stored: plans/release-plan, version 1." });
  expect(sandbox.ok(["get", "release-plan", "--json"]).json.data.metadata).toMatchObject({
    ...{ tags: ["release"], context: "Issue 183", priority: "high", reviewed: true },
  });
  const got = await place.call("memory_get", { id: "release-plan" });
  expect(got.text).toContain("Tags: release");
  expect(got.data.content).toBe("# Release plan\n\nShip on 12 May.\n");
  const updated = await place.call("memory_update", {
    id: "release-plan",
    tags: ["q2"],
    merge_tags: true,
    metadata: { context: null },
    if_version: got.data.etag,
  });
  expect(updated.text).toMatch(/^Updated: plans\/release-plan, version 2\. .*\bv1\.$/);
  const { metadata } = sandbox.ok(["get", "release-plan", "--json"]).json.data;
  expect([metadata.tags, metadata.context]).toEqual([["release", "q2"], null]);
  const listed = await place.call("memory_list", { filters: ["tags=q2"], collection: "plans" });
  expect(listed.data).toMatchObject({ total: 1, documents: [{ id: "release-plan", version: 2 }] });
  expect(listed.text).toContain("- plans/release-plan: Release plan (");
  const found = await place.call("recall", { query: "ship", collection: "plans", filters: ["tags=q2"] });
  expect(found.data.hits).toMatchObject([{ kind: "document", collection: "plans", id: "release-plan" }]);
  const other = await place.call("recall", { query: "ship", filters: ["tags=q3"], kinds: ["document"] });
  expect(other.data.hits).toEqual([]);
  const deleted = await place.call("memory_delete", { id: "release-plan" });
  expect(deleted.text).toContain('memory_undo {"id":"release-plan","collection":"plans"}');
  expect(sandbox.run(["get", "release-plan"]).exitCode).toBe(1);
  const versions = await place.call("memory_list", { what: "versions", id: "plans/release-plan" });
  expect(versions.data).toMatchObject({ total: 2, versions: [{ version: "v2" }, { version: "v1" }] });
  expect(versions.text).toContain("was deleted");
  const old = await place.call("memory_get", { id: "plans/release-plan", version: 1 });
  expect(old.data).toMatchObject({ version: 1, tags: ["release"] });
  sandbox.ok(["restore", "release-plan"]);
});

test("MEMTOOL-8: a refusal has the command's error code and message", async () => {
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
      { id: "memory/a", metadata: { status: "x" }, if_version: 7 },
      ["update", "a", "--collection", "memory", "--status", "x", "--if-version", "7"],
    ],
    ["memory_update", { id: "memory/a" }, ["update", "a", "--collection", "memory"]],
    ["memory_list", { filters: ["no condition"] }, ["list", "--filter", "no condition"]],
    ["recall", { query: "a", since: "soonish" }, ["search", "a", "--since", "soonish"]],
    ["memory_delete", { id: "nothing" }, ["delete", "nothing"]],
    ["memory_list", { what: "versions", id: "nothing" }, ["versions", "nothing"]],
    ["memory_undo", { id: "nothing" }, ["restore", "nothing"]],
  ];
  for (const [tool, input, command] of cases) {
    const result = await place.call(tool, input);
    const said = sandbox.run([...command, "--json"], {
      stdin: "content" in input ? String(input.content) : "",
    });
    const { code, message } = said.json.error;
    expect(result).toMatchObject({ ok: false, data: { error: { code } } });
    expect(message).toStartWith(result.data.error.message);
    expect(result.text).toStartWith(`${code}: ${result.data.error.message}`);
  }
});

test("MEMTOOL-1: a hint names the tool for a command, or says that the user can run it; programs get the command", async () => {
  const place = new ToolPlace();
  await place.call("memory_put", { content: "# A\n", id: "a" });
  const [fact] = (await place.retain.facts.remember("Drinks tea")).saved;
  const cases: [tool: string, input: object, told: string, hint: string][] = [
    [
      "memory_put",
      { content: "# A\n", id: "a", no_overwrite: true },
      'Choose another id, or change it with: memory_update {"id":"a"}',
      "Choose another --id, or change it with: retain update a",
    ],
    [
      "memory_update",
      { id: "a", title: "B", if_version: "x" },
      'Pass a number (if_version 3), or the etag. To see it: memory_get {"id":"a"}',
      "Pass a number (--if-version 3), or the etag. To see it: retain get a --json",
    ],
    ["memory_update", { id: "nothing", content: "Tea" }, "List all: memory_list", "List all: retain list"],
    [
      "memory_update",
      { id: fact?.id, content: "The password is hunter2-Xq9!" },
      "Remove it: a fact never contains a secret.",
      "Remove it: a fact never contains a secret.",
    ],
  ];
  for (const [tool, input, told, hint] of cases) {
    const { text, data } = await place.call(tool, input);
    expect(text).toBe(`${data.error.code}: ${data.error.message} ${told}`);
    expect(data.error.hint).toBe(hint);
  }
  const { text, data } = await place.call("memory_put", { content: "\0" });
  expect(text).toBe(`${data.error.code}: ${data.error.message} ${data.error.hint}`);
});

test("MEMTOOL-1: a hint names only tools that the model has", async () => {
  const place = new ToolPlace();
  const tools = await place.retain.memoryTools();
  const told = (reference: ReturnType<typeof command>) => hintForModel(hint`${reference}`, tools);
  expect(told(command("versions", "a"))).toBe('memory_list {"what":"versions","id":"a"}');
  expect(told(command("facts", option("all")))).toBe('memory_list {"what":"facts","all":true}');
  expect(told(command("search", "tea"))).toBe('recall {"query":"tea"}');
  expect(told(command("undo"))).toBe("memory_undo");
  expect(told(command("undo", option("skip")))).toBe("the user can run `retain undo --skip`");
  const [few] = await place.retain.memoryTools({ only: new Set(["memory_get"]) });
  const missing = await few?.run({ id: "nowhere" }, new AbortController().signal);
  expect(missing?.text).toEndWith(" List all: the user can run `retain list`");
});

test("MEMTOOL-1: a hint that names only fields of the tool is addressed to the model, with the fields' names", async () => {
  const place = new ToolPlace();
  await place.call("memory_put", { content: "# A\n", id: "a" });
  const { data: changed } = await place.call("memory_update", { id: "a", content: "# A\n\nNew" });
  const { etag } = (await place.call("memory_get", { id: "a" })).data;
  const cases: [tool: string, input: object, hint: string][] = [
    ["memory_update", { id: "a", title: "B", if_version: 1 }, `Read it again, then pass if_version ${etag}`],
    ["memory_update", { id: "a" }, "Pass content, tags, metadata or another field."],
    ["memory_put", { content: "# B\n", metadata: { id: "b" } }, "Use id."],
  ];
  for (const [tool, input, hint] of cases) {
    const { text, data } = await place.call(tool, input);
    expect(text).toBe(`${data.error.code}: ${data.error.message} ${hint}`);
    expect(data.error.hint).toContain("--");
  }
  expect(changed.version).toBe(2);
});

test("MEMTOOL-25: private parts of a document are withheld from a model, which is told so", async () => {
  const place = new ToolPlace();
  const content = "# Plan\n\nOpen. <private>The code is 4711.</private> End.";
  await place.call("memory_put", { content, id: "plan" });
  const { text, data } = await place.call("memory_get", { id: "plan" });
  expect(text + data.content).not.toContain("4711");
  expect(text).toContain("Private parts");
  expect([data.content.length, data.length]).toEqual([content.length, content.length]);
  const rest = await place.call("memory_get", { id: "plan", offset: content.indexOf("The code") });
  expect(rest.data.content.trim()).toBe("End.");
  await place.call("memory_update", { id: "plan", content: "# Plan\n\nOpen." });
  const before = await place.call("memory_get", { id: "plan", version: 1 });
  expect(before.text + before.data.content).not.toContain("4711");
  const open = await place.call("memory_get", { id: "plan" });
  expect(open.text).not.toContain("Private parts");
});

test("MEMTOOL-8: in a project too, a document can be read, changed and deleted by the name that recall returned", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  const place = new ToolPlace(sandbox);
  await place.call("memory_put", { content: "# Plan\n\nCherries are red.", id: "plan", collection: "plans" });
  const { text } = await place.call("recall", { query: "cherries" });
  const [, id = ""] = /document (\S+),/.exec(text) ?? [];
  expect(id).toBe("plans/plan");
  expect((await place.call("memory_get", { id })).data.content).toContain("Cherries are red.");
  expect((await place.call("memory_update", { id, tags: ["red"] })).data.action).toBe("updated");
  expect((await place.call("memory_list", { what: "versions", id })).data.versions).toHaveLength(2);
  expect((await place.call("memory_delete", { id })).ok).toBe(true);
  const gone = await place.call("memory_get", { id });
  expect(gone.data.error).toMatchObject({
    code: "not_found",
    message: expect.stringMatching(/^'plan' was deleted; .*\d{4}-\d\d-\d\dT/),
    hint: expect.stringContaining("retain restore plan --collection plans"),
  });
  for (const [name, input] of [
    ["memory_get", { id }],
    ["memory_update", { id, tags: ["green"] }],
    ["memory_list", { what: "versions", id }],
  ] as const)
    expect((await place.call(name, input)).text).toMatch(
      /'plan' was deleted; .*memory_undo \{"id":"plan","collection":"plans"\}/,
    );
  for (const path of ["../../../etc/passwd", "/etc/passwd", "a//b", "plans/../plan"])
    expect((await place.call("memory_get", { id: path })).data.error.code).toMatch(
      /^(?:invalid_name|not_found)$/,
    );
});

test("MEMTOOL-1: listing a missing collection names the existing ones", async () => {
  const place = new ToolPlace();
  const none = { documents: [], facts: [], versions: [], activity: [], total: 0 };
  const list = async (input: object) => {
    const { ok, text, data } = await place.call("memory_list", input);
    expect([ok, data]).toEqual([true, none]);
    return text;
  };
  const nothing = await list({});
  await place.call("memory_put", { content: "# A\n", collection: "plans" });
  const names = (await place.retain.documents.collections()).map(({ name }) => name);
  expect(names).toContain("plans");
  const guessed = await list({ collection: "plan" });
  expect(guessed).toContain("'plan'");
  expect(guessed).toContain(names.join(", "));
  expect(await list({ collection: "plans", filters: ["tags=none"] })).toBe(nothing);
});

test("MEMTOOL-8: replaced content is kept, even if versions are switched off", async () => {
  const place = new ToolPlace(new Sandbox(), { settings: { embedding: "none", auto_version: false } });
  await place.call("memory_put", { content: "# A\n\none", id: "a" });
  const replaced = await place.call("memory_put", { content: "# A\n\ntwo", id: "a" });
  expect(replaced.text).toMatch(/^Replaced: memory\/a, version 2\. .*\bv1\.$/);
  const updated = await place.call("memory_update", { id: "a", content: "# A\n\nthree" });
  expect(updated.data.kept_version).toBe("v2");
  expect((await place.call("memory_get", { id: "a", version: "v1" })).data.content).toBe("# A\n\none");
});

test("MEMTOOL-8: a long document comes in parts, and nothing is lost", async () => {
  const place = new ToolPlace();
  const content = `# L\n\n${"🦓".repeat(60_000)}\n`;
  await place.retain.documents.put({ content, id: "long" });
  let whole = "";
  for (let offset = 0; offset < content.length; ) {
    const { text, data } = await place.call("memory_get", { id: "long", offset });
    expect(data.content.length).toBeLessThanOrEqual(50_000);
    expect(data.content.isWellFormed()).toBe(true);
    whole += data.content;
    offset += data.content.length;
    expect(text.includes(`offset ${offset}.`)).toBe(offset < content.length);
  }
  expect(whole).toBe(content);
});

test("MEMTOOL-8: in a project, a document of the home workspace that recall names can be read and changed", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "heron", "--collection", "birds"], { stdin: "# Heron\n\nIt wades.\n" });
  sandbox.ok(["init"]);
  const place = new ToolPlace(sandbox);
  const recalled = await place.call("recall", { query: "heron wades" });
  expect(recalled.text).toContain("birds/heron");
  for (const input of [{ id: "birds/heron" }, { id: "heron" }, { id: "heron", collection: "birds" }])
    expect((await place.call("memory_get", input)).data).toMatchObject({ content: "# Heron\n\nIt wades.\n" });
  expect(await place.call("memory_get", { id: "birds/stork" })).toMatchObject({ ok: false });
  for (const [filter, total] of [
    ["origin=home", 1],
    ["origin=project", 0],
  ] as const) {
    expect((await place.call("memory_list", { filters: [filter] })).data.total).toBe(total);
    const found = await place.call("recall", { query: "heron", filters: [filter] });
    expect(found.data.hits).toHaveLength(total);
  }
  expect(await place.call("memory_update", { id: "birds/heron", tags: ["wader"] })).toMatchObject({
    ok: true,
  });
  expect(sandbox.ok(["get", "heron", "--global"]).stdout).toContain("Tags: wader");
});
