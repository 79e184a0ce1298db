import { expect, test } from "bun:test";
import { harmlessTags } from "../../src/util/harmless-tags.ts";

test("MEMTOOL-12: a tag is recognised in every spelling that a model would read as that tag", () => {
  const harmless = harmlessTags(["system-reminder"]);
  for (const tag of [
    "<system-reminder>",
    "</system-reminder>",
    "< / SYSTEM-Reminder >",
    "<\u200bsystem-reminder>",
    "<sys\u00adtem-reminder>",
    "＜system-reminder>",
    "<\\system-reminder>",
  ])
    expect(harmless(`a ${tag} b`)).toBe(`a &lt;${tag.slice(1)} b`);
  expect(harmless("a < b, <system> and <reminder>")).toBe("a < b, <system> and <reminder>");
});
