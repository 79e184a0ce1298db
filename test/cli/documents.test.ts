import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parseMarkdown } from "../../src/core/documents/frontmatter.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";

const note = { stdin: "# Note\n\ntext\n" };

function fieldsOf(sandbox: Sandbox, id = "note", collection = "memory") {
  return parseMarkdown(sandbox.document(collection, id)).fields;
}

/** A file that a person put there. */
function drop(sandbox: Sandbox, name: string, text: string, collection = "memory"): string {
  const path = join(sandbox.memory, "collections", collection, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test("DOC-1: put stores a file with 002's fields, in the collection memory by default", () => {
  const sandbox = new Sandbox();
  const file = sandbox.write("research.md", "# GPU Research\n\nMetal vs CUDA\n");
  const args = [
    "--tags",
    "gpu, metal",
    "--category",
    "hardware",
    "--context",
    "for 183",
    "--related-to",
    "a,b",
  ];
  const more = [
    "--project",
    "p",
    "--priority",
    "high",
    "--status",
    "draft",
    "--metadata",
    '{"reviewed": true}',
  ];
  const result = sandbox.ok(["put", file, ...args, ...more, "--created-by", "Ada"]);
  expect(result.stdout).toBe(
    `✓ Stored document: gpu-research\nCollection: memory\nFile: ${sandbox.path("memory", "gpu-research")}\n`,
  );
  const { created_at, ...fields } = fieldsOf(sandbox, "gpu-research");
  expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(fields).toEqual({
    id: "gpu-research",
    title: "GPU Research",
    collection: "memory",
    created_by: "Ada",
    tags: ["gpu", "metal"],
    category: "hardware",
    context: "for 183",
    related_to: ["a", "b"],
    project: "p",
    priority: "high",
    status: "draft",
    reviewed: true,
    version: 1,
    version_history: [{ version: 1, created_at, created_by: "Ada" }],
  });
});

test("DOC-1: put accepts stdin, several files and a directory", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "piped"], note);
  const [a, b] = [sandbox.write("a.md", "# A\n"), sandbox.write("b.md", "# B\n")];
  expect(sandbox.ok(["put", a, b, "--json"]).json.data.counts).toEqual({
    created: 2,
    replaced: 0,
    unchanged: 0,
    failed: 0,
    not_tried: 0,
  });
  for (const name of ["dir/c.md", "dir/deep/d.markdown", "dir/.hidden/e.md", "dir/f.txt"])
    sandbox.write(name, `# ${name}\n`);
  expect(sandbox.ok(["put", "dir"]).stdout).toBe("2 documents stored, 0 replaced, 0 unchanged, 0 failed\n");
  expect(sandbox.ok(["list", "-q", "--sort", "id"]).stdout).toBe(
    "a\nb\ndir-c-md\ndir-deep-d-markdown\npiped\n",
  );
});

test("DOC-1: a file's frontmatter stays, with Retain's keys added", () => {
  const sandbox = new Sandbox();
  const own =
    "---\n# mine\ntags: [ x ]   # as I like\nfoo:\n  bar: 1\ncreated_at: 2020-01-01T00:00:00Z\ncollection: notes\n---\nBody\n";
  sandbox.ok(["put", sandbox.write("a.md", own), "--id", "own"]);
  const stored = sandbox.document("notes", "own");
  expect(stored.startsWith(own.slice(0, own.indexOf("---\nBody")))).toBe(true);
  expect(fieldsOf(sandbox, "own", "notes")).toMatchObject({
    id: "own",
    created_at: "2020-01-01T00:00:00Z",
    version: 1,
  });
  expect(stored.endsWith("---\nBody\n")).toBe(true);
});

test("DOC-1: a pipe works as a file", () => {
  const sandbox = new Sandbox();
  const script = `"$0" put <(printf '# Piped\\n') --quiet`;
  const result = Bun.spawnSync(["bash", "-c", script, RETAIN], { cwd: sandbox.work, env: sandbox.env() });
  expect(result.stdout.toString()).toBe("piped\n");
});

test("DOC-1: putting a directory skips hidden files, links and the workspace, however the directory is named", () => {
  for (const name of ["notes", "./notes", "notes/", "notes///", "notes/deep/..", "."]) {
    const sandbox = new Sandbox();
    sandbox.ok(["init"]);
    sandbox.ok(["put", "-", "--id", "inside"], note);
    for (const file of ["a.md", "bb.md", "deep/c.md", ".secret.md", ".hidden/h.md"])
      sandbox.write(`notes/${file}`, `# ${file}\n`);
    sandbox.write("../outside/o.md", "# Outside\n");
    symlinkSync(join(sandbox.root, "outside"), join(sandbox.work, "notes/linked"));
    symlinkSync(sandbox.work, join(sandbox.work, "notes/loop"));
    const { stdout } = sandbox.ok(["put", name, "--collection", "in", "-q"]);
    expect([name, stdout]).toEqual([name, "a-md\nbb-md\ndeep-c-md\n"]);
  }
});

test("DOC-1: putting a directory reports the files that are not Markdown", () => {
  const sandbox = new Sandbox();
  for (const file of ["a.md", "b.txt", "c.MARKDOWN", "deep/d.csv", ".hidden.txt"])
    sandbox.write(`notes/${file}`, `# ${file}\n`);
  const { data, warnings } = sandbox.ok(["put", "notes", "--json"]).json;
  expect(data.counts.created).toBe(2);
  expect(warnings).toEqual([expect.stringContaining("notes/b.txt, notes/deep/d.csv")]);
  sandbox.ok(["put", "notes/b.txt"]);
});

test("DOC-1: a workspace with a visible name is not stored in itself", () => {
  const sandbox = new Sandbox();
  sandbox.write(".arcaneum", "retain: {enabled: true, path: kept}\n");
  sandbox.ok(["put", "-", "--id", "inside"], note);
  sandbox.write("a.md", "# A\n");
  expect(sandbox.ok(["put", ".", "-q"]).stdout).toBe("a\n");
});

test("FM-2: CRLF and a BOM survive put, update and get", () => {
  const sandbox = new Sandbox();
  const text = "\uFEFF---\r\nfoo: bar\r\n---\r\n\r\n# Windows\r\n\r\ntext\r\n";
  sandbox.ok(["put", sandbox.write("w.md", text)]);
  sandbox.ok(["update", "windows", "--tags", "x"]);
  const stored = sandbox.document("memory", "windows");
  expect(stored.startsWith("\uFEFF---\r\nfoo: bar\r\n")).toBe(true);
  expect(stored.replaceAll("\r\n", "")).not.toContain("\n");
  expect(sandbox.ok(["get", "windows", "--format", "raw"]).stdout).toBe("# Windows\r\n\r\ntext\r\n");
});

test("ID-1: ids, titles and collections that YAML would read as numbers are text", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", sandbox.write("n.md", "---\nid: 42\ntitle: 7\ncollection: 2024\n---\nBody\n")]);
  expect(sandbox.ok(["get", "42", "--json"]).json.data).toMatchObject({
    id: "42",
    title: "7",
    metadata: { collection: "2024" },
  });
  expect(sandbox.ok(["put", "-", "--title", "", "--json"], note).json.data).toMatchObject({
    id: "note",
    title: "Note",
  });
});

test("ID-1: no id or title comes from inside a code block", () => {
  const sandbox = new Sandbox();
  const titles: [content: string, title: string][] = [
    ["```sh\napt install ffmpeg\n```\n\nHow to cut a film.\n", "How to cut a film."],
    ["- ```sh\n  # install\n  ```\n\n# Cutting\n", "Cutting"],
    ["```\n```sh\n# install\n```\n\n# Joining\n", "Joining"],
    ["> ~~~\n> # install\n> ~~~\n\n# Quoting\n", "Quoting"],
    ["Scaling\n\n```\n# never closed\n", "Scaling"],
    ["~~~ python\n# only code\n~~~\n", "Untitled"],
  ];
  for (const [stdin] of titles) sandbox.ok(["put", "-"], { stdin });
  const listed: { id: string; title: string }[] = sandbox.ok(["list", "--json"]).json.data.documents;
  expect(listed.map(({ title }) => title).sort()).toEqual(titles.map(([, title]) => title).sort());
  expect(listed.filter(({ id }) => /install|only|closed/.test(id))).toEqual([]);
});

test("DOC-2: a title in metadata is used for a new and for a replaced document", () => {
  const sandbox = new Sandbox();
  for (const title of ["First", "Second"]) {
    sandbox.ok(["put", "-", "--id", "x", "--metadata", JSON.stringify({ title })], note);
    expect(sandbox.ok(["get", "x", "--json"]).json.data.title).toBe(title);
  }
});

test("DOC-2: replacing keeps fields that are not given, and increments the version", () => {
  const sandbox = new Sandbox();
  const created = "2020-01-01T00:00:00Z";
  sandbox.ok(
    ["put", "-", "--id", "x", "--tags", "a", "--metadata", `{"keep": 1, "created_at": "${created}"}`],
    { stdin: "# One\n" },
  );
  const { json } = sandbox.ok(["put", "-", "--id", "x", "--created-by", "Bob", "--json"], {
    stdin: "# Two\n",
  });
  expect(json.data).toMatchObject({
    action: "replaced",
    version: 2,
    created_at: created,
    kept_version: "v1",
    title: "Two",
  });
  const fields = fieldsOf(sandbox, "x");
  expect(fields).toMatchObject({
    title: "Two",
    tags: ["a"],
    keep: 1,
    created_at: created,
    created_by: "ada",
    updated_by: "Bob",
    version: 2,
  });
  expect(fields.updated_at).toBe(json.data.updated_at);
  expect(sandbox.ok(["get", "x", "--format", "raw"]).stdout).toBe("# Two\n");
});

test("DOC-2: putting the same content again changes nothing", () => {
  const sandbox = new Sandbox();
  const put = () => sandbox.ok(["put", "-", "--tags", "a", "--json"], note).json.data.action;
  expect(put()).toBe("created");
  const bytes = sandbox.document("memory", "note");
  expect(put()).toBe("unchanged");
  expect(sandbox.document("memory", "note")).toBe(bytes);
  expect(sandbox.ok(["versions", "note", "--json"]).json.data.versions).toHaveLength(1);
});

test("DOC-2: the same content is no change, even without a blank line after the frontmatter", () => {
  const sandbox = new Sandbox();
  for (const end of ["\n", "\r\n"]) {
    const text = ["---", "title: Note", "---", "# Note", "text", ""].join(end);
    const run = (...args: string[]) => sandbox.ok([...args, "--json"], { stdin: text }).json.data.action;
    expect(run("put", "-", "--id", "x")).toBe(end === "\n" ? "created" : "replaced");
    const bytes = sandbox.document("memory", "x");
    expect(run("put", "-", "--id", "x")).toBe("unchanged");
    expect(run("update", "x", "--content", "-")).toBe("unchanged");
    expect(sandbox.document("memory", "x")).toBe(bytes);
  }
});

test("DOC-2: a title derived from the text follows it; an explicit title stays", () => {
  const sandbox = new Sandbox();
  const run = (content: string, ...args: string[]) => {
    sandbox.ok(args, { stdin: content });
    return fieldsOf(sandbox, "x").title;
  };
  const put = ["put", "-", "--id", "x"];
  const update = ["update", "x", "--content", "-"];
  expect(run("Buy milk\n", ...put)).toBe("Buy milk");
  expect(run("Call Bob\n", ...put)).toBe("Call Bob");
  expect(run("Pay rent\n", ...update)).toBe("Pay rent");
  expect(run("# Heading\n\ntext\n", ...update)).toBe("Heading");
  expect(run("no heading\n", ...update)).toBe("Heading");
  expect(run("another text\n", ...put)).toBe("Heading");
  expect(run("first\n", ...put, "--title", "Said")).toBe("Said");
  expect(run("second\n", ...put)).toBe("Said");
});

test("DOC-3: get prints the context format, the nested object, and the raw content", () => {
  const sandbox = new Sandbox();
  const content = "# GPU\n\nno newline at the end";
  const fields = [
    "--tags",
    "a,b",
    "--category",
    "c",
    "--context",
    "why",
    "--related-to",
    "r1,r2",
    "--metadata",
    '{"extra": [1]}',
  ];
  sandbox.ok(["put", "-", ...fields], { stdin: content });
  const created = fieldsOf(sandbox, "gpu").created_at;
  expect(sandbox.ok(["get", "gpu"]).stdout).toBe(
    `# GPU\nID: gpu\nCreated: ${created} by ada\nContext: why\nTags: a, b\nCategory: c\nRelated: r1, r2\n\n${content}\n`,
  );
  expect(sandbox.ok(["get", "gpu", "--format", "raw"]).stdout).toBe(content);
  const nested = sandbox.ok(["get", "gpu", "--format", "json"]).json;
  expect(nested).toMatchObject({ id: "gpu", title: "GPU", content });
  expect(nested.metadata).toEqual({
    collection: "memory",
    created_at: created,
    updated_at: null,
    created_by: "ada",
    updated_by: null,
    context: "why",
    tags: ["a", "b"],
    category: "c",
    related_to: ["r1", "r2"],
    project: null,
    priority: null,
    status: null,
    version: 1,
    extra: [1],
  });
  expect(sandbox.ok(["get", "gpu", "--json"]).json.data).toEqual(nested);
});

test("DOC-3: get --show-versions lists the versions too", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  sandbox.ok(["update", "note", "--tags", "x"]);
  expect(sandbox.ok(["get", "note", "--show-versions"]).stdout).toMatch(/Versions:\n\* {2}v2 .*\n {3}v1 /);
  expect(sandbox.ok(["get", "note", "--show-versions", "--format", "json"]).json.versions).toHaveLength(2);
});

test("DOC-4: the same id in two collections: put warns, get asks which", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-"], note);
  expect(sandbox.ok(["put", "-", "--collection", "other"], note).stderr).toContain("also in memory");
  const result = sandbox.run(["get", "note"]);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain("--collection memory or --collection other");
  expect(sandbox.ok(["get", "note", "--collection", "other", "--json"]).json.data.metadata.collection).toBe(
    "other",
  );
  for (const verb of ["delete", "versions", "diff", "restore", "update"])
    expect(sandbox.run([verb, "note", ...(verb === "update" ? ["--tags", "x"] : [])]).exitCode).toBe(2);
});

test("DOC-4: many ids that other collections have too cause one warning", () => {
  const sandbox = new Sandbox();
  for (let index = 0; index < 70; index++) sandbox.write(`d/${index}.md`, `# D${index}\n`);
  sandbox.ok(["put", "d"]);
  const { warnings } = sandbox.ok(["put", "d", "--collection", "two", "--json"]).json;
  expect(warnings).toEqual([expect.stringContaining("70 of these ids are also in memory")]);
});

test("DOC-5: update changes the given fields and nothing else", () => {
  const sandbox = new Sandbox();
  drop(sandbox, "n.md", "---\n# mine\nid: n\ntags: [a]  # t\ncustom: yes please\n---\n# Title\n\nOld\n");
  sandbox.ok(["update", "n", "--tags", "b,a", "--merge-tags", "--metadata", '{"priority": "high"}']);
  expect(fieldsOf(sandbox, "n")).toMatchObject({
    tags: ["a", "b"],
    custom: "yes please",
    priority: "high",
    version: 2,
  });
  expect(sandbox.document("memory", "n")).toContain("# mine\nid: n\ntags: [a, b]  # t\ncustom: yes please\n");
  sandbox.ok(["update", "n", "--tags", "z"]);
  expect(fieldsOf(sandbox, "n").tags).toEqual(["z"]);
  sandbox.ok(["update", "n", "--metadata", '{"priority": null, "title": "Mine"}', "--category", "c"]);
  expect(fieldsOf(sandbox, "n")).not.toHaveProperty("priority");
  sandbox.ok(["update", "n", "--content", sandbox.write("new.md", "# Another Heading\n\nNew\n")]);
  expect(fieldsOf(sandbox, "n")).toMatchObject({ title: "Mine", category: "c", tags: ["z"], version: 5 });
  expect(sandbox.ok(["get", "n", "--format", "raw"]).stdout).toBe("# Another Heading\n\nNew\n");
});

test("DOC-5: --merge-tags also merges the tags of a new content file", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin, { tags: ["a"] });
  sandbox.ok([
    "update",
    "note",
    "--content",
    sandbox.write("n.md", "---\ntags: [b]\n---\n# Note\n\nx\n"),
    "--merge-tags",
  ]);
  expect(fieldsOf(sandbox).tags).toEqual(["a", "b"]);
  await sandbox.addDocument(note.stdin, { id: "untagged" });
  sandbox.ok(["update", "untagged", "--content", sandbox.write("u.md", "# U\n"), "--merge-tags"]);
  expect(fieldsOf(sandbox, "untagged")).not.toHaveProperty("tags");
});

test("DOC-5: a title that came from the heading follows the heading", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  sandbox.ok(["update", "note", "--content", "-"], { stdin: "# Renamed\n\nx\n" });
  expect(fieldsOf(sandbox)).toMatchObject({ id: "note", title: "Renamed" });
});

test("DOC-5: an update without changes is an error or a no-op", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin, { tags: ["a"] });
  expect(sandbox.run(["update", "note"]).exitCode).toBe(2);
  expect(sandbox.ok(["update", "note", "--tags", "a", "--json"]).json.data).toMatchObject({
    action: "unchanged",
    version: 1,
  });
  expect(sandbox.run(["update", "nope", "--tags", "a"]).exitCode).toBe(1);
});

test("DOC-6: --if-version fails if the document changed since", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  sandbox.ok(["update", "note", "--tags", "one", "--if-version", "1"]);
  const bytes = sandbox.document("memory", "note");
  const refused = sandbox.run(["update", "note", "--tags", "two", "--if-version", "1"]);
  expect(refused.exitCode).toBe(3);
  expect(refused.stderr).toContain("version 2");
  expect(sandbox.document("memory", "note")).toBe(bytes);
  sandbox.ok(["update", "note", "--tags", "two", "--if-version", "v2"]);
  expect(sandbox.run(["update", "note", "--tags", "x", "--if-version", "soon"]).exitCode).toBe(2);
});

test("DOC-6: --if-version notices an edit by hand, and accepts an etag", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  writeFileSync(sandbox.path("memory", "note"), `${sandbox.document("memory", "note")}by hand\n`);
  sandbox.ok(["list"]);
  const refused = sandbox.run(["update", "note", "--tags", "x", "--if-version", "1"]);
  expect(refused.exitCode).toBe(3);
  expect(refused.stderr).toContain("edited by hand");
  const { etag } = sandbox.ok(["get", "note", "--json"]).json.data;
  expect(refused.stderr).toContain(etag);
  sandbox.ok(["update", "note", "--tags", "x", "--if-version", etag]);
  expect(sandbox.run(["update", "note", "--tags", "y", "--if-version", etag]).exitCode).toBe(3);
});

test("DOC-6: put --no-overwrite refuses to replace one or many", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-"], note);
  const bytes = sandbox.document("memory", "note");
  const refused = sandbox.run(["put", "-", "--no-overwrite"], { stdin: "# Note\n\nother\n" });
  expect(refused.exitCode).toBe(3);
  expect(sandbox.document("memory", "note")).toBe(bytes);
  sandbox.write("d/a.md", "# Note\n\nother\n");
  sandbox.write("d/b.md", "# Fresh\n");
  const many = sandbox.run(["put", "d", "--no-overwrite", "--json"]);
  expect(many.json.data.counts).toEqual({ created: 1, replaced: 0, unchanged: 0, failed: 1, not_tried: 0 });
  expect(sandbox.document("memory", "note")).toBe(bytes);
});

test("DOC-8: delete removes a document, and restore brings it back byte for byte", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin, { tags: ["a"] });
  sandbox.ok(["update", "note", "--tags", "b"]);
  const bytes = sandbox.document("memory", "note");
  sandbox.ok(["delete", "note"]);
  expect(existsSync(sandbox.path("memory", "note"))).toBe(false);
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("");
  expect(sandbox.run(["get", "note"]).exitCode).toBe(1);
  expect(sandbox.run(["delete", "note"]).exitCode).toBe(1);
  expect(sandbox.ok(["versions", "note"]).stdout).toContain("deleted");
  sandbox.ok(["restore", "note"]);
  expect(sandbox.document("memory", "note")).toBe(bytes);
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("note\n");
  expect(sandbox.ok(["versions", "note", "-q"]).stdout).toBe("v2\nv1\n");
});

test("DOC-8: several ids are deleted together, or not at all if one is missing", async () => {
  const sandbox = new Sandbox();
  for (const id of ["a", "b"]) await sandbox.addDocument(note.stdin, { id });
  expect(sandbox.run(["delete", "a", "zzz"]).exitCode).toBe(1);
  expect(sandbox.ok(["list", "-q", "--sort", "id"]).stdout).toBe("a\nb\n");
  sandbox.ok(["delete", "a", "b", "a"]);
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("");
});

test("DOC-8: a new document after a deletion continues the numbering, and the old one stays a version", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-"], note);
  sandbox.ok(["delete", "note"]);
  expect(sandbox.ok(["put", "-", "--json"], { stdin: "# Note\n\nnew\n" }).json.data).toMatchObject({
    action: "created",
    version: 2,
  });
  expect(sandbox.ok(["get", "note", "--version", "1", "--format", "raw"]).stdout).toBe(note.stdin);
});

test("DOC-9: list sorts, limits and filters", () => {
  const sandbox = new Sandbox();
  const put = (id: string, created: string, ...more: string[]) =>
    sandbox.ok(["put", "-", "--id", id, "--metadata", JSON.stringify({ created_at: created }), ...more], {
      stdin: `# T ${id}\n`,
    });
  put("b", "2024-05-01T10:00:00Z", "--tags", "gpu,metal", "--priority", "high");
  put("a", "2025-05-01T10:00:00Z", "--tags", "gpu", "--collection", "notes", "--title", "zzz");
  put("c", "2023-05-01T10:00:00Z", "--tags", "cpu", "--priority", "low");
  const ids = (...args: string[]) =>
    sandbox
      .ok(["list", "-q", ...args])
      .stdout.trim()
      .split("\n")
      .join(" ");
  expect(ids()).toBe("a b c");
  expect(ids("--reverse")).toBe("c b a");
  expect(ids("--sort", "id")).toBe("a b c");
  expect(ids("--sort", "title")).toBe("b c a");
  expect(ids("--sort", "created", "--limit", "2")).toBe("a b");
  expect(ids("--collection", "notes")).toBe("a");
  expect(ids("--filter", "tags=gpu")).toBe("a b");
  expect(ids("--filter", "tags=gpu", "--filter", "priority=high")).toBe("b");
  expect(ids("--filter", "priority!=low")).toBe("a b");
  expect(ids("--filter", "created_at>=2024-01-01", "--filter", "created_at<2025")).toBe("b");
  const { total, documents } = sandbox.ok(["list", "--limit", "1", "--json"]).json.data;
  expect([total, documents.length]).toEqual([3, 1]);
  expect(sandbox.ok(["list", "--limit", "1"]).stdout).toContain("1 of 3");
  expect(sandbox.ok(["list", "--format", "json"]).json).toHaveLength(3);
  for (const args of [
    ["--limit", "0"],
    ["--limit", "x"],
    ["--sort", "size"],
    ["--filter", "tags"],
  ])
    expect(sandbox.run(["list", ...args]).exitCode).toBe(2);
  expect(sandbox.ok(["list", "--collection", "nots"]).stderr).toContain("Did you mean 'notes'?");
});

test("DOC-9: the last written document comes first, even within one second", () => {
  const sandbox = new Sandbox();
  for (const id of ["m", "z", "a", "k"]) sandbox.ok(["put", "-", "--id", id], note);
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("k\na\nz\nm\n");
  sandbox.ok(["update", "z", "--tags", "x"]);
  expect(sandbox.ok(["list", "-q"]).stdout.startsWith("z\n")).toBe(true);
});

test("DOC-9: times are compared as times, whatever their zone", () => {
  const sandbox = new Sandbox();
  drop(sandbox, "earlier.md", "---\ncreated_at: 2026-01-01T00:30:00+09:00\n---\nx\n");
  drop(sandbox, "later.md", "---\ncreated_at: 2025-12-31T20:00:00Z\n---\nx\n");
  expect(sandbox.ok(["list", "-q", "--sort", "created"]).stdout).toBe("later\nearlier\n");
});

test("INDEX-2: a change with a reset timestamp is noticed", () => {
  const sandbox = new Sandbox();
  const path = drop(sandbox, "a.md", "# AAAA\n");
  const long = new Date("2001-01-01T00:00:00Z");
  utimesSync(path, long, long);
  const title = () => sandbox.ok(["list", "--json"]).json.data.documents[0].title;
  expect(title()).toBe("AAAA");
  writeFileSync(path, "# BBBB\n");
  utimesSync(path, long, long);
  expect(title()).toBe("BBBB");
});

test("INDEX-2: edited, new, removed and renamed files are noticed at once", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  const path = sandbox.path("memory", "note");
  const titles = () =>
    sandbox
      .ok(["list", "--json"])
      .json.data.documents.map((row: { title: string }) => row.title)
      .sort();
  expect(titles()).toEqual(["Note"]);
  writeFileSync(path, readFileSync(path, "utf8").replace("title: Note", "title: Edit"));
  expect(titles()).toEqual(["Edit"]);
  expect(sandbox.ok(["get", "note"]).stdout.startsWith("# Edit\n")).toBe(true);
  drop(sandbox, "new.md", "# New one\n");
  expect(titles()).toEqual(["Edit", "New one"]);
  renameSync(path, sandbox.path("memory", "renamed"));
  expect(sandbox.ok(["list", "-q", "--sort", "id"]).stdout).toBe("new\nrenamed\n");
  expect(sandbox.ok(["get", "renamed"]).stdout).toContain("ID: renamed");
  sandbox.ok(["update", "renamed", "--tags", "x"]);
  expect(fieldsOf(sandbox, "renamed").id).toBe("renamed");
  rmSync(sandbox.path("memory", "renamed"));
  expect(titles()).toEqual(["New one"]);
});

test("INDEX-2: a change with the same size, inode and timestamp is noticed while the timestamp is recent", () => {
  const sandbox = new Sandbox();
  const path = drop(sandbox, "a.md", "# AAAA\n");
  const title = () => sandbox.ok(["list", "--json"]).json.data.documents[0].title;
  // A stamp that cannot be older than the reading of the file, as it is within one tick of the disk's clock.
  const fresh = new Date(Date.now() + 3_600_000);
  utimesSync(path, fresh, fresh);
  expect(title()).toBe("AAAA");
  const before = statSync(path);
  writeFileSync(path, "# BBBB\n");
  utimesSync(path, fresh, fresh);
  const { size, ino, mtimeMs } = statSync(path);
  expect([size, ino, mtimeMs]).toEqual([before.size, before.ino, before.mtimeMs]);
  expect(title()).toBe("BBBB");
});

test("DOC-11: when putting many, each failure is reported and the rest is stored", () => {
  const sandbox = new Sandbox();
  sandbox.write("d/1.md", "# Good\n");
  sandbox.write("d/2.md", "   \n");
  sandbox.write("d/3.md", new Uint8Array([35, 32, 0xff, 0xfe]));
  sandbox.write("d/4.md", "---\na: [\n---\nx\n");
  sandbox.write("d/5.md", "# Good\n\nanother with the same title\n");
  sandbox.write("d/6.md", "---\nid: ../../evil\n---\nx\n");
  sandbox.write("d/7.md", "# Fine\n");
  const result = sandbox.run(["put", "d", "--json"]);
  expect(result.exitCode).toBe(1);
  const { counts, failed, stored } = result.json.data;
  expect(counts).toEqual({ created: 2, replaced: 0, unchanged: 0, failed: 5, not_tried: 0 });
  expect(stored.map((item: { id: string }) => item.id)).toEqual(["good", "fine"]);
  expect(failed.map((item: { file: string; code: string }) => [item.file, item.code])).toEqual([
    ["d/2.md", "invalid_input"],
    ["d/3.md", "invalid_input"],
    ["d/4.md", "invalid_input"],
    ["d/5.md", "conflict"],
    ["d/6.md", "invalid_name"],
  ]);
  expect(sandbox.document("memory", "good")).not.toContain("another");
  expect(sandbox.run(["put", "d"]).stdout).toContain("0 documents stored, 0 replaced, 2 unchanged, 5 failed");
  expect(sandbox.run(["put", "d", "--id", "x"]).exitCode).toBe(2);
});

test("DOC-1: a file named twice is stored once", () => {
  const sandbox = new Sandbox();
  sandbox.write("notes/a.md", "# A\n");
  sandbox.write("notes/b.md", "# B\n");
  const { json } = sandbox.ok(["put", "notes/a.md", "notes", "./notes/../notes/a.md", "--json"]);
  expect(json.data.counts).toMatchObject({ created: 2, unchanged: 0, failed: 0 });
  expect(sandbox.ok(["list", "--sort", "id", "--quiet"]).stdout).toBe("a\nb\n");
});

test("DOC-11: one bad existing document does not stop the others", () => {
  const sandbox = new Sandbox();
  drop(sandbox, "d5.md", "---\ntitle: [broken\nx: 1\n---\nold\n");
  for (let index = 0; index < 80; index++) sandbox.write(`d/${index}.md`, `# D${index}\n`);
  const { data, error } = sandbox.run(["put", "d", "--json"]).json;
  expect(data.counts).toEqual({ created: 79, replaced: 0, unchanged: 0, failed: 1, not_tried: 0 });
  expect(data.failed[0].file).toBe("d/5.md");
  expect(error).toMatchObject({ code: "partial", exit_code: 1 });
});

test("DOC-12: edit stores the edited text as a new version", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  sandbox.ok(["edit", "note"], { env: { EDITOR: "sed -i s/text/edited/" } });
  expect(sandbox.ok(["get", "note", "--json"]).json.data).toMatchObject({ content: "# Note\n\nedited\n" });
  expect(sandbox.ok(["versions", "note", "-q"]).stdout).toBe("v2\nv1\n");
  expect(sandbox.ok(["edit", "note"], { env: { EDITOR: "true" } }).stdout).toContain("Unchanged");
  expect(sandbox.run(["edit", "note"]).stderr).toContain("$EDITOR");
  expect(sandbox.run(["edit", "note"], { env: { EDITOR: "false" } }).exitCode).toBe(1);
  expect(sandbox.tree(sandbox.root).filter((path) => path.startsWith("retain-edit-"))).toHaveLength(0);
});

test("DOC-12: edit opens a fact too, and delete of a fact names the commands for facts", () => {
  const sandbox = new Sandbox();
  const { id } = sandbox.ok(["remember", "Tea is at four", "--tags", "home", "--json"]).json.data.saved[0];
  const { after } = sandbox.ok(["edit", id.slice(0, 6), "--json"], { env: { EDITOR: "sed -i s/four/five/" } })
    .json.data;
  expect(sandbox.ok(["facts", "--json"]).json.data.facts).toMatchObject([
    { id: after.id, text: "Tea is at five", source: { tags: ["home"], trust: "stated" } },
  ]);
  expect(sandbox.ok(["edit", after.id], { env: { EDITOR: "true" } }).stdout).toContain("Unchanged");
  const deleted = sandbox.run(["delete", after.id]);
  expect(deleted.exitCode).toBe(2);
  expect(deleted.stderr).toContain(`retain forget ${after.id}`);
  expect(sandbox.ok(["facts", "--json"]).json.data.total).toBe(1);
});

test("DOC-12: an edit that breaks the frontmatter's fence is refused; one that removes all frontmatter keeps it", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin, { tags: ["a"] });
  const bytes = sandbox.document("memory", "note");
  const lost = sandbox.run(["edit", "note"], { env: { EDITOR: "sed -i 1d" } });
  expect(lost.exitCode).toBe(2);
  expect(lost.stderr).toContain("opening '---'");
  expect(sandbox.document("memory", "note")).toBe(bytes);
  const only = sandbox.ok(["edit", "note"], { env: { EDITOR: "sh -c 'echo only text > \"$1\"' edit" } });
  expect(only.stdout).toContain("(version 2, v1 kept)");
  expect(fieldsOf(sandbox)).toMatchObject({ tags: ["a"], created_by: "ada", version: 2 });
  expect(sandbox.ok(["get", "note", "--format", "raw"]).stdout).toBe("only text\n");
  const prose = "Note: a rule follows\\n\\n---\\nand more";
  sandbox.ok(["edit", "note"], { env: { EDITOR: `sh -c 'printf "${prose}" > "$1"' edit` } });
  expect(sandbox.ok(["get", "note", "--format", "raw"]).stdout).toBe("Note: a rule follows\n\n---\nand more");
});

test("DOC-12: an edit of the id is refused, since the file's name is the id; an old one of a renamed file isn't", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  const bytes = sandbox.document("memory", "note");
  const changed = sandbox.run(["edit", "note"], { env: { EDITOR: "sed -i 's/^id: note/id: other/'" } });
  expect(changed.exitCode).toBe(2);
  expect(changed.stderr).toContain("the id is the file's name, 'note'");
  expect(sandbox.document("memory", "note")).toBe(bytes);
  renameSync(sandbox.path("memory", "note"), sandbox.path("memory", "renamed"));
  sandbox.ok(["edit", "renamed"], { env: { EDITOR: "sed -i s/text/edited/" } });
  expect(fieldsOf(sandbox, "renamed")).toMatchObject({ id: "renamed" });
});

test("DOC-12: after a conflict or invalid text, the typed text is kept", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  const path = sandbox.path("memory", "note");
  const meanwhile = `sh -c 'echo "somebody else" >> ${path}; echo mine >> "$1"' edit`;
  const conflict = sandbox.run(["edit", "note"], { env: { EDITOR: meanwhile } });
  expect(conflict.exitCode).toBe(3);
  const copy = /text is in (\S+)/.exec(conflict.stderr)?.[1] ?? "";
  expect(readFileSync(copy, "utf8")).toEndWith("text\nmine\n");
  expect(readFileSync(path, "utf8")).toEndWith("text\nsomebody else\n");
  const broken = sandbox.run(["edit", "note"], { env: { EDITOR: "sed -i 's/^title:.*/title: [/'" } });
  expect(broken.exitCode).toBe(2);
  expect(broken.stderr).toContain("Your text is in");
});

test("DOC-9: collections are listed with counts, including those from the config", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["config", "set", "collections", "memory,notes"]);
  for (const id of ["a", "b"]) await sandbox.addDocument(note.stdin, { id });
  const strange = sandbox.ok(["put", "-", "--collection", "nots"], note);
  expect(strange.stderr).toContain("Did you mean 'notes'?");
  const { collections } = sandbox.ok(["collections", "--json"]).json.data;
  expect(collections.map((row: { name: string; count: number }) => [row.name, row.count])).toEqual([
    ["memory", 2],
    ["notes", 0],
    ["nots", 1],
  ]);
});

test("INDEX-2: a document that turned into a link out of the workspace does not stop list", async () => {
  const sandbox = new Sandbox();
  for (const id of ["a", "b"]) await sandbox.addDocument(note.stdin, { id });
  sandbox.ok(["list"]);
  rmSync(sandbox.path("memory", "a"));
  symlinkSync("/etc/hostname", sandbox.path("memory", "a"));
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("b\n");
  expect(sandbox.ok(["collections", "--json"]).json.data.collections[0].count).toBe(1);
});

test("INDEX-3: a lost or damaged index is rebuilt from the files", async () => {
  const sandbox = new Sandbox();
  for (const id of ["a", "b"]) await sandbox.addDocument(note.stdin, { id, tags: [id] });
  const before = sandbox.ok(["list", "--format", "json"]).stdout;
  const database = join(sandbox.memory, "retain.db");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(database + suffix, { force: true });
  expect(sandbox.ok(["list", "--format", "json"]).stdout).toBe(before);
  writeFileSync(
    database,
    "this is not a database at all, but long enough to be looked at as one ".repeat(40),
  );
  const damaged = sandbox.ok(["list", "--format", "json"]);
  expect(damaged.stdout).toBe(before);
  expect(damaged.stderr).toContain("was damaged");
  expect(readdirSync(sandbox.memory).some((name) => name.startsWith("retain.db.damaged-"))).toBe(true);
  const bytes = readFileSync(database);
  bytes.fill(0xab, 4096, 8192);
  writeFileSync(database, bytes);
  expect(sandbox.ok(["list", "--format", "json"]).stdout).toBe(before);
  sandbox.ok(["put", "-", "--id", "c"], note);
  expect(sandbox.ok(["list", "-q"]).stdout.split("\n")).toContain("c");
});

test("INDEX-3: an index of a newer version is not touched", async () => {
  const sandbox = new Sandbox();
  await sandbox.addDocument(note.stdin);
  using database = new Database(join(sandbox.memory, "retain.db"));
  database.run("PRAGMA user_version = 999");
  const result = sandbox.run(["list"]);
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain("newer version of Retain");
});

test("INDEX-3: a directory or another program's database at the index's path is set aside", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-"], note);
  const path = join(sandbox.memory, "retain.db");
  for (const make of [
    () => mkdirSync(path),
    () => {
      using foreign = new Database(path);
      foreign.run("CREATE TABLE documents (something TEXT)");
    },
  ]) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    make();
    const listed = sandbox.ok(["list", "-q", "-v"]);
    expect(listed.stdout).toBe("note\n");
    sandbox.ok(["put", "-", "--tags", "x"], note);
  }
});

test("FM-4: a file added by hand is a document", () => {
  const sandbox = new Sandbox();
  drop(sandbox, "My Notes.md", "# By hand\n\ntext\n", "inbox");
  drop(sandbox, "plain.md", "just text\n", "inbox");
  expect(sandbox.ok(["list", "-q", "--sort", "id"]).stdout).toBe("My Notes\nplain\n");
  expect(sandbox.ok(["get", "My Notes"]).stdout).toBe(
    "# By hand\nID: My Notes\nCreated: unknown by unknown\n\n# By hand\n\ntext\n",
  );
  sandbox.ok(["update", "My Notes", "--tags", "found"]);
  expect(fieldsOf(sandbox, "My Notes", "inbox")).toMatchObject({ tags: ["found"], version: 2 });
  expect(sandbox.ok(["get", "My Notes", "--version", "1", "--format", "raw"]).stdout).toBe(
    "# By hand\n\ntext\n",
  );
  expect(sandbox.ok(["get", "plain.md"]).stdout).toContain("ID: plain");
});

test("FM-5: invalid frontmatter loses only its fields", () => {
  const sandbox = new Sandbox();
  const broken = "---\ntitle: [oops\nother: 1\n---\n# Content\n\nis here\n";
  const path = drop(sandbox, "broken.md", broken);
  const listed = sandbox.ok(["list"]);
  expect(listed.stdout).toContain("broken");
  expect(listed.stderr).toContain("memory/broken.md");
  const got = sandbox.ok(["get", "broken", "--format", "raw"]);
  expect(got.stdout).toBe("# Content\n\nis here\n");
  expect(got.stderr).toContain("cannot be read: line");
  for (const args of [
    ["update", "broken", "--tags", "x"],
    ["put", "-", "--id", "broken"],
  ]) {
    expect(sandbox.run(args, note).exitCode).toBe(2);
    expect(readFileSync(path, "utf8")).toBe(broken);
  }
  sandbox.ok(["edit", "broken"], { env: { EDITOR: "sed -i 's/.oops/fine/'" } });
  expect(sandbox.ok(["get", "broken", "--json"]).json.data.title).toBe("fine");
});

test("FM-5: a binary file is reported, and can be deleted and restored", async () => {
  const sandbox = new Sandbox();
  const path = join(sandbox.memory, "collections/memory/latin.md");
  await sandbox.addDocument(note.stdin);
  const bytes = new Uint8Array([0xe9, 0x74, 0xe9, 0x0a]);
  writeFileSync(path, bytes);
  expect(sandbox.ok(["list"]).stderr).toContain("not valid UTF-8");
  expect(sandbox.run(["get", "latin"]).exitCode).toBe(2);
  sandbox.ok(["delete", "latin"]);
  sandbox.ok(["restore", "latin"]);
  expect(new Uint8Array(readFileSync(path))).toEqual(bytes);
});
