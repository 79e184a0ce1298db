/** A throwaway machine: an empty home, a place to work, and the real `retain` command in it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RetainOptions } from "../../src/app/retain-options.ts";
import type { Retain } from "../../src/app.ts";
import type { PutInput } from "../../src/documents/put.ts";
import type { RememberOptions } from "../../src/facts/write/remember.ts";
import { afterThisTest } from "./clean-up.ts";
import { RETAIN } from "./command.ts";

export { RETAIN };

/** The model is built once for all tests: it is checked at every load, so what another run left here does no harm. */
export const MODEL_CACHE = join(realpathSync(tmpdir()), "retain-test-cache");

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  stdin?: string | Uint8Array;
}

export interface RunResult {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** stdout as JSON; throws unless it is exactly one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the command printed
  json: any;
}

/** Where a command would run, and its `--global` or `--local`. */
type Where = Pick<RetainOptions, "cwd" | "scope">;

/** Few tests are about the embedding model, and loading it doubles the time of a command. */
const WITHOUT_MEANING = { RETAIN_EMBEDDING: "none" };
export const WITH_MEANING = { RETAIN_EMBEDDING: "minilm" };

export class Sandbox {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "retain-test-")));
  readonly home = join(this.root, "home");
  /** Where commands run by default. */
  readonly work = join(this.root, "work");
  /** The home workspace. */
  readonly memory = join(this.home, ".retain");

  constructor(private readonly embedding: Record<string, string> = WITHOUT_MEANING) {
    mkdirSync(this.home);
    mkdirSync(this.work);
    afterThisTest(() => rmSync(this.root, { recursive: true, force: true }));
  }

  /** Only what is needed: nothing of the machine's own settings leaks in. */
  env(more: Record<string, string | undefined> = {}): Record<string, string | undefined> {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      LOGNAME: "ada",
      TMPDIR: this.root,
      RETAIN_CACHE: MODEL_CACHE,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
      ...this.embedding,
      ...more,
    };
  }

  run(args: string[], options: RunOptions = {}): RunResult {
    return finished(
      Bun.spawnSync([RETAIN, ...args], {
        cwd: options.cwd ?? this.work,
        env: this.env(options.env),
        stdin: encode(options.stdin ?? ""),
      }),
    );
  }

  /** As `run`, for commands that must work: a failure shows what they said. */
  ok(args: string[], options: RunOptions = {}): RunResult {
    const result = this.run(args, options);
    if (result.exitCode !== 0)
      throw new Error(
        `retain ${args.join(" ")} ended with ${result.exitCode}: ${result.stderr}${result.stdout}`,
      );
    return result;
  }

  /** Starts the command and goes on. */
  start(args: string[], options: RunOptions = {}) {
    return Bun.spawn([RETAIN, ...args], {
      cwd: options.cwd ?? this.work,
      env: this.env(options.env),
      stdin: encode(options.stdin ?? ""),
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  /**
   * Does in this process what a command would do, in a tenth of the time: for what a test starts from. What the test is about is a
   * command. The memory is closed again before this returns. Not for notes, since this process may have another time zone, and not
   * for blocks in other agents' files, which a command updates at its end.
   */
  async setUp<T>(work: (retain: Retain) => T | Promise<T>, where: Where = {}): Promise<T> {
    const { openRetain } = await import("../../src/app.ts");
    using retain = openRetain({ ...this.#surroundings, asker: "person", ...where });
    const done = await work(retain);
    await retain.uploads.flush();
    return done;
  }

  /** Like `retain put -`. */
  async addDocument(content: string, input: Omit<PutInput, "content"> = {}, where?: Where): Promise<void> {
    await this.setUp(({ documents }) => documents.put({ content, ...input }), where);
  }

  /** Like `retain remember`. Returns the fact's id. */
  async addFact(text: string, options: RememberOptions = {}, where?: Where): Promise<string> {
    const { saved, skipped } = await this.setUp(({ facts }) => facts.remember(text, options), where);
    const id = saved[0]?.id ?? skipped[0]?.as;
    if (id === undefined) throw new Error(`Not saved: ${text}`);
    return id;
  }

  /** Like `retain init`, in a directory whose memory isn't in a bank yet. */
  async makeProject(cwd = this.work): Promise<void> {
    const { surroundingsOf } = await import("../../src/app/surroundings.ts");
    const { initProject } = await import("../../src/backends/workspaces.ts");
    await initProject(surroundingsOf({ ...this.#surroundings, cwd }), null);
  }

  get #surroundings() {
    return { cwd: this.work, homeDirectory: this.home, env: this.env() };
  }

  git(args: string[], cwd = this.work): string {
    const result = Bun.spawnSync(["git", ...args], { cwd, env: this.env() });
    if (result.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr}`);
    return result.stdout.toString();
  }

  write(path: string, content: string | Uint8Array): string {
    const file = join(this.work, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** A document of the home workspace, read straight from disk. */
  document(collection: string, id: string): string {
    return readFileSync(this.path(collection, id), "utf8");
  }

  path(collection: string, id: string): string {
    return join(this.memory, "collections", collection, `${id}.md`);
  }

  /** Every file below a directory, relative to it. */
  tree(directory = this.root): string[] {
    if (!existsSync(directory)) return [];
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
      .sort();
  }
}

function finished(result: { exitCode: number; stdout: Buffer; stderr: Buffer }): RunResult {
  const stdout = result.stdout.toString();
  return {
    exitCode: result.exitCode,
    stdout,
    stderr: result.stderr.toString(),
    get json() {
      return JSON.parse(stdout);
    },
  };
}

function encode(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? new TextEncoder().encode(text) : text;
}
