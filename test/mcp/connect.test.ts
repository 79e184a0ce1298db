/** Connecting a client again after the user changed its entry. */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";

function connected(entry: object, sandbox = new Sandbox(), env: Record<string, string> = {}) {
  const file = join(sandbox.home, ".cursor/mcp.json");
  mkdirSync(join(sandbox.home, ".cursor"), { recursive: true });
  writeFileSync(file, JSON.stringify({ mcpServers: { retain: entry } }));
  const { action } = sandbox.ok(["connect", "cursor", "--json"], { env }).json.data;
  return { action, entry: JSON.parse(readFileSync(file, "utf8")).mcpServers.retain };
}

test("CONNECT-1: fields added to an entry survive its update", () => {
  const added = { disabled: true, env: { ANTHROPIC_API_KEY: "k" } };
  const old = {
    command: "/old/bin/retain",
    args: ["mcp", "--directory", "/gone", "--chat", "work"],
    ...added,
  };
  const updated = {
    type: "stdio",
    command: RETAIN,
    args: ["mcp", "--global", "--chat", "work"],
    ...added,
  };
  expect(connected(old)).toEqual({ action: "updated", entry: updated });
  expect(connected(updated)).toEqual({ action: "unchanged", entry: updated });
});

test("CONNECT-1: the current RETAIN_HOME decides the entry's home workspace", () => {
  const sandbox = new Sandbox();
  const RETAIN_HOME = join(sandbox.root, "elsewhere");
  const now = { type: "stdio", command: RETAIN, args: ["mcp", "--global"] };
  expect(connected({ ...now, env: { RETAIN_HOME: "/gone" } }).entry).toEqual(now);
  const { entry } = connected({ ...now, env: { A: "1", RETAIN_HOME: "/gone" } }, sandbox, { RETAIN_HOME });
  expect(entry).toEqual({ ...now, env: { A: "1", RETAIN_HOME } });
});
