/** The real command against a stand-in Hindsight server: what a person sees of memory that is on its way, or on its side. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterThisTest } from "../helpers/clean-up.ts";
import { HindsightServer } from "../helpers/hindsight-server.ts";
import { testNeeding } from "../helpers/needs.ts";
import { type RunOptions, Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

/** Commands run beside the server, which is in this process. */
class Machine extends Sandbox {
  readonly server = new HindsightServer();

  static async start(): Promise<Machine> {
    const machine = new Machine();
    await machine.server.start();
    afterThisTest(() => machine.server.stop());
    return machine;
  }

  async retain(args: string[], options: RunOptions = {}) {
    const env = {
      ...{
        RETAIN_MEMORY_BACKEND: "hindsight",
        RETAIN_HINDSIGHT_URL: this.server.url,
        RETAIN_EMBEDDING: "none",
      },
      ...options.env,
    };
    const process = this.start(args, { ...options, env });
    const [stdout, stderr] = await Promise.all([
      new Response(process.stdout).text(),
      new Response(process.stderr).text(),
    ]);
    return { exitCode: await process.exited, stdout, stderr };
  }
}

test("REMOTE-14: status shows data pending for a bank not in use, however its URL is written", async () => {
  const machine = await Machine.start();
  machine.server.stop();
  const addresses = ["/base", "/base/"].map((path) => ({ RETAIN_HINDSIGHT_URL: machine.server.url + path }));
  await machine.retain(["remember", "Herons wade"], { env: addresses[0] ?? {} });
  for (const env of addresses) expect(await status(machine, env)).toEqual({ waiting: 1, elsewhere: [] });
  for (const env of [{ RETAIN_MEMORY_BACKEND: "local" }, { RETAIN_HINDSIGHT_BANK: "other" }]) {
    const told = await status(machine, env);
    expect(told).toMatchObject({ waiting: 0, elsewhere: [{ waiting: 1 }] });
    expect(told.elsewhere[0].directory).toStartWith(join(machine.memory, "spool", "retain-"));
    const { stdout } = await machine.retain(["status"], { env });
    expect(stdout).toContain("1 memory pending for a bank not in use here");
  }
});

async function status(machine: Machine, env: RunOptions["env"] = {}) {
  const { stdout } = await machine.retain(["status", "--json"], { env });
  const { backend, elsewhere } = JSON.parse(stdout).data;
  return { waiting: backend.waiting, elsewhere };
}

test("REMOTE-14: status shows pending and refused memories with the reason, and --send sends them", async () => {
  const machine = await Machine.start();
  machine.server.refuses = () => true;
  await machine.retain(["remember", "Herons wade"]);
  const { stdout } = await machine.retain(["status"]);
  expect(stdout).toContain("Refused    Herons wade (the server answered 422");
  expect(stdout).toContain("retain status --send");
  machine.server.refuses = () => false;
  const sent = await machine.retain(["status", "--send"]);
  expect(sent.stdout).not.toContain("Herons wade");
  expect(machine.server.bank("retain").documents.size).toBe(1);
});

test("MODELS-17: a context contains the server's current mental models without a refresh, and the cached ones while it hangs", async () => {
  const machine = await Machine.start();
  const models = machine.server.bank("retain").models;
  const model = { id: "team", name: "team", source_query: "Who leads?", tags: [], last_refreshed_at: null };
  models.set("team", { ...model, content: "Bob leads the team." });
  const env = { RETAIN_HINDSIGHT_RECALL_TIMEOUT_MS: "20000" };
  const context = async (more = {}) =>
    (await machine.retain(["context"], { env: { ...env, ...more } })).stdout;
  expect(await context()).toContain("Bob leads the team.");
  models.set("team", { ...model, content: "Eve leads the team." });
  expect(await context()).toContain("Eve leads the team.");
  machine.server.trouble = { hang: true };
  expect(await context({ RETAIN_HINDSIGHT_RECALL_TIMEOUT_MS: "400" })).toContain("Eve leads the team.");
});

test("HIND-11: a later command reports that the server failed to process a memory, and sends it again", async () => {
  const machine = await Machine.start();
  machine.server.fails = "the model timed out";
  await machine.retain(["remember", "Herons wade"]);
  expect(await status(machine)).toMatchObject({ waiting: 0 });
  expect(machine.server.bank("retain").documents.size).toBe(0);
  machine.server.fails = null;
  const { stderr } = await machine.retain(["status", "--send"]);
  expect(stderr).toContain("the model timed out");
  expect(machine.server.bank("retain").documents.size).toBe(1);
});

test("REMOTE-14: with a bank, no command claims that memory is empty, and forget says how to name a memory there", async () => {
  const machine = await Machine.start();
  const search = await machine.retain(["search", "heron"]);
  expect(search).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await machine.retain(["facts"])).stdout).toContain("Hindsight");
  const forget = await machine.retain(["forget", "heron", "--yes"]);
  expect(forget.exitCode).toBe(1);
  expect(forget.stderr).toContain("'retain search'");
});

test("CLEAR-10: with a shared bank, clear lists what it removes, by project and count, and keeps other projects' pending data", async () => {
  const machine = await Machine.start();
  machine.server.stop();
  const env = { RETAIN_HINDSIGHT_SCOPING: "per-project-tagged" };
  const projects = ["heron", "tern"].map((name) => {
    const cwd = join(machine.work, name);
    machine.write(`${name}/README.md`, "# A project\n");
    machine.ok(["init"], { cwd });
    return cwd;
  });
  const [heron = "", tern = ""] = projects;
  const waiting = async () => (await status(machine, env)).waiting;
  await machine.retain(["remember", "Herons wade"], { env, cwd: heron });
  await machine.retain(["remember", "Herons wait"], { env, cwd: heron });
  await machine.retain(["remember", "Terns dive"], { env, cwd: tern });
  const refused = await machine.retain(["clear"], { env, cwd: heron });
  expect(refused.exitCode).toBe(3);
  expect(refused.stderr).toMatch(/\(2 of project heron-[0-9a-f]+\), and its cached answers/);
  expect(await waiting()).toBe(3);
  const { stdout } = await machine.retain(["clear", "--yes"], { env, cwd: heron });
  expect(stdout).toContain("2 memories");
  expect(stdout).toMatch(/: 1 of project tern-[0-9a-f]+\..*retain clear --global/);
  expect(await waiting()).toBe(1);
  await machine.retain(["clear", "--yes", "--global"], { env, cwd: heron });
  expect(await waiting()).toBe(0);
});

testNeeding("tmux")("CLEAR-10: with Hindsight, clear asks for the bank's name", async () => {
  const machine = await Machine.start();
  const env = { RETAIN_MEMORY_BACKEND: "hindsight", RETAIN_HINDSIGHT_URL: machine.server.url };
  const screen = new TerminalScreen(machine, "retain clear", { ...env, RETAIN_HINDSIGHT_BANK: "herons" });
  afterThisTest(() => screen.close());
  await screen.shows("Clear 'herons'?");
  screen.type("herons", "Enter");
  expect(await screen.shows("[exit 0]")).toContain("Hindsight");
});

test("CLEAR-10: with Hindsight, clear removes pending data and cached answers; pinned answers and local memory stay", async () => {
  const machine = await Machine.start();
  const file = (name: string) => join(machine.memory, "memories", "models", `${name}.md`);
  await machine.retain(["remember", "Prefers tea"]);
  await machine.retain(["log", "Talk: about herons"]);
  for (const name of ["team", "drinks"])
    await machine.retain(["mental-models", "add", name, "What is preferred? tea"]);
  await machine.retain(["mental-models", "refresh"]);
  await machine.retain(["mental-models", "pin", "drinks"]);
  for (const name of ["team", "drinks"]) expect(readFileSync(file(name), "utf8")).toContain("- Prefers tea");
  machine.server.stop();
  await machine.retain(["remember", "Prefers cake"]);
  const { stdout, exitCode } = await machine.retain(["clear", "--yes"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("1 memory pending");
  expect(stdout).toMatch(/\d cached answers? of mental models/);
  expect(readFileSync(file("team"), "utf8")).toContain("question: What is preferred?");
  expect(readFileSync(file("team"), "utf8")).not.toContain("- Prefers tea");
  expect(readFileSync(file("drinks"), "utf8")).toContain("- Prefers tea");
  expect((await machine.retain(["context"])).stdout).toContain("about herons");
});
