/** Scans of a long-lived process: they check only changed files, with the same result as a full scan. */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import type { DocumentRef } from "../../src/core/documents/document.ts";
import type { DocumentScan } from "../../src/core/ports/documents.ts";
import { MarkdownDocuments } from "../../src/files/documents.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { inNamespace } from "../helpers/namespace.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { EDIT_KINDS, type Edit, edit, type Place } from "./edits.ts";
import type { Seen } from "./scan-worker.ts";

const RUNS = process.env.RETAIN_FIRE ? 2_000 : 60;
const ROUNDS = process.env.RETAIN_FIRE ? 20_000 : 500;
const WORKER = join(import.meta.dir, "scan-worker.ts");

function makePlace(documents = 0): Place {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "retain-watched-")));
  afterThisTest(() => rmSync(parent, { recursive: true, force: true }));
  const collections = join(parent, "workspace", "collections");
  mkdirSync(join(collections, "a"), { recursive: true });
  for (let number = 0; number < documents; number++)
    writeFileSync(documentAt(collections, number), "# One\n");
  return { parent, collections };
}

function documentAt(collections: string, number: number): string {
  return join(collections, "a", `d${number}.md`);
}

const time = { now: 0 };

function open({ collections }: Place): MarkdownDocuments {
  const documents = new MarkdownDocuments(collections, dirname(collections), () => new Date(time.now));
  afterThisTest(() => documents.close());
  return documents;
}

/** One that has scanned often enough to have a cache. */
function openWatching(place: Place): MarkdownDocuments {
  const documents = open(place);
  documents.scan();
  documents.scan();
  return documents;
}

/** A full scan by a new instance. */
function everything(place: Place) {
  return contents(open(place).scan());
}

/** In a fixed order: a cached listing has new files at its end. */
function contents({ found, strays, leftovers, unreadable }: DocumentScan) {
  const byName = (a: DocumentRef, b: DocumentRef) =>
    a.collection.localeCompare(b.collection) || a.id.localeCompare(b.id);
  return {
    found: found.toSorted((a, b) => byName(a.ref, b.ref)),
    strays: strays.toSorted(byName),
    leftovers: leftovers.toSorted(),
    unreadable,
  };
}

const edits = fc.array(
  fc.record({
    kind: fc.constantFrom(...EDIT_KINDS),
    collection: fc.nat(2),
    name: fc.nat(4),
    other: fc.nat(3),
  }) satisfies fc.Arbitrary<Edit>,
  { minLength: 1, maxLength: 40 },
);

test("INDEX-2: after any change, the next scan equals a full scan", async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (done) => {
      const place = makePlace(2);
      const documents = openWatching(place);
      try {
        for (const [at, one] of done.entries()) {
          edit(place, one);
          const scan = at % 2 === 0 ? documents.scan() : await documents.scanInSlices();
          expect(contents(scan)).toEqual(everything(place));
        }
      } finally {
        documents.close();
        rmSync(place.parent, { recursive: true });
      }
    }),
    { numRuns: RUNS },
  );
}, 600_000);

test("INDEX-2: another process's writes in place are always seen at once", async () => {
  const place = makePlace(5);
  const documents = openWatching(place);
  const script = `while read -r path; do printf x >> "$path"; echo; done`;
  const writer = Bun.spawn(["sh", "-c", script], { stdin: "pipe", stdout: "pipe" });
  afterThisTest(() => writer.kill());
  const replies = writer.stdout.getReader();
  const written = [0, 0, 0, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const number = (round * round) % 5;
    writer.stdin.write(`${documentAt(place.collections, number)}\n`);
    writer.stdin.flush();
    await replies.read();
    written[number] = (written[number] ?? 0) + 1;
    const sizes = new Map(documents.scan().found.map(({ ref, stamp }) => [ref.id, stamp.size]));
    expect(written.map((_, at) => (sizes.get(`d${at}`) ?? 0) - 6)).toEqual(written);
  }
}, 600_000);

test("INDEX-2: a collection that is removed and made again is watched again", () => {
  const place = makePlace(2);
  const documents = openWatching(place);
  for (let round = 0; round < 20; round++) {
    rmSync(join(place.collections, "a"), { recursive: true });
    mkdirSync(join(place.collections, "a"));
    writeFileSync(documentAt(place.collections, 0), `# Round ${round}\n`);
    expect(contents(documents.scan())).toEqual(everything(place));
    appendFileSync(documentAt(place.collections, 0), "more");
    expect(contents(documents.scan())).toEqual(everything(place));
  }
});

testNeeding("inotify")("only changed files are checked", () => {
  const place = makePlace(3);
  const documents = openWatching(place);
  const before = documents.scan();
  expect(documents.scan()).toBe(before);

  appendFileSync(documentAt(place.collections, 1), "more");
  const after = documents.scan();
  expect(after).not.toBe(before);
  const looked = after.found.filter((document) => !before.found.includes(document));
  expect(looked.map(({ ref }) => ref.id)).toEqual(["d1"]);
  expect(documents.scan()).toBe(after);

  const own = { collection: "a", id: "d2" };
  documents.write(own, new TextEncoder().encode("# Own\n"), documents.read(own)?.bytes ?? null);
  const written = documents.scan();
  expect(written.found.filter((document) => !after.found.includes(document))).toHaveLength(1);
});

test("INDEX-2: hard links and files behind a link are checked every time", () => {
  const place = makePlace(2);
  const [linked, target] = [join(place.parent, "linked"), join(dirname(place.collections), "target")];
  linkSync(documentAt(place.collections, 0), linked);
  writeFileSync(target, "# Target\n");
  symlinkSync(target, documentAt(place.collections, 7));
  const documents = openWatching(place);
  for (const path of [linked, target]) {
    appendFileSync(path, "more");
    expect(contents(documents.scan())).toEqual(everything(place));
  }
});

test("INDEX-10: a circular link is reported as unreadable and hides nothing else", () => {
  const place = makePlace(1);
  symlinkSync("d1.md", documentAt(place.collections, 1));
  const { found, strays } = open(place).scan();
  expect(found.map(({ ref }) => ref.id)).toEqual(["d0"]);
  const problem = `${documentAt(place.collections, 1)} is a broken link.`;
  expect(strays).toEqual([{ collection: "a", id: "d1", problem }]);
});

testNeeding("inotify")("INDEX-2: changes without an event are seen after ten seconds by the clock", () => {
  const place = makePlace(2);
  const documents = openWatching(place);
  const before = documents.scan();
  const second = join(place.parent, "second");
  linkSync(documentAt(place.collections, 0), second);
  appendFileSync(second, "more");
  time.now += 9_999;
  expect(documents.scan()).toBe(before);
  time.now += 1;
  expect(contents(documents.scan())).toEqual(everything(place));
  appendFileSync(second, "and more");
  expect(contents(documents.scan())).toEqual(everything(place));
});

test("INDEX-2: changes during a scan in slices are seen by the next one, and by one that doesn't wait", async () => {
  const place = makePlace(300);
  const documents = openWatching(place);
  for (let round = 0; round < 5; round++) {
    time.now += 10_000;
    const running = documents.scanInSlices();
    for (let turn = 0; turn < 4; turn++) {
      await setImmediate();
      for (let number = turn; number < 300; number += 50)
        appendFileSync(documentAt(place.collections, number), "more");
      if (turn % 2 === 1) expect(contents(documents.scan())).toEqual(everything(place));
    }
    const next = documents.scanInSlices();
    await running;
    expect(contents(await next)).toEqual(everything(place));
    expect(contents(documents.scan())).toEqual(everything(place));
  }
});

testNeeding("inotify")("INDEX-2: after lost events everything is checked", () => {
  const place = makePlace(3);
  const documents = openWatching(place);
  const most = Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));
  for (let event = 0; event <= most; event++) utimesSync(documentAt(place.collections, event % 2), event, 1);
  appendFileSync(documentAt(place.collections, 2), "lost");
  expect(contents(documents.scan())).toEqual(everything(place));
  appendFileSync(documentAt(place.collections, 2), "told");
  expect(contents(documents.scan())).toEqual(everything(place));
});

testNeeding("inotify")(
  "a single scan opens no watch, closing ends it, and it keeps no process alive",
  async () => {
    const place = makePlace(1);
    const workspace = dirname(place.collections);
    const worker = Bun.spawn([process.execPath, WORKER, workspace, "a", "d0.md"]);
    const seen: Seen = JSON.parse(await new Response(worker.stdout).text());
    expect(await worker.exited).toBe(0);
    expect(seen).toEqual({ watches: [0, 1, 1, 1, 1], sizes: [6, 10, 10] });

    const watches = () =>
      readdirSync("/proc/self/fd")
        .map(targetOf)
        .filter((to) => to.endsWith("inotify")).length;
    const before = watches();
    const documents = openWatching(place);
    expect(watches()).toBe(before + 1);
    documents.close();
    expect(watches()).toBe(before);
    expect(contents(documents.scan())).toEqual(everything(place));
  },
);

function targetOf(number: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${number}`);
  } catch {
    return "";
  }
}

const MAKE =
  "mkdir -p $DISK/collections/a $DISK/collections/b && printf '# One\\n' > $DISK/collections/a/d0.md";

const UNWATCHED = [
  ["the user may open no more of them", `echo 0 > /proc/sys/user/max_inotify_instances && ${MAKE}`],
  ["the user may watch no more directories", `echo 0 > /proc/sys/user/max_inotify_watches && ${MAKE}`],
  ["the disk is of a kind that is not known to tell", `mount -t ramfs none $DISK && ${MAKE}`],
  ["a collection is there twice", `${MAKE} && mount --bind $DISK/collections/a $DISK/collections/b`],
] as const;

for (const [when, made] of UNWATCHED)
  testNeeding("mount namespaces")(`INDEX-2: every scan checks everything where ${when}`, async () => {
    const sandbox = new Sandbox();
    const said = await inNamespace(sandbox, `${made} && bun ${WORKER} $DISK a d0.md`, { DISK: sandbox.work });
    expect(JSON.parse(said)).toMatchObject({ sizes: [6, 10, 14] });
  });
