/**
 * The measured MCP servers: a full memory and its clients. Retain stores facts (retain) or documents (memory_put), server-memory
 * entities with one observation each.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { RETAIN } from "../measure.ts";
import type { NoteCorpus, Question } from "../speed/notes.ts";
import { McpClient } from "../speed/peers/mcp-client.ts";
import { startServer } from "../speed/peers/server-memory.ts";
import { HttpClients } from "./http-clients.ts";

/** A measured client. */
export interface Memory {
  keep(text: string, number: number): Promise<unknown>;
  /** Whether the answer contains the question's source note. */
  recall(question: Question): Promise<boolean>;
  close(): Promise<void>;
}

/** A full memory that clients can connect to. */
export interface Candidate {
  readonly name: string;
  /** The measurement to run. Default: both. */
  readonly only?: "alone" | "together";
  connect(): Promise<Memory>;
  /** How many of these texts it contains now. */
  count(texts: readonly string[]): Promise<number>;
}

type Env = Record<string, string | undefined>;

/** Every note is a bullet of MEMORY.md, embedded. Over stdio and HTTP. */
export async function retainFacts(corpus: NoteCorpus, home: string): Promise<Candidate[]> {
  const env = { ...process.env, RETAIN_HOME: home, RETAIN_LOCAL_SCOPING: "global" };
  mkdirSync(join(home, "memories"), { recursive: true });
  const bullets = corpus.notes.map(({ text }) => `- ${text}\n`).join("");
  writeFileSync(join(home, "memories/MEMORY.md"), `# Memory\n\n${bullets}`);
  using retain = openRetain({ cwd: home, env });
  const ids = new Map((await retain.facts.list()).map(({ text, id }) => [text, id]));
  await retain.index.embed();
  const answers = new Map(corpus.notes.map(({ id, text }) => [id, ids.get(text) ?? ""]));
  const use = {
    keep: (call: McpClient["call"], content: string) => call("retain", { items: [{ content }] }),
    answerOf: (question: Question) => answers.get(question.answer) ?? "",
  };
  const count = async (texts: readonly string[]) => {
    using now = openRetain({ cwd: home, env });
    const known = new Set((await now.facts.list({ which: "all" })).map(({ text }) => text));
    return texts.filter((text) => known.has(text)).length;
  };
  return over("Retain, facts", env, use, count);
}

/** Every note is an embedded document. Over stdio and HTTP. */
export async function retainDocuments(corpus: NoteCorpus, home: string): Promise<Candidate[]> {
  const env = { ...process.env, RETAIN_HOME: home, RETAIN_LOCAL_SCOPING: "global" };
  using retain = openRetain({ cwd: home, env });
  await retain.documents.putMany(
    corpus.notes.map(({ text, ...note }) => ({ name: note.id, read: () => ({ ...note, content: text }) })),
  );
  await retain.index.embed();
  const use = {
    keep: (call: McpClient["call"], content: string, number: number) =>
      call("memory_put", { content, id: `more-${number}`, collection: "more" }),
    answerOf: ({ answer }: Question) => answer,
  };
  const count = async (texts: readonly string[]) => {
    using now = openRetain({ cwd: home, env });
    const { documents } = await now.documents.list({ collection: "more" });
    const contents = await Promise.all(
      documents.map(async ({ id }) => (await now.documents.get(id, { collection: "more" })).content.trim()),
    );
    const known = new Set(contents);
    return texts.filter((text) => known.has(text)).length;
  };
  return over("Retain, documents", env, use, count);
}

interface Use {
  keep(call: McpClient["call"], text: string, number: number): Promise<unknown>;
  answerOf(question: Question): string;
}

function over(name: string, env: Env, use: Use, count: Candidate["count"]): Candidate[] {
  const memory = (call: McpClient["call"], close: () => Promise<void>, asked: Asked): Memory => ({
    keep: (text, number) => use.keep(call, text, number),
    async recall(question) {
      const { text } = await call("recall", { query: question[asked] });
      return idsIn(text).includes(use.answerOf(question));
    },
    close,
  });
  const overPipes = (more: Env, asked: Asked) => async () => {
    const client = await McpClient.start([RETAIN, "mcp"], { ...env, ...more });
    return memory(client.call.bind(client), () => client.close(), asked);
  };
  const http = new HttpClients(env);
  return [
    { name, count, connect: overPipes({}, "query") },
    {
      name: `${name}, one word, without vectors`,
      only: "alone",
      count,
      connect: overPipes({ RETAIN_EMBEDDING: "none" }, "keyword"),
    },
    {
      name: `${name}, over HTTP`,
      only: "together",
      count,
      async connect() {
        const { call, close } = await http.connect();
        return memory(call, close, "query");
      },
    },
  ];
}

/** Ids of recalled facts and documents; a document as collection/id. */
function idsIn(text: string): (string | undefined)[] {
  return [...text.matchAll(/^- [^:]*?(?:fact|document) ([^\s,]+)/gm)].map(([, name]) =>
    name?.split("/").at(-1),
  );
}

/** A whole question, or its rarest word, which is all that server-memory can search for. */
type Asked = "query" | "keyword";

/** It searches substrings, so it gets the rarest word of the question. */
export async function serverMemory(corpus: NoteCorpus, scratch: string, modules: string): Promise<Candidate> {
  const create = (server: McpClient, notes: readonly { id: string; text: string }[]) =>
    server.call("create_entities", {
      entities: notes.map(({ id, text }) => ({ name: id, entityType: "note", observations: [text] })),
    });
  const filling = await startServer(modules, scratch);
  await create(filling, corpus.notes);
  await filling.close();
  return {
    name: "server-memory",
    async connect() {
      const server = await startServer(modules, scratch);
      return {
        keep: (text, number) => create(server, [{ id: `more-${number}`, text }]),
        async recall({ keyword, answer }) {
          const { structured } = await server.call<{ entities: { name: string }[] }>("search_nodes", {
            query: keyword,
          });
          return structured.entities.some(({ name }) => name === answer);
        },
        close: () => server.close(),
      };
    },
    async count(texts) {
      const server = await startServer(modules, scratch);
      const { structured } = await server.call<{ entities: { observations: string[] }[] }>("read_graph", {});
      await server.close();
      const known = new Set(structured.entities.flatMap(({ observations }) => observations));
      return texts.filter((text) => known.has(text)).length;
    },
  };
}
