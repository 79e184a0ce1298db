/** User input and messages: values, pipes, dates, and directories that were in use before. */
import { expect, test } from "bun:test";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { forgetRemarks } from "../../src/facts/forget/report.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";

test("an option's value may begin with a dash, and so may the words of a sentence next to it", () => {
  const sandbox = new Sandbox();
  const wrong = sandbox.run(["remember", "Likes", "-tea", "--chat", "-x"]);
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toStartWith('retain: "-x" is not a valid chat name');
  expect(sandbox.run(["search", "tea", "--collection", "-x"]).stderr).toContain("no collection '-x'");
  expect(sandbox.run(["search", "tea", "--limit", "-x"]).stderr).toContain("not '-x'");
  sandbox.ok(["remember", "Likes", "-tea", "--category", "-misc"]);
  expect(sandbox.ok(["facts", "--json"]).json.data.facts).toMatchObject([
    { text: "Likes -tea", category: "-misc" },
  ]);
});

test("CLI-21: if the output cannot be written, no message claims that nothing was changed", () => {
  const sandbox = new Sandbox();
  for (const json of [[], ["--json"]]) {
    const result = Bun.spawnSync([RETAIN, "remember", `Likes tea ${json.length}`, ...json], {
      cwd: sandbox.work,
      env: sandbox.env(),
      stdout: openSync("/dev/full", "w"),
    });
    expect(result.exitCode).toBe(1);
    expect(result.stderr.toString()).toMatch(/^retain: .*the disk is full\./);
    expect(result.stderr.toString()).not.toContain("nothing was changed");
  }
  expect(sandbox.ok(["facts", "--quiet"]).stdout.split("\n")).toHaveLength(3);
});

test("FACT-11: '-' alone reads a fact or a note from a pipe", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "-", "--category", "Taste"], { stdin: "Prefers\ntea\n" });
  sandbox.ok(["log", "-"], { stdin: "Release: 0.2 is out\nand tagged\n" });
  expect(sandbox.ok(["facts", "--json"]).json.data.facts).toMatchObject([
    { text: "Prefers tea", category: "Taste" },
  ]);
  expect(sandbox.ok(["notes", "--json"]).json.data.notes).toMatchObject([
    { title: "Release", text: "0.2 is out\nand tagged" },
  ]);
});

test("FACT-11: empty text is refused as argument, from a pipe and in a model's marks", () => {
  const sandbox = new Sandbox();
  for (const said of ["—", "...", "\u200b\u200b", "- -"])
    for (const verb of ["remember", "log"]) {
      expect(sandbox.run([verb, "--", said])).toMatchObject({ exitCode: 2 });
      expect(sandbox.run([verb, "-"], { stdin: said }).stderr).toStartWith(
        "retain: There is nothing to save",
      );
    }
  expect(sandbox.run(["remember", "-"]).exitCode).toBe(2);
  expect(sandbox.tree(sandbox.memory)).toEqual([]);
  sandbox.ok(["remember", "🙂"]);
  const marked = "Well.\n[MEMORY] -\n[MEMORY] ...\n<memory>—</memory>\n[MEMORY] Likes tea\n";
  expect(sandbox.ok(["ingest", "-", "--json"], { stdin: marked }).json.data).toMatchObject({
    saved: [{ text: "Likes tea" }],
    failed: [],
  });
});

test("a filter without matches is not reported as an empty memory", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Prefers tea");
  for (const options of [["--superseded"], ["--as-of", "2020-01-01"], ["--chat", "work"]])
    expect(sandbox.ok(["facts", ...options]).stdout).toContain("retain facts --all");
});

test("FACT-8: facts of home and project are labelled if both are listed", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  await sandbox.addFact("Prefers tea", {}, { scope: "global" });
  expect(sandbox.ok(["facts"]).stdout).not.toContain("ORIGIN");
  await sandbox.addFact("Prefers tea");
  const rows = sandbox
    .ok(["facts"])
    .stdout.split("\n")
    .map((line) => line.split(/ {2,}/));
  expect(rows.map(([, text, , place]) => [text, place]).slice(0, 3)).toEqual([
    ["FACT", "ORIGIN"],
    ["Prefers tea", "project"],
    ["Prefers tea", "home"],
  ]);
  expect(sandbox.ok(["facts", "--local"]).stdout).not.toContain("ORIGIN");
});

test("FACT-11: the error for a fact that would open a code block blames the fact, not the file", () => {
  const { exitCode, stderr } = new Sandbox().run(["remember", "```js"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("code block");
});

test("FACT-17: an unreadable log hides no other day", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["log", "Today: it rains"]);
  const log = (day: string) => join(sandbox.memory, "memories", `${day}.md`);
  writeFileSync(log("2026-01-05"), "## 10:30 - Kept\nhere\n");
  writeFileSync(log("2026-01-06"), "## 10:30 - A\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n");
  writeFileSync(log("2026-01-07"), new Uint8Array([0xe9, 0x74]));
  const { data, warnings } = sandbox.ok(["notes", "--json", "2026-01"]).json;
  expect(data.notes).toMatchObject([{ day: "2026-01-05", title: "Kept" }]);
  expect(warnings).toEqual([
    expect.stringMatching(/2026-01-06\.md contains git conflicts/),
    expect.stringMatching(/2026-01-07\.md is not UTF-8 text\. Its notes are not shown\.$/),
  ]);
});

test("NOTE-5: a year, a month or a weekday is a date; vague or invalid dates are refused", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["log", "Today: it rains"]);
  writeFileSync(join(sandbox.memory, "memories", "2021-05-04.md"), "## 10:30 - Then\nhere\n");
  for (const said of ["2021", "May 2021", "2021-05", "4 May 2021", "in 2021"])
    expect(sandbox.ok(["notes", "--quiet", said]).stdout).toStartWith("2021-05-04.md#10:30");
  for (const said of ["may", "monday", "last week", "the last 3 days"]) {
    sandbox.ok(["notes", said]);
    sandbox.ok(["facts", "--as-of", said]);
  }
  for (const said of ["2021-05-04T99:00", "yesterday or so", "2021-13", "20215", "soon"]) {
    expect(sandbox.run(["notes", said]).exitCode).toBe(2);
    expect(sandbox.run(["facts", "--as-of", said]).stderr).toStartWith(`retain: '${said}'`);
  }
});

test("WS-5: mcp --directory with something that isn't a directory serves no other memory", () => {
  const sandbox = new Sandbox();
  const ask = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
  for (const place of ["moved/away", sandbox.write("file.md", "x")]) {
    const { exitCode, stdout, stderr } = sandbox.run(["mcp", "--directory", place], { stdin: ask });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toStartWith("retain: Directory not found: /");
  }
  expect(sandbox.run(["mcp", "--directory", "."], { stdin: ask }).exitCode).toBe(0);
});

test("BANK-19: init moves the memory of a repository's bank into .retain, with dates, ended facts, versions and undo", () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_LOCAL_SCOPING: "per-project" };
  sandbox.git(["init", "--quiet"]);
  sandbox.ok(["--model", "none", "Hello"], { env });
  for (const fact of ["Timezone: Oslo", "Timezone: Lima"]) sandbox.ok(["remember", fact], { env });
  for (const stdin of ["# Doc\n", "# Doc\n\nTwo\n"]) sandbox.ok(["put", "-", "--id", "doc"], { env, stdin });
  const all = () => sandbox.ok(["facts", "--all", "--json"], { env }).json.data.facts;
  const bank = sandbox.ok(["where", "--quiet"], { env }).stdout.trim();
  // The day that the facts in HISTORY.md were saved.
  const history = join(bank, "memories/HISTORY.md");
  writeFileSync(history, readFileSync(history, "utf8").replace(/^(- )\d{4}-\d\d-\d\d/gm, "$12020-03-01"));
  const before = all();
  expect(before.map(({ created_at }: { created_at: string }) => created_at.slice(0, 10))).toEqual([
    ...["2020-03-01", "2020-03-01"],
  ]);
  const { stdout, stderr } = sandbox.ok(["init"], { env });
  expect([stdout, stderr]).toEqual([expect.stringContaining(`memory here from ${bank}`), ""]);
  expect(all()).toEqual(before);
  expect(sandbox.ok(["versions", "doc", "--json"], { env }).json.data.versions).toHaveLength(2);
  expect(sandbox.ok(["sessions", "-q"], { env }).stdout).toContain("_001");
  expect(sandbox.ok(["undo"], { env }).stdout).toContain("Undone: put");
  const left = sandbox.tree(bank).filter((path) => !path.startsWith("sessions/"));
  expect(left.filter((path) => /memories|collections|\.db|\.json/.test(path))).toEqual([]);
  expect(sandbox.ok(["init"], { env }).stdout).toContain("already exists");
  expect(all()).toEqual(before);
});

test("BANK-19: init below a repository's root leaves the bank, and says where it is", () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_LOCAL_SCOPING: "per-project" };
  sandbox.git(["init", "--quiet"]);
  const cwd = join(sandbox.work, "package");
  mkdirSync(cwd);
  sandbox.ok(["remember", "We use tabs"], { env, cwd });
  const bank = sandbox.ok(["where", "--quiet"], { env, cwd }).stdout.trim();
  expect(sandbox.ok(["init"], { env, cwd }).stderr).toContain(`retain migrate ${bank}`);
  expect(sandbox.ok(["init"], { env, cwd }).stderr).toBe("");
  expect(sandbox.ok(["facts"], { env }).stdout).toContain("We use tabs");
  sandbox.ok(["migrate", bank], { env, cwd });
  expect(sandbox.ok(["facts", "--json"], { env, cwd }).json.data.facts).toMatchObject([
    { text: "We use tabs" },
  ]);
});

test("BANK-19: an unreadable config doesn't prevent init", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init", "--global"]);
  writeFileSync(join(sandbox.memory, "config.yaml"), "local_scoping: [\n");
  expect(sandbox.ok(["init"]).stderr).toBe("");
});

test("FORGET-14: nothing is forgotten while HISTORY.md has conflicts; then everything, down to the database's bytes", async () => {
  const sandbox = new Sandbox();
  const { id } = sandbox.ok(["remember", "--json", "The heron nests by the old mill"]).json.data.saved[0];
  await sandbox.addFact("Prefers tea");
  const history = join(sandbox.memory, "memories", "HISTORY.md");
  const sound = readFileSync(history, "utf8");
  writeFileSync(history, `${sound}<<<<<<< HEAD\n- x\n=======\n- y\n>>>>>>> b\n`);
  for (const how of ["--dry-run", "--yes"]) {
    const refused = sandbox.run(["forget", id, how]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/HISTORY\.md .*conflicts/);
  }
  expect(sandbox.ok(["facts", "--json"]).json.data.facts).toHaveLength(2);
  writeFileSync(history, sound);
  sandbox.ok(["forget", id, "--yes"]);
  for (const file of sandbox.tree(sandbox.memory))
    expect(readFileSync(join(sandbox.memory, file)).includes("heron")).toBe(false);
});

test("a reason that is a sentence gets no second full stop", () => {
  const left = [
    { what: "file", path: "a.md", why: "it still contains the text" },
    { what: "file", path: "b.md", why: "Cannot read b.md: permission denied." },
  ] as const;
  const told = { dry_run: false, forgotten: [], places: [], commits: [], elsewhere: [], short: false };
  expect(forgetRemarks({ ...told, left })).toEqual([
    "Left in file a.md: it still contains the text.",
    "Left in file b.md: Cannot read b.md: permission denied.",
  ]);
});
