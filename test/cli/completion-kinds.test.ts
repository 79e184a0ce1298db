import { expect, test } from "bun:test";
import { COMMANDS } from "../../src/cli/commands.ts";
import { buildParser } from "../../src/cli/parser.ts";

test("every argument and every option with a value declares what it takes", async () => {
  const undeclared: string[] = [];
  for (const entry of COMMANDS) {
    const parser = buildParser(entry, await entry.load());
    const [first] = parser.registeredArguments;
    const actions = first?.argChoices ?? ["x"];
    const valued = parser.options.filter(({ required, optional }) => required || optional);
    for (const declared of [...parser.registeredArguments, ...valued])
      for (const action of actions)
        if ((parser.takenBy(declared, declared === first ? [] : [action]) ?? null) === null)
          undeclared.push(`${entry.name} ${action}: ${declared.name()}`);
  }
  expect(undeclared).toEqual([]);
});
