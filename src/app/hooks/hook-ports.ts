/** Connects a hook to its project's memory, which is loaded when the hook first opens it: many prompts need none. */
import { hostname } from "node:os";
import type { HookMemory, HookPorts } from "../../agent/hooks/ports.ts";
import { chooseWorkspace, type Surroundings } from "../../config/workspace.ts";
import type { Clock } from "../../core/ports/documents.ts";
import { hasEnded, processName } from "../../util/process.ts";
import { surroundingsOf } from "../surroundings.ts";

interface HookOptions {
  /** Claude Code's directory; default: the process's. */
  readonly cwd?: string;
  readonly env?: Surroundings["env"];
  readonly clock?: Clock;
  readonly warn: (message: string) => void;
}

export interface OpenedHooks extends Omit<HookPorts, "left"> {
  close(): void;
}

/** The home workspace's directory. */
export function hookHome(): string {
  return chooseWorkspace(surroundingsOf({ cwd: "/" }), "global").home.root;
}

export function openHooks({ warn, clock = () => new Date(), ...given }: HookOptions): OpenedHooks {
  const here = surroundingsOf(given);
  const opened: HookMemory[] = [];
  const host = hostname();
  return {
    home: chooseWorkspace(here, "global").home.root,
    cwd: here.cwd,
    clock,
    self: processName(host, process.pid),
    isGone: (holder) => hasEnded(holder, host),
    async open(cwd) {
      const { openMemory } = await import("./hook-memory.ts");
      const memory = openMemory({ ...here, cwd }, clock, warn);
      opened.push(memory);
      return memory;
    },
    close() {
      for (const memory of opened) memory.close();
    },
  };
}
