/** What an entry for a server looks like in a client's config, and how to recognise and update ours. */
import { isRecord } from "../../util/json.ts";

export const SERVER_NAME = "retain";

export interface EntryShape {
  /** Fields that every entry needs. The user may change them. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** The field with the program. If there is no field for arguments, it lists both. */
  readonly command: string;
  readonly args: string | null;
  /** The field with environment variables. */
  readonly env: string;
}

/** What most clients read. */
export const PLAIN: EntryShape = { fixed: {}, command: "command", args: "args", env: "env" };
/** The same, with the transport's name. */
export const TYPED: EntryShape = { ...PLAIN, fixed: { type: "stdio" } };

export type ServerEntry = Readonly<Record<string, unknown>>;

/** How to start the server. */
interface ServerCommand {
  readonly launcher: string;
  readonly args: readonly unknown[];
  readonly env: Readonly<Record<string, unknown>>;
}

export function serverEntry(shape: EntryShape, { launcher, args, env }: ServerCommand): ServerEntry {
  return {
    ...shape.fixed,
    ...(shape.args === null
      ? { [shape.command]: [launcher, ...args] }
      : { [shape.command]: launcher, [shape.args]: [...args] }),
    ...(Object.keys(env).length > 0 && { [shape.env]: env }),
  };
}

/** Whether an entry is a Retain server, of this or another installation. */
export function isServerEntry(shape: EntryShape, value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const { launcher, args } = commandOf(shape, value);
  return typeof launcher === "string" && /(?:^|\/)retain$/.test(launcher) && args[0] === "mcp";
}

/** Updates an entry and keeps what was added to it: options, variables, the client's own settings. */
export function updatedEntry(shape: EntryShape, before: ServerEntry, now: ServerEntry): ServerEntry {
  const { [shape.env]: _, ...others } = before;
  const { RETAIN_HOME: __, ...added } = commandOf(shape, before).env;
  const { launcher, args, env } = commandOf(shape, now);
  const command = {
    launcher: String(launcher),
    args: [...args, ...addedOptions(commandOf(shape, before).args)],
    env: { ...added, ...env },
  };
  return { ...shape.fixed, ...others, ...serverEntry({ ...shape, fixed: {} }, command) };
}

function commandOf(shape: EntryShape, entry: ServerEntry) {
  const { [shape.command]: command, [shape.env]: env } = entry;
  const args = shape.args === null ? [] : entry[shape.args];
  const [launcher, ...more] = shape.args === null && Array.isArray(command) ? command : [command];
  return {
    launcher: launcher as unknown,
    args: [...more, ...(Array.isArray(args) ? args : [])] as unknown[],
    env: isRecord(env) ? env : {},
  };
}

/** All options except those that choose the memory. */
function addedOptions([, ...options]: readonly unknown[]): unknown[] {
  return options.filter(
    (option, at) =>
      !/^--(?:global|local|directory)(?:=|$)/.test(String(option)) && options[at - 1] !== "--directory",
  );
}
