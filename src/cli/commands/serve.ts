import { Argument } from "commander";
import type { Retain } from "../../app.ts";
import { RetainError } from "../../core/errors.ts";
import { shellWord } from "../../util/shell-word.ts";
import type { CliCommand, Context } from "../command.ts";
import { setupQuestions } from "../first-start.ts";
import {
  addHttpOptions,
  addressOf,
  type HttpOptions,
  listening,
  type ServerToken,
  tokenOf,
  untilStopped,
} from "../http-server.ts";
import { mcpOffer } from "../mcp-offer.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";
import { isTerminal } from "../tty.ts";

interface ServeOptions extends CommonOptions, HttpOptions {
  token?: string;
  allowRemote?: boolean;
  allowHost?: string[];
  allowOrigin?: string[];
  /** False for --no-open. */
  open?: boolean;
}

export const serve: CliCommand<ServeOptions> = {
  define(command) {
    command.addArgument(new Argument("[token]", "print the token instead of serving").choices(["token"]));
    addHttpOptions(command);
    command
      .option("--token <token>", "use this token instead of the stored one; RETAIN_TOKEN does the same")
      .takes("text")
      .option("--allow-remote", "allow a --host address that other machines can reach")
      .option("--allow-host <name>", "a name that other machines use for this one; repeatable", collect)
      .takes("text")
      .option("--allow-origin <origin>", "a web page that may call the server; repeatable", collect)
      .takes("text")
      .option("--no-open", "don't open the page in a browser");
    addExamples(command, ["retain serve", "retain serve token"]);
  },

  async run(context, [action], options) {
    const address = addressOf(options, options.allowRemote ?? false);
    const origins = (options.allowOrigin ?? []).map(checkedOrigin);
    const retain = context.open({ asker: "machine", responsive: true });
    const token = await tokenOf(retain, options);
    if (action === "token") return { data: { token: token.token }, text: token.token };
    const hosts = options.allowHost ?? [];
    // Runs in the background; the next chat retries what failed.
    if (!retain.config.settings.incognito) retain.learning.start().catch(() => {});
    const end = untilStopped(context);
    const server = await start(context, retain, { ...address, hosts, origins, token: token.token });
    const link = `${server.url}#code=${server.code}`;
    await context.terminal.print("serve", described(server.url, link, token));
    if (options.open !== false && isTerminal("stdout")) openInBrowser(link);
    await end.reached;
    await server.close();
    return { data: null, text: "", streamed: true, ...end.failure() };
  },
};

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Throws `usage` unless it is what a browser sends. */
function checkedOrigin(said: string): string {
  if (URL.canParse(said) && new URL(said).origin === said) return said;
  throw new RetainError("usage", `'${said}' is not an origin.`, "For example: https://app.example.org");
}

type Access = ReturnType<typeof addressOf> & {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly token: string;
};

async function start(context: Context, retain: Retain, access: Access) {
  const [{ listen, apiService, pageService }, { serviceOf }] = await Promise.all([
    import("../../serve/main.ts"),
    import("../../mcp/main.ts"),
  ]);
  const explain = (error: Error) => context.terminal.explain(`serve: ${error.message}`);
  const report = (error: Error) =>
    context.warn((error instanceof RetainError ? undefined : error.stack) ?? error.message);
  const { token, isRemote } = access;
  const page = pageService({ retain, token, isRemote, setup: setupQuestions(retain), report });
  const services = [
    serviceOf(await mcpOffer(context, retain), explain),
    apiService({ retain, version: context.version, report }),
    page,
  ];
  const server = listening(() => listen({ ...access, services, report }), access);
  return { ...server, code: page.code };
}

/** A machine without a browser, or without this program, has the printed link. */
function openInBrowser(link: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  if (Bun.which(opener) === null) return;
  Bun.spawn([opener, link], { env: process.env, stdio: ["ignore", "ignore", "ignore"] }).unref();
}

/** How to authenticate, without the token itself. */
function described(url: string, link: string, { file }: ServerToken): Output {
  const token = file === null ? "the token that you gave it" : `$(cat ${shellWord(file)})`;
  return {
    data: { url, page: link, token_file: file, pid: process.pid },
    text: [
      `Serving memory at ${url}. Press Ctrl-C to stop.`,
      `Open this link in your browser; it works once: ${link}`,
      `Clients send the header  Authorization: Bearer ${token}`,
      `Hindsight's clients use ${url.replace(/\/$/, "")} as their URL; MCP clients use ${url}mcp.`,
    ].join("\n"),
    quiet: url,
  };
}
