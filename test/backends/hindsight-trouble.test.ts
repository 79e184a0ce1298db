/** No server failure loses anything. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseTranscript } from "../../src/backends/hindsight/transcript.ts";
import type { Turn } from "../../src/core/ports/backend.ts";
import { document, episode, item, question } from "../contract/backend.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import type { HindsightBank } from "../helpers/hindsight-bank.ts";
import type { Trouble } from "../helpers/hindsight-server.ts";
import { flush, HindsightKit } from "./hindsight-kit.ts";

const LONG_MS = 3_600_000;

/** All files in the spool's directory. */
function filesOf(directory: string): string {
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), "utf8"))
    .join("\n");
}

const TROUBLES: readonly (readonly [name: string, trouble: Trouble, problem: RegExp])[] = [
  ["500", { status: 500, body: { detail: "boom" } }, /^the server at http:\S+ answered 500: boom$/],
  ["408", { status: 408 }, /answered 408/],
  ["418", { status: 418 }, /answered 418/],
  ["503 of a proxy in HTML", { status: 503, body: "<html>\u001b[31mBad</html>" }, /answered 503$/],
  ["429", { status: 429, headers: { "retry-after": "120" } }, /answered 429/],
  ["a connection that breaks", { cut: "before" }, /could not be reached/],
  ["a connection that breaks after the work was done", { cut: "after" }, /could not be reached/],
  ["half an answer", { cut: "half" }, /could not be reached|invalid/],
  ["an answer that isn't JSON", { raw: "<html>Welcome</html>" }, /invalid/],
  ["unexpected JSON", { raw: '{"hello": 1}' }, /invalid/],
  [
    "a 404 of somebody else",
    { status: 404, body: { detail: "Not Found" } },
    /has nothing at this address \(404\)/,
  ],
  ["401", { status: 401 }, /\(401\).*HINDSIGHT_API_KEY/],
  ["403", { status: 403 }, /\(403\)/],
];

for (const [name, trouble, problem] of TROUBLES)
  test(`HIND-10: nothing is lost, duplicated or stuck after ${name}`, async () => {
    const kit = await HindsightKit.start();
    const backend = kit.open();
    kit.server.trouble = trouble;
    const contents = Array.from({ length: 20 }, (_, index) => `fact number ${index}`);
    await backend.retain(contents.map((content) => item(content)));
    await flush(backend);
    const status = await backend.status();
    expect([status.waiting, status.stuck]).toEqual([20, []]);
    expect(status.problem).toMatch(problem);
    expect(status.problem).not.toContain("\u001b");
    expect(kit.notices).toEqual([expect.stringMatching(/^20 memories .*Hindsight.*: the server at .*\.$/)]);
    kit.server.trouble = null;
    kit.time.now += LONG_MS;
    await flush(backend);
    expect(await backend.status()).toMatchObject({ waiting: 0, stuck: [], problem: null });
    expect([...kit.bank().memories.values()].map(({ text }) => text)).toEqual(contents);
  });

test("HIND-10: an unreachable server is retried once it is back", async () => {
  const kit = await HindsightKit.start();
  kit.server.stop();
  const backend = kit.open();
  await backend.retain([item("Patience")]);
  await flush(backend);
  expect((await backend.status()).problem).toMatch(/could not be reached/);
  await kit.server.start();
  kit.time.now += LONG_MS;
  await flush(kit.open({ self: "here:2" }));
  expect(kit.bank().memories.size).toBe(1);
});

test("HIND-10: Retry-After is respected, in seconds or as a date", async () => {
  for (const after of ["90", new Date(Date.parse("2026-03-01T12:01:30Z")).toUTCString()]) {
    const kit = await HindsightKit.start();
    const backend = kit.open();
    kit.server.trouble = { status: 429, headers: { "retry-after": after } };
    await backend.retain([item("Later")]);
    await flush(backend);
    const { nextTry } = await backend.status();
    expect(Math.round((Date.parse(nextTry ?? "") - kit.time.now) / 1000)).toBe(90);
    kit.server.trouble = null;
    const asked = kit.server.requests.length;
    kit.time.now += 80_000;
    await flush(backend);
    expect(kit.server.requests).toHaveLength(asked);
    kit.time.now += 11_000;
    await flush(backend);
    expect((await backend.status()).waiting).toBe(0);
  }
});

test("HIND-10: an invalid Retry-After or a past date is ignored: each retry waits longer", async () => {
  const past = new Date(Date.parse("2026-02-01T12:00:00Z")).toUTCString();
  for (const after of ["-5", "+5", "soon", "abc 12", "10, 20", "120s", "", past]) {
    const kit = await HindsightKit.start();
    const backend = kit.open();
    kit.server.trouble = { status: 429, headers: { "retry-after": after } };
    await backend.retain([item("Later")]);
    const waits: number[] = [];
    for (let tries = 0; tries < 3; tries++) {
      await flush(backend);
      const { nextTry } = await backend.status();
      waits.push(Math.round((Date.parse(nextTry ?? "") - kit.time.now) / 1000));
      kit.time.now = Date.parse(nextTry ?? "") + 1;
    }
    expect([after, waits]).toEqual([after, [1, 2, 4]]);
  }
});

test("HIND-12: a wrong key is reported by its variable's name; the key itself is in no message or file", async () => {
  const kit = await HindsightKit.start();
  kit.server.key = "hs-right-0123456789";
  const backend = kit.open({ key: "hs-wrong-0123456789" });
  await backend.retain([item("Kept")]);
  await flush(backend);
  const { problem, waiting } = await backend.status();
  expect(waiting).toBe(1);
  expect(problem).toMatch(/HINDSIGHT_API_KEY \(401\)/);
  kit.server.trouble = { status: 400, body: { detail: "hs-wrong-0123456789 is no key" } };
  const failure = await backend.recall(question("kept")).catch((error) => error);
  expect(failure.message).toContain("(key) is no key");
  expect([problem, ...kit.notices, filesOf(kit.directory), failure.message].join()).not.toContain("hs-wrong");
  kit.server.trouble = null;
  kit.time.now += LONG_MS;
  await flush(kit.open({ key: "hs-right-0123456789", self: "here:2" }));
  expect(kit.bank().memories.size).toBe(1);
});

test("HIND-12: a malformed key is never sent, and white space around a key is ignored", async () => {
  const kit = await HindsightKit.start();
  kit.server.key = "hs-right";
  for (const key of ["hs\nsecret-key", "hs-sécret-key"]) {
    const failure = await kit
      .open({ key })
      .recall(question("x"))
      .catch((error) => error);
    expect(failure.message).toContain("HINDSIGHT_API_KEY");
    expect(failure.message).not.toContain("cret-key");
  }
  expect(kit.server.requests).toEqual([]);
  kit.bank();
  expect(await kit.open({ key: " hs-right\n" }).recall(question("x"))).toEqual([]);
});

test("SPOOL-6: a batch that is too large is sent in parts; an item that is too large on its own is kept and shown", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.largest = 3_000;
  const small = Array.from({ length: 8 }, (_, index) => `${index} ${"word ".repeat(100)}`.trim());
  await backend.retain(
    [...small.slice(0, 4), "huge ".repeat(1_000), ...small.slice(4)].map((text) => item(text)),
  );
  await flush(backend);
  expect([...kit.bank().memories.values()].map(({ text }) => text)).toEqual(small);
  const { waiting, stuck, problem } = await backend.status();
  expect([waiting, problem]).toEqual([0, null]);
  expect(stuck).toEqual([
    { text: expect.stringMatching(/^huge /), why: "it is too large for the server (5 KB)" },
  ]);
  kit.server.largest = 1e9;
  await backend.retry(new AbortController().signal);
  expect((await backend.status()).stuck).toEqual([]);
});

/** Of the parts of session `s`, in order. */
function turnsOf({ documents }: HindsightBank): Turn[] {
  const parts = [...documents].map(([id, { content }]) => [Number(id.split("#")[1] ?? 0), content] as const);
  return parts.sort(([one], [other]) => one - other).flatMap(([, content]) => parseTranscript(content));
}

test("SPOOL-6: a conversation that is too large is sent in parts, without losing or duplicating a turn", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.largest = 2_000;
  const said = Array.from({ length: 13 }, (_, index) => `${index} ${"word ".repeat(60)}`);
  await backend.sessions.keep(episode("s", said));
  await flush(backend);
  expect((await backend.status()).stuck).toEqual([]);
  expect([...kit.bank().documents.keys()].length).toBeGreaterThan(2);
  expect(turnsOf(kit.bank())).toEqual([...episode("s", said).turns]);
  const before = [...kit.bank().documents.keys()];
  await backend.sessions.keep(episode("s", [...said, "one more"]));
  await flush(backend);
  expect(turnsOf(kit.bank())).toEqual([...episode("s", [...said, "one more"]).turns]);
  expect([...kit.bank().documents.keys()]).toEqual(expect.arrayContaining(before));
  await backend.sessions.remove("s");
  await flush(backend);
  expect(kit.bank().documents.size).toBe(0);
});

test("SPOOL-6: only the bad item of a refused batch is stuck, with the server's reason", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.refuses = ({ content }) => content.includes("poison");
  await backend.retain(["a", "b", "poison", "d", "e"].map((text) => item(text)));
  await backend.documents.put(document("f", "g"));
  await flush(backend);
  expect([...kit.bank().memories.values()].map(({ text }) => text)).toEqual(["a", "b", "d", "e", "g"]);
  const { waiting, stuck } = await backend.status();
  expect([waiting, stuck]).toEqual([0, [{ text: "poison", why: "the server answered 422: not acceptable" }]]);
});

test("HIND-1: a missing bank is created, and reads as empty until then", async () => {
  const kit = await HindsightKit.start();
  kit.server.isStrict = true;
  const backend = kit.open();
  expect(await backend.recall(question("anything"))).toEqual([]);
  await backend.retain([item("First")]);
  await flush(backend);
  kit.server.banks.clear();
  await backend.retain([item("Again")]);
  await flush(backend);
  expect([...kit.bank().memories.values()].map(({ text }) => text)).toEqual(["Again"]);
});

test("a flush stops when told to, and items that the server did not accept stay queued", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.trouble = { hang: true };
  await backend.retain([item("Slow")]);
  const exit = new AbortController();
  const flushed = backend.flush(exit.signal);
  await kit.server.asked(1);
  exit.abort();
  await flushed;
  expect((await backend.status()).waiting).toBe(1);
});

test("HIND-12: a redirect is followed only within the same origin; neither memory nor key is sent elsewhere", async () => {
  const kit = await HindsightKit.start();
  const received: unknown[] = [];
  const stranger = createServer((request, response) => {
    received.push(request.headers);
    response.end("{}");
  });
  afterThisTest(() => stranger.close());
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  const { port } = stranger.address() as AddressInfo;
  const backend = kit.open({ key: "hs-key-0123456789" });
  for (const location of [`http://127.0.0.1:${port}/x`, "//evil.invalid/", "https://127.0.0.1/", "data:,x"]) {
    kit.server.trouble = { status: 307, headers: { location } };
    const failure = await backend.recall(question("x")).catch((error) => error);
    expect(failure).toMatchObject({ code: "remote", message: expect.stringContaining("redirects to ") });
    await backend.retain([item(`to ${location}`)]);
    await flush(backend);
    kit.time.now += LONG_MS;
  }
  expect(received).toEqual([]);
  const location = "/v1/default/banks/retain/memories/recall?moved=1";
  kit.server.trouble = { status: 307, headers: { location }, on: ({ query }) => !query.has("moved") };
  expect(await backend.recall(question("to"))).not.toBeNull();
  expect(kit.server.requests.at(-1)?.headers.authorization).toBe("Bearer hs-key-0123456789");
  kit.server.trouble = { status: 307, headers: { location } };
  const circles = await backend.recall(question("to")).catch((error) => error);
  expect(circles.message).toContain("redirect");
});

test("REMOTE-10: reading an endless response stops at the limit", async () => {
  const kit = await HindsightKit.start();
  kit.server.trouble = { raw: `{"results": "${"x".repeat(17_000_000)}"}` };
  const failure = await kit
    .open()
    .recall(question("x"))
    .catch((error) => error);
  expect(failure.message).toContain("16 MB");
});

test("SPOOL-6: a spool file with other content is set aside and doesn't stop the others", async () => {
  const kit = await HindsightKit.start();
  kit.server.stop();
  const backend = kit.open();
  await backend.retain([item("Changed by hand"), item("Left alone")]);
  const [first = ""] = readdirSync(kit.directory)
    .filter((name) => name.endsWith(".json"))
    .sort();
  const path = join(kit.directory, first);
  const entry = JSON.parse(readFileSync(path, "utf8"));
  await Bun.write(path, JSON.stringify({ ...entry, body: { item: { content: 3 } } }));
  await kit.server.start();
  await flush(backend);
  expect([...kit.bank().memories.values()].map(({ text }) => text)).toEqual(["Left alone"]);
  const { stuck } = await backend.status();
  expect(stuck).toHaveLength(1);
});

test("SPOOL-6: characters that databases reject are removed before sending", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  await backend.retain([item("a\0b \ud800 c", { tags: ["x\0"] })]);
  await flush(backend);
  const [held] = kit.bank().documents.values();
  expect([held?.content, held?.tags]).toEqual(["ab \ufffd c", ["x", "project:any"]]);
});

test("SPOOL-6: long items get their own requests", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  const sizes = [600_000, 300_000, 200_000, 2_000_000, 5];
  for (const [index, size] of sizes.entries())
    await backend.documents.put(document(`d${index}`, "x".repeat(size)));
  await flush(backend);
  const lengths = kit.server
    .sent("POST", "/memories")
    .map(({ body }) => body.items.map(({ content }: { content: string }) => content.length));
  expect(lengths).toEqual([[600_000, 300_000], [200_000], [2_000_000], [5]]);
});

test("without an address, the error names the missing setting", async () => {
  const kit = await HindsightKit.start();
  expect(() => kit.open({ url: "" })).toThrow("`hindsight_url`");
});

test("HIND-10: a removal waits while the server fails, and doesn't count as done", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  await backend.documents.put(document("a", "b"));
  await flush(backend);
  kit.server.trouble = { status: 404, body: "<h1>404</h1>" };
  await backend.documents.remove(document("a", "b"));
  await flush(backend);
  expect((await backend.status()).waiting).toBe(1);
  kit.server.trouble = null;
  kit.time.now += LONG_MS;
  await flush(backend);
  expect(kit.bank().documents.size).toBe(0);
});

test("REMOTE-14: a manual retry sends refused and pending items at once", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.refuses = () => true;
  await backend.retain([item("Refused")]);
  await flush(backend);
  kit.server.refuses = () => false;
  kit.server.trouble = { status: 503, headers: { "retry-after": "3000" } };
  await backend.retain([item("Waiting")]);
  await flush(backend);
  expect(await backend.status()).toMatchObject({ waiting: 1, stuck: [{ text: "Refused" }] });
  kit.server.trouble = null;
  await flush(backend);
  expect((await backend.status()).waiting).toBe(1);
  await backend.retry(new AbortController().signal);
  expect(await backend.status()).toMatchObject({ waiting: 0, stuck: [], problem: null });
  expect(kit.bank().memories.size).toBe(2);
});

test("SPOOL-1: an item that cannot be made durable is reported as failed with the reason, and not sent", async () => {
  const kit = await HindsightKit.start();
  const file = join(kit.directory, "..", "..", "a-file");
  await Bun.write(file, "");
  const backend = kit.open({ spoolDirectory: join(file, "spool") });
  const { queued, known, failed } = await backend.retain([item("one"), item("two"), item("one")]);
  expect([queued, known]).toEqual([[], []]);
  const why = expect.stringContaining("is a file, not a directory.");
  expect(failed).toEqual(["one", "two", "one"].map((text) => ({ text, why })));
  const refusal = await backend.documents.put(document("a", "b")).catch((error) => error);
  expect(refusal).toMatchObject({ code: "io" });
  await flush(backend);
  expect(kit.bank().documents.size).toBe(0);
});
