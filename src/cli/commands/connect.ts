import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Retain } from "../../app.ts";
import { noProject } from "../../config/workspace.ts";
import { ioError, RetainError } from "../../core/errors.ts";
import {
  CLIENTS,
  type Machine,
  type McpClient,
  OTHER_CLIENT,
  SERVER_NAME,
  type ServerEntry,
  serverEntry,
} from "../../mcp/connect/clients.ts";
import {
  addServer,
  type ConfigChange,
  type ConfigEntry,
  removeServer,
} from "../../mcp/connect/config-file.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";

interface ConnectOptions extends CommonOptions {
  print?: boolean;
  undo?: boolean;
}

export const connect: CliCommand<ConnectOptions> = {
  define(command) {
    command
      .argument("<client>", `${CLIENTS.map(({ name }) => name).join(", ")}, or any other MCP client`)
      .takes(CLIENTS.map(({ name }) => name))
      .option("--print", "show what would be added, without changing anything")
      .option("--undo", "remove it again");
    addExamples(command, [
      "retain connect claude-code",
      "retain connect cursor --global",
      "retain connect vscode --print",
      "retain connect claude-desktop --undo",
    ]);
  },

  async run(context, [name = ""], options) {
    if (options.print && options.undo)
      throw new RetainError("usage", "--print and --undo cannot be combined.", "Pass one of them.");
    const client = CLIENTS.find((one) => one.name === name);
    const retain = context.open();
    const command = launcher();
    if (client === undefined) return genericSnippet(retain, name, command, options);
    const project = projectFor(retain, client, options);
    const entry = serverEntry(client, command, project, ownHome(retain));
    const place = placeOf(retain, client, project);
    if (options.print) return printed(client, place, entry);
    if (!existsSync(dirname(place.file)) && project === null && !options.undo)
      context.warn(`${dirname(place.file)} did not exist. Is ${client.title} installed?`);
    return changed(context, client, place, entry, options);
  },
};

/** The clients that seem to be installed on this machine. */
export function installedClients(): McpClient[] {
  return CLIENTS.filter((client) => {
    const file = client.userFile(machine());
    return existsSync(file) || (dirname(file) !== homedir() && existsSync(dirname(file)));
  });
}

/** Adds Retain to the user's config of a client, and says what to do next. Throws `invalid_config`, `exists`, `io`. */
export function connectUser(retain: Retain, client: McpClient): string {
  const place = placeOf(retain, client, null);
  try {
    const { action } = addServer(place, serverEntry(client, launcher(), null, ownHome(retain)));
    return `${SAID[action]} ${place.file}. ${client.next}`;
  } catch (error) {
    throw ioError(error, `Cannot change ${place.file}`);
  }
}

function machine(): Machine {
  return { platform: process.platform, homeDirectory: homedir(), env: process.env };
}

/** The project whose config to change; null for the user's config. */
function projectFor(retain: Retain, client: McpClient, { local }: ConnectOptions): string | null {
  const project = retain.workspace.project;
  if (project === null && local) throw noProject({ cwd: process.cwd() });
  if (project === null || client.projectFile(project) !== null) return project;
  if (!local) return null;
  throw new RetainError("usage", `${client.title} has no project settings.`, "Omit --local.");
}

function placeOf({ choice }: Retain, client: McpClient, project: string | null): ConfigEntry {
  const own = project === null ? null : client.projectFile(project);
  return {
    file: own ?? client.userFile(machine()),
    section: client.section,
    name: SERVER_NAME,
    backups: join(choice.home.root, "connect"),
    mode: own === null ? 0o600 : 0o666 & ~process.umask(),
    directory: own === null || dirname(own) === project ? null : dirname(own),
  };
}

/** Passes RETAIN_HOME on, if it is set. */
function ownHome({ choice }: Retain): string | null {
  return process.env.RETAIN_HOME ? choice.home.root : null;
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
  place: ConfigEntry,
  entry: ServerEntry,
  { undo }: ConnectOptions,
): Output {
  let change: ConfigChange;
  try {
    change = undo ? removeServer(place) : addServer(place, entry);
  } catch (thrown) {
    const error = ioError(thrown, `Cannot change ${place.file}`);
    if (!(error instanceof RetainError)) throw error;
    if (undo || (error.code !== "invalid_config" && error.code !== "exists")) throw error;
    return refused(place, entry, error);
  }
  const { action, backup } = change;
  const lines = [`${SAID[action]} ${place.file}.`];
  if (backup !== null) lines.push(`Backup of the previous file: ${backup}`);
  if (action === "added" || action === "updated") lines.push(client.next);
  return {
    data: { client: client.name, action, file: place.file, backup, ...(!undo && { entry }) },
    text: [terminal.style("green", lines[0] ?? ""), ...lines.slice(1)].join("\n"),
    quiet: place.file,
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
function refused(place: ConfigEntry, entry: ServerEntry, error: RetainError): Output {
  return {
    data: { file: place.file, snippet: snippetOf(place, entry) },
    text: snippetText(place, entry),
    problems: [`retain: ${error.message}`, `${error.hint} Or add this yourself:`],
    failure: error,
  };
}

function printed(client: McpClient, place: ConfigEntry, entry: ServerEntry): Output {
  const snippet = snippetOf(place, entry);
  return {
    data: { client: client.name, action: "printed", file: place.file, snippet },
    text: `For ${place.file}:\n${snippetText(place, entry)}`,
    quiet: snippetText(place, entry),
  };
}

function genericSnippet(retain: Retain, name: string, command: string, { undo }: ConnectOptions): Output {
  const known = CLIENTS.map((one) => one.name).join(", ");
  if (undo) throw new RetainError("usage", `Unknown client '${name}'.`, `Known clients: ${known}`);
  const place = { section: OTHER_CLIENT.section, name: SERVER_NAME };
  const entry = serverEntry(OTHER_CLIENT, command, retain.workspace.project, ownHome(retain));
  return {
    data: { client: name, action: "printed", file: null, snippet: snippetOf(place, entry) },
    text: `'${name}' is not one of ${known}. Most clients accept this:\n${snippetText(place, entry)}`,
    quiet: snippetText(place, entry),
  };
}

function snippetOf({ section, name }: Pick<ConfigEntry, "section" | "name">, entry: ServerEntry) {
  return { [section]: { [name]: entry } };
}

function snippetText(place: Pick<ConfigEntry, "section" | "name">, entry: ServerEntry): string {
  return JSON.stringify(snippetOf(place, entry), null, 2);
}
