/** Generates the reference pages in docs/ from the code: commands with options, and settings. */
import { join } from "node:path";
import { CommandParser } from "../src/cli/command-parser.ts";
import { GROUPS } from "../src/cli/commands.ts";
import { addCommonOptions, EVERYWHERE } from "../src/cli/options.ts";
import { buildParser } from "../src/cli/parser.ts";
import { SETTING_KEYS, SETTINGS, variablesOf } from "../src/config/schema.ts";
import { type CommandName, EFFECTS } from "../src/core/command-effects.ts";

const NOTE = "<!-- Printed from the code by `bun run docs`; do not edit by hand. -->";
const WIDTH = 100;
const WHO = { anyone: "home, project", user: "home only", project: "project only" } as const;

async function commandReference(): Promise<string> {
  const sections: string[] = [];
  for (const { title, commands } of GROUPS) {
    sections.push(`## ${title}`);
    for (const entry of commands) {
      const help = helpOf(buildParser(entry, await entry.load()));
      sections.push(`### ${entry.name}`, effectText(entry.name), asCode(help));
    }
  }
  const introduction = [INTRODUCTION_TO_COMMANDS, asCode(commonOptions())];
  return ["# Commands", NOTE, ...introduction, ...sections, ""].join("\n\n").trimEnd();
}

/** Without the options that every command has. */
function helpOf(parser: CommandParser): string {
  let help = "";
  parser.configureOutput({ writeOut: (text) => (help += text) }).configureHelp({
    helpWidth: WIDTH,
    visibleOptions: ({ options }) =>
      options.filter(({ hidden, helpGroupHeading }) => !hidden && helpGroupHeading !== EVERYWHERE),
  });
  parser.outputHelp();
  return help;
}

function commonOptions(): string {
  const parser = new CommandParser().configureHelp({ helpWidth: WIDTH });
  addCommonOptions(parser);
  const help = parser.helpInformation();
  return help.slice(help.indexOf("\n", help.indexOf(EVERYWHERE)) + 1);
}

function asCode(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

const INTRODUCTION_TO_COMMANDS = `Each command's own \`--help\`, in one place, with its effect. \`read\` changes nothing; \`write\` adds or changes memory;
\`remove\` takes something out of memory; \`setup\` changes settings, keys, what Retain trusts, or who can reach the memory. A
model's shell runs a command that reads without a question, asks about one that writes, and refuses the others. Every command
also has these options:`;

function effectText(name: CommandName): string {
  const effect = EFFECTS[name];
  if (typeof effect === "string") return `Effect: \`${effect}\`.`;
  const groups = Object.groupBy(Object.entries(effect), ([, kind]) => kind);
  const parts = Object.entries({ read: [], ...groups }).map(([kind, actions]) => {
    const names = actions.map(([action]) => action).join(", ");
    return names === "" ? `\`${kind}\`` : `\`${kind}\` (${names})`;
  });
  return `Effect: ${parts.join(", ")}.`;
}

function configReference(): string {
  const rows = SETTING_KEYS.map((key) => {
    const { default: fallback, description, setBy } = SETTINGS[key];
    const variables = variablesOf(key).map((name) => `\`${name}\``);
    const cells = [
      `\`${key}\``,
      `\`${JSON.stringify(fallback)}\``,
      WHO[setBy],
      variables.length === 0 ? "-" : variables.join(", "),
      description,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const table = [
    "| setting | default | set in | variable | what it does |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
  return ["# Settings", NOTE, INTRODUCTION, table, FILES, ""].join("\n\n").trimEnd();
}

const INTRODUCTION = `A setting comes from the first of these that has it: a flag (or the library's \`settings\`), an environment variable,
the project's config, the home config, the default. \`retain config\` shows each value with its source.`;

const FILES = `The home config is \`~/.retain/config.yaml\` (or in \`$RETAIN_HOME\`), a project's \`.retain/config.yaml\`. Both are YAML; a
mistake in them is exit code 2 and names file, line and key. Spec 002's form, everything under \`retain:\` beside
\`version: 1\`, is read too, and so is an \`.arcaneum\` file in a project.

A project's config comes with a repository, so it is treated as a stranger's: it cannot make the settings marked "home only",
and its \`path\` cannot lead out of the project.`;

const directory = join(import.meta.dir, "../docs");
const pages = { "commands.md": await commandReference(), "config.md": configReference() };

/** With --check, writes nothing, names outdated pages and exits with 1. */
for (const [name, text] of Object.entries(pages)) {
  const file = Bun.file(join(directory, name));
  const current = (await file.exists()) ? await file.text() : "";
  if (current === `${text}\n`) continue;
  if (process.argv.includes("--check")) {
    console.error(`docs/${name} is out of date: run 'bun run docs'`);
    process.exitCode = 1;
  } else await Bun.write(file, `${text}\n`);
}
