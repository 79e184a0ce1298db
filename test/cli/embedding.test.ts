/** The command beside a stand-in for an embedding server that changes its mind, is busy, or is gone. */
import { afterEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop(true);
});

function serve(answer: (input: string[], request: number) => Response): {
  env: Record<string, string>;
  host: string;
} {
  let requests = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { input } = (await request.json()) as { input: string[] };
      return answer(input, ++requests);
    },
  });
  servers.push(server);
  const env = {
    RETAIN_EMBEDDING: "endpoint",
    RETAIN_EMBEDDING_URL: `http://127.0.0.1:${server.port}/v1`,
    RETAIN_EMBEDDING_MODEL: "some-model",
  };
  return { env, host: `127.0.0.1:${server.port}` };
}

function vectors(input: readonly string[], dimensions: number): Response {
  const data = input.map((text, index) => {
    const embedding = Array.from({ length: dimensions }, (_, at) => ((text.charCodeAt(at) || 1) % 13) + 1);
    return { index, embedding };
  });
  return Response.json({ data });
}

function write(box: Sandbox, id: string, text: string): void {
  const path = box.path("memory", id);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
}

async function run(box: Sandbox, args: string[], env: Record<string, string>) {
  const command = box.start(args, { env });
  const [stdout, stderr] = await Promise.all([
    new Response(command.stdout).text(),
    new Response(command.stderr).text(),
  ]);
  return { exitCode: await command.exited, stdout, stderr };
}

test("VEC-3: an endpoint with other dimensions under the same name is refused, with a hint how to continue", async () => {
  const box = new Sandbox();
  let dimensions = 8;
  const { env, host } = serve((input) => vectors(input, dimensions));
  write(box, "one", "# One\n\nTokens rotate daily.\n");
  expect((await run(box, ["embed"], env)).exitCode).toBe(0);
  dimensions = 24;
  write(box, "two", "# Two\n\nKeys rotate weekly.\n");
  const told = new RegExp(`some-model@${host} .*\\b24 dimensions.*\\b8\\.`);
  const embed = await run(box, ["embed"], env);
  expect(embed.exitCode).toBe(1);
  expect(embed.stderr).toMatch(told);
  expect(embed.stderr).toContain("retain reindex --global");
  const search = JSON.parse((await run(box, ["search", "rotate", "--json"], env)).stdout);
  expect(search.data).toMatchObject({ by: "text", results: [{ id: "two" }, { id: "one" }] });
  expect(search.warnings).toEqual([expect.stringMatching(told)]);
  dimensions = 8;
  const back = JSON.parse((await run(box, ["search", "rotate", "--json"], env)).stdout);
  expect([back.data.by, back.warnings]).toEqual(["both", []]);
  dimensions = 24;
  const sure = JSON.parse((await run(box, ["search", "rotate", "--json"], env)).stdout);
  expect([sure.data.by, sure.warnings]).toEqual(["text", [expect.stringMatching(told)]]);
  expect((await run(box, ["reindex"], env)).exitCode).toBe(0);
  const anew = JSON.parse((await run(box, ["search", "rotate", "--json"], env)).stdout);
  expect([anew.data.by, anew.warnings]).toEqual(["both", []]);
});

test("VEC-5: a search reports the server's error, not a timeout", async () => {
  const box = new Sandbox();
  write(box, "one", "# One\n\nTokens rotate daily.\n");
  let status = 200;
  const { env, host } = serve((input) =>
    status === 200 ? vectors(input, 8) : new Response("", { status, headers: { "retry-after": "7" } }),
  );
  await run(box, ["embed"], env);
  status = 503;
  for (const more of [false, true]) {
    if (more) write(box, "two", "# Two\n\nKeys rotate weekly.\n");
    const { data, warnings } = JSON.parse((await run(box, ["search", "tokens", "--json"], env)).stdout);
    expect(data).toMatchObject({ by: "text", results: [{ id: "one" }] });
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`${host}: .*503 .*\\b7 s\\.`))]);
  }
});

test("VEC-5: 'embed' says how long it waits for the server", async () => {
  const box = new Sandbox();
  write(box, "one", "# One\n\nTokens rotate daily.\n");
  const { env, host } = serve((input, request) =>
    request === 1 ? new Response("", { status: 429, headers: { "retry-after": "1" } }) : vectors(input, 8),
  );
  const { exitCode, stderr } = await run(box, ["embed"], env);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(new RegExp(`^The embedding server at ${host}: .*429 .*\\b1 s\\..*\\b1 s\\.\n$`));
});
