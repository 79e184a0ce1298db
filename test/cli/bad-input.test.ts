import { expect, test } from "bun:test";
import { join } from "node:path";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";

const CASES: Record<
  string,
  { args: string[]; stdin?: string | Uint8Array; file?: string | Uint8Array; exit: number; says: string }
> = {
  "empty content": { args: ["put", "-"], stdin: "", exit: 2, says: "no content" },
  "only white space": { args: ["put", "-"], stdin: " \n\t\n", exit: 2, says: "no content" },
  "only frontmatter": { args: ["put", "-"], stdin: "---\ntitle: x\n---\n\n", exit: 2, says: "no content" },
  "binary data": { args: ["put", "-"], stdin: "ELF\0\0\0", exit: 2, says: "binary" },
  "a binary file": {
    args: ["put", "FILE"],
    file: new Uint8Array([0x7f, 0x45, 0, 0, 0xff]),
    exit: 2,
    says: "binary",
  },
  "invalid UTF-8": {
    args: ["put", "-"],
    stdin: new Uint8Array([0x23, 0x20, 0xc3, 0x28]),
    exit: 2,
    says: "UTF-8",
  },
  "an invalid UTF-8 file": {
    args: ["put", "FILE"],
    file: new Uint8Array([0xe9, 0x74, 0xe9]),
    exit: 2,
    says: "UTF-8",
  },
  "a 50 MB file": {
    args: ["put", "FILE"],
    file: new Uint8Array(50_000_000).fill(120),
    exit: 2,
    says: "(10 MB)",
  },
  "50 MB on stdin": {
    args: ["put", "-"],
    stdin: new Uint8Array(50_000_000).fill(120),
    exit: 2,
    says: "larger",
  },
  "a device without end": { args: ["put", "/dev/zero"], exit: 2, says: "larger" },
  "malformed frontmatter": {
    args: ["put", "-"],
    stdin: "---\ntags: [a\n---\nx\n",
    exit: 2,
    says: "frontmatter cannot be read: line",
  },
  "frontmatter never closed": {
    args: ["put", "-"],
    stdin: "---\ntitle: x\n\nbody\n",
    exit: 2,
    says: "never closed",
  },
  "a duplicate key": { args: ["put", "-"], stdin: "---\na: 1\na: 2\n---\nx\n", exit: 2, says: "line 3" },
  "metadata that is not JSON": {
    args: ["put", "-", "--metadata", "{priority: high}"],
    stdin: "x\n",
    exit: 2,
    says: "--metadata",
  },
  "metadata that is a list": {
    args: ["put", "-", "--metadata", "[1]"],
    stdin: "x\n",
    exit: 2,
    says: "must be a JSON object",
  },
  "metadata that sets the id": {
    args: ["put", "-", "--metadata", '{"id": "x"}'],
    stdin: "x\n",
    exit: 2,
    says: "Use --id",
  },
  "a missing file": { args: ["put", "nowhere.md"], exit: 1, says: "nowhere.md" },
  "a directory without Markdown": { args: ["put", "."], exit: 1, says: "No Markdown files" },
  "stdin among files": { args: ["put", "FILE", "-"], file: "# A\n", exit: 2, says: "'-' cannot" },
  "an id for several files": {
    args: ["put", "FILE", "FILE", "--id", "x"],
    file: "# A\n",
    exit: 2,
    says: "--id",
  },
};

for (const [name, { args, stdin, file, exit, says }] of Object.entries(CASES)) {
  test(`BAD-1: ${name} is a clear error and nothing is stored`, () => {
    const sandbox = new Sandbox();
    const path = file === undefined ? "" : sandbox.write("input.bin.md", file);
    const words = args.map((word) => (word === "FILE" ? path : word));
    const result = sandbox.run(words, { stdin });
    expect(result.stderr).toContain(says);
    expect(result.exitCode).toBe(exit);
    expect(result.stderr).not.toMatch(/\bat .*:\d+:\d+/);
    expect(sandbox.tree(sandbox.home).filter((entry) => entry.endsWith(".md"))).toEqual([]);
  });
}

test("BAD-1: bad input to update leaves the document unchanged", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "a"], { stdin: "# A\n" });
  const bytes = sandbox.document("memory", "a");
  for (const stdin of ["", "a\0b", new Uint8Array([0xff, 0xfe]), "---\na: [\n---\nx"]) {
    expect(sandbox.run(["update", "a", "--content", "-"], { stdin }).exitCode).toBe(2);
    expect(sandbox.document("memory", "a")).toBe(bytes);
  }
  expect(sandbox.run(["update", "a", "--content", "missing.md"]).exitCode).toBe(1);
  expect(sandbox.document("memory", "a")).toBe(bytes);
});

function surrounded(sandbox: Sandbox, script: string) {
  const env = sandbox.env({ PATH: `${join(RETAIN, "..")}:${process.env.PATH}` });
  const result = Bun.spawnSync(["bash", "-c", script], { cwd: sandbox.work, env });
  return { exitCode: result.exitCode, said: `${result.stdout}${result.stderr}` };
}

const AMISS: Record<string, { script: string; exit: number; says: string }> = {
  "a current directory that was deleted": {
    script: "mkdir gone; cd gone; rmdir ../gone; retain list",
    exit: 1,
    says: "no longer exists",
  },
  "a file in the place of .retain": { script: "touch .retain; retain list", exit: 0, says: "No documents" },
  "a file in the place of the home workspace": {
    script: "touch ~/.retain; echo x | retain put -",
    exit: 1,
    says: "Cannot create the workspace",
  },
  "a directory in the place of config.yaml": {
    script: "mkdir -p ~/.retain/config.yaml; retain list",
    exit: 1,
    says: "Cannot read",
  },
  "a full stdout": { script: "retain --help > /dev/full", exit: 1, says: "Cannot write the output" },
  "an editor that removes the file": {
    script: "echo x | retain put - --id a -q; EDITOR=rm retain edit a",
    exit: 1,
    says: "unchanged",
  },
  "an unknown option before any command": { script: "retain --bogus", exit: 2, says: "--bogus" },
  "two letters swapped": { script: "retain lsit", exit: 2, says: "Did you mean 'retain list'?" },
};

for (const [name, { script, exit, says }] of Object.entries(AMISS)) {
  test(`BAD-2: ${name} is a sentence, not a stack trace`, () => {
    const { exitCode, said } = surrounded(new Sandbox(), script);
    expect(said).toContain(says);
    expect(exitCode).toBe(exit);
    expect(said).not.toMatch(/\bat .*:\d+:\d+/);
  });
}
