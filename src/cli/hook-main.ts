/** The entry point of the hooks' own bundle, which is smaller than the whole command line and so starts faster. */
import "./launched.ts";
import { keysIn } from "../config/key-variables.ts";
import { hideProcess } from "../util/private-process.ts";
import { runHookProcess } from "./hook-guard.ts";

if (keysIn(process.env).length > 0) hideProcess();
void runHookProcess(process.argv[3] ?? "").finally(() => process.exit(0));
