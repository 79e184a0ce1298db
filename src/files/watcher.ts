/** Tells when something changed below some directories, once for a burst of changes: editors write a file in many steps. */
import { type FSWatcher, watch } from "node:fs";

const QUIET_MS = 200;

export interface Watcher {
  close(): void;
}

/** `changed` is never called while it still runs. Directories that cannot be watched are told to `failed`. */
export function watchDirectories(
  directories: readonly string[],
  changed: () => Promise<void>,
  failed: (directory: string, cause: unknown) => void,
): Watcher {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running = Promise.resolve();
  const soon = () => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      running = running.then(changed);
    }, QUIET_MS);
  };
  const watchers = directories.flatMap((directory): FSWatcher[] => {
    try {
      const watcher = watch(directory, { recursive: true }, soon);
      watcher.on("error", (cause) => failed(directory, cause));
      return [watcher];
    } catch (cause) {
      failed(directory, cause);
      return [];
    }
  });
  return {
    close() {
      if (timer !== null) clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
