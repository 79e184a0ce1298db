import { expect, test } from "bun:test";
import type { Argument, Command, Option } from "commander";
import { COMMANDS } from "../../src/cli/commands.ts";
import { parseArguments } from "../../src/cli/parse.ts";
import { buildParser } from "../../src/cli/parser.ts";
import { RetainError } from "../../src/core/errors.ts";
import { Sandbox } from "../helpers/sandbox.ts";

/** Claude Code treats exit code 2 of a hook as "block", so this command accepts any arguments. */
const ACCEPTS_ANYTHING = "hook";

/** Phrases of commander's own messages. */
const COMMANDER =
  /^error|allowed choices|argument missing|too many arguments|missing required|is invalid|cannot be used with|option '--.*=/i;

interface Mistake {
  readonly line: string[];
  /** What the hint must name, if it can be known. */
  readonly suggests?: string;
}

const parsers = await Promise.all(
  COMMANDS.filter(({ name }) => name !== ACCEPTS_ANYTHING).map(async (entry) => ({
    name: entry.name,
    parser: buildParser(entry, await entry.load()),
  })),
);

/** A value that each required argument accepts. */
function valid(parser: Command): string[] {
  return parser.registeredArguments.filter(({ required }) => required).map(word);
}

function word({ argChoices }: Argument | Option): string {
  return argChoices?.[0] ?? "x";
}

function unknownOptions({ name, parser }: (typeof parsers)[number]): Mistake[] {
  const long = parser.options.map((option) => option.long ?? "").filter((flag) => flag.length > 7);
  const misspelt = long.map((flag) => ({ line: [name, ...valid(parser), `${flag}x`], suggests: flag }));
  return [{ line: [name, ...valid(parser), "--qqqqqqqqqq"] }, ...misspelt];
}

function missingArguments({ name, parser }: (typeof parsers)[number]): Mistake[] {
  return valid(parser).length === 0 ? [] : [{ line: [name] }];
}

function excessArguments({ name, parser }: (typeof parsers)[number]): Mistake[] {
  const declared = parser.registeredArguments;
  return declared.some(({ variadic }) => variadic) ? [] : [{ line: [name, ...declared.map(word), "more"] }];
}

function missingValues({ name, parser }: (typeof parsers)[number]): Mistake[] {
  const valued = parser.options.filter(({ required }) => required);
  return valued.map(({ long }) => ({ line: [name, ...valid(parser), long ?? ""] }));
}

function unwantedValues({ name, parser }: (typeof parsers)[number]): Mistake[] {
  const flags = parser.options.filter(({ required, optional }) => !required && !optional);
  return flags.map(({ long }) => ({ line: [name, ...valid(parser), `${long}=yes`] }));
}

function invalidChoices({ name, parser }: (typeof parsers)[number]): Mistake[] {
  const options = parser.options.filter(({ argChoices }) => argChoices !== undefined);
  const [first] = parser.registeredArguments;
  return [
    ...options.map((option) => ({
      line: [name, ...valid(parser), option.long ?? "", `${word(option)}x`],
      suggests: word(option),
    })),
    ...(first?.argChoices === undefined ? [] : [{ line: [name, `${word(first)}x`], suggests: word(first) }]),
  ];
}

function conflicts({ name, parser }: (typeof parsers)[number]): Mistake[] {
  return parser.options.flatMap(({ long, ...option }) =>
    (option as unknown as { conflictsWith: string[] }).conflictsWith.map((other) => {
      const second = parser.options.find((one) => one.attributeName() === other)?.long ?? "";
      return { line: [name, ...valid(parser), long ?? "", second] };
    }),
  );
}

for (const [kind, mistakesIn] of Object.entries({
  unknownOptions,
  missingArguments,
  excessArguments,
  missingValues,
  unwantedValues,
  invalidChoices,
  conflicts,
}))
  test(`usage errors of every command say what to do: ${kind}`, async () => {
    const mistakes = parsers.flatMap(mistakesIn);
    expect(mistakes).not.toEqual([]);
    for (const { line, suggests } of mistakes) {
      const error = await parseArguments(line, "0").catch((thrown: unknown) => thrown);
      if (!(error instanceof RetainError)) throw new Error(`retain ${line.join(" ")}: ${error}`);
      const { code, message, hint = "" } = error;
      expect({ line, code }).toEqual({ line, code: "usage" });
      expect({ line, message, isOurs: !COMMANDER.test(message) }).toMatchObject({ isOurs: true });
      expect(message).toMatch(/^[\p{Lu}'"<-].*\.$/u);
      expect({
        line,
        hint,
        says: hint.includes(suggests ?? "retain") || suggests === undefined,
      }).toMatchObject({ says: true });
      expect(hint).not.toBe("");
    }
  });

test("CLI-5: a usage error of any command exits with 2 and has a hint, as text and as JSON", () => {
  const sandbox = new Sandbox();
  for (const { name, parser } of parsers) {
    const line = [name, ...valid(parser), "--verbos"];
    const text = sandbox.run(line);
    expect(text.exitCode).toBe(2);
    expect(text.stdout).toBe("");
    expect(text.stderr).toMatch(/^retain: .+\n.*--verbose.*\n$/);
    const { json, exitCode, stderr } = sandbox.run([...line, "--json"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" });
    expect(json).toMatchObject({ ok: false, command: name, error: { code: "usage", exit_code: 2 } });
    expect(json.error.hint).toContain("--verbose");
  }
});

test("CLI-5: an unknown command, alone or after help, suggests the nearest one", () => {
  const sandbox = new Sandbox();
  for (const line of [["serch"], ["help", "serch"], ["--json", "serch"]]) {
    const { exitCode, stdout, stderr } = sandbox.run(line);
    expect(exitCode).toBe(2);
    expect(stdout + stderr).toContain("retain search");
    expect(stdout + stderr).not.toContain("--help");
  }
});
