/** `retain context --write`: a block of facts in a file that an agent reads. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunOptions, Sandbox } from "../helpers/sandbox.ts";

const TOKEN = `ghp_${"a1B2".repeat(9)}`;

/** A project with facts of its own, and facts about the user at home. */
function project(): { sandbox: Sandbox; file: string; text: () => string } {
  const sandbox = new Sandbox();
  mkdirSync(join(sandbox.work, ".git"));
  sandbox.ok(["init"]);
  sandbox.ok(["remember", "The project is called Heron."]);
  sandbox.ok(["remember", "The user is called Ada.", "--global"]);
  const file = join(sandbox.work, "AGENTS.md");
  return { sandbox, file, text: () => readFileSync(file, "utf8") };
}

test("CTX-17: --write keeps a block of the project's facts up to date, and --undo restores the file", () => {
  const { sandbox, file, text } = project();
  for (const before of ["# Rules\r\n\r\nUse tabs.\r\n", "# Rules\n\nUse tabs.", "", null]) {
    if (before !== null) writeFileSync(file, before);
    expect(sandbox.ok(["context", "--write", "AGENTS.md", "--json"]).json.data).toMatchObject({
      action: "added",
      facts: 1,
    });
    expect(text()).toStartWith(before ?? "<!-- retain:begin -->\n");
    expect(text()).toContain("- The project is called Heron.");
    expect(text()).not.toContain("Ada");
    const once = text();
    const { mtimeMs } = statSync(file);
    expect(sandbox.ok(["context", "--write", "AGENTS.md", "--json"]).json.data.action).toBe("unchanged");
    expect([text(), statSync(file).mtimeMs]).toEqual([once, mtimeMs]);
    const { saved } = sandbox.ok(["remember", "The port is 8080.", "--json"]).json.data;
    expect(text()).toContain("- The port is 8080.");
    expect(text()).toStartWith(before ?? "");
    sandbox.ok(["forget", saved[0].id, "--yes"]);
    expect(text()).toBe(once);
    sandbox.ok(["context", "--write", "AGENTS.md", "--undo"]);
    expect(existsSync(file) ? text() : "").toBe(before ?? "");
    sandbox.ok(["remember", "The port is 9090."]);
    expect(existsSync(file) ? text() : "").toBe(before ?? "");
    sandbox.ok(["undo"]);
  }
});

test("DUR-2: blocks that are written at the same time are all kept up to date", async () => {
  const { sandbox } = project();
  const files = Array.from({ length: 6 }, (_, index) => join(sandbox.work, `agents-${index}.md`));
  const started = files.map((file) => sandbox.start(["context", "--write", file]));
  expect(await Promise.all(started.map(({ exited }) => exited))).toEqual(files.map(() => 0));
  sandbox.ok(["remember", "The port is 8080."]);
  for (const file of files) expect(readFileSync(file, "utf8")).toContain("- The port is 8080.");
});

test("CTX-17: text around the block stays; a block that was removed by hand stays away", () => {
  const { sandbox, file, text } = project();
  writeFileSync(file, "# One\n");
  sandbox.ok(["context", "--write", "AGENTS.md"]);
  writeFileSync(file, `${text().replace("# One\n", "# Two\n")}\n## Last\n`);
  sandbox.ok(["remember", "The port is 8080."]);
  expect(text()).toStartWith("# Two\n\n<!-- retain:begin -->\n");
  expect(text()).toContain("- The port is 8080.\n");
  expect(text()).toEndWith("<!-- retain:end -->\n\n## Last\n");
  const call = { name: "retain", arguments: { items: [{ content: "The queue is called reed." }] } };
  const asked = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
  sandbox.ok(["mcp"], { stdin: `${JSON.stringify(asked)}\n` });
  expect(text()).toContain("- The queue is called reed.\n");
  writeFileSync(file, "# Three\n");
  sandbox.ok(["remember", "The port is 9090."]);
  expect(text()).toBe("# Three\n");
});

test("CTX-17: unconfirmed facts, private text, secrets and markers never get into the block", () => {
  const { sandbox, text } = project();
  const memories = join(sandbox.work, ".retain/memories");
  const add = (name: string, lines: string) => {
    const file = join(memories, name);
    writeFileSync(file, `${existsSync(file) ? readFileSync(file, "utf8") : ""}\n${lines}\n`);
  };
  add("INFERRED.md", "- Perhaps the port is 7070.");
  add(
    "MEMORY.md",
    `- The key is ${TOKEN}.\n- Open <private>hidden words</private> part.\n- Ends <!-- retain:end --> here.`,
  );
  sandbox.ok(["context", "--write", "AGENTS.md"]);
  for (const absent of ["7070", TOKEN, "hidden"]) expect(text()).not.toContain(absent);
  expect(text().match(/^<!-- retain:/gm)).toHaveLength(2);
  expect(sandbox.ok(["context", "--write", "AGENTS.md", "--json"]).json.data.action).toBe("unchanged");
});

test("CTX-17: a file that these facts must not go to, or that can't be changed safely, is refused", () => {
  const { sandbox, file, text } = project();
  const outside = join(sandbox.root, "outside.md");
  writeFileSync(outside, "mine\n");
  const refused = (args: string[], why: string, options: RunOptions = {}) => {
    const { exitCode, stderr } = sandbox.run(["context", "--write", ...args], options);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(why)]);
  };
  refused([outside], "outside the project");
  symlinkSync(outside, file);
  refused(["AGENTS.md"], "outside the project");
  expect(readFileSync(outside, "utf8")).toBe("mine\n");
  const broken = ["<!-- retain:begin -->\n", "<!-- retain:end -->\n<!-- retain:begin -->\n"];
  for (const content of [...broken, `${broken.join("")}<!-- retain:end -->\n`]) {
    writeFileSync(join(sandbox.work, "CLAUDE.md"), content);
    refused(["CLAUDE.md"], "Nothing was changed.");
    expect(readFileSync(join(sandbox.work, "CLAUDE.md"), "utf8")).toBe(content);
  }
  writeFileSync(join(sandbox.work, "CLAUDE.md"), new Uint8Array([0xff]));
  refused(["CLAUDE.md"], "UTF-8");
  refused(["AGENTS.md", "--query", "x"], "--write");
  const other = join(sandbox.root, "other");
  mkdirSync(join(other, ".git"), { recursive: true });
  refused(["AGENTS.md"], "your own", { cwd: other, env: { RETAIN_LOCAL_SCOPING: "global" } });
  sandbox.ok(["context", "--write", "AGENTS.md", "--global"], { cwd: other });
  expect(readFileSync(join(other, "AGENTS.md"), "utf8")).toContain("- The user is called Ada.");
  expect(text()).toBe("mine\n");
});
