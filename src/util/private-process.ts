/** Keeps other programs of the same user from reading this process's environment and memory, where keys are. */
import { readFileSync } from "node:fs";

const PR_SET_DUMPABLE = 4;

/** Linux only, and not against root. The process writes no core dump any more, and no debugger can attach to it. */
export function hideProcess(): void {
  if (process.platform !== "linux") return;
  try {
    const library = pathOfLibc();
    if (library === null) return;
    const { dlopen } = require("bun:ffi") as typeof import("bun:ffi");
    const { symbols, close } = dlopen(library, {
      prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    });
    symbols.prctl(PR_SET_DUMPABLE, 0n, 0n, 0n, 0n);
    close();
  } catch {
    // Then `ps` shows it, as it shows every other program's.
  }
}

/** The C library that this process runs on, glibc or musl. By its path: a name alone would be looked for here, too. */
export function pathOfLibc(): string | null {
  const maps = readFileSync("/proc/self/maps", "utf8");
  return /^[^/]*(\/.*\/(?:libc\.so\.6|libc-2\.\d+\.so|ld-musl-[^/]+\.so\.1))$/m.exec(maps)?.[1] ?? null;
}
