/** Hints are data: each interface names its own commands, and no reference names a command or option that does not exist. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../src/cli/commands.ts";
import { buildParser } from "../src/cli/parser.ts";
import { EFFECTS } from "../src/core/command-effects.ts";
import { command, hint, option, slot } from "../src/core/hint.ts";
import { ChatRoom, only } from "./helpers/chat.ts";
import { Sandbox } from "./helpers/sandbox.ts";
import { overPipes } from "./mcp/clients.ts";

const SOURCES = join(import.meta.dir, "../src");
/** Without comments. The command line itself may spell its commands. */
const sources = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCES)]
  .filter((file) => !file.startsWith("cli/") && !file.endsWith(".d.ts"))
  .map((file) => ({ file, code: withoutComments(file) }));

function withoutComments(file: string): string {
  const transpiler = new Bun.Transpiler({ loader: file.endsWith("x") ? "tsx" : "ts" });
  return transpiler.transformSync(readFileSync(join(SOURCES, file), "utf8"));
}

test("no text below the command line spells a command", () => {
  const spelled = new RegExp(`\\bretain (?:${Object.keys(EFFECTS).join("|")})\\b`);
  const found = sources.flatMap(({ file, code }) =>
    code
      .split("\n")
      .filter((line) => spelled.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test("every option in a reference is an option of its command", async () => {
  const options = new Map<string, string[]>();
  for (const entry of COMMANDS) {
    const parser = buildParser(entry, await entry.load());
    options.set(
      entry.name,
      parser.options.map(({ long }) => long?.replace(/^--/, "") ?? ""),
    );
  }
  const all = new Set([...options.values()].flat());
  const unknown: string[] = [];
  let checked = 0;
  for (const { file, code } of sources) {
    for (const [, name = ""] of code.matchAll(/\boption\("([^"]+)"/g))
      if (!all.has(name)) unknown.push(`${file}: ${name}`);
    for (const { 1: name = "", index } of code.matchAll(/\bcommand\("([a-z-]+)[ a-z-]*"/g))
      for (const [, used = ""] of argumentsAt(code, index).matchAll(/\boption\("([^"]+)"/g)) {
        checked++;
        if (!options.get(name)?.includes(used)) unknown.push(`${file}: ${name} --${used}`);
      }
  }
  expect(unknown).toEqual([]);
  expect(checked).toBeGreaterThan(10);
});

/** The text up to the parenthesis that closes the call. */
function argumentsAt(code: string, start: number): string {
  let depth = 0;
  for (let at = code.indexOf("(", start); at < code.length; at++) {
    if (code[at] === "(") depth++;
    if (code[at] === ")" && --depth === 0) return code.slice(start, at);
  }
  return code.slice(start);
}

test("a hint reads as typed on the command line, quoted for the shell", () => {
  const open = command("folders add", "My notes; rm", option("name", slot("name")));
  expect(`${open}`).toBe("retain folders add 'My notes; rm' --name <name>");
  expect(`${command("chat", option("resume", "a"), option("take"))}`).toBe("retain --resume a --take");
  const inner = hint`pass ${option("force")}`;
  expect(String(hint`Wait, or ${inner}: ${open}`)).toBe(
    "Wait, or pass --force: retain folders add 'My notes; rm' --name <name>",
  );
  expect(hint`Wait for ${"it"}.`).toBe("Wait for it.");
});

test("CLI-5: the command line, an MCP client and the chat each read what they can do about the same mistake", async () => {
  const sandbox = new Sandbox();
  const { client } = await overPipes(sandbox);
  const failed = async (name: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: input });
    return JSON.stringify(content);
  };
  const room = new ChatRoom(null);
  const chat = await room.open();
  const inChat = async (line: string) => only(await chat.say(line), "error")[0]?.hint;

  expect(sandbox.run(["get", "nowhere"]).stderr).toContain("retain list");
  expect(await failed("memory_get", { id: "nowhere" })).toContain("List all: memory_list");

  const missing = sandbox.run(["mental-models", "show", "team"]);
  expect(missing.stderr).toContain("retain mental-models list");
  expect(await inChat("/mental-models team")).toEndWith(": /mental-models");

  const session = sandbox.run(["sessions", "show", "nowhere"]);
  expect(session.stderr).toContain("retain sessions list");
  expect(await inChat("/resume nowhere")).toEndWith(": /sessions");

  const fact = sandbox.run(["confirm", "nothing", "--json"]);
  expect(fact.json.error.hint).toEndWith(": retain facts --all");
  expect(await failed("memory_list", { what: "versions" })).toContain("Pass id");
  for (const line of ["/confirm nothing", "/edit nothing", "/edit nothing I prefer tea"])
    expect(await inChat(line)).toEndWith(": /memory");
  const { id } = (await room.retain.facts.remember("Prefers tea")).saved[0] ?? {};
  expect(await inChat(`/confirm ${id}`)).toEndWith(": /confirm");
});

test("a question from the shell is answered with commands, not slash commands", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open({ interactive: false });
  const [error] = only(await chat.say("/resume nowhere"), "error");
  expect(error?.hint).toEndWith(": retain sessions list");
});
