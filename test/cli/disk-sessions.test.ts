/** Conversations on disks that are full or read-only, for real. */
import { expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { KEY } from "../helpers/chat.ts";
import { conversation, talk, withSessions } from "../helpers/conversations.ts";
import { inNamespace, readOnlyHome, smallDisk } from "../helpers/namespace.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const mounted = testNeeding("mount namespaces");
const FIXTURES = join(import.meta.dir, "../fixtures");
const FULL = expect.objectContaining({ code: "io", message: expect.stringContaining("the disk is full") });

mounted(
  "DUR-4: a write that fails on a full disk stores nothing, leaves no lock, and works once there is space",
  async () => {
    const sandbox = new Sandbox();
    const { disk, script } = smallDisk(sandbox, "1500k");
    const output = await inNamespace(
      sandbox,
      `${script} mkdir $RETAIN_HOME
     dd if=/dev/zero of=${disk}/filler bs=1k count=700 2>/dev/null
     bun ${join(FIXTURES, "talk-until-full.ts")} $RETAIN_HOME ${disk}/filler`,
    );
    const { appending, beginning, releasing, told, ...rest } = JSON.parse(output);
    expect(appending).toEqual(FULL);
    expect(beginning).toEqual(FULL);
    expect([null, "io"]).toContain(releasing?.code ?? null);
    expect(told).toBeGreaterThan(1);
    expect(rest).toMatchObject({ stored: told, listed: 1, next: told + 1, last: told + 2 });
    expect(rest.after).toEqual(Array.from({ length: told + 2 }, (_, number) => `Message ${number}`));
  },
);

mounted("DUR-4: a chat that meets a full disk tells it, and the session is whole up to there", async () => {
  await using server = await new AnthropicServer(() => ({ chunks: ["word ".repeat(10_000)] })).start();
  const sandbox = new Sandbox();
  const { disk, script } = smallDisk(sandbox, "600k");
  const output = await inNamespace(
    sandbox,
    `${script} retain -p "hello" >/dev/null; echo "first $?"
     for number in 1 2 3 4; do retain -c -p "and $number?" >/dev/null; echo "next $?"; done; retain sessions -q
     mount -o remount,size=4m ${disk}; retain -c -p "and now?" >/dev/null; echo "last $?"
     retain sessions show last | grep -v word`,
    { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY },
  );
  expect(output).toContain("first 0\n");
  expect(output).toMatch(/next 1\nsession_\d+_001\nlast 0\n/);
  expect(output).toContain("hello");
  expect(output).toContain("and now?");
  expect(output).toContain("the disk is full");
  expect(output).not.toContain("bug in Retain");
});

mounted(
  "DUR-4: a process that opened the workspace on a full disk reads it, and writes once there is space",
  async () => {
    const sandbox = await remembering();
    const { disk, script } = smallDisk(sandbox, "1m");
    const output = await inNamespace(
      sandbox,
      `${script} cp -r ${sandbox.memory} $RETAIN_HOME; dd if=/dev/zero of=${disk}/filler bs=1k count=2000 2>/dev/null
     bun ${join(FIXTURES, "open-when-full.ts")} $RETAIN_HOME ${disk}/filler`,
    );
    const [old, fresh] = ["session_20260218_001", "session_20260219_001"];
    expect(JSON.parse(output)).toEqual({
      unwritable: "the disk is full",
      before: [old],
      failed: `Cannot write to ${disk}/retain: the disk is full.`,
      stored: fresh,
      after: [fresh, old],
      now: null,
      said: [],
    });
  },
);

async function remembering(): Promise<Sandbox> {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "Likes tea in the morning"]);
  await conversation(sandbox, talk("Where is the harbour?", "In the north."), { title: "The harbour" });
  return sandbox;
}

const READS = `retain sessions -q; retain sessions show last; retain search harbour -q; retain recall harbour
  retain facts; retain sessions search harbour -q; retain get nothing-there; echo "exit $?"`;

mounted("DUR-9: on a read-only disk, conversations and facts can be read and searched", async () => {
  const sandbox = await remembering();
  const output = await inNamespace(sandbox, `${readOnlyHome(sandbox)} ${READS}`);
  expect(output).toContain("session_20260218_001\nThe harbour\n");
  expect(output).toContain("In the north.");
  expect(output).toContain("Likes tea in the morning");
  expect(output).toMatch(/### message.*\n\nIn the north\./);
  expect(output).not.toContain("cannot be read");
  const writing = await inNamespace(
    sandbox,
    `${readOnlyHome(sandbox)} retain sessions rename last Other; echo "exit $?"; retain sessions -q`,
  );
  expect(writing).toContain(`Cannot write to ${sandbox.memory}: the disk is read-only.`);
  expect(writing).toContain("exit 1");
});

mounted("DUR-9: so can conversations of a killed process whose rows are in an unreadable log", async () => {
  const sandbox = await remembering();
  const store = `import { sessionsAt } from "${join(import.meta.dir, "../helpers/sessions-at.ts")}";
    const { sessions } = sessionsAt("${sandbox.memory}", () => {});
    const message = { role: "user", speaker: null, content: "Only in the log.", timestamp: "2026-02-19T00:00:00Z", token_count: 1 };
    await sessions.begin({ chat: "main", title: "Log", day: "2026-02-19", openedBy: null }, [message]);
    process.kill(process.pid, "SIGKILL");`;
  Bun.spawnSync([process.execPath, "-e", store]);
  const output = await inNamespace(
    sandbox,
    `${readOnlyHome(sandbox)} retain sessions -q; retain sessions show last`,
  );
  expect(output).toContain("session_20260219_001\nsession_20260218_001\n");
  expect(output).toContain("Only in the log.");
  rmSync(join(sandbox.memory, "retain.db-shm"));
  const unread = await inNamespace(
    sandbox,
    `${readOnlyHome(sandbox)} for verb in "list" "show last" "search harbour" "export last"; do
       retain sessions $verb; echo "exit $?"; done; retain facts -q; retain search tea -q; retain search harbour`,
  );
  expect(unread.match(/exit 0/g)).toHaveLength(4);
  expect(unread).toContain("Only in the log.");
  expect(unread).toContain("cannot be read: its newest changes are in");
  expect(sandbox.ok(["sessions", "-q"]).stdout).toBe("session_20260219_001\nsession_20260218_001\n");
});

mounted(
  "DUR-9: a damaged database that cannot be replaced is reported, and the files' contents are found",
  async () => {
    const sandbox = await remembering();
    Bun.write(join(sandbox.memory, "retain.db"), "no database ".repeat(1_000));
    const output = await inNamespace(
      sandbox,
      `${readOnlyHome(sandbox)} retain sessions; echo "exit $?"; retain search tea`,
    );
    expect(output).toContain("retain.db cannot be read: it is damaged.");
    expect(output).toContain("exit 0");
    expect(output).toContain("The harbour");
    expect(output).toContain("Likes tea in the morning");
  },
);

test("DUR-9: a directory without a database has no conversations and no warning", async () => {
  const sandbox = new Sandbox();
  mkdirSync(sandbox.memory);
  expect(await withSessions(sandbox, async (sessions) => sessions.list({}))).toEqual([]);
  expect(sandbox.ok(["sessions"]).stdout).toBe("No sessions.\n");
});

mounted("DUR-9: a chat on a read-only disk answers, and says in one line that nothing is saved", async () => {
  const sandbox = await remembering();
  const ask = `${readOnlyHome(sandbox)} retain --model none "What do I like in the morning?"; echo "exit $?"; retain sessions -q`;
  const output = await inNamespace(sandbox, ask);
  expect(output).toContain("> Likes tea in the morning");
  expect(output).toContain("exit 0\nsession_20260218_001\n");
  expect(output.match(/This conversation is not .*: the disk is read-only\./g)).toHaveLength(1);
  const bare = new Sandbox();
  const empty = await inNamespace(
    bare,
    `${readOnlyHome(bare)} retain --model none "What now?"; echo "exit $?"`,
  );
  expect(empty).toContain("exit 0");
  expect(empty).toMatch(/This conversation is not .*: the disk is read-only\./);
});
