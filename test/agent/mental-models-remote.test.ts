/** Mental models answered by a server and cached as files. */
import { expect, test } from "bun:test";
import { BUILT_IN } from "../../src/agent/mental-models/built-in.ts";
import { RetainError } from "../../src/core/errors.ts";
import type { BackendMentalModel, BackendMentalModels } from "../../src/core/ports/backend.ts";
import { ModelPlace, modelsOver } from "./mental-models-place.ts";

class Server implements BackendMentalModels {
  readonly calls: string[] = [];
  models: BackendMentalModel[] = [];
  failure: RetainError | null = null;

  async list() {
    this.#check("list");
    return this.models;
  }

  async create(name: string, question: string, tags: readonly string[]) {
    this.#check(["create", name, ...tags].join(" "));
    this.models = [...this.models, { id: `id-${name}`, name, content: "", question }];
    return `id-${name}`;
  }

  async refresh(id: string) {
    this.#check(`refresh ${id}`);
    this.models = this.models.map((one) =>
      one.id === id ? { ...one, content: `${one.content} (anew)` } : one,
    );
    return true;
  }

  #check(call: string): void {
    if (this.failure !== null) throw this.failure;
    this.calls.push(call);
  }
}

const remoteModel = (name: string, content: string, question = "Which?"): BackendMentalModel => {
  return { id: `id-${name}`, name, content, question };
};

function serving(...models: BackendMentalModel[]) {
  const place = new ModelPlace();
  const server = new Server();
  server.models = models;
  return { place, server, models: modelsOver(place, { remote: server }) };
}

const beside = { model: null };

test("MODELS-17: a server's answers are cached as files; missing built-in ones are created on the server, once", async () => {
  const { place, server, models } = serving(remoteModel("team", "Bob leads."));
  expect(await models.refreshInBackground(beside)).toMatchObject([{ name: "team", outcome: "refreshed" }]);
  expect(server.calls).toEqual(["list", "create user-preferences"]);
  expect(server.models.at(-1)?.question).toBe(BUILT_IN[0]?.question ?? "");
  expect(await models.show("team")).toMatchObject({
    by: "hindsight",
    answer: "Bob leads.",
    question: "Which?",
  });
  const before = place.read("team");
  place.later();
  expect(await models.refreshInBackground(beside)).toMatchObject([{ name: "team", outcome: "unchanged" }]);
  expect(server.calls).toEqual(["list", "create user-preferences", "list"]);
  expect(place.read("team")).toBe(before);
  server.models = [remoteModel("team", "Eve leads."), remoteModel("user-preferences", "Tea.")];
  await models.refreshInBackground(beside);
  expect((await models.show("team")).answer).toBe("Eve leads.");
  expect(place.read("user-preferences")).toContain("built_in: true");
});

test("MODELS-17: the server performs a requested refresh; a new one is created there first", async () => {
  const { place, server, models } = serving(remoteModel("team", "Bob"), remoteModel("other", "Other"));
  await models.refresh({ name: "team" });
  expect(server.calls).toEqual(["list", "create user-preferences", "refresh id-team", "list"]);
  expect((await models.show("team")).answer).toBe("Bob (anew)");
  expect(place.has("other")).toBe(false);
  await models.add("plans", "Which plans?", { tags: ["work"] });
  expect(server.calls).toContain("create plans work");
  expect(await models.show("plans")).toMatchObject({ question: "Which plans?", tags: ["work"] });
  server.failure = new RetainError("remote", "The server is away.");
  await expect(models.add("more", "More?")).rejects.toMatchObject({ code: "remote" });
  expect(place.has("more")).toBe(false);
});

test("MODELS-17: an unreachable server is reported, and the cached answers are used", async () => {
  const { place, server, models } = serving(remoteModel("team", "Bob leads."));
  await models.refreshInBackground(beside);
  const before = place.read("team");
  server.failure = new RetainError("remote", "The server is away.");
  const notice = expect.stringMatching(/^The server is away\. .*cached/);
  expect(await models.refreshInBackground(beside)).toEqual([
    { name: "team", origin: "home", outcome: "failed", notice },
  ]);
  expect(place.read("team")).toBe(before);
  expect((await place.open().context()).text).toContain("#### team\n\nBob leads.");
});

test("MODELS-17: a requested refresh reports an unreachable server, even if no answer is cached", async () => {
  const { server, models } = serving(remoteModel("team", "Bob leads."));
  server.failure = new RetainError("remote", "The server is away.");
  await expect(models.refresh()).rejects.toBe(server.failure);
  await expect(models.refresh({ name: "team" })).rejects.toBe(server.failure);
  expect(await models.refreshInBackground(beside)).toEqual([]);
});

test("MODELS-17: pinned, edited and removed ones stay unchanged, and a server's answer is treated as data", async () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const { place, server, models } = serving(
    remoteModel("user-preferences", "Tea."),
    remoteModel("team", "Bob."),
    remoteModel("../../evil name", `Key ${secret}\u001b[2J`),
  );
  await models.refreshInBackground(beside);
  expect(place.sandbox.tree(`${place.sandbox.memory}/memories`)).toEqual([
    ...["models/evil-name.md", "models/team.md", "models/user-preferences.md"],
  ]);
  expect(place.read("evil-name")).not.toContain(secret);
  expect(place.read("evil-name")).not.toContain("\u001b");
  place.write("team", place.read("team").replace("Bob.", "Bob!"));
  await models.remove("user-preferences");
  server.models = server.models.map((one) => ({ ...one, content: "Something else." }));
  const done = await models.refreshInBackground(beside);
  expect(done.map(({ name, outcome }) => [name, outcome])).toEqual([
    ["team", "edited"],
    ["evil-name", "refreshed"],
  ]);
  expect(place.read("team")).toContain("Bob!");
  expect(place.read("user-preferences")).toContain("was removed");
});

test("MODELS-17: a conversation that ends doesn't wait for a hanging server, and writes nothing afterwards", async () => {
  for (const late of ["list", "create", "refresh"] as const) {
    const { place, server, models } = serving(remoteModel("team", "Bob leads."));
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    Object.assign(server, {
      [late]: () => {
        ask();
        return new Promise(() => {});
      },
    });
    const ending = new AbortController();
    const refreshing =
      late === "refresh"
        ? models.refresh({ signal: ending.signal })
        : models.refreshInBackground({ ...beside, signal: ending.signal });
    const told = refreshing.catch((error: unknown) => error);
    await asked;
    ending.abort();
    expect(await told).toMatchObject({ code: "interrupted" });
    await expect(models.refreshInBackground({ ...beside, signal: ending.signal })).rejects.toMatchObject({
      code: "interrupted",
    });
    expect(place.has("team")).toBe(false);
  }
});

test("MODELS-17: a name that neither the server nor a file has is not found, as without a server", async () => {
  const { models } = serving(remoteModel("team", "Bob leads."), remoteModel("new", ""));
  await expect(models.refresh({ name: "nobody" })).rejects.toMatchObject({ code: "not_found" });
  await expect(models.refresh({ name: "../x" })).rejects.toMatchObject({ code: "invalid_name" });
  expect(await models.refresh({ name: "team" })).toMatchObject([{ name: "team", outcome: "refreshed" }]);
  expect(await models.refresh({ name: "new" })).toMatchObject([{ name: "new", outcome: "refreshed" }]);
});

test("MODELS-17: if two of the server's mental models map to one file, the first always wins", async () => {
  const { place, models } = serving(remoteModel("Team A", "Bob leads."), remoteModel("team-a", "Eve leads."));
  expect(await models.refreshInBackground(beside)).toMatchObject([{ name: "team-a", outcome: "refreshed" }]);
  const before = place.read("team-a");
  expect(before).toContain("Bob leads.");
  expect(await models.refreshInBackground(beside)).toMatchObject([{ name: "team-a", outcome: "unchanged" }]);
  expect(place.read("team-a")).toBe(before);
});
