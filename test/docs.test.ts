/** Checks the docs: runs `console` blocks and compares their output; other examples must be valid usage. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandEntry } from "../src/cli/command.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import { type Invocation, parseArguments } from "../src/cli/parse.ts";
import { buildParser } from "../src/cli/parser.ts";
import { messageOf } from "../src/core/errors.ts";
import { builtOnce } from "./helpers/built-once.ts";
import { RETAIN, Sandbox, WITH_MEANING } from "./helpers/sandbox.ts";

const ROOT = join(import.meta.dir, "..");

/** Pages with their text. (Bun's glob finds nothing for "{README,docs/*}.md".) */
function pages(...patterns: string[]): [page: string, markdown: string][] {
  const found = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)].sort());
  return found.map((page) => [page, readFileSync(join(ROOT, page), "utf8")]);
}

const MANUAL = pages("README.md", "docs/*.md");

interface Step {
  command: string;
  output: string;
}

function blocksOf(markdown: string, language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...markdown.matchAll(block)].map((match) => match[1] ?? "");
}

/** Lines that start with "$ " are commands; the following lines are their output. */
function stepsOf(markdown: string): Step[] {
  return blocksOf(markdown, "console").flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = "", ...output] = part.split("\n");
        return { command, output: output.join("\n").trimEnd() };
      }),
  );
}

/** Replaces values that differ between runs by their placeholders. */
function steady(output: string, home: string): string {
  return output
    .replaceAll(home, "~")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g, "<time>")
    .replace(/\b\d{4}-\d\d-\d\d\b/g, "<date>")
    .replace(/\b[0-9a-f]{12}\b/g, "<hash>")
    .replace(/\b[0-9a-f]{7}\b(?= )/g, "<commit>")
    .replace(/ +$/gm, "")
    .trimEnd();
}

/** Ignores column widths, since placeholders such as <time> differ in length. */
function loose(output: string): string {
  return (
    output
      .replace(/ {2,}/g, "  ")
      .replace(/ +$/gm, "")
      // The order of an answer depends on which memories were embedded in time.
      .replace(/(memories\/models\/\S+\.md):\d+/g, "$1:<line>")
  );
}

for (const [page, markdown] of MANUAL) {
  const steps = stepsOf(markdown);
  if (steps.length === 0) continue;
  test(`DOCS-1: the commands in ${page} print the shown output`, () => {
    const sandbox = new Sandbox(WITH_MEANING);
    const env = sandbox.env({ PATH: `${join(RETAIN, "..")}:${process.env.PATH}` });
    let cwd = sandbox.home;
    for (const { command, output } of steps) {
      const script = `{ ${command}\n} 2>&1; pwd > "$HOME/.pwd"`;
      const result = Bun.spawnSync(["bash", "-c", script], { cwd, env });
      cwd = readFileSync(join(sandbox.home, ".pwd"), "utf8").trim();
      expect(`$ ${command}\n${loose(steady(result.stdout.toString(), sandbox.home))}`).toBe(
        `$ ${command}\n${loose(output)}`,
      );
    }
  });
}

test("DOCS-1: the generated references are up to date", () => {
  const result = Bun.spawnSync([process.execPath, join(ROOT, "scripts/docs.ts"), "--check"]);
  expect(result.stderr.toString()).toBe("");
});

test("DOCS-1: links between the pages work", () => {
  const links = pages("*.md", "docs/*.md").flatMap(([page, markdown]) =>
    [...markdown.replace(/`[^`\n]*`/g, "").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) =>
      join(ROOT, page, "..", match[1] ?? ""),
    ),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((target) => !existsSync(target))).toEqual([]);
});

interface Call {
  argv: string[];
  isPiped: boolean;
}

/** Records the shell's calls of retain and runs nothing; other programs print a line instead. */
const RECORDER = `
PATH=/nowhere
retain() {
  local piped=; [[ -p /dev/stdin || -f /dev/stdin ]] && piped=yes
  printf '%s\\0' "$piped" "$@" >> "$CALLS"; printf '\\x1e' >> "$CALLS"
}
cd() { :; }
command_not_found_handle() { echo "a line"; }
`;

/** The calls of retain in this script. */
function callsOf(script: string): Call[] {
  const sandbox = new Sandbox();
  const redirected = [...script.matchAll(/[<>]\s*([\w.~/-]+)/g)].map((match) => match[1] ?? "");
  for (const path of redirected) sandbox.write(path.replace(/^~/, ""), "");
  const record = sandbox.write("calls", "");
  const options = { cwd: sandbox.work, env: sandbox.env({ HOME: sandbox.work, CALLS: record }) };
  const recorded = `${RECORDER}${script.replaceAll("bin/retain", "retain")}`;
  Bun.spawnSync(["bash", "-c", recorded], { ...options, stdin: "ignore" });
  const calls = readFileSync(record, "utf8").split("\x1e").slice(0, -1);
  return calls.map((call) => {
    const [piped, ...argv] = call.split("\0").slice(0, -1);
    return { argv, isPiped: piped === "yes" };
  });
}

async function parsed({ argv, isPiped }: Call): Promise<Invocation> {
  const invocation = await parseArguments(argv, "");
  if (invocation.kind === "run" && invocation.options.withoutInput !== undefined && !isPiped)
    throw invocation.options.withoutInput;
  return invocation;
}

/** An example that opens the screen or serves until stopped is only parsed. */
function ends(invocation: Invocation): boolean {
  if (invocation.kind === "text") return true;
  const { entry, args, options } = invocation;
  const staysOpen = ["chat", "serve"].includes(entry.name) && args.length === 0;
  return !staysOpen && !("http" in options);
}

const repository = builtOnce((sandbox) => {
  sandbox.git(["init"]);
  sandbox.ok(["init"]);
});

async function expectRuns(script: string, sandbox: Sandbox): Promise<void> {
  const calls = callsOf(script);
  expect([script, calls.length > 0]).toEqual([script, true]);
  for (const call of calls) {
    if (!ends(await parsed(call))) continue;
    const env = { RETAIN_EMBEDDING: "none", EDITOR: "true" };
    const { exitCode, stderr } = sandbox.run(call.argv, { env, stdin: "something" });
    expect([script, exitCode === 2 ? stderr : ""]).toEqual([script, ""]);
  }
}

async function helpExamples(entry: CommandEntry): Promise<string[]> {
  let help = "";
  buildParser(entry, await entry.load())
    .configureOutput({ writeOut: (text) => (help += text) })
    .outputHelp();
  return (help.split("\nExamples:\n")[1] ?? "").trim().split("\n");
}

for (const entry of COMMANDS)
  test(`DOCS-1: the examples in the help of ${entry.name} are valid usage as a shell splits them`, async () => {
    const { sandbox } = await repository();
    for (const example of await helpExamples(entry)) await expectRuns(example, sandbox);
  });

for (const [page, markdown] of MANUAL)
  test(`DOCS-1: the examples in ${page} are valid usage as a shell splits them`, async () => {
    for (const block of blocksOf(markdown, "sh"))
      if (/\bretain /.test(block)) await expectRuns(block, (await repository()).sandbox);
    const prose = markdown.replace(/^```[\s\S]*?^```$/gm, "");
    const spans = [...prose.matchAll(/`([^`]*\bretain [^`]+)`/g)].map((match) => match[1] ?? "");
    for (const script of spans.map(example))
      for (const call of callsOf(script)) {
        const problem = await parsed(call).then(() => null, messageOf);
        expect([script, problem]).toEqual([script, null]);
      }
  });

/** Fills in the id of `retain why <id>`; `retain why` alone only names the command. */
function example(span: string): string {
  const filled = span.replace(/<(\w+)>/g, "$1").replace(/\s+/g, " ");
  return /^retain [a-z]+$/.test(filled) ? `${filled} --help` : filled;
}
