/** Hindsight's own client, unchanged, against the API; every answer is checked against Hindsight's OpenAPI description. */
import { expect, test } from "bun:test";
import { createClient, createConfig, HindsightClient, sdk } from "@vectorize-io/hindsight-client";
import { ROUTES } from "../../src/serve/api/table.ts";
import { serveHere, TOKEN } from "./kit.ts";
import { Contract } from "./openapi.ts";

const BANK = "Team k/1";

test("SERVE-3: Hindsight's client works unchanged, and every answer follows the contract", async () => {
  const contract = new Contract();
  const { url, ask } = await serveHere({ around: (service) => contract.checking(service) });
  const client = new HindsightClient({ baseUrl: url, apiKey: TOKEN });
  const raw = createClient(createConfig({ baseUrl: url, headers: { Authorization: `Bearer ${TOKEN}` } }));
  const path = { bank_id: BANK };

  expect((await client.getVersion()).api_version).toBe("0.9.1");
  await client.createBank(BANK, { name: "Team", reflectMission: "Help the team" });
  expect(await client.getBankProfile(BANK)).toMatchObject({ name: "Team", mission: "Help the team" });
  expect((await sdk.listBanks({ client: raw })).data?.banks.map(({ bank_id }) => bank_id)).toEqual([BANK]);
  await sdk.updateBank({ client: raw, path, body: { name: "The team" } });

  await client.retain(BANK, "Alice likes green tea", { context: "kitchen", tags: ["drinks"] });
  const later = await client.retainBatch(
    BANK,
    [
      {
        content: "Bob drinks black coffee",
        metadata: { source: "chat", channel: "kitchen" },
        timestamp: new Date(0),
      },
      { content: "# Plan\n\nThe release is in May.", document_id: "plans/1", tags: ["plan"] },
    ],
    { async: true },
  );
  expect(later).toMatchObject({ items_count: 2, async: true });
  const operation = { bank_id: BANK, operation_id: later.operation_id ?? "" };
  const status = await sdk.getOperationStatus({ client: raw, path: operation });
  expect(status.data?.status).toBe("completed");
  expect((await sdk.listOperations({ client: raw, path })).data?.total).toBe(2);
  expect((await sdk.cancelOperation({ client: raw, path: operation })).response?.status).toBe(409);
  await ask(`/v1/default/banks/${encodeURIComponent(BANK)}/operations/${later.operation_id}/delete`, {
    method: "DELETE",
  });

  const recalled = await client.recall(BANK, "what does Alice drink?", { includeChunks: true, trace: true });
  expect(recalled.results[0]).toMatchObject({
    text: "Alice likes green tea",
    tags: ["drinks"],
    type: "world",
  });
  expect((await client.recall(BANK, "coffee")).results[0]?.metadata).toMatchObject({ channel: "kitchen" });
  expect((await client.reflect(BANK, "When is the release?")).text).toContain("May");

  const memories = await client.listMemories(BANK, { q: "tea" });
  expect(memories.items.map(({ text }) => text)).toEqual(["Alice likes green tea"]);
  const memory_id = String(memories.items[0]?.id);
  const unit = { client: raw, path: { bank_id: BANK, memory_id } };
  expect((await sdk.getMemory(unit)).data).toMatchObject({ state: "valid", context: "kitchen" });
  const edited = (await sdk.updateMemory({ ...unit, body: { text: "Alice likes white tea" } })).data as {
    id: string;
  };
  const path2 = { bank_id: BANK, memory_id: edited.id };
  const before = (await sdk.getObservationHistory({ client: raw, path: path2 })).data as object[];
  expect(before).toMatchObject([{ previous_text: "Alice likes green tea" }]);
  await sdk.updateMemory({ client: raw, path: path2, body: { state: "invalidated" } });
  expect((await client.recall(BANK, "white tea")).results.map(({ text }) => text)).not.toContain(
    "Alice likes white tea",
  );
  await sdk.updateMemory({ client: raw, path: path2, body: { state: "valid" } });
  expect((await client.recall(BANK, "white tea")).results[0]?.text).toBe("Alice likes white tea");

  expect(await client.getDocument(BANK, "plans/1")).toMatchObject({
    original_text: "# Plan\n\nThe release is in May.",
  });
  expect(await client.getDocument(BANK, "plans/2")).toBeNull();
  await client.updateDocument(BANK, "plans/1", { tags: ["plan", "release"] });
  const tagged = await sdk.listDocuments({ client: raw, path, query: { tags: ["release"] } });
  expect(tagged.data?.items.map(({ id }) => id)).toEqual(["plans/1"]);
  expect((await client.listDocuments(BANK, { limit: 1 })).total).toBe(2);
  expect((await sdk.listTags({ client: raw, path, query: { q: "rel*" } })).data?.items).toEqual([
    { tag: "release", count: 1 },
  ]);
  expect((await sdk.getAgentStats({ client: raw, path })).data?.total_documents).toBe(2);
  expect((await sdk.listEntities({ client: raw, path })).data?.total).toBe(0);
  await client.deleteDocument(BANK, "plans/1");
  expect(await client.getDocument(BANK, "plans/1")).toBeNull();

  const { id } = await client.createDirective(BANK, "Short", "Answer in one sentence.");
  await client.updateDirective(BANK, id, { isActive: false });
  expect((await client.getDirective(BANK, id)).is_active).toBe(false);
  expect((await client.listDirectives(BANK)).items).toEqual([]);
  await client.deleteDirective(BANK, id);

  const model = await client.createMentalModel(BANK, "User Preferences", "What does Alice like?", {
    tags: ["drinks"],
  });
  const name = model.mental_model_id ?? "";
  expect((await client.getMentalModel(BANK, name)).content).toContain("white tea");
  await client.refreshMentalModel(BANK, name);
  await client.updateMentalModel(BANK, name, {
    name: "Preferences",
    sourceQuery: "Which drinks does Alice like?",
  });
  expect((await client.listMentalModels(BANK)).items).toMatchObject([
    { id: "user-preferences", name: "Preferences" },
  ]);
  await client.deleteMentalModel(BANK, name);
  expect((await client.listMentalModels(BANK)).items).toEqual([]);

  await expect(client.getBankConfig(BANK)).rejects.toMatchObject({ statusCode: 501 });
  await sdk.clearBankMemories({ client: raw, path });
  expect((await client.listMemories(BANK)).total).toBe(0);
  await client.deleteBank(BANK);
  await expect(client.getBankProfile(BANK)).rejects.toMatchObject({ statusCode: 404 });
  for (const open of ["/health", "/health/live", "/health/ready"]) expect((await ask(open)).status).toBe(200);

  expect(contract.problems).toEqual([]);
  // Cancelling and retrying are refused, since operations are completed when they are answered.
  const refused = ROUTES.map(({ method, path }) => `${method} ${path}`).filter(
    (one) => !contract.answered.has(one),
  );
  expect(refused).toEqual([
    "DELETE /v1/default/banks/{bank_id}/operations/{operation_id}",
    "POST /v1/default/banks/{bank_id}/operations/{operation_id}/retry",
  ]);
});
