import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

function remembering(...facts: string[]) {
  const sandbox = new Sandbox();
  const options = { env: { RETAIN_MENTAL_MODEL_REFRESH_INTERVAL_MS: "0" } };
  const ok = (...args: string[]) => sandbox.ok(args, options);
  const run = (...args: string[]) => sandbox.run(args, options);
  for (const fact of facts) ok("remember", fact);
  const path = (name: string) => join(sandbox.memory, "memories/models", `${name}.md`);
  return { sandbox, ok, run, path };
}

test("MODELS-3: mental models are added, listed, shown, refreshed and removed from the command line", () => {
  const { ok, path } = remembering("Ada prefers tea", "Bob is in the team");
  expect(ok("mental-models").stdout).toBe(
    'No mental models yet. Add one: retain mental-models add team "Who is in the team?"\n',
  );
  expect(ok("mental-models", "add", "team", "Who is in the team?").stdout).toMatch(
    /^✓ Added 'team'\n\nFrom memory, without a model:\n\n- Bob is in the team \[\w{10}\]\n$/,
  );
  expect(ok("mental-models", "refresh").stdout).toBe(
    "team              home  nothing changed\nuser-preferences  home  refreshed\n",
  );
  expect(ok("mental-models", "list").stdout).toMatch(
    /^NAME +ORIGIN +STATE +REFRESHED +QUESTION\nteam +home +auto-refreshed +\d{4}-\d\d-\d\d +Who is in the team\?\nuser-preferences +home +auto-refreshed/,
  );
  const shown = ok("mental-models", "show", "team").stdout;
  expect(shown).toMatch(
    /^Who is in the team\?\nauto-refreshed \(quoted from memory, \d{4}-\d\d-\d\d, from 1 memory\)\n\nFrom memory/,
  );
  expect(shown).toContain(path("team"));
  expect(ok("mental-models", "show", "team", "-q").stdout).toStartWith("From memory, without a model:");
  expect(ok("mental-models", "remove", "team").stdout).toContain("retain undo");
  expect(ok("mental-models", "-q").stdout).toBe("user-preferences\n");
  ok("undo");
  expect(ok("mental-models", "-q").stdout).toBe("team\nuser-preferences\n");
});

test("MODELS-3: every action has --json", () => {
  const { ok, path } = remembering("Bob is in the team");
  const added = ok(
    "mental-models",
    "add",
    "team",
    "Who is in the team?",
    "--tag",
    "a",
    "--tag",
    "b",
    "--json",
  ).json.data;
  expect(added).toMatchObject({
    name: "team",
    origin: "home",
    tags: ["a", "b"],
    answer: "",
    path: path("team"),
  });
  expect(ok("mental-models", "--json").json.data).toMatchObject({
    total: 1,
    models: [{ name: "team", state: "fresh" }],
  });
  expect(ok("mental-models", "show", "team", "--json").json.data).toMatchObject({
    question: "Who is in the team?",
  });
  expect(ok("mental-models", "refresh", "team", "--json").json.data.models).toEqual([
    { name: "team", origin: "home", outcome: "unchanged", notice: null },
  ]);
  expect(ok("mental-models", "pin", "team", "--json").json.data.state).toBe("pinned");
  expect(ok("mental-models", "unpin", "team", "--json").json.data.state).toBe("fresh");
  expect(ok("mental-models", "remove", "team", "--json").json.data).toEqual({
    name: "team",
    origin: "home",
    path: path("team"),
  });
});

test("MODELS-3: an edited answer is reported, and overwritten only on request", () => {
  const { ok, run, path } = remembering("Bob is in the team");
  ok("mental-models", "add", "team", "Who is in the team?");
  const edited = readFileSync(path("team"), "utf8").replace("- Bob", "- Good old Bob");
  writeFileSync(path("team"), edited);
  expect(ok("mental-models").stdout).toContain("edited");
  expect(ok("mental-models").stdout).toContain("retain mental-models refresh <name> --force");
  expect(ok("mental-models", "refresh").stdout).toContain("edited by hand, skipped");
  expect(ok("mental-models", "refresh", "--force").stdout).toContain("edited by hand, skipped");
  const unasked = run("mental-models", "refresh", "team", "--force");
  expect([unasked.exitCode, unasked.stderr]).toEqual([3, expect.stringContaining("--force --yes")]);
  expect(readFileSync(path("team"), "utf8")).toBe(edited);
  expect(ok("mental-models", "unpin", "team").stdout).toContain("edited");
  expect(ok("mental-models", "refresh", "team", "--force", "--yes").stdout).toContain("refreshed");
  expect(readFileSync(path("team"), "utf8")).not.toContain("Good old");
});

test("MODELS-3: errors say what to do, and no name leaves the directory", () => {
  const { run, sandbox } = remembering();
  for (const [args, exitCode, said] of [
    [["add", "../evil", "Q?"], 2, "not a valid id"],
    [["show", "../../config"], 2, "not a valid id"],
    [["remove", "nobody"], 1, "There is no mental model 'nobody'."],
    [["show"], 2, "name is missing"],
    [["add", "team"], 2, "A mental model needs a question."],
    [["list", "team"], 2, "'team'"],
    [["show", "a", "b"], 2, "'b'"],
    [["pin", "a", "--tag", "x"], 2, "'mental-models add'"],
    [["pin", "a", "--force"], 2, "'mental-models refresh'"],
    [["add", "project-decisions"], 2, "retain init"],
  ] as const) {
    const result = run("mental-models", ...args);
    expect([result.exitCode, result.stderr]).toEqual([exitCode, expect.stringContaining(said)]);
  }
  expect(sandbox.tree(sandbox.home).filter((path) => path.includes("models"))).toEqual([]);
});

test("MODELS-5: a question without an answer is refreshed at once, one with an answer is not", () => {
  const sandbox = new Sandbox();
  const ok = (...args: string[]) => sandbox.ok(args).stdout;
  ok("mental-models", "add", "team", "Who is in the team?");
  ok("remember", "Bob is in the team");
  expect(ok("mental-models", "refresh", "team")).toMatch(/^team +home +refreshed\n$/);
  ok("remember", "Ada leads the team");
  expect(ok("mental-models", "refresh", "team")).toContain("--force");
  expect(ok("mental-models", "show", "team")).not.toContain("Ada");
});

test("MODELS-2: a repository without a workspace has the project's models in its bank, not at home", () => {
  const box = new Sandbox();
  const env = { RETAIN_EMBEDDING: "none", RETAIN_MODEL: "none" };
  const models = (...args: string[]) =>
    box
      .ok(["mental-models", "list", "--json", ...args], { env })
      .json.data.models.map(({ name, origin }: { name: string; origin: string }) => `${origin} ${name}`);
  box.git(["init", "-q"]);
  box.ok(["remember", "The conventions of this project: tests and formatting before commits"], { env });
  box.ok(["remember", "--global", "The user prefers and likes short answers"], { env });
  box.ok(["remember", "The team decided on this architecture: one library for the data"], { env });
  box.ok(["mental-models", "refresh", "--global"], { env });
  expect(models()).toEqual(["home user-preferences"]);
  box.ok(["mental-models", "refresh"], { env });
  expect(models("--local")).toEqual(["project project-conventions", "project project-decisions"]);
  expect(models("--global")).toEqual(["home user-preferences"]);
  const shown = () => box.ok(["context"], { env }).stdout;
  expect(shown()).toContain("#### project-conventions");
  expect(shown()).toContain("#### user-preferences");

  box.ok(["mental-models", "remove", "project-decisions"], { env });
  box.ok(["mental-models", "refresh"], { env });
  expect(shown()).not.toContain("#### project-decisions");
  box.ok(["mental-models", "add", "project-decisions"], { env });
  expect(shown()).toContain("#### project-decisions");
});
