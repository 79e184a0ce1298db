import { expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { applyPatch } from "diff";
import { HIDING } from "./tools-hiding.ts";
import { Place } from "./tools-place.ts";

test("TOOL-1: read_file returns numbered parts of a text, and says how to continue", async () => {
  const place = new Place();
  place.write("a.txt", "one\ntwo\nthree\n");
  expect(await place.run("read_file", { path: "a.txt" })).toEqual({
    ok: true,
    output: "a.txt, lines 1 to 3 of 3:\n\none\ntwo\nthree",
    brief: "3 lines",
  });
  const part = await place.run("read_file", { path: "a.txt", offset: 2, limit: 1 });
  expect(part.output).toMatch(/^a\.txt, lines 2 to 2 of 3:\n\ntwo\n\n\[.*offset 3\.\]$/);
  expect(part.brief).toBe("1 of 3 lines");
  expect((await place.run("read_file", { path: "a.txt", offset: 9 })).output).toContain("has 3 lines");
  place.write("empty", "");
  expect((await place.run("read_file", { path: "empty" })).output).toBe("empty is empty.");
});

test("TOOL-1: read_file returns at most 60 KB, and the parts of a long file add up to the whole", async () => {
  const place = new Place();
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} ${"ä".repeat(10)}`);
  place.write("long.txt", `${lines.join("\n")}\n`);
  const seen: string[] = [];
  for (let offset = 1; seen.length < lines.length; offset = seen.length + 1) {
    const { output } = await place.run("read_file", { path: "long.txt", offset });
    expect(Buffer.byteLength(output)).toBeLessThan(61_000);
    const body = output.split("\n\n")[1] ?? "";
    expect(body).not.toBe("");
    seen.push(...body.split("\n"));
  }
  expect(seen).toEqual(lines);
  place.write("one-line.js", "é".repeat(100_000));
  const { output } = await place.run("read_file", { path: "one-line.js" });
  expect(output).toContain("Line 1 is longer than 60 KB");
  expect(Buffer.byteLength(output)).toBeLessThan(61_000);
  expect(output).not.toContain("\ufffd");
});

test("TOOL-1: read_file rejects binary data, pipes and files over 20 MB, and lists a directory", async () => {
  const place = new Place();
  place.write("data.bin", new Uint8Array([1, 0, 2]));
  place.write("latin1.txt", new Uint8Array([0xe4, 0x0a]));
  place.write("huge.txt", "x".repeat(20_000_001));
  Bun.spawnSync(["mkfifo", join(place.cwd, "pipe")]);
  for (const path of ["data.bin", "latin1.txt", "huge.txt", "pipe"])
    expect((await place.run("read_file", { path })).ok).toBe(false);
  mkdirSync(join(place.cwd, "src"));
  const listed = await place.run("read_file", { path: "." });
  expect(listed.output).toContain(". is a directory with 5 entries:\n\ndata.bin\nhuge.txt");
  expect(listed.output).toEndWith("src/");
});

test("TOOL-1: a missing file is a failure that suggests similar names", async () => {
  const place = new Place();
  place.write("src/config.ts", "");
  const { ok, output } = await place.run("read_file", { path: "src/confg.ts" });
  expect(ok).toBe(false);
  expect(output).toMatch(/^There is no src\/confg\.ts\..*: config\.ts\.$/);
  expect((await place.run("read_file", { path: "no/where" })).output).toBe("There is no no/where.");
});

test("TOOL-3: a path is judged with its links resolved", async () => {
  const place = new Place();
  place.write(join(place.home, "other/secret.txt"), "secret");
  place.write("in.txt", "");
  symlinkSync("../other", join(place.cwd, "link"));
  symlinkSync(place.cwd, join(place.home, "shortcut"));
  const outside = async (path: string, tool = "read_file") =>
    (await place.plan(tool, tool === "read_file" ? { path } : { path, content: "x" })).outside;
  expect(await outside("in.txt")).toBe(false);
  expect(await outside("./new/../in.txt")).toBe(false);
  expect(await outside(join(place.home, "shortcut/in.txt"))).toBe(false);
  for (const path of ["link/secret.txt", "link/new.txt", "../x", "/etc/hosts", "~/x", "link"])
    expect([path, await outside(path)]).toEqual([path, true]);
  expect(await outside("link/secret.txt", "write_file")).toBe(true);
  expect((await place.plan("read_file", { path: "link/secret.txt" })).summary).toBe(
    "read ~/other/secret.txt",
  );
});

test("TOOL-3: a path that resolves differently at run time is neither read nor written", async () => {
  const place = new Place();
  place.write("dir/a.txt", "mine");
  place.write(join(place.home, "other/a.txt"), "not mine");
  const reading = await place.plan("read_file", { path: "dir/a.txt" });
  const writing = await place.plan("write_file", { path: "dir/a.txt", content: "new" });
  rmSync(join(place.cwd, "dir"), { recursive: true });
  symlinkSync("../other", join(place.cwd, "dir"));
  const signal = new AbortController().signal;
  expect(await reading.run(signal)).toMatchObject({ ok: false });
  expect((await reading.run(signal)).output).not.toContain("not mine");
  expect(await writing.run(signal)).toMatchObject({ ok: false, brief: expect.stringContaining("changed") });
  expect(place.read("../other/a.txt")).toBe("not mine");
});

test("TOOL-4: write_file shows a unified diff without invisible characters before it writes", async () => {
  const place = new Place();
  place.write("a.txt", "one\ntwo\n");
  const plan = await place.plan("write_file", { path: "a.txt", content: "one\n2\u001b[8m\u202e\r\n" });
  expect(plan.summary).toBe("change a.txt");
  expect(plan.preview).toEqual({
    kind: "diff",
    text: "@@ -1,2 +1,2 @@\n one\n-two\n+2␛[8m⟨U+202E⟩␍\n",
  });
  expect(place.read("a.txt")).toBe("one\ntwo\n");
  const fresh = await place.plan("write_file", { path: "b/c.txt", content: "x\n" });
  expect(fresh.summary).toBe("create b/c.txt");
  expect(fresh.preview?.text).toBe("@@ -0,0 +1,1 @@\n+x\n");
  expect(readdirSync(place.cwd)).toEqual(["a.txt"]);
});

test("TOOL-4: the diff shows zero-width, hidden and line-break characters as code points", async () => {
  const place = new Place();
  for (const hidden of HIDING) {
    const code = `⟨U+${hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟩`;
    const { preview } = await place.plan("write_file", { path: "a.txt", content: `a${hidden}b ❤️\n` });
    expect(preview?.text).toBe(`@@ -0,0 +1,1 @@\n+a${code}b ❤️\n`);
    expect((await place.plan("write_file", { path: `a${hidden}`, content: "" })).pattern).toBeNull();
  }
});

test("TOOL-4: the diff of a completely replaced file shows all removed and all added lines", async () => {
  const place = new Place();
  const text = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join("");
  place.write("a.txt", text("old"));
  const { preview } = await place.plan("write_file", { path: "a.txt", content: text("new") });
  const lines = preview?.text.split("\n") ?? [];
  expect(lines.filter((line) => line.startsWith("-old"))).toHaveLength(20_000);
  expect(lines.filter((line) => line.startsWith("+new"))).toHaveLength(20_000);
});

test("TOOL-4: the diff of a large new or emptied file can be applied", async () => {
  const place = new Place();
  const large = Array.from({ length: 2_000 }, (_, index) => `line ${index}\n`).join("");
  place.write("full.txt", large);
  const created = await place.plan("write_file", { path: "new.txt", content: large });
  expect(created.preview?.text).toStartWith("@@ -0,0 +1,2000 @@\n");
  expect(applyPatch("", created.preview?.text ?? "")).toBe(large);
  const emptied = await place.plan("write_file", { path: "full.txt", content: "" });
  expect(applyPatch(large, emptied.preview?.text ?? "")).toBe("");
});

test("TOOL-5: write_file writes the whole file, creates directories, keeps modes and links, and leaves no other file", async () => {
  const place = new Place();
  chmodSync(place.cwd, 0o755);
  expect(await place.run("write_file", { path: "x/y/new.txt", content: "a\nb\n" })).toMatchObject({
    ok: true,
    output: "Wrote x/y/new.txt: 2 lines.",
    brief: "2 lines",
  });
  expect(readdirSync(join(place.cwd, "x/y"))).toEqual(["new.txt"]);
  const script = place.write("run.sh", "old");
  chmodSync(script, 0o750);
  symlinkSync("run.sh", join(place.cwd, "link.sh"));
  await place.run("write_file", { path: "link.sh", content: "new" });
  expect(place.read("run.sh")).toBe("new");
  expect(statSync(script).mode & 0o777).toBe(0o750);
  expect(lstatSync(join(place.cwd, "link.sh")).isSymbolicLink()).toBe(true);
  await place.run("write_file", { path: "plain.txt", content: "" });
  expect(statSync(join(place.cwd, "plain.txt")).mode & 0o777).toBe(0o644);
  expect(readdirSync(place.cwd).sort()).toEqual(["link.sh", "plain.txt", "run.sh", "x"]);
});

test("TOOL-5: a file that changed between plan and run is not written", async () => {
  const place = new Place();
  const signal = new AbortController().signal;
  place.write("a.txt", "one\n");
  const change = await place.plan("write_file", { path: "a.txt", content: "two\n" });
  place.write("a.txt", "somebody else's\n");
  expect(await change.run(signal)).toMatchObject({ ok: false, brief: expect.stringContaining("changed") });
  expect(place.read("a.txt")).toBe("somebody else's\n");
  const create = await place.plan("write_file", { path: "b.txt", content: "two\n" });
  place.write("b.txt", "");
  expect((await create.run(signal)).ok).toBe(false);
  expect(place.read("b.txt")).toBe("");
  const gone = await place.plan("write_file", { path: "a.txt", content: "two\n" });
  rmSync(join(place.cwd, "a.txt"));
  expect((await gone.run(signal)).ok).toBe(false);
  expect(readdirSync(place.cwd)).toEqual(["b.txt"]);
});

test("TOOL-5: binary data, more than 1 MB, directories and read-only files are not written", async () => {
  const place = new Place();
  place.write("data.bin", new Uint8Array([1, 0, 2]));
  place.write("big.txt", "x".repeat(1_000_001));
  chmodSync(place.write("locked.txt", "x"), 0o444);
  mkdirSync(join(place.cwd, "dir"));
  for (const input of [
    { path: "data.bin", content: "x" },
    { path: "big.txt", content: "x" },
    { path: "locked.txt", content: "x" },
    { path: "dir", content: "x" },
    { path: "new.txt", content: "a\0b" },
    { path: "new.txt", content: "x".repeat(1_000_001) },
  ])
    await expect(place.plan("write_file", input)).rejects.toThrow(/\.$/);
  expect(readdirSync(place.cwd).sort()).toEqual(["big.txt", "data.bin", "dir", "locked.txt"]);
});

test("LOOP-1: inputs are checked against the schema", async () => {
  const place = new Place();
  const wrong = {
    read_file: [
      null,
      "a",
      {},
      { path: "" },
      { path: 1 },
      { path: "a", offset: 0 },
      { path: "a", offset: 1.5 },
      { path: "a", more: 1 },
    ],
    write_file: [{ path: "a" }, { content: "a" }, { path: "a", content: null }],
    run_command: [
      {},
      { command: "" },
      { command: "ls", timeout_seconds: 601 },
      { command: "ls", timeout_seconds: "5" },
    ],
  };
  for (const tool of place.tools()) {
    const { properties, required, additionalProperties } = tool.schema as Record<string, object>;
    expect(additionalProperties as unknown).toBe(false);
    expect(Object.keys(properties ?? {})).toContain((required as string[])[0] ?? "");
    for (const input of wrong[tool.name as keyof typeof wrong] ?? [])
      await expect(tool.plan(input)).rejects.toThrow(`input for ${tool.name}`);
  }
  expect(place.tools()[2]?.schema).toMatchObject({
    type: "object",
    properties: { timeout_seconds: { type: "integer", minimum: 1, maximum: 600 } },
    required: ["command"],
  });
});
