/** Questions of the chat's first start that change files outside of memory: which agents to connect, what to import. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { SetupQuestion } from "../agent/setup-question.ts";
import { surroundingsOf } from "../app/surroundings.ts";
import type { Retain } from "../app.ts";
import { slugify } from "../core/documents/slug.ts";
import { readTextInput } from "./input.ts";

const ALL = "all";

export function setupQuestions(retain: Retain): SetupQuestion[] {
  return [
    question("connect", "Share this memory with the agents on this machine?", {
      async found() {
        const { clientsToConnect } = await import("./commands/connect.ts");
        return clientsToConnect(retain).map((client) => ({ value: client.name, label: client.title }));
      },
      async take(name) {
        const { clientsToConnect, connectUser } = await import("./commands/connect.ts");
        const client = clientsToConnect(retain).find((one) => one.name === name);
        return client === undefined ? `${name} is already connected.` : connectUser(retain, client);
      },
    }),
    question("import", "Import existing instructions as documents?", {
      found: async () => instructionFiles().map(({ shown }) => ({ value: shown, label: shown })),
      take: async (wanted) => {
        const file = instructionFiles().find(({ shown }) => shown === wanted);
        if (file === undefined) return `${wanted} no longer exists.`;
        const content = await readTextInput(file.path, retain.config.settings.max_document_bytes);
        const { id } = await retain.documents.put({ content, id: file.id });
        return `Imported ${wanted} as the document ${id}.`;
      },
    }),
  ];
}

interface Answers {
  found(): Promise<{ readonly value: string; readonly label: string }[]>;
  take(value: string): Promise<string>;
}

/** Offers each one found, and all of them if there are several. */
function question(name: string, title: string, { found, take }: Answers): SetupQuestion {
  return {
    name,
    title,
    async items() {
      const items = (await found()).map((item) => ({ ...item, detail: "" }));
      const all = { value: ALL, label: "All of them", detail: items.map(({ label }) => label).join(", ") };
      return items.length > 1 ? [all, ...items] : items;
    },
    async take(value) {
      const wanted = value === ALL ? (await found()).map((item) => item.value) : [value];
      const done: string[] = [];
      for (const one of wanted) done.push(await take(one));
      return done.join("\n");
    },
  };
}

/** The user's CLAUDE.md, and the one in the working directory. */
function instructionFiles(): { readonly path: string; readonly shown: string; readonly id: string }[] {
  const { homeDirectory, cwd } = surroundingsOf({});
  return [
    { path: join(homeDirectory, ".claude/CLAUDE.md"), shown: "~/.claude/CLAUDE.md", id: "claude-md" },
    { path: join(cwd, "CLAUDE.md"), shown: "CLAUDE.md", id: `${slugify(basename(cwd)) || "here"}-claude-md` },
  ].filter(({ path }) => existsSync(path));
}
