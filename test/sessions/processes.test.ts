/** Many processes on one conversation, and processes killed in the middle of one. */
import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { join } from "node:path";
import { contents, withSessions } from "../helpers/conversations.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const PROCESSES = 8;
const SOURCE = join(import.meta.dir, "../../src");

/** Has `openRetain`, the store of the home workspace, and "host:pid" of itself. */
const PRELUDE = `
  import { hostname } from "node:os";
  import { openRetain } from "${SOURCE}/index.ts";
  import { sessionsAt } from "${join(import.meta.dir, "../helpers/sessions-at.ts")}";
  const [root, argument] = process.argv.slice(-2);
  const { sessions } = sessionsAt(root);
  const self = hostname() + ":" + process.pid;
  const say = (content, role = "user") => ({
    role, speaker: null, content, timestamp: new Date().toISOString(), token_count: null,
  });
  const tell = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
  const begin = (first, openedBy = self) =>
    sessions.begin({ chat: "main", title: null, day: "2026-02-18", openedBy }, [say(first)]);
`;

function start(sandbox: Sandbox, script: string, argument = "") {
  return Bun.spawn([process.execPath, "-e", PRELUDE + script, sandbox.memory, argument], {
    cwd: sandbox.work,
    env: sandbox.env({ RETAIN_EMBEDDING: "none" }),
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function lines<T>(child: ReturnType<typeof start>): Promise<T[]> {
  const [said, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  if (problems !== "") throw new Error(problems);
  return said
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}

test("SESS-2: eight processes that start sessions at once get distinct ids and lose no message", async () => {
  const sandbox = new Sandbox();
  await withSessions(sandbox, async () => {});
  const script = `for (let round = 0; round < 10; round++) {
    const { id } = await begin(argument + "." + round);
    await sessions.append({ id, chat: "main", title: null }, [say("Answer", "assistant")]);
    tell({ id, said: argument + "." + round });
  }`;
  const children = Array.from({ length: PROCESSES }, (_, worker) => start(sandbox, script, String(worker)));
  const begun = (
    await Promise.all(children.map((child) => lines<{ id: string; said: string }>(child)))
  ).flat();
  expect(new Set(begun.map(({ id }) => id)).size).toBe(PROCESSES * 10);
  const last = `session_20260218_${String(PROCESSES * 10).padStart(3, "0")}`;
  expect(
    begun
      .map(({ id }) => id)
      .sort()
      .at(-1),
  ).toBe(last);
  await withSessions(sandbox, async (sessions) => {
    for (const { id, said } of begun) expect(contents(sessions.messages(id))).toEqual([said, "Answer"]);
  });
}, 120_000);

test("SESS-8: if eight processes claim a session, one gets it and the others learn which", async () => {
  const sandbox = new Sandbox();
  await withSessions(sandbox, async (sessions) => {
    for (let round = 0; round < 3; round++) {
      const messages = [
        { role: "user" as const, speaker: null, content: "Hello", timestamp: "", token_count: null },
      ];
      // The process that had it open is gone.
      const { pid } = Bun.spawnSync(["true"]);
      const { id } = await sessions.begin(
        { chat: "main", title: null, day: "2026-02-18", openedBy: `${hostname()}:${pid}` },
        messages,
      );
      const script = `
        const gone = "${hostname()}:${pid}";
        tell({ self, holder: await sessions.claim(argument, self, (holder) => holder === gone) });
        await new Response(Bun.stdin.stream()).text();`;
      const children = Array.from({ length: PROCESSES }, () => start(sandbox, script, id));
      const answers = (
        await Promise.all(children.map((child) => lines<{ self: string; holder: string }>(child)))
      ).flat();
      const holders = new Set(answers.map(({ holder }) => holder));
      expect(answers).toHaveLength(PROCESSES);
      expect(holders.size).toBe(1);
      expect(answers.filter(({ self, holder }) => self === holder)).toHaveLength(1);
    }
  });
}, 120_000);

test("SESS-1: a killed session is complete up to its last message, and the next process summarises it", async () => {
  const sandbox = new Sandbox();
  await withSessions(sandbox, async () => {});
  const script = `
    const { id } = await begin("We grow basil on the balcony");
    tell({ id });
    for (let number = 1; ; number++) {
      const result = { id: "1", name: "look", output: "basil ".repeat(2000), ok: true };
      const [stored] = await sessions.append({ id, chat: "main", title: null }, [
        say("Message " + number, number % 2 === 0 ? "user" : "assistant"),
        { ...say("", "tool"), details: { results: [result] } },
      ]);
      tell({ number: stored.id, content: stored.content });
    }`;
  for (let round = 0; round < 3; round++) {
    const child = start(sandbox, script);
    const told: { id?: string; number?: number; content?: string }[] = [];
    let rest = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + piece).split("\n");
      rest = parts.pop() ?? "";
      told.push(...parts.map((line) => JSON.parse(line)));
      if (told.length > 5 + 4 * round) child.kill("SIGKILL");
    }
    await child.exited;
    const id = told[0]?.id ?? "";
    await withSessions(sandbox, async (sessions) => {
      const stored = sessions.messages(id);
      for (const { number, content } of told.slice(1))
        expect(stored.find((message) => message.id === number)?.content).toBe(content ?? "");
      const spoken = contents(stored.filter(({ role }) => role !== "tool"));
      expect(spoken).toEqual([
        "We grow basil on the balcony",
        ...spoken.slice(1).map((_, index) => `Message ${index + 1}`),
      ]);
      // A message and its result are one write.
      expect(stored.filter(({ role }) => role === "tool")).toHaveLength(spoken.length - 1);
      expect(sessions.session(id)).toMatchObject({ openedBy: `${hostname()}:${child.pid}`, summary: null });
    });
    const next = start(sandbox, "tell(await openRetain().sessions.summariseLeft(null));");
    const [summarised] = await lines<{ id: string; summary: string }[]>(next);
    expect(summarised).toMatchObject([{ id, title: "We grow basil on the balcony" }]);
    expect(summarised?.[0]?.summary).toContain("We grow basil on the balcony.");
    await withSessions(sandbox, async (sessions) => expect(sessions.session(id)?.openedBy).toBeNull());
  }
}, 120_000);

test("SESS-6: if several processes start at once, each summary is made once", async () => {
  const sandbox = new Sandbox();
  await withSessions(sandbox, async () => {});
  const [made] = await lines<string[]>(
    start(
      sandbox,
      'const ids = []; for (const word of ["basil", "thyme", "sage"]) ids.push((await begin(word + " grows")).id); tell(ids);',
    ),
  );
  const children = Array.from({ length: PROCESSES }, () =>
    start(sandbox, "tell((await openRetain().sessions.summariseLeft(null)).map(({ id }) => id));"),
  );
  const done = (await Promise.all(children.map((child) => lines<string[]>(child)))).flat(2);
  expect(done.sort()).toEqual(made ?? []);
  await withSessions(sandbox, async (sessions) => {
    expect(sessions.list({}).map(({ summary, openedBy }) => [summary, openedBy])).toEqual([
      ["sage grows.", null],
      ["thyme grows.", null],
      ["basil grows.", null],
    ]);
    expect(sessions.unsummarised(() => true)).toEqual([]);
  });
}, 120_000);
