/** docs/server.md lists every request of the API, and every one that isn't supported. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROUTES } from "../../src/serve/api/table.ts";
import { serveHere } from "./kit.ts";
import { OPERATIONS } from "./openapi.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/server.md"), "utf8");
const supported = ROUTES.map(({ method, path }) => `${method} ${path}`);
const others = OPERATIONS.filter((one) => !supported.includes(one));

function listed(pattern: RegExp): string[] {
  return [...PAGE.matchAll(pattern)].map(([, request = ""]) =>
    request.replace("…", "/v1/default/banks/{bank_id}"),
  );
}

test("SERVE-3: the docs list every supported request, and every other one answers 501", async () => {
  expect(listed(/^\| `([A-Z]+ [^`]+)` \|/gm).sort()).toEqual([...supported].sort());
  expect(listed(/^- `([A-Z]+ [^`]+)`$/gm).sort()).toEqual([...others].sort());
  const { ask } = await serveHere();
  for (const one of others) {
    const [method = "", path = ""] = one.split(" ");
    const answer = await ask(path.replaceAll(/\{\w+\}/g, "x"), { method });
    expect([one, answer.status, typeof answer.body.detail]).toEqual([one, 501, "string"]);
  }
});
