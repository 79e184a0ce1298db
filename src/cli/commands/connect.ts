import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Retain } from "../../app.ts";
import { ioError, RetainError } from "../../core/errors.ts";
import {
  CLIENTS,
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
      .argument("<client>", `${CLIENTS.map(({ name }) => name).join(", ")}, or another one`)
      .option("--print", "show what would be added, and change nothing")
      .option("--undo", "take it out again");
    addExamples(command, [
      "retain connect claude-code",
      "retain connect cursor --global",
      "retain connect vscode --print",
      "retain connect claude-desktop --undo",
    ]);
  },

  async run(context, [name = ""], options) {
    if (options.print && options.undo)
      throw new RetainError("usage", "--print and --undo exclude each other.", "Give one of them.");
    const client = CLIENTS.find((one) => one.name === name);
    const retain = context.open();
    const command = launcher();
    if (client === undefined) return genericSnippet(retain, name, command, options);
    const project = projectFor(retain, client, options);
    const entry = serverEntry(client, command, project, ownHome(retain));
    const place = placeOf(retain, client, project);
    if (options.print) return printed(client, place, entry);
    if (!existsSync(dirname(place.file)) && project === null && !options.undo)
      context.warn(`${dirname(place.file)} was not there; is ${client.title} installed?`);
    return changed(context, client, place, entry, options);
  },
};

/** The project whose config is meant; null for the user's own. */
function projectFor(retain: Retain, client: McpClient, { local }: ConnectOptions): string | null {
  const project = retain.workspace.project;
  if (project === null || client.projectFile(project) !== null) return project;
  if (!local) return null;
  throw new RetainError("usage", `${client.title} knows no projects.`, "Leave out --local.");
}

function placeOf({ choice }: Retain, client: McpClient, project: string | null): ConfigEntry {
  const machine = { platform: process.platform, homeDirectory: homedir(), env: process.env };
  const own = project === null ? null : client.projectFile(project);
  return {
    file: own ?? client.userFile(machine),
    section: client.section,
    name: SERVER_NAME,
    backups: join(choice.home.root, "connect"),
    mode: own === null ? 0o600 : 0o666 & ~process.umask(),
    directory: own === null || dirname(own) === project ? null : dirname(own),
  };
}

/** Where the home workspace is, if a variable says so. */
function ownHome({ choice }: Retain): string | null {
  return process.env.RETAIN_HOME ? choice.home.root : null;
}

/** This installation's own, whatever `retain` is in somebody's PATH. */
function launcher(): string {
  const start = dirname(Bun.main);
  const found = ["..", "../.."].map((up) => join(start, up, "bin/retain")).find((file) => existsSync(file));
  if (found !== undefined) return realpathSync(found);
  throw new RetainError(
    "not_found",
    "The command 'retain' is missing from this installation.",
    "Install it again.",
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
  if (backup !== null) lines.push(`The file as it was: ${backup}`);
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

/** The snippet is what is left to say: a person can paste it. */
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
  if (undo) throw new RetainError("usage", `'${name}' is no client that is known.`, `There are: ${known}`);
  const place = { section: OTHER_CLIENT.section, name: SERVER_NAME };
  const entry = serverEntry(OTHER_CLIENT, command, retain.workspace.project, ownHome(retain));
  return {
    data: { client: name, action: "printed", file: null, snippet: snippetOf(place, entry) },
    text: `'${name}' is not one of ${known}. Most clients take this:\n${snippetText(place, entry)}`,
    quiet: snippetText(place, entry),
  };
}

function snippetOf({ section, name }: Pick<ConfigEntry, "section" | "name">, entry: ServerEntry) {
  return { [section]: { [name]: entry } };
}

function snippetText(place: Pick<ConfigEntry, "section" | "name">, entry: ServerEntry): string {
  return JSON.stringify(snippetOf(place, entry), null, 2);
}
