/** Servers killed during calls, and many clients at one workspace. `bun run fire` runs it harder. */
import { expect, test } from "bun:test";
import type { Client } from "@modelcontextprotocol/client";
import { Sandbox } from "../helpers/sandbox.ts";
import { overHttp, overPipes, startHttp } from "./clients.ts";

const FIRE = process.env.RETAIN_FIRE !== undefined;
const KILLS = FIRE ? 60 : 5;
const CLIENTS = 4;
const CALLS = FIRE ? 400 : 100;

const PEOPLE = ["Ada", "Grace", "Edsger", "Barbara", "Alan", "Radia", "Donald", "Frances"];
const THINGS = [
  "violin",
  "garden",
  "bicycle",
  "telescope",
  "kettle",
  "compiler",
  "boat",
  "library",
  "oven",
  "chess set",
];

/** All facts differ. */
function factOf(number: number): string {
  const person = PEOPLE[number % PEOPLE.length];
  const thing = THINGS[Math.floor(number / PEOPLE.length) % THINGS.length];
  return `${person} keeps a ${thing} in building ${number}.`;
}

function keep(client: Client, content: string) {
  return client.callTool({ name: "retain", arguments: { items: [{ content }] } });
}

function put(client: Client, id: string) {
  return client.callTool({ name: "memory_put", arguments: { content: `# ${id}\n\nAbout ${id}.`, id } });
}

function storedIn(sandbox: Sandbox): { facts: Set<string>; documents: Set<string> } {
  const facts = sandbox
    .ok(["facts", "--all", "--json"])
    .json.data.facts.map(({ text }: { text: string }) => text);
  const listed = sandbox.ok(["list", "--json"]).json.data.documents;
  return { facts: new Set(facts), documents: new Set(listed.map(({ id }: { id: string }) => id)) };
}

test("MCP-9: a server killed during calls loses nothing that it acknowledged", async () => {
  const sandbox = new Sandbox();
  const facts: string[] = [];
  const documents: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    const { client, pid } = await overPipes(sandbox, [], {
      revision: round % 2 === 0 ? "legacy" : "2026-07-28",
    });
    let answers = 0;
    const acknowledge = (list: string[], name: string) => (result: { isError?: boolean }) => {
      if (!result.isError) list.push(name);
      if (++answers === 3 + (round % 12)) process.kill(pid, "SIGKILL");
    };
    const calls = Array.from({ length: 16 }, (_, index) => {
      const number = round * 16 + index;
      return index % 2 === 0
        ? keep(client, factOf(number)).then(acknowledge(facts, factOf(number)))
        : put(client, `doc-${number}`).then(acknowledge(documents, `doc-${number}`));
    });
    const ended = await Promise.allSettled(calls);
    expect(ended.some(({ status }) => status === "rejected")).toBe(true);
  }
  expect(facts.length + documents.length).toBeGreaterThan(KILLS * 3);
  const stored = storedIn(sandbox);
  expect(facts.filter((fact) => !stored.facts.has(fact))).toEqual([]);
  expect(documents.filter((id) => !stored.documents.has(id))).toEqual([]);
  expect(sandbox.ok(["doctor", "--json"]).json.ok).toBe(true);
}, 300_000);

const WAYS: Record<string, (sandbox: Sandbox) => Promise<Client[]>> = {
  "each with a server of its own": (sandbox) =>
    Promise.all(Array.from({ length: CLIENTS }, async () => (await overPipes(sandbox)).client)),
  "one server over HTTP": async (sandbox) => {
    const server = await startHttp(sandbox);
    return Promise.all(Array.from({ length: CLIENTS }, () => overHttp(server)));
  },
};

for (const [way, connect] of Object.entries(WAYS))
  test(`MCP-9: four clients with a hundred calls each at once lose nothing and get no errors (${way})`, async () => {
    const sandbox = new Sandbox();
    const clients = await connect(sandbox);
    const failed: unknown[] = [];
    await Promise.all(
      clients.map(async (client, worker) => {
        for (let call = 0; call < CALLS; call++) {
          const number = worker * CALLS + call;
          const result = await mixed(client, number).catch((error: unknown) => ({ isError: true, error }));
          if (result.isError) failed.push(result);
        }
      }),
    );
    expect(failed).toEqual([]);
    const stored = storedIn(sandbox);
    const numbers = Array.from({ length: CLIENTS * CALLS }, (_, number) => number);
    expect(numbers.filter((number) => number % 4 === 0 && !stored.facts.has(factOf(number)))).toEqual([]);
    expect(numbers.filter((number) => number % 4 === 1 && !stored.documents.has(`doc-${number}`))).toEqual(
      [],
    );
  }, 300_000);

function mixed(client: Client, number: number) {
  const kind = number % 4;
  if (kind === 0) return keep(client, factOf(number));
  if (kind === 1) return put(client, `doc-${number}`);
  if (kind === 2) return client.callTool({ name: "recall", arguments: { query: `building ${number - 2}` } });
  return client.callTool({ name: "memory_get", arguments: { id: `doc-${number - 2}` } });
}
