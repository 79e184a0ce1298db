/** Prevents the user's other programs from reading this process's environment and memory, which hold keys. */
import { readFileSync } from "node:fs";
import { foreignFunctions } from "./runtime.ts";

const PR_SET_DUMPABLE = 4;

/** Linux only; no protection against root. Disables core dumps and debuggers. */
export function hideProcess(): void {
  if (process.platform !== "linux") return;
  try {
    const library = pathOfLibc();
    if (library === null) return;
    const system = foreignFunctions()?.dlopen(library, {
      prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    });
    system?.symbols.prctl(PR_SET_DUMPABLE, 0n, 0n, 0n, 0n);
    system?.close();
  } catch {
    // Then it stays visible in `ps`, like other programs' environments.
  }
}

/**
 * The C library of this process, glibc or musl. By full path, since a bare name would also be searched in the current directory.
 */
export function pathOfLibc(): string | null {
  const maps = readFileSync("/proc/self/maps", "utf8");
  return /^[^/]*(\/.*\/(?:libc\.so\.6|libc-2\.\d+\.so|ld-musl-[^/]+\.so\.1))$/m.exec(maps)?.[1] ?? null;
}
