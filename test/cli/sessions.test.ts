/** Conversations through the real command. */
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { writeNewFile } from "../../src/util/fs.ts";
import { filesHolding } from "../helpers/bytes.ts";
import { conversation, said, talk, withSessions } from "../helpers/conversations.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, type RunResult, Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const TEA = talk("Which tea should I buy?", "A green one.\n[MEMORY] Likes tea");
const BIRDS = talk("Where do herons nest?", "In trees near the lake.");

const run = (sandbox: Sandbox, ...args: string[]) => sandbox.run(["sessions", ...args]);
const ok = (sandbox: Sandbox, ...args: string[]) => sandbox.ok(["sessions", ...args]);
const json = (sandbox: Sandbox, ...args: string[]) => ok(sandbox, ...args, "--json").json.data;
const refusal = ({ exitCode, json: { error } }: RunResult) => [exitCode, error.code];

/** Two sessions: the older one of the chat `main`, the newer one of `birds`, with a tag and a summary. */
async function two(): Promise<{ sandbox: Sandbox; tea: string; birds: string }> {
  const sandbox = new Sandbox();
  const tea = await conversation(sandbox, TEA, { title: "Which tea should I buy?" });
  const later = BIRDS.map((message) => ({ ...message, timestamp: "2026-02-19T08:00:00.000Z" }));
  const birds = await conversation(sandbox, later, { chat: "birds", title: "Herons" });
  await withSessions(sandbox, (sessions) =>
    sessions.change(birds, { tags: ["Fauna"], summary: "Herons nest in trees near the lake." }),
  );
  return { sandbox, tea, birds };
}

test("SESS-26: sessions are listed newest first, by chat or tag", async () => {
  const { sandbox, tea, birds } = await two();
  const { stdout } = ok(sandbox);
  expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["ID", "TITLE", "CHAT", "MESSAGES", "LAST", "TAGS"],
    [birds, "Herons", "birds", "2", "2026-02-19", "Fauna"],
    [tea, "Which tea should I buy?", "main", "2", "2026-02-18"],
    ["2 sessions"],
    [""],
  ]);
  const ids = (...args: string[]) =>
    json(sandbox, "list", ...args).sessions.map(({ id }: { id: string }) => id);
  expect(ids()).toEqual([birds, tea]);
  expect(ids("--chat", "main")).toEqual([tea]);
  expect(ids("--tag", "fauna")).toEqual([birds]);
  expect(ids("--limit", "1")).toEqual([birds]);
  expect(ok(sandbox, "--limit", "1").stdout).toMatch(/The last 1 session; .*--limit.*\n$/);
  expect([json(sandbox).more, json(sandbox, "--limit", "1").more]).toEqual([false, true]);
  expect(ok(sandbox, "--quiet").stdout).toBe(`${birds}\n${tea}\n`);
  expect(json(sandbox).sessions[0]).toMatchObject({
    chat: "birds",
    summary: "Herons nest in trees near the lake.",
    messages: 2,
    openedBy: null,
    origin: "home",
  });
  expect(ok(new Sandbox()).stdout).toBe("No sessions.\n");
});

test("SESS-26: inside a project, its sessions and those at home are listed together", async () => {
  const { sandbox, tea } = await two();
  sandbox.git(["init", "-q"]);
  await sandbox.makeProject();
  const root = join(sandbox.work, ".retain");
  const id = await conversation(sandbox, talk("In the project"), { root });
  expect(id).toBe(tea);
  const places = (...args: string[]) =>
    json(sandbox, ...args).sessions.map(({ origin }: { origin: string }) => origin);
  expect([places(), places("--local"), places("--global")].map((list) => list.toSorted())).toEqual([
    ["home", "home", "project"],
    ["project"],
    ["home", "home"],
  ]);
  expect(json(sandbox, "show", id).conversation[0].content).toBe("In the project");
  expect(json(sandbox, "show", id, "--global").conversation[0].content).toBe("Which tea should I buy?");
});

test("SESS-26: sessions show prints a readable conversation, with one line per tool call", async () => {
  const { sandbox } = await two();
  const id = await conversation(sandbox, [
    said("user", "Look it up", { minute: 5000 }),
    said("assistant", "", {
      minute: 5000,
      details: { calls: [{ id: "1", name: "read", input: { path: "a\n\u001b[31m.md" } }] },
    }),
    said("tool", "", {
      minute: 5000,
      details: { results: [{ id: "1", name: "read", output: "one\ntwo\n", ok: true }] },
    }),
    said("assistant", "Two lines\n[MEMORY] Has two lines", { minute: 5001, details: { interrupted: true } }),
  ]);
  const shown = ok(sandbox, "show", "last").stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "<time>");
  expect(shown).toBe(
    [
      `Look it up\n${id} · chat main · <time> · 3 messages`,
      "you <time>\nLook it up",
      'assistant <time>\n  → read {"path":"a\\n\\u001b[31m.md"}',
      "  ✓ read: 2 lines",
      "assistant <time>\nTwo lines\n(interrupted)\n",
    ].join("\n\n"),
  );
  const { conversation: messages, messages: count } = json(sandbox, "show", id);
  expect([messages.length, count, messages[2].details.results[0].output]).toEqual([4, 3, "one\ntwo\n"]);
  expect(refusal(run(sandbox, "show", "none", "--json"))).toEqual([1, "not_found"]);
  expect(refusal(run(sandbox, "show", "session_", "--json"))).toEqual([2, "ambiguous"]);
  expect(run(sandbox, "show", "none").stderr).toMatch(/^retain: .*"none".*\n.*retain sessions list\n$/);
});

test("SESS-26: sessions search finds messages and summaries, grouped by session", async () => {
  const { sandbox, tea, birds } = await two();
  await sandbox.addFact("Herons are tall");
  const { stdout } = ok(sandbox, "search", "herons nest");
  expect(stdout).toStartWith(`${birds}  Herons  (birds, 2026-02-19)\n  `);
  expect(stdout).toContain("  you: Where do herons nest?\n");
  expect(stdout).toContain("  summary: Herons nest in trees near the lake.\n");
  expect(stdout).toEndWith("1 session\n");
  const [found] = json(sandbox, "search", "green", "tea").sessions;
  expect(found).toMatchObject({ id: tea, chat: "main" });
  expect(found.hits.map(({ text }: { text: string }) => text)).toEqual(["A green one."]);
  expect(ok(sandbox, "search", "herons", "-lake", "--quiet").stdout).toBe(`${birds}\n`);
  expect(json(sandbox, "search", "herons", "--chat", "main").sessions).toEqual([]);
  expect(json(sandbox, "search", "herons", "--tag", "fauna").sessions).toHaveLength(1);
  expect(ok(sandbox, "search", "zebra").stdout).toBe("No matching sessions.\n");
  expect(refusal(run(sandbox, "search", "--json"))).toEqual([2, "usage"]);
});

test("SESS-26: sessions search leaves out messages that match only by their neighbours", async () => {
  const sandbox = new Sandbox();
  await conversation(sandbox, [said("user", "My sister Eva lives in Graz"), said("user", "that's wrong")]);
  sandbox.run(["embed"], { env: WITH_MEANING });
  const { stdout } = sandbox.ok(["sessions", "search", "eva", "--json"], { env: WITH_MEANING });
  const [found] = JSON.parse(stdout).data.sessions;
  expect(found.hits.map(({ text }: { text: string }) => text)).toEqual(["My sister Eva lives in Graz"]);
});

test("SESS-26: a conversation's topic is in the context of a later one", async () => {
  const { sandbox } = await two();
  const context = (...args: string[]) => sandbox.ok(["context", ...args]).stdout;
  const asked = context("--query", "where do herons nest", "--chat", "birds");
  expect(asked).toContain("### Relevant sessions");
  expect(asked).toContain("Herons nest in trees near the lake.");
  expect(context("--query", "where do herons nest", "--chat", "main")).not.toContain("near the lake");
});

test("SESS-29: sessions export prints a session or writes files, and overwrites none unless told to", async () => {
  const { sandbox, tea, birds } = await two();
  const exported = JSON.parse(ok(sandbox, "export", tea).stdout);
  expect(Object.keys(exported)).toEqual(["id", "created_at", "updated_at", "title", "tags", "messages"]);
  expect(exported.messages[1].content).toBe("A green one.");
  expect(JSON.parse(json(sandbox, "export", tea).content)).toEqual(exported);
  const file = join(sandbox.work, "tea.md");
  expect(ok(sandbox, "export", tea, "--format", "markdown", "--output", "tea.md").stdout).toBe(
    `✓ Exported 1 session to ${file}\n`,
  );
  const markdown = readFileSync(file, "utf8");
  expect(markdown).toStartWith("# Which tea should I buy?\n");
  const again = ["export", birds, "--format", "markdown", "--output", "tea.md"];
  expect(refusal(run(sandbox, ...again, "--json"))).toEqual([3, "exists"]);
  expect(readFileSync(file, "utf8")).toBe(markdown);
  ok(sandbox, ...again, "--force");
  expect(readFileSync(file, "utf8")).toStartWith("# Herons\n");

  await withSessions(sandbox, async (sessions) => {
    for (const id of ["../out", "out"])
      await sessions.append({ id, chat: "main", title: null }, talk("Elsewhere"));
  });
  expect(refusal(run(sandbox, "export", "--all", "--json"))).toEqual([2, "usage"]);
  const { files } = json(sandbox, "export", "--all", "--output", "all/of/them");
  const names = [birds, tea, "out", "out-2"].map((name) => join(sandbox.work, "all/of/them", `${name}.json`));
  expect(files.toSorted()).toEqual(names.toSorted());
  for (const path of names) expect(JSON.parse(readFileSync(path, "utf8")).messages.length).toBeGreaterThan(0);
  mkdirSync(join(sandbox.work, "some"));
  writeFileSync(join(sandbox.work, "some", `${tea}.json`), "mine");
  expect(refusal(run(sandbox, "export", birds, tea, "--output", "some", "--json"))).toEqual([3, "exists"]);
  expect(existsSync(join(sandbox.work, "some", `${birds}.json`))).toBe(false);
  expect(json(sandbox, "export", birds, "--output", "some").files).toEqual([
    join(sandbox.work, "some", `${birds}.json`),
  ]);
  expect(json(sandbox, "export", "--all", "--chat", "birds", "--output", "chat").files).toHaveLength(1);
});

test("SESS-29: a path through a file is a clear error, and nothing is written", async () => {
  const { sandbox, tea } = await two();
  writeFileSync(join(sandbox.work, "file"), "mine");
  for (const args of [
    [tea, "--output", "file/x"],
    [tea, "--output", "file/x/y", "--force"],
    ["--all", "--output", "file"],
    ["--all", "--output", "file/x"],
  ]) {
    const { exitCode, stderr } = run(sandbox, "export", ...args);
    expect([args, exitCode]).toEqual([args, 1]);
    expect(stderr).toMatch(/^retain: Cannot write \S+: .*not a directory\.\n/);
  }
  expect(readFileSync(join(sandbox.work, "file"), "utf8")).toBe("mine");
});

test("SESS-29: of several simultaneous exports to one file one is written, complete and private", async () => {
  const { sandbox, tea, birds } = await two();
  mkdirSync(join(sandbox.work, "out"));
  const children = Array.from({ length: 6 }, (_, index) =>
    sandbox.start(["sessions", "export", index % 2 === 0 ? tea : birds, "--output", "out/talk.json"]),
  );
  const codes = await Promise.all(children.map(({ exited }) => exited));
  expect(codes.toSorted()).toEqual([0, 3, 3, 3, 3, 3]);
  const file = join(sandbox.work, "out/talk.json");
  const winner = codes.indexOf(0) % 2 === 0 ? tea : birds;
  expect(JSON.parse(readFileSync(file, "utf8")).id).toBe(winner);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(sandbox.work, "out"))).toEqual(["talk.json"]);
});

test("SESS-29: a new file replaces nothing, not even a broken link", () => {
  const sandbox = new Sandbox();
  const path = sandbox.write("there.txt", "mine");
  expect(() => writeNewFile(path, "other")).toThrow("EEXIST");
  symlinkSync("nowhere", join(sandbox.work, "link"));
  expect(() => writeNewFile(join(sandbox.work, "link"), "other")).toThrow("EEXIST");
  expect(readFileSync(path, "utf8")).toBe("mine");
  expect(readdirSync(sandbox.work).toSorted()).toEqual(["link", "there.txt"]);
});

testNeeding("strace")(
  "SESS-29: a new file is flushed before it gets its name, its directory after",
  async () => {
    const { sandbox, tea } = await two();
    const log = join(sandbox.root, "trace");
    const trace = ["strace", "-f", "-y", "-o", log, "-e", "trace=fsync,link,linkat"];
    const command = [RETAIN, "sessions", "export", tea, "--output", "tea.json"];
    Bun.spawnSync([...trace, ...command], { cwd: sandbox.work, env: sandbox.env() });
    const calls = readFileSync(log, "utf8").split("\n");
    const steps = [/fsync\(\d+<.*\/work\/\.tmp-/, /link(?:at)?\(.*\.tmp-.*tea\.json/, /fsync\(\d+<.*\/work>/];
    const places = steps.map((step) => calls.findIndex((call) => step.test(call)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  },
);

testNeeding("strace")("SESS-29: without hard links, a new file is complete or missing", async () => {
  const { sandbox, tea } = await two();
  const exported = (output: string, faults: readonly string[]) => {
    const inject = ["link,linkat:error=EPERM", ...faults].flatMap((fault) => ["-e", `inject=${fault}`]);
    const command = [RETAIN, "sessions", "export", tea, "--output", output];
    const env = sandbox.env();
    const log = join(sandbox.root, "trace");
    return Bun.spawnSync(["strace", "-f", "-o", log, ...inject, ...command], { cwd: sandbox.work, env })
      .exitCode;
  };
  expect(exported("tea.json", [])).toBe(0);
  const written = readFileSync(join(sandbox.work, "tea.json"), "utf8");
  expect(JSON.parse(written).id).toBe(tea);
  expect(exported("tea.json", [])).toBe(3);
  expect(exported("other.json", ["rename,renameat,renameat2:error=EIO"])).toBe(1);
  expect(readdirSync(sandbox.work)).toEqual(["tea.json"]);
});

test("SESS-30: sessions delete needs confirmation, and deletes all named sessions or none", async () => {
  const { sandbox, tea, birds } = await two();
  const refused = run(sandbox, "delete", tea, "--json");
  expect(refusal(refused)).toEqual([3, "unconfirmed"]);
  expect(refused.json.error.hint).toContain(`retain sessions delete ${tea} --yes`);
  expect(refusal(run(sandbox, "delete", tea, "none", "--yes", "--json"))).toEqual([1, "not_found"]);
  const held = await conversation(sandbox, talk("Held"), { openedBy: "another-host:1" });
  expect(refusal(run(sandbox, "delete", tea, held, "--yes", "--json"))).toEqual([3, "conflict"]);
  expect(refusal(run(sandbox, "delete", "--yes", "--json"))).toEqual([2, "usage"]);
  expect(json(sandbox).sessions).toHaveLength(3);
  expect(ok(sandbox, "delete", tea, birds, tea, "--yes").stdout).toBe(`✓ Deleted ${tea}, ${birds}\n`);
  expect(json(sandbox).sessions.map(({ id }: { id: string }) => id)).toEqual([held]);
  expect(sandbox.ok(["search", "herons", "--json"]).json.data.results).toEqual([]);
  expect(refusal(run(sandbox, "delete", held, "--force", "--json"))).toEqual([3, "unconfirmed"]);
  expect(ok(sandbox, "delete", held, "--yes", "--force").stdout).toBe(`✓ Deleted ${held}\n`);
});

testNeeding("tmux")("SESS-30: at a terminal the user is asked", async () => {
  const { sandbox, tea } = await two();
  for (const [answer, outcome, left] of [
    ["n", "Nothing was deleted.", 2],
    ["y", `✓ Deleted ${tea}`, 1],
  ] as const) {
    const screen = new TerminalScreen(sandbox, "retain sessions delete 20260218_001", {}, 120, 40);
    try {
      const asked = await screen.shows("Delete this session permanently? [y/N]");
      expect(asked).toContain(`${tea}  Which tea should I buy?  (2 messages)`);
      screen.type(answer, "Enter");
      expect(await screen.shows("[exit")).toContain(outcome);
    } finally {
      screen.close();
    }
    expect(json(sandbox).sessions).toHaveLength(left);
  }
});

test("SESS-24: sessions rename and sessions tag change a session's title and tags", async () => {
  const { sandbox, tea } = await two();
  expect(ok(sandbox, "rename", tea, "Green", "tea").stdout).toBe(`✓ ${tea} is now "Green tea"\n`);
  expect(ok(sandbox, "tag", tea, "drinks,shop", "home").stdout).toBe(`✓ ${tea} has drinks, shop, home\n`);
  expect(json(sandbox, "tag", tea, "-shop", "-home", "green")).toEqual({
    id: tea,
    title: "Green tea",
    tags: ["drinks", "green"],
  });
  expect(refusal(run(sandbox, "rename", tea, "--json"))).toEqual([2, "invalid_input"]);
  for (const words of [
    ["tag", tea],
    ["tag"],
    ["rename"],
    ["show"],
    ["export"],
    ["show", "a", "b"],
    ["list", "x"],
  ])
    expect([words, refusal(run(sandbox, ...words, "--json"))]).toEqual([words, [2, "usage"]]);
  for (const words of [
    ["list", "--yes"],
    ["show", "last", "--limit", "2"],
    ["delete", "last", "--all"],
  ])
    expect([words, refusal(run(sandbox, ...words, "--json"))]).toEqual([words, [2, "usage"]]);
});

test("SESS-32: forgotten text is removed from conversations too: from titles, summaries and tool calls", async () => {
  const sandbox = new Sandbox();
  const code = "Anna's door code is zyxqwv17";
  await sandbox.addFact(code);
  const id = await conversation(
    sandbox,
    [
      said("user", `Note: ${code}`),
      said("assistant", "", {
        details: {
          calls: [
            { id: "1", name: "write", input: { path: "x", content: `# Codes\n"${code}"\n`, [code]: true } },
          ],
          thinking: [{ text: code, metadata: { deep: [code] } }],
        },
      }),
      said("tool", "", { details: { results: [{ id: "1", name: "write", output: code, ok: true }] } }),
      said("system", code, { details: { compactsTo: 1 } }),
    ],
    { title: code },
  );
  await withSessions(sandbox, (sessions) =>
    sessions.change(id, { summary: `Told that ${code}.`, tags: [code] }),
  );
  const forgotten = sandbox.ok(["forget", code, "--yes", "--json"]).json.data;
  expect(forgotten.left).toEqual([]);
  expect(filesHolding(sandbox.memory, "zyxqwv17")).toEqual([]);
  const { title, summary, tags, conversation: messages } = json(sandbox, "show", id);
  expect([title, summary, tags]).toEqual(["[forgotten]", "Told that [forgotten].", ["[forgotten]"]]);
  expect(messages[1].details.calls[0].input).toEqual({
    path: "x",
    content: '# Codes\n"[forgotten]"\n',
    "[forgotten]": true,
  });
  expect(messages[2].details.results[0].output).toBe("[forgotten]");
  expect(json(sandbox, "search", "told").sessions[0].id).toBe(id);
});
