/** The output of search and recall: distinguishable, without repetition, and within the line width. */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

/** As a person does it, in an editor. */
function write(box: Sandbox, id: string, text: string): void {
  const path = box.path("memory", id);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
}

/** The same id in the project and at home. */
function inBoth(): Sandbox {
  const box = new Sandbox();
  const put = (args: string[], stdin: string) => box.ok(["put", "-", "--quiet", ...args], { stdin });
  put(["--id", "cache"], "# Cache\n\nThe cache at home is warm.\n");
  put(["--id", "only"], "# Only\n\nThe other cache at home is a box.\n");
  box.ok(["init"]);
  put(["--id", "cache"], "# Cache\n\nThe cache of the project is cold.\n");
  return box;
}

test("a heading that is in the line above is not printed again", () => {
  const box = new Sandbox();
  const filler = "It says more, and more still, so that this section stands by itself among others. ".repeat(
    4,
  );
  write(
    box,
    "auth",
    `# **Auth**\n\nTokens rotate daily. ${filler}\n\n## Sessions in \`redis\`\n\nSessions rotate too. ${filler}\n`,
  );
  write(box, "setext", `Rotating keys\n=============\n\nKeys rotate weekly. ${filler}\n`);
  write(box, "bare", "# Rotate\n");
  const { stdout } = box.ok(["recall", "rotate", "--text", "--budget", "2000"]);
  const heads = stdout.split("\n").filter((line) => /^#|^=/.test(line));
  expect(heads.map((line) => line.replace(/ \(.*/, "")).sort()).toEqual([
    "### memory/auth: Auth",
    "### memory/auth: Auth > Sessions in redis",
    "### memory/bare: Rotate",
    "### memory/setext: Rotating keys",
  ]);
  expect(stdout).toMatch(/^### memory\/auth: Auth \(.*\)\n\nTokens rotate daily\./m);
  expect(stdout).toMatch(/^### memory\/setext: Rotating keys \(.*\)\n\nKeys rotate weekly\./m);
});

test("a heading that the line above doesn't contain is printed", () => {
  const box = new Sandbox();
  write(box, "small", "# Rules\n\n## Tokens\n\nThey rotate.\n\n## Keys\n\nThey do not.\n");
  const { stdout } = box.ok(["recall", "rotate", "--text"]);
  expect(stdout).toMatch(/^### memory\/small: Rules \(.*\)\n\n## Tokens\n\nThey rotate\.\n\n## Keys\n\n/);
});

test("each document is shown with its title and tags, in text and JSON", async () => {
  const box = new Sandbox();
  const section = "It says more, so that the next section is a part of its own. ".repeat(30);
  write(
    box,
    "plan",
    `---\ntitle: Keys > locks\ntags: [doors, home]\n---\n\n${section}\n\n## Spare\n\nAsk the janitor.\n`,
  );
  write(box, "leak", "---\ntitle: The password is hunter2XYZ99\n---\n\nThe janitor has it.\n");
  await box.addFact("The janitor is called Odo", { tags: ["people"] });
  const { results } = box.ok(["search", "janitor", "--text", "--json"]).json.data;
  const byId = new Map(results.map((hit: { id: string }) => [hit.id, hit]));
  expect(byId.get("plan")).toMatchObject({ title: "Keys > locks", tags: ["doors", "home"] });
  expect(JSON.stringify(byId.get("leak"))).not.toContain("hunter2XYZ99");
  expect(results.find((hit: { kind: string }) => hit.kind === "fact")).toMatchObject({
    title: null,
    tags: ["people"],
  });
  expect(box.ok(["search", "janitor", "--text"]).stdout).toMatch(/^plan .*doors, home/m);
});

test("SEARCH-10: the same id in project and home, or in two collections, is distinguishable", async () => {
  const box = inBoth();
  const { stdout } = box.ok(["search", "cache", "--text"]);
  expect(stdout).toMatch(/^cache .*\(memory, .*, project, 0\.\d\d\)$/m);
  expect(stdout).toMatch(/^cache .*\(memory, .*, home, 0\.\d\d\)$/m);
  const lines = box.ok(["search", "cache", "--text", "--quiet"]).stdout.trim().split("\n");
  expect(lines.sort()).toEqual(["cache --global", "cache --local", "only"]);
  for (const line of lines.slice(0, 2))
    expect(box.ok(["get", ...line.split(" ")]).stdout).toContain(
      line.endsWith("--local") ? "of the project" : "at home",
    );
  const recalled = box.ok(["recall", "cache", "--text"]).stdout;
  expect(recalled).toMatch(/^### memory\/cache: Cache \(\d{4}-\d\d-\d\d, project\)$/m);
  expect(recalled).toMatch(/^### memory\/cache: Cache \(\d{4}-\d\d-\d\d, home\)$/m);
  await box.addDocument("# Cache\n\nThe cache in the archive.\n", { id: "cache", collection: "archive" });
  expect(
    box.ok(["search", "cache", "--text", "--local", "--quiet"]).stdout.trim().split("\n").sort(),
  ).toEqual(["cache --collection archive", "cache --collection memory"]);
});

test("RECALL-4: an empty memory and a search without hits have different messages", async () => {
  const box = new Sandbox();
  const hint = expect.stringContaining("retain put notes.md");
  for (const verb of ["search", "recall"]) {
    const { stdout, stderr } = box.ok([verb, "tokens"]);
    expect([stdout, stderr]).toEqual(["No relevant memories.\n", hint]);
    expect(box.ok([verb, "tokens", "--quiet"]).stderr).toBe("");
    const { stdout: json, stderr: beside } = box.ok([verb, "tokens", "--json"]);
    expect([JSON.parse(json).warnings, beside]).toEqual([[], ""]);
  }
  expect(box.tree(box.home)).toEqual([]);
  await box.makeProject();
  expect(box.ok(["search", "tokens"]).stderr).toEqual(hint);
  await box.addDocument("# Cats\n\nThey sleep.\n", {}, { scope: "global" });
  for (const verb of ["search", "recall"]) {
    const { stdout, stderr } = box.ok([verb, "tokens", "--text"]);
    expect([stdout, stderr]).toEqual(["No relevant memories.\n", ""]);
  }
});

test("SEARCH-8: help and docs explain the score correctly", () => {
  const box = new Sandbox(WITH_MEANING);
  const said = "matching words score about 0.7, meaning alone 0.2 to 0.5";
  for (const verb of ["search", "recall"])
    expect(box.ok([verb, "--help"]).stdout.replace(/\s+/g, " ")).toContain(said);
  expect(readFileSync(join(import.meta.dir, "../../docs/search.md"), "utf8")).toContain(
    "## What a score means",
  );
  write(box, "auth", "# Auth\n\nAccess tokens rotate every 15 minutes. Sessions live in Redis.\n");
  write(box, "deploys", "# Deploys\n\nWe ship to production on Tuesdays, once the canary has been quiet.\n");
  write(box, "pets", "# Pets\n\nBiscuit, the border collie puppy, sleeps under the desk.\n");
  const found = (query: string, score: string) =>
    box.ok(["search", query, "--min-score", score, "--quiet"]).stdout;
  expect(found("release schedule", "0.1")).toBe("deploys\n");
  expect(found("release schedule", "0.3")).toBe("");
  expect(found("where does the puppy sleep", "0.4")).toBe("pets\n");
  expect(box.run(["search", "x", "--min-score", "high"]).stderr).toContain("--min-score 0.1");
});

testNeeding("tmux")("on a narrow terminal search results wrap at its edge", async () => {
  const box = new Sandbox();
  write(
    box,
    "rotation-of-access-tokens",
    "# How access tokens are rotated in production\n\nTokens rotate. See https://example.org/a/path/that/is/longer/than/forty/columns for more.\n",
  );
  write(
    box,
    "zh",
    `# ${"机器学习模型".repeat(8)}\n\nTokens ${"我们每周二发布新版本，模型也一起更新。".repeat(6)}\n`,
  );
  const screen = new TerminalScreen(box, "retain search tokens --text --explain", {}, 44, 40);
  const shown = (await screen.shows("[exit 0]")).split("[exit 0]")[0] ?? "";
  screen.close();
  const lines = shown.split("\n").filter((line) => line !== "");
  const whole = (line: string) =>
    /^ {2}\S|^ {4}[-+]0\.\d{3} |^(?:rotation-of-access-tokens|zh) {2}\S|^2 memories$/.test(line);
  expect(lines.filter((line) => !whole(line))).toEqual([]);
  expect(shown).toMatch(/^rotation-of-access-tokens {2}How access.*…$/m);
  expect(shown).toMatch(/^zh {2}机器学习模型.*…$/m);
  expect(shown.match(/^ {2}\(memory, \d{4}-\d\d-\d\d, 0\.\d\d\)$/gm)).toHaveLength(2);
  expect(shown.replace(/\s+/g, "")).toContain(
    "我们每周二发布新版本，模型也一起更新。我们每周二发布新版本，模型也一起更新。",
  );
  expect(lines.length).toBeGreaterThan(10);
});

test("RECALL-5: documents that differ in one number, name or negation are both found", () => {
  const box = new Sandbox();
  const texts = {
    "old-port": "# Staging\n\nThe staging server of the billing team listens on port 8080.\n",
    "new-port": "# Staging\n\nThe staging server of the billing team listens on port 8081.\n",
    allowed: "# Rules\n\nDeploying the billing service on Fridays is allowed for the whole team.\n",
    forbidden: "# Rules\n\nDeploying the billing service on Fridays is not allowed for the whole team.\n",
  };
  for (const [id, text] of Object.entries(texts)) write(box, id, text);
  const { stdout } = box.ok(["search", "the billing team", "--quiet"]);
  expect(stdout.trim().split("\n").sort()).toEqual(Object.keys(texts).sort());
  expect(box.ok(["recall", "the billing team"]).stdout).toContain("port 8080");
});

test("SEARCH-3: a document's own date counts: created or date in its frontmatter, or the day that names its file", async () => {
  const box = new Sandbox();
  write(box, "2024-08-24", "# Walk\n\nA walk along the river.\n");
  write(box, "frontmatter", "---\ncreated: 2024-08-20\n---\n\nA walk over the river.\n");
  write(box, "dated", "---\ndate: 2024-08-21T10:00:00Z\n---\n\nA walk under the river.\n");
  write(box, "undated", "# Swim\n\nA walk into the river.\n");
  await box.addDocument("---\ndate: 2024-08-23\n---\n\nA walk by the river.\n", { id: "put" });
  box.write("2024-08-22.md", "# A walk\n\nA walk across the river.\n");
  box.ok(["put", "2024-08-22.md", "--quiet"]);
  const found = (...args: string[]) =>
    box
      .ok(["search", "walk river", "--text", "--quiet", ...args])
      .stdout.trim()
      .split("\n")
      .sort();
  const august = found("--since", "2024-08-01", "--until", "2024-08-31");
  expect(august).toContain("2024-08-24");
  expect(august).toContain("frontmatter");
  expect(august).toContain("dated");
  expect(august).toContain("put");
  expect(august).toContain("a-walk");
  const said = box.ok(["search", "walk river in August 2024", "--text", "--quiet"]).stdout.split("\n");
  expect(said.slice(0, 5)).not.toContain("undated");
  expect(august).not.toContain("undated");
  expect(found("--since", "2025-01-01")).toContain("undated");
  expect(found("--since", "2025-01-01")).not.toContain("2024-08-24");
});
