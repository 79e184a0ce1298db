import { expect, test } from "bun:test";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { KEY } from "../helpers/chat.ts";
import { WORDS_ALONE } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";

function withFact(): { sandbox: Sandbox; id: string } {
  const sandbox = new Sandbox();
  const said = sandbox.ok(["remember", "--json", "We moved to Postgres for its JSON columns"], {
    env: WORDS_ALONE,
  });
  return { sandbox, id: said.json.data.saved[0].id };
}

const QUESTION = "why did we move to Postgres?";

test("REFLECT-1: retain reflect prints the answer and its sources, and --json all of it", async () => {
  const { sandbox, id } = withFact();
  await using server = await new AnthropicServer(() => ({
    text: `For JSON [${id}] \u001b[31m[zzzz000000].`,
  })).start();
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
  const child = sandbox.start(["reflect", ...QUESTION.split(" ")], { env });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(await child.exited).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toStartWith(`For JSON [${id}]`);
  expect(lines.slice(1).join("\n")).toMatch(
    new RegExp(`^\nSources:\n {2}\\[${id}\\] \\(\\d{4}-\\d\\d-\\d\\d, fact\\) We moved to Postgres`),
  );
  expect(stderr).toContain("1 source");
  expect(server.last.bodyText).toContain("We moved to Postgres");
  const told = sandbox.start(["reflect", "--json", QUESTION], { env });
  const { data } = JSON.parse(await new Response(told.stdout).text());
  expect(data).toMatchObject({
    query: QUESTION,
    citations: [{ id, kind: "fact" }],
    removed: ["zzzz000000"],
    rounds: 1,
    byModel: true,
  });
});

test("REFLECT-1: without a model it quotes memory and says how to configure one; --model none requests that", () => {
  const { sandbox, id } = withFact();
  const quoted = sandbox.ok(["reflect", QUESTION]);
  expect(quoted.stdout).toStartWith(
    `From memory, without a model:\n\n- We moved to Postgres for its JSON columns [${id}]\n\nSources:\n`,
  );
  expect(quoted.stderr).toContain("ANTHROPIC_API_KEY");
  expect(sandbox.ok(["reflect", "--model", "none", QUESTION]).stderr).toBe("");
  const empty = new Sandbox().ok(["reflect", QUESTION]);
  expect(empty.stdout).toBe("No relevant memories.\n");
  expect(empty.stderr).toContain("retain put");
  const wrong = sandbox.run(["reflect", "--model", "nonsense", QUESTION]);
  expect([wrong.exitCode, wrong.stderr.includes("nonsense")]).toEqual([2, true]);
});
