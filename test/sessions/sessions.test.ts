/** Finding, exporting and changing sessions of a project and the home workspace, through the library. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openRetain, type Retain } from "../../src/index.ts";
import { hasEnded, processName, shownProcess } from "../../src/util/process.ts";
import { array, enum as oneOf, regex, strictObject, string } from "../../src/util/zod.ts";
import { conversation, said, talk, withSessions } from "../helpers/conversations.ts";
import { Sandbox } from "../helpers/sandbox.ts";

function open(sandbox: Sandbox, cwd = sandbox.work): Retain {
  const env = { ...sandbox.env(), RETAIN_EMBEDDING: "none" };
  return openRetain({ cwd, homeDirectory: sandbox.home, env });
}

/** A project with its own workspace. */
function project(sandbox: Sandbox): { directory: string; root: string } {
  const directory = join(sandbox.work, "project");
  mkdirSync(join(directory, ".retain"), { recursive: true });
  writeFileSync(join(directory, ".retain/config.yaml"), "");
  return { directory, root: join(directory, ".retain") };
}

test("SESS-21: a session is found by id, id prefix or 'last'; the nearest workspace wins", async () => {
  const sandbox = new Sandbox();
  const { directory, root } = project(sandbox);
  const first = await conversation(sandbox, [said("user", "At home", { minute: 1 })]);
  const second = await conversation(sandbox, [said("user", "At home again", { minute: 5 })], {
    chat: "work",
  });
  expect(await conversation(sandbox, [said("user", "In the project", { minute: 3 })], { root })).toBe(first);
  await withSessions(sandbox, async (sessions) => {
    await sessions.append({ id: "monday", chat: "main", title: null }, talk("On Monday"));
  });
  using inProject = open(sandbox, directory);
  using atHome = open(sandbox);
  const found = async (retain: Retain, said: string, options = {}) => {
    const { origin, id } = await retain.sessions.find(said, options);
    return `${origin} ${id}`;
  };
  expect(await found(inProject, first)).toBe(`project ${first}`);
  expect(await found(inProject, first, { origin: "home" })).toBe(`home ${first}`);
  expect(await found(inProject, "20260218_002")).toBe(`home ${second}`);
  expect(await found(inProject, "20260218_001")).toBe(`project ${first}`);
  expect(await found(inProject, "mon")).toBe("home monday");
  expect(await found(inProject, "last")).toBe(`home ${second}`);
  expect(await found(inProject, "last", { chat: "main" })).toBe(`project ${first}`);
  expect(await found(atHome, first)).toBe(`home ${first}`);
  const missing = { code: "not_found", hint: expect.stringContaining("retain sessions list") };
  for (const name of ["none", "", "2026-02-18", "%"])
    await expect(atHome.sessions.find(name)).rejects.toMatchObject(missing);
  await expect(atHome.sessions.find("last", { chat: "none" })).rejects.toMatchObject(missing);
  await expect(atHome.sessions.find("session_")).rejects.toMatchObject({
    code: "ambiguous",
    message: expect.stringContaining(`"session_": ${second}, ${first}.`),
  });
  expect((await inProject.sessions.list()).map(({ origin, id }) => `${origin} ${id}`)).toEqual([
    `home ${second}`,
    `project ${first}`,
    `home ${first}`,
    "home monday",
  ]);
  expect(await inProject.sessions.list({ limit: 1, chat: "main" })).toMatchObject([
    { origin: "project", id: first },
  ]);
  const { conversation: messages } = await inProject.sessions.show("last");
  expect(messages).toMatchObject([{ content: "At home again" }]);
});

const time = string().check(regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
/** The fields that SESS-29 promises. */
const SCHEMA = strictObject({
  id: string(),
  created_at: time,
  updated_at: time,
  title: string(),
  tags: array(string()),
  messages: array(strictObject({ role: oneOf(["user", "assistant"]), content: string(), timestamp: time })),
});

test("SESS-29: the JSON export has exactly the promised fields", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const id = await conversation(sandbox, [
    said("user", "Which tea?"),
    said("assistant", "", { minute: 1, details: { calls: [{ id: "1", name: "look", input: {} }] } }),
    said("tool", "", {
      minute: 1,
      details: { results: [{ id: "1", name: "look", output: "tea", ok: true }] },
    }),
    said("assistant", "Green tea.\n[MEMORY] Likes green tea", {
      minute: 2,
      details: { model: "m", interrupted: true },
    }),
    said("system", "A summary", { minute: 3 }),
  ]);
  await retain.sessions.tag(id, { add: ["drinks"] });
  expect(JSON.parse(await retain.sessions.export(id, "json"))).toEqual({
    id,
    created_at: "2026-02-18T09:30:00.000Z",
    updated_at: "2026-02-18T09:33:00.000Z",
    title: "Which tea?",
    tags: ["drinks"],
    messages: [
      { role: "user", content: "Which tea?", timestamp: "2026-02-18T09:30:00.000Z" },
      { role: "assistant", content: "Green tea.", timestamp: "2026-02-18T09:32:00.000Z" },
    ],
  });
});

test("SESS-29: the JSON export always has that schema, even if a timestamp was lost", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const message = fc.record({
    role: fc.constantFrom("user", "assistant", "system", "tool"),
    content: fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
    timestamp: fc.constantFrom("", "2026-02-18T09:30:00Z", "yesterday", "2026-02-18T09:30:00.123Z"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 5 }), async (messages) => {
      const id = await conversation(
        sandbox,
        messages.map(({ role, content, timestamp }) => ({ ...said(role as "user", content), timestamp })),
      );
      const json: unknown = JSON.parse(await retain.sessions.export(id, "json"));
      expect(SCHEMA.safeParse(json)).toMatchObject({ success: true });
    }),
    { numRuns: 40 },
  );
});

test("SESS-29: the Markdown export reads from top to bottom, with one line per tool", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const id = await conversation(
    sandbox,
    [
      said("user", "Which **tea**?", { speaker: "Ada" }),
      said("assistant", "Let me look.", {
        minute: 1,
        details: { calls: [{ id: "1", name: "read", input: { path: "tea.md" } }] },
      }),
      said("tool", "", {
        minute: 1,
        details: {
          results: [
            { id: "1", name: "read", output: "a\nb\n", ok: true },
            { id: "2", name: "run", output: "not\nallowed", ok: false },
          ],
        },
      }),
      said("assistant", "Green\n[MEMORY] Likes tea", { minute: 2, details: { interrupted: true } }),
    ],
    { title: "Tea" },
  );
  await withSessions(sandbox, (sessions) =>
    sessions.change(id, { summary: "They chose tea.", tags: ["a", "b"] }),
  );
  const markdown = (await retain.sessions.export(id, "markdown")).replace(
    /\d\d\d\d-\d\d-\d\d \d\d:\d\d/g,
    "<time>",
  );
  expect(markdown).toBe(
    [
      "# Tea",
      `<time> · chat main · 3 messages · ${id}`,
      "Tags: a, b",
      "> They chose tea.",
      "## Ada, <time>",
      "Which **tea**?",
      "## Assistant, <time>",
      "Let me look.",
      '> → read {"path":"tea.md"}',
      "> ✓ read: 2 lines\n> ✗ run: not allowed",
      "## Assistant, <time>",
      "Green",
      "*(interrupted)*\n",
    ].join("\n\n"),
  );
});

test("SESS-24: titles and tags can be changed, but must not be empty or contain a secret", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const id = await conversation(sandbox, talk("Hello"));
  expect((await retain.sessions.rename(id, "  New\ntitle ")).title).toBe("New title");
  expect((await retain.sessions.tag(id, { add: ["Work", "b", "work"] })).tags).toEqual(["Work", "b"]);
  expect((await retain.sessions.tag(id, { add: ["c"], remove: ["WORK", "none"] })).tags).toEqual(["b", "c"]);
  const secret = `sk-ant-api03-${"aB3dE5gH".repeat(11)}`;
  for (const [title, code] of [
    ["", "invalid_input"],
    [" \n", "invalid_input"],
    ["x".repeat(201), "invalid_input"],
    [secret, "secret"],
  ] as const) {
    await expect(retain.sessions.rename(id, title)).rejects.toMatchObject({ code });
    await expect(retain.sessions.tag(id, { add: [title] })).rejects.toMatchObject({ code });
  }
  expect(await retain.sessions.find(id)).toMatchObject({ title: "New title", tags: ["b", "c"] });
});

test("SESS-30: deleting a session deletes its working memory; a session open in another process stays", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const id = await conversation(sandbox, talk("Hello"));
  const held = await conversation(sandbox, talk("Hello"), { openedBy: "another-host:1" });
  await retain.facts.ingest("<working-memory>Half done</working-memory>", { session: id });
  const working = join(sandbox.memory, "memories/working", `${id}.md`);
  expect(readFileSync(working, "utf8")).toContain("Half done");
  expect((await retain.sessions.remove(id, { dryRun: true })).id).toBe(id);
  expect((await retain.sessions.remove(id)).id).toBe(id);
  expect(existsSync(working)).toBe(false);
  await expect(retain.sessions.find(id)).rejects.toMatchObject({ code: "not_found" });
  await expect(retain.facts.undo()).rejects.toMatchObject({ code: "conflict" });
  expect(existsSync(working)).toBe(false);
  await expect(retain.sessions.remove(held)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(new RegExp(`${held} .*another-host:1`)),
    hint: expect.stringContaining(`retain sessions delete ${held} --force`),
  });
  await retain.sessions.find(held);
  expect((await retain.sessions.remove(held, { force: true })).id).toBe(held);
  await expect(retain.sessions.find(held)).rejects.toMatchObject({ code: "not_found" });
});

test("SESS-30: a process on this host that has ended holds no sessions", () => {
  const ended = Bun.spawnSync(["true"]).pid;
  expect(hasEnded(`here:${process.pid}`, "here")).toBe(false);
  // Another user's, or the first of all.
  expect(hasEnded("here:1", "here")).toBe(false);
  expect(hasEnded(`here:${ended}`, "here")).toBe(true);
  for (const name of [
    `there:${ended}`,
    "here",
    "here:",
    "here:x",
    "here:0",
    "here:-1",
    "",
    `a:here:${ended}`,
  ])
    expect([name, hasEnded(name, "here")]).toEqual([name, false]);
  expect(hasEnded(`a:b:${ended}`, "a:b")).toBe(true);
});

test("SESS-8: a reused pid does not count as the process that opened a session", async () => {
  await using child = Bun.spawn(["sleep", "600"]);
  const name = processName("here", child.pid);
  const old = `here:${child.pid}`;
  expect(shownProcess(name)).toBe(old);
  expect(processName("here", child.pid)).toBe(name);
  expect([hasEnded(name, "here"), hasEnded(old, "here"), hasEnded(name, "there")]).toEqual([
    false,
    false,
    false,
  ]);
  const [, boot, begun] = /@([0-9a-f]+)-(\d+)$/.exec(name) ?? [];
  // On systems other than Linux, a process name has only host and pid.
  expect(begun === undefined).toBe(!existsSync("/proc/sys/kernel/random/boot_id"));
  if (begun !== undefined) {
    expect(hasEnded(`${old}@${boot}-${Number(begun) + 1}`, "here")).toBe(true);
    expect(hasEnded(`${old}@00000000-${begun}`, "here")).toBe(true);
    expect(hasEnded(`${old}@00000000-${begun}`, "there")).toBe(false);
    expect(hasEnded(`${old}@x-${begun}`, "here")).toBe(false);
  }
  child.kill();
  await child.exited;
  expect([hasEnded(name, "here"), hasEnded(old, "here"), hasEnded(name, "there")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("SESS-8: a zombie process counts as ended", async () => {
  if (!existsSync("/proc/self/stat")) return;
  // exec replaces the shell with a program that never reaps the child.
  await using parent = Bun.spawn(["sh", "-c", "exec 3<&0; read line <&3 & echo $!; exec sleep 600 3<&-"], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const reader = parent.stdout.getReader();
  const pid = Number(new TextDecoder().decode((await reader.read()).value));
  const until = async (isTrue: () => boolean) => {
    for (let round = 0; round < 1_000 && !isTrue(); round++) await Bun.sleep(5);
  };
  await until(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8") === "sleep\n");
  expect(hasEnded(`here:${pid}`, "here")).toBe(false);
  parent.stdin.end();
  await until(() => hasEnded(`here:${pid}`, "here"));
  expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
  expect(hasEnded(`here:${pid}`, "here")).toBe(true);
  await reader.cancel();
});

test("SESS-8: a session whose holder's pid was reused can be opened and removed", async () => {
  const sandbox = new Sandbox();
  const self = processName(hostname(), process.pid);
  const before = self.replace(/\d+$/, (begun) => String(Number(begun) - 1));
  const id = await conversation(sandbox, talk("Hello"), { openedBy: before });
  using retain = open(sandbox);
  if (before.includes("@")) expect((await retain.sessions.remove(id)).id).toBe(id);
});
