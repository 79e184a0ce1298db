/** What the docs show is what happens: every `console` block is run, and its output compared. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RETAIN, Sandbox } from "./helpers/sandbox.ts";

const ROOT = join(import.meta.dir, "..");

interface Step {
  command: string;
  output: string;
}

/** Lines that start with "$ " are typed; what follows is what they print. */
function stepsOf(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = "", ...output] = part.split("\n");
        return { command, output: output.join("\n").trimEnd() };
      }),
  );
}

/** What differs from run to run has a name in the docs. */
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

/** Columns are as wide as what stands in them, so the width of names such as <time> is of no account. */
function loose(output: string): string {
  return output.replace(/ {2,}/g, "  ").replace(/ +$/gm, "");
}

for (const page of [
  "README.md",
  "docs/agents.md",
  "docs/backends.md",
  "docs/chat.md",
  "docs/claude-code.md",
  "docs/documents.md",
  "docs/memory.md",
  "docs/migrate.md",
  "docs/search.md",
]) {
  test(`DOCS-1: the commands in ${page} print what it says`, () => {
    const sandbox = new Sandbox();
    const steps = stepsOf(readFileSync(join(ROOT, page), "utf8"));
    expect(steps.length).toBeGreaterThan(0);
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

test("DOCS-1: the printed references are up to date", () => {
  const result = Bun.spawnSync([process.execPath, join(ROOT, "scripts/docs.ts"), "--check"]);
  expect(result.stderr.toString()).toBe("");
});

test("DOCS-1: links between the pages lead somewhere", () => {
  const pages = [...new Bun.Glob("{*,docs/*}.md").scanSync(ROOT)];
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map((match) => join(ROOT, page, "..", match[1] ?? ""))
      .filter((target) => !existsSync(target)),
  );
  expect(broken).toEqual([]);
});
