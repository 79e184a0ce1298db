/** A sandbox that many tests of a file start from: it is built once, and each test gets a copy. */
import { afterAll } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox } from "./sandbox.ts";

/** Call it outside of tests: the original is removed after the file's last test. */
export function builtOnce<T>(
  build: (sandbox: Sandbox) => T | Promise<T>,
): () => Promise<{ sandbox: Sandbox; built: T }> {
  let original: { readonly directory: string; readonly built: T } | null = null;
  afterAll(() => {
    if (original !== null) rmSync(original.directory, { recursive: true });
  });
  const first = async () => {
    const sandbox = new Sandbox();
    const built = await build(sandbox);
    const directory = mkdtempSync(join(tmpdir(), "retain-built-"));
    cpSync(sandbox.root, directory, COPY);
    return { directory, built };
  };
  return async () => {
    original ??= await first();
    const sandbox = new Sandbox();
    cpSync(original.directory, sandbox.root, COPY);
    return { sandbox, built: original.built };
  };
}

const COPY = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
