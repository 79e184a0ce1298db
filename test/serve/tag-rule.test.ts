/** The index and the lists agree on which tags match a rule. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { passesTags, TAG_MATCHES, type TagRule } from "../../src/core/tag-rule.ts";
import { openRetain } from "../../src/index.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const TAGS = ["a", "B", "c"];

const { rule } = fc.letrec<{ rule: TagRule }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ tags: fc.subarray(["A", "b", "c"]), match: fc.constantFrom(...TAG_MATCHES) }),
    fc.record({ and: fc.array(tie("rule"), { maxLength: 2 }) }),
    fc.record({ or: fc.array(tie("rule"), { maxLength: 2 }) }),
    fc.record({ not: tie("rule") }),
  ),
}));

test("a search by a tag rule finds exactly the memories whose tags pass it", async () => {
  const sandbox = new Sandbox();
  using retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() },
    settings: { embedding: "none" },
  });
  const sets = Array.from({ length: 8 }, (_, bits) => TAGS.filter((_, index) => bits & (1 << index)));
  for (const [number, tags] of sets.entries())
    await retain.documents.put({ content: `heron ${number}`, id: `d${number}`, tags });
  await fc.assert(
    fc.asyncProperty(rule, async (tagRule) => {
      const { hits } = await retain.search("heron", { tagRule, limit: 20 });
      const expected = sets.flatMap((tags, number) => (passesTags(tags, tagRule) ? `d${number}` : []));
      expect(hits.map(({ id }) => id).sort()).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
