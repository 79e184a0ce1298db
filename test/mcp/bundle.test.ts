/** `retain mcp` has a bundle of its own, with schemas of the SDK that are built on first use. It answers as the sources do. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { GREETING, keep, messagesIn, request } from "./lines.ts";

const SOURCES = [process.execPath, join(import.meta.dir, "../../src/cli/main.ts")];

const REQUESTS: readonly (readonly [string, unknown])[] = [
  ["tools/list", {}],
  ["tools/call", { name: "recall", arguments: { query: "tea" } }],
  ["tools/call", { name: "recall", arguments: { query: 4 } }],
  ["tools/call", { name: 4 }],
  ["resources/list", {}],
  ["resources/templates/list", { cursor: 4 }],
  ["resources/read", { uri: "memory://context" }],
  ["resources/read", { uri: 4 }],
  ["resources/subscribe", { uri: "memory://context" }],
  ["prompts/list", {}],
  ["prompts/get", { name: "nothing" }],
  ["completion/complete", { ref: { type: "ref/prompt", name: "x" }, argument: { name: "x", value: "a" } }],
  ["completion/complete", { ref: { type: "neither" } }],
  ["nothing/at-all", {}],
  ["ping", {}],
];

const MODERN = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "lines", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

function answers(sandbox: Sandbox, command: readonly string[], lines: readonly string[]) {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], {
    cwd: sandbox.work,
    env: { PATH: process.env.PATH, HOME: sandbox.home },
    stdin: new TextEncoder().encode(`${lines.join("\n")}\n`),
  });
  const messages = messagesIn(stdout.toString()).toSorted((a, b) => Number(a.id) - Number(b.id));
  return { messages, stderr: stderr.toString(), exitCode };
}

test("the bundle of `retain mcp` answers every request as the sources do, whatever the revision", () => {
  const sandbox = new Sandbox();
  answers(sandbox, [RETAIN, "mcp"], [...GREETING, keep(1, "The user drinks green tea.")]);
  const legacy = [
    ...GREETING,
    ...REQUESTS.map(([method, params], index) => request(index + 1, method, params)),
  ];
  const modern = [
    request(0, "server/discover", MODERN),
    ...REQUESTS.map(([method, params], index) =>
      request(index + 1, method, { ...MODERN, ...Object(params) }),
    ),
    request(90, "tools/list", { _meta: { ...MODERN._meta, "io.modelcontextprotocol/clientInfo": 4 } }),
  ];
  for (const lines of [legacy, modern]) {
    const bundled = answers(sandbox, [RETAIN, "mcp"], lines);
    expect(bundled.messages).toHaveLength(lines.filter((line) => line.includes('"id"')).length);
    expect(bundled).toEqual(answers(sandbox, [...SOURCES, "mcp"], lines));
    expect(bundled).toEqual(answers(sandbox, [RETAIN, "mcp", "--quiet"], lines));
  }
});

test("`retain mcp` fails as any other command does", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["config", "set", "--global", "memory_days", "3"]);
  Bun.write(join(sandbox.home, ".retain/config.yaml"), "memory_days: [\n");
  const failed = answers(sandbox, [RETAIN, "mcp"], GREETING);
  expect(failed.stderr).toContain("config.yaml");
  expect(failed).toEqual(answers(sandbox, [...SOURCES, "mcp"], GREETING));
});
