/** The test suite that every backend must pass. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type {
  BackendDocument,
  BackendItem,
  BackendQuestion,
  Episode,
  MemoryBackend,
} from "../../src/core/ports/backend.ts";

export interface OpenedBackend {
  readonly backend: MemoryBackend;
  /** Resolves when all queued items have arrived and can be recalled. */
  settle(): Promise<void>;
  close(): void | Promise<void>;
}

export function item(content: string, more: Partial<BackendItem> = {}): BackendItem {
  const at = "2026-03-01T12:00:00.000Z";
  return { content, context: null, tags: [], at, session: null, trust: "stated", ...more };
}

export function question(query: string, more: Partial<BackendQuestion> = {}): BackendQuestion {
  const { signal } = new AbortController();
  return { query, tags: [], kinds: null, since: null, until: null, limit: 10, signal, ...more };
}

export function document(id: string, content: string, more: Partial<BackendDocument> = {}): BackendDocument {
  const updated_at = "2026-03-01T12:00:00.000Z";
  return { collection: "notes", id, title: `About ${id}`, content, tags: [], updated_at, ...more };
}

/** Turns alternate; each has its own time. */
export function episode(session: string, contents: readonly string[], from = 0): Episode {
  const turns = contents.map((content, index) => ({
    role: (from + index) % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content,
    at: new Date(Date.parse("2026-03-01T12:00:00Z") + (from + index) * 1000).toISOString(),
  }));
  return { session, chat: "main", title: null, from, turns };
}

/** Opens an empty backend. */
export function backendContract(name: string, open: () => Promise<OpenedBackend>): void {
  const using = (check: (opened: OpenedBackend) => Promise<void>) => async () => {
    const opened = await open();
    try {
      await check(opened);
    } finally {
      await opened.close();
    }
  };
  const textsOf = async (backend: MemoryBackend, asked: BackendQuestion) =>
    (await backend.recall(asked)).map(({ text }) => text);

  describe(name, () => {
    test(
      `REMOTE-8: each retained item is reported once as stored, queued, known or failed, and can be recalled`,
      using(async ({ backend, settle }) => {
        const items = [item("Marta prefers green tea"), item("The staging server runs Debian"), item(" ")];
        const { stored, queued, known, failed } = await backend.retain(items);
        const told = [...stored, ...queued, ...known, ...failed].map(({ text }) => text);
        expect(told.sort()).toEqual(items.map(({ content }) => content).sort());
        expect(failed.map(({ text }) => text)).toEqual([" "]);
        expect(new Set([...stored, ...queued].map(({ id }) => id)).size).toBe(2);
        await settle();
        const [best] = await backend.recall(question("green tea Marta"));
        expect(best).toMatchObject({ kind: "fact", trust: "stated" });
        expect(best?.text).toContain("Marta prefers green tea");
      }),
    );

    test(
      `REMOTE-8: the same statement is stored once`,
      using(async ({ backend, settle }) => {
        for (const _ of [1, 2]) {
          await backend.retain([item("The quarterly review is in Lisbon"), item("Unrelated filler words")]);
          await settle();
        }
        const both = await backend.retain([
          item("Twice in one call is once"),
          item("Twice in one call is once"),
        ]);
        expect([both.stored.length + both.queued.length, both.known.length]).toEqual([1, 1]);
        await settle();
        expect(await textsOf(backend, question("quarterly review Lisbon"))).toHaveLength(1);
        const twice = await textsOf(backend, question("twice in one call"));
        expect(twice.filter((text) => text.includes("Twice"))).toHaveLength(1);
      }),
    );

    test(
      `REMOTE-3: recall respects tags, kinds, times and the limit; scores are between 0 and 1`,
      using(async ({ backend, settle }) => {
        await backend.retain([
          item("The deploy window opens on Monday", { tags: ["ops"], at: "2024-03-01T12:00:00.000Z" }),
          item("The deploy window closes on Friday", { tags: ["ops", "late"] }),
          item("The deploy window has a green frame"),
        ]);
        await backend.documents.put(document("deploys", "The deploy window of the old office"));
        await settle();
        const all = await backend.recall(question("deploy window"));
        expect(all.length).toBeGreaterThanOrEqual(4);
        for (const { cosine, words } of all)
          for (const score of [cosine ?? 0, words ?? 0]) expect(score >= 0 && score <= 1).toBe(true);
        expect(await backend.recall(question("deploy window", { limit: 2 }))).toHaveLength(2);
        const tagged = await textsOf(backend, question("deploy window", { tags: ["ops", "late"] }));
        expect(tagged).toEqual([expect.stringContaining("Friday")]);
        const documents = await backend.recall(question("deploy window", { kinds: ["document"] }));
        expect(documents.map(({ id, kind }) => [id, kind])).toEqual([["notes/deploys", "document"]]);
        const since = Date.parse("2025-01-01");
        const recent = await textsOf(backend, question("deploy window", { since, kinds: ["fact"] }));
        expect(recent.some((text) => text.includes("Monday"))).toBe(false);
        const old = await textsOf(backend, question("deploy window", { until: since, kinds: ["fact"] }));
        expect(old).toEqual([expect.stringContaining("Monday")]);
      }),
    );

    test(
      `REMOTE-7: a forgotten statement is not recalled, by its stored id or its recalled id`,
      using(async ({ backend, settle }) => {
        const { stored, queued } = await backend.retain([
          item("The alarm code is on the fridge"),
          item("The spare key hangs in the shed"),
        ]);
        await settle();
        const [hit] = await backend.recall(question("alarm code fridge"));
        expect(await backend.forget(hit?.id ?? "")).toBe(true);
        const shed = [...stored, ...queued].find(({ text }) => text.includes("shed"));
        expect(await backend.forget(shed?.id ?? "")).toBe(true);
        await settle();
        expect(await textsOf(backend, question("alarm code fridge"))).toEqual([]);
        expect(await textsOf(backend, question("spare key shed"))).toEqual([]);
        expect(await backend.forget(shed?.id ?? "")).toBe(false);
        expect(await backend.forget("no-such-memory")).toBe(false);
      }),
    );

    test(
      `REMOTE-7: a forgotten statement can be retained again`,
      using(async ({ backend, settle }) => {
        const say = () => backend.retain([item("The piano is tuned in May")]);
        const { stored, queued } = await say();
        await settle();
        await backend.forget([...stored, ...queued][0]?.id ?? "");
        await settle();
        await say();
        await settle();
        expect(await textsOf(backend, question("piano tuned May"))).toHaveLength(1);
      }),
    );

    test(
      `BACKEND-7: a document is recalled in its newest state only, and not once it is removed`,
      using(async ({ backend, settle }) => {
        const ref = document("gpu", "The old heron card");
        const recalled = async () =>
          (await textsOf(backend, question("heron card", { kinds: ["document"] }))).map(
            (text) => /\b(?:old|new)\b/.exec(text)?.[0],
          );
        await backend.documents.put(ref);
        for (const [change, expected] of [
          [() => backend.documents.put(document("gpu", "The new heron card")), ["new"]],
          [() => backend.documents.remove(ref), []],
          [() => backend.documents.remove(ref), []],
        ] as const) {
          await settle();
          await change();
          expect(await recalled()).toEqual([...expected]);
          await settle();
          expect(await recalled()).toEqual([...expected]);
        }
      }),
    );

    test(
      `BACKEND-7: sending a longer conversation duplicates no turn, and a removed one is not recalled`,
      using(async ({ backend, settle }) => {
        const { sessions } = backend;
        const said = ["Herons wade", "Otters dive", "Swans hiss", "Geese graze", "Newts hide"];
        const recalled = async () => {
          const counts: number[] = [];
          for (const turn of said) counts.push((await textsOf(backend, question(turn))).length);
          return counts;
        };
        await sessions.keep(episode("s", said.slice(0, 2)));
        await settle();
        await sessions.keep(episode("s", said.slice(0, 4)));
        await sessions.keep(episode("s", said.slice(4), 4));
        for (const _ of ["queued", "arrived"]) {
          expect(await recalled()).toEqual([1, 1, 1, 1, 1]);
          await settle();
        }
        await sessions.remove("s");
        await sessions.remove("another");
        for (const _ of ["queued", "arrived"]) {
          expect(await recalled()).toEqual([0, 0, 0, 0, 0]);
          await settle();
        }
        await sessions.keep(episode("s", said.slice(1, 2)));
        for (const _ of ["queued", "arrived"]) {
          expect(await recalled()).toEqual([0, 1, 0, 0, 0]);
          await settle();
        }
      }),
    );

    test(
      `nothing is pending once everything has arrived, and a flush that may not wait doesn't throw`,
      using(async ({ backend, settle }) => {
        await backend.retain([item("Something to send")]);
        await backend.flush(AbortSignal.abort());
        await settle();
        const status = await backend.status();
        expect(status).toMatchObject({
          name: backend.name,
          waiting: 0,
          stuck: [],
          problem: null,
          nextTry: null,
        });
        expect(status.location).not.toBe("");
      }),
    );

    test(
      `CLEAR-10: clearing empties what it can from this machine, and says what is left on the server`,
      using(async ({ backend, settle }) => {
        await backend.retain([item("The last of it")]);
        const { done, left } = await backend.empty();
        expect(done.length + left.length).toBeGreaterThan(0);
        expect((await backend.status()).waiting).toBe(0);
        await settle();
        if (left.length === 0) expect(await backend.recall(question("the last of it"))).toEqual([]);
      }),
    );

    test(
      `BACKEND-7: documents behave like a map, in whatever order they are put and removed`,
      using(async ({ backend, settle }) => {
        const { documents } = backend;
        const step = fc.oneof(
          fc.record({
            do: fc.constant("put"),
            id: fc.constantFrom("a", "b"),
            text: fc.stringMatching(/^[a-z]{1,5}$/),
          }),
          fc.record({ do: fc.constant("remove"), id: fc.constantFrom("a", "b"), text: fc.constant("") }),
          fc.record({ do: fc.constant("settle"), id: fc.constant("a"), text: fc.constant("") }),
        );
        const asked = question("herons wade", { kinds: ["document"] });
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
            for (const id of ["a", "b"]) await documents.remove({ collection: "notes", id });
            const expected = new Map<string, string>();
            for (const { do: what, id, text } of steps) {
              if (what === "settle") await settle();
              else if (what === "put") {
                await documents.put(document(id, `Herons wade ${text}.`));
                expected.set(`notes/${id}`, text);
              } else {
                await documents.remove({ collection: "notes", id });
                expected.delete(`notes/${id}`);
              }
              const hits = (await backend.recall(asked)).map(
                ({ id, text }) => [id, /wade (\w+)\./.exec(text)?.[1]] as const,
              );
              expect(hits.sort()).toEqual([...expected].sort());
            }
          }),
          { numRuns: 12 },
        );
      }),
    );
  });
}
