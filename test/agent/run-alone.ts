/** Runs one command in a separate process that the test kills. */
import { realTimer, runShell } from "../../src/agent/tools/run-shell.ts";

const [command = ""] = process.argv.slice(2);
const env = { PATH: process.env.PATH ?? "" };
const run = { command, cwd: process.cwd(), env, limitMs: 600_000, graceMs: 100, timer: realTimer };
await runShell(run, new AbortController().signal);
