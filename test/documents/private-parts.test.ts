/** Private text in a document stays in the file: no search finds it, and no model gets it. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { MapBackend } from "../../examples/map-backend.ts";
import { withoutPrivate, withPrivateBlanked } from "../../src/core/secrets/private.ts";
import { openRetain } from "../../src/index.ts";
import { listResources, readResource } from "../../src/mcp/resources.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

test("PRIVATE-1: no result contains private text of a document, and the rest keeps its line numbers", async () => {
  const home = mkdtempSync(join(tmpdir(), "retain-private-"));
  const retain = openRetain({ cwd: home, env: { RETAIN_HOME: home, RETAIN_EMBEDDING: "none" } });
  afterThisTest(() => {
    retain.close();
    rmSync(home, { recursive: true });
  });
  const content =
    "# Plans\n\nThe boat is blue.\n<private>\nThe price is 900 kroner.\n</private>\nIt sails in May.\n";
  await retain.documents.put({ content, id: "boat" });
  expect((await retain.search("kroner")).hits).toEqual([]);
  const { hits } = await retain.recall("boat sails");
  expect(hits).toHaveLength(1);
  expect(JSON.stringify(hits)).not.toContain("kroner");
  expect(JSON.stringify(hits)).toContain("It sails in May.");
  expect((await retain.documents.get("boat")).content).toContain("The price is 900 kroner.");
});

/** Ways to open and to close a private part. */
const OPENERS = [
  "<private>",
  "<PRIVATE>",
  '<private why="mine">',
  "<private\n  x>",
  "< private >",
  "<private>\n\n```sh\n",
  "```sh\n<private>\n",
  "> <private>",
  "- <private>\n- ",
  "# <private>",
  "`<private>` is a tag, and here is one: <private>",
];
const CLOSERS = ["</private>", "</Private >", "</ private>", "\n</private>\n", "</private\n>"];

test("PRIVATE-1: no private text reaches the index, a model, a client or a server, however it is marked", async () => {
  const backend = new MapBackend();
  const told: unknown[] = [];
  const put = backend.documents.put;
  backend.documents.put = (document) => {
    told.push(document);
    return put(document);
  };
  const home = mkdtempSync(join(tmpdir(), "retain-private-"));
  const settings = { embedding: "none" } as const;
  const env = { RETAIN_HOME: home };
  const retain = openRetain({ cwd: home, env, settings, backend });
  afterThisTest(() => {
    retain.close();
    rmSync(home, { recursive: true });
  });
  const tools = await retain.memoryTools();
  const call = async (name: string, input: unknown) =>
    JSON.stringify(await tools.find((tool) => tool.name === name)?.run(input, new AbortController().signal));
  const today = new Date().toLocaleDateString("sv");
  const log = join(home, "memories", `${today}.md`);
  mkdirSync(join(home, "memories"), { recursive: true });
  let run = 0;
  const hidden = fc.tuple(fc.constantFrom(...OPENERS), fc.constantFrom(...CLOSERS), fc.boolean());
  await fc.assert(
    fc.asyncProperty(
      fc.array(hidden, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (parts, closed) => {
        run++;
        const last = parts.length - 1;
        const text = parts
          .map(([opener, closer, nested], index) => {
            const inside = nested
              ? `hush${run}a <private>hush${run}b</private> hush${run}c`
              : `hush${run}d\n\n## 11:00 - hush${run}e\n\nhush${run}f`;
            const end = index === last && !closed ? "" : closer;
            return `seen${run}${index} ${opener}${inside}${end}`;
          })
          .join("\n\n");
        const id = `doc${run}`;
        await retain.documents.put({ content: `seen${run}\n\n${text}`, id, tags: [`t<private>hush${run}g`] });
        const named = await retain.documents.put({ content: `# <private>hush${run}h</private>\n\n${text}` });
        await retain.documents.update(id, { context: `because <private>hush${run}i` });
        writeFileSync(log, `## 10:00 - A note\n\nseen${run} ${text}\n`);
        const given = [
          await call("memory_get", { id }),
          await call("memory_get", { id, version: 1 }),
          await call("memory_get", { id: named.id }),
          await call("memory_list", {}),
          await call("memory_list", { what: "versions", id }),
          await call("recall", { query: `seen${run}` }),
          await call("recall", { query: `seen${run}` }),
          await call("context", { query: `seen${run}` }),
          JSON.stringify(await listResources(retain)),
          JSON.stringify(await readResource(retain, `memory://memory/${id}`, undefined, [])),
          JSON.stringify(told),
        ];
        for (const { uri } of await listResources(retain))
          if (uri.includes(today)) given.push(JSON.stringify(await readResource(retain, uri, undefined, [])));
        for (const name of readdirSync(home).filter((file) => file.startsWith("retain.db")))
          given.push(readFileSync(join(home, name), "latin1"));
        for (const one of given) expect(one).not.toMatch(new RegExp(`hush${run}[a-i]`, "i"));
        expect(given[0]).toContain(`seen${run}`);
        expect(told).toContainEqual(expect.objectContaining({ id }));
        expect((await retain.documents.get(id)).content).toContain(text);
      },
    ),
    { numRuns: 25 },
  );
});

test("PRIVATE-1: a tag in inline code or after a backslash doesn't count", async () => {
  for (const text of [
    "Use `<private>` to hide text.",
    "Use ``a `<private>` b`` here.",
    "Use \\<private> so.",
  ])
    expect([withoutPrivate(text), withPrivateBlanked(text)]).toEqual([text, text]);
  expect(withPrivateBlanked("a <private>b\nc")).toBe("a           \n ");
  expect(withoutPrivate("a <private>b</private> c")).toBe("a c");
});

test("PRIVATE-1: in code, a tag without its closing tag hides nothing, and a closed pair hides what it contains", async () => {
  const code = "```java\nList<Private> all;\n```\n";
  for (const text of [
    `a\n${code}c`,
    `- a\n  ${code.replaceAll("\n", "\n  ")}\nc`,
    "a\n\n    List<Private> all\n\nc",
  ])
    expect([withoutPrivate(text), withPrivateBlanked(text)]).toEqual([text, text]);
  expect(withoutPrivate("a\n```\n<private>b</private>\n```\nc")).not.toContain("b");
  for (const hides of [
    `${code}\n<private>hush</private>\n\nseen`,
    `${code}\n<private>hush</private>\n\n${code}seen\n<private>hush`,
    `seen <private>hush\n${code}hush`,
    "```\nseen\n<private>\nhush\n```\nhush\n</private>\nseen",
    "<private>\n```\nhush\n</private>\nseen\n<private>hush\n```\nhush\n```\n",
    "seen\n```\n<private>\nhush",
  ]) {
    for (const shown of [withoutPrivate(hides), withPrivateBlanked(hides)]) {
      expect([hides, shown]).toEqual([hides, expect.not.stringContaining("hush")]);
      expect([hides, shown]).toEqual([hides, expect.stringContaining("seen")]);
    }
  }
  const backend = new MapBackend();
  const sandbox = new Sandbox();
  const { work: cwd, home: homeDirectory } = sandbox;
  using retain = openRetain({ cwd, homeDirectory, env: {}, settings: { embedding: "none" }, backend });
  await retain.documents.put({ content: `# Types\n\n${code}\nHerons wade.\n`, id: "types" });
  expect((await retain.search("herons")).hits.map(({ id }) => id)).toEqual(["types"]);
  const tools = await retain.memoryTools();
  const get = tools.find(({ name }) => name === "memory_get");
  const got = await get?.run({ id: "types" }, new AbortController().signal);
  expect(got?.text).toContain("Herons wade.");
  expect(got?.text).not.toContain("Private parts");
  expect(JSON.stringify(await readResource(retain, "memory://memory/types", undefined, tools))).toContain(
    "Herons wade.",
  );
});

test("PRIVATE-1: get gives a program the whole file, and a model only the text that isn't private", async () => {
  const sandbox = new Sandbox();
  const content = "# Plans\n\nThe boat is blue. <private>The price is 900 kroner.</private> It sails.\n";
  await sandbox.addDocument(content, { id: "boat" });
  const forModel = sandbox.ok(["get", "boat"]);
  expect(forModel.stdout).toContain("It sails.");
  expect(forModel.stdout).not.toContain("kroner");
  expect(forModel.stderr).toContain("--format raw");
  expect(sandbox.ok(["get", "boat", "--format", "raw"]).stdout).toBe(content);
  expect(sandbox.ok(["get", "boat", "--json"]).json.data.content).toBe(content);
  await sandbox.addDocument("# Tea\n", { id: "tea" });
  expect(sandbox.ok(["get", "tea"]).stderr).toBe("");
});

testNeeding("tmux")("PRIVATE-1: on a terminal, get shows the whole document to its owner", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument("# Boat\n\n<private>900 kroner</private>\n", { id: "boat" });
  const screen = new TerminalScreen(sandbox, `'${RETAIN}' get boat`, {}, 80, 24);
  afterThisTest(() => screen.close());
  await screen.shows("900 kroner");
});
