/** A home workspace where a stand-in model reads conversations, and the real command on it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "./clean-up.ts";
import { LearningServer, type ScriptedAnswer, type ShownBatch } from "./learning-server.ts";
import { Sandbox } from "./sandbox.ts";

export type Answering = (shown: ShownBatch, number: number) => ScriptedAnswer | string;

export class LearningPlace {
  readonly sandbox = new Sandbox();

  private constructor(readonly server: LearningServer) {}

  /** `config` comes after what makes the stand-in the model that learns. */
  static async open(answer: Answering, config = ""): Promise<LearningPlace> {
    const server = await new LearningServer(answer).start();
    afterThisTest(() => server.stop());
    const place = new LearningPlace(server);
    place.configure(`${server.config}${config}`);
    // Learning begins with what is said after it was switched on.
    place.sandbox.ok(["status"]);
    return place;
  }

  configure(yaml: string): void {
    mkdirSync(this.sandbox.memory, { recursive: true });
    writeFileSync(join(this.sandbox.memory, "config.yaml"), yaml);
  }

  /** A conversation that another agent tells of: what the user said, each answered with a nod. */
  async say(session: string, ...texts: string[]): Promise<void> {
    await this.sayIn(this.sandbox.work, session, ...texts);
  }

  async sayIn(cwd: string, session: string, ...texts: string[]): Promise<void> {
    const { sandbox } = this;
    using retain = openRetain({ cwd, homeDirectory: sandbox.home, env: sandbox.env() });
    const at = new Date().toISOString();
    const turns = texts.flatMap((content) => [
      { role: "user" as const, content, at },
      { role: "assistant" as const, content: "Noted.", at },
    ]);
    await retain.facts.writeTurns({ session, turns });
  }

  /** Turns are pending here: what a process says that starts the worker. */
  addWorkspace(root = this.sandbox.memory, cwd = this.sandbox.work): void {
    const file = join(this.sandbox.memory, `learning/place-${crypto.randomUUID()}.json`);
    writeFileSync(file, JSON.stringify({ root, cwd }));
  }

  /** The command's output. The stand-in answers meanwhile, so it runs beside the test. */
  async run(args: string[], env: Record<string, string> = {}): Promise<string> {
    const child = this.sandbox.start(args, { env });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code !== 0) throw new Error(`retain ${args.join(" ")} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the command printed
  async json(...args: string[]): Promise<any> {
    return JSON.parse(await this.run([...args, "--json"])).data;
  }

  /** Texts of facts that hold. */
  async facts(...args: string[]): Promise<string[]> {
    return (await this.json("facts", ...args)).facts.map(({ text }: { text: string }) => text);
  }

  /** A file below the home workspace; "" where there is none. */
  file(name: string): string {
    const path = join(this.sandbox.memory, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  bullets(name: string): string[] {
    return this.file(`memories/${name}`)
      .split("\n")
      .filter((line) => line.startsWith("- "))
      .map((line) => line.slice(2));
  }

  /** What the ledger says of each batch. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever is written
  get ledger(): any[] {
    return this.file("learning/ledger.jsonl")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }
}

/** Reports each sentence of the user that begins with "I " as a fact of its own. */
export const sentences: Answering = ({ turns }) => ({
  facts: turns
    .filter(({ role }) => role === "user")
    .flatMap(({ text }) => text.match(/\bI [^.!?\n]+/g) ?? [])
    .map((quote) => ({ text: `The user says: ${quote}.`, quote })),
});
