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
