import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Retain } from "../../app.ts";
import { noProject } from "../../config/workspace.ts";
import { ioError, RetainError } from "../../core/errors.ts";
import { command, hint, option } from "../../core/hint.ts";
import {
  CLIENTS,
  configFile,
  isInstalled,
  type McpClient,
  type McpConfig,
  OTHER_CLIENT,
  serverArgs,
} from "../../mcp/connect/clients.ts";
import {
  addServer,
  type ConfigChange,
  type ConfigEntry,
  hasServer,
  removeServer,
} from "../../mcp/connect/config-file.ts";
import { SERVER_NAME, type ServerEntry, serverEntry } from "../../mcp/connect/entry.ts";
import { removeHooks, writeHooks } from "../../mcp/connect/hook-files.ts";
import type { Machine } from "../../mcp/connect/machine.ts";
import { nearest } from "../../util/text.ts";
import { askPerson, canAsk, isYes } from "../ask.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { heading, type Output, table } from "../output.ts";

interface ConnectOptions extends CommonOptions {
  print?: boolean;
  undo?: boolean;
  hooks?: boolean;
}

const HOOKED = CLIENTS.flatMap(({ name, hooks }) => (hooks === null ? [] : name));
const NAMES = CLIENTS.map(({ name }) => name);

export const connect: CliCommand<ConnectOptions> = {
  define(command) {
    command
      .argument("[client]", `${NAMES.join(", ")}, or any other MCP client (default: list them)`)
      .takes(NAMES)
      .option("--print", "show what would be added, without changing anything")
      .option("--hooks", `also add hooks, which give context and save conversations (${HOOKED.join(", ")})`)
      .option("--undo", "remove it again");
    addExamples(command, [
      "retain connect",
      "retain connect claude-code",
      "retain connect codex --global",
      "retain connect gemini --hooks",
      "retain connect vscode --print",
      "retain connect claude-desktop --undo",
    ]);
  },

  async run(context, [name], options) {
    if (options.print && options.undo)
      throw new RetainError("usage", "--print and --undo cannot be combined.", "Pass one of them.");
    const retain = context.open();
    if (name === undefined) return listed(context, retain, options);
    const client = CLIENTS.find((one) => one.name === name);
    if (client === undefined) return genericSnippet(retain, name, options);
    if (options.hooks && client.name === "claude-code")
      throw new RetainError(
        "usage",
        "Claude Code gets its hooks from Retain's plugin.",
        "docs/claude-code.md says how to install it.",
      );
    if (options.hooks && client.hooks === null)
      throw new RetainError(
        "usage",
        `Retain has no hooks for ${client.title}.`,
        hint`Omit ${option("hooks")}. To put facts into a file that it reads: ${command("context", option("write", "AGENTS.md"))}`,
      );
    const project = projectFor(retain, client, options);
    const target = targetOf(retain, client, project);
    const entry = entryFor(retain, client, project);
    if (options.print) return printed(client, target, entry, options.hooks ? hookFiles(retain, client) : {});
    if (!existsSync(dirname(target.file)) && project === null && !options.undo)
      context.warn(`${dirname(target.file)} did not exist. Is ${client.title} installed?`);
    const withHooks = options.hooks || (options.undo && project === null);
    const hooks = withHooks ? changeHooks(retain, client, options) : "";
    const output = changed(context, client, target, entry, options);
    return hooks === "" ? output : { ...output, text: `${output.text}\n${hooks}` };
  },
};

/** The clients that seem to be installed on this machine and aren't connected yet. */
export function clientsToConnect(retain: Retain): McpClient[] {
  return CLIENTS.filter((client) => stateOf(retain, client) === "found");
}

/** Adds Retain to the user's config of a client, and says what to do next. Throws `invalid_config`, `exists`, `io`. */
export function connectUser(retain: Retain, client: McpClient): string {
  return connectAt(retain, client, null);
}

function connectAt(retain: Retain, client: McpClient, project: string | null): string {
  const target = targetOf(retain, client, project);
  try {
    const { action } = addServer(target, entryFor(retain, client, project));
    return `${SAID[action]} ${target.file}. ${client.next}`;
  } catch (error) {
    throw ioError(error, `Cannot change ${target.file}`);
  }
}

type ClientState = "connected" | "found" | "not found";

/** Connected means in the user's config or the current project's. */
function stateOf(retain: Retain, client: McpClient): ClientState {
  const { project } = retain.workspace;
  const targets = [null, project].map((one) => targetOf(retain, client, one));
  if (targets.some(hasServer)) return "connected";
  return isInstalled(client, machine()) ? "found" : "not found";
}

function hookFiles(retain: Retain, { hooks }: McpClient): Readonly<Record<string, string>> {
  return hooks?.({ launcher: launcher(), env: ownHome(retain) }, machine()) ?? {};
}

/** Adds or removes the hooks of the user's config; "" if there is nothing to say. */
function changeHooks(retain: Retain, client: McpClient, { undo }: ConnectOptions): string {
  const files = hookFiles(retain, client);
  const [first] = Object.keys(files);
  if (first === undefined) return "";
  try {
    if (undo) return removeHooks(files, homedir()) ? `Removed the hooks: ${first}` : "";
    return writeHooks(files)
      ? `Added hooks, which give context and save conversations: ${first}`
      : `The hooks are already there: ${first}`;
  } catch (error) {
    throw ioError(error, `Cannot change ${first}`);
  }
}

/** Lists all clients; at a terminal, offers to connect those that it found. */
async function listed(
  { terminal, options: common }: Context,
  retain: Retain,
  options: ConnectOptions,
): Promise<Output> {
  if (options.print || options.undo || options.hooks)
    throw new RetainError("usage", "The client is missing.", `Name one: ${NAMES.join(", ")}`);
  const clients = CLIENTS.map((client) => ({
    client,
    state: stateOf(retain, client),
    project: projectFor(retain, client, { ...options, local: false }),
  }));
  const found = clients.filter(({ state }) => state === "found");
  const rows = clients.map(({ client, state }) => [client.name, client.title, state]);
  const lines = table(terminal, [heading("CLIENT", "NAME", "STATE"), ...rows], null);
  const data = clients.map(({ client, state }) => ({ client: client.name, title: client.title, state }));
  const text = lines.join("\n");
  if (!canAsk(common))
    return {
      data,
      text: [text, ...found.map(({ client }) => `Connect with: retain connect ${client.name}`)].join("\n"),
    };
  terminal.say(text);
  const done: string[] = [];
  const problems: string[] = [];
  for (const { client, project } of found) {
    if (!isYes(await askPerson(`Connect ${client.title}? [y/N] `))) continue;
    try {
      done.push(connectAt(retain, client, project));
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      problems.push(`${error.message} ${error.hint ?? ""}`.trim());
    }
  }
  return { data, text: done.join("\n"), problems };
}

function machine(): Machine {
  return { platform: process.platform, homeDirectory: homedir(), env: process.env };
}

/** The project whose config to change; null for the user's config. */
function projectFor(retain: Retain, client: McpClient, { local }: ConnectOptions): string | null {
  const { project } = retain.workspace;
  if (project === null && local) throw noProject({ cwd: process.cwd() });
  if (project === null || client.projectFiles.length > 0) return project;
  if (!local) return null;
  throw new RetainError("usage", `${client.title} has no project settings.`, "Omit --local.");
}

function targetOf({ choice }: Retain, client: McpClient, project: string | null): ConfigEntry {
  const [first, ...more] = project === null ? [] : client.projectFiles.map((file) => join(project, file));
  const own = first === undefined ? null : configFile([first, ...more]);
  return {
    file: own ?? configFile(client.userFiles(machine())),
    format: client.format,
    section: client.section,
    shape: client.shape,
    name: SERVER_NAME,
    backups: join(choice.home.root, "connect"),
    mode: own === null ? 0o600 : 0o666 & ~process.umask(),
    above: (own === null ? null : project) ?? homedir(),
  };
}

function entryFor(retain: Retain, client: McpConfig, project: string | null): ServerEntry {
  return serverEntry(client.shape, {
    launcher: launcher(),
    args: serverArgs(client, project),
    env: ownHome(retain),
  });
}

/** RETAIN_HOME, if it is set: a program with a window doesn't get the shell's variables. */
function ownHome({ choice }: Retain): Record<string, string> {
  return process.env.RETAIN_HOME ? { RETAIN_HOME: choice.home.root } : {};
}

/** The executable of this installation, whichever `retain` comes first in PATH. */
function launcher(): string {
  const start = dirname(Bun.main);
  const found = ["..", "../.."].map((up) => join(start, up, "bin/retain")).find((file) => existsSync(file));
  if (found !== undefined) return realpathSync(found);
  throw new RetainError(
    "not_found",
    "The command 'retain' is missing from this installation.",
    "Reinstall Retain.",
  );
}

function changed(
  { terminal }: Context,
  client: McpClient,
  target: ConfigEntry,
  entry: ServerEntry,
  { undo }: ConnectOptions,
): Output {
  let change: ConfigChange;
  try {
    change = undo ? removeServer(target) : addServer(target, entry);
  } catch (thrown) {
    const error = ioError(thrown, `Cannot change ${target.file}`);
    if (!(error instanceof RetainError)) throw error;
    if (undo || (error.code !== "invalid_config" && error.code !== "exists")) throw error;
    return refused(target, entry, error);
  }
  const { action, backup } = change;
  const lines = [`${SAID[action]} ${target.file}.`];
  if (backup !== null) lines.push(`Backup of the previous file: ${backup}`);
  if (action === "added" || action === "updated") lines.push(client.next);
  return {
    data: { client: client.name, action, file: target.file, backup, ...(!undo && { entry }) },
    text: [terminal.style("green", lines[0] ?? ""), ...lines.slice(1)].join("\n"),
    quiet: target.file,
  };
}

const SAID: Record<ConfigChange["action"], string> = {
  added: "Added 'retain' to",
  updated: "Updated 'retain' in",
  unchanged: "'retain' is already in",
  removed: "Removed 'retain' from",
  absent: "There is no 'retain' in",
};

/** Prints the snippet, so that the user can paste it. */
function refused(target: ConfigEntry, entry: ServerEntry, error: RetainError): Output {
  return {
    data: { file: target.file, snippet: snippetOf(target, entry) },
    text: snippetText(target, entry),
    problems: [`retain: ${error.message}`, `${error.hint} Or add this yourself:`],
    failure: error,
  };
}

function printed(
  client: McpClient,
  target: ConfigEntry,
  entry: ServerEntry,
  hooks: Readonly<Record<string, string>>,
): Output {
  const snippet = snippetOf(target, entry);
  const files = Object.entries(hooks).map(
    ([file, content]) => `For ${file}:
${content.trimEnd()}`,
  );
  return {
    data: { client: client.name, action: "printed", file: target.file, snippet, hooks },
    text: [`For ${target.file}:\n${snippetText(target, entry)}`, ...files].join("\n"),
    quiet: snippetText(target, entry),
  };
}

function genericSnippet(retain: Retain, name: string, { undo }: ConnectOptions): Output {
  const known = NAMES.join(", ");
  const guess = nearest(name, NAMES);
  const meant = guess === null ? "" : ` Did you mean '${guess}'?`;
  if (undo) throw new RetainError("usage", `Unknown client '${name}'.${meant}`, `Known clients: ${known}`);
  const target = { ...OTHER_CLIENT, name: SERVER_NAME };
  const entry = entryFor(retain, OTHER_CLIENT, retain.workspace.project);
  return {
    data: { client: name, action: "printed", file: null, snippet: snippetOf(target, entry) },
    text: `'${name}' is not one of ${known}.${meant} Most clients accept this:\n${snippetText(target, entry)}`,
    quiet: snippetText(target, entry),
  };
}

function snippetOf({ section, name }: Pick<ConfigEntry, "section" | "name">, entry: ServerEntry) {
  return { [section]: { [name]: entry } };
}

function snippetText(target: Pick<ConfigEntry, "format" | "section" | "name">, entry: ServerEntry): string {
  return target.format.fresh(target, entry).trimEnd();
}
