import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Retain } from "../../app.ts";
import { ioError, RetainError } from "../../core/errors.ts";
import type { McpService } from "../../mcp/http.ts";
import { shellWord } from "../../util/shell-word.ts";
import type { CliCommand, Context } from "../command.ts";
import {
  addHttpOptions,
  addressOf,
  type HttpOptions,
  listening,
  tokenOf,
  untilStopped,
} from "../http-server.ts";
import { mcpOffer } from "../mcp-offer.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";
import { isTerminal } from "../tty.ts";

interface McpOptions extends CommonOptions, HttpOptions {
  http?: boolean;
  chat?: string;
  directory?: string;
  incognito?: boolean;
}

export const mcp: CliCommand<McpOptions> = {
  define(command) {
    command
      .option("--chat <name>", "the chat whose memory to serve (default: the project's, or 'main')")
      .takes("chat")
      .option("--directory <path>", "run as if started in this directory")
      .takes("directory")
      .option("--incognito", "let the client read memory but store nothing")
      .option("--http", "serve local programs over HTTP instead of one client over stdin and stdout");
    addHttpOptions(command);
    addExamples(command, ["retain mcp", "retain mcp --http", "retain mcp --http --port 0 --json"]);
  },

  async run(context, _args, options) {
    checkOptions(options);
    addressOf(options);
    const { directory, chat, incognito } = options;
    const retain = context.open({
      ...(directory !== undefined && { cwd: existing(directory) }),
      ...(incognito && { settings: { incognito } }),
      responsive: options.http ?? false,
    });
    const { serviceOf, serveStdin, isIncognito } = await import("../../mcp/main.ts");
    const offered = await mcpOffer(context, retain, chat);
    const end = untilStopped(context);
    const report = (error: Error) => context.terminal.explain(`mcp: ${error.message}`);
    // Runs in the background; the next chat retries what failed.
    if (!isIncognito(retain)) retain.learning.start().catch(() => {});
    if (options.http) {
      const server = await serveHttp(context, retain, options, serviceOf(offered, report));
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
}

/** Prints the address and how to authenticate, but never the token. */
async function serveHttp(context: Context, retain: Retain, options: McpOptions, service: McpService) {
  const { listen } = await import("../../serve/main.ts");
  const address = addressOf(options);
  const { token, file } = await tokenOf(retain, options);
  const report = (error: Error) => context.terminal.explain(`mcp: ${error.message}`);
  const open = { hosts: [], origins: [], services: [service] };
  const server = listening(() => listen({ ...address, ...open, token, report }), address);
  await context.terminal.print("mcp", described(new URL(service.path, server.url).href, file));
  return server;
}

function described(url: string, tokenFile: string | null): Output {
  const token = tokenFile === null ? "$RETAIN_TOKEN" : `$(cat ${shellWord(tokenFile)})`;
  const header = `Authorization: Bearer ${token}`;
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
