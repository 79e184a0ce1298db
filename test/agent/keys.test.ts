/** Keys of model providers stay out of what a model, a session, a screen and other programs see. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, KEY, only } from "../helpers/chat.ts";
import { ORDINARY, testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";

const STORED = "stored.by.model-key.0815";
const NAMED = "own-gateway/plain/words";
const SHORT = "abc123";

test("TOOL-10: known keys are redacted in tool output before the model, the session or the screen gets it", async () => {
  await using server = await new AnthropicServer([
    {
      calls: [
        { name: "run_command", input: { command: "cat notes.txt" } },
        { name: "run_command", input: { command: "cat notes.txt; exit 3" } },
        { name: "read_file", input: { path: "notes.txt" } },
        { name: "read_file", input: { path: "missing.txt" } },
      ],
    },
    { text: "Read." },
  ]).start();
  const gateway = { name: "gateway", url: "http://localhost:1/v1", key_env: "MY_GATEWAY" };
  const settings = { embedding: "none" as const, model_endpoints: [gateway] };
  const room = new ChatRoom(server, { settings }, { MY_GATEWAY: NAMED, SHORT_API_KEY: SHORT });
  const { sandbox } = room;
  sandbox.ok(["model", "key", "groq"], { stdin: STORED });
  sandbox.write("notes.txt", `a ${KEY} b ${STORED}${NAMED} c ${SHORT}\n`);
  const chat = await room.open({ tools: "all" });
  const events = await chat.say("Read it");
  expect(only(events, "result").map(({ ok }) => ok)).toEqual([true, false, true, false]);
  const { conversation } = await room.retain.sessions.show("last");
  for (const text of [server.requests.map(({ body }) => body), conversation, events].map((one) =>
    JSON.stringify(one),
  ))
    for (const key of [KEY, STORED, NAMED]) expect(text).not.toContain(key);
  expect(JSON.stringify(server.last.body)).toContain(
    `a [secret removed] b [secret removed][secret removed] c ${SHORT}`,
  );
});

test("TOOL-10: git gets no key", async () => {
  const box = new Sandbox();
  const bin = join(box.root, "bin");
  mkdirSync(bin);
  const seen = join(box.root, "seen");
  writeFileSync(
    join(bin, "git"),
    `#!/bin/sh\nenv >> '${seen}'\nexec /usr/bin/env PATH="\${PATH#*:}" git "$@"\n`,
  );
  chmodSync(join(bin, "git"), 0o755);
  box.git(["init", "-q"]);
  await box.makeProject();
  box.ok(["config", "set", "--global", "rerank_key_env", "MY_GATEWAY"]);
  await box.addDocument("# Note\n", { id: "note" });
  const env = { PATH: `${bin}:${process.env.PATH}`, ANTHROPIC_API_KEY: KEY, MY_GATEWAY: NAMED };
  box.ok(["versions", "note"], { env });
  const inherited = readFileSync(seen, "utf8");
  expect(inherited).toContain("HOME=");
  expect(inherited).not.toContain(KEY);
  expect(inherited).not.toContain(NAMED);
});

testNeeding("permissions")(
  "TOOL-10: other programs of the same user cannot read keys from Retain's environment",
  async () => {
    const box = new Sandbox();
    const retain = Bun.spawn([...ORDINARY, RETAIN, "mcp"], {
      cwd: box.work,
      env: box.env({ ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" }),
      stdio: ["pipe", "pipe", "inherit"],
    });
    try {
      retain.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
      await retain.stdin.flush();
      await retain.stdout.getReader().read();
      const look = Bun.spawnSync([...ORDINARY, "cat", `/proc/${retain.pid}/environ`]);
      expect([look.exitCode, look.stdout.toString()]).toEqual([1, ""]);
      const listed = Bun.spawnSync([...ORDINARY, "ps", "eww", "-p", String(retain.pid)]);
      expect(listed.stdout.toString()).not.toContain(KEY);
    } finally {
      retain.kill();
      await retain.exited;
    }
  },
);
