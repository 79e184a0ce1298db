/** Calls back when something below some directories changed, once per burst: editors write a file in many steps. */
import { existsSync, type FSWatcher, type Stats, unwatchFile, watch, watchFile } from "node:fs";

const QUIET_MS = 200;
const LOOK_MS = 500;

export interface Watcher {
  close(): void;
}

/**
 * `changed` never runs twice at once. It runs once soon after the start, because changes during set-up are not reported.
 * Directories that can't be watched go to `failed`.
 */
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
      const watcher = watch(directory, { recursive: true }, (_, name) => {
        if (name === null || !isIndex(name)) soon();
      });
      watcher.on("error", (cause) => failed(directory, cause));
      return [watcher];
    } catch (cause) {
      failed(directory, cause);
      return [];
    }
  });
  soon();
  return {
    close() {
      if (timer !== null) clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Reading memory writes to the database and its lock, which says nothing about what they are derived from. */
function isIndex(name: string): boolean {
  return /(?:^|\/)(?:[^/]+\.db(?:-\w+)?|\.lock(?:-\w+)?)$/.test(name);
}

/** Like `watchDirectories`, also for directories that don't exist yet or are replaced. */
export function watchEver(
  directories: () => readonly string[],
  changed: () => Promise<void>,
  failed: (directory: string, cause: unknown) => void,
): Watcher {
  let watchers: Watcher[] = [];
  const close = () => {
    for (const watcher of watchers.splice(0)) watcher.close();
  };
  const begin = () => {
    const all = directories();
    const present = all.filter((directory) => existsSync(directory));
    const missing = all.filter((directory) => !present.includes(directory));
    const noticed = async () => {
      await changed();
      if (!present.every((directory) => existsSync(directory))) again();
    };
    watchers = [watchDirectories(present, noticed, failed), watchFiles(missing, again)];
  };
  const again = () => {
    if (watchers.length === 0) return;
    close();
    begin();
  };
  begin();
  return { close };
}

/**
 * Calls back when one of a few files was changed, created or removed. Watches by name, so that replaced files, links and files
 * that don't exist yet work.
 */
export function watchFiles(paths: readonly string[], changed: () => void): Watcher {
  const noticed = (now: Stats, before: Stats) => {
    if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino || now.size !== before.size) changed();
  };
  for (const path of paths) watchFile(path, { interval: LOOK_MS }, noticed);
  return {
    close() {
      for (const path of paths) unwatchFile(path, noticed);
    },
  };
}
