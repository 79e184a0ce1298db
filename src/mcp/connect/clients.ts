/** The MCP clients that `retain connect` supports: where each stores its servers, and what an entry looks like. */
import { join } from "node:path";
import { isRecord } from "../../util/json.ts";

export interface Machine {
  readonly platform: string;
  readonly homeDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface McpClient {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** The object in its config that holds servers. */
  readonly section: string;
  /** Whether an entry names its transport. */
  readonly typed: boolean;
  /** The user's config file. */
  userFile(machine: Machine): string;
  /** A project's config file; null if the client has no project configs. */
  projectFile(project: string): string | null;
  /** The server's arguments, which choose the memory; `project` is null for the user's config. */
  args(project: string | null): readonly string[];
  /** What the user has to do next. */
  readonly next: string;
}

/** An editor may start its servers in any directory, so the arguments name the project. */
const serverArgs = (project: string | null) =>
  project === null ? ["mcp", "--global"] : ["mcp", "--directory", project];

export const CLIENTS: readonly McpClient[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    section: "mcpServers",
    typed: true,
    userFile: ({ env, homeDirectory }) => join(env.CLAUDE_CONFIG_DIR || homeDirectory, ".claude.json"),
    projectFile: (project) => join(project, ".mcp.json"),
    // It starts servers in the project's directory.
    args: () => ["mcp"],
    next: "Restart Claude Code; /mcp lists the server.",
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    section: "mcpServers",
    typed: false,
    userFile: (machine) => join(appData(machine), "Claude/claude_desktop_config.json"),
    projectFile: () => null,
    args: serverArgs,
    next: "Quit and restart Claude Desktop.",
  },
  {
    name: "cursor",
    title: "Cursor",
    section: "mcpServers",
    typed: true,
    userFile: ({ homeDirectory }) => join(homeDirectory, ".cursor/mcp.json"),
    projectFile: (project) => join(project, ".cursor/mcp.json"),
    args: serverArgs,
    next: "Cursor lists it in its settings, under MCP.",
  },
  {
    name: "vscode",
    title: "VS Code",
    section: "servers",
    typed: true,
    userFile: (machine) => join(appData(machine), "Code/User/mcp.json"),
    projectFile: (project) => join(project, ".vscode/mcp.json"),
    args: serverArgs,
    next: "Start it in VS Code with the command 'MCP: List Servers'.",
  },
];

/** Any other client: the format most of them use. */
export const OTHER_CLIENT: Pick<McpClient, "section" | "typed" | "args"> = {
  section: "mcpServers",
  typed: false,
  args: serverArgs,
};

function appData({ platform, homeDirectory, env }: Machine): string {
  if (platform === "darwin") return join(homeDirectory, "Library/Application Support");
  return env.XDG_CONFIG_HOME || join(homeDirectory, ".config");
}

export const SERVER_NAME = "retain";

export interface ServerEntry {
  readonly type?: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** `home` is the home workspace if it isn't the default: a GUI program doesn't get the shell's variables. */
export function serverEntry(
  client: Pick<McpClient, "typed" | "args">,
  launcher: string,
  project: string | null,
  home: string | null,
): ServerEntry {
  return {
    ...(client.typed && { type: "stdio" as const }),
    command: launcher,
    args: [...client.args(project)],
    ...(home !== null && { env: { RETAIN_HOME: home } }),
  };
}

/** An entry in a config, which somebody may have added fields to. */
interface KnownEntry extends Readonly<Record<string, unknown>> {
  readonly args: readonly unknown[];
}

/** Whether an entry is a Retain server, of this or another installation. */
export function isServerEntry(value: unknown): value is KnownEntry {
  const { command, args } = (value ?? {}) as { command?: unknown; args?: unknown };
  return (
    typeof command === "string" && /(?:^|\/)retain$/.test(command) && Array.isArray(args) && args[0] === "mcp"
  );
}

/** Updates an entry and keeps what was added to it: options, variables, the client's own settings. */
export function updatedEntry({ env: known, ...before }: KnownEntry, { env: ours, ...entry }: ServerEntry) {
  const { RETAIN_HOME: _, ...added } = isRecord(known) ? known : {};
  const env = { ...added, ...ours };
  const args = [...entry.args, ...addedOptions(before.args)];
  return { ...before, ...entry, args, ...(Object.keys(env).length > 0 && { env }) };
}

/** All options except those that choose the memory. */
function addedOptions([, ...options]: readonly unknown[]): unknown[] {
  return options.filter(
    (option, at) =>
      !/^--(?:global|local|directory)(?:=|$)/.test(String(option)) && options[at - 1] !== "--directory",
  );
}
