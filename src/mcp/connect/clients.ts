/** The MCP clients that `retain connect` supports: where each stores its servers, and what an entry looks like. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfigFormat } from "./config-format.ts";
import { type EntryShape, PLAIN, SERVER_NAME, TYPED } from "./entry.ts";
import { GEMINI_HOOKS, type HookFiles, OPENCODE_HOOKS } from "./hook-files.ts";
import { JSON_FORMAT } from "./json-format.ts";
import { type Machine, xdgConfig } from "./machine.ts";
import { TOML_FORMAT } from "./toml-format.ts";
import { YAML_FORMAT } from "./yaml-format.ts";

/** What any client's entry needs. */
export interface McpConfig {
  readonly format: ConfigFormat;
  /** The object in its config that holds servers. */
  readonly section: string;
  readonly shape: EntryShape;
  /** Whether it starts servers in the directory that it works in. */
  readonly startsInProject: boolean;
}

export interface McpClient extends McpConfig {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Its command; null if it has none, or one that other programs have too. */
  readonly program: string | null;
  /** The user's config files. The first that exists counts, or the first. */
  userFiles(machine: Machine): readonly [string, ...string[]];
  /** A project's config files, in the same order; empty if the client has no project configs. */
  readonly projectFiles: readonly string[];
  /** What the user has to do next. */
  readonly next: string;
  /** The files of its hooks, which only Retain writes; null if it has none that Retain uses. */
  readonly hooks: HookFiles | null;
}

/** Any other client: the format most of them use. */
export const OTHER_CLIENT: McpConfig = {
  format: JSON_FORMAT,
  section: "mcpServers",
  shape: PLAIN,
  startsInProject: false,
};

const AGENT: McpConfig = { ...OTHER_CLIENT, startsInProject: true };

export const CLIENTS: readonly McpClient[] = [
  {
    ...AGENT,
    name: "claude-code",
    title: "Claude Code",
    program: "claude",
    shape: TYPED,
    userFiles: ({ env, homeDirectory }) => [join(env.CLAUDE_CONFIG_DIR || homeDirectory, ".claude.json")],
    projectFiles: [".mcp.json"],
    next: "Restart Claude Code; /mcp lists the server.",
    hooks: null,
  },
  {
    ...OTHER_CLIENT,
    name: "claude-desktop",
    title: "Claude Desktop",
    program: null,
    userFiles: (machine) => [join(appData(machine), "Claude/claude_desktop_config.json")],
    projectFiles: [],
    next: "Quit and restart Claude Desktop.",
    hooks: null,
  },
  {
    ...AGENT,
    name: "codex",
    title: "Codex",
    program: "codex",
    format: TOML_FORMAT,
    section: "mcp_servers",
    userFiles: ({ env, homeDirectory }) => [
      join(env.CODEX_HOME || join(homeDirectory, ".codex"), "config.toml"),
    ],
    projectFiles: [".codex/config.toml"],
    next: "Restart Codex; /mcp lists the server. It reads a project's file once you trust the project.",
    hooks: null,
  },
  {
    ...AGENT,
    name: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    userFiles: ({ env, homeDirectory }) => [
      join(env.GEMINI_CLI_HOME || homeDirectory, ".gemini/settings.json"),
    ],
    projectFiles: [".gemini/settings.json"],
    next: "Restart Gemini CLI; /mcp lists the server. It starts servers only in folders that you trust.",
    hooks: GEMINI_HOOKS,
  },
  {
    ...AGENT,
    name: "opencode",
    title: "opencode",
    program: "opencode",
    section: "mcp",
    shape: { fixed: { type: "local" }, command: "command", args: null, env: "environment" },
    // opencode reads all of them and writes the first that exists.
    userFiles: (machine) => [
      join(xdgConfig(machine), "opencode/opencode.jsonc"),
      join(xdgConfig(machine), "opencode/opencode.json"),
      join(xdgConfig(machine), "opencode/config.json"),
    ],
    projectFiles: ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
    next: "Restart opencode; 'opencode mcp list' lists the server.",
    hooks: OPENCODE_HOOKS,
  },
  {
    ...AGENT,
    name: "omp",
    title: "oh-my-pi",
    program: "omp",
    shape: TYPED,
    userFiles: ({ env, homeDirectory }) => [
      join(env.PI_CODING_AGENT_DIR || join(homeDirectory, env.PI_CONFIG_DIR || ".omp", "agent"), "mcp.json"),
    ],
    projectFiles: [".omp/mcp.json"],
    next: "Restart omp; /mcp lists the server.",
    hooks: null,
  },
  {
    ...OTHER_CLIENT,
    name: "cursor",
    title: "Cursor",
    program: null,
    shape: TYPED,
    userFiles: ({ homeDirectory }) => [join(homeDirectory, ".cursor/mcp.json")],
    projectFiles: [".cursor/mcp.json"],
    next: "Cursor lists it in its settings, under MCP.",
    hooks: null,
  },
  {
    ...OTHER_CLIENT,
    name: "windsurf",
    title: "Windsurf",
    program: "windsurf",
    userFiles: ({ homeDirectory }) => [join(homeDirectory, ".codeium/windsurf/mcp_config.json")],
    projectFiles: [],
    next: "Refresh the MCP servers in Windsurf's Cascade panel.",
    hooks: null,
  },
  {
    ...OTHER_CLIENT,
    name: "vscode",
    title: "VS Code",
    program: null,
    section: "servers",
    shape: TYPED,
    userFiles: (machine) => [join(appData(machine), "Code/User/mcp.json")],
    projectFiles: [".vscode/mcp.json"],
    next: "Start it in VS Code with the command 'MCP: List Servers'.",
    hooks: null,
  },
  {
    ...OTHER_CLIENT,
    name: "cline",
    title: "Cline",
    program: "cline",
    // The extension for VS Code had a file of its own before it shared the command line's.
    userFiles: (machine) => [
      clineFile(machine),
      join(
        appData(machine),
        "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
      ),
    ],
    projectFiles: [],
    next: "Cline lists it under MCP Servers.",
    hooks: null,
  },
  {
    ...OTHER_CLIENT,
    name: "zed",
    title: "Zed",
    program: null,
    section: "context_servers",
    userFiles: (machine) => [join(xdgConfig(machine), "zed/settings.json")],
    projectFiles: [".zed/settings.json"],
    next: "Zed lists it in the agent panel's settings.",
    hooks: null,
  },
  {
    ...AGENT,
    name: "goose",
    title: "goose",
    program: null,
    format: YAML_FORMAT,
    section: "extensions",
    shape: {
      fixed: {
        enabled: true,
        type: "stdio",
        name: SERVER_NAME,
        description: "Long-term memory",
        timeout: 300,
      },
      command: "cmd",
      args: "args",
      env: "envs",
    },
    userFiles: (machine) => [join(xdgConfig(machine), "goose/config.yaml")],
    projectFiles: [],
    next: "Start a new goose session; 'goose info -v' lists the extension.",
    hooks: null,
  },
];

/** The config file that counts: the first that exists, or the first. */
export function configFile([first, ...more]: readonly [string, ...string[]]): string {
  return [first, ...more].find((file) => existsSync(file)) ?? first;
}

/** Whether a client seems to be installed: its command is in PATH, or it has made a directory for its config. */
export function isInstalled(client: McpClient, machine: Machine): boolean {
  const { PATH = "" } = machine.env;
  if (client.program !== null && Bun.which(client.program, { PATH }) !== null) return true;
  return client
    .userFiles(machine)
    .some(
      (file) => existsSync(file) || (dirname(file) !== machine.homeDirectory && existsSync(dirname(file))),
    );
}

/** The server's arguments, which choose the memory; `project` is null for the user's config. */
export function serverArgs({ startsInProject }: McpConfig, project: string | null): readonly string[] {
  if (startsInProject) return ["mcp"];
  // An editor may start its servers in any directory, so the arguments name the project.
  return project === null ? ["mcp", "--global"] : ["mcp", "--directory", project];
}

function appData(machine: Machine): string {
  if (machine.platform === "darwin") return join(machine.homeDirectory, "Library/Application Support");
  return xdgConfig(machine);
}

function clineFile({ homeDirectory, env }: Machine): string {
  const data = env.CLINE_DATA_DIR || join(env.CLINE_DIR || join(homeDirectory, ".cline"), "data");
  return env.CLINE_MCP_SETTINGS_PATH || join(data, "settings/cline_mcp_settings.json");
}
