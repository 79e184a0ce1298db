import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Retain } from "../../app.ts";
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import { errorCode } from "../../util/fs.ts";
import { isLoopback } from "../../util/loopback.ts";
import { shellWord } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";
import { isTerminal } from "../tty.ts";

interface McpOptions extends CommonOptions {
  http?: boolean;
  host?: string;
  port?: number;
  tokenFile?: string;
  chat?: string;
  directory?: string;
  incognito?: boolean;
}

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 7411;
const TOKEN_FILE = "mcp-token";

export const mcp: CliCommand<McpOptions> = {
  define(command) {
    command
      .option("--chat <name>", "the chat whose memory to serve (default: the project's, or 'main')")
      .takes("chat")
      .option("--directory <path>", "run as if started in this directory")
      .takes("directory")
      .option("--incognito", "let the client read memory but store nothing")
      .option("--http", "serve local programs over HTTP instead of one client over stdin and stdout")
      .option("--port <number>", `the port (default: ${DEFAULT_PORT}); 0 picks a free one`, portNumber)
      .takes("text")
      .option("--host <address>", `a loopback address (default: ${DEFAULT_HOST})`)
      .takes("text")
      .option(
        "--token-file <file>",
        `the file with the HTTP token (default: ${TOKEN_FILE} in the home workspace)`,
      )
      .takes("file");
    addExamples(command, ["retain mcp", "retain mcp --http", "retain mcp --http --port 0 --json"]);
  },

  async run(context, _args, options) {
    checkOptions(options);
    const { directory, chat, incognito } = options;
    const retain = context.open({
      ...(directory !== undefined && { cwd: existing(directory) }),
      ...(incognito && { settings: { incognito } }),
    });
    const { serveHttp, serveStdin, isIncognito, toolsOf } = await import("../../mcp/main.ts");
    const inChat = chat === undefined ? {} : { chat };
    const offered = {
      retain,
      tools: (client: () => string) => toolsOf(retain, { ...inChat, client }),
      version: context.version,
      reportBug: (error: unknown) =>
        context.warn((error instanceof Error && error.stack) || messageOf(error)),
      ...inChat,
    };
    const end = untilStopped(context);
    const report = (error: Error) => context.terminal.explain(`mcp: ${error.message}`);
    // Runs in the background; the next chat retries what failed.
    if (!isIncognito(retain)) retain.startLearning().catch(() => {});
    if (options.http) {
      const server = await listen(context, retain, options, (token, host, port) =>
        serveHttp(offered, { token, host, port, report }),
      );
      await end.reached;
      await server.close();
    } else {
      if (isTerminal("stdin"))
        context.terminal.say("Waiting for an MCP client on stdin. To set one up: retain connect --help");
      await serveStdin(offered, { signal: end.signal, report });
    }
    return { data: null, text: "", streamed: true, ...end.failure() };
  },
};

/** A missing directory is an error: falling back would serve the wrong memory. Throws `not_found`. */
function existing(directory: string): string {
  const path = resolve(directory);
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  } catch (error) {
    throw ioError(error, `Cannot read ${path}`);
  }
  throw new RetainError(
    "not_found",
    `Directory not found: ${path}`,
    "If the project moved, connect it again from its new directory: retain connect --help",
  );
}

const HTTP_ONLY = { port: "--port", host: "--host", tokenFile: "--token-file" } as const;

function checkOptions(options: McpOptions): void {
  for (const [key, option] of Object.entries(HTTP_ONLY))
    if (!options.http && options[key as keyof typeof HTTP_ONLY] !== undefined)
      throw new RetainError(
        "usage",
        `${option} only works with --http.`,
        `Add --http: retain mcp --http ${option} …`,
      );
  if (options.host !== undefined && !isLoopback(options.host))
    throw new RetainError(
      "unsafe",
      `'${options.host}' is not a loopback address, so others on the network could read the token and the memory.`,
      "To connect from another machine, use a tunnel: ssh -L 7411:127.0.0.1:7411 <this machine>",
    );
}

function portNumber(said: string): number {
  if (/^\d{1,5}$/.test(said) && Number(said) < 65_536) return Number(said);
  throw new RetainError("usage", `--port must be a number from 0 to 65535, not '${said}'.`);
}

type Serve = (token: string, host: string, port: number) => { url: string; close(): Promise<void> };

/** Prints the address and how to authenticate, but never the token. */
async function listen(context: Context, retain: Retain, options: McpOptions, serve: Serve) {
  const { tokenIn } = await import("../../mcp/token.ts");
  const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options;
  const tokenFile = resolve(options.tokenFile ?? `${retain.choice.home.root}/${TOKEN_FILE}`);
  const token = tokenIn(tokenFile);
  const server = listening(() => serve(token, host, port), host, port);
  await context.terminal.print("mcp", described(server.url, tokenFile));
  return server;
}

function described(url: string, tokenFile: string): Output {
  const header = `Authorization: Bearer $(cat ${shellWord(tokenFile)})`;
  return {
    data: { url, token_file: tokenFile, pid: process.pid },
    text: [
      `Serving MCP at ${url}. Press Ctrl-C to stop.`,
      `Clients send the header  ${header}`,
      `Claude Code:  claude mcp add --transport http retain ${url} --header "${header}"`,
    ].join("\n"),
    quiet: url,
  };
}

function listening<T>(serve: () => T, host: string, port: number): T {
  try {
    return serve();
  } catch (error) {
    if (errorCode(error) === null) throw error;
    const taken = errorCode(error) === "EADDRINUSE";
    throw new RetainError(
      "io",
      taken
        ? `Another program is listening on ${host}:${port}.`
        : `Cannot listen on ${host}:${port}: ${messageOf(error)}`,
      "Choose another port, or pass --port 0 for a free one.",
    );
  }
}

/** Ctrl-C exits with 130; SIGTERM and SIGHUP are a normal stop and exit with 0. */
function untilStopped(context: Context) {
  const stop = new AbortController();
  let interrupted = false;
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  stop.signal.addEventListener("abort", () => resolve());
  context.handlesInterrupts();
  process.once("SIGINT", () => {
    interrupted = true;
    stop.abort();
    process.once("SIGINT", () => process.exit(130));
  });
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  const failure = () => (interrupted ? { failure: new RetainError("interrupted", "Stopped.") } : {});
  return { signal: stop.signal, reached, failure };
}
