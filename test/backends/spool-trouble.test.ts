/** Spool failures: damaged files, disks, aborts, notices. */
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { RetainError } from "../../src/core/errors.ts";
import { DONE, entries, entry, Kit, later, never, refused, settled } from "./spool-kit.ts";

/** Overwrites the n-th entry's file. */
function overwrite(kit: Kit, index: number, text: string | Uint8Array): string {
  const path = join(kit.directory, kit.files()[index] ?? "");
  writeFileSync(path, text);
  return path;
}

test("SPOOL-6: a broken symlink is set aside as damaged, and the others are sent", async () => {
  const kit = new Kit();
  let looks = 0;
  const clock = () => {
    if (++looks > 100) throw new Error("It looks without end.");
    return kit.time.clock();
  };
  const spool = kit.open("here:1", { clock });
  await spool.add(entries(2));
  const path = join(kit.directory, kit.files()[0] ?? "");
  rmSync(path);
  symlinkSync(join(kit.directory, "nowhere"), path);
  await spool.flush(never);
  expect(kit.server.batches).toEqual([["k1"]]);
  expect(spool.status()).toMatchObject({ waiting: 0, stuck: [{ why: expect.stringContaining("link") }] });
});

test("SPOOL-6: a file name with an impossible time hides no later entry", async () => {
  const kit = new Kit();
  const spool = kit.open();
  await spool.add([entry("k0")]);
  writeFileSync(join(kit.directory, `9999999999999999-${"5".repeat(32)}-00000000.json`), "{}");
  await spool.add([entry("k1")]);
  expect(spool.entries().map(({ key }) => key)).toEqual(["k0", "k1"]);
  await spool.flush(never);
  expect(kit.server.batches).toEqual([["k0", "k1"]]);
});

describe("SPOOL-8", () => {
  const DAMAGE: [what: string, text: string | Uint8Array, why: string][] = [
    ["nothing", "", "JSON"],
    ["half an entry", '{"key": "k1", "ki', "JSON"],
    ["other JSON", '{"key": "k1", "body": 1}', "JSON"],
    ["bytes", new Uint8Array([0xff, 0xfe, 0x00]), "JSON"],
    ["another entry's key", '{"key":"k7","kind":"x","summary":"","queuedAt":"","body":1}', "its key"],
  ];

  for (const [what, text, why] of DAMAGE)
    test(`SPOOL-6: a file that contains ${what} is set aside and kept, and the others are sent`, async () => {
      const kit = new Kit();
      const spool = kit.open();
      await spool.add(entries(3));
      const path = overwrite(kit, 1, text);
      await spool.flush(never);
      expect(kit.server.received).toEqual(["k0", "k2"]);
      expect(new Uint8Array(readFileSync(path))).toEqual(new Uint8Array(Buffer.from(text)));
      expect(spool.status()).toMatchObject({
        waiting: 0,
        stuck: [{ text: path.slice(kit.directory.length + 1), why: expect.stringContaining(why) }],
      });
      expect(kit.notices).toEqual([expect.stringContaining(path)]);
      expect(kit.notices[0]).toContain(why);
      expect(kit.notices[0]).toEndWith("retain status");
      await kit.open("here:2").flush(never);
      expect(kit.server.batches).toHaveLength(1);
    });

  test("SPOOL-6: a directory in place of a file is set aside too", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add(entries(2));
    const path = join(kit.directory, kit.files()[0] ?? "");
    rmSync(path);
    mkdirSync(path);
    await spool.flush(never);
    expect(kit.server.received).toEqual(["k1"]);
    expect(spool.status().stuck).toMatchObject([{ why: "it cannot be read (EISDIR)" }]);
  });

  test("SPOOL-6: a damaged file survives a newer entry of its key, set aside before or not", async () => {
    for (const isSetAside of [true, false]) {
      const kit = new Kit();
      const spool = kit.open();
      await spool.add([entry("k", 1)]);
      const path = overwrite(kit, 0, "{");
      if (isSetAside) await spool.flush(never);
      await spool.add([entry("k", 2)]);
      await spool.flush(never);
      expect(kit.server.received).toEqual([2]);
      expect(readFileSync(path, "utf8")).toBe("{");
      expect(spool.status()).toMatchObject({ waiting: 0, stuck: [{ why: expect.stringContaining("JSON") }] });
    }
  });

  test("SPOOL-6: if the newest entry of a key is damaged, an older one that still exists is sent", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("k", 1)]);
    const path = join(kit.directory, kit.files()[0] ?? "");
    copyFileSync(path, path.replace(/\d{15}(?=[^/]*$)/, "000000000000001"));
    writeFileSync(path, "{");
    await spool.flush(never);
    expect(kit.server.received).toEqual([1]);
    expect(spool.status()).toMatchObject({ waiting: 0, stuck: [{ why: expect.stringContaining("JSON") }] });
  });

  test("SPOOL-6: a damaged file that a person fixed is sent after retryStuck", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("k")]);
    const sound = readFileSync(join(kit.directory, kit.files()[0] ?? ""), "utf8");
    const path = overwrite(kit, 0, "{");
    await spool.flush(never);
    writeFileSync(path, sound);
    spool.retryStuck();
    await spool.flush(never);
    expect(kit.server.received).toEqual(["k"]);
    expect(spool.status().stuck).toEqual([]);
  });

  test("SPOOL-6: other files are left alone, and unfinished writes of ended processes are removed in time", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add(entries(1));
    const [ended, running, fresh] = [".tmp-999999999-a", `.tmp-${process.pid}-b`, ".tmp-999999998-c"];
    for (const name of ["notes.txt", "k.json", ended, running, fresh])
      writeFileSync(join(kit.directory, name), "x");
    const old = new Date(kit.time.now - 7_200_000);
    for (const name of [ended, running]) utimesSync(join(kit.directory, name), old, old);
    utimesSync(join(kit.directory, fresh), kit.time.clock(), kit.time.clock());
    await spool.flush(never);
    const left = readdirSync(kit.directory).filter((name) => !name.startsWith("lease-"));
    expect(left.sort()).toEqual([fresh, running, "k.json", "notes.txt"].sort());
  });

  test("SPOOL-6: an unreadable state file counts as missing", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add(entries(1));
    for (const text of [
      "",
      "[]",
      '{"attempts": 3}',
      '{"attempts":1,"failedAt":"x","nextTry":"y","problem":"z"}',
    ])
      writeFileSync(join(kit.directory, "state.json"), text);
    expect(spool.status()).toEqual({ waiting: 1, stuck: [], problem: null, nextTry: null });
    await spool.flush(never);
    expect(kit.server.received).toEqual(["k0"]);
  });
});

describe("SPOOL-9", () => {
  test("REMOTE-5: each kind of failure is reported once, until something is sent again", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add(entries(3));
    const attempt = async (...verdicts: ReturnType<typeof later>[]) => {
      kit.server.answer = (sent) => sent.map((_, index) => verdicts[index] ?? verdicts.at(-1) ?? DONE);
      kit.time.now += 600_000;
      await spool.flush(never);
    };
    await attempt(later("it answered 500"));
    await attempt(later("it answered 500"));
    await attempt(later("it refuses the key"));
    await attempt(later("it answered 500"));
    expect(kit.notices.splice(0)).toEqual([
      expect.stringMatching(/^3 memories .*Hindsight.*: it answered 500\./),
      expect.stringMatching(/^3 memories .*Hindsight.*: it refuses the key\./),
    ]);
    await attempt(DONE);
    await spool.add(entries(1));
    await attempt(later("it answered 500"));
    expect(kit.notices.splice(0)).toEqual([expect.stringMatching(/^1 memory .*: it answered 500\./)]);
  });

  test("REMOTE-5: refused items are reported, with where to look", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add(entries(3));
    kit.server.answer = () => [refused("too large."), refused("too large."), refused("no bank of this name")];
    await spool.flush(never);
    expect(kit.notices).toEqual([
      expect.stringMatching(/^Hindsight .* 2 memories: too large\. .*retain status$/),
      expect.stringMatching(/^Hindsight .* 1 memory: no bank of this name\. .*retain status$/),
    ]);
  });

  test("REMOTE-5: a server's message is shown without control characters, on one line, and shortened", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([{ ...entry("bad"), summary: "a\u001b[31m\nb" }, entry("good")]);
    const why = `\u001b]0;x\u0007oh\n\tno ${"!".repeat(5)}${"x".repeat(1000)}`;
    kit.server.answer = () => [refused(why), later(why)];
    await spool.flush(never);
    const { stuck, problem } = spool.status();
    for (const text of [stuck[0]?.text, stuck[0]?.why, problem, ...kit.notices]) {
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      expect(text?.length).toBeLessThan(450);
    }
    expect(kit.notices).toHaveLength(2);
  });
});

describe("SPOOL-10", () => {
  /** A server that never answers; records whether it was aborted. */
  function silent(kit: Kit): { isStopped: boolean } {
    const seen = { isStopped: false };
    kit.server.answer = (_, signal) => {
      signal.addEventListener("abort", () => {
        seen.isStopped = true;
      });
      return new Promise(() => {});
    };
    return seen;
  }

  test("flush returns when its signal aborts, and the entry stays for a retry", async () => {
    const kit = new Kit();
    const seen = silent(kit);
    const spool = kit.open();
    await spool.add([entry("a")]);
    const ending = new AbortController();
    const flushed = spool.flush(ending.signal);
    ending.abort();
    await flushed;
    expect(seen.isStopped).toBe(true);
    const { waiting, problem, nextTry } = kit.open("here:2").status();
    expect({ waiting, problem, nextTry }).toEqual({
      waiting: 1,
      problem: "it did not answer in time",
      nextTry: "2026-03-01T12:00:01.000Z",
    });
    expect(kit.notices).toEqual([expect.stringMatching(/^1 memory .*: it did not answer in time\./)]);
  });

  test("an already aborted signal sends nothing", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("a")]);
    await spool.flush(AbortSignal.abort());
    expect(kit.server.batches).toEqual([]);
    expect(spool.status().problem).toBeNull();
  });

  test("a signal that aborts just as sending begins counts", async () => {
    const kit = new Kit();
    const ending = new AbortController();
    kit.server.answer = () => {
      ending.abort();
      return new Promise(() => {});
    };
    const spool = kit.open();
    await spool.add([entry("a")]);
    await spool.flush(ending.signal);
    expect(spool.status()).toMatchObject({ waiting: 1, problem: "it did not answer in time" });
  });

  test("entries that an aborted sender reports as accepted are not sent again", async () => {
    const kit = new Kit();
    kit.server.answer = (_, signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve([DONE, later("aborted")])));
    const spool = kit.open();
    await spool.add(entries(2));
    const ending = new AbortController();
    const flushed = spool.flush(ending.signal);
    ending.abort();
    await flushed;
    await settled();
    expect(spool.entries().map(({ key }) => key)).toEqual(["k1"]);
  });

  test("a flush that gives up doesn't stop a run that others wait for or that runs in the background", async () => {
    for (const others of ["a flush", "a timer"]) {
      const kit = new Kit();
      const spool = kit.open();
      const { promise, resolve } = Promise.withResolvers<void>();
      kit.server.answer = async (sent, signal) => {
        await promise;
        expect(signal.aborted).toBe(false);
        return sent.map(() => DONE);
      };
      await spool.add([entry("a")]);
      const other = others === "a flush" ? spool.flush(never) : kit.time.pass(5_000);
      if (others === "a timer") await other;
      const ending = new AbortController();
      const flushed = spool.flush(ending.signal);
      ending.abort();
      await flushed;
      resolve();
      await other;
      await settled();
      expect(spool.status()).toMatchObject({ waiting: 0, problem: null });
    }
  });

  test("close aborts sending; entries added later are kept", async () => {
    const kit = new Kit();
    const seen = silent(kit);
    const spool = kit.open();
    await spool.add([entry("a")]);
    await kit.time.pass(5_000);
    spool.close();
    expect(seen.isStopped).toBe(true);
    await spool.add([entry("b")]);
    await spool.flush(never);
    await kit.time.pass(86_400_000);
    expect(kit.server.batches).toHaveLength(1);
    expect(kit.open("here:2").status().waiting).toBe(2);
  });

  test("the end of a process is not a server failure, unless a flush had given up waiting", async () => {
    for (const problem of [null, "it did not answer in time"]) {
      const kit = new Kit();
      silent(kit);
      const spool = kit.open();
      await spool.add([entry("a")]);
      await kit.time.pass(5_000);
      const ending = new AbortController();
      const flushed = problem === null ? null : spool.flush(ending.signal);
      ending.abort();
      await flushed;
      spool.close();
      expect(kit.open("here:2").status().problem).toBe(problem);
      expect(kit.notices).toHaveLength(problem === null ? 0 : 1);
    }
  });

  test("a sender that never returns blocks sending for at most five minutes", async () => {
    const kit = new Kit();
    const seen = silent(kit);
    const spool = kit.open();
    await spool.add([entry("a")]);
    await kit.time.pass(5_000);
    kit.server.answer = (sent) => sent.map(() => DONE);
    await kit.time.pass(5 * 60_000 - 1);
    expect(seen.isStopped).toBe(false);
    await kit.time.pass(3_000);
    expect(seen.isStopped).toBe(true);
    expect(kit.server.received).toEqual(["a", "a"]);
    expect(spool.status()).toMatchObject({ waiting: 0, problem: null });
  });
});

describe("SPOOL-11", () => {
  test("SPOOL-1: adding fails if nothing can be written", async () => {
    const kit = new Kit();
    mkdirSync(dirname(dirname(kit.directory)), { recursive: true });
    writeFileSync(dirname(kit.directory), "a file");
    const problem = await kit
      .open()
      .add([entry("a")])
      .catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(RetainError);
    expect(problem).toMatchObject({ code: "io" });
    expect(String(problem)).toContain(`Cannot queue for Hindsight in ${kit.directory}`);
    expect(kit.open().status()).toEqual({ waiting: 0, stuck: [], problem: null, nextTry: null });
  });

  test("SPOOL-1: a directory deleted at any time is created again", async () => {
    const kit = new Kit();
    const spool = kit.open();
    await spool.add([entry("a")]);
    rmSync(kit.directory, { recursive: true });
    expect(spool.status().waiting).toBe(0);
    expect(spool.entries()).toEqual([]);
    await spool.flush(never);
    for (const verdict of [DONE, refused()]) {
      await spool.add([entry("b")]);
      kit.server.answer = (sent) => {
        rmSync(kit.directory, { recursive: true });
        return sent.map(() => verdict);
      };
      await spool.flush(never);
      await spool.add([entry("c")]);
      kit.server.answer = (sent) => sent.map(() => DONE);
      await spool.flush(never);
      expect(kit.server.batches.splice(0)).toEqual([["b"], ["c"]]);
      expect(spool.status()).toEqual({ waiting: 0, stuck: [], problem: null, nextTry: null });
    }
    expect(kit.notices).toEqual([expect.stringMatching(/^Hindsight .* 1 memory: it is too large\./)]);
  });
});

test("counting and adding among ten thousand entries opens none of their files", async () => {
  const kit = new Kit();
  mkdirSync(kit.directory, { recursive: true });
  for (let index = 0; index < 10_000; index++) {
    const order = String(kit.time.now - 20_000 + index).padStart(15, "0");
    // Empty, so that opening one would find it damaged.
    writeFileSync(join(kit.directory, `${order}-${String(index).padStart(32, "0")}-00000000.json`), "");
  }
  const spool = kit.open("here:1", { batch: 100_000 });
  await spool.add([entry("a")]);
  expect(spool.status()).toMatchObject({ waiting: 10_001, stuck: [] });
  expect(spool.find("a")?.body).toBe("a");
});
