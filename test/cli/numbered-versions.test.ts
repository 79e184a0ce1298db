import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseMarkdown, printMarkdown, withFields } from "../../src/core/documents/frontmatter.ts";
import { Sandbox } from "../helpers/sandbox.ts";

function stored(sandbox: Sandbox, versions: number, env: Record<string, string> = {}): void {
  for (let number = 1; number <= versions; number++)
    sandbox.ok(["put", "-", "--id", "doc", "--tags", `t${number}`], {
      stdin: `# Doc\n\ntext ${number}\n`,
      env,
    });
}

function keptFiles(sandbox: Sandbox): string[] {
  const directory = join(sandbox.memory, "collections/memory/.versions/doc");
  return existsSync(directory) ? readdirSync(directory).sort() : [];
}

test("VER-1: each change keeps the previous content as a numbered file", () => {
  const sandbox = new Sandbox();
  stored(sandbox, 3);
  expect(keptFiles(sandbox).map((name) => name.replace(/\d{4}-.*Z/, "TIME"))).toEqual([
    "v1_TIME.md",
    "v2_TIME.md",
  ]);
  expect(keptFiles(sandbox)[0]).toMatch(/^v1_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.md$/);
  const { versions, kind } = sandbox.ok(["versions", "doc", "--json"]).json.data;
  expect(kind).toBe("numbered");
  expect(versions.map((row: { version: string; current: boolean }) => [row.version, row.current])).toEqual([
    ["v3", true],
    ["v2", false],
    ["v1", false],
  ]);
  for (const name of ["v1", "1", "V1"])
    expect(sandbox.ok(["get", "doc", "--version", name, "--format", "raw"]).stdout).toBe("# Doc\n\ntext 1\n");
  for (const name of ["v3", "3", "current"])
    expect(sandbox.ok(["get", "doc", "--version", name, "--format", "raw"]).stdout).toBe("# Doc\n\ntext 3\n");
  const history = parseMarkdown(sandbox.document("memory", "doc")).fields.version_history as {
    version: number;
  }[];
  expect(history.map((entry) => entry.version)).toEqual([1, 2, 3]);
});

test("VER-2: only the newest max_versions are kept", () => {
  for (const [limit, expected] of [
    ["1", ["v6"]],
    ["2", ["v6", "v5"]],
    ["4", ["v6", "v5", "v4", "v3"]],
  ] as const) {
    const sandbox = new Sandbox();
    stored(sandbox, 6, { RETAIN_MAX_VERSIONS: limit });
    const names = sandbox.ok(["versions", "doc", "-q"]).stdout.trim().split("\n");
    expect(names).toEqual([...expected]);
    expect(keptFiles(sandbox)).toHaveLength(expected.length - 1);
    const history = parseMarkdown(sandbox.document("memory", "doc")).fields.version_history as unknown[];
    expect(history).toHaveLength(expected.length);
  }
});

test("VER-2: with max_versions 1, nothing is reported as kept", () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_MAX_VERSIONS: "1" };
  stored(sandbox, 1, env);
  const { data } = sandbox.ok(["update", "doc", "--tags", "x", "--json"], { env }).json;
  expect(data).toMatchObject({ version: 2, kept_version: null });
});

test("VER-1: the frontmatter lists at most the newest thousand versions", () => {
  const sandbox = new Sandbox();
  stored(sandbox, 1);
  const past = Array.from({ length: 1_000 }, (_, index) => ({ version: index, updated_by: "Ada" }));
  const file = withFields(parseMarkdown(sandbox.document("memory", "doc")), { version_history: past });
  writeFileSync(sandbox.path("memory", "doc"), printMarkdown(file));
  sandbox.ok(["update", "doc", "--tags", "x"], { env: { RETAIN_MAX_VERSIONS: "10000" } });
  const { fields } = parseMarkdown(sandbox.document("memory", "doc"));
  expect(fields.version_history).toHaveLength(1_000);
  expect(fields.version_history).toMatchObject([...past.slice(1), { version: 2 }]);
});

test("VER-1: restore adds a version as the newest one", () => {
  const sandbox = new Sandbox();
  stored(sandbox, 3);
  const { data } = sandbox.ok(["restore", "doc", "--version", "v1", "--json"]).json;
  expect(data).toMatchObject({ action: "restored", version: 4, restored_from: "v1", kept_version: "v3" });
  const fields = parseMarkdown(sandbox.document("memory", "doc")).fields;
  expect(fields).toMatchObject({ tags: ["t1"], version: 4 });
  expect(sandbox.ok(["get", "doc", "--format", "raw"]).stdout).toBe("# Doc\n\ntext 1\n");
  expect(sandbox.ok(["restore", "doc", "--version", "1", "--json"]).json.data.action).toBe("unchanged");
  sandbox.ok(["restore", "doc"]);
  expect(sandbox.ok(["get", "doc", "--format", "raw"]).stdout).toBe("# Doc\n\ntext 3\n");
  expect(sandbox.run(["restore", "doc", "--commit"]).exitCode).toBe(2);
});

test("VER-1: a version with unreadable frontmatter is not restored in part", () => {
  const sandbox = new Sandbox();
  stored(sandbox, 1);
  const path = sandbox.path("memory", "doc");
  const broken = "---\nowner: Ada\nsecret: [\n---\nold\n";
  writeFileSync(path, broken);
  sandbox.ok(["edit", "doc"], { env: { EDITOR: "sed -i 's/secret: .*/secret: 1/'" } });
  const before = sandbox.document("memory", "doc");
  const result = sandbox.run(["restore", "doc", "--version", "v1"]);
  expect(result.exitCode).toBe(2);
  expect(sandbox.document("memory", "doc")).toBe(before);
});

test("VER-1: diff shows what changed in a document, and hunks as JSON", () => {
  const sandbox = new Sandbox();
  stored(sandbox, 2);
  const text = sandbox.ok(["diff", "doc"]).stdout;
  for (const line of [
    "--- doc (v1)",
    "+++ doc (current)",
    "-tags: [t1]",
    "+tags: [t2]",
    "-text 1",
    "+text 2",
  ])
    expect(text.split("\n")).toContain(line);
  for (const noise of ["version", "updated_at"]) expect(text).not.toContain(noise);
  const { hunks } = sandbox.ok(["diff", "doc", "--from", "v1", "--to", "v2", "--json"]).json.data;
  expect(hunks[0].lines).toContain("+text 2");
  expect(Object.keys(hunks[0]).sort()).toEqual(["lines", "new_lines", "new_start", "old_lines", "old_start"]);
  expect(sandbox.ok(["diff", "doc", "--from", "2"]).stdout).not.toContain("@@");
});

test("VER-2: with history: false no versions are kept, but delete can still be undone", () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_HISTORY: "false" };
  stored(sandbox, 3, env);
  expect(keptFiles(sandbox)).toEqual([]);
  expect(sandbox.document("memory", "doc")).not.toContain("version_history");
  expect(sandbox.document("memory", "doc")).toContain("version: 3");
  sandbox.ok(["delete", "doc"], { env });
  sandbox.ok(["restore", "doc"], { env });
  expect(sandbox.ok(["get", "doc", "--format", "raw"]).stdout).toBe("# Doc\n\ntext 3\n");
});

test("VER-2: with auto_version: false a version is kept only with --snapshot", () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_AUTO_VERSION: "false" };
  stored(sandbox, 2, env);
  expect(keptFiles(sandbox)).toEqual([]);
  sandbox.ok(["update", "doc", "--tags", "x", "--snapshot"], { env });
  expect(keptFiles(sandbox)).toHaveLength(1);
  expect(sandbox.ok(["get", "doc", "--version", "v2", "--format", "raw"]).stdout).toBe("# Doc\n\ntext 2\n");
});

test("VER-2: restore keeps the replaced content, whatever the settings", () => {
  for (const setting of ["RETAIN_AUTO_VERSION", "RETAIN_HISTORY"]) {
    const sandbox = new Sandbox();
    stored(sandbox, 2);
    const env = { [setting]: "false" };
    sandbox.ok(["put", "-", "--id", "doc"], { stdin: "# Doc\n\nprecious\n", env });
    const { kept_version } = sandbox.ok(["restore", "doc", "--version", "v1", "--json"], { env }).json.data;
    expect(sandbox.ok(["get", "doc", "--version", kept_version, "--format", "raw"]).stdout).toBe(
      "# Doc\n\nprecious\n",
    );
  }
});

test("VER-1: an error for an unknown version names the existing ones", () => {
  const sandbox = new Sandbox();
  stored(sandbox, 2);
  for (const args of [
    ["get", "doc", "--version", "v9"],
    ["restore", "doc", "--version", "HEAD~1"],
    ["diff", "doc", "--from", "0"],
  ]) {
    const result = sandbox.run(args);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain("v1");
  }
  sandbox.ok(["put", "-", "--id", "single"], { stdin: "x\n" });
  expect(sandbox.run(["diff", "single"]).exitCode).toBe(1);
  expect(sandbox.run(["restore", "single"]).stderr).toContain("no earlier version");
});
