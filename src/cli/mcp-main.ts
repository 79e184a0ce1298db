/**
 * The entry point of `retain mcp` without options, as clients start it. Its bundle contains the MCP server and what it serves, so it
 * starts faster than the whole command line, which loads the server as a second bundle.
 */
import "./launched.ts";
import packageJson from "../../package.json" with { type: "json" };
import { mcp } from "./commands/mcp.ts";
import { runCommand, runProcess } from "./run-command.ts";

const { version } = packageJson;
const parsed = { name: "mcp" as const, command: mcp, args: [], options: {} };
const about = { commands: [], overview: () => "", version };

void runProcess(version, () => runCommand(parsed, about));
