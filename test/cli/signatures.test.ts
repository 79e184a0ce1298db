/** Who signs documents and their changes. */
import { expect, test } from "bun:test";
import { parseMarkdown } from "../../src/core/documents/frontmatter.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overHttp, overPipes, REVISIONS, startHttp } from "../mcp/clients.ts";

const ME = Bun.spawnSync(["id", "-un"]).stdout.toString().trim();
/** The environment under cron and in containers. */
const NAMELESS = { LOGNAME: undefined };

function signatures(box: Sandbox, id: string) {
  const { created_by, updated_by } = parseMarkdown(box.document("memory", id)).fields;
  return { created_by, updated_by };
}

test("DOC-20: what is typed is signed by the user of this machine", () => {
  const box = new Sandbox();
  box.ok(["put", "-", "--id", "tea"], { stdin: "# Tea\n" });
  box.ok(["update", "tea", "--tags", "drinks"], { env: NAMELESS });
  expect(signatures(box, "tea")).toEqual({ created_by: "ada", updated_by: ME });
  box.ok(["restore", "tea", "--version", "v1"]);
  expect(signatures(box, "tea")).toEqual({ created_by: "ada", updated_by: "ada" });
});

test("DOC-20: the setting created_by comes first, and an option before it", () => {
  const box = new Sandbox();
  const env = { RETAIN_CREATED_BY: "Team Blue" };
  box.ok(["put", "-", "--id", "tea"], { stdin: "# Tea\n", env });
  box.ok(["update", "tea", "--tags", "drinks", "--updated-by", "Bob"], { env });
  expect(signatures(box, "tea")).toEqual({ created_by: "Team Blue", updated_by: "Bob" });
});

for (const revision of REVISIONS)
  test(`DOC-20: over MCP (${revision}) the client signs by its name, over pipes and HTTP, and the setting comes first`, async () => {
    const box = new Sandbox();
    const put = { name: "memory_put", arguments: { content: "# Tea\n", id: "tea" } };
    const { client } = await overPipes(box, [], { revision });
    await client.callTool(put);
    const web = await overHttp(await startHttp(box), revision);
    await web.callTool({ name: "memory_update", arguments: { id: "tea", tags: ["drinks"] } });
    expect(signatures(box, "tea")).toEqual({ created_by: "retain-test", updated_by: "retain-test" });

    const own = {
      name: "memory_put",
      arguments: { content: "---\ncreated_by: Eve\n---\n\n# Jam\n", id: "jam" },
    };
    await client.callTool(own);
    expect(signatures(box, "jam").created_by).toBe("Eve");

    const { client: set } = await overPipes(box, [], { revision, env: { RETAIN_CREATED_BY: "Team Blue" } });
    await set.callTool({ name: "memory_put", arguments: { content: "# Rum\n", id: "rum" } });
    expect(signatures(box, "rum").created_by).toBe("Team Blue");
  });
