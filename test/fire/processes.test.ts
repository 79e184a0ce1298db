/** Many processes at one workspace. */
import { expect, test } from "bun:test";
import { parseMarkdown } from "../../src/core/frontmatter.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const PROCESSES = 8;
const ROUNDS = process.env.RETAIN_FIRE ? 60 : 8;

test("DUR-2: eight processes that put and update at once lose nothing", async () => {
  const sandbox = new Sandbox();
  const work = Array.from({ length: PROCESSES }, async (_, worker) => {
    for (let round = 0; round < ROUNDS; round++) {
      const own = sandbox.start(["put", "-", "--id", `own-${worker}-${round}`], {
        stdin: `# Own\n\n${worker}.${round}\n`,
      });
      const shared = sandbox.start(["put", "-", "--id", "shared", "--json"], {
        stdin: `# Shared\n\n${worker}.${round}\n`,
      });
      for (const child of [own, shared]) {
        const [code, said, problems] = await Promise.all([
          child.exited,
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
        ]);
        if (code !== 0) throw new Error(said + problems);
        expect(problems).toBe("");
      }
    }
  });
  await Promise.all(work);
  const { total, documents } = sandbox.ok(["list", "--json"]).json.data;
  expect(total).toBe(PROCESSES * ROUNDS + 1);
  expect(documents.filter((row: { version: number }) => row.version === 1)).toHaveLength(PROCESSES * ROUNDS);
  const { version, version_history } = parseMarkdown(sandbox.document("memory", "shared")).fields;
  expect(version).toBe(PROCESSES * ROUNDS);
  const numbers = (version_history as { version: number }[]).map((entry) => entry.version);
  expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => PROCESSES * ROUNDS - 9 + index));
}, 600_000);

test("DUR-2: tags that eight processes merge into one document are all there", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "tagged"], { stdin: "# T\n" });
  const children = Array.from({ length: PROCESSES * 2 }, (_, index) =>
    sandbox.start(["update", "tagged", "--tags", `t${index}`, "--merge-tags"]),
  );
  for (const child of children) expect(await child.exited).toBe(0);
  const { tags, version } = parseMarkdown(sandbox.document("memory", "tagged")).fields;
  expect((tags as string[]).sort()).toEqual(
    Array.from({ length: PROCESSES * 2 }, (_, index) => `t${index}`).sort(),
  );
  expect(version).toBe(PROCESSES * 2 + 1);
}, 600_000);

test("DUR-2: of eight updates that expect version 1, one is taken and seven are refused", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "guarded"], { stdin: "# G\n" });
  const children = Array.from({ length: PROCESSES }, (_, index) =>
    sandbox.start(["update", "guarded", "--tags", `t${index}`, "--if-version", "1"]),
  );
  const codes = await Promise.all(children.map((child) => child.exited));
  expect(codes.sort()).toEqual([0, ...Array.from({ length: PROCESSES - 1 }, () => 3)]);
}, 600_000);
