import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { readShell } from "../../src/agent/tools/shell-read.ts";

const cut = (command: string) =>
  readShell(command).commands.map(({ words }) => words.map(({ text }) => text));

test("TOOL-14: a command line is cut into commands and words as a shell cuts it", () => {
  expect(cut("a 'b c' \"d e\" f\\ g 'h'\"i\"j")).toEqual([["a", "b c", "d e", "f g", "hij"]]);
  expect(cut('a "b\\\\" "c\\$d\\"e\\x" f')).toEqual([["a", "b\\", 'c$d"e\\x', "f"]]);
  expect(cut("a;b&&c||d|e&f\ng")).toEqual([["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]);
  expect(cut("a $(b `c`) \"$(d 'e)')\" <(f)")).toEqual([
    ["c"],
    ["b", "`c`"],
    ["d", "e)"],
    ["f"],
    ["a", "$(b `c`)", "$(d 'e)')", ""],
  ]);
  expect(cut("if a; then b; fi")).toEqual([["a"], ["b"], ["fi"]]);
  expect(cut("a # b; c\nd")).toEqual([["a"], ["d"]]);
  expect(cut("x=1 y='2' a b=3")).toEqual([["a", "b=3"]]);
  expect(cut("cat <<'E' <<-F; a\nit's; b\nE\n\tc\n\tF\nd")).toEqual([["cat"], ["a"], ["d"]]);
  expect(cut('a \\\n b\\\nc "d\\\ne"')).toEqual([["a", "bc", "de"]]);
  expect(cut("\\\na")).toEqual([["a"]]);
  const [{ redirects, words } = { redirects: [], words: [] }] = readShell("a 2>&1 >>'x y' b &>z").commands;
  expect(redirects.map(({ operator, target }) => operator + target.text)).toEqual([">&1", ">>x y", "&>z"]);
  expect(words.map(({ text }) => text)).toEqual(["a", "b"]);
  expect(readShell("a | b").commands.map(({ piped }) => piped)).toEqual([false, true]);
});

test("TOOL-14: what is not sure to be read as a shell reads it is unclear", () => {
  for (const command of [
    "a 'b",
    'a "b',
    "a $(b",
    "a `b",
    "(a",
    "a $'b'",
    `a $\{b:-'c'}`,
    "case a in b) c;; esac",
    "a >",
    "a <<E\n$(b)\nE",
    "a \u0001",
    `${"$(".repeat(30)}a${")".repeat(30)}`,
  ])
    expect([command, readShell(command).unclear]).toEqual([command, true]);
});

test("TOOL-14: of one program and its words, the words are what sh makes of them", () => {
  const directory = mkdtempSync(join(tmpdir(), "retain-shell-"));
  try {
    const piece = fc.constantFrom(
      ..."ab='\"\\$;|&#(){}~*?[]<>!`\t\n %-",
      "''",
      '""',
      "\\'",
      "$a",
      "a b",
      "'c d'",
      '"e f"',
    );
    const line = fc.array(piece, { maxLength: 12 }).map((pieces) => `p ${pieces.join("")}`);
    let simple = 0;
    fc.assert(
      fc.property(line, (command) => {
        const reading = readShell(command);
        const words = reading.commands[0]?.words ?? [];
        if (!reading.simple || words.some(({ expands, globs, tilde }) => expands || globs || tilde)) return;
        simple++;
        const script = `p() { for word; do printf '%s\\0' "$word"; done; }\n${command}`;
        const { stdout, exitCode } = Bun.spawnSync(["/bin/sh", "-c", script], { cwd: directory, env: {} });
        expect([command, exitCode]).toEqual([command, 0]);
        const seen = stdout.toString().split("\0").slice(0, -1);
        expect([command, seen]).toEqual([command, words.slice(1).map(({ text }) => text)]);
      }),
      { numRuns: 1_500 },
    );
    expect(simple).toBeGreaterThan(100);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
