/** The plugin's files: everything they name exists, and they grant no more than necessary. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { PLUGIN, pluginHooks } from "../helpers/claude-code.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const ROOT = join(PLUGIN, "..");
const VERBS = ["put", "get", "update", "delete", "search", "list", "versions", "diff", "restore"];
const FACT_VERBS = ["remember", "recall", "forget", "facts", "review", "undo", "status"];

/** It must not forget without asking, and shows the fact first. */
const LOOKING = "Bash(retain forget --dry-run:*), Bash(retain why:*)";

const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

interface PluginCommand {
  readonly verb: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function commands(): PluginCommand[] {
  return readdirSync(join(PLUGIN, "commands")).map((file) => {
    const [, fields = "", body = ""] =
      /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(join(PLUGIN, "commands", file), "utf8")) ?? [];
    return { verb: file.replace(/\.md$/, ""), fields: parse(fields), body };
  });
}

test("PLUGIN-14: the marketplace at the root offers the plugin, which has the package's version and licence", () => {
  const { version, license } = json("package.json");
  const plugin = json("plugin/.claude-plugin/plugin.json");
  expect(plugin).toMatchObject({ name: "retain", version, license });
  const { name, plugins } = json(".claude-plugin/marketplace.json");
  expect([name, plugins.length]).toEqual(["retain", 1]);
  expect(plugins[0]).toMatchObject({ name: "retain", source: "./plugin", description: plugin.description });
});

test("PLUGIN-2: there is a command for each verb, and it may run only that verb", () => {
  const found = commands();
  expect(found.map(({ verb }) => verb).sort()).toEqual([...VERBS, ...FACT_VERBS].sort());
  for (const { verb, fields } of found) {
    const allowed = verb === "forget" ? LOOKING : `Bash(retain ${verb}:*)`;
    expect(fields["allowed-tools"]).toBe(allowed);
    expect(fields.description).toBeString();
    // They are for people: the model has tools for the same, and offering it both would cost tokens.
    expect(fields["disable-model-invocation"]).toBe(true);
  }
});

test("PLUGIN-2: the argument hints name existing options", () => {
  const sandbox = new Sandbox();
  for (const { verb, fields } of commands()) {
    const help = sandbox.ok([verb, "--help"]).stdout;
    const options = String(fields["argument-hint"]).match(/--[a-z-]+/g) ?? [];
    expect(options.filter((option) => !help.includes(`${option} `))).toEqual([]);
  }
});

test("PLUGIN-2: arguments are given to the model as plain words, once, and never to a shell", () => {
  for (const { verb, body } of commands()) {
    expect(body.match(/\$\w+/g)).toEqual(["$ARGUMENTS"]);
    expect(body).toContain("<arguments>\n$ARGUMENTS\n</arguments>");
    // Claude Code would run these before the model sees them.
    expect(body).not.toMatch(/!`|^```!/m);
    expect(body).toContain(`retain ${verb}`);
    expect(body).toMatch(/single[ -]quote/);
    expect(body).toMatch(/never\b.*\bshell code/is);
  }
});

test("PLUGIN-4: forgetting is previewed first, and done only after a person confirms", async () => {
  const forget = commands().find(({ verb }) => verb === "forget")?.body ?? "";
  const steps = [
    "retain forget --dry-run",
    "ask whether",
    "Only after a clear yes",
    "retain forget <id> --yes",
  ];
  const places = steps.map((step) => forget.replaceAll("\n", " ").indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const sandbox = new Sandbox();
  await sandbox.addFact("The door code is on the fridge");
  sandbox.ok(["forget", "--dry-run", "door code", "--yes"]);
  expect(sandbox.ok(["facts"]).stdout).toContain("The door code is on the fridge");
});

test("PLUGIN-10: the hooks call `retain hook` for seven events, each within seconds", () => {
  const hooks = pluginHooks();
  expect(hooks.map(({ event }) => event)).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    "SubagentStart",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "SessionEnd",
  ]);
  for (const { event, type, command, timeout } of hooks) {
    const said = event.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
    expect(type).toBe("command");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code expands it
    expect(command).toBe('"${CLAUDE_PLUGIN_ROOT}/bin/retain" hook '.concat(said));
    expect(timeout).toBeWithin(1, 16);
  }
});

test("PLUGIN-10: the skill says when to use it, and names existing tools", () => {
  const skill = readFileSync(join(PLUGIN, "skills/retain/SKILL.md"), "utf8");
  const { name, description } = parse(/^---\n([\s\S]*?)\n---/.exec(skill)?.[1] ?? "");
  expect(name).toBe("retain");
  expect(description).toContain("Use when");
  const ask = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const sandbox = new Sandbox();
  const listed = sandbox.ok(["mcp"], { stdin: `${JSON.stringify(ask)}\n` }).json.result.tools;
  const tools = listed.map((tool: { name: string }) => tool.name);
  const mentioned = [...skill.matchAll(/`((?:memory_[a-z]+|recall|reflect|retain))`/g)].map(
    (match) => match[1],
  );
  expect(mentioned.length).toBeGreaterThan(5);
  expect(mentioned.filter((tool) => !tools.includes(tool))).toEqual([]);
});
