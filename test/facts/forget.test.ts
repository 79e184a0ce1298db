/** Forgetting: finding the text, editing HISTORY.md, crashes, and other processes. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { Wiring } from "../../src/app/wiring.ts";
import { resolveWorkspace } from "../../src/config/resolve-workspace.ts";
import { replay } from "../../src/core/facts/fact.ts";
import { factId } from "../../src/core/facts/fact-text.ts";
import { parseHistory } from "../../src/core/facts/history.ts";
import { isInChange, type Target } from "../../src/facts/forget/files.ts";
import { findToForget, targetOf } from "../../src/facts/forget/find.ts";
import { forget } from "../../src/facts/forget/forget.ts";
import { withoutFact } from "../../src/facts/forget/history.ts";
import { isLongEnoughToSearch, withoutOwnMarks } from "../../src/facts/forget/short.ts";
import { forgottenText } from "../../src/facts/forget/text.ts";
import { openRetain } from "../../src/index.ts";
import { SqliteScrub } from "../../src/sqlite/database/scrub.ts";
import { bundled } from "../helpers/bundled.ts";
import { filesHolding } from "../helpers/bytes.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { Store } from "../helpers/store.ts";

const CODE = "Anna's door code is zyxqwv17";

test("FORGET-2: the text is found in any case, with any white space, marks and quotes, and as JSON and YAML escape it", () => {
  const text = forgottenText([CODE]);
  const spelt = [
    CODE,
    "ANNA’S DOOR CODE IS ZYXQWV17",
    "anna's\n  door\tcode  is\r\n  zyxqwv17",
    "> Anna's door\n> code is zyxqwv17",
    "Anna's **door code** is `zyxqwv17`.",
    "- see:Anna's door code is zyxqwv17, she said",
    JSON.stringify({ said: `first\n${CODE}\nlast` }),
    JSON.stringify(JSON.stringify(`"${CODE.replace("code", "\n")}"`)).replace("\\\\n", "\\\\ncode\\\\n"),
    "said: 'Anna''s door code is zyxqwv17'",
    String.raw`{"t":"Anna\u2019s door code is zyxqwv17"}`,
  ];
  for (const one of spelt) expect([one, text.holds(one)]).toEqual([one, true]);
  for (const one of spelt) expect([one, text.holds(text.without(one))]).toEqual([one, false]);
  const umlaut = forgottenText(["Größe: 42 cm"]);
  for (const one of [
    "GRÖSSE",
    "größe: 42 CM".toUpperCase().replace("SS", "ß"),
    String.raw`"gr\u00f6\u00dfe: 42 cm"`,
  ])
    expect([one, umlaut.holds(one)]).toEqual([one, one !== "GRÖSSE"]);
  expect(forgottenText(["Größe: 42 cm"]).holds("Größe: 42 cm".normalize("NFD"))).toBe(true);
});

test("FORGET-2: any text is found in itself and in JSON, and is gone after removal", () => {
  const words = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(words, fc.constantFrom("\n", "  ", "\t", " \r\n "), (parts, gap) => {
      const said = parts.join(" ").trim();
      fc.pre(/[\p{L}\p{N}]/u.test(said) && !said.includes("[forgotten]"));
      const text = forgottenText([said]);
      expect(text.holds(said)).toBe(true);
      expect(text.isAllOf(said)).toBe(true);
      expect(text.holdsAnywhere(JSON.stringify({ said }))).toBe(true);
      expect(text.holds(said.split(/\s+/).join(gap))).toBe(true);
      if (!text.holds("[forgotten]")) expect(text.holds(text.without(`a ${said} b`))).toBe(false);
      const words = text.words.map((word) => word.toLowerCase());
      expect(words.some((word) => said.normalize("NFKC").toLowerCase().includes(word))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("FORGET-2: the replacement never contains the text, even if the text is 'forgotten'", () => {
  const text = forgottenText(["Forgotten"]);
  expect(text.without("it was forgotten")).toBe("it was […]");
});

test("FORGET-3: the text matches whole words only; in scripts without spaces, anywhere", () => {
  const go = forgottenText(["Likes Go"]);
  for (const other of ["Likes Go-karts", "likes Golang", "dislikes Go", "anti-likes go"])
    expect([other, go.holds(other)]).toEqual([other, false]);
  for (const same of [
    "She likes Go.",
    "(likes go)",
    "likes Go - a lot",
    "likes go, likes rust",
    "_likes Go_",
  ])
    expect([same, go.holds(same)]).toEqual([same, true]);
  expect(go.holdsAnywhere("k3f9a2likes Gogeneral")).toBe(true);
  expect(forgottenText(["我喜欢茶"]).holds("因为我喜欢茶所以")).toBe(true);
});

test("FORGET-2: an undo record that starts or ends in the middle of the text is dropped too; others stay", () => {
  const text = forgottenText(["Timezone: Europe/Madrid"]);
  const target = { text, own: text, ids: new Set<string>(), isShort: false, last: "" };
  const record = (removed: string, inserted: string) =>
    JSON.stringify({ files: [{ path: "x", removed, inserted }] });
  for (const [removed, inserted] of [
    ["- Timezone: Europe/Madrid\n", ""],
    ["", "urope/Madrid\n- Likes tea\n"],
    ["- Likes tea\n- Timezone: Eur", "- Likes"],
    ["Madrid", "Berlin"],
  ] as const)
    expect([removed, isInChange(record(removed, inserted), target)]).toEqual([removed, true]);
  expect(isInChange(record("- Likes tea\n", "- Likes coffee\n"), target)).toBe(false);
  expect(isInChange("{broken", target)).toBe(true);
});

const history = (...lines: string[]) =>
  `# History\n\nMine: ${CODE}\n${lines.map((line) => `- ${line}\n`).join("")}`;

test("FORGET-2: HISTORY.md loses the fact's lines and mentions; facts it replaced stay ended", () => {
  const [first, last] = ["Anna's door code is abc", "Anna's door code is 99"];
  const [a, b, c] = [first, CODE, last].map((text) => factId(text, null)) as [string, string, string];
  const at = (day: number) => `2026-11-0${day}T10:00:00Z`;
  const content = history(
    `${at(1)} added ${a} "${first}"; in MEMORY.md; section Home; by hand; trust stated`,
    `${at(2)} added ${b} "${CODE}"; in MEMORY.md; section Home; by remember; trust stated; supersedes ${a} "${first}"; because "new value"`,
    `${at(3)} added ${c} "${last}"; in MEMORY.md; section Home; by remember; trust inferred; tags "x, y"; supersedes ${b} "${CODE}"; because "new value"; since ${at(1)}`,
    `${at(4)} removed ${a} "${first}"; from MEMORY.md; by hand; for ${b}`,
  );
  const edited = withoutFact(content, new Set([b]), forgottenText([CODE]));
  expect(edited).not.toContain(b);
  expect(edited.toLowerCase()).not.toContain("zyxqwv17");
  expect(edited).toContain("Mine: [forgotten]\n");
  const before = replay(parseHistory(content));
  const after = replay(parseHistory(edited));
  expect([...after.keys()].sort()).toEqual([a, c].sort());
  expect({ ...after.get(c), position: 0 }).toEqual({ ...before.get(c), position: 0 });
  expect(after.get(a)).toMatchObject({ created_at: at(1), ended_at: at(4), superseded_by: null });
  const onlyUntilThen = withoutFact(
    content.replace(/.*removed.*\n/, ""),
    new Set([b]),
    forgottenText([CODE]),
  );
  expect(replay(parseHistory(onlyUntilThen)).get(a)).toMatchObject({ ended_at: at(2), superseded_by: null });
});

test("FORGET-2: a fact that contains the text keeps its history under the id of its remaining text", () => {
  const longer = `Remember that ${CODE} for now`;
  const left = "Remember that [forgotten] for now";
  const [old, now] = [factId(longer, null), factId(left, null)];
  const content = history(
    `2026-11-01T10:00:00Z added ${old} "${longer}"; in MEMORY.md; section Home; by hand; trust stated`,
    `2026-11-02T10:00:00Z added x1x1x1x1x1 "Other"; in MEMORY.md; section Home; by hand; trust stated; supersedes ${old} "${longer}"`,
  );
  const after = replay(
    parseHistory(withoutFact(content, new Set([factId(CODE, null)]), forgottenText([CODE]))),
  );
  expect(after.get(now)).toMatchObject({
    text: left,
    created_at: "2026-11-01T10:00:00Z",
    superseded_by: "x1x1x1x1x1",
  });
  expect(after.size).toBe(2);
});

function prepared(): { sandbox: Sandbox; id: string } {
  const sandbox = new Sandbox();
  const [{ id }] = sandbox.ok(["remember", "--json", CODE]).json.data.saved;
  sandbox.ok(["put", "-", "--id", "doors"], { stdin: `# Doors\n\n${CODE}\n` });
  sandbox.ok(["update", "doors", "--tags", "home"]);
  sandbox.ok(["log", `Door: ${CODE}`]);
  sandbox.ok(["ingest", "-", "--session", "s1"], {
    stdin: `Noted.\n[MEMORY] ${CODE}\n<working-memory>\n${CODE}\n- more\n</working-memory>\n`,
  });
  sandbox.ok(["remember", "Anna's door code is abcdef99"]);
  return { sandbox, id };
}

const FORGET = await bundled("forget", `import "${join(import.meta.dir, "forget-killed.ts")}";`);

/** Runs forget and kills it right after its n-th step; 0 lets it finish. Returns whether it was killed. */
function forgetUntil(sandbox: Sandbox, id: string, step: number): boolean {
  const child = Bun.spawnSync([process.execPath, FORGET, id, String(step)], {
    cwd: sandbox.work,
    env: sandbox.env(),
  });
  if (child.exitCode !== 0 && child.signalCode !== "SIGKILL") throw new Error(child.stderr.toString());
  return child.signalCode === "SIGKILL";
}

test("FORGET-12: after a kill at any step, the same command finishes it", async () => {
  const { sandbox, id } = prepared();
  const original = join(sandbox.root, "original");
  cpSync(sandbox.memory, original, { recursive: true });
  let killed = 0;
  for (let step = 1; ; step++) {
    rmSync(sandbox.memory, { recursive: true });
    cpSync(original, sandbox.memory, { recursive: true });
    if (!forgetUntil(sandbox, id, step)) break;
    killed++;
    const wasDone = filesHolding(sandbox.memory, "zyxqwv17").length === 0;
    const again = sandbox.run(["forget", id, "--yes", "--json"]);
    const where = `after step ${step}`;
    if (!wasDone) expect([where, again.exitCode, again.stderr]).toEqual([where, 0, ""]);
    expect([where, filesHolding(sandbox.memory, "zyxqwv17")]).toEqual([where, []]);
    using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() });
    const texts = (await retain.facts.list({ which: "all" })).map(({ text }) => text);
    expect([where, texts]).toEqual([where, ["Anna's door code is abcdef99"]]);
    const unknown = await retain.facts.forget(id).catch((error: unknown) => error);
    expect([where, unknown]).toMatchObject([where, { code: "not_found" }]);
  }
  expect(killed).toBeGreaterThan(10);
}, 120_000);

test("FORGET-12: another process may have the database open; forget waits for one that is reading, then reports it", async () => {
  const store = new Store();
  await store.put(
    { text: CODE, kind: "note", source: "a" },
    { text: "Likes tea", kind: "note", source: "b" },
  );
  const path = join(store.directory, "retain.db");
  const other = new Database(path);
  other.query("SELECT count(*) FROM chunks").get();
  const scrub = new SqliteScrub(store.database, "retain.db", 300);
  const text = forgottenText([CODE]);
  await scrub.begin(["a"]);
  expect(scrub.unfinished()).toEqual(["a"]);
  expect(scrub.rows(text.holds)).toEqual([{ table: "chunks", count: 1, documents: [] }]);
  other.run("BEGIN");
  other.query("SELECT count(*) FROM chunks").get();
  await store.database.exclusively(() => scrub.drop(text.holds, ["a"]));
  expect(await scrub.clean()).toContain("another process");
  expect(filesHolding(store.directory, "zyxqwv17")).not.toEqual([]);
  other.run("COMMIT");
  expect(await scrub.clean()).toBeNull();
  expect(filesHolding(store.directory, "zyxqwv17", "zyxqw")).toEqual([]);
  expect(scrub.some((piece) => text.holdsAnywhere(new TextDecoder().decode(piece)))).toBe(false);
  await scrub.end();
  expect(scrub.unfinished()).toEqual([]);
  expect(await store.ask("tea")).toEqual(["Likes tea"]);
  expect(other.query("SELECT count(*) AS n FROM chunks").get()).toEqual({ n: 1 });
  other.close();
});

function wiringOf(sandbox: Sandbox): Wiring {
  const surroundings = { cwd: sandbox.work, env: sandbox.env(), homeDirectory: sandbox.home, userId: null };
  const { choice, config } = resolveWorkspace(surroundings, "auto");
  const clock = () => new Date();
  return new Wiring({ choice, config, surroundings, scope: "auto", clock, warn: () => {} });
}

test("FORGET-12: unfinished work is reported, and the same call finishes it when nothing has the text any more", async () => {
  const { sandbox, id } = prepared();
  const wiring = wiringOf(sandbox);
  const places = wiring.factWorkspaces();
  const { tree, past } = places.nearest.traces;
  const scrub = new SqliteScrub(wiring.local.lock, "retain.db", 200);
  const impatient = { ...places.nearest, traces: { tree, past, scrub } };
  const forgetNow = () =>
    forget({ ...places, nearest: impatient, home: impatient, read: [impatient] }, id, {});
  const reader = new Database(join(sandbox.memory, "retain.db"));
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM chunks").get();
  expect((await forgetNow()).left).toMatchObject([{ what: "database", path: "retain.db" }]);
  expect(sandbox.ok(["facts", "--all", "--json"]).json.data.total).toBe(1);
  expect(scrub.unfinished()).toContain(id);
  reader.run("COMMIT");
  reader.close();
  expect(await forgetNow()).toMatchObject({ forgotten: [{ id, kind: "fact" }], left: [] });
  expect(scrub.unfinished()).toEqual([]);
  wiring.close();
  expect(filesHolding(sandbox.memory, "zyxqwv17")).toEqual([]);
});

test("DUR-2: what a person saves while forget runs stays, without the forgotten text", async () => {
  const { sandbox, id } = prepared();
  const path = "collections/memory/door.md";
  await sandbox.addDocument(`# Door\n\n${CODE}. Ring twice.\n`, { id: "door" });
  const wiring = wiringOf(sandbox);
  const places = wiring.factWorkspaces();
  const { tree, scrub, past } = places.nearest.traces;
  const file = join(sandbox.memory, path);
  let isSaved = false;
  // An editor saves right after forget has read the file to plan its change.
  const read = (one: string) => {
    const bytes = tree.read(one);
    if (one === path && bytes !== null && !isSaved) {
      isSaved = true;
      writeFileSync(`${file}.new`, `${new TextDecoder().decode(bytes)}\nThe bell is broken.\n`);
      renameSync(`${file}.new`, file);
    }
    return bytes;
  };
  const saving = {
    read,
    paths: () => tree.paths(),
    some: tree.some.bind(tree),
    write: tree.write.bind(tree),
  };
  const workspace = { ...places.nearest, traces: { tree: saving, past, scrub } };
  const { left } = await forget(
    { ...places, nearest: workspace, home: workspace, read: [workspace] },
    id,
    {},
  );
  wiring.close();
  expect([isSaved, left]).toEqual([true, []]);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("The bell is broken.");
  expect(text).toContain("Ring twice.");
  expect(text).not.toContain("zyxqwv17");
});

test("FORGET-2: no full-text segment contains forgotten words, even in a large index", async () => {
  const store = new Store();
  const filler = Array.from({ length: 600 }, (_, index) => ({
    text: `Item ${index} of word${index % 7}`,
    source: `f${index}`,
  }));
  await store.put(
    ...filler.slice(0, 300),
    { text: "Secret zyxqwv17 and zyxqwv18", source: "s" },
    ...filler.slice(300),
  );
  const scrub = new SqliteScrub(store.database, "retain.db");
  await store.database.exclusively(() => scrub.drop((said) => said.includes("zyxqwv17"), []));
  expect(filesHolding(store.directory, "zyxqwv1")).not.toEqual([]);
  expect(await scrub.clean()).toBeNull();
  expect(filesHolding(store.directory, "zyxqwv1", "yxqwv")).toEqual([]);
  expect((await store.ask("word3")).length).toBeGreaterThan(5);
});

test("facts to forget are found in one pass, whatever replaced what", async () => {
  const sandbox = new Sandbox();
  const count = 400;
  const texts = Array.from({ length: count }, (_, index) => `Thing number ${index} is kept`);
  await sandbox.addFact("Starts here");
  writeFileSync(
    join(sandbox.memory, "memories/MEMORY.md"),
    `# Memory\n\n${texts.map((text) => `- ${text}\n`).join("")}`,
  );
  for (let read = 0; read < 2; read++) sandbox.ok(["facts"]);
  const wiring = wiringOf(sandbox);
  const places = wiring.factWorkspaces();
  const facts = places.nearest.facts.all();
  let reads = 0;
  const watched = facts.map((fact, index) => ({
    ...fact,
    get superseded_by() {
      reads++;
      return facts[index + 1]?.id ?? null;
    },
  }));
  const index = { all: () => [...watched], settled: () => places.nearest.facts.settled() };
  const workspace = { ...places.nearest, facts: { ...places.nearest.facts, ...index } };
  const { by, found } = await findToForget({ ...places, read: [workspace] }, "thing number");
  expect([by, found.length]).toEqual(["words", count]);
  expect(reads).toBeLessThan(count * 4);
  const third = found.find(({ text }) => text === texts[3]);
  reads = 0;
  expect(targetOf(workspace, third?.id ?? "")?.memories).toHaveLength(1);
  expect(reads).toBeLessThan(count * 2);
  wiring.close();
});

const short = (said: string): Target => ({
  own: forgottenText([said]),
  text: forgottenText([]),
  ids: new Set([factId(said, null)]),
  isShort: true,
  last: "",
});

test("FORGET-17: three words, sixteen characters, or five of a script without spaces are enough to search for", () => {
  for (const text of ["Go", "Likes Go", "PIN: 4711", "喜欢咖啡", "***Likes*** `Golang`"])
    expect([text, isLongEnoughToSearch(text)]).toEqual([text, false]);
  for (const text of ["Likes to go", "Timezone: Madrid", "我住在柏林", "zyxqwv17zyxqwv17"])
    expect([text, isLongEnoughToSearch(text)]).toEqual([text, true]);
});

test("FORGET-17: in a message, only marks that say nothing else lose the text", () => {
  const edited = (message: string) => withoutOwnMarks(message, short("Go"));
  expect(edited("[MEMORY] Go\nLet us go.\n[MEMORY] go!")).toBe(
    "[MEMORY] [forgotten]\nLet us go.\n[MEMORY] [forgotten]!",
  );
  expect(edited('Go\n[MEMORY tags="go"] Go\nGo')).toBe('Go\n[MEMORY tags="go"] [forgotten]\nGo');
  expect(edited("[MEMORY]\n1. Likes to go\n2. **Go**\n[/MEMORY]\nGo")).toBe(
    "[MEMORY]\n1. Likes to go\n2. **[forgotten]**\n[/MEMORY]\nGo",
  );
  for (const other of ["Go", "`[MEMORY] Go`", "[MEMORY] Go home", "<memory>Plan: go</memory>", "- Go"])
    expect(edited(other)).toBe(other);
});

test("FORGET-17: for a short text, undo records with its own lines are dropped; those with its words in other lines stay", () => {
  const target = short("Go");
  const [id] = target.ids;
  const inChange = (path: string, inserted: string) =>
    isInChange(JSON.stringify({ files: [{ path, removed: "", inserted }] }), target);
  expect(inChange("memories/MEMORY.md", "- Likes tea\n- *go*\n")).toBe(true);
  const line = (of: string | undefined, text: string) =>
    `- 2026-11-01T10:00:00Z added ${of} "${text}"; in MEMORY.md; section general; by hand; trust stated\n`;
  expect(inChange("memories/HISTORY.md", line(id, "Go"))).toBe(true);
  expect(inChange("memories/MEMORY.md", "- Likes to go hiking\n")).toBe(false);
  expect(inChange("memories/HISTORY.md", line("x1x1x1x1x1", "Likes to go hiking"))).toBe(false);
  expect(inChange("memories/working/s1.md", "- Go\n")).toBe(false);
});
