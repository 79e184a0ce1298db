/** Entries for a server: stored, sent in order, replaced, refused. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DONE, entries, entry, Kit, later, never, refused, settled } from "./spool-kit.ts";

test("SPOOL-1: an entry is one private, readable file, and its name contains no user text", async () => {
  const kit = new Kit();
  await kit.open().add([entry("document:../../etc/passwd", { text: "Ada likes Go." })]);
  const [name = ""] = readdirSync(kit.directory);
  expect(name).toMatch(/^\d{15}-[0-9a-f]{32}-[0-9a-f]{8}\.json$/);
  expect(statSync(kit.directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(kit.directory, name)).mode & 0o777).toBe(0o600);
  const text = readFileSync(join(kit.directory, name), "utf8");
  expect(JSON.parse(text)).toEqual({
    format: 1,
    key: "document:../../etc/passwd",
    kind: "retain",
    summary: "about document:../../etc/passwd",
    queuedAt: "2026-03-01T12:00:00.000Z",
    body: { text: "Ada likes Go." },
  });
  expect(text).toContain('\n  "kind": "retain",\n');
});

test("SPOOL-1: any process finds and lists the entries, oldest first", async () => {
  const kit = new Kit();
  await kit.open("here:1").add([entry("b"), entry("a")]);
  await kit.open("here:2").add([entry("c")]);
  const other = kit.open("here:3");
  expect(other.entries().map(({ key }) => key)).toEqual(["b", "a", "c"]);
  expect(other.find("a")?.body).toBe("a");
  expect(other.find("d")).toBeNull();
  expect(other.status()).toEqual({ waiting: 3, stuck: [], problem: null, nextTry: null });
});

test("SPOOL-1: texts of any kind are read back unchanged", async () => {
  const kit = new Kit();
  const body = { text: "é 漢字 🦊 \ud800 \u0000 \u2028", none: null, list: [1.5, true] };
  await kit.open().add([entry("k", body), { ...entry("nothing"), body: undefined }]);
  expect(kit.open().find("k")?.body).toEqual(body);
  expect(kit.open().find("nothing")?.body).toBeNull();
});

describe("SPOOL-2", () => {
  test("SPOOL-14: an entry replaces the one with the same key, whichever process wrote it", async () => {
    const kit = new Kit();
    await kit.open("here:1").add([entry("k", 1), entry("other")]);
    const spool = kit.open("here:2");
    await spool.add([entry("k", 2)]);
    expect(spool.find("k")?.body).toBe(2);
    expect(spool.status().waiting).toBe(2);
    expect(kit.files()).toHaveLength(2);
    await spool.flush(never);
    expect(kit.server.received).toEqual(["other", 2]);
    expect(kit.files()).toEqual([]);
  });

  test("SPOOL-14: if one key is added twice at once, the last counts", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("k", 1), entry("k", 2)]);
    expect(spool.entries().map(({ body }) => body)).toEqual([2]);
  });

  test("SPOOL-14: if the old entry is being sent, the new one is sent too", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("k", 1)]);
    const { promise, resolve } = Promise.withResolvers<void>();
    kit.server.answer = async (sent) => {
      await promise;
      return sent.map(() => DONE);
    };
    const flushed = spool.flush(never);
    await kit.open("here:2").add([entry("k", 2)]);
    resolve();
    await flushed;
    expect(kit.server.received).toEqual([1, 2]);
    expect(spool.status().waiting).toBe(0);
  });

  test("SPOOL-14: a replaced entry that was not removed in time is never sent after the new one", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("x")]);
    kit.server.answer = async (sent) => {
      if (sent[0]?.key === "x") {
        const dying = kit.open("here:2");
        await dying.add([entry("k", 1)]);
        const path = join(kit.directory, kit.files().at(-1) ?? "");
        const old = readFileSync(path);
        await dying.add([entry("k", 2)]);
        writeFileSync(path, old);
      }
      return sent.map(() => DONE);
    };
    await spool.flush(never);
    expect(kit.server.received).toEqual(["x", 2]);
    expect(kit.files()).toEqual([]);
  });

  test("SPOOL-14: the newest counts even if the clock went backwards", async () => {
    const kit = new Kit();
    await kit.open("here:1").add([entry("k", 1), entry("other")]);
    kit.time.now -= 86_400_000;
    const spool = kit.open("here:2");
    await spool.add([entry("k", 2)]);
    expect(spool.find("k")?.body).toBe(2);
    await spool.flush(never);
    expect(kit.server.received).toEqual(["other", 2]);
  });
});

describe("SPOOL-3", () => {
  test("HIND-10: entries are sent five seconds after the first, in order", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("a")]);
    await kit.time.pass(3_000);
    await spool.add([entry("b")]);
    await kit.time.pass(1_999);
    expect(kit.server.batches).toEqual([]);
    await kit.time.pass(1);
    expect(kit.server.batches).toEqual([["a", "b"]]);
    expect(spool.status().waiting).toBe(0);
  });

  test("HIND-10: sixteen pending entries are sent at once, sixteen at a time", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add(entries(15));
    await settled();
    expect(kit.server.batches).toEqual([]);
    await spool.add(entries(25, 15));
    await settled();
    expect(kit.server.batches.map(({ length }) => length)).toEqual([16, 16, 8]);
    expect(kit.server.received).toEqual(entries(40).map(({ body }) => body));
  });

  test("HIND-10: flush sends everything, including entries queued in the meantime and by other processes", async () => {
    const kit = new Kit();
    await kit.open("here:1").add([entry("left")]);
    kit.gone.add("here:1");
    const spool = kit.open("here:2");
    kit.server.answer = async (sent) => {
      if (sent[0]?.key === "left") await spool.add([entry("meanwhile")]);
      return sent.map(() => DONE);
    };
    await spool.flush(never);
    expect(kit.server.batches).toEqual([["left"], ["meanwhile"]]);
  });

  test("HIND-10: a new process soon sends the entries of an earlier one", async () => {
    const kit = new Kit();
    const first = kit.open("here:1", { batch: 100 });
    await first.add(entries(20));
    first.close();
    kit.open("here:2").wake();
    await settled();
    expect(kit.server.received).toEqual([]);
    await kit.time.pass(5_000);
    expect(kit.server.received).toHaveLength(20);
  });

  test("HIND-10: flushing an empty spool creates nothing", async () => {
    const kit = new Kit();
    await kit.open().flush(never);
    expect(() => readdirSync(kit.directory)).toThrow();
  });

  test("HIND-10: an entry added just as sending ends is sent by the next flush", async () => {
    for (let turns = 0; turns < 16; turns++) {
      const kit = new Kit();
      const spool = kit.open();
      await spool.add([entry("a")]);
      const flushed = spool.flush(never);
      for (let turn = 0; turn < turns; turn++) await null;
      await Promise.all([spool.add([entry("b")]), spool.flush(never)]);
      expect([turns, kit.server.received]).toEqual([turns, ["a", "b"]]);
      await flushed;
    }
  });
});

describe("SPOOL-5", () => {
  test("HIND-10: a failing server is retried after 1 s, doubled each time, up to 10 minutes", async () => {
    const kit = new Kit();
    kit.server.answer = (sent) => sent.map(() => later());
    const spool = kit.open();
    await spool.add([entry("a")]);
    await spool.flush(never);
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const wait = Date.parse(spool.status().nextTry ?? "") - kit.time.now;
      pauses.push(wait / 1000);
      await kit.time.pass(wait - 1);
      expect(kit.server.batches).toHaveLength(attempt + 1);
      await kit.time.pass(1);
      expect(kit.server.batches).toHaveLength(attempt + 2);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    expect(spool.entries()).toHaveLength(1);
  });

  test("HIND-10: the pause applies to other processes, and an early flush does nothing", async () => {
    const kit = new Kit();
    kit.server.answer = (sent) => sent.map(() => later("it answered 503"));
    const first = kit.open("here:1");
    await first.add([entry("a")]);
    await first.flush(never);
    first.close();
    const second = kit.open("here:2");
    await second.flush(never);
    expect(kit.server.batches).toHaveLength(1);
    expect(second.status()).toEqual({
      waiting: 1,
      stuck: [],
      problem: "it answered 503",
      nextTry: "2026-03-01T12:00:01.000Z",
    });
    kit.time.now += 1_000;
    await second.flush(never);
    expect(kit.server.batches).toHaveLength(2);
    expect(second.status().nextTry).toBe("2026-03-01T12:00:03.000Z");
  });

  test("HIND-10: the server's Retry-After counts, up to a day", async () => {
    const kit = new Kit();
    const spool = kit.open();
    const nextAfter = async (asked: number) => {
      kit.server.answer = (sent) => sent.map((_, index) => later("busy", index === 0 ? asked : 5));
      await spool.flush(never);
      return Date.parse(spool.status().nextTry ?? "") - kit.time.now;
    };
    await spool.add([entry("a"), entry("b")]);
    expect(await nextAfter(90_000)).toBe(90_000);
    kit.time.now += 90_000;
    expect(await nextAfter(1e12)).toBe(86_400_000);
    kit.time.now += 86_400_000;
    expect(await nextAfter(Number.NaN)).toBe(4_000);
  });

  test("HIND-10: an accepted entry resets the backoff and clears the problem", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("a")]);
    kit.server.answer = (sent) => sent.map(() => later());
    for (const pause of [0, 1_000, 2_000]) {
      kit.time.now += pause;
      await spool.flush(never);
    }
    kit.server.answer = (sent) => sent.map(() => DONE);
    kit.time.now += 4_000;
    await spool.flush(never);
    expect(spool.status()).toEqual({ waiting: 0, stuck: [], problem: null, nextTry: null });
    kit.server.answer = (sent) => sent.map(() => later());
    await spool.add([entry("b")]);
    await spool.flush(never);
    expect(spool.status().nextTry).toBe(new Date(kit.time.now + 1_000).toISOString());
  });

  test("HIND-10: a pause from a wrong clock is ignored", async () => {
    const kit = new Kit();
    const spool = kit.open();
    kit.time.now += 5 * 365 * 86_400_000;
    kit.server.answer = (sent) => sent.map(() => later());
    await spool.add([entry("a")]);
    await spool.flush(never);
    kit.time.now -= 5 * 365 * 86_400_000;
    kit.server.answer = (sent) => sent.map(() => DONE);
    await spool.flush(never);
    expect(spool.status().waiting).toBe(0);
  });

  test("HIND-10: a server that asks for immediate retries is not asked in a loop", async () => {
    const kit = new Kit();
    const spool = kit.open();
    kit.server.answer = (sent) => sent.map(() => later("busy", 0));
    await spool.add([entry("a")]);
    await kit.time.pass(5_000);
    await kit.time.pass(10_000);
    expect(kit.server.batches).toHaveLength(11);
  });
});

describe("SPOOL-6", () => {
  test("SPOOL-6: a refused entry is kept with the reason, and later entries are sent", async () => {
    const kit = new Kit();
    kit.server.answer = (sent) =>
      sent.map(({ key }) => (key === "k1" ? refused("it is too large (413)") : DONE));
    const spool = kit.open();
    await spool.add(entries(20));
    await settled();
    expect(kit.server.received).toHaveLength(20);
    expect(spool.status()).toEqual({
      waiting: 0,
      stuck: [{ text: "about k1", why: "it is too large (413)" }],
      problem: null,
      nextTry: null,
    });
    expect(kit.open("here:2").find("k1")?.body).toBe("k1");
    await kit.open("here:2").flush(never);
    expect(kit.server.received).toHaveLength(20);
  });

  test("SPOOL-6: a refused entry is sent again only if it changed", async () => {
    const kit = new Kit();
    kit.server.answer = (sent) => sent.map(() => refused());
    const spool = kit.open();
    await spool.add([entry("k", { text: "long" })]);
    await spool.flush(never);
    await spool.add([entry("k", { text: "long" })]);
    await spool.flush(never);
    expect(kit.server.received).toHaveLength(1);
    expect(spool.status().stuck).toHaveLength(1);
    kit.server.answer = (sent) => sent.map(() => DONE);
    await spool.add([entry("k", { text: "short" })]);
    expect(spool.status()).toMatchObject({ waiting: 1, stuck: [] });
    await spool.flush(never);
    expect(kit.server.received.at(-1)).toEqual({ text: "short" });
    expect(spool.entries()).toEqual([]);
    expect(readdirSync(kit.directory).filter((name) => name.includes("refused"))).toEqual([]);
  });

  test("SPOOL-6: retryStuck sends it again at once", async () => {
    const kit = new Kit();
    kit.server.answer = (sent) => sent.map(({ key }) => (key === "bad" ? refused() : later()));
    const spool = kit.open();
    await spool.add([entry("bad"), entry("good")]);
    await spool.flush(never);
    expect(spool.status()).toMatchObject({ waiting: 1, stuck: [{ text: "about bad" }] });
    kit.server.answer = (sent) => sent.map(() => DONE);
    spool.retryStuck();
    expect(spool.status()).toMatchObject({ waiting: 2, stuck: [], nextTry: null });
    await spool.flush(never);
    expect(kit.server.batches.at(-1)).toEqual(["bad", "good"]);
    expect(spool.entries()).toEqual([]);
  });
});

describe("SPOOL-7", () => {
  test("SPOOL-6: each verdict of a partly accepted batch is applied", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("taken"), entry("bad"), entry("unlucky"), entry("taken too")]);
    kit.server.answer = () => [DONE, refused(), later(), DONE];
    await spool.flush(never);
    expect(spool.entries().map(({ key }) => key)).toEqual(["bad", "unlucky"]);
    expect(spool.status()).toMatchObject({ waiting: 1, problem: "it answered 500" });
  });

  test("SPOOL-6: a partly accepted batch doesn't count as a consecutive failure", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add(entries(3));
    for (let attempt = 0; attempt < 2; attempt++) {
      kit.server.answer = (sent) => sent.map((_, index) => (index === 0 ? DONE : later()));
      await spool.flush(never);
      expect(spool.status().nextTry).toBe(new Date(kit.time.now + 1_000).toISOString());
      kit.time.now += 1_000;
    }
  });

  test("SPOOL-6: if a sender throws or returns too many or too few verdicts, the whole batch is retried", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add(entries(2));
    const wrong = [
      () => Promise.reject(new Error("connection refused")),
      () => [DONE],
      () => [DONE, DONE, DONE],
      () => {
        throw new Error("a bug");
      },
    ];
    const problems: unknown[] = [];
    for (const answer of wrong) {
      kit.server.answer = answer;
      await spool.flush(never);
      problems.push(spool.status().problem);
      expect(spool.status().waiting).toBe(2);
      kit.time.now += 600_000;
    }
    const incomplete = expect.stringContaining("incomplete");
    expect(problems).toEqual(["connection refused", incomplete, incomplete, "a bug"]);
  });
});

test("CLEAR-10: only matching entries are removed, with those they replaced; the rest waits for its retry", async () => {
  const kit = new Kit();
  const spool = kit.open();
  await spool.add([entry("a", "old"), entry("b"), entry("c", "old")]);
  const replaced = kit
    .files()
    .map((name) => ({ name, text: readFileSync(join(kit.directory, name), "utf8") }));
  await spool.add([entry("a", "new"), entry("c", "new")]);
  // As if another process could not remove them.
  for (const { name, text } of replaced) writeFileSync(join(kit.directory, name), text);
  kit.server.answer = (sent) => sent.map(() => later());
  await spool.flush(never);
  const { nextTry } = spool.status();
  expect(nextTry).not.toBeNull();
  for (const { name, text } of replaced) writeFileSync(join(kit.directory, name), text);
  expect(spool.held().map((one) => one?.body)).toEqual(["b", "new", "new"]);
  expect(spool.remove((one) => one?.key === "a")).toBe(1);
  expect(spool.entries().map(({ key, body }) => [key, body])).toEqual([
    ["b", "b"],
    ["c", "new"],
  ]);
  expect(spool.status()).toMatchObject({ waiting: 2, nextTry });
});

test("CLEAR-10: clear removes all pending and stuck entries and the last failure, and returns the count", async () => {
  const kit = new Kit();
  const spool = kit.open();
  await spool.add(entries(3));
  kit.server.answer = () => [refused(), later(), later()];
  await spool.flush(never);
  expect(spool.remove(() => true)).toBe(3);
  expect(spool.entries()).toEqual([]);
  expect(spool.status()).toEqual({ waiting: 0, stuck: [], problem: null, nextTry: null });
  expect(readdirSync(kit.directory).filter((name) => name.endsWith(".json"))).toEqual([]);
  expect(spool.remove(() => true)).toBe(0);
});
