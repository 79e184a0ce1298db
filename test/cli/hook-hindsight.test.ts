/** Hooks where a Hindsight server holds memory: sessions go to its bank, and a server that is gone holds nobody up. */
import { expect, test } from "bun:test";
import { openRetain } from "../../src/index.ts";
import { assistant, ClaudeCode, SESSION, toolCall, user } from "../agent/hooks-transcript.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { HindsightServer } from "../helpers/hindsight-server.ts";
import { Sandbox } from "../helpers/sandbox.ts";

class Machine {
  readonly sandbox = new Sandbox();
  readonly server = new HindsightServer();
  readonly claude = new ClaudeCode(this.sandbox);

  static async start(): Promise<Machine> {
    const machine = new Machine();
    await machine.server.start();
    afterThisTest(() => machine.server.stop());
    return machine;
  }

  /** The server is in this process, so the command runs beside it. */
  async hook(event: string, fields: Record<string, unknown> = {}): Promise<string> {
    const { stdout, stderr } = await this.run(["hook", event], this.claude.event(event, fields));
    expect(stderr).toBe("");
    return stdout;
  }

  async run(args: string[], stdin = "") {
    const env = {
      RETAIN_MEMORY_BACKEND: "hindsight",
      RETAIN_HINDSIGHT_URL: this.server.url,
      RETAIN_EMBEDDING: "none",
    };
    const child = this.sandbox.start(args, { env, stdin });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect(await child.exited).toBe(0);
    return { stdout, stderr };
  }

  /** What the bank holds, as text. */
  held(): string {
    return JSON.stringify([...this.server.banks.values()].map(({ documents }) => [...documents.values()]));
  }
}

const exchange = (number: number) => [
  user(`How does part number ${number} of the parser work?`),
  assistant(`Part number ${number} of the parser reads tokens.`),
];

test("HOOK-7: turns are sent to the bank every few turns, marked facts at once", async () => {
  const machine = await Machine.start();
  machine.claude.write(...exchange(1));
  await machine.hook("stop");
  expect(machine.held()).not.toContain("parser");
  machine.claude.write(...exchange(2), ...exchange(3));
  await machine.hook("stop");
  for (const number of [1, 2, 3]) expect(machine.held()).toContain(`part number ${number} of the parser`);
  machine.claude.write(user("Which runtime?"), assistant("[MEMORY] The build runs on Bun"));
  await machine.hook("stop");
  expect(machine.held()).toContain("The build runs on Bun");
  const whole = [...machine.server.banks.values()].flatMap(({ documents }) =>
    [...documents.values()].filter(({ content }) => content.includes("How does part")),
  );
  expect(whole).toHaveLength(1);
  for (const said of ["part number 1", "part number 3", "Which runtime?"])
    expect(whole[0]?.content).toContain(said);
});

test("HOOK-23: turns that query memory or forget something are not sent to the bank", async () => {
  const machine = await Machine.start();
  machine.claude.write(
    ...exchange(1),
    user("<command-name>/retain:forget</command-name>"),
    assistant("The fact is: the code is on the fridge. Forget it?"),
    user("Forget the one about the fridge, please do"),
    toolCall("mcp__plugin_retain_retain__memory_forget", { id: "o1l54c1nns" }, "Forgotten."),
    assistant("The fridge is forgotten.\n[MEMORY] The code is on the fridge"),
    ...exchange(2),
  );
  await machine.hook("session-end", { reason: "other" });
  for (const number of [1, 2]) expect(machine.held()).toContain(`part number ${number} of the parser`);
  expect(machine.held()).not.toContain("fridge");
});

test("HOOK-7: with a server that is down or hangs, everything stays in the spool, and the hook ends in time", async () => {
  const machine = await Machine.start();
  machine.server.stop();
  machine.claude.write(...exchange(1), user("Which runtime?"), assistant("[MEMORY] The build runs on Bun"));
  await machine.hook("session-end", { reason: "other" });
  const { backend } = JSON.parse((await machine.run(["status", "--json"])).stdout).data;
  expect(backend.waiting).toBe(2);
  expect(
    await machine.hook("user-prompt-submit", { prompt: "which runtime does the build run on?" }),
  ).toBeString();
  await machine.server.start();
  machine.server.trouble = { hang: true };
  machine.claude.write(...exchange(2));
  await machine.hook("session-end", { reason: "other" });
  machine.server.trouble = null;
  await machine.run(["status", "--send"]);
  for (const number of [1, 2]) expect(machine.held()).toContain(`part number ${number} of the parser`);
});

test("HOOK-14: session-end stays within Claude Code's time limit, including sending to a server", async () => {
  const machine = await Machine.start();
  machine.server.trouble = { hang: true };
  machine.claude.write(...exchange(1));
  await machine.hook("session-end", { reason: "other" });
  const [line = "", ...more] = machine.claude.log();
  expect(more).toEqual([]);
  expect(line).toContain("1 turn in");
  expect(Number(line.match(/ in (\d+) ms/)?.[1])).toBeLessThan(1_200);
  machine.server.trouble = null;
  await machine.run(["status", "--send"]);
  expect(machine.held()).toContain("part number 1 of the parser");
});

test("HOOK-17: a conversation open on the same workspace continues", async () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox, SESSION);
  const env = sandbox.env({ RETAIN_EMBEDDING: "none" });
  using retain = openRetain({ cwd: sandbox.work, env, homeDirectory: sandbox.home });
  const chat = await retain.chat({ interactive: false });
  const talked: Promise<unknown>[] = [];
  for (let round = 0; round < 5; round++) {
    claude.write(user(`Question ${round} of many`), assistant(`[MEMORY] Fact number ${round} of the hook`));
    const child = sandbox.start(["hook", "stop"], {
      stdin: claude.event("Stop"),
      env: { RETAIN_EMBEDDING: "none" },
    });
    talked.push(retain.facts.remember(`Fact number ${round} of the chat`), child.exited);
    for await (const _ of chat.send(`/remember Line ${round} of the chat`, new AbortController().signal))
      void _;
  }
  await Promise.all(talked);
  claude.hook("session-end", {}, { RETAIN_EMBEDDING: "none" });
  const facts = (await retain.facts.list()).map(({ text }) => text);
  for (let round = 0; round < 5; round++) {
    expect(facts).toContain(`Fact number ${round} of the hook`);
    expect(facts).toContain(`Fact number ${round} of the chat`);
  }
});
